package table

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/internal/base/panics"
)

// survey is what one pass, or several, found out of the columns of a source.
type survey struct {
	source  *Source
	version int
	missing []string
	most    int64 // bytes of vocabularies
	// written is how the numbers of columns are written. open says that the pass finds it out: it
	// refuses no row for what depends on that.
	written map[string]*writing
	open    bool
	// wordy says that the target is words, so that words for missing numbers are labels.
	wordy bool
	// counters are the columns that count the rows.
	counters map[string]bool
	rows     int64 // without refused rows
	refusers []refuser
	refused  []int64 // rows that each of them refused first
	without  example // rows without a target
	columns  map[string]*found
	learner  learner
}

// found is what is known of a column.
type found struct {
	tally
	need need
	// numbers are the stats of the values if these are few, as numbers with the marks of need and
	// without logs and bins; nil where they were not made.
	numbers *stats
}

// surveyor is the state of one worker of a survey.
type surveyor struct {
	learner
	tallies []tally
	kept    []bool
	rows    int64
	refused []int64
	without example // rows without a target
	moved   []int   // tallies with places in the present block
	numbers []float64
	counts  []rowCount
}

// wanted is a column that a survey reads.
type wanted struct {
	name string
	kind Kind  // what the recipe says, "" where it is to be found out
	need *need // nil where the column can refuse rows and tells no more
}

// refuses says whether a column of a kind can make a row malformed.
func refuses(kind Kind) bool {
	switch kind {
	case Target, logTarget, Weight, Offset, Exposure:
		return true
	}
	return false
}

// Bytes of a column that is surveyed, garbage included, and of its tally with few values by each
// worker.
const (
	columnBytes = 3 << 10
	tallyBytes  = 300
)

// look reads columns of a source in one pass, and adds them to the survey.
func (v *survey) look(ctx context.Context, columns []wanted) error {
	columns, places, err := v.source.inOrder(columns)
	if err != nil {
		return err
	}
	none := (&Recipe{Version: v.version, Missing: v.missing}).missing()
	v.learner.none = &none
	var refusers []refuser
	for k, c := range columns {
		if refuses(c.kind) {
			refusers = append(refusers, refuser{c.name, c.kind, k, v.marksOf(c.name), v.wordy, v.open})
		}
	}
	workers := v.source.workers()
	if err := memory.Check("the columns of the table", int64(len(columns)), columnBytes+int64(workers)*tallyBytes); err != nil {
		return err
	}
	crowded := make([]atomic.Bool, len(columns))
	work := func(w *surveyor, b *block) error {
		if w.tallies == nil {
			w.tallies, w.refused = make([]tally, len(columns)), make([]int64, len(refusers))
			w.workers, w.none = workers, &none
		}
		if v.open {
			w.countRows(b, columns)
		}
		w.refuse(b, refusers, &none)
		w.moved = w.moved[:0]
		for k, c := range columns {
			if c.need == nil {
				continue
			}
			t := &w.tallies[k]
			few := t.many == nil && c.need.kind.numeric()
			if few && crowded[k].Load() {
				t.many, few = w.replay(t, c.need), false
			}
			if len(b.plain) > 0 {
				w.typedColumn(t, c.need, b, k)
			} else {
				w.column(t, c.need, b, k)
			}
			// Where one worker has too many values, all have. It matters to nothing that they know it
			// later, unless their values are words.
			if few && t.many != nil && t.many.seen[odd].count == 0 {
				crowded[k].Store(true)
			}
			if v := t.failed(); v != nil && c.kind != "" {
				return v
			}
			if t.unplaced < len(t.places) || t.log != nil && t.log.unplaced < len(t.log.places) || t.quoted.unsettled() || t.many != nil && t.many.unsettled() {
				w.moved = append(w.moved, k)
			}
		}
		return nil
	}
	counters := make([]rowCounter, len(columns))
	commit := func(w *surveyor, b *block) error {
		for k := range w.counts {
			counters[k].take(&w.counts[k], b)
		}
		place := func(row int64) int64 { return v.source.placeOf(b, int(row)) }
		for _, k := range w.moved {
			w.tallies[k].settle(place)
		}
		w.without.settle(place)
		return nil
	}
	parts, err := scan(ctx, v.source, places, work, commit)
	if err != nil {
		return err
	}
	if v.open {
		v.counters = map[string]bool{}
		for k, c := range columns {
			v.counters[c.name] = c.kind == "" && counters[k].counts()
		}
	}
	return v.gather(columns, refusers, parts)
}

// empty returns an error if no row is left.
func (v *survey) empty() error {
	switch {
	case v.rows > 0:
		return nil
	case v.without.count > 0:
		return errors.New("no row has a target: every cell of its column is missing")
	}
	return errors.New("the table has no rows")
}

// refuse marks the rows of a block that can be taken.
func (w *surveyor) refuse(b *block, refusers []refuser, none *missing) {
	w.kept = slices.Grow(w.kept[:0], b.rows)[:b.rows]
	for i := range w.kept {
		k, why := refused(b, i, refusers, none)
		w.kept[i] = why == ""
		if why == "" {
			w.rows++
			continue
		}
		if w.refused[k]++; why == noTarget {
			w.without.add(nil, 1, ^int64(i))
		} else {
			b.fail(i, fmt.Sprintf("column %q: %s", refusers[k].name, why))
		}
	}
}

// settle turns rows of a block into places.
func (t *tally) settle(place func(row int64) int64) {
	for ; t.unplaced < len(t.places); t.unplaced++ {
		if t.places[t.unplaced] < 0 {
			t.places[t.unplaced] = place(^t.places[t.unplaced])
		}
	}
	t.quoted.settle(place)
	if t.many != nil {
		t.many.settle(place)
	}
	if t.log != nil {
		t.log.settle(place)
	}
}

// each calls use with all examples of cells.
func (s *stats) each(use func(*example)) {
	s.dates.each(use)
	use(&s.doubtful)
	for k := range s.seen {
		use(&s.seen[k])
	}
}

// unsettled says whether an example has a row of a block for its place.
func (s *stats) unsettled() (some bool) {
	s.each(func(e *example) { some = some || e.unsettled() })
	return some
}

func (s *stats) settle(place func(row int64) int64) {
	s.each(func(e *example) { e.settle(place) })
}

// failed returns why a vocabulary that has to be whole is not, if it is not.
func (t *tally) failed() error {
	if t.many == nil {
		return nil
	}
	for _, c := range []*keyCounter{t.many.values, t.many.words} {
		if c != nil && c.into.given.Load() && c.into.err != nil {
			return c.into.err
		}
	}
	return nil
}

// gather merges what the workers have seen.
func (v *survey) gather(columns []wanted, refusers []refuser, parts []*surveyor) error {
	parts = slices.DeleteFunc(parts, func(w *surveyor) bool { return w.tallies == nil })
	v.rows, v.refusers, v.refused = 0, refusers, make([]int64, len(refusers))
	v.learner.workers, v.without = 1, example{}
	for _, w := range parts {
		v.without.merge(&w.without)
		v.rows += w.rows
		for k, n := range w.refused {
			v.refused[k] += n
		}
	}
	list := make([]*found, len(columns))
	// Columns that share a budget come one after the other.
	shares := func(c *wanted) bool { return c.kind == Category || c.kind == Text }
	v.share(len(columns), func(l *learner, k int) {
		if c := &columns[k]; c.need != nil && !shares(c) {
			list[k] = v.join(l, c, parts, k)
		}
	})
	for k := range columns {
		if c := &columns[k]; c.need != nil && shares(c) {
			list[k] = v.join(&v.learner, c, parts, k)
		}
	}
	for k, f := range list {
		if f == nil {
			continue
		}
		if err := f.failed(); err != nil && columns[k].kind != "" {
			return err
		}
		v.columns[columns[k].name] = f
	}
	v.source.noteWithout(&v.without)
	return nil
}

// share calls use for each of n columns, on several goroutines with a learner each.
func (v *survey) share(n int, use func(l *learner, k int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	var caught panics.Catcher
	for range min(v.source.workers(), n) {
		group.Go(func() {
			caught.Do(func() {
				l := learner{workers: 1, none: v.learner.none}
				for k := int(next.Add(1)) - 1; k < n; k = int(next.Add(1)) - 1 {
					use(&l, k)
				}
			})
		})
	}
	group.Wait()
	caught.Repeat()
}

// join merges what the workers have seen of column k.
func (v *survey) join(l *learner, c *wanted, parts []*surveyor, k int) *found {
	f := &found{need: *c.need}
	for _, w := range parts {
		l.merge(&f.tally, &f.need, &w.tallies[k])
		w.tallies[k] = tally{}
	}
	if f.log != nil && f.values.len()+len(f.log.ends) > mostValues {
		l.crowd(&f.tally, &f.need)
	}
	if f.many != nil {
		f.many.sketch.sort()
		if f.many.values != nil {
			f.many.values.flush()
		}
		if f.many.words != nil {
			f.many.words.flush()
		}
	} else if v.open && f.log != nil {
		f.numbers = f.log.stats
	} else if v.open && f.need.kind.numeric() && f.values.len() > cheapValues {
		f.numbers = l.stats(&f.tally, &need{marks: f.need.marks, open: true})
	}
	return f
}

// stats returns what a column's stats are for a need, or nil if the survey does not tell.
func (v *survey) stats(f *found, w *need) *stats {
	if f.many == nil {
		if f.numbers != nil && w.kind != "" && w.kind.numeric() && !w.logs && !w.bins && sameMarks(f.need.marks, w.marks) {
			return f.numbers
		}
		s := v.learner.stats(&f.tally, w)
		if s.words != nil {
			s.words.flush()
		}
		return s
	}
	s := f.many
	switch {
	case w.kind == Text && (s.words == nil || f.need.ngrams != w.ngrams),
		w.kind == Category && w.values != nil && s.values == nil,
		w.kind != "" && w.kind.numeric() && (s.read() != s.count || !sameMarks(f.need.marks, w.marks)),
		w.kind == Time && !(f.need.times(w.clock) && sameMarks(f.need.marks, w.marks)),
		w.bins && !f.need.bins,
		w.logs && (!f.need.logs || w.kind == Time && f.need.clock == nil):
		return nil
	}
	return s
}

// read is the number of cells that were read as numbers, whether they are or not.
func (s *stats) read() int64 { return s.numbers.count + s.lost() }

// sameMarks tells whether two columns are written alike.
func sameMarks(a, b *Marks) bool { return a == b || a != nil && b != nil && reflect.DeepEqual(a, b) }

// newWords returns an empty vocabulary of words, which is given up behind 10,000 words if few is
// set. It has the whole budget for itself.
func (v *survey) newWords(column string, few bool) *vocabulary {
	words := &vocabulary{column: column, noun: "words", budget: &budget{most: v.most}}
	if few {
		words.most = mostValues
	}
	return words
}

// words returns the words of a text column, or nil if the survey did not count them.
func (v *survey) words(c *Column, few bool) *vocabulary {
	s := v.stats(v.columns[c.Name], &need{kind: Text, ngrams: c.ngrams(), words: v.newWords(c.Name, few)})
	if s == nil || s.words == nil || s.words.into.tooMany && !few {
		return nil
	}
	return s.words.into
}

// ngrams is the greatest number of neighbouring words that count as one.
func (c *Column) ngrams() int {
	if c.Words == nil {
		return 1
	}
	return max(1, c.Words.NGrams)
}

// withRefusers adds the columns that can refuse rows to columns that are read.
func (v *survey) withRefusers(columns []wanted) []wanted {
	read := make(map[string]bool, len(columns))
	for _, c := range columns {
		read[c.name] = true
	}
	for _, r := range v.refusers {
		if !read[r.name] {
			columns = append(columns, wanted{name: r.name, kind: r.kind})
		}
	}
	return columns
}

// inOrder returns columns in the order of a source and their places in it, or an error that names
// the columns that it lacks.
func (s *Source) inOrder(columns []wanted) ([]wanted, []int, error) {
	var names []string
	for _, c := range columns {
		names = append(names, c.name)
	}
	places, err := s.have(names)
	if err != nil {
		return nil, nil, err
	}
	order := make([]int, len(columns))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return places[a] - places[b] })
	ordered, sorted := make([]wanted, len(columns)), make([]int, len(columns))
	for k, from := range order {
		ordered[k], sorted[k] = columns[from], places[from]
	}
	return ordered, sorted, nil
}

// have returns the places of columns in a source, or an error that names the columns that it lacks.
func (s *Source) have(names []string) ([]int, error) {
	places, lacks := s.index(names)
	if len(lacks) > 0 {
		return nil, fmt.Errorf("the table lacks the column %s of the recipe", suggested(lacks, s.names))
	}
	return places, nil
}
