package risk

import (
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// Labels holds sums over rows, by Add, from which Constant follows: the weights, and the weighted
// sums of labels and offsets. Sums of disjoint rows may be added element by element.
type Labels [3]float64

// Add adds rows with labels y, weights s, nil for ones, and offsets o, nil for zeros.
func (t *Labels) Add(y, s, o []float64) {
	if s == nil {
		t[0] += float64(len(y))
		t[1] += kernels.Sum(y)
		t[2] += kernels.Sum(o)
		return
	}
	t[0] += kernels.Sum(s)
	t[1] += direct.Dot(s, y)
	if o != nil {
		t[2] += direct.Dot(s, o)
	}
}

// Constant returns the intercept that a run of n rows begins with, beside weights of 0. It is the
// best one without offsets, but for Huber's loss, whose mean target it is. A class without rows
// counts as half a row.
func (t *Labels) Constant(loss kernels.Loss, n int) float64 {
	total := t[0]
	if !(total > 0) {
		return 0
	}
	mean, offset := t[1]/total, t[2]/total
	if loss == kernels.Logistic { // whose labels are -1 and 1
		least := 1 / float64(n)
		return kernels.LogOf(max(1+mean, least)/max(1-mean, least)) - offset
	}
	return mean - offset
}

// Constant returns Labels.Constant of the rows of a problem.
func Constant(p *Problem) float64 {
	var t Labels
	t.Add(p.Y, p.SampleWeight, p.Offset)
	return t.Constant(p.Loss, len(p.Y))
}
