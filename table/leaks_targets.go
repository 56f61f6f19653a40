package table

import (
	"slices"

	ranking "github.com/lanes-go/lanes/internal/base/order"
	"github.com/lanes-go/lanes/sparse"
)

// leakTargets are the targets of a search for leaks.
type leakTargets struct {
	// targets are of the sampled rows, less their mean; ranks have equal ones for equal targets, and
	// a mean of 0.
	targets, ranks []float64
	// sums are of the targets of rows with each encoded column, in both halves of the rows; all are of
	// all rows.
	sums [][2]targetSum
	all  [2]targetSum
	// squares is the sum of the squares of targets, of both halves.
	squares float64
}

// targetSum is a number of rows and the sum of their targets.
type targetSum struct{ count, sum float64 }

// newTargetSearch is newLeakSearch for targets that are numbers.
func newTargetSearch(e *Encoder, x *sparse.Matrix, y []float64, rows, numbers int) *leakSearch {
	s := sampleLeaks(e, x, y, rows, numbers)
	t := &leakTargets{targets: slices.Clone(s.labels), sums: make([][2]targetSum, e.places)}
	s.targets = t
	mean := 0.0
	for _, v := range t.targets {
		mean += v / float64(len(t.targets))
	}
	for k, i := range s.rows {
		t.targets[k] -= mean
		v, fold := t.targets[k], halfOf(i)
		t.squares += float64(v * v)
		t.all[fold].add(v)
		for j := range x.Row(i) {
			if j >= e.places {
				break
			}
			t.sums[j][fold].add(v)
		}
	}
	t.ranks = ranksOf(&s.sorter, t.targets)
	return s
}

func (m *targetSum) add(v float64) {
	m.count++
	m.sum += v
}

// ranksOf returns the ranks of values less their mean; equal values have their mean rank.
func ranksOf(sorter *ranking.Sorter, values []float64) []float64 {
	rows := sorter.Descending(values)
	ranks := make([]float64, len(values))
	for first := 0; first < len(rows); {
		end := first + 1
		for end < len(rows) && values[rows[end].Index] == values[rows[first].Index] {
			end++
		}
		for _, r := range rows[first:end] {
			ranks[r.Index] = float64(len(rows)-first-end) / 2
		}
		first = end
	}
	return ranks
}

// ranked returns the squared correlation of ranks of values and of targets.
func (t *leakTargets) ranked(own []float64) float64 {
	product, a, b := 0.0, 0.0, 0.0
	for k, r := range own {
		product += float64(r * t.ranks[k])
		a += float64(r * r)
		b += float64(t.ranks[k] * t.ranks[k])
	}
	if a == 0 || b == 0 {
		return 0
	}
	return float64(product/a) * (product / b)
}

// present returns the share of the variance that is explained by whether a row has an encoded column.
func (t *leakTargets) present(j int) float64 {
	with := targetSum{t.sums[j][0].count + t.sums[j][1].count, t.sums[j][0].sum + t.sums[j][1].sum}
	without := float64(len(t.targets)) - with.count
	if t.squares == 0 || with.count == 0 || without == 0 {
		return 0
	}
	return float64(with.sum*with.sum) * (1/with.count + 1/without) / t.squares
}

// means returns the share of the variance that means of the rows with the same one of several encoded
// columns explain. The means come from the other half of the rows.
func (t *leakTargets) means(columns []int) float64 {
	if t.squares == 0 {
		return 0
	}
	left := t.squares
	for fold := range 2 {
		base := t.all[1-fold].sum / max(1, t.all[1-fold].count)
		predict := func(seen, own targetSum) {
			// One more row of the usual mean keeps rare values near it.
			mean := (seen.sum + base) / (seen.count + 1)
			left += float64(mean * (float64(mean*own.count) - 2*own.sum))
		}
		own, other := t.all[fold], t.all[1-fold]
		for _, j := range columns {
			mine, theirs := t.sums[j][fold], t.sums[j][1-fold]
			own, other = targetSum{own.count - mine.count, own.sum - mine.sum}, targetSum{other.count - theirs.count, other.sum - theirs.sum}
			predict(theirs, mine)
		}
		predict(other, own) // the rows without any of the columns
	}
	return 1 - left/t.squares
}
