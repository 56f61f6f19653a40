package kernels_test

import (
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes/kernels"
)

// TestLengthsMustAgree calls every function of several vectors with each of them one
// element too short and one too long. Of a sparse vector, w has a length of its own. All
// have room for as many elements as the longest: a length that is not compared is seen, and
// corrupts no memory.
func TestLengthsMustAgree(t *testing.T) {
	settings := kernels.AdamSettings{Rate: 0.1, Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-8}
	const n = 6
	narrow := func(v []float64) []float32 { return make([]float32, len(v), n+1) }
	indices := func(v []float64) []uint32 { return make([]uint32, len(v), n+1) }
	rising := func(v []float64) []uint32 {
		idx := indices(v)
		for e := range idx {
			idx[e] = uint32(e)
		}
		return idx
	}
	type function struct {
		vectors int
		call    func(v [4][]float64) error
	}
	functions := map[string]function{
		"Dot":             {2, func(v [4][]float64) error { _, err := kernels.Dot(v[0], v[1]); return err }},
		"Dot32":           {2, func(v [4][]float64) error { _, err := kernels.Dot32(narrow(v[0]), narrow(v[1])); return err }},
		"Axpy32":          {2, func(v [4][]float64) error { return kernels.Axpy32(2, narrow(v[0]), narrow(v[1])) }},
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
		"SparseSparseDot": {2, func(v [4][]float64) error {
			_, err := kernels.SparseSparseDot(rising(v[0]), v[1], rising(v[2]), v[2])
			return err
		}},
		"SparseSparseDot's second": {2, func(v [4][]float64) error {
			_, err := kernels.SparseSparseDot(rising(v[2]), v[2], rising(v[0]), v[1])
			return err
		}},
		"SparseAdd": {2, func(v [4][]float64) error { return kernels.SparseAdd(v[2], 1, indices(v[0]), v[1]) }},
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
	for loss := range kernels.PairLogistic + 1 {
		functions["PairLosses, "+loss.String()] = function{2, func(v [4][]float64) error { _, err := kernels.PairLosses(loss, v[0], v[1], 1, 1); return err }}
		functions["PairGradients, "+loss.String()] = function{2, func(v [4][]float64) error { _, err := kernels.PairGradients(loss, v[0], v[1], 1, 1); return err }}
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

// TestIndicesOverTheVector: a vector that the indices lie in cannot be added to.
func TestIndicesOverTheVector(t *testing.T) {
	w := make([]float64, 8)
	idx := unsafe.Slice((*uint32)(unsafe.Pointer(&w[7])), 2)
	if err := kernels.SparseAdd(w, 1, idx, make([]float64, 2)); err == nil {
		t.Error("SparseAdd writes over its indices")
	}
	if err := kernels.SparseAddOnes(w, 1, idx); err == nil {
		t.Error("SparseAddOnes writes over its indices")
	}
	if err := kernels.SparseAdd(w[:7], 1, idx, make([]float64, 2)); err != nil {
		t.Errorf("indices behind the vector: %v", err)
	}
}

// TestEntriesAroundTheVector lays the indices and the values of up to five entries at all
// places around the vector.
func TestEntriesAroundTheVector(t *testing.T) {
	const begin, elements = 6, 3
	room := make([]float64, 20)
	w, base := room[begin:begin+elements], unsafe.Pointer(&room[0])
	for n := 1; n <= 5; n++ {
		idx, val, singles := make([]uint16, n), make([]float64, n), make([]float32, n)
		for at := 0; at+8*n <= 8*len(room); at += 2 {
			for _, c := range []struct {
				what  string
				bytes int
				call  func(p unsafe.Pointer) error
			}{
				{"16-bit indices", 2, func(p unsafe.Pointer) error { return kernels.SparseAdd(w, 1, unsafe.Slice((*uint16)(p), n), val) }},
				{"32-bit indices", 4, func(p unsafe.Pointer) error { return kernels.SparseAdd(w, 1, unsafe.Slice((*uint32)(p), n), singles) }},
				{"float32 values", 4, func(p unsafe.Pointer) error { return kernels.SparseAdd(w, 1, idx, unsafe.Slice((*float32)(p), n)) }},
				{"float64 values", 8, func(p unsafe.Pointer) error { return kernels.SparseAdd(w, 1, idx, unsafe.Slice((*float64)(p), n)) }},
			} {
				over := at < 8*(begin+elements) && at+n*c.bytes > 8*begin
				if at%c.bytes != 0 {
					continue
				}
				if err := c.call(unsafe.Add(base, at)); (err != nil) != over {
					t.Errorf("%d %s at %d, the vector at %d to %d: %v", n, c.what, at, 8*begin, 8*(begin+elements), err)
				}
			}
		}
	}
}
