package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/sparse"
)

// Encoder makes rows of tables by a recipe and by what Fit learned. It never changes, and
// serves any number of goroutines. Its JSON is the recipe with all that was learned.
type Encoder struct {
	recipe  Recipe
	columns []column // of the recipe, without IDs and columns that are left out
	crosses []cross
	pairs   []pair // the columns before places
	missing missing
	places  int    // first of the columns that hashed values share
	mask    uint32 // 2^Hash - 1
	width   int
	notes   []notes.Note // of the table that Fit read
}

// Rows are encoded rows of a block. They serve any number of goroutines that read.
type Rows struct {
	*sparse.Data
	// Missing and Unseen have a count for each column of the recipe. Missing counts the cells of
	// the block without a value, Unseen the cells whose value Fit did not see. Unseen are categories
	// and hours, weekdays or months without a column of their own. Texts are unseen if they have
	// words, but no word of the vocabulary.
	Missing, Unseen []int64
	// Order has the number or the time of each row that BlockOptions.Order names, NaN for a cell
	// without one; nil where none is named.
	Order []float64
	// Skipped counts the malformed rows of the block.
	Skipped int

	kept  []string
	width int
}

// Kept returns the cells of row i that BlockOptions.Keep names, nil where there is no row i.
func (r *Rows) Kept(i int) []string {
	if r.width == 0 || i < 0 || i >= len(r.kept)/r.width {
		return nil
	}
	return r.kept[i*r.width : (i+1)*r.width : (i+1)*r.width]
}

// ReadEncoder reads the JSON of an Encoder. What no encoder can be is an error that names the
// column. It takes a small multiple of the memory of the text.
func ReadEncoder(text []byte) (*Encoder, error) {
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	var r Recipe
	if err := in.Decode(&r); err != nil {
		return nil, fmt.Errorf("table: the encoder cannot be read: %w", err)
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("table: the encoder cannot be read: more text follows its JSON")
	}
	return newEncoder(&r)
}

// UnmarshalJSON reads what ReadEncoder reads into e, which nobody uses yet.
func (e *Encoder) UnmarshalJSON(text []byte) error {
	read, err := ReadEncoder(text)
	if err == nil {
		*e = *read
	}
	return err
}

// MarshalJSON returns the recipe with what was learned, which ReadEncoder reads.
func (e *Encoder) MarshalJSON() ([]byte, error) {
	var text bytes.Buffer
	out := json.NewEncoder(&text)
	out.SetEscapeHTML(false)
	if err := out.Encode(&e.recipe); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

// ByColumn returns the counts above 0 by the names of their columns. counts, as Missing and Unseen of
// Rows, has an element for each column of the recipe; missing elements count as 0, and further
// elements are ignored. It is not kept.
func (e *Encoder) ByColumn(counts []int64) map[string]int64 {
	named := map[string]int64{}
	for k, c := range e.recipe.Columns[:min(len(counts), len(e.recipe.Columns))] {
		if counts[k] > 0 {
			named[c.Name] = counts[k]
		}
	}
	return named
}

// SeenNotes returns the notes of missing values, and of values that the training did not have, by
// the counts of rows that were scored: Missing and Unseen of Rows. The target does not count.
func (e *Encoder) SeenNotes(missing, unseen []int64) (list []notes.Note) {
	for k, c := range e.recipe.Columns {
		if k < len(unseen) && unseen[k] > 0 {
			list = append(list, notes.Note{Kind: notes.Unseen, Column: c.Name, Count: unseen[k]})
		}
		if k < len(missing) && missing[k] > 0 && c.Kind != Target {
			list = append(list, notes.Note{Kind: notes.Missing, Column: c.Name, Count: missing[k]})
		}
	}
	return list
}

// Recipe returns a copy of the recipe, with what was learned.
func (e *Encoder) Recipe() *Recipe { return e.recipe.clone() }

func (r *Recipe) clone() *Recipe {
	c := *r
	c.Columns, c.Crosses, c.Missing = slices.Clone(r.Columns), slices.Clone(r.Crosses), slices.Clone(r.Missing)
	c.Pairs = slices.Clone(r.Pairs)
	if r.Reading != nil {
		reading := *r.Reading
		c.Reading = &reading
	}
	for k := range c.Columns {
		column := &c.Columns[k]
		if column.Words != nil {
			words := *column.Words
			column.Words = &words
		}
		if column.Learned != nil {
			learned := *column.Learned
			learned.Edges, learned.Values, learned.Counts = slices.Clone(learned.Edges), slices.Clone(learned.Values), slices.Clone(learned.Counts)
			learned.Pairs = slices.Clone(learned.Pairs)
			column.Learned = &learned
		}
	}
	return &c
}

// Width is the number of columns of encoded rows.
func (e *Encoder) Width() int { return e.width }

// Name is the name of a column of encoded rows, "" where there is no such column:
//
//   - column for a number or the seconds of a time.
//   - column=value for a value of a category, column=(rare) for values that are pooled, and
//     column= for a missing value.
//   - column.hour=09, column.month=11 and column.weekday=Mon for the parts of a time.
//   - column=18..25 for a bin. Its upper end belongs to it.
//   - column.bend1 and so on for the bends of a spline.
//   - column>25 for a bin's step of a monotone number, above 25; column.step1 and so on for a spline's.
//   - column~word for a word.
//   - column=value*column=value for a pair of values, and column*column=(rare) for pairs of a cross that
//     are pooled.
//   - column#place for a place of a hash, or #place where several columns are hashed.
func (e *Encoder) Name(column int) string {
	if column < 0 || column >= e.width {
		return ""
	}
	if column >= e.places {
		return e.hashedName() + "#" + strconv.Itoa(column-e.places)
	}
	if k := column - (e.places - len(e.pairs)); k >= 0 {
		return pairName(e.recipe.Pairs[k])
	}
	k := sort.Search(len(e.columns), func(k int) bool { return e.columns[k].end > column })
	return e.columns[k].nameOf(column)
}

// Unit returns how an encoded column was scaled, as (x - shift)/width of the number of the table, or of
// log1p of it; 0, 1 and false for columns that are no scaled numbers.
func (e *Encoder) Unit(column int) (shift, width float64, log1p bool) {
	for i := range e.columns {
		if c := &e.columns[i]; column >= c.at && column < c.end && column == c.number {
			return c.Learned.Shift, c.Learned.Width, c.Scale == ScaleLog1p
		}
	}
	return 0, 1, false
}

// Column is the name of the column of the table, or of the cross, that became a column of encoded rows; ""
// for places of hashes, pairs of named values and columns that do not exist.
func (e *Encoder) Column(column int) string {
	for i := range e.columns {
		if c := &e.columns[i]; column >= c.at && column < c.end {
			return c.Name
		}
	}
	return ""
}

// Value is what a column of encoded rows says of the column of the table: the value of a category, the
// part of a time, the ends of a bin, the bend or the word, as Name has them, and the whole name for a pair
// of a cross. It is "" for numbers, missing values, pairs of named values, places of hashes and columns that
// do not exist.
func (e *Encoder) Value(column int) string {
	name, is := strings.CutPrefix(e.Name(column), e.Column(column))
	if name == "" || e.Column(column) == "" {
		return ""
	}
	if !is {
		return name
	}
	return name[1:] // behind =, . or ~
}

// Span returns the first column of encoded rows that belongs to column k of the recipe, and the
// first one behind. They are equal where nothing but the places of a hash belongs to it, or nothing.
func (e *Encoder) Span(k int) (first, end int) {
	for i := range e.columns {
		if c := &e.columns[i]; c.in == k {
			return c.at, c.end
		}
	}
	return 0, 0
}

// Groups returns the columns of encoded rows that a column of the table became, for each one that
// became several of one kind: a Category, a Number in bins, the parts of a Time, and a Cross. Words,
// hashed values and other numbers are in no group.
func (e *Encoder) Groups() (groups [][]int) {
	for i := range e.columns {
		c := &e.columns[i]
		if c.end-c.at < 2 || c.Kind != Category && c.Kind != Time && c.Kind != Cross && c.Bins == 0 {
			continue
		}
		group := make([]int, 0, c.end-c.at)
		for j := c.at; j < c.end; j++ {
			group = append(group, j)
		}
		groups = append(groups, group)
	}
	return groups
}

// Places returns the first of the columns that all hashed values share, which are the last columns;
// Width where nothing is hashed.
func (e *Encoder) Places() int { return e.places }

// hashedName returns the name of the one column that is hashed, or "".
func (e *Encoder) hashedName() string {
	name := ""
	for k := range e.columns {
		if c := &e.columns[k]; c.Hashed || c.Kind == VW {
			if name != "" {
				return ""
			}
			name = c.Name
		}
	}
	switch {
	case len(e.crosses) == 0:
		return name
	case name == "" && len(e.crosses) == 1:
		return e.recipe.Crosses[0][0] + "*" + e.recipe.Crosses[0][1]
	}
	return ""
}

func (c *column) nameOf(column int) string {
	l, k := c.Learned, column-c.at
	switch {
	case column == c.absent:
		return c.Name + "="
	case column == c.rare:
		return c.Name + "=(rare)"
	case column == c.number:
		return c.Name
	case c.Kind == Text:
		return c.Name + "~" + l.Values[k]
	case k < c.steps:
		return c.nameOfStep(k)
	case c.Bins > 0:
		name := c.Name + "="
		if k > 0 {
			name += strconv.FormatFloat(l.Edges[k-1], 'g', -1, 64)
		}
		name += ".."
		if k < len(l.Edges) {
			name += strconv.FormatFloat(l.Edges[k], 'g', -1, 64)
		}
		return name
	case c.spline != nil:
		return c.Name + ".bend" + strconv.Itoa(k+1)
	case c.Kind == Time:
		return c.Name + "." + l.Values[k]
	case c.Kind == Cross:
		return c.nameOfPair(k)
	}
	return c.Name + "=" + l.Values[k]
}
