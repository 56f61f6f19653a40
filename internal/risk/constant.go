package risk

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// Labels holds sums over rows, by Add, from which Constant follows: the weights of rows with
// labels above 0 and of other rows, and the weighted sums of labels and offsets. Sums of disjoint
// rows may be added element by element.
type Labels [4]float64

// Add adds rows with labels y, weights s, nil for ones, and offsets o, nil for zeros.
func (t *Labels) Add(y, s, o []float64) {
	for i, v := range y {
		weight := direct.Weight(s, i)
		if v > 0 {
			t[0] += weight
		} else {
			t[1] += weight
		}
		t[2] = math.FMA(weight, v, t[2])
		t[3] = math.FMA(weight, direct.Offset(o, i), t[3])
	}
}

// Constant returns the intercept that a run of n rows begins with, beside weights of 0. It is the
// best one without offsets, but for Huber's loss, whose mean target it is. A class without rows
// counts as half a row.
func (t *Labels) Constant(loss kernels.Loss, n int) float64 {
	total := t[0] + t[1]
	if !(total > 0) {
		return 0
	}
	offset := t[3] / total
	switch loss {
	case kernels.Logistic:
		least := total / float64(2*n)
		return kernels.LogOf(max(t[0], least)/max(t[1], least)) - offset
	case kernels.SquaredHinge:
		return (t[0]-t[1])/total - offset
	}
	return t[2]/total - offset
}

// Constant returns Labels.Constant of the rows of a problem.
func Constant(p *Problem) float64 {
	var t Labels
	t.Add(p.Y, p.SampleWeight, p.Offset)
	return t.Constant(p.Loss, len(p.Y))
}

// Check refuses labels of one class beside an intercept, which would be infinite.
func (t *Labels) Check(p *Problem) error {
	if p.Intercept && (p.Loss == kernels.Logistic || p.Loss == kernels.SquaredHinge) && !(t[0] > 0 && t[1] > 0) {
		return errOneClass
	}
	return nil
}
