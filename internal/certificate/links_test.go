package certificate_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/risk"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/sparse"
)

// TestUnevenHasNoBoundByColumns: second derivatives at a point tell nothing of those next to it, where
// their logarithm may change by more than the margin.
func TestUnevenHasNoBoundByColumns(t *testing.T) {
	t.Parallel()
	for _, phi := range []loss.Loss{loss.Cloglog{}, loss.Poisson{}} {
		p, err := ct.Scaled(phi, 3, 20, 2, 1, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		p.Penalty = penalty.Ridge{Lambda: 1}
		ones := []float64{1, 1}
		bound := certificate.New(p).RoundingByColumns([]float64{0.1, 0.1}, ones, ones, 1, 1)
		if even := phi.(loss.Steep).Even(); math.IsInf(bound, 1) == even || !(bound > 0) {
			t.Errorf("%v: even %t, a bound of %v", phi, even, bound)
		}
	}
}

// TestChangeOfLinks: a step proves a minimum only if multipliers keep their sign, c_i - h_i x_i'v, which
// takes shorter steps where h_i is above |c_i|.
func TestChangeOfLinks(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 7))
	const n = 30
	values, y := make([]float64, n), make([]float64, n)
	for i := range y {
		y[i] = float64(2*(i%2) - 1)
		values[i] = 3*y[i] + 2*r.NormFloat64()
	}
	x, err := sparse.NewDense(nil, &sparse.Dense{Rows: n, Columns: 1, Float64: values, RowStride: 1, ColumnStride: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, phi := range []loss.Loss{loss.Probit{}, loss.Cloglog{}, loss.Logistic{}} {
		p := certificate.Problem{Problem: risk.Problem{X: x, Y: y, Loss: phi}}
		w, above := 0.9, false
		step := certificate.NewUnpenalised(p).Step([]float64{w})
		want := 0.0
		for i, x := range values {
			z := []float64{w * x}
			c, h := []float64{0}, []float64{0}
			phi.Gradient(c, z, y[i:i+1], nil)
			phi.Curvature(h, []float64{0}, z, y[i:i+1], nil)
			ratio := math.Max(1, h[0]/math.Abs(c[0]))
			above = above || ratio > 1.5
			want = math.Max(want, math.Abs(x*step.V[0])*ratio)
		}
		if math.Abs(step.Change-want) > 1e-12*want || above != (phi != loss.Loss(loss.Logistic{})) {
			t.Errorf("%v: a change of %v, not %v", phi, step.Change, want)
		}
	}
}
