package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/sparse"
)

// LeakAUC is the AUC above which Leaks reports a column.
const LeakAUC = 0.999

// Leak is a column of a table that tells the target by itself. Such a column was often filled in
// after the target was known.
type Leak struct {
	// Column is the column's name, and By what of it tells the target: "its value", "a missing
	// value", "its hour", "its month", "its weekday", or a word.
	Column, By string
	// AUC is the area under the ROC curve of By alone, above LeakAUC.
	AUC float64
}

// Note returns the leak as a note.
func (l Leak) Note() notes.Note {
	return notes.Note{Kind: notes.Leak, Column: l.Column, Then: fmt.Sprintf("it tells the target by itself: %s has an AUC of %.5g", l.By, l.AUC),
		WayOut: fmt.Sprintf("if it is not known when you predict, {Ignored=%s} leaves it out", l.Column)}
}

// The sizes of a search for leaks.
const (
	leakRows    = 1 << 18       // rows that are measured
	leakNumbers = 64 * leakRows // numbers that are held at once, 4 bytes each
)

// Leaks returns the columns that tell the target by themselves, in the order of the table. data are
// rows that e made. They have two classes, or positive names the positive label: see
// sparse.BinaryLabels for labels that are refused.
//
// Each column is measured by its AUC, rows unweighted:
//
//   - a number, and the seconds of a time, by its value, in the better direction;
//   - a category by the rate of positive rows with the same value. So are the bins of a number and
//     the hour, month and weekday of a time. Rates of one half of the rows score the other half and
//     the reverse: a category is not reported for values that occur once. A hash of a row's number
//     says to which half it belongs;
//   - a missing value, and each word of a text, by whether it is there.
//
// Hashed columns are not measured, as several values share a place. Of more than 2^18 rows, Leaks
// measures a sample. It costs about two passes over these rows, 75 MB at most, and 16 bytes for
// each encoded column. Several goroutines may call it at once.
func (e *Encoder) Leaks(data *sparse.Data, positive *float64) ([]Leak, error) {
	if data == nil || data.X == nil || data.X.Cols() != e.width {
		return nil, fmt.Errorf("table: Leaks needs rows of %d columns that its encoder made", e.width)
	}
	signs, _, err := sparse.BinaryLabels(data.Y, positive)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	search := newLeakSearch(e, data.X, signs, leakRows, leakNumbers)
	var leaks []Leak
	for k := range e.columns {
		c := &e.columns[k]
		var best Leak
		try := func(by string, auc float64) {
			if auc > LeakAUC && auc > best.AUC {
				best = Leak{Column: c.Name, By: by, AUC: auc}
			}
		}
		search.column(c, try)
		if best.AUC > 0 {
			leaks = append(leaks, best)
		}
	}
	return leaks, nil
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
}

// newLeakSearch counts a sample of at most rows rows. It holds at most numbers values at once.
func newLeakSearch(e *Encoder, x *sparse.Matrix, signs []float64, rows, numbers int) *leakSearch {
	s := &leakSearch{e: e, x: x, counts: make([][2][2]uint32, e.places), slots: make([]int32, e.places)}
	step := (len(signs) + rows - 1) / rows
	for i := 0; i < len(signs); i += step {
		// One of step rows: a fixed distance could fit the order of the rows.
		row := i + int(random.HashRow(i)%uint64(min(step, len(signs)-i)))
		s.rows, s.labels = append(s.rows, row), append(s.labels, signs[row])
	}
	slot := int32(0)
	for k := range e.columns {
		if at := e.columns[k].number; at >= 0 {
			slot++
			s.slots[at] = slot
		}
	}
	s.numbers = make([][]float32, min(int(slot), numbers/max(1, len(s.rows))))
	for k := range s.numbers {
		s.numbers[k] = make([]float32, len(s.rows))
	}
	for k, i := range s.rows {
		fold, class := halfOf(i), positiveClass(s.labels[k])
		s.all[fold][class]++
		for j := range x.Row(i) {
			if j >= e.places {
				break
			}
			s.counts[j][fold][class]++
		}
	}
	s.read()
	return s
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
				s.numbers[slot][k] = float32(v)
			}
		}
	}
}

// column tries what a column of the table may tell.
func (s *leakSearch) column(c *column, try func(by string, auc float64)) {
	if c.number >= 0 {
		try("its value", s.number(c.number))
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
	case c.Kind == Category, c.Bins > 0:
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

// number returns the AUC of a number in the better direction.
func (s *leakSearch) number(j int) float64 {
	slot := int(s.slots[j]) - 1
	if slot >= s.first+len(s.numbers) {
		s.first = slot
		s.read()
	}
	scores := make([]float64, len(s.rows))
	for k, v := range s.numbers[slot-s.first] {
		scores[k] = float64(v)
	}
	auc, err := metrics.AUROC(scores, s.labels, nil)
	if err != nil {
		return 0 // the rows that are looked at have one class
	}
	return max(auc, 1-auc)
}

// present returns the AUC, in the better direction, of whether a row has an encoded column.
func (s *leakSearch) present(j int) float64 {
	with, all := &s.counts[j], &s.all
	rate := func(class int) float64 {
		return float64(with[0][class]+with[1][class]) / float64(all[0][class]+all[1][class])
	}
	// The curve has one corner.
	return 0.5 + math.Abs(rate(1)-rate(0))/2
}

// rates scores rows by the rate of positive rows with the same one of several encoded columns, and
// returns the AUC of these scores. A row has at most one of the columns. The rates come from the
// other half of the rows.
func (s *leakSearch) rates(columns []int) float64 {
	if len(columns) == 0 {
		return 0
	}
	type group struct {
		rate  float64
		count [2]uint32
	}
	var groups []group
	for fold := range 2 {
		own, other := s.all[fold], s.all[1-fold]
		base := float64(other[1]) / float64(max(1, other[0]+other[1]))
		add := func(seen, rows [2]uint32) {
			// One more row of the usual rate keeps rare values near it.
			groups = append(groups, group{(float64(seen[1]) + base) / (float64(seen[0]) + float64(seen[1]) + 1), rows})
		}
		for _, j := range columns {
			for class := range 2 {
				own[class] -= s.counts[j][fold][class]
				other[class] -= s.counts[j][1-fold][class]
			}
			add(s.counts[j][1-fold], s.counts[j][fold])
		}
		add(other, own) // the rows without any
	}
	slices.SortFunc(groups, func(a, b group) int { return cmp.Compare(a.rate, b.rate) })
	below, won, positives := 0.0, 0.0, 0.0
	for k := 0; k < len(groups); {
		var equal [2]float64
		for rate := groups[k].rate; k < len(groups) && groups[k].rate == rate; k++ {
			equal[0] += float64(groups[k].count[0])
			equal[1] += float64(groups[k].count[1])
		}
		won += float64(equal[1] * (below + equal[0]/2))
		below += equal[0]
		positives += equal[1]
	}
	if below*positives == 0 {
		return 0
	}
	return won / (below * positives)
}
