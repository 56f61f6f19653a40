// Package truncated has the inner loop of truncated Newton methods, which the families share.
package truncated

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/kernels"
)

// Defaults returns the parameters of an inner loop with the usual ones in place of 0: when
// an iteration gains too little, and the most iterations.
func Defaults(forcing float64, most int) (float64, int) {
	if forcing == 0 {
		forcing = 0.5
	}
	if most == 0 {
		most = 250
	}
	return forcing, most
}

// Check says which of the parameters is out of its range, if any.
func Check(forcing float64, most int) error {
	if forcing, _ = Defaults(forcing, most); !(forcing > 0 && forcing < 1) {
		return fmt.Errorf("forcing is %v; it must lie between 0 and 1", forcing)
	}
	if most < 0 {
		return fmt.Errorf("max-inner is %d; it must be positive", most)
	}
	return nil
}

// Metric approximates the Hessian.
type Metric interface {
	// Solve computes dst = M^-1 r.
	Solve(v *direct.Vectors, dst, r []float64)
}

// Inner is a step's conjugate gradients on H s = -g, on vectors of one element a weight.
// Whoever embeds it multiplies by H: Product from Direction, before every Advance.
type Inner struct {
	Vectors                     direct.Vectors
	Step, R, Direction, Product []float64 // s, -(Hs + g), the conjugate direction d, Hd
	Model                       float64   // minus the quadratic model at s
	Iterations                  int
	Ready                       bool // to take the step
	// Foreseen tells that the next iteration is likely to be the last of the step: Last may
	// do it without a product then.
	Foreseen bool
	// Target, where it is above 0, ends the loop at a squared norm of the residual, in place of
	// forcing: where the model is the objective, a loop that ends early only has to be begun again.
	Target float64
	// Exact tells that the metric is the inverse of H, but for rounding: one iteration is all.
	Exact bool

	scaled        []float64 // M^-1 r
	metric        Metric
	square, first float64 // r'M^-1r now and at s = 0
	forcing       float64
	most          int
}

// Numbers of the line searches that follow an inner loop.
const (
	// Decrease is the share of the promised decrease that a search asks for.
	Decrease = 0.01
	// Halvings bounds a line search: where lambda alone curves the model, the first step may be
	// far too long.
	Halvings = 400
	// Hidden is the share of the objective that rounding may hide.
	Hidden = 1e-14
	// nearOne is how near 1 the length of the one iteration of an exact metric is.
	nearOne = 1e-6
)

// Patience returns the number of iterations that a run may take: in exact arithmetic a step takes
// at most one for each weight.
func Patience(weights int) int { return 8*weights + 128 }

// New returns an inner loop for a number of weights. It ends once an iteration improves the
// quadratic model by less than forcing times the mean improvement so far. Source: Nash and Sofer
// 1990, "Assessing a search direction within a truncated-Newton method". It also ends once the
// residual is at most forcing/5 of the first one, and after most iterations.
func New(weights int, metric Metric, pool *matrix.Pool, lent *direct.Workspace, forcing float64, most int) Inner {
	l := Inner{Vectors: direct.Vectors{Pool: pool}, metric: metric, forcing: forcing, most: most}
	for _, v := range []*[]float64{&l.Step, &l.R, &l.Direction, &l.Product, &l.scaled} {
		*v = lent.Zeros(weights)
	}
	return l
}

// Open begins a step at gradient g. The metric belongs to the same point.
func (l *Inner) Open(g []float64) {
	clear(l.Step)
	l.Vectors.Scale(l.R, -1, g)
	l.square = l.precondition()
	l.first = l.square
	copy(l.Direction, l.scaled)
	l.Model, l.Iterations, l.Ready, l.Foreseen = 0, 0, false, l.Exact
}

// Last makes an iteration whose gain ends the step, given the curvature d'Hd along the
// direction. It returns how far the step went, and tells whether it did: where it did not,
// nothing has changed, and Advance is to be called.
func (l *Inner) Last(bend float64) (alpha float64, done bool) {
	if !(bend > 0) {
		return 0, false
	}
	alpha = l.square / bend
	gain := float64(0.5 * float64(alpha*l.square))
	solved := l.Exact && l.Iterations == 0 && math.Abs(alpha-1) <= nearOne
	if !solved && !l.enough(l.Iterations+1, gain, l.Model+gain) {
		return 0, false
	}
	l.Iterations++
	l.Vectors.Axpy(alpha, l.Direction, l.Step)
	l.Model += gain
	l.Ready = true
	return alpha, true
}

// enough tells whether an iteration that gained so much is the last.
func (l *Inner) enough(iterations int, gain, model float64) bool {
	if l.Target > 0 {
		return gain <= float64(direct.Unit*model) || iterations >= l.most
	}
	return float64(float64(iterations)*gain) <= float64(l.forcing*model) || iterations >= l.most
}

// Advance makes an iteration of the product with the direction, and returns how far the
// step went along that. curved is false where the direction has no curvature: the step
// is the direction then if it is the first, and stays what it was otherwise.
func (l *Inner) Advance() (alpha float64, curved bool) {
	l.Iterations++
	bend := l.Vectors.Dot(l.Direction, l.Product)
	if !(bend > 0) {
		// No curvature along d, which lambda = 0 allows: go along what there is.
		if l.Iterations == 1 {
			copy(l.Step, l.Direction)
		}
		l.Ready = true
		return 0, false
	}
	alpha = l.square / bend
	l.Vectors.Axpy(alpha, l.Direction, l.Step)
	l.Vectors.Axpy(-alpha, l.Product, l.R)
	gain := float64(0.5 * float64(alpha*l.square))
	l.Model += gain
	square := l.precondition()
	// With a good preconditioner the first iterations solve the step.
	solved := square <= float64(float64(0.04*float64(l.forcing*l.forcing))*l.first)
	if l.Target > 0 {
		solved = l.Vectors.SquaredNorm(l.R) <= l.Target
	}
	if solved || l.enough(l.Iterations, gain, l.Model) {
		l.Ready = true
		return alpha, true
	}
	next := float64(0.5 * float64(alpha*square)) // its gain, if it goes as far
	l.Foreseen = l.Target == 0 && l.enough(l.Iterations+1, next, l.Model+next)
	l.Vectors.ScaleAdd(l.Direction, 1, l.scaled, square/l.square, l.Direction)
	l.square = square
	return alpha, true
}

// Left expects the number of iterations that are left to Target, at the mean rate of those before.
func (l *Inner) Left() float64 {
	rate := kernels.LogOf(l.first/l.square) / float64(l.Iterations)
	if !(rate > 0) {
		return math.Inf(1)
	}
	return kernels.LogOf(l.Vectors.SquaredNorm(l.R)/l.Target) / rate
}

// precondition applies M^-1 to the residual and returns its squared length in that
// metric.
func (l *Inner) precondition() float64 {
	l.metric.Solve(&l.Vectors, l.scaled, l.R)
	return l.Vectors.Dot(l.scaled, l.R)
}

// State visits the loop's state.
func (l *Inner) State(c *checkpoint.Coder) {
	for _, v := range [][]float64{l.Step, l.R, l.Direction} {
		c.Floats(v)
	}
	for _, v := range []*float64{&l.square, &l.Model, &l.first} {
		c.Float64(v)
	}
	c.Count(&l.Iterations, checkpoint.MostCount)
	c.Bool(&l.Ready)
	c.Bool(&l.Foreseen)
	c.Float64(&l.Target)
	c.Bool(&l.Exact)
}
