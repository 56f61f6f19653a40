package erm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

var allLosses = []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{Delta: 0.7}}

// randomProblem has rows of 0 to 2 perRow entries, a bias column, and sample
// weights where asked for.
func randomProblem(t testing.TB, phi loss.Loss, n, d, perRow int, lambda float64, weighted bool) *Problem {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	ptr, columns, values := []int64{0}, []uint32{}, []float64{}
	p := &Problem{Loss: phi, Penalty: penalty.Ridge{Lambda: lambda}}
	for i := range n {
		want := r.IntN(2*perRow + 1)
		if i == 3 {
			want = 0
		}
		for j := range d {
			if r.IntN(d) < want {
				columns = append(columns, uint32(j))
				values = append(values, r.NormFloat64())
			}
		}
		ptr = append(ptr, int64(len(columns)))
		y := r.NormFloat64()
		if phi == (loss.Logistic{}) || phi == (loss.SquaredHinge{}) {
			y = math.Copysign(1, y)
		}
		p.Y = append(p.Y, y)
		if weighted {
			p.SampleWeight = append(p.SampleWeight, r.Float64()*2)
		}
	}
	x, err := sparse.NewCSR(d, ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	p.X = x.WithBias(1)
	return p
}

// reference does everything on dense rows, in the plainest way.
type reference struct {
	*Problem
	x [][]float64
}

func newReference(p *Problem) *reference {
	r := &reference{Problem: p, x: make([][]float64, p.X.Rows())}
	for i := range r.x {
		r.x[i] = make([]float64, p.X.Cols())
		for j, v := range p.X.Row(i) {
			r.x[i][j] = v
		}
	}
	return r
}

func dot(x, y []float64) float64 {
	s := 0.0
	for j := range x {
		s += x[j] * y[j]
	}
	return s
}

func axpy(a float64, x, y []float64) {
	for j := range x {
		y[j] += a * x[j]
	}
}

func (r *reference) weight(i int) float64 {
	if r.SampleWeight == nil {
		return 1
	}
	return r.SampleWeight[i]
}

// phi returns the loss and its first three derivatives.
func (r *reference) phi(i int, z float64) (f, f1, f2, f3 float64) {
	y, delta := r.Y[i], r.Loss.Parameter()
	switch r.Loss.String() {
	case "logistic":
		s := 1 / (1 + math.Exp(-z))
		f = math.Log1p(math.Exp(-math.Abs(z))) + max(0, -y*z)
		f1, f2 = -y/(1+math.Exp(y*z)), s*(1-s)
		f3 = f2 * (1 - 2*s)
	case "squared":
		f, f1, f2 = (z-y)*(z-y)/2, z-y, 1
	case "squared-hinge":
		if m := 1 - y*z; m > 0 {
			f, f1, f2 = m*m/2, -y*m, 1
		}
	case "huber":
		if d := z - y; math.Abs(d) <= delta {
			f, f1, f2 = d*d/2, d, 1
		} else {
			f, f1 = delta*(math.Abs(d)-delta/2), math.Copysign(delta, d)
		}
	}
	s := r.weight(i)
	return s * f, s * f1, s * f2, s * f3
}

func (r *reference) all() []uint32 {
	rows := make([]uint32, len(r.x))
	for i := range rows {
		rows[i] = uint32(i)
	}
	return rows
}

// objective is the mean over rows of f_i.
func (r *reference) objective(rows []uint32, w []float64) float64 {
	s := 0.0
	for _, i := range rows {
		f, _, _, _ := r.phi(int(i), dot(r.x[i], w))
		s += f
	}
	return s/float64(len(rows)) + r.Ridge()/2*dot(w, w)
}

// gradient is its gradient.
func (r *reference) gradient(rows []uint32, w []float64) []float64 {
	g := make([]float64, len(w))
	for _, i := range rows {
		_, f1, _, _ := r.phi(int(i), dot(r.x[i], w))
		axpy(f1/float64(len(rows)), r.x[i], g)
	}
	axpy(r.Ridge(), risk.Held(r.Problem, w), g)
	return g
}

// newton is the step (7) by way of the dense Hessian.
func (r *reference) newton(rows []uint32, w, v []float64) float64 {
	hv, cubic := make([]float64, len(w)), 0.0
	for _, i := range rows {
		q := dot(r.x[i], v)
		_, _, f2, f3 := r.phi(int(i), dot(r.x[i], w))
		axpy(f2*q/float64(len(rows)), r.x[i], hv)
		cubic += f3 * q * q * q / float64(len(rows))
	}
	axpy(r.Ridge(), v, hv)
	return 2 * dot(v, hv) / math.Abs(2*dot(hv, hv)+2*cubic)
}

// recursiveStep is lines 18 and 19 of algorithm 2.
func (r *reference) recursiveStep(rows []uint32, w, v []float64, alpha float64) {
	before := r.gradient(rows, w)
	axpy(-alpha, v, w)
	after := r.gradient(rows, w)
	for j := range v {
		v[j] += after[j] - before[j]
	}
}

// loopOf begins a method's loop outside Solve.
func loopOf(t testing.TB, p *Problem, m Method, s solvers.Settings) run.Loop {
	t.Helper()
	s, err := run.Check(s, p.X.Cols())
	if err != nil {
		t.Fatal(err)
	}
	if err := family.Check(m); err != nil {
		t.Fatal(err)
	}
	loop, _, err := m.begin(&task{p: p, settings: s, full: newObjective(p, nil, nil), random: random.New(s.Seed)})
	if err != nil {
		t.Fatal(err)
	}
	return loop
}

func compare(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if err := apart(got, want, tolerance); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// apart compares vectors to a share of the largest element.
func apart(got, want []float64, tolerance float64) error {
	far, scale := 0.0, 0.0
	for j := range want {
		scale = max(scale, math.Abs(want[j]))
		far = max(far, math.Abs(got[j]-want[j]))
	}
	if !(far <= tolerance*scale) {
		return fmt.Errorf("off by %.3g of %.3g", far, scale)
	}
	return nil
}
