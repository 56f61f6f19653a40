package certificate

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/cholesky"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
)

// Unpenalised is a problem without a penalty, of a moderate number of columns d. It takes memory
// for d^2 numbers, and 4 numbers a row.
type Unpenalised struct {
	p    *risk.Problem
	x    direct.Matrix
	z, h []float64
	g, a []float64
}

// NewUnpenalised prepares the bounds of a problem, which must be valid.
func NewUnpenalised(p Problem) *Unpenalised {
	n, d := p.X.Rows(), p.X.Cols()
	return &Unpenalised{
		p: &p.Problem, x: direct.Matrix{Matrix: p.X, Pool: p.Pool},
		z: make([]float64, n), h: make([]float64, n), g: make([]float64, d), a: make([]float64, d*d),
	}
}

// Margins returns x_i'w + o_i of every row at the weights of the last Step.
func (u *Unpenalised) Margins() []float64 { return u.z }

// Step is Newton's step at some weights: v with H v = g, for the gradient g and the second
// derivatives H. Next weights are w - v.
type Step struct {
	V []float64
	// Decrement is g'v/2, about how far the objective is from its minimum.
	Decrement float64
	// Change is the largest |x_i'v| of rows that count; of those with a Side where phi'' is above |phi'|,
	// phi''/|phi'| times that. If it is below 1, the mean of a Receding loss has a minimum: see
	// docs/certificates.md.
	Change float64
	// Dependent are columns of H that depend on the columns before them, to rounding.
	Dependent []int
	// Solved says that v solves the equations to 1e-6, but for rounding of g.
	Solved bool
}

// Step returns Newton's step at w. It costs a Gram matrix, its factor, and two passes.
func (u *Unpenalised) Step(w []float64) Step {
	p, n := u.p, float64(u.x.Rows())
	u.x.MulVec(u.z, w)
	for i := range u.z {
		u.z[i] += direct.Offset(p.Offset, i)
	}
	t := make([]float64, len(u.z))
	p.Loss.Curvature(u.h, t, u.z, p.Y, p.SampleWeight)
	p.Loss.Gradient(t, u.z, p.Y, p.SampleWeight)
	ratios := u.ratios(t)
	clear(u.g)
	u.x.AddTrans(u.g, t)
	direct.Scale(u.g, 1/n, u.g)
	direct.Scale(u.h, 1/n, u.h)
	u.x.Gram(u.a, u.h)
	s := Step{V: slices.Clone(u.g)}
	scales := make([]float64, len(u.g)) // the roots of the diagonal
	for j := range scales {
		scales[j] = math.Sqrt(u.a[j*len(scales)+j])
	}
	s.Dependent = cholesky.FactorBy(u.x.Pool, u.a, len(u.g))
	cholesky.Solve(s.V, u.a, u.g)
	s.Decrement = 0.5 * direct.Dot(u.g, s.V)
	u.x.MulVec(t, s.V)
	for i, v := range t {
		if direct.Weight(p.SampleWeight, i) > 0 {
			s.Change = max(s.Change, math.Abs(float64(v*ratios[i])))
		}
		t[i] = -float64(u.h[i] * v)
	}
	rest := slices.Clone(u.g)
	u.x.AddTrans(rest, t)
	s.Solved = s.Decrement >= 0 && s.Change-s.Change == 0
	squares := make([]float64, len(rest))
	for i := range t {
		t[i] = direct.Weight(p.SampleWeight, i) / n
	}
	mass := kernels.Sum(t)
	u.x.AddSquares(squares, t)
	for j, r := range rest {
		rounding := float64(1e-13 * math.Sqrt(mass*squares[j]))
		s.Solved = s.Solved && math.Abs(r) <= float64(float64(1e-6*scales[j])*math.Sqrt(2*s.Decrement))+rounding
	}
	return s
}

// ratios returns phi”/|phi'| of the rows with a Side where that is above 1, else 1. c are the slopes.
func (u *Unpenalised) ratios(c []float64) []float64 {
	list := make([]float64, len(c))
	receding, is := u.p.Loss.(loss.Receding)
	for i, v := range c {
		list[i] = 1
		if size := math.Abs(v); is && u.h[i] > size && receding.Side(u.p.Y[i]) != 0 {
			list[i] = u.h[i] / size
		}
	}
	return list
}

// Sum says that a column is the sum of multiples of other columns, in all rows that count.
type Sum struct {
	Column  int
	Factors []float64 // of the columns, 0 for Column itself
}

// Sums returns the columns that are sums of multiples of the columns before them: their number, and
// the first ones, at most most, each found true of every row to 1e-9 of its terms. It costs a Gram
// matrix, its factor, and a pass for each of the most.
func (u *Unpenalised) Sums(most int) (count int, list []Sum) {
	d, n := len(u.g), len(u.z)
	for i := range u.h {
		u.h[i] = 0
		if direct.Weight(u.p.SampleWeight, i) > 0 {
			u.h[i] = 1 / float64(n)
		}
	}
	u.x.Gram(u.a, u.h)
	dependent := cholesky.FactorBy(u.x.Pool, u.a, d)
	counts := slices.Clone(u.h)
	for _, k := range dependent {
		c := make([]float64, d)
		for j := k - 1; j >= 0; j-- {
			if slices.Contains(dependent, j) {
				continue
			}
			c[j] = (u.a[j*d+k] - direct.Dot(u.a[j*d+j+1:j*d+k], c[j+1:k])) / u.a[j*d+j]
		}
		if len(list) == most {
			break
		}
		if u.holds(k, c, counts) {
			list = append(list, Sum{k, c})
		}
	}
	return len(dependent), list
}

// holds tells whether x_ik is the sum of c_j x_ij for every row that counts. It takes factors that
// rounding alone makes other than 0 for 0.
func (u *Unpenalised) holds(k int, c, counts []float64) bool {
	lengths := make([]float64, len(c))
	u.x.AddSquares(lengths, counts)
	own := math.Sqrt(lengths[k])
	if own == 0 {
		return false
	}
	for j := range c {
		if math.Abs(c[j])*math.Sqrt(lengths[j]) <= float64(1e-9*own) {
			c[j] = 0
		}
	}
	for i, s := range counts {
		if s == 0 {
			continue
		}
		sum, size := 0.0, 0.0
		for j, x := range u.p.X.Row(i) {
			term := -float64(x * c[j])
			if j == k {
				term = x
			}
			sum, size = sum+term, size+math.Abs(term)
		}
		if !(math.Abs(sum) <= float64(1e-9*(size+own))) {
			return false
		}
	}
	return true
}

// HasMinimum tells whether a step proves that the problem has a minimum, where dependent columns are
// sums of others. A loss whose minimum is always attained needs no proof. The proof is for
// Receding losses; nothing is known of other losses.
func (u *Unpenalised) HasMinimum(s *Step, dependent int) bool {
	_, receding := u.p.Loss.(loss.Receding)
	return u.p.Loss.Attained() || receding && s.Solved && s.Change <= 0.5 && len(s.Dependent) <= dependent
}
