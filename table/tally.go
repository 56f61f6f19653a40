package table

import (
	"bytes"
	"strconv"

	"github.com/lanes-go/lanes/internal/base/decimal"
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
	// marks are how numbers are written. open says that they are to be found out.
	marks *Marks
	open  bool
}

// numeric says whether all cells of columns of a kind are read as numbers. They are as long as the
// kind is not known.
func (k Kind) numeric() bool {
	switch k {
	case "", Number, Target, logTarget, Weight, Offset, Exposure:
		return true
	}
	return false
}

// marked says whether columns of a kind have marks: the numbers of a Time are Unix times.
func (k Kind) marked() bool { return k == Time || k.numeric() }

// tally is what one worker has seen of a column, or several workers together.
type tally struct {
	missing int64
	// quoted are numbers that are text in a format that tells numbers from text, and plain says that
	// there are values that are no text.
	quoted example
	plain  bool
	// values are all values, with their counts and the places where they stand first. A place
	// below 0 is ^row of a row in the present block.
	values         dictionary
	counts, places []int64
	unplaced       int    // the first value with such a place
	many           *stats // in place of values, where there are many
	// log holds further values, which are numbers; nil where all are in values.
	log *valueLog
}

// The sorts of cells that stats keep an example of.
const (
	odd       = iota // no numbers
	infinite         // infinite numbers
	codes            // whole numbers that are codes: see isCode
	converted        // numbers that are no plain decimals, or have another value than these
	sorts
)

// stats are what is known of a column with many values.
type stats struct {
	count     int64
	numbers   sums // of finite numbers
	logs      sums
	quantiles quantiles
	// gaps are cells that are missing in a column of numbers or times alone.
	gaps int64
	seen [sorts]example
	// odds are the distinct cells that are no numbers; once they are more than mostOdds, some of them.
	odds dictionary
	// distinct counts the values by what they are, where they are few.
	distinct [4]int
	markEvidence
	dates          dates
	length, blanks int64 // bytes of all values, values with a blank in them
	sketch         sketch
	words, values  *keyCounter
}

// mostOdds is the number of distinct cells without a number that stats hold. A column with more than
// mostValues values and no more odd cells than this is a column of numbers.
const mostOdds = mostValues / 20

func (s *stats) manyOdds() bool { return s.odds.len() > mostOdds }

// learner is what a worker needs to tally cells.
type learner struct {
	workers int
	none    *missing
	cutter  words
	padded  []byte
}

// add takes a cell that occurs n times, first at place.
func (l *learner) add(t *tally, w *need, cell []byte, n, place int64) {
	if t.many == nil {
		t.distinguish()
		if len(cell) <= mostText {
			t.hold(t.values.addCell(cell), n, place)
			if t.full() {
				t.many = l.replay(t, w)
			}
			return
		}
		t.many = l.replay(t, w)
	}
	l.sketched(t.many, w, cell, n, l.count(t.many, w, cell, n, place))
}

// sketched gives a cell, which count called what, to the sketch.
func (l *learner) sketched(s *stats, w *need, cell []byte, n int64, what int) {
	if w.sketches() {
		if hash, takes := s.sketch.takes(cell[:len(cell)+pad], len(cell)); takes {
			s.sketch.add(hash, n, fitsOf(w, cell, what))
		}
	}
}

// hold counts value k, which stands at place, n times.
func (t *tally) hold(k int, n, place int64) {
	if k == len(t.counts) {
		if k == cap(t.counts) {
			t.counts, t.places = withRoom(t.counts, t.values.room()), withRoom(t.places, t.values.room())
		}
		t.counts, t.places = append(t.counts, 0), append(t.places, place)
	}
	t.counts[k] += n
	if place >= 0 && t.places[k] > place {
		t.places[k] = place
	}
}

// full says that there are too many values to hold.
func (t *tally) full() bool { return t.values.len() > mostValues || len(t.values.text) > mostText }

// replay makes the stats of all values of a tally, and takes the values away.
func (l *learner) replay(t *tally, w *need) *stats {
	var s *stats
	if t.log == nil {
		s = l.stats(t, w)
	} else {
		s = t.log.stats
	}
	if w.sketches() {
		for cell, n := range t.each() {
			if hash, takes := s.sketch.takes(cell[:len(cell)+pad], len(cell)); takes {
				_, what := l.none.number(cell, w.marks)
				s.sketch.add(hash, n.count, fitsOf(w, cell, what))
			}
		}
	}
	t.log, t.values, t.counts, t.places, t.unplaced = nil, dictionary{}, nil, nil, 0
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
	for cell, n := range t.each() {
		s.distinct[l.count(s, w, cell, n.count, n.place)]++
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

// pad returns a copy of a cell with bytes that can be read behind it. It is valid until the next
// call.
func (l *learner) pad(cell []byte) []byte {
	l.padded = append(append(l.padded[:0], cell...), make([]byte, pad)...)
	return l.padded[:len(cell)]
}

// count takes a cell that occurs n times, first at place, and returns what it is in a column of
// numbers. It leaves the sketch to its callers.
func (l *learner) count(s *stats, w *need, cell []byte, n, place int64) (what int) {
	if w.plain(s, l.none) {
		if x, form, ok := decimal.Plain(cell[:len(cell)+pad], len(cell)); ok {
			s.numbers.add(x, n)
			s.plain(w, cell, x, form, n, place)
			return aNumber
		}
	}
	return l.countOther(s, w, cell, n, place)
}

// countOther is count of a cell that stats.plain does not take.
func (l *learner) countOther(s *stats, w *need, cell []byte, n, place int64) (what int) {
	s.count += n
	if s.values != nil && !s.values.into.given.Load() {
		s.values.add(l.none.category(cell), n)
		s.values.next()
	}
	if s.words != nil {
		l.countWords(s.words, w, cell, n)
	}
	if what = noNumber; w.kind.numeric() {
		var x float64
		switch x, what = l.none.number(cell, w.marks); what {
		case aNumber:
			s.take(w, x, n)
			if isCode(cell, x) {
				s.seen[codes].add(cell, n, place)
			}
			if w.marks != nil {
				if y, plain := number(cell, false); !plain || x != y {
					s.seen[converted].add(cell, n, place)
				}
			}
		case aGap:
			s.gaps += n
		case anInfinity:
			s.seen[infinite].add(cell, n, place)
		case noNumber:
			s.seen[odd].add(cell, n, place)
			if !s.manyOdds() {
				s.odds.add(cell)
			}
		}
		if w.open {
			s.weigh(cell, what, n, place)
		}
	}
	switch w.kind {
	case "":
		s.length += int64(len(cell)) * n
		// A plain decimal has blanks at its ends alone.
		inner := what != aNumber || w.marks != nil || cell[0] <= ' ' || cell[len(cell)-1] <= ' '
		if inner && bytes.IndexByte(cell, ' ') >= 0 {
			s.blanks += n
		}
		switch what {
		case aGap:
		case aNumber:
			s.dates.numbers.add(cell, n, place)
		default:
			s.dates.add(cell, n, place)
		}
	case Time:
		if l.none.gap(cell) {
			s.gaps += n
		} else {
			s.time(w, cell, n, place)
		}
	}
	return what
}

// isCode tells whether a cell that is the number x is rather a code: digits with a 0 before others, or
// more digits than x keeps.
func isCode(cell []byte, x float64) bool {
	if len(cell) < 2 || cell[0] != '0' && len(cell) < 16 || cell[1]-'0' > 9 || digitCount(cell) != len(cell) {
		return false
	}
	return cell[0] == '0' || strconv.FormatFloat(x, 'f', -1, 64) != string(cell)
}

// take takes a number n times.
func (s *stats) take(w *need, x float64, n int64) {
	s.numbers.add(x, n)
	if w.logs {
		s.logs.add(signedLog1p(x), n)
	}
	if w.bins {
		s.quantiles.add(x, n)
	}
}

// time takes a cell of a Time that occurs n times, first at place.
func (s *stats) time(w *need, cell []byte, n, place int64) {
	if w.clock == nil {
		s.dates.add(cell, n, place)
		for _, kind := range []clockKind{unixTime, compactDate} {
			c := clock{kind: kind}
			m, ok := c.read(cell, w.marks.comma())
			s.dates.take(kind, m, ok, cell, n, place)
		}
		return
	}
	m, ok := w.clock.read(cell, w.marks.comma())
	s.dates.take(w.clock.kind, m, ok, cell, n, place)
	if ok && w.logs {
		s.logs.add(signedLog1p(m.seconds), n)
	}
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
	return s.count > 0 && s.seen[odd].count > 0 && s.dates.most() < s.count && s.length >= 30*s.count && 2*s.blanks >= s.count
}

// merge adds what another worker has seen.
func (l *learner) merge(t *tally, w *need, other *tally) {
	t.missing += other.missing
	t.quoted.merge(&other.quoted)
	t.plain = t.plain || other.plain
	switch {
	case t.many == nil && t.values.len() == 0:
		t.exchange(other)
	case other.many == nil && other.values.len() == 0:
	case t.log != nil && other.log != nil:
		t.log.join(other.log)
	case t.log != nil && other.many != nil:
		t.many = l.replay(t, w)
	case other.log != nil && t.many != nil:
		other.many = l.replay(other, w)
	default:
		t.distinguish()
		other.distinguish()
	}
	if t.many == nil && other.many != nil {
		t.exchange(other)
	}
	if other.many != nil {
		t.many.merge(other.many)
		return
	}
	if t.log != nil { // whose stats know the values of both
		for k, n := range other.counts {
			t.hold(t.values.addCell(other.values.key(k)), n, other.places[k])
		}
		if t.log.full() {
			l.crowd(t, w)
		}
		return
	}
	for k, n := range other.counts {
		if key := other.values.key(k); len(key) > pad || t.many != nil {
			l.add(t, w, l.pad(key), n, other.places[k])
		} else if t.hold(t.values.addCell(key), n, other.places[k]); t.full() {
			t.many = l.replay(t, w)
		}
	}
}

// exchange exchanges what two tallies know of values.
func (t *tally) exchange(other *tally) {
	t.values, other.values = other.values, t.values
	t.counts, other.counts = other.counts, t.counts
	t.places, other.places = other.places, t.places
	t.unplaced, other.unplaced = other.unplaced, t.unplaced
	t.many, other.many = other.many, t.many
	t.log, other.log = other.log, t.log
}

func (s *stats) merge(other *stats) {
	s.count += other.count
	s.numbers.merge(&other.numbers)
	s.logs.merge(&other.logs)
	s.quantiles.merge(&other.quantiles)
	s.gaps += other.gaps
	for k := range s.seen {
		s.seen[k].merge(&other.seen[k])
	}
	for k := range other.odds.len() {
		s.odds.add(other.odds.key(k))
	}
	s.markEvidence.merge(&other.markEvidence)
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
