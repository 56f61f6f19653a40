package table

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/notes"
)

// writing is what a survey found out of how the numbers of a column are written.
type writing struct {
	evidence markEvidence
	marks    *Marks
	which    int  // of readings
	doubt    bool // another reading fits as well
}

// find reads the columns of a recipe. It finds out how numbers are written, and reads columns again
// where that changes what the first pass took: columns of many values, or all if rows may be refused.
func (v *survey) find(ctx context.Context, r *Recipe, w *Wanted, asked askedMarks) error {
	v.open, v.wordy, v.written = true, true, map[string]*writing{}
	for k := range r.Columns {
		if c := &r.Columns[k]; c.Kind == Time && v.source.comma {
			v.written[c.Name] = &writing{marks: commaMarks}
		}
	}
	if err := v.look(ctx, v.needs(r, w)); err != nil || v.rows == 0 {
		return err
	}
	v.open = false
	all := v.findMarks(r, &asked)
	columns := v.needs(r, w)
	if !all {
		columns = slices.DeleteFunc(columns, func(c wanted) bool { return v.columns[c.name].many == nil || v.marksOf(c.name) == nil })
		if len(columns) == 0 {
			return nil
		}
		columns = v.withRefusers(columns)
	}
	return v.look(ctx, columns)
}

// marksOf returns the marks of a column that were found, nil for plain decimals.
func (v *survey) marksOf(column string) *Marks {
	if w := v.written[column]; w != nil {
		return w.marks
	}
	return nil
}

// findMarks finds out how the numbers of each column are written, and whether the target is words.
// It says whether all columns have to be read again, as rows are to be refused.
func (v *survey) findMarks(r *Recipe, asked *askedMarks) (all bool) {
	votes := 0 // for decimal points, less the votes for commas
	for k := range r.Columns {
		if f := v.columns[r.Columns[k].Name]; f != nil && f.need.kind.numeric() {
			switch v.numbers(f).mark(f.readings(asked, r.Columns[k].Name)) {
			case '.':
				votes++
			case ',':
				votes--
			}
		}
	}
	mark := [3]byte{',', 0, '.'}[1+min(max(votes, -1), 1)]
	for k := range r.Columns {
		c := &r.Columns[k]
		f := v.columns[c.Name]
		if f == nil || !f.need.kind.numeric() {
			continue
		}
		s := v.numbers(f)
		u := &writing{evidence: s.markEvidence}
		v.written[c.Name] = u
		u.which, u.doubt = s.reading(f.readings(asked, c.Name), mark, v.source.separator)
		if u.which != plainReading || s.decorated > 0 {
			m := readings[u.which].marks()
			m.Units = s.unitNames()
			u.marks = &m
		}
		switch {
		case u.marks == nil:
		case f.many == nil:
			f.need.marks, f.numbers = u.marks, nil
			if c.Kind == "" && !v.numbers(f).mostlyNumbers(true) {
				u.marks, u.doubt, f.need.marks, f.numbers = nil, false, nil, nil
			}
		case c.Kind == "" && !s.sketch.mostly(u.which):
			u.marks, u.doubt = nil, false
		}
		switch fitting, total := s.fitting(u.which), s.shapes.all(); c.Kind {
		case Target:
			v.wordy = fitting < total || total == 0 || s.seen[codes].count > 0
			all = all || !v.wordy && s.gaps > 0
		case Weight, Offset, Exposure:
			all = all || fitting < total || u.marks != nil
		}
	}
	return all
}

// readings are the readings of a column that the marks which were asked for allow. Values that are no
// text have a decimal point and no thousands.
func (f *found) readings(asked *askedMarks, column string) fits {
	if f.plain {
		return pointReadings
	}
	return asked.readings(column)
}

// numbers returns the stats of a column whose values are read as numbers, by the marks of its need.
func (v *survey) numbers(f *found) *stats {
	if f.many != nil {
		return f.many
	}
	if f.numbers != nil {
		return f.numbers
	}
	s := v.learner.stats(&f.tally, &need{marks: f.need.marks, open: true})
	if f.values.len() > cheapValues {
		f.numbers = s
	}
	return s
}

// cheapValues is the number of values up to which stats are made anew each time: they take some
// kilobytes a column, and a table may have millions of columns.
const cheapValues = 64

// mostly says whether at least 95 % of the values of a full sketch fit a reading. Missing values do
// not count.
func (s *sketch) mostly(which int) bool {
	bad, all := s.odd(1 << which)
	return 20*bad <= all
}

// odd returns how many values in the sketch fit none of these readings, of how many that are not
// missing.
func (s *sketch) odd(of fits) (bad, all int) {
	for _, v := range s.values {
		if v.fit != isGap {
			all++
			if v.fit&(of|isInfinite) == 0 {
				bad++
			}
		}
	}
	return bad, all
}

// mostlyNumbers says whether nearly all distinct values are numbers: at least 95 %, or all but 20
// and more than half. few says that the stats are of a tally of few values. Of more than mostOdds
// values that are no numbers, the sketch decides.
func (s *stats) mostlyNumbers(few bool) bool {
	switch {
	case s.numbers.count == 0:
		return false
	case few:
		return nearlyAll(int64(s.distinct[aNumber]+s.distinct[anInfinity]+s.distinct[noNumber]), int64(s.distinct[noNumber]))
	}
	return !s.manyOdds() || s.sketch.mostly(plainReading)
}

// sayCells notes the cells of a column of numbers that are missing for a model.
func (v *survey) sayCells(c *Column, s *stats) {
	v.source.sayCell(notes.NotNumber, c.Name, &s.seen[odd], v.rows, "{Categories="+c.Name+"} keeps them as words")
	v.source.sayCell(notes.Infinite, c.Name, &s.seen[infinite], v.rows, "{Categories="+c.Name+"} keeps them as words")
}

// sayCell notes cells that are missing for a model, where there are any.
func (s *Source) sayCell(kind notes.Kind, column string, e *example, rows int64, wayOut string) {
	if e.count > 0 {
		s.note(notes.Note{Kind: kind, Column: column, Of: rows, Then: "missing", WayOut: wayOut}, e)
	}
}

// sayMarks notes how the numbers of a column are written.
func (v *survey) sayMarks(c *Column, s *stats) {
	u := v.written[c.Name]
	if u == nil {
		return
	}
	e := &u.evidence
	if u.doubt {
		taken, other := readings[u.which], readings[plainReading]
		way := "{Thousands=" + c.Name + "=.}"
		switch u.which {
		case plainReading:
			other = readings[pointThousands]
		case commaReading:
			other, way = readings[commaThousands], "{Thousands="+c.Name+"=,}"
		case commaThousands:
			other, way = readings[commaReading], "{Decimal="+c.Name+"=,}"
		case pointThousands:
			way = "{Decimal=" + c.Name + "=.}"
		}
		v.source.note(notes.Note{Kind: notes.Marks, Column: c.Name, Of: v.rows,
			Then: fmt.Sprintf("read as %v, not as %v", valueIn(e.doubtful.text, taken), valueIn(e.doubtful.text, other)), WayOut: way + " reads them the other way"}, &e.doubtful)
	}
	if c.Marks == nil || s.seen[converted].count == 0 {
		return
	}
	first := &s.seen[converted]
	value := valueIn(first.text, c.Marks.reading())
	v.source.note(notes.Note{Kind: notes.Converted, Column: c.Name, Of: v.rows, Then: fmt.Sprintf("read as %v%s", value, c.Marks.said())}, first)
	if mixed := c.Marks.mixed(e); mixed != "" {
		v.source.note(notes.Note{Kind: notes.Marks, Column: c.Name, Of: v.rows, Then: mixed, WayOut: "{Categories=" + c.Name + "} keeps them as words"}, first)
	}
}

// valueIn returns the number that text is in a reading.
func valueIn(text string, r reading) float64 {
	var w writtenNumber
	if w.take([]byte(text)); !r.fits(w.text()) {
		return 0
	}
	v, _ := w.value(r)
	return v
}

// said names the marks for a reader.
func (m *Marks) said() string {
	var parts []string
	if m.Decimal != "" {
		parts = append(parts, "a decimal comma")
	}
	if m.Thousands != "" {
		parts = append(parts, fmt.Sprintf("%q between thousands", m.Thousands))
	}
	if len(m.Units) > 0 {
		parts = append(parts, "without "+strings.Join(m.Units, ", "))
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// mixed says that cells with different units are read alike, "" if all have one unit.
func (m *Marks) mixed(e *markEvidence) string {
	percent := slices.Contains(m.Units, "%")
	switch {
	case len(m.Units) > 1:
		return "units are left out, whichever they are: " + strings.Join(m.Units, ", ")
	case percent && e.units["%"] < e.shapes.all()-e.shapes.of(0):
		return "some cells have %, others do not: 57% is read as 57"
	}
	return ""
}
