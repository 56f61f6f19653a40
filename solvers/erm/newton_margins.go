package erm

import (
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
)

// cachedMargins bounds the error of margins z that are a sum of products Xd. The weights w are
// the same sum of the directions d.
//
// w = sum a_k d_k and z = sum a_k Xd_k. A margin computed from w errs by at most
// gamma ||x_i|| ||w||. The distance of z_i from x_i'w is at most (see docs/certificates.md)
//
//	(gamma + 2 (operations + 4) u) ||x_i|| length,   length = sum |a_k| ||d_k||,
//
// As gamma is at least 16 units, this is at most the bound of a margin computed from weights of
// norm length (1 + (operations + 4)/8).
type cachedMargins struct {
	length     float64 // sum |a_k| ||d_k||
	operations int
	step       float64 // the same sum of the step that is being looked for
}

// along adds a direction of that length to the step, which is the first one of it or not.
func (r *cachedMargins) along(alpha, length float64, curved, first bool) {
	switch {
	case first && curved:
		r.step = math.Abs(alpha) * length
	case first:
		r.step = length // the step is the direction
	case curved:
		r.step += float64(math.Abs(alpha) * length)
	}
}

// stepped adds alpha times the step, which took that number of iterations. Steps may be longer than
// any number where alpha is 0.
func (r *cachedMargins) stepped(alpha float64, iterations int) {
	if alpha == 0 {
		return
	}
	r.length += float64(math.Abs(alpha) * r.step)
	r.operations = min(r.operations+iterations+2, checkpoint.MostCount)
}

// norm returns the ||w|| at which margins computed afresh would have the error of the cached
// ones.
func (r *cachedMargins) norm() float64 {
	return float64(float64(r.length*(1+float64(0.125*float64(r.operations+4)))) * (1 + 1e-6))
}

func (r *cachedMargins) state(c *checkpoint.Coder) {
	c.Float64(&r.length)
	c.Float64(&r.step)
	c.Count(&r.operations, checkpoint.MostCount)
}
