package elasticnet

import (
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// The matrix of a model costs far more than the rest of a step. Most of it is for rows whose
// curvature hardly matters or hardly changed. A row keeps its curvature in the matrix while the
// current one is within a factor of nearCurvature. It also keeps it while the difference is below
// a share of the mean curvature: slackShare in the first matrix, and slackShare times as much in
// each later one. Steps are Newton's for a matrix that is nearly the Hessian. The slopes, and so
// the end of the run, stay exact.
const (
	nearCurvature = 1.2
	slackShare    = 0.4
)

// form brings the matrix up to the curvatures h of the rows, unless it has been for this
// step; change is workspace for as many numbers.
func (s *part) form(h, change []float64, slack, lambda float64) {
	if s.gram == nil {
		s.hold(lambda)
	}
	if !s.formed {
		least := float64(slack*kernels.Sum(h)) / float64(len(h))
		held, change := s.held[:len(h)], change[:len(h)]
		for i, v := range h { // without branches, which no processor foresees here
			was := held[i]
			by := v - was
			far := -((bit(v > float64(nearCurvature*was)) | bit(was > float64(nearCurvature*v))) & bit(math.Abs(by) > least))
			change[i] = math.Float64frombits(math.Float64bits(by) & far)
			held[i] = math.Float64frombits(math.Float64bits(was) ^ (math.Float64bits(was)^math.Float64bits(v))&far)
		}
		s.rows.AddGram(s.gram, change)
		s.formed = true
	}
	s.complete()
}

// complete makes the rest of the matrix from its lower triangle.
func (s *part) complete() {
	size := len(s.slope)
	direct.Mirror(s.gram, size, 0)
	for a := range size {
		s.diagonal[a] = s.gram[a*size+a]
	}
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// hold makes the matrix of no rows.
func (s *part) hold(lambda float64) {
	size := len(s.slope)
	s.gram = make([]float64, size*size)
	for a := range s.k {
		s.gram[a*size+a] = s.square(a, lambda)
	}
	clear(s.held)
}

// state visits the matrix, which a resumed run goes on from.
func (s *part) state(c *checkpoint.Coder) {
	c.Bool(&s.formed)
	c.Floats(s.held)
	for a := range s.slope {
		c.Floats(s.gram[a*len(s.slope):][:a+1])
	}
}
