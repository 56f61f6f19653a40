package kernels_test

import (
	"testing"

	"github.com/lanes-go/lanes/kernels"
)

// TestLengthsMustAgree calls every function of several vectors with each of them one element too
// short and one too long. Of a sparse vector, w has a length of its own. All have the capacity of
// the longest: a length that is not compared is seen, and corrupts no memory.
func TestLengthsMustAgree(t *testing.T) {
	settings := kernels.AdamSettings{Rate: 0.1, Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-8}
	const n = 6
	narrow := func(v []float64) []float32 { return make([]float32, len(v), n+1) }
	indices := func(v []float64) []uint32 { return make([]uint32, len(v), n+1) }
	type function struct {
		vectors int
		call    func(v [4][]float64) error
	}
	functions := map[string]function{
		"Dot":             {2, func(v [4][]float64) error { _, err := kernels.Dot(v[0], v[1]); return err }},
		"Dot32":           {2, func(v [4][]float64) error { _, err := kernels.Dot32(narrow(v[0]), narrow(v[1])); return err }},
		"SquaredDistance": {2, func(v [4][]float64) error { _, err := kernels.SquaredDistance(v[0], v[1]); return err }},
		"Axpy":            {2, func(v [4][]float64) error { return kernels.Axpy(2, v[0], v[1]) }},
		"ScaleAdd":        {3, func(v [4][]float64) error { return kernels.ScaleAdd(v[0], 1, v[1], 2, v[2]) }},
		"Scale":           {2, func(v [4][]float64) error { return kernels.Scale(v[0], 1, v[1]) }},
		"AddScalar":       {2, func(v [4][]float64) error { return kernels.AddScalar(v[0], 1, v[1]) }},
		"Mul":             {3, func(v [4][]float64) error { return kernels.Mul(v[0], v[1], v[2]) }},
		"SoftThreshold":   {2, func(v [4][]float64) error { return kernels.SoftThreshold(v[0], v[1], 1) }},
		"Box":             {2, func(v [4][]float64) error { return kernels.Box(v[0], v[1], 0, 1) }},
		"Adam":            {4, func(v [4][]float64) error { return kernels.Adam(v[0], v[1], v[2], v[3], settings, 0.9, 0.99) }},
		"Momentum":        {3, func(v [4][]float64) error { return kernels.Momentum(v[0], v[1], v[2], 1, 1, 1) }},
		"Exp":             {2, func(v [4][]float64) error { return kernels.Exp(v[0], v[1]) }},
		"Log":             {2, func(v [4][]float64) error { return kernels.Log(v[0], v[1]) }},
		"Log1p":           {2, func(v [4][]float64) error { return kernels.Log1p(v[0], v[1]) }},
		"Sigmoid":         {2, func(v [4][]float64) error { return kernels.Sigmoid(v[0], v[1]) }},
		"Softplus":        {2, func(v [4][]float64) error { return kernels.Softplus(v[0], v[1]) }},
		"Tanh":            {2, func(v [4][]float64) error { return kernels.Tanh(v[0], v[1]) }},
		"Softmax":         {2, func(v [4][]float64) error { return kernels.Softmax(v[0], v[1]) }},
		"SparseDot":       {2, func(v [4][]float64) error { _, err := kernels.SparseDot(indices(v[0]), v[1], v[2]); return err }},
		"SparseAxpy":      {2, func(v [4][]float64) error { return kernels.SparseAxpy(2, indices(v[0]), v[1], v[2]) }},
		"SigmoidAbove": {2, func(v [4][]float64) error {
			_, _, err := newBlock(t, n+1, 0).SigmoidAbove(v[2], v[0], v[1], v[3])
			return err
		}},
		"SigmoidAbove's sample": {2, func(v [4][]float64) error {
			_, _, err := newBlock(t, n+1, 0).SigmoidAbove(v[0], v[2], v[3], v[1])
			return err
		}},
		"SoftplusAbove": {2, func(v [4][]float64) error {
			_, _, err := newBlock(t, n+1, 0).SoftplusAbove(v[0], v[1], v[2])
			return err
		}},
	}
	for loss := range kernels.Huber + 1 {
		name := ", " + loss.String()
		functions["LossGradient"+name] = function{4, func(v [4][]float64) error {
			_, err := kernels.LossGradient(loss, v[0], v[1], v[2], v[3], 1)
			return err
		}}
		functions["LossGradient without weights"+name] = function{3, func(v [4][]float64) error {
			_, err := kernels.LossGradient(loss, v[0], v[1], v[2], nil, 1)
			return err
		}}
		functions["LossSum"+name] = function{3, func(v [4][]float64) error {
			_, err := kernels.LossSum(loss, v[0], v[1], v[2], 1)
			return err
		}}
		functions["LossSum without weights"+name] = function{2, func(v [4][]float64) error {
			_, err := kernels.LossSum(loss, v[0], v[1], nil, 1)
			return err
		}}
		functions["LossCurvature"+name] = function{4, func(v [4][]float64) error {
			return kernels.LossCurvature(loss, v[0], v[1], v[2], v[2], v[3], 1)
		}}
		functions["LossCurvature without weights"+name] = function{4, func(v [4][]float64) error {
			return kernels.LossCurvature(loss, v[0], v[1], v[2], v[3], nil, 1)
		}}
	}
	for name, f := range functions {
		for odd := range f.vectors {
			for _, length := range []int{n - 1, n, n + 1, 0} {
				var v [4][]float64
				for i := range v {
					v[i] = make([]float64, n, n+1)
				}
				v[odd] = v[odd][:length]
				if err := f.call(v); (err == nil) != (length == n) {
					t.Errorf("%s, vector %d of %d elements and others of %d: %v", name, odd+1, length, n, err)
				}
			}
		}
	}
}
