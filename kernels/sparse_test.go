package kernels_test

import (
	"cmp"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
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
			kernels.SparseAxpy(2, idx, val, w[:])
			kernels.SparseAxpyOnes(2, idx, w[:])
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

// TestSparseAxpy compares every count of entries with 200 bits, indices repeated, and ordinary and
// extreme numbers.
func TestSparseAxpy(t *testing.T) {
	t.Run("uint32 float64", sparseAxpy[uint32, float64])
	t.Run("uint32 float32", sparseAxpy[uint32, float32])
	t.Run("uint16 float64", sparseAxpy[uint16, float64])
	t.Run("uint16 float32", sparseAxpy[uint16, float32])
}

func sparseAxpy[I kernels.Index, V kernels.Value](t *testing.T) {
	random := rand.New(rand.NewPCG(3, 8))
	for n := range 60 {
		idx, val, y := make([]I, n), make([]V, n), make([]float64, 20)
		for i := range y {
			y[i] = random.NormFloat64()
		}
		for e := range idx {
			idx[e], val[e] = I(random.IntN(len(y))), V(random.NormFloat64())
			if random.IntN(8) == 0 {
				val[e] = []V{0, V(math.Inf(1)), V(math.NaN()), 1e-30}[random.IntN(4)]
			}
		}
		a := random.NormFloat64()
		fused, ones := slices.Clone(y), slices.Clone(y)
		for e, j := range idx {
			ones[j] += a
			if p := a * float64(val[e]); p-p != 0 || fused[j]-fused[j] != 0 {
				fused[j] += p
				continue
			}
			exact := new(big.Float).SetPrec(200).Mul(big.NewFloat(a), big.NewFloat(float64(val[e])))
			fused[j], _ = exact.SetPrec(2200).Add(exact, big.NewFloat(fused[j])).Float64()
		}
		got := slices.Clone(y)
		if err := kernels.SparseAxpy(a, idx, val, got); err != nil || !slices.EqualFunc(got, fused, same) {
			t.Fatalf("%d entries: %v, %v, want %v", n, got, err, fused)
		}
		if err := kernels.SparseAxpyOnes(a, idx, y); err != nil || !slices.Equal(y, ones) {
			t.Fatalf("%d ones: %v, %v, want %v", n, y, err, ones)
		}
		// In float32: whole numbers, whose sums are exact.
		y32, want32, ones32, val32 := make([]float32, 20), make([]float32, 20), make([]float32, 20), make([]float32, n)
		for e, j := range idx {
			val32[e] = float32(random.IntN(9) - 4)
			want32[j] += 3 * val32[e]
			ones32[j] += 3
		}
		if err := kernels.SparseAxpy32(3, idx, val32, y32); err != nil || !slices.Equal(y32, want32) {
			t.Fatalf("%d entries of float32: %v, %v, want %v", n, y32, err, want32)
		}
		clear(y32)
		if err := kernels.SparseAxpyOnes32(3, idx, y32); err != nil || !slices.Equal(y32, ones32) {
			t.Fatalf("%d ones of float32: %v, %v, want %v", n, y32, err, ones32)
		}
	}
}

func same(a, b float64) bool { return a == b || a != a && b != b }

// TestSparseAxpyRefuses: y is as before, wherever the wrong index stands.
func TestSparseAxpyRefuses(t *testing.T) {
	for at := range 9 {
		idx, val, y := make([]uint32, 9), make([]float64, 9), make([]float64, 7)
		val32, y32 := make([]float32, 9), make([]float32, 7)
		idx[at] = 7
		for i := range val {
			val[i], val32[i] = 1, 1
		}
		for name, err := range map[string]error{
			"SparseAxpy": kernels.SparseAxpy(1, idx, val, y), "SparseAxpyOnes": kernels.SparseAxpyOnes(1, idx, y),
			"SparseAxpy32": kernels.SparseAxpy32(1, idx, val32, y32), "SparseAxpyOnes32": kernels.SparseAxpyOnes32(1, idx, y32),
		} {
			var bad *kernels.IndexError
			if !errors.As(err, &bad) || *bad != (kernels.IndexError{Kernel: name, Position: at, Index: 7, Len: 7}) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := kernels.SparseAxpy(1, idx[:8], val, make([]float64, 8)); err == nil {
			t.Error("SparseAxpy takes an index less than values")
		}
		if err := kernels.SparseAxpy32(1, idx[:8], val32, make([]float32, 8)); err == nil {
			t.Error("SparseAxpy32 takes an index less than values")
		}
		if !slices.Equal(y, make([]float64, 7)) || !slices.Equal(y32, make([]float32, 7)) {
			t.Errorf("y is %v, %v", y, y32)
		}
	}
	if err := kernels.SparseAxpyOnes(1, []uint32{0}, nil); err == nil {
		t.Error("SparseAxpyOnes takes an index of nothing")
	}
	y := make([]float64, 8)
	if err := kernels.SparseAxpy(1, []uint16{0, 1}, y[3:5], y); err == nil {
		t.Error("SparseAxpy takes values that are in y")
	}
	within := unsafe.Slice((*uint32)(unsafe.Pointer(&y[2])), 4)
	if err := kernels.SparseAxpyOnes(1, within, y); err == nil {
		t.Error("SparseAxpyOnes takes indices that are in y")
	}
	if err := kernels.SparseAxpy(1, within, make([]float64, 4), y); err == nil {
		t.Error("SparseAxpy takes indices that are in y")
	}
	y32 := unsafe.Slice((*float32)(unsafe.Pointer(&y[0])), 16)
	if err := kernels.SparseAxpy32(1, []uint16{0, 1}, y32[3:5], y32); err == nil {
		t.Error("SparseAxpy32 takes values that are in y")
	}
	if err := kernels.SparseAxpy32(1, within, make([]float32, 4), y32); err == nil {
		t.Error("SparseAxpy32 takes indices that are in y")
	}
	if err := kernels.SparseAxpyOnes32(1, within, y32); err == nil {
		t.Error("SparseAxpyOnes32 takes indices that are in y")
	}
}

// TestSparseAxpyLargeIndices has indices from half of their range on, which are negative if a kernel
// takes them for signed numbers. Indices of uint16 go up to the last; large ones of uint32 name no element.
func TestSparseAxpyLargeIndices(t *testing.T) {
	for path := range pathtest.Paths(t) {
		y, y32 := make([]float64, 1<<16), make([]float32, 1<<16)
		for n := range 20 {
			idx, val, val32 := make([]uint16, n), make([]float64, n), make([]float32, n)
			for e := range idx {
				idx[e], val[e], val32[e] = uint16(1<<15+e*(1<<15-1)/19), float64(e), float32(e)
			}
			err1, err2 := kernels.SparseAxpy(2, idx, val, y), kernels.SparseAxpy(2, idx, val32, y)
			err3, err4 := kernels.SparseAxpyOnes(2, idx, y), kernels.SparseAxpy32(4, idx, val32, y32)
			if err := cmp.Or(err1, err2, err3, err4, kernels.SparseAxpyOnes32(2, idx, y32)); err != nil {
				t.Fatal(path, err)
			}
			for e, j := range idx {
				if want := float64(4*e + 2); y[j] != want || y32[j] != float32(want) {
					t.Fatalf("%s: %d entries: element %d is %v, %v, not %v", path, n, j, y[j], y32[j], want)
				}
				y[j], y32[j] = 0, 0
			}
			if slices.Max(y) != 0 || slices.Max(y32) != 0 {
				t.Fatalf("%s: %d entries: elements without an entry are changed", path, n)
			}
			for at := range n {
				for _, wrong := range []uint32{1 << 16, 1<<31 - 1, 1 << 31, math.MaxUint32} {
					far := make([]uint32, n)
					far[at] = wrong
					for name, err := range map[string]error{
						"SparseAxpy": kernels.SparseAxpy(2, far, val32, y), "SparseAxpyOnes": kernels.SparseAxpyOnes(2, far, y),
						"SparseAxpy32": kernels.SparseAxpy32(2, far, val32, y32), "SparseAxpyOnes32": kernels.SparseAxpyOnes32(2, far, y32),
					} {
						var bad *kernels.IndexError
						if !errors.As(err, &bad) || bad.Position != at || bad.Index != int(wrong) || y[0] != 0 || y32[0] != 0 {
							t.Fatalf("%s: %s takes %d at %d of %d entries, or changes y: %v", path, name, wrong, at, n, err)
						}
					}
				}
			}
		}
	}
}
