package softmax

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
)

// TestFactorOfTwoClasses: where the changes of two classes are opposite, as those of a
// gradient are, the factor solves the Hessian itself.
func TestFactorOfTwoClasses(t *testing.T) {
	p := weighted(random(t, 60, 6, 2, 9))
	o, r := newObjective(p, nil), rand.New(rand.NewPCG(2, 2))
	w := make([]float64, o.d*o.k)
	for j := range w {
		w[j] = normal(r)
	}
	o.evaluate(w)
	m := newMetric(o, make([]float64, len(w)))
	m.form()
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
	p := random(t, 300, 8, 5, 33)
	r := rand.New(rand.NewPCG(8, 8))
	scale := make([]float64, p.X.Rows())
	for i := range scale {
		scale[i] = kernels.ExpOf(normal(r))
	}
	x, err := p.X.ScaleRows(scale)
	if err != nil {
		t.Fatal(err)
	}
	p.X, p.Lambda = x, 1e-6
	got := solve(t, p, solvers.Settings{GapTolerance: 1e-10})
	if got.Status != solvers.Converged || got.Total.Passes > 50 {
		t.Errorf("%v after %v passes", got.Status, got.Total.Passes)
	}
}
