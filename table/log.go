package table

import (
	"hash/maphash"
	"iter"
	"math/bits"
)

// A column of more than fewValues distinct values, all of them numbers without marks, is logged: most such
// columns have too many values to count, and few ask for the counts of others. A full log is counted.
const (
	fewValues = 64
	fullLog   = 1 << 14
	// logRoom is the number of values for which all logs of a worker have room at first.
	logRoom = 1 << 19
)

// valueLog holds numbers as they came, of whom some may be equal, behind those in a dictionary. A value takes
// 8 bytes beside its text.
type valueLog struct {
	*stats        // of the values of the dictionary, too
	text   []byte // its capacity has pad bytes more
	ends   []uint32
	// places are lines or rows, less the base of their run. Those from unplaced on are rows of the present
	// block.
	places   []uint32
	unplaced int
	runs     []placeRun
}

// placeRun are values of a block, from one on.
type placeRun struct {
	from int
	base int64
}

// newLog returns an empty log with room for n values of a length.
func newLog(s *stats, n, length int) *valueLog {
	return &valueLog{stats: s, text: make([]byte, 0, n*(length+1)+pad), ends: make([]uint32, 0, n), places: make([]uint32, 0, n)}
}

// add appends a cell of a row of the present block. At least pad bytes can be read behind it. It returns
// whether the log is full.
func (g *valueLog) add(cell []byte, row int) bool {
	from := len(g.text)
	if need := from + len(cell) + pad; need > cap(g.text) {
		g.text = withRoom(g.text, max(need, 2*from))
	}
	g.text = g.text[:from+len(cell)]
	if len(cell) <= pad {
		copy(g.text[from:from+pad], cell[:pad])
	} else {
		copy(g.text[from:], cell)
	}
	if len(g.ends) == cap(g.ends) { // append leaves five times as much garbage
		g.ends, g.places = withRoom(g.ends, 2*len(g.ends)+1), withRoom(g.places, 2*len(g.ends)+1)
	}
	g.ends, g.places = append(g.ends, uint32(len(g.text))), append(g.places, uint32(row))
	return g.full()
}

func (g *valueLog) full() bool { return len(g.ends) >= fullLog || len(g.text) > mostText }

// settle turns rows of a block into places.
func (g *valueLog) settle(place func(row int64) int64) {
	if g.unplaced < len(g.places) {
		base := place(int64(g.places[g.unplaced]))
		g.runs = append(g.runs, placeRun{g.unplaced, base})
		for k := g.unplaced; k < len(g.places); k++ {
			g.places[k] = uint32(place(int64(g.places[k])) - base)
		}
		g.unplaced = len(g.places)
	}
	g.stats.settle(place)
}

// join adds another log. Both have places alone.
func (g *valueLog) join(other *valueLog) {
	n, text := len(g.ends), len(g.text)
	g.text = withRoom(g.text, text+len(other.text)+pad)
	g.text = append(g.text, other.text...)
	for _, end := range other.ends {
		g.ends = append(g.ends, uint32(text)+end)
	}
	g.places = append(g.places, other.places...)
	for _, r := range other.runs {
		g.runs = append(g.runs, placeRun{n + r.from, r.base})
	}
	g.unplaced = len(g.places)
	g.stats.merge(other.stats)
}

// each yields the values, each with its place.
func (g *valueLog) each(yield func(cell []byte, place int64) bool) {
	from, run := uint32(0), 0
	for k, end := range g.ends {
		place := ^int64(g.places[k])
		if k < g.unplaced {
			for run+1 < len(g.runs) && g.runs[run+1].from <= k {
				run++
			}
			place = g.runs[run].base + int64(g.places[k])
		}
		if !yield(g.text[from:end], place) {
			return
		}
		from = end
	}
}

// timesAt says how often a value occurs, and where first.
type timesAt struct{ count, place int64 }

// each yields the values, behind which pad bytes can be read. Those of a log may be equal to others.
func (t *tally) each() iter.Seq2[[]byte, timesAt] {
	return func(yield func([]byte, timesAt) bool) {
		for k, n := range t.counts {
			if !yield(t.values.key(k), timesAt{n, t.places[k]}) {
				return
			}
		}
		if t.log != nil {
			t.log.each(func(cell []byte, place int64) bool { return yield(cell, timesAt{1, place}) })
		}
	}
}

// logs says whether further values of a tally become a log.
func (l *learner) logs(t *tally, w *need) bool {
	if !w.plain(new(stats), l.none) {
		return false
	}
	for k := range t.values.len() {
		if !l.isNumber(t.values.key(k)) {
			return false
		}
	}
	return true
}

// isNumber says whether a cell is a number in a column without marks.
func (l *learner) isNumber(cell []byte) bool {
	_, what := l.none.number(cell, nil)
	return what == aNumber
}

// distinguish counts the values of a log.
func (t *tally) distinguish() {
	log := t.log
	if t.log = nil; log == nil {
		return
	}
	for cell, place := range log.each {
		// Values with places stand before the others.
		if t.hold(t.values.addCell(cell), 1, place); place >= 0 {
			t.unplaced = t.values.len()
		}
	}
}

// held returns the distinct values of a column of few values, and their counts.
func (f *found) held() (*dictionary, []int64) {
	if f.log == nil {
		return &f.values, f.counts
	}
	var t tally
	for cell, n := range f.each() {
		t.hold(t.values.addCell(cell), n.count, n.place)
	}
	return &t.values, t.counts
}

// crowd counts the values of a full log, and makes stats where they are too many.
func (l *learner) crowd(t *tally, w *need) {
	log := t.log
	if t.distinguish(); t.full() {
		t.log = &valueLog{stats: log.stats}
		t.many = l.replay(t, w)
	}
}

// firsts are the first ones of equal values of a column. Its memory serves one column after the other.
type firsts struct {
	dictionary         // of all values, some of them equal, of whom the first ones have slots
	keys       []int   // the numbers of the first ones
	counts     []int64 // how often they occur, by their numbers
}

// find finds the first ones of the values of a tally.
func (f *firsts) find(t *tally) {
	f.keys, f.counts = f.keys[:0], append(f.counts[:0], t.counts...)
	f.ends, f.text = append(f.ends[:0], t.values.ends...), append(f.text[:0], t.values.text...)
	known, behind := len(f.text), make([]byte, pad)
	if t.log == nil {
		f.text = append(f.text, behind...)
		for k := range t.counts {
			f.keys = append(f.keys, k)
		}
		return
	}
	f.text = append(append(f.text, t.log.text...), behind...)
	for _, end := range t.log.ends {
		f.ends, f.counts = append(f.ends, known+int(end)), append(f.counts, 1)
	}
	if clear(f.slots); f.room() < len(f.ends) {
		f.slots = make([]uint64, 2<<bits.Len(uint(len(f.ends))))
	}
	for k := range f.ends {
		if first := f.first(k); first == k {
			f.keys = append(f.keys, k)
		} else {
			f.counts[first] += f.counts[k]
		}
	}
}

// first returns the number of the first key that is equal to key k. The keys before have slots.
func (d *dictionary) first(k int) int {
	key := d.key(k)
	var hash uint64
	var slot, first int
	if len(key) <= pad {
		short := shortOf(key[:len(key)+pad], len(key))
		hash = short.hash(len(key))
		slot, first = d.shortSlot(hash, short, len(key))
	} else {
		hash = maphash.Bytes(dictionarySeed, key)
		slot, first = d.slot(hash, key)
	}
	if first >= 0 {
		return first
	}
	d.slots[slot] = hash&^(1<<32-1) | uint64(k+1)
	return k
}
