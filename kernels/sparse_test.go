package kernels_test

import (
	"errors"
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/kernels"
)

func testSparse[I kernels.Index, V kernels.Value](t *testing.T) {
	idx, val := []I{3, 0, 3}, []V{2, 0.5, -1}
	w := []float64{10, 20, 30, 40}
	if got, err := kernels.SparseDot(idx, val, w); err != nil || got != 45 {
		t.Errorf("SparseDot = %v, %v; want 45", got, err)
	}
	if got, err := kernels.SparseDotOnes(idx, w); err != nil || got != 90 {
		t.Errorf("SparseDotOnes = %v, %v; want 90", got, err)
	}
}

func TestSparseAgainstFormulas(t *testing.T) {
	t.Run("uint32 float64", testSparse[uint32, float64])
	t.Run("uint32 float32", testSparse[uint32, float32])
	t.Run("uint16 float64", testSparse[uint16, float64])
	t.Run("uint16 float32", testSparse[uint16, float32])
}

func TestSparseRefuses(t *testing.T) {
	idx, val := make([]uint32, 50), make([]float64, 50)
	idx[33], idx[40] = 7, math.MaxUint32
	w := make([]float64, 7)
	_, errDot := kernels.SparseDot(idx, val, w)
	_, errOnes := kernels.SparseDotOnes(idx, w)
	for name, err := range map[string]error{
		"SparseDot": errDot, "SparseDotOnes": errOnes,
	} {
		var bad *kernels.IndexError
		if !errors.As(err, &bad) || *bad != (kernels.IndexError{Kernel: name, Position: 33, Index: 7, Len: 7}) {
			t.Errorf("%s: %v", name, err)
		}
	}
	idx = make([]uint32, 50)
	_, errDot = kernels.SparseDot(idx, val[1:], w)
	if errDot == nil {
		t.Error("SparseDot takes a value less than indices")
	}
}

// TestSparseAllocatesNothing: a call allocates nothing, and its arguments stay on the stack.
func TestSparseAllocatesNothing(t *testing.T) {
	if n := allocations.Count(100, func() {
		var indices [20]uint16
		var values [20]float32
		var w [9]float64
		for _, n := range []int{1, 8, 16, 20} {
			idx, val := indices[:n], values[:n]
			kernels.SparseDot(idx, val, w[:])
			kernels.SparseDotOnes(idx, w[:])
		}
	}); n > 0 {
		t.Errorf("%v allocations a run, want none", n)
	}
}

func BenchmarkSparseDot(b *testing.B) {
	idx, val, w := make([]uint32, 76), make([]float64, 76), make([]float64, 4000)
	for e := range idx {
		idx[e], val[e] = uint32(e*52), float64(e)
	}
	for b.Loop() {
		kernels.SparseDot(idx, val, w)
	}
}
