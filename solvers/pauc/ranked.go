package pauc

import (
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/sparse"
)

// ranked holds the scores of all rows, and negatives by their place in the ranking of
// the negatives: by decreasing score, those of equal score by row.
type ranked struct {
	t   *task
	all []float64
	// values are the scores of the negatives times their signs, in the order of rows.
	values, work []float64
	// inside and insideScores are what between found.
	inside       []uint32
	insideScores []float64
}

func newRanked(t *task) ranked {
	n := len(t.negatives)
	return ranked{
		t: t, all: make([]float64, len(t.y)), values: make([]float64, n), work: make([]float64, n),
		inside: make([]uint32, 0, n), insideScores: make([]float64, 0, n),
	}
}

// score computes the scores of all rows at w.
func (r *ranked) score(pool *sparse.Pool, w []float64) error {
	if err := r.t.model.All(pool, r.all, w); err != nil {
		return err
	}
	r.gather()
	return nil
}

// gather sets values from all.
func (r *ranked) gather() {
	for k, row := range r.t.negatives {
		r.values[k] = r.all[row]
	}
	r.t.signed(r.values, r.t.negatives)
}

// scoreAt returns the score at rank l, at least 1.
func (r *ranked) scoreAt(l int) (float64, error) {
	return kernels.KthLargest(r.values, max(l, 1), r.work)
}

// between finds the negatives at the ranks first+1 to end, in the order of the rows.
// It costs O(N).
func (r *ranked) between(first, end int) error {
	r.inside, r.insideScores = r.inside[:0], r.insideScores[:0]
	if first >= end {
		return nil
	}
	// A negative is among the l largest where it is above the l-th, or one of the first
	// of those that equal it.
	top, skip := -negativeInfinity, 0
	if first > 0 {
		v, above, _, err := kernels.RankThreshold(r.values, first, r.work)
		if err != nil {
			return err
		}
		top, skip = v, first-above
	}
	bottom, above, _, err := kernels.RankThreshold(r.values, end, r.work)
	if err != nil {
		return err
	}
	take := end - above
	for k, v := range r.values {
		if v > top || v < bottom {
			continue
		}
		if v == bottom {
			if take == 0 {
				continue
			}
			take--
		}
		if v == top && skip > 0 {
			skip--
			continue
		}
		r.inside, r.insideScores = append(r.inside, r.t.negatives[k]), append(r.insideScores, v)
	}
	return nil
}
