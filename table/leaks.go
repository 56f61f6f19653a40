package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	ranking "github.com/lanes-go/lanes/internal/base/order"
	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/sparse"
)

// LeakAUC is the AUC above which Leaks reports a column, LeakR2 the share of the variance of a
// target that is a number.
const LeakAUC, LeakR2 = 0.999, 0.999

// Leak is a column of a table that tells the target by itself. Such a column was often filled in
// after the target was known.
type Leak struct {
	// Column is the column's name, and By what of it tells the target: "its value", "a missing
	// value", "its hour", "its month", "its weekday", or a word.
	Column, By string
	// AUC is the area under the ROC curve of By alone, above LeakAUC; of several classes the mean of
	// one against the rest, by their rows. It is 0 for targets that are numbers.
	AUC float64
	// R2 is the share of the variance of targets that By alone explains, above LeakR2; 0 for classes.
	R2 float64
}

// Note returns the leak as a note.
func (l Leak) Note() notes.Note {
	measure := fmt.Sprintf("has an AUC of %.5g", l.AUC)
	if l.R2 > 0 {
		measure = fmt.Sprintf("explains %.5g of its variance", l.R2)
	}
	return notes.Note{Kind: notes.Leak, Column: l.Column, Then: fmt.Sprintf("it tells the target by itself: %s %s", l.By, measure),
		WayOut: fmt.Sprintf("if it is not known when you predict, {Ignored=%s} leaves it out", l.Column)}
}

// The sizes of a search for leaks.
const (
	leakRows    = 1 << 18       // rows that are measured
	leakNumbers = 64 * leakRows // numbers that are held at once, 4 bytes each
)

// mostLeakClasses is the largest number of classes for which Leaks looks.
const mostLeakClasses = 64

// Leaks returns the columns that tell the target by themselves, in the order of the table. data are
// rows that e made. Their labels are two classes; or several where they are words, and positive,
// unless it is nil, makes two of them; or else targets.
//
// Each column is measured by its AUC, rows unweighted:
//
//   - a number, and the seconds of a time, by its value, in the better direction; of several classes
//     by the rates of 256 ranges of equally many rows;
//   - a category by the rate of positive rows with the same value. So are the bins of a number and
//     the hour, month and weekday of a time. Rates of one half of the rows score the other half and
//     the reverse: a category is not reported for values that occur once. A hash of a row's number
//     says to which half it belongs;
//   - a missing value, and each word of a text, by whether it is there.
//
// For targets the share of their variance takes the place of the AUC: the squared correlation of
// ranks with a number, and what the means of values explain in the other half of the rows.
//
// Hashed columns are not measured, as several values share a place. Of more than 2^18 rows, Leaks
// measures a sample, of k classes samples of a k-th. It costs about two passes over these rows, 90 MB
// at most, and 32 bytes for each encoded column. Several goroutines may call it at once.
func (e *Encoder) Leaks(data *sparse.Data, positive *float64) ([]Leak, error) {
	if data == nil || data.X == nil || data.X.Cols() != e.width {
		return nil, fmt.Errorf("table: Leaks needs rows of %d columns that its encoder made", e.width)
	}
	byAUC := func(l *Leak, measure float64) bool { l.AUC = measure; return measure > LeakAUC }
	switch {
	case positive != nil || fewLabels(data.Y):
		signs, _, err := sparse.BinaryLabels(data.Y, positive)
		if err != nil {
			return nil, fmt.Errorf("table: %w", err)
		}
		told := newLeakSearch(e, data.X, signs, leakRows, leakNumbers).columns()
		return e.leaks(told, byAUC), nil
	case data.LabelNames == nil:
		told := newTargetSearch(e, data.X, data.Y, leakRows, leakNumbers).columns()
		return e.leaks(told, func(l *Leak, measure float64) bool { l.R2 = measure; return measure > LeakR2 }), nil
	}
	classes := sparse.CountClasses(data.Y)
	if len(classes) > mostLeakClasses {
		return nil, fmt.Errorf("table: Leaks looks at %d classes at most, not %d", mostLeakClasses, len(classes))
	}
	var mean [][]told
	signs := make([]float64, len(data.Y))
	for _, class := range classes {
		for i, y := range data.Y {
			if signs[i] = -1; y == class.Label {
				signs[i] = 1
			}
		}
		s := newLeakSearch(e, data.X, signs, leakRows/len(classes), leakNumbers)
		s.ranges = true
		own := s.columns()
		for k := range own {
			for t := range own[k] {
				own[k][t].measure *= float64(class.Count) / float64(len(data.Y))
				if mean != nil {
					own[k][t].measure += mean[k][t].measure
				}
			}
		}
		mean = own
	}
	return e.leaks(mean, byAUC), nil
}

// fewLabels tells whether labels have at most two values. It ends at the third one: to count all targets
// of a regression takes longer than to look for leaks.
func fewLabels(y []float64) bool {
	var two [2]float64
	n := 0
	for _, v := range y {
		switch {
		case slices.ContainsFunc(two[:n], func(w float64) bool { return v == w || v != v && w != w }):
		case n == len(two):
			return false
		default:
			two[n] = v
			n++
		}
	}
	return true
}

// told is how well something of a column tells the target.
type told struct {
	by      string
	measure float64
}

// leaks returns the best of each column that set takes.
func (e *Encoder) leaks(columns [][]told, set func(l *Leak, measure float64) bool) (leaks []Leak) {
	for k, list := range columns {
		best := told{measure: -1}
		for _, t := range list {
			if t.measure > best.measure {
				best = t
			}
		}
		if l := (Leak{Column: e.columns[k].Name, By: best.by}); set(&l, best.measure) {
			leaks = append(leaks, l)
		}
	}
	return leaks
}

// columns measures every column of the table.
func (s *leakSearch) columns() [][]told {
	out := make([][]told, len(s.e.columns))
	for k := range s.e.columns {
		s.column(&s.e.columns[k], func(by string, measure float64) { out[k] = append(out[k], told{by, measure}) })
	}
	return out
}

// leakSearch holds counts of rows.
type leakSearch struct {
	e      *Encoder
	x      *sparse.Matrix
	rows   []int
	labels []float64 // of rows
	// counts are the rows with a value other than 0 in each encoded column: of both halves of
	// the rows, each of negative and positive rows. all are the counts of all rows.
	counts [][2][2]uint32
	all    [2][2]uint32
	// slots are the places in numbers of the encoded columns that are numbers, from 1 on.
	slots   []int32
	numbers [][]float32
	first   int // number of the first column in numbers
	// ranges says that numbers are measured by ranges of their values.
	ranges bool
	// targets is nil for classes.
	targets *leakTargets
	sorter  ranking.Sorter
}

// newLeakSearch counts a sample of at most rows rows. It holds at most numbers values at once.
func newLeakSearch(e *Encoder, x *sparse.Matrix, signs []float64, rows, numbers int) *leakSearch {
	s := sampleLeaks(e, x, signs, rows, numbers)
	s.counts = make([][2][2]uint32, e.places)
	s.count()
	return s
}

// sampleLeaks returns a search that has counted nothing of its sample yet.
func sampleLeaks(e *Encoder, x *sparse.Matrix, labels []float64, rows, numbers int) *leakSearch {
	s := &leakSearch{e: e, x: x, slots: make([]int32, e.places)}
	step := (len(labels) + rows - 1) / rows
	for i := 0; i < len(labels); i += step {
		// One of step rows: a fixed distance could fit the order of the rows.
		row := i + int(random.HashRow(i)%uint64(min(step, len(labels)-i)))
		s.rows, s.labels = append(s.rows, row), append(s.labels, labels[row])
	}
	slot := int32(0)
	for k := range e.columns {
		list := e.columns[k].figures()
		if list != nil {
			slot++
		}
		for _, at := range list {
			s.slots[at] = slot
		}
	}
	s.numbers = make([][]float32, min(int(slot), numbers/max(1, len(s.rows))))
	for k := range s.numbers {
		s.numbers[k] = make([]float32, len(s.rows))
	}
	s.read()
	return s
}

// count counts the rows with each encoded column.
func (s *leakSearch) count() {
	for k, i := range s.rows {
		fold, class := halfOf(i), positiveClass(s.labels[k])
		s.all[fold][class]++
		for j := range s.x.Row(i) {
			if j >= s.e.places {
				break
			}
			s.counts[j][fold][class]++
		}
	}
}

// halfOf says to which half a row belongs. It follows no order in which rows may stand.
func halfOf(row int) int { return int(random.HashRow(row) >> 63) }

func positiveClass(sign float64) int {
	if sign > 0 {
		return 1
	}
	return 0
}

// read reads numbers from s.first on.
func (s *leakSearch) read() {
	for _, values := range s.numbers {
		clear(values)
	}
	for k, i := range s.rows {
		for j, v := range s.x.Row(i) {
			if j >= s.e.places {
				break
			}
			if slot := int(s.slots[j]) - 1 - s.first; slot >= 0 && slot < len(s.numbers) {
				s.numbers[slot][k] += float32(v)
			}
		}
	}
}

// column tries what a column of the table may tell.
func (s *leakSearch) column(c *column, try func(by string, auc float64)) {
	if list := c.figures(); list != nil {
		try("its value", s.number(list[0]))
	}
	if c.absent >= 0 {
		try("a missing value", s.present(c.absent))
	}
	switch {
	case c.Hashed:
	case c.Kind == Text:
		for j := c.at; j < c.end; j++ {
			try(fmt.Sprintf("the word %q", c.Learned.Values[j-c.at]), s.present(j))
		}
	case c.Kind == Category, c.Bins > 0 && !c.stepwise():
		var group []int
		for j := c.at; j < c.end; j++ {
			group = append(group, j)
		}
		try("its value", s.rates(group))
	case c.Kind == Time:
		var groups [3][]int
		for k, name := range c.Learned.Values {
			part, _ := momentPart(name)
			groups[momentKind(part)] = append(groups[momentKind(part)], c.at+k)
		}
		for kind, by := range []string{"its hour", "its month", "its weekday"} {
			try(by, s.rates(groups[kind]))
		}
	}
}

// figures are the encoded columns whose sum has the order of a number, nil for none.
func (c *column) figures() (list []int) {
	if c.number >= 0 {
		return []int{c.number}
	}
	for k := range c.steps {
		list = append(list, c.at+k)
	}
	return list
}

// number returns the AUC of a number in the better direction, or what its ranges tell.
func (s *leakSearch) number(j int) float64 {
	slot := int(s.slots[j]) - 1
	if slot >= s.first+len(s.numbers) {
		s.first = slot
		s.read()
	}
	if s.targets != nil {
		return s.targets.ranked(ranksOf(&s.sorter, s.widened(slot)))
	}
	if s.ranges {
		return s.byRanges(s.numbers[slot-s.first])
	}
	scores := s.widened(slot)
	auc, err := metrics.AUROC(scores, s.labels, nil)
	if err != nil {
		return 0 // the rows that are looked at have one class
	}
	return max(auc, 1-auc)
}

// widened returns the numbers of a slot that is read.
func (s *leakSearch) widened(slot int) []float64 {
	scores := make([]float64, len(s.rows))
	for k, v := range s.numbers[slot-s.first] {
		scores[k] = float64(v)
	}
	return scores
}

// present returns the AUC, in the better direction, of whether a row has an encoded column.
func (s *leakSearch) present(j int) float64 {
	if s.targets != nil {
		return s.targets.present(j)
	}
	with, all := &s.counts[j], &s.all
	rate := func(class int) float64 {
		return float64(with[0][class]+with[1][class]) / float64(all[0][class]+all[1][class])
	}
	// The curve has one corner.
	return 0.5 + float64(math.Abs(rate(1)-rate(0))/2)
}

// rates scores rows by the rate of positive rows with the same one of several encoded columns, and
// returns the AUC of these scores. A row has at most one of the columns. The rates come from the
// other half of the rows.
func (s *leakSearch) rates(columns []int) float64 {
	switch {
	case len(columns) == 0:
		return 0
	case s.targets != nil:
		return s.targets.means(columns)
	}
	groups := make([][2][2]uint32, 0, len(columns)+1)
	rest := s.all // the rows without any of the columns
	for _, j := range columns {
		groups = append(groups, s.counts[j])
		for fold := range rest {
			for class := range rest[fold] {
				rest[fold][class] -= s.counts[j][fold][class]
			}
		}
	}
	return s.rated(append(groups, rest))
}

// mostRanges is the number of ranges of a number.
const mostRanges = 256

// byRanges is rates for ranges of a number that have equally many rows, but for equal values.
func (s *leakSearch) byRanges(values []float32) float64 {
	opposite := make([]float64, len(values)) // which descends where values ascend
	for k, v := range values {
		opposite[k] = -float64(v)
	}
	order := s.sorter.Descending(opposite)
	var groups [][2][2]uint32
	filled, size := 0, (len(order)+mostRanges-1)/mostRanges
	for k := range order {
		row := order[k].Index
		if k == 0 || filled >= size && values[row] != values[order[k-1].Index] {
			groups, filled = append(groups, [2][2]uint32{}), 0
		}
		filled++
		groups[len(groups)-1][halfOf(s.rows[row])][positiveClass(s.labels[row])]++
	}
	return s.rated(groups)
}

// rated returns the AUC of rates of groups of rows, which come from the other half of the rows.
func (s *leakSearch) rated(counts [][2][2]uint32) float64 {
	type group struct {
		rate  float64
		count [2]uint32
	}
	groups := make([]group, 0, 2*len(counts))
	for fold := range 2 {
		other := s.all[1-fold]
		base := float64(other[1]) / float64(max(1, other[0]+other[1]))
		for _, c := range counts {
			seen := c[1-fold]
			// One more row of the usual rate keeps rare values near it.
			groups = append(groups, group{(float64(seen[1]) + base) / (float64(seen[0]) + float64(seen[1]) + 1), c[fold]})
		}
	}
	slices.SortFunc(groups, func(a, b group) int { return cmp.Compare(a.rate, b.rate) })
	below, won, positives := 0.0, 0.0, 0.0
	for k := 0; k < len(groups); {
		var equal [2]float64
		for rate := groups[k].rate; k < len(groups) && groups[k].rate == rate; k++ {
			equal[0] += float64(groups[k].count[0])
			equal[1] += float64(groups[k].count[1])
		}
		won += float64(equal[1] * (below + float64(equal[0]/2)))
		below += equal[0]
		positives += equal[1]
	}
	if below*positives == 0 {
		return 0
	}
	return won / (below * positives)
}
