//go:build !purego

package rows

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

// testFar adds as many entries as go the way for vectors in no cache, whose indices end where
// memory does, and one less.
func testFar[V any](t *testing.T, value func(float64) V, add func(w *float64, c float64, idx []uint32, val []V) error, term func(c float64, x V, w float64) float64) {
	before := int(path.Load())
	defer Use(before)
	Use(1)
	random := rand.New(rand.NewPCG(3, 9))
	w, want := make([]float64, far+1), make([]float64, far+1)
	for n := many - 1; n < many+5; n++ {
		idx, val := asmtest.Guarded[uint32](t, n), make([]V, n)
		for e := range idx {
			idx[e], val[e] = uint32(random.IntN(len(w))), value(random.Float64()-0.5)
			if e%3 == 0 {
				idx[e] = uint32(e)
			}
		}
		idx[n-1] = far
		for e, j := range idx {
			want[j] = term(0.7, val[e], want[j])
		}
		if err := add(&w[0], 0.7, idx, val); err != nil {
			t.Fatal(err)
		}
		for _, j := range idx {
			if w[j] != want[j] {
				t.Fatalf("%d entries: element %d is %v, want %v", n, j, w[j], want[j])
			}
		}
		idx[n-1]++
		if err := add(&w[0], 0.7, idx, val); err == nil || w[idx[0]] != want[idx[0]] {
			t.Fatalf("%d entries, the last index too large: %v, and the first element is %v, want %v", n, err, w[idx[0]], want[idx[0]])
		}
	}
}

func TestAddFar(t *testing.T) {
	if len(runnable(t)) == 0 {
		t.Skip("no path with assembly")
	}
	testFar(t, func(x float64) float64 { return x }, func(w *float64, c float64, idx []uint32, val []float64) error {
		return AddI32F64(w, c, pointer(idx), pointer(val), len(idx), far+1)
	}, math.FMA)
	testFar(t, func(x float64) float32 { return float32(x) }, func(w *float64, c float64, idx []uint32, val []float32) error {
		return AddI32F32(w, c, pointer(idx), pointer(val), len(idx), far+1)
	}, func(c float64, x float32, w float64) float64 { return math.FMA(c, float64(x), w) })
	testFar(t, func(float64) struct{} { return struct{}{} }, func(w *float64, c float64, idx []uint32, _ []struct{}) error {
		return SparseAddOnes(sizeI32, w, c, pointer(idx), len(idx), far+1)
	}, func(c float64, _ struct{}, w float64) float64 { return w + c })
}
