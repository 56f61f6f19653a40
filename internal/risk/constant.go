package risk

import (
	"math"

	"github.com/lanes-go/lanes/kernels"
)

// Constant returns an intercept to begin with beside weights of 0: the best one without offsets,
// but for Huber's loss, whose mean target it is. Rows of one class count as if half a row of the
// other was there. It reads the labels once.
func Constant(p *Problem) float64 {
	var above, below, sum, offset float64 // weights of both signs, and weighted sums
	for i, y := range p.Y {
		s := 1.0
		if p.SampleWeight != nil {
			s = p.SampleWeight[i]
		}
		if y > 0 {
			above += s
		} else {
			below += s
		}
		sum = math.FMA(s, y, sum)
		if p.Offset != nil {
			offset = math.FMA(s, p.Offset[i], offset)
		}
	}
	total := above + below
	if !(total > 0) {
		return 0
	}
	offset /= total
	switch p.Loss {
	case kernels.Logistic:
		least := total / float64(2*len(p.Y))
		return kernels.LogOf(max(above, least)/max(below, least)) - offset
	case kernels.SquaredHinge:
		return (above-below)/total - offset
	}
	return sum/total - offset
}
