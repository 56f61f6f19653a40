package table

import (
	"bytes"
	"slices"

	"github.com/lanes-go/lanes/kernels"
)

// A column with at most mostValues distinct values, of at most mostText bytes together, is known
// by its values and their counts: what else there is to know follows.
const (
	mostValues = 10_000
	mostText   = 4 << 20
)

// need says what to find out of a column that has many values.
type need struct {
	kind   Kind // "" finds out all that Infer decides by
	logs   bool // the sums of log1p
	bins   bool // the quantiles
	ngrams int  // counts words of up to ngrams neighbours, if kind is Text, or looks like it
	// clock reads the cells of a Time; nil where the format is to be found out.
	clock *clock
	// words counts words, values counts values; nil where they need not be counted.
	words, values *vocabulary
}

// tally is what one worker has seen of a column, or several workers together.
type tally struct {
	missing int64
	// values are all values, with their counts and the places where they stand first. A place
	// below 0 is ^row of a row in the present block.
	values         dictionary
	counts, places []int64
	unplaced       int    // the first value with such a place
	many           *stats // in place of values, where there are many
}

// stats are what is known of a column with many values.
type stats struct {
	count          int64
	numbers        sums // of finite numbers
	logs           sums
	quantiles      quantiles
	odd            int64 // values that are no numbers
	oddText        string
	oddPlace       int64 // of the first of them
	dates          dates
	length, blanks int64 // bytes of all values, values with a blank in them
	sketch         sketch
	words, values  *keyCounter
}

// learner is what a worker needs to tally cells.
type learner struct {
	workers int
	comma   bool
	cutter  words
	padded  []byte
}

// add takes a cell that occurs n times, first at place.
func (l *learner) add(t *tally, w *need, cell []byte, n, place int64) {
	if t.many == nil {
		if len(cell) <= mostText {
			k := t.values.add(cell)
			if k == len(t.counts) {
				if k == cap(t.counts) {
					more := len(t.values.slots)/2 - k
					t.counts, t.places = slices.Grow(t.counts, more), slices.Grow(t.places, more)
				}
				t.counts, t.places = append(t.counts, 0), append(t.places, place)
			}
			t.counts[k] += n
			if place >= 0 && t.places[k] > place {
				t.places[k] = place
			}
			if t.values.len() > mostValues || len(t.values.text) > mostText {
				t.many = l.replay(t, w)
			}
			return
		}
		t.many = l.replay(t, w)
	}
	l.count(t.many, w, cell, n, place)
	if w.kind == "" {
		t.many.sketch.add(cell, n)
	}
}

// replay makes the stats of all values of a tally, and takes the values away.
func (l *learner) replay(t *tally, w *need) *stats {
	s := l.stats(t, w)
	if w.kind == "" {
		for k, n := range t.counts {
			s.sketch.add(t.values.key(k), n)
		}
	}
	t.values, t.counts, t.places, t.unplaced = dictionary{}, nil, nil, 0
	return s
}

// stats makes the stats of all values of a tally, without a sketch.
func (l *learner) stats(t *tally, w *need) *stats {
	s := new(stats)
	if w.values != nil {
		s.values = newCounter(w.values, l.workers)
	}
	if w.words != nil && w.kind == Text {
		s.words = newCounter(w.words, l.workers)
	}
	for k, n := range t.counts {
		l.padded = append(append(l.padded[:0], t.values.key(k)...), make([]byte, pad)...)
		l.count(s, w, l.padded[:len(l.padded)-pad], n, t.places[k])
	}
	if w.words != nil && w.kind == "" && s.looksText() {
		// Counts words now, so that they need no pass of their own if the column is text.
		s.words = newCounter(w.words, l.workers)
		for k, n := range t.counts {
			l.countWords(s.words, w, t.values.key(k), n)
		}
	}
	return s
}

// count takes a cell that occurs n times, first at place. It leaves the sketch to its callers.
func (l *learner) count(s *stats, w *need, cell []byte, n, place int64) {
	s.count += n
	if s.values != nil && !s.values.into.given.Load() {
		s.values.add(cell, n)
		s.values.next()
	}
	if s.words != nil {
		l.countWords(s.words, w, cell, n)
	}
	isNumber := false
	switch w.kind {
	case "", Number, Target:
		var x float64
		x, isNumber = number(cell, l.comma)
		switch {
		case !isNumber:
			if s.odd += n; s.odd == n || place >= 0 && place < s.oddPlace {
				s.oddPlace, s.oddText = place, string(cell[:min(len(cell), 64)])
			}
		default:
			s.take(w, x, n)
		}
	}
	switch w.kind {
	case "":
		s.length += int64(len(cell)) * n
		if bytes.IndexByte(cell, ' ') >= 0 {
			s.blanks += n
		}
		if isNumber {
			s.dates.numbers.add(cell, n, place)
		} else {
			s.dates.add(cell, n, place)
		}
	case Time:
		s.time(w, cell, l.comma, n, place)
	}
}

// take takes a number n times.
func (s *stats) take(w *need, x float64, n int64) {
	s.numbers.add(x, n)
	if w.logs {
		s.logs.add(signedLog(x), n)
	}
	if w.bins {
		s.quantiles.add(x, n)
	}
}

// time takes a cell of a Time that occurs n times, first at place.
func (s *stats) time(w *need, cell []byte, comma bool, n, place int64) {
	if w.clock == nil {
		s.dates.add(cell, n, place)
		for _, kind := range []clockKind{unixTime, compactDate} {
			c := clock{kind: kind}
			m, ok := c.read(cell, comma)
			s.dates.take(kind, m, ok, cell, n, place)
		}
		return
	}
	m, ok := w.clock.read(cell, comma)
	s.dates.take(w.clock.kind, m, ok, cell, n, place)
	if ok && w.logs {
		s.logs.add(signedLog(m.seconds), n)
	}
}

// signedLog returns sign(x) log(1 + |x|).
func signedLog(x float64) float64 {
	if x < 0 {
		return -kernels.Log1pOf(-x)
	}
	return kernels.Log1pOf(x)
}

func (l *learner) countWords(c *keyCounter, w *need, cell []byte, n int64) {
	if c.into.given.Load() {
		return
	}
	l.cutter.cut(cell)
	for i := range l.cutter.count() {
		for grams := 1; grams <= w.ngrams && i+grams <= l.cutter.count(); grams++ {
			c.add(l.cutter.gram(i, grams), n)
		}
	}
	c.next()
}

// looksText says whether values are long and most have blanks, and some are neither numbers nor
// times.
func (s *stats) looksText() bool {
	return s.count > 0 && s.odd > 0 && s.dates.most() < s.count && s.length >= 30*s.count && 2*s.blanks >= s.count
}

// merge adds what another worker has seen.
func (l *learner) merge(t *tally, w *need, other *tally) {
	t.missing += other.missing
	if t.many == nil && other.many != nil {
		t.values, other.values = other.values, t.values
		t.counts, other.counts = other.counts, t.counts
		t.places, other.places = other.places, t.places
		t.many, other.many = other.many, nil
	}
	if other.many != nil {
		t.many.merge(other.many)
		return
	}
	for k, n := range other.counts {
		l.padded = append(append(l.padded[:0], other.values.key(k)...), make([]byte, pad)...)
		l.add(t, w, l.padded[:len(l.padded)-pad], n, other.places[k])
	}
}

func (s *stats) merge(other *stats) {
	s.count += other.count
	s.numbers.merge(&other.numbers)
	s.logs.merge(&other.logs)
	s.quantiles.merge(&other.quantiles)
	if other.odd > 0 && (s.odd == 0 || other.oddPlace < s.oddPlace) {
		s.oddPlace, s.oddText = other.oddPlace, other.oddText
	}
	s.odd += other.odd
	s.dates.merge(&other.dates)
	s.length += other.length
	s.blanks += other.blanks
	s.sketch.merge(&other.sketch)
	if s.values != nil {
		other.values.flush()
	}
	// Where one worker did not count words, the words are not known.
	if s.words != nil && other.words != nil {
		other.words.flush()
	} else {
		s.words = nil
	}
}
