package table

import (
	"fmt"
	"slices"

	"github.com/lanes-go/lanes/notes"
)

// dates are what is known of the values of a column as times, by each clock that read them.
type dates struct {
	by [clockKinds]dated
	// loose are the values whose order of numbers the column decides, short those with a year of two
	// digits; points counts the loose ones whose numbers are separated by points.
	loose, short example
	points       int64
	// ordered counts the values that are times by some order.
	ordered int64
	// numbers are values that no order was tried for.
	numbers example
}

// dated are times by one clock.
type dated struct {
	count   int64
	seconds sums
	parts   []int64 // of momentParts; nil without a time
	odd     example // values that are no times
}

// example counts values, and keeps the first of them with its place. A place below 0 is ^row of a
// row in the present block.
type example struct {
	count int64
	text  string
	place int64
}

// add takes a value that occurs n times, first at place.
func (e *example) add(cell []byte, n, place int64) {
	if e.count += n; e.count == n || place >= 0 && place < e.place {
		e.keep(cell, place)
	}
}

func (e *example) keep(cell []byte, place int64) {
	e.text, e.place = string(cell[:min(len(cell), 64)]), place
}

func (e *example) merge(other *example) {
	if other.count > 0 && (e.count == 0 || other.place < e.place) {
		e.text, e.place = other.text, other.place
	}
	e.count += other.count
}

func (e *example) unsettled() bool { return e.count > 0 && e.place < 0 }

func (e *example) settle(place func(row int64) int64) {
	if e.unsettled() {
		e.place = place(^e.place)
	}
}

// add takes a value that occurs n times, first at place, by all orders of numbers.
func (d *dates) add(cell []byte, n, place int64) {
	iso, is := timeOf(cell)
	w, sound := written{}, false
	if !is {
		w, sound = writtenDate(cell)
	}
	if sound && !w.fixed {
		d.loose.add(cell, n, place)
		if w.point {
			d.points += n
		}
	}
	if sound && w.short {
		d.short.add(cell, n, place)
	}
	times := false
	for k := range orders {
		m, ok := iso, is
		if sound {
			m, ok = w.in(order(k))
		}
		d.take(clockKind(k), m, ok, cell, n, place)
		times = times || ok
	}
	if times {
		d.ordered += n
	}
}

// take takes what a clock reads of a value.
func (d *dates) take(kind clockKind, m moment, ok bool, cell []byte, n, place int64) {
	by := &d.by[kind]
	if !ok {
		by.odd.add(cell, n, place)
		return
	}
	by.count += n
	by.seconds.add(m.seconds, n)
	if by.parts == nil {
		by.parts = make([]int64, len(momentParts))
	}
	for _, part := range m.parts {
		by.parts[part] += n
	}
}

// missed are the values that are no times by a clock.
func (d *dates) missed(kind clockKind) example {
	odd := d.by[kind].odd
	if kind < clockKind(orders) {
		odd.merge(&d.numbers)
	}
	return odd
}

// times says whether a survey with this need also tells the times of the column by the clock c. A
// nil c stands for all clocks without a format.
func (w *need) times(c *clock) bool {
	switch {
	case w.clock != nil:
		return c != nil && *w.clock == *c
	case c == nil:
		return w.kind == Time
	case w.kind == Time:
		return c.kind < byFormat
	}
	return w.kind == "" && c.kind < clockKind(orders)
}

// most is the greatest number of values that are times by one order of numbers.
func (d *dates) most() (most int64) {
	for k := range orders {
		most = max(most, d.by[k].count)
	}
	return most
}

func (d *dates) each(use func(*example)) {
	use(&d.loose)
	use(&d.short)
	use(&d.numbers)
	for k := range d.by {
		use(&d.by[k].odd)
	}
}

func (d *dates) merge(other *dates) {
	d.loose.merge(&other.loose)
	d.short.merge(&other.short)
	d.numbers.merge(&other.numbers)
	d.points += other.points
	d.ordered += other.ordered
	for k := range d.by {
		by, more := &d.by[k], &other.by[k]
		by.count += more.count
		by.seconds.merge(&more.seconds)
		by.odd.merge(&more.odd)
		if by.parts == nil {
			by.parts, more.parts = more.parts, nil
		}
		for i, n := range more.parts {
			by.parts[i] += n
		}
	}
}

// order returns the order of numbers that reads most values. Of two that read as many, a point
// between numbers speaks for the day in front, other marks for the month.
func (d *dates) order() order {
	if d.loose.count == 0 {
		return yearFirst
	}
	best := monthFirst
	if 2*d.points > d.loose.count {
		best = dayFirst
	}
	for k := range orders {
		if d.by[k].count > d.by[best].count {
			best = order(k)
		}
	}
	return best
}

// choose returns what reads the values of a column that is named as a Time.
func (d *dates) choose(count int64) clockKind {
	best := clockKind(d.order())
	switch {
	case d.by[compactDate].count == count:
		return compactDate
	case d.by[unixTime].count > d.by[best].count:
		return unixTime
	}
	return best
}

// nearlyAll says whether values with some odd ones among them decide what a column is: distinct
// values, where they are known.
func nearlyAll(values, odd int64) bool {
	return 20*odd <= values || odd <= 20 && 2*odd < values
}

// asTimes sets the format of a column if nearly all of its values are dates, and returns whether
// they are. It notes what is missing or can be read in two ways.
func (v *survey) asTimes(c *Column, f *found, s *stats) bool {
	kind := s.dates.order()
	if s.dates.by[kind].count == 0 || !v.nearlyTimes(f, s, clock{kind: clockKind(kind)}) {
		return false
	}
	c.Format = clockFormats[kind]
	v.noteTimes(c, s, clockKind(kind))
	return true
}

// namedTimes finds the format of a column that is named as a Time, if it has none. Values that are
// no times are missing; an error says that too many are: more than half by a format that is given.
func (v *survey) namedTimes(c *Column, f *found) error {
	n, given := &need{kind: Time, marks: f.need.marks}, c.Format != ""
	if given {
		clock, _ := clockOf(c.Format)
		n.clock = &clock
	}
	s := v.stats(f, n)
	if n.clock == nil {
		kind := s.dates.choose(s.count)
		n.clock = &clock{kind: kind}
		c.Format = clockFormats[kind]
	}
	kind := n.clock.kind
	if odd := s.dates.missed(kind); !v.nearlyTimes(f, s, *n.clock) && (!given || 2*odd.count > s.count-s.gaps) {
		return fmt.Errorf("column %q: %s of %s values are no times that can be read, as %s in %s: say how they are written by --times %s=FORMAT (Wanted.Times), as in %s=%%d/%%m/%%Y; see 'lanes help tables'",
			c.Name, notes.Grouped(odd.count), notes.Grouped(s.count-s.gaps), quoted([]byte(odd.text)), v.source.where(odd.place), c.Name, c.Name)
	}
	v.noteTimes(c, s, kind)
	return nil
}

// nearlyTimes says whether nearly all values are times, each by one of some clocks: one, or all orders.
func (v *survey) nearlyTimes(f *found, s *stats, by ...clock) bool {
	switch {
	case f.many != nil && len(by) > 1:
		return nearlyAll(s.count-s.gaps, s.count-s.gaps-s.dates.ordered)
	case f.many != nil:
		return nearlyAll(s.count-s.gaps, s.dates.missed(by[0].kind).count)
	}
	odd := int64(0)
	all := int64(f.values.len())
	for k := range f.values.len() {
		cell := v.learner.pad(f.values.key(k))
		if slices.ContainsFunc(by, func(c clock) bool { _, ok := c.read(cell, f.need.marks.comma()); return ok }) {
			continue
		}
		if v.learner.none.gap(cell) {
			all--
		} else {
			odd++
		}
	}
	return nearlyAll(all, odd)
}

// noteTimes notes what of a Time is missing, and what can be read in another way.
func (v *survey) noteTimes(c *Column, s *stats, kind clockKind) {
	note := func(n notes.Note, e *example) {
		n.Column = c.Name
		v.source.note(n, e)
	}
	d := &s.dates
	if odd := d.missed(kind); odd.count > 0 {
		note(notes.Note{Kind: notes.NotTime, Of: s.count, Then: "missing", WayOut: "{Categories=" + c.Name + "} keeps them as words"}, &odd)
	}
	if kind >= clockKind(orders) {
		return
	}
	if d.short.count > 0 {
		note(notes.Note{Kind: notes.Converted, Then: "years of two digits are from 1969 to 2068"}, &d.short)
	}
	if d.loose.count == 0 { // a format that is given decides
		return
	}
	for other := orders - 1; other >= 0; other-- {
		if k := clockKind(other); k != kind && d.by[k].count == d.by[kind].count {
			note(notes.Note{Kind: notes.DayMonth, Of: s.count, Then: "the " + orderWords[kind] + " is taken to come first",
				WayOut: fmt.Sprintf("{Times=%s=%s} takes the %s first", c.Name, clockFormats[k], orderWords[k])}, &d.loose)
			return
		}
	}
}

// orderWords say what comes first in an order.
var orderWords = [orders]string{"year", "month", "day"}

// suggestTimes notes that all values of a number look like dates.
func (v *survey) suggestTimes(c *Column, f *found) {
	if f.many != nil {
		return
	}
	for cell := range f.each() {
		if _, ok := compactCell(cell); !ok {
			return
		}
	}
	values, _ := f.held()
	least := values.key(values.sorted()[0])
	v.source.notes.Set(notes.Note{Kind: notes.Suggestion, Column: c.Name, Then: fmt.Sprintf("every value looks like a date, as %s", least), WayOut: "{Times=" + c.Name + "} reads them as dates"})
}
