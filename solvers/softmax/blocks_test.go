package softmax

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/kernels"
)

// TestBlocks: over more than two blocks of rows, of weights above 1 too, the objective, its
// gradient and products with its Hessian equal their definitions.
func TestBlocks(t *testing.T) {
	t.Parallel()
	const classes = 5
	p := randomProblem(t, 2*8192/classes+300, 6, classes, 4)
	p.SampleWeight = make([]float64, p.X.Rows())
	for i := range p.SampleWeight {
		p.SampleWeight[i] = float64(i%11) / 4
	}
	d, n := p.X.Cols(), float64(p.X.Rows())
	w, v := make([]float64, d*classes), make([]float64, d*classes)
	for j := range w {
		w[j], v[j] = math.Sin(float64(j))/2, math.Cos(float64(3*j))
	}
	o := newObjective(p, nil)
	if len(o.sums) < 3 {
		t.Fatalf("%d blocks", len(o.sums))
	}
	value, gradient := byDefinition(p, w)
	if e := o.evaluate(w); math.Abs(e.Objective-value) > 1e-12*value {
		t.Errorf("objective %v, by its definition %v", e.Objective, value)
	}
	same := func(what string, columns, want []float64) {
		t.Helper()
		got := make([]float64, len(want))
		o.byClass(got, columns)
		for j := range want {
			if math.Abs(got[j]-want[j]) > 1e-12*kernels.MaxAbs(want) {
				t.Fatalf("%s: element %d is %v, not %v", what, j, got[j], want[j])
			}
		}
	}
	same("gradient", o.g, gradient)
	if loss := o.lossAt(o.z) + p.Lambda/2*kernels.SquaredNorm(w); math.Abs(loss-value) > 1e-12*value {
		t.Errorf("the loss alone leads to %v, not %v", loss, value)
	}
	want := make([]float64, len(v))
	for i := range p.X.Rows() {
		row := map[int]float64{}
		for j, x := range p.X.Row(i) {
			row[j] = x
		}
		along := func(w []float64, c int) (z float64) {
			for j, x := range row {
				z += x * w[c*d+j]
			}
			return z
		}
		prob, total, mean := make([]float64, classes), 0.0, 0.0
		for c := range prob {
			prob[c] = math.Exp(along(w, c))
			total += prob[c]
		}
		for c := range prob {
			prob[c] /= total
			mean += prob[c] * along(v, c)
		}
		for c := range prob {
			bend := p.SampleWeight[i] * prob[c] * (along(v, c) - mean)
			for j, x := range row {
				want[c*d+j] += bend * x / n
			}
		}
	}
	for j := range want {
		want[j] += p.Lambda * v[j]
	}
	columns, product := make([]float64, len(v)), make([]float64, len(v))
	o.byColumn(columns, v)
	o.product(product, make([]float64, len(o.z)), columns)
	same("product with the Hessian", product, want)
}
