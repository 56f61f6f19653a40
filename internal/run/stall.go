package run

import (
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/solvers"
)

// stallAfter is the number of successive evaluations without improvement that ends
// a run.
const stallAfter = 20

// stall finds out that a run has nothing left to improve at the precision of float64:
// the objective stays where it is but for rounding, and neither the gradient nor the
// gap has been as small before. A run that still converges brings a new least gradient
// now and then; of noise, the least of many is seldom the next. Where the objective
// has steps, only evaluations that are the same to the last bit count.
type stall struct {
	objective     float64 // since when nothing improved
	gradient, gap float64 // the least
	repeats       int     // evaluations without improvement
}

func newStall() stall { return stall{math.NaN(), math.Inf(1), math.Inf(1), 0} }

// after tells whether the run is to end after a point.
func (s *stall) after(p solvers.Point, smooth bool) bool {
	improved := !level(p.Objective, s.objective) || p.GradientNorm < s.gradient || p.Gap < s.gap
	if !smooth {
		improved = p.Objective != s.objective || p.GradientNorm != s.gradient
		s.gradient = p.GradientNorm
	}
	s.gradient = min(s.gradient, p.GradientNorm)
	if p.Gap < s.gap {
		s.gap = p.Gap
	}
	if !improved {
		s.repeats++
		return s.repeats >= stallAfter
	}
	if !smooth || !level(p.Objective, s.objective) {
		s.objective = p.Objective
	}
	s.repeats = 0
	return false
}

// level tells whether two objectives differ by no more than rounding.
func level(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(b) }

func (s *stall) state(k *checkpoint.Coder) {
	for _, v := range []*float64{&s.objective, &s.gradient, &s.gap} {
		k.Float64(v)
	}
	k.Count(&s.repeats, checkpoint.MostCount)
}
