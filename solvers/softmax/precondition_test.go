package softmax

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
)

// TestFactorOfTwoClasses: if the changes of two classes are opposite, as in a gradient, the factor
// solves the Hessian itself.
func TestFactorOfTwoClasses(t *testing.T) {
	p := weighted(randomProblem(t, 60, 6, 2, 9))
	o, r := newObjective(p, nil), rand.New(rand.NewPCG(2, 2))
	w := make([]float64, o.d*o.k)
	for j := range w {
		w[j] = normal(r)
	}
	o.evaluate(w)
	m := newMetric(o, make([]float64, len(w)))
	m.form(nil)
	right, step, product := make([]float64, len(w)), make([]float64, len(w)), make([]float64, len(w))
	for j := range o.d {
		right[2*j] = normal(r)
		right[2*j+1] = -right[2*j]
	}
	m.Solve(nil, step, right)
	o.product(product, make([]float64, o.n*o.k), step)
	for j, v := range right {
		if math.Abs(product[j]-v) > 1e-12 {
			t.Errorf("element %d: the Hessian gives %v, not %v", j, product[j], v)
		}
	}
}

// TestFactorPays: with the diagonal alone it takes 98 passes, with a factor a class 120.
func TestFactorPays(t *testing.T) {
	p := randomProblem(t, 300, 8, 5, 33)
	r := rand.New(rand.NewPCG(8, 8))
	scale := make([]float64, p.X.Rows())
	for i := range scale {
		scale[i] = kernels.ExpOf(normal(r))
	}
	x, err := matrix.ScaleRows(p.X.WithBias(0), scale)
	if err != nil {
		t.Fatal(err)
	}
	p.X, p.Lambda = x, 1e-6
	got := solve(t, p, solvers.Settings{GapTolerance: 1e-10})
	if got.Status != solvers.Converged || got.Total.Epochs > 50 {
		t.Errorf("%v after %v passes", got.Status, got.Total.Epochs)
	}
}

// TestDiagonal: the diagonal of column j and class c is the product of two sums. The first is the
// sum of s_i p_ic (1-p_ic) x_ij^2 over rows and classes. The second is the class's share in the
// sum of s_i p_ic (1-p_ic) over rows. The changes of a column have a sum of 0. What the diagonal makes of
// them is off by a number that all classes share. Rows whose squares overflow leave it finite.
func TestDiagonal(t *testing.T) {
	p := weighted(randomProblem(t, 40, 6, 4, 19))
	o, r := newObjective(p, nil), rand.New(rand.NewPCG(6, 6))
	w := make([]float64, o.d*o.k)
	for j := range w {
		w[j] = normal(r)
	}
	o.evaluate(w)
	columns, classes, total := make([]float64, o.d), make([]float64, o.k), 0.0
	for i := range o.n {
		for c, prob := range o.row(o.prob, i) {
			bend := direct.Weight(p.SampleWeight, i) * prob * (1 - prob)
			classes[c] += bend
			total += bend
			for j, x := range p.X.Row(i) {
				columns[j] += bend * x * x / float64(o.n)
			}
		}
	}
	m := newMetric(o, nil)
	m.measure(nil)
	right, got := make([]float64, len(w)), make([]float64, len(w))
	for j := range right {
		right[j] = normal(r)
	}
	m.Solve(nil, got, right)
	for j := range o.d {
		v, want := o.row(got, j), o.row(right, j)
		if sum := kernels.Sum(v); math.Abs(sum) > 1e-12 {
			t.Errorf("column %d: changes with a sum of %v", j, sum)
		}
		for c := range v {
			off := make([]float64, 2)
			for e, c := range []int{c, 0} {
				off[e] = (columns[j]*classes[c]/total+p.Lambda)*v[c] - want[c]
			}
			if math.Abs(off[0]-off[1]) > 1e-12 {
				t.Errorf("column %d: class %d is off by %v, class 0 by %v", j, c, off[0], off[1])
			}
		}
	}

	x, err := matrix.ScaleRows(p.X.WithBias(0), append([]float64{1e200}, slices.Repeat([]float64{1}, o.n-1)...))
	if err != nil {
		t.Fatal(err)
	}
	o = newObjective(&Problem{X: x, Class: p.Class, Count: p.Count, Lambda: p.Lambda}, nil)
	w = make([]float64, o.d*o.k)
	w[0] = 1 // which makes the long row certain
	o.evaluate(w)
	m = newMetric(o, nil)
	m.measure(nil)
	got = got[:len(w)]
	m.Solve(nil, got, right[:len(w)])
	for j, v := range got {
		if v-v != 0 {
			t.Errorf("element %d of long rows: %v", j, v)
		}
	}
}
