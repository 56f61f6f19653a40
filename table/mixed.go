package table

import "github.com/lanes-go/lanes/notes"

// noteMixed notes words that are nearly all numbers or dates, but not in one way of writing. No one
// way reads nearly all of them.
func (v *survey) noteMixed(c *Column, f *found, s *stats) {
	n := notes.Note{Kind: notes.Mixed, Column: c.Name, Of: v.rows}
	if s.seen[codes].count == 0 && !s.mostlyNumbers(f.many == nil) && v.nearlyWritten(f, s) {
		n.Then, n.WayOut = "numbers whose marks differ, kept as words", "{Ignored="+c.Name+"} leaves the column out"
		if _, most := s.best(anyReading); 2*most > s.shapes.all() {
			n.WayOut = "{Numbers=" + c.Name + "} reads those that have the same marks"
		}
		v.source.note(n, &s.seen[odd])
		return
	}
	if s.seen[codes].count == 0 && 2*f.quoted.count > s.numbers.count && s.mostlyNumbers(f.many == nil) {
		// No code has a fraction.
		if n.Then, n.WayOut = "numbers in quotes, kept as words", "{Numbers="+c.Name+"} reads the numbers"; s.shapes.of(anyReading) == s.shapes.all() {
			n.Kind = notes.Suggestion
		}
		v.source.note(n, &f.quoted)
		return
	}
	kind := s.dates.order()
	if missed := s.dates.missed(clockKind(kind)); v.nearlyTimes(f, s, clock{kind: clockKind(yearFirst)}, clock{kind: clockKind(monthFirst)}, clock{kind: clockKind(dayFirst)}) {
		n.Then, n.WayOut = "dates with the "+orderWords[kind]+" behind other numbers, kept as words", "{Times="+c.Name+"="+clockFormats[kind]+"} reads those with the "+orderWords[kind]+" first"
		v.source.note(n, &missed)
	}
}

// nearlyWritten says whether nearly all distinct values are numbers in one way of writing or another.
func (v *survey) nearlyWritten(f *found, s *stats) bool {
	var all, bad int64
	if f.many != nil {
		odd, of := s.sketch.odd(anyReading)
		return nearlyAll(int64(of), int64(odd))
	}
	for k := range f.values.len() {
		cell := v.learner.pad(f.values.key(k))
		if v.learner.none.gap(cell) {
			continue
		}
		all++
		if _, fit := writtenFits(cell); fit == 0 {
			bad++
		}
	}
	return nearlyAll(all, bad)
}
