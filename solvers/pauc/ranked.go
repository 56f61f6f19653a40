package pauc

import (
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/kernels"
)

// ranked holds the scores of all rows, and finds negatives by rank. Negatives rank by
// decreasing score, and by row where scores are equal.
type ranked struct {
	t   *task
	all []float64
	// values are the scores of the negatives times their signs, in the order of rows.
	values, work []float64
	// inside and insideScores are the rows and scores that between found.
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
func (r *ranked) score(pool *matrix.Pool, w []float64) error {
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
	var err error
	r.inside, r.insideScores, err = between(r.inside[:0], r.insideScores[:0], r.values, r.work, first, end)
	for k, place := range r.inside {
		r.inside[k] = r.t.negatives[place]
	}
	return err
}

// between appends the places of the scores at the ranks first+1 to end, in their
// order, and these scores. Of equal scores the first ones rank first.
func between(places []uint32, inside, scores, work []float64, first, end int) ([]uint32, []float64, error) {
	if first >= end {
		return places, inside, nil
	}
	// A score is among the l largest where it is above the l-th, or equals it and stands early
	// enough among the equal scores.
	top, skip := -negativeInfinity, 0
	if first > 0 {
		v, above, _, err := kernels.RankThreshold(scores, first, work)
		if err != nil {
			return places, inside, err
		}
		top, skip = v, first-above
	}
	bottom, above, _, err := kernels.RankThreshold(scores, end, work)
	if err != nil {
		return places, inside, err
	}
	take := end - above
	for k, v := range scores {
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
		places, inside = append(places, uint32(k)), append(inside, v)
	}
	return places, inside, nil
}
