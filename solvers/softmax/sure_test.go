package softmax

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/sparse"
)

// TestSureRows: losses and slopes of rows whose own class has all of the probability but 1e-3
// to 1e-300 have all their digits, as the logistic loss has.
func TestSureRows(t *testing.T) {
	x, err := sparse.NewCSR(1, []int64{0, 1}, []uint32{0}, []float64{1})
	if err != nil {
		t.Fatal(err)
	}
	for _, below := range []float64{7, 20, 36, 37, 40, 100, 690} {
		for own := range 3 {
			w := []float64{-below, -below, -below}
			w[own], w[(own+1)%3] = 0, -below-1
			others := math.Exp(-below) + math.Exp(-below-1)
			p := &Problem{X: x, Class: []uint32{uint32(own)}, Count: 3, Lambda: 5e-324, SampleWeight: []float64{0.5}}
			o := newObjective(p, nil)
			e := o.evaluate(w)
			loss, slope := 0.5*math.Log1p(others), -0.5*others/(1+others)
			for what, v := range map[string][2]float64{
				"objective": {e.Objective, loss}, "loss": {o.lossAt(o.z), loss}, "slope": {o.g[own], slope},
			} {
				if math.Abs(v[0]-v[1]) > 1e-12*math.Abs(v[1]) {
					t.Errorf("%v below class %d: %s %v, not %v", below, own, what, v[0], v[1])
				}
			}
		}
	}
}
