package table

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/sparse"
)

// column is a column of a recipe with its place in encoded rows.
type column struct {
	*Column
	in      int // place in the recipe
	at, end int // its columns of encoded rows; what is hashed has none
	// Columns of encoded rows, -1 for no column: the value of a number, the pool of rare values, a
	// missing value.
	number, rare, absent int
	known                dictionary
	idf                  []float64 // of the words in known
	parts                []int     // of a time: columns of momentParts, -1 for no column
	timed                [3]bool   // the hour, month and weekday have columns
	clock                clock     // of a time
	seed                 uint32
	spline               *spline // of a number with bends, else nil
	sides                [2]side // of a cross
	starts               []int   // of a cross: the first of its pairs with each value of the first side
	steps                int     // columns of a monotone number that is cut into bins or is a spline; they come first
}

// cross is a pair of columns.
type cross struct {
	a, b int // places in Encoder.columns
}

// mostHash is the greatest number of bits of a hash: 2^mostHash columns are fewer than
// sparse.MaxColumns.
const mostHash = 30

// Check says what is wrong with a recipe, before or after Fit, if anything.
func (r *Recipe) Check() error {
	if r == nil {
		return fmt.Errorf("table: there is no recipe")
	}
	if r.Version != 1 && r.Version != 2 {
		return fmt.Errorf("table: the recipe has version %d; this program knows versions 1 and 2", r.Version)
	}
	if r.Hash < 0 || r.Hash > mostHash {
		return fmt.Errorf("table: the recipe has a hash of %d bits; it may have 1 to %d", r.Hash, mostHash)
	}
	if r.Reading != nil && len(r.Reading.Separator) > 1 {
		return fmt.Errorf("table: the recipe has the separator %q: it may have one byte", r.Reading.Separator)
	}
	kinds, parts := make(map[string]*Column, len(r.Columns)), make(map[Kind]string)
	for k := range r.Columns {
		c := &r.Columns[k]
		if c.Name == "" {
			return fmt.Errorf("table: column %d of the recipe has no name: give it one in the table and in the recipe", k+1)
		}
		if kinds[c.Name] != nil {
			return fmt.Errorf("table: the recipe has two columns %q", c.Name)
		}
		kinds[c.Name] = c
		if err := c.check(); err != nil {
			return fmt.Errorf("table: column %q: %w", c.Name, err)
		}
		switch c.Kind {
		case Target, Weight, Offset, Exposure, Group, VW:
			if parts[c.Kind] != "" {
				return fmt.Errorf("table: columns %q and %q are both %s; one may be", parts[c.Kind], c.Name, c.Kind)
			}
			parts[c.Kind] = c.Name
		}
		if (c.Hashed || c.Kind == VW) && r.Hash == 0 {
			return fmt.Errorf("table: column %q is hashed, and the recipe has a hash of 0 bits: it may have 1 to %d", c.Name, mostHash)
		}
	}
	if parts[VW] != "" && len(parts) > 1 {
		return fmt.Errorf("table: column %q is a whole row, with target, weight and offset in it: no other column may have these parts", parts[VW])
	}
	for _, pair := range r.Crosses {
		for _, name := range pair {
			if c := kinds[name]; c == nil || c.Kind != Category && c.Kind != Number {
				return fmt.Errorf("table: the cross %q needs the column %q as a category or number", pair[0]+"*"+pair[1], name)
			}
		}
		if r.Hash == 0 {
			return fmt.Errorf("table: the cross %q is hashed, and the recipe has a hash of 0 bits: it may have 1 to %d", pair[0]+"*"+pair[1], mostHash)
		}
	}
	return cmp.Or(r.checkCrosses(kinds), r.checkMonotone(kinds))
}

// check says what is wrong with what the recipe wants of a column.
func (c *Column) check() error {
	switch c.Kind {
	case Number, Category, Text, Time, Target, Weight, Offset, Exposure, ID, Group, Ignore, Cross, VW:
	default:
		return fmt.Errorf("unknown kind %q", c.Kind)
	}
	switch c.Scale {
	case "", ScaleStd, ScaleNone, ScaleMinMax, ScaleLog1p:
	case ScaleLog:
		if c.Kind != Target {
			return fmt.Errorf("a %s has no scale %s, which is for a target", c.Kind, ScaleLog)
		}
	default:
		return fmt.Errorf("unknown scale %q: want %s, %s, %s or %s", c.Scale, ScaleStd, ScaleNone, ScaleMinMax, ScaleLog1p)
	}
	if _, err := clockOf(c.Format); err != nil {
		return err
	}
	switch {
	case c.Format != "" && c.Kind != Time:
		return fmt.Errorf("a %s has no format of times", c.Kind)
	case c.Scale != "" && c.Scale != ScaleLog && c.Kind != Number && c.Kind != Time:
		return fmt.Errorf("a %s has no scale", c.Kind)
	case c.Bins != 0 && c.Kind != Number:
		return fmt.Errorf("a %s has no bins", c.Kind)
	case c.Spline != 0 && (c.Kind != Number || c.Bins != 0):
		return fmt.Errorf("a %s has no spline, and bins have none", c.Kind)
	case c.Monotone != "" && c.Kind != Number:
		return fmt.Errorf("a %s has no order, and cannot be monotone", c.Kind)
	case c.Monotone != "" && c.Monotone != Up && c.Monotone != Down:
		return fmt.Errorf("monotone is %q: want %s or %s", c.Monotone, Up, Down)
	case c.Spline < 0 && c.Spline != Auto || c.Spline > mostPieces:
		return fmt.Errorf("a spline of %d pieces; there may be 1 to %d", c.Spline, mostPieces)
	case c.Bins < 0 && c.Bins != Auto || c.Bins == 1:
		return fmt.Errorf("%d bins; there may be 2 or more", c.Bins)
	case c.MinCount != 0 && (c.Kind != Category && c.Kind != Cross || c.Hashed):
		return fmt.Errorf("min_count goes with a category that has a vocabulary, and with a cross")
	case c.Of != [2]string{} && c.Kind != Cross:
		return fmt.Errorf("a %s is not made of other columns", c.Kind)
	case c.MinCount < 0:
		return fmt.Errorf("min_count is %d", c.MinCount)
	case c.Hashed && c.Kind != Category && c.Kind != Text:
		return fmt.Errorf("a %s cannot be hashed", c.Kind)
	case c.Words != nil && c.Kind != Text:
		return fmt.Errorf("a %s has no words", c.Kind)
	case c.Marks != nil:
		if !c.Kind.marked() {
			return fmt.Errorf("a %s has no marks of numbers", c.Kind)
		}
		return c.Marks.check()
	}
	if w := c.Words; w != nil {
		switch {
		case w.NGrams < 0 || w.NGrams > mostNGrams:
			return fmt.Errorf("words of %d neighbours; there may be 1 to %d", w.NGrams, mostNGrams)
		case w.MinDF < 0:
			return fmt.Errorf("min_df is %d", w.MinDF)
		}
	}
	return nil
}

// mostNGrams bounds the words that count as one.
const mostNGrams = 16

// newEncoder returns the encoder of a recipe with all that was learned, which it copies.
func newEncoder(r *Recipe) (*Encoder, error) {
	if err := r.fittable(); err != nil {
		return nil, err
	}
	e := &Encoder{recipe: *r.clone(), columns: make([]column, 0, len(r.Columns))}
	e.missing = e.recipe.missing()
	place, hashes := make(map[string]int), len(r.Crosses) > 0
	width := int64(0)
	for k := range e.recipe.Columns {
		from := &e.recipe.Columns[k]
		if from.Kind == ID || from.Kind == Ignore {
			continue
		}
		if len(r.Crosses) > 0 {
			place[from.Name] = len(e.columns)
		}
		e.columns = append(e.columns, column{Column: from, in: k, number: -1, rare: -1, absent: -1})
		c := &e.columns[len(e.columns)-1]
		if err := from.checkLearned(); err != nil {
			return nil, fmt.Errorf("table: column %q: %w", from.Name, err)
		}
		hashes = hashes || c.Hashed || c.Kind == VW
		if c.Kind == Cross {
			if err := c.join(e); err != nil {
				return nil, err
			}
		}
		c.at = int(width)
		if width += c.compile(); width > sparse.MaxColumns {
			return nil, fmt.Errorf("table: the rows have more than %d columns", sparse.MaxColumns)
		}
		c.end = int(width)
	}
	for _, pair := range r.Crosses {
		e.crosses = append(e.crosses, cross{place[pair[0]], place[pair[1]]})
	}
	if err := e.pair(int(width)); err != nil {
		return nil, err
	}
	width += int64(len(e.pairs))
	e.places = int(width)
	if hashes {
		e.mask = 1<<e.recipe.Hash - 1
		width += 1 << e.recipe.Hash
	}
	if width > sparse.MaxColumns {
		return nil, fmt.Errorf("table: the rows have more than %d columns: take fewer bits of a hash", sparse.MaxColumns)
	}
	e.width = int(width)
	return e, nil
}

// checkLearned says what is wrong with what was learned of a column. Which fields are there
// depends on its kind.
func (c *Column) checkLearned() error {
	l := c.Learned
	if l == nil {
		switch c.Kind {
		case Weight, Offset, Exposure, Group, VW:
			return nil
		}
		return fmt.Errorf("nothing was learned of it: the recipe has to be fitted")
	}
	for _, v := range append([]float64{l.Shift, l.Width, l.Mean, l.Least, l.Greatest}, l.Edges...) {
		if v-v != 0 {
			return fmt.Errorf("%v was learned", v)
		}
	}
	scaled, listed := c.Kind == Number || c.Kind == Time, !c.Hashed && (c.Kind == Category || c.Kind == Text || c.Kind == Target || c.Kind == Time)
	switch {
	case l.Rows < 0 || l.Missing < 0 || l.Missing > l.Rows || l.Rare < 0 || l.Rare > l.Rows:
		return fmt.Errorf("%d rows, %d missing and %d rare values were learned", l.Rows, l.Missing, l.Rare)
	case l.Width < 0 || !scaled && (l.Width != 0 || l.Shift != 0):
		return fmt.Errorf("a width of %v was learned", l.Width)
	case len(l.Edges) > 0 && c.Bins == 0 && c.Spline == 0:
		return fmt.Errorf("%d edges of bins were learned, and it has no bins", len(l.Edges))
	case c.Spline > 0 && len(l.Edges) >= c.Spline:
		return fmt.Errorf("%d knots of %d pieces were learned", len(l.Edges), c.Spline)
	case c.Spline > 0 && len(l.Edges) > 0 && !(l.Least < l.Edges[0] && l.Edges[len(l.Edges)-1] < l.Greatest):
		return fmt.Errorf("knots from %v to %v of numbers from %v to %v were learned", l.Edges[0], l.Edges[len(l.Edges)-1], l.Least, l.Greatest)
	case c.Bins > 0 && len(l.Edges) >= c.Bins:
		return fmt.Errorf("%d edges of %d bins were learned", len(l.Edges), c.Bins)
	case c.Kind != Cross && len(l.Pairs) > 0:
		return fmt.Errorf("%d pairs were learned", len(l.Pairs))
	case !listed && len(l.Values) > 0:
		return fmt.Errorf("a vocabulary of %d values was learned", len(l.Values))
	case c.Kind == Cross && len(l.Counts) != len(l.Pairs):
		return fmt.Errorf("%d counts of %d pairs were learned", len(l.Counts), len(l.Pairs))
	case c.Kind != Cross && len(l.Counts) > 0 && len(l.Counts) != len(l.Values) || c.Kind == Text && len(l.Counts) != len(l.Values):
		return fmt.Errorf("%d counts of %d values were learned", len(l.Counts), len(l.Values))
	case l.Rare > 0 && (c.Kind != Category && c.Kind != Cross || c.Hashed):
		return fmt.Errorf("%d rare values were learned", l.Rare)
	}
	for k := 1; k < len(l.Edges); k++ {
		if l.Edges[k] <= l.Edges[k-1] {
			return fmt.Errorf("the edges of bins do not ascend: %v before %v", l.Edges[k-1], l.Edges[k])
		}
	}
	for k, v := range l.Values {
		if k > 0 && v <= l.Values[k-1] {
			return fmt.Errorf("the vocabulary does not ascend: %q before %q", l.Values[k-1], v)
		}
		if _, ok := momentPart(v); c.Kind == Time && !ok {
			return fmt.Errorf("%q is no hour, month or weekday", v)
		}
	}
	for k, n := range l.Counts {
		if n < 0 || n > l.Rows {
			what := fmt.Sprintf("pair %d", k+1)
			if c.Kind != Cross {
				what = fmt.Sprintf("%q", l.Values[k])
			}
			return fmt.Errorf("%d of %d rows have %s", n, l.Rows, what)
		}
	}
	return nil
}

// compile lays the columns out from c.at on, and returns their number.
func (c *column) compile() int64 {
	l, n := c.Learned, 0
	next := func() int {
		n++
		return c.at + n - 1
	}
	c.seed = murmur3([]byte(c.Name), 0)
	switch {
	case c.Kind == Number && c.Bins > 0:
		if n = len(l.Edges) + 1; c.stepwise() {
			n--
			c.steps = n
		}
	case c.Kind == Number && c.Spline > 0 && l.Width > 0 && l.Least < l.Greatest:
		c.spline = newSpline(l.Least, l.Greatest, l.Edges)
		if n = c.spline.bends(); c.stepwise() {
			n++
			c.steps = n
		}
	case c.Kind == Category && !c.Hashed:
		c.learn(l.Values)
		n = len(l.Values)
		if l.Rare > 0 {
			c.rare = next()
		}
	case c.Kind == Text && !c.Hashed:
		c.learn(l.Values)
		c.weigh()
		return int64(len(l.Values))
	case c.Kind == Cross:
		n = len(l.Pairs)
		if l.Rare > 0 {
			c.rare = next()
		}
	case c.Kind == Target:
		c.learn(l.Values)
		return 0
	case c.Kind == Time:
		n = c.lay()
		c.clock, _ = clockOf(c.Format)
	}
	switch {
	case c.Kind == Number && c.Bins == 0 && !c.stepwise() && l.Width > 0, c.Kind == Time && l.Width > 0:
		c.number = next()
	}
	if l != nil && l.Missing > 0 && (c.Kind == Number || c.Kind == Time || c.Kind == Category && !c.Hashed) {
		c.absent = next()
	}
	return int64(n)
}

func (c *column) learn(values []string) {
	for _, v := range values {
		c.known.add([]byte(v))
	}
}

// weigh computes the inverse document frequencies.
func (c *column) weigh() {
	if c.Words != nil && c.Words.Counts {
		return
	}
	c.idf = make([]float64, len(c.Learned.Counts))
	for k, n := range c.Learned.Counts {
		c.idf[k] = kernels.LogOf((1+float64(c.Learned.Rows))/(1+float64(n))) + 1
	}
}

// lay gives the parts of a time their columns.
func (c *column) lay() int {
	c.parts = slices.Repeat([]int{-1}, len(momentParts))
	for k, name := range c.Learned.Values {
		p, _ := momentPart(name)
		c.parts[p] = c.at + k
		c.timed[momentKind(p)] = true
	}
	return len(c.Learned.Values)
}

// momentKind is 0 for hours, 1 for months and 2 for weekdays.
func momentKind(part int) int {
	kind, _ := slices.BinarySearch([]int{24, 36}, part+1)
	return kind
}
