package softmax

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// TestSureRows: losses and slopes have all their digits on rows whose own class has a probability
// of 1 less 1e-3 to 1e-300. The same holds for the logistic loss.
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
			phi, slope := 0.5*math.Log1p(others), -0.5*others/(1+others)
			for what, v := range map[string][2]float64{
				"objective": {e.Objective, phi}, "loss": {o.lossAt(o.z), phi}, "slope": {o.g[own], slope},
			} {
				if math.Abs(v[0]-v[1]) > 1e-12*math.Abs(v[1]) {
					t.Errorf("%v below class %d: %s %v, not %v", below, own, what, v[0], v[1])
				}
			}
		}
	}
}

// TestSureRowsBend: where all rows are sure and lambda is next to nothing, what bends the
// losses is not lost either. Steps that lambda alone bends led from objectives of 1e-17 to
// 1e-5, and the weights of all classes drifted away together.
func TestSureRowsBend(t *testing.T) {
	x, err := sparse.NewCSR(3, []int64{0, 3, 6, 9}, []uint32{0, 1, 2, 0, 1, 2, 0, 1, 2}, []float64{
		1.6189275687978555, 0.2385090723117962, -1.6189275687978555, 1.6189275687978555, 0.2385090723117962, -1.6189275687978555,
		0.47995673366853864, -0.6110793069168317, -0.47995673366853864,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, count := range []int{2, 4} {
		p := &Problem{X: x, Class: []uint32{1, 1, 0}, Count: count, Lambda: 2.8e-20}
		var trace solvers.Trace
		r := solve(t, p, solvers.Settings{GapTolerance: 1e-12, MaxEpochs: 300, Recorder: &trace})
		for k := 1; k < len(trace); k++ {
			if trace[k].Objective > trace[k-1].Objective*(1+1e-12) {
				t.Errorf("point %d: from %v to %v", k, trace[k-1].Objective, trace[k].Objective)
			}
		}
		size := 0.0
		for j := range p.X.Cols() {
			sum := 0.0
			for c := range p.Count {
				sum += r.Weights[c*p.X.Cols()+j]
				size = max(size, math.Abs(r.Weights[c*p.X.Cols()+j]))
			}
			if math.Abs(sum) > 1e-3*size {
				t.Errorf("%d classes: the weights of column %d add up to %v", p.Count, j, sum)
			}
		}
	}
}
