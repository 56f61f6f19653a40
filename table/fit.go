package table

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Fit learns what a recipe needs of the rows of a source. It changes neither.
//
// A recipe that Infer made of the same source holds what Infer found, so Fit reads nothing then.
// Of a recipe that was edited, Fit reads in one pass the columns about which Infer did not find
// out enough; columns with at most 10,000 values never need it. Any other recipe takes one pass.
// Infer, Fit and Encode are two passes in the common case. A column of text whose first 10,000
// values did not look like text takes a third pass. Crosses take a pass that reads their columns alone,
// whatever their number.
//
// All sums are exact and rounded once, so that the encoder has the same bits for any number of
// workers and any order of reading. A number has the population's standard deviation. Edges of
// bins are quantiles: of up to 65,536 distinct values exact; of more values rounded up to the least
// number of leading bits that leaves at most 65,536 distinct values.
func Fit(ctx context.Context, s *Source, r *Recipe) (*Encoder, error) {
	if s == nil {
		return nil, errors.New("table: Fit needs a source")
	}
	if err := r.fittable(); err != nil {
		return nil, err
	}
	// Columns that nothing is learned of have to be there, too.
	names := make([]string, len(r.own()))
	for k := range names {
		names[k] = r.Columns[k].Name
	}
	if _, err := s.have(names); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	fitted := r.clone()
	fitted.survey, fitted.Reading = nil, s.options.reading()
	v, err := fitted.look(ctx, s, r.survey)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	used := int64(0)
	for k := range fitted.Columns {
		c := &fitted.Columns[k]
		if c.Learned, err = v.learn(c); err != nil {
			return nil, fmt.Errorf("table: %w", err)
		}
		if c.Learned == nil {
			continue
		}
		size := int64(0)
		for _, value := range c.Learned.Values {
			size += int64(len(value)) + dictionaryKey
		}
		if used += size; used > v.most {
			return nil, fmt.Errorf("table: %w", overfull(c.Name, "values", len(c.Learned.Values), size, v.most))
		}
	}
	if err := fitted.learnCrosses(ctx, s, used, v.most); err != nil {
		return nil, err
	}
	e, err := newEncoder(fitted)
	if err == nil {
		e.notes = s.Notes()
	}
	return e, err
}

// newSurvey returns a survey for a recipe that has read nothing.
func newSurvey(s *Source, r *Recipe) *survey {
	v := &survey{source: s, version: r.Version, missing: r.Missing, wordy: true, most: vocabularyBytes(0), columns: map[string]*found{}, written: map[string]*writing{}}
	for k := range r.Columns {
		c := &r.Columns[k]
		v.written[c.Name] = &writing{marks: c.Marks}
		if r.Version == 1 && s.comma && c.Kind.marked() {
			v.written[c.Name].marks = commaMarks
		}
	}
	return v
}

// take takes what another survey of the same source found.
func (v *survey) take(before *survey) {
	v.rows, v.refusers, v.refused, v.wordy = before.rows, before.refusers, before.refused, before.wordy
	v.learner = learner{workers: 1, none: before.learner.none}
	maps.Copy(v.columns, before.columns)
}

// look returns a survey that tells all that the recipe needs. before is what Infer found, or nil.
func (r *Recipe) look(ctx context.Context, s *Source, before *survey) (*survey, error) {
	v := newSurvey(s, r)
	if before != nil && before.source == s {
		v.most = before.most
		if before.serves(r) {
			v.take(before)
		}
	}
	columns, lacks := r.lacking(v)
	if !lacks && (v.rows > 0 || len(r.Columns) == 0) || len(columns) == 0 || s.format == FormatVW {
		return v, nil
	}
	for {
		if err := v.look(ctx, columns); err != nil {
			return nil, err
		}
		if err := v.empty(); err != nil {
			return nil, err
		}
		s := r.targetStats(v)
		if !v.wordy || s == nil {
			return v, nil
		}
		// Rows with a word for a missing number were taken for rows with a label.
		if v.wordy = false; s.gaps == 0 {
			return v, nil
		}
		clear(v.columns)
		columns, _ = r.lacking(v)
	}
}

// lacking returns the columns that a survey has yet to read, with the columns that can refuse rows. It
// says whether a survey has to read any.
func (r *Recipe) lacking(v *survey) (columns []wanted, lacks bool) {
	sum := &budget{most: v.most}
	var refusing []wanted
	for k := range r.Columns {
		c := &r.Columns[k]
		n := c.need(v)
		if n != nil {
			for _, words := range []*vocabulary{n.words, n.values} {
				if words != nil {
					words.budget = sum
				}
			}
			if f := v.columns[c.Name]; f == nil || !v.tells(f, n) {
				columns = append(columns, wanted{name: c.Name, kind: c.refuser(), need: n})
				continue
			}
		}
		if refuses(c.Kind) {
			refusing = append(refusing, wanted{name: c.Name, kind: c.refuser()})
		}
	}
	return append(columns, refusing...), len(columns) > 0
}

// target returns the name of the target, "" for none.
func (r *Recipe) target() string {
	for _, c := range r.Columns {
		if c.Kind == Target {
			return c.Name
		}
	}
	return ""
}

// targetStats returns the stats of the target of numbers, nil where the target is words or unknown.
func (r *Recipe) targetStats(v *survey) *stats {
	f := v.columns[r.target()]
	if f == nil {
		return nil
	}
	if s := v.stats(f, &need{kind: Target, marks: v.marksOf(r.target())}); s != nil && !s.wordy() {
		return s
	}
	return nil
}

// wordy says whether the values of a target are words.
func (s *stats) wordy() bool {
	return s.seen[odd].count+s.seen[infinite].count+s.seen[codes].count > 0 || s.numbers.count == 0
}

// need returns what Fit has to find out of a column, nil for nothing.
func (c *Column) need(v *survey) *need {
	n := &need{kind: c.Kind, logs: c.Scale == ScaleLog1p, bins: c.Bins != 0 || c.Spline != 0, ngrams: c.ngrams(), marks: v.marksOf(c.Name)}
	switch c.Kind {
	case Time:
		clock, _ := clockOf(c.Format)
		n.clock = &clock
	case Number, Target:
	case Category:
		if !c.Hashed {
			n.values = &vocabulary{column: c.Name, noun: "values"}
		}
	case Text:
		if !c.Hashed {
			n.words = &vocabulary{column: c.Name, noun: "words"}
		}
	default:
		return nil
	}
	return n
}

// tells says whether what was found of a column is all that n asks for.
func (v *survey) tells(f *found, n *need) bool {
	if f.many == nil || (n.kind == Text && n.words == nil) {
		return true
	}
	s := v.stats(f, n)
	return s != nil && !(n.kind == Text && s.words.into.given.Load()) && !(n.values != nil && s.values.into.given.Load())
}

// serves says whether a survey holds the rows that the recipe takes.
func (v *survey) serves(r *Recipe) bool {
	if v.version != r.Version || !slices.Equal(v.missing, r.Missing) {
		return false
	}
	places := make(map[string]int, len(v.refusers))
	lost := int64(0) // rows refused by columns that no longer refuse as they did
	for k, old := range v.refusers {
		places[old.name] = k
		lost += v.refused[k]
	}
	for _, c := range r.Columns {
		k, before := places[c.Name]
		if before && v.refusers[k].kind == c.refuser() && sameMarks(v.refusers[k].marks, c.Marks) {
			lost -= v.refused[k]
		} else if refuses(c.Kind) && !v.harmless(c) {
			return false
		}
	}
	return lost == 0
}

// harmless says whether a target, weight or offset would refuse none of the rows.
func (v *survey) harmless(c Column) bool {
	f := v.columns[c.Name]
	if f == nil {
		return false
	}
	s := v.stats(f, &need{kind: c.Kind, marks: c.Marks})
	switch {
	case s == nil || f.missing+s.gaps > 0:
		return false
	case c.Kind == Target:
		return c.Scale != ScaleLog || s.numbers.count > 0 && s.numbers.least > 0
	}
	return s.numbers.count == s.count && (c.Kind != Weight || s.numbers.least >= 0)
}

// learn returns what there is to learn of a column, nil for nothing.
func (v *survey) learn(c *Column) (*Learned, error) {
	n := c.need(v)
	if n == nil {
		return nil, nil
	}
	f := v.columns[c.Name]
	l := &Learned{Rows: v.rows, Missing: f.missing}
	switch c.Kind {
	case Number, Time, Target:
		return l, v.measure(c, f, n, l)
	case Category:
		if c.Hashed {
			return l, nil
		}
		keys, counts := f.held()
		if f.many != nil {
			keys, counts = &f.many.values.into.keys, f.many.values.into.counts
		}
		l.Values, l.Counts = v.categories(keys, counts, int64(c.MinCount))
		l.Rare = v.rows - f.missing
		for _, n := range l.Counts {
			l.Rare -= n
		}
	case Text:
		if c.Hashed {
			return l, nil
		}
		words := v.words(c, false)
		if words.err != nil {
			return nil, words.err
		}
		least := 1
		if c.Words != nil {
			least = c.Words.MinDF
		}
		l.Values, l.Counts = sortedKeys(&words.keys, words.counts, int64(least))
	}
	return l, nil
}

// measure learns a number, a time or a target.
func (v *survey) measure(c *Column, f *found, n *need, l *Learned) error {
	s := v.stats(f, n)
	if c.Kind == Target && s.wordy() {
		if c.Scale == ScaleLog {
			return fmt.Errorf("column %q: the target has cells that are no numbers, as %s, and so no logarithm: name the column alone, or say that such cells mean a missing value", c.Name, quoted([]byte(s.seen[odd].text)))
		}
		if f.many != nil {
			return v.tooManyLabels(c, s)
		}
		values, counts := f.held()
		l.Values, l.Counts = v.categories(values, counts, 0)
		return nil
	}
	values := &s.numbers
	switch c.Kind {
	case Time:
		d := &s.dates.by[n.clock.kind]
		values = &d.seconds
		l.Missing += s.gaps + s.dates.missed(n.clock.kind).count
		l.Values, l.Counts = seenParts(d.parts)
	case Number:
		if err := v.mostlyOdd(c, f, s); err != nil {
			return err
		}
		l.Missing += s.lost()
		v.sayCells(c, s)
	}
	l.Least, l.Greatest = values.least, values.greatest
	if width := l.Greatest - l.Least; width-width != 0 {
		return fmt.Errorf("column %q: the numbers from %v to %v are too far apart for a float64: ignore the column, or name it as a category", c.Name, l.Least, l.Greatest)
	}
	mean, deviation := values.moments()
	if c.Scale == ScaleLog1p {
		mean, deviation = s.logs.moments()
	}
	l.Mean = mean
	if c.Kind == Target {
		return nil
	}
	if c.Bins > 0 {
		l.Edges = s.quantiles.edges(c.Bins, l.Greatest)
		return nil
	}
	if c.Spline > 0 {
		// A knot at the least number would end no piece.
		l.Edges = s.quantiles.edges(c.Spline, l.Greatest)
		l.Edges = slices.DeleteFunc(l.Edges, func(edge float64) bool { return edge <= l.Least })
	}
	switch {
	case l.Least == l.Greatest:
		l.Shift = mean
	case c.Scale == ScaleNone:
		l.Width = 1
	case c.Scale == ScaleMinMax:
		l.Shift, l.Width = l.Least, l.Greatest-l.Least
	default:
		l.Shift, l.Width = mean, deviation
	}
	return nil
}

// tooManyLabels is the error of a target with too many words.
func (v *survey) tooManyLabels(c *Column, s *stats) error {
	o := &s.seen[odd]
	if o.count == 0 {
		o = &s.seen[codes]
	}
	return fmt.Errorf("column %q: the target has more than 10,000 values, and %s in %s is not a number: a target is numbers, or up to 10,000 words",
		c.Name, quoted([]byte(o.text)), v.source.where(o.place))
}

// mostlyOdd is the error of a column that is a number in the recipe, and half of whose values are no
// numbers.
func (v *survey) mostlyOdd(c *Column, f *found, s *stats) error {
	bad, all := s.distinct[noNumber], s.distinct[aNumber]+s.distinct[anInfinity]+s.distinct[noNumber]
	if f.many != nil {
		if bad, all = s.sketch.odd(1 << plainReading); !s.manyOdds() {
			return nil
		}
	}
	if bad == 0 || 2*bad < all {
		return nil
	}
	return fmt.Errorf("column %q: half of the values or more are not numbers, as %s in %s: name it as a category or as text, or ignore it",
		c.Name, quoted([]byte(s.seen[odd].text)), v.source.where(s.seen[odd].place))
}

// lost is the number of cells that are missing only because the column is one of numbers. Cells
// that are missing in columns of all kinds do not count.
func (s *stats) lost() int64 { return s.gaps + s.seen[infinite].count + s.seen[odd].count }

// seenParts lists the hours, months and weekdays that were seen, and how often. A kind of them
// with one part seen is left out.
func seenParts(parts []int64) (names []string, counts []int64) {
	for kind := range 3 {
		seen := 0
		for part, n := range parts {
			if n > 0 && momentKind(part) == kind {
				seen++
			}
		}
		for part, n := range parts {
			if n > 0 && momentKind(part) == kind && seen > 1 {
				names, counts = append(names, momentParts[part]), append(counts, n)
			}
		}
	}
	return names, counts
}

// categories returns what sortedKeys does of values of a category or target, of which some are one
// category.
func (v *survey) categories(values *dictionary, counts []int64, least int64) ([]string, []int64) {
	var keys dictionary
	var sums []int64
	for k, n := range counts {
		i := keys.add(v.learner.none.category(values.key(k)))
		if i == len(sums) {
			sums = append(sums, 0)
		}
		sums[i] += n
	}
	return sortedKeys(&keys, sums, least)
}

// sortedKeys returns the keys that occur at least least times in the order of bytes, and their
// counts.
func sortedKeys(keys *dictionary, counts []int64, least int64) (names []string, frequent []int64) {
	text := string(keys.text)
	for _, k := range keys.sorted() {
		if counts[k] >= least {
			end := keys.ends[k]
			names, frequent = append(names, text[end-len(keys.key(k)):end]), append(frequent, counts[k])
		}
	}
	return names, frequent
}
