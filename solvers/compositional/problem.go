// Package compositional minimises averages of functions of an average:
//
//	minimise Phi(x) = F(x) + r(x) over x in X,   F(x) = (1/n) sum_i f_i(g(x)),   g(x) = (1/m) sum_j g_j(x)
//
// where g_j maps R^d to R^k, f_i maps R^k to R, and r, with the set X folded in, has a cheap
// proximal operator. The gradient of F is a product of two averages, so one i and one j give no
// unbiased sample of it. The solvers here differ in how they deal with that.
//
// Comments number the equations, algorithms and theorems of
// "Improved Sample Complexity for Stochastic Compositional Variance Reduced
// Gradient" (Lin, Fan, Wang and Jordan). A sample, as counted there and here, is one
// g_j with its Jacobian or one f_i with its gradient, at one point of the run: a full
// gradient costs m+n of them, and so does a pass of solvers.Settings.MaxEpochs.
// Result.GradientEvaluations is the number of samples.
package compositional

import (
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/penalty"
)

// Shape holds the sizes of a composition. It is safe for concurrent reading.
type Shape struct {
	Outer   int // n, the number of f_i
	Inner   int // m, the number of g_j
	Between int // k, the length of g(x)
	Columns int // d, the length of x
}

// samples is the number of f_i and g_j that a full gradient takes.
func (s Shape) samples() int { return s.Outer + s.Inner }

// Composition is the smooth part F of a problem, as its user brings it. Samples are
// lists of numbers of functions, from 0, in which a number may stand more than once;
// the list nil stands for each function once. Every method adds to dst, and keeps or
// changes nothing else. Results may depend on nothing but the arguments; where they
// are to have the same bits on all machines, they are made with package kernels. A run calls
// its methods from one goroutine at a time.
type Composition interface {
	// Shape returns the sizes, which never change.
	Shape() Shape
	// AddInner adds scale g_j(x) to dst, of length k, for every j of the sample.
	AddInner(dst []float64, scale float64, sample []uint32, x []float64)
	// AddJacobian adds scale J_j(x)'u to dst, of length d, for every j of the sample:
	// J_j, k by d, is the Jacobian of g_j, and u has length k.
	AddJacobian(dst []float64, scale float64, sample []uint32, x, u []float64)
	// AddOuter adds scale grad f_i(y) to dst, of length k, for every i of the sample.
	AddOuter(dst []float64, scale float64, sample []uint32, y []float64)
	// SumOuter returns the sum of f_i(y) over the sample.
	SumOuter(sample []uint32, y []float64) float64
	// Identity is a text that tells compositions apart, for checkpoints.
	Identity() string
}

// Anchor is what a Composition may implement to keep the average Jacobian at a
// reference point in a form of its own. For others, the solvers that need it store it
// as k by d numbers, and make it of k products with all m Jacobians. A run calls its methods
// from one goroutine at a time, and no other run may share it.
type Anchor interface {
	// SetAnchor makes z = (1/m) sum_j J_j(x) the matrix of AddAnchor. It may be
	// called again at any time; a resumed run calls it with the same x.
	SetAnchor(x []float64)
	// AddAnchor adds scale z'u to dst.
	AddAnchor(dst []float64, scale float64, u []float64)
}

// Affine is what a Composition may implement to say that its g_j are affine. The correction (3) of
// the average Jacobian is then zero and is not computed. It is safe for concurrent use.
type Affine interface {
	// IsAffine tells whether no Jacobian depends on x.
	IsAffine() bool
}

// Smooth is what a Composition may implement to give the Lipschitz constant of the
// gradient of F, or a bound of it. For others it is estimated from full gradients. A run calls
// its method from one goroutine at a time.
type Smooth interface {
	Smoothness() float64
}

// Problem is what Solve minimises. Runs may share it, as far as F and R may be.
type Problem struct {
	F Composition
	// R is the regulariser and the set X; nil means r = 0 on all of R^d.
	R penalty.Penalty
	// UnitThreshold applies the proximal operator of r instead of the operator of step
	// times r, and serves to repeat a mistake: the runs then end at another point than the
	// minimum. A public copy of the authors' code has it. That copy is of an earlier version of
	// the paper: it has 21 data sets, epochs that grow by 3/2 from 5, and one f_i a sample. It is
	// not known whether the paper's figures were made with it.
	UnitThreshold bool
}

// Check says what is wrong with a problem, if anything.
func (p *Problem) Check() error {
	if p == nil || p.F == nil {
		return errors.New("compositional: the problem has no composition F")
	}
	s := p.F.Shape()
	for _, v := range []struct {
		name  string
		value int
	}{{"Outer (n)", s.Outer}, {"Inner (m)", s.Inner}, {"Between (k)", s.Between}, {"Columns (d)", s.Columns}} {
		if v.value < 1 || v.value > 1<<30 {
			return fmt.Errorf("compositional: %s is %d; it must be between 1 and 2^30", v.name, v.value)
		}
	}
	if p.R == nil {
		return nil
	}
	if err := p.R.Check(s.Columns); err != nil {
		return fmt.Errorf("compositional: %w", err)
	}
	return nil
}

func (p *Problem) regularizer() penalty.Penalty {
	if p.R == nil {
		return penalty.Ridge{}
	}
	return p.R
}
