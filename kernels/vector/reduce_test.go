package vector_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/internal/testing/operands"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/kernels/vector"
)

// argMin compares all pairs.
func argMin(x []float32) int {
	if i := slices.IndexFunc(x, func(v float32) bool { return v != v }); i >= 0 {
		return i
	}
	return slices.IndexFunc(x, func(v float32) bool {
		return !slices.ContainsFunc(x, func(u float32) bool { return u < v })
	})
}

// TestArg compares with the definition on all paths: ties, NaN and zeros of both signs, and vectors
// of several blocks.
func TestArg(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 2))
	for path := range pathtest.Paths(t) {
		check := func(x []float32) {
			t.Helper()
			negative := make([]float32, len(x))
			for i, v := range x {
				negative[i] = -v
			}
			want := argMin(x)
			if got := vector.ArgMin(x); got != want {
				t.Fatalf("%s: ArgMin of %d elements is %d, want %d", path, len(x), got, want)
			}
			if got := vector.ArgMax(negative); got != want {
				t.Fatalf("%s: ArgMax of %d elements is %d, want %d", path, len(x), got, want)
			}
		}
		for n := range 200 {
			for kind := range operands.Kinds {
				check(fill(random, kind, n))
			}
			x := make([]float32, n)
			for i := range x {
				x[i] = float32(random.IntN(4))
				if x[i] == 0 && random.IntN(2) == 0 {
					x[i] = float32(math.Copysign(0, -1))
				}
			}
			check(x)
			if n > 0 {
				x[random.IntN(n)], x[random.IntN(n)] = float32(math.NaN()), float32(math.NaN())
				check(x)
			}
		}
		for _, least := range [][]int{{0}, {4095}, {4096}, {8191, 8192}, {9000}, {5000, 6000}, {3, 8500}} {
			for _, value := range []float32{-1, 0.5, float32(math.NaN()), float32(math.Inf(-1))} {
				x := make([]float32, 9001)
				for i := range x {
					x[i] = float32(1 + i%7)
				}
				for _, i := range least {
					x[i] = value
				}
				if got := vector.ArgMin(x); got != least[0] {
					t.Errorf("%s: %v at %v: ArgMin is %d", path, value, least, got)
				}
			}
		}
	}
}

// TestSoftmax compares with float64, and in place.
func TestSoftmax(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 3))
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for path := range pathtest.Paths(t) {
		for n := range 200 {
			for _, scale := range []float64{1, 30, 3e37} {
				x, dst := make([]float32, n), make([]float32, n)
				for i := range x {
					x[i] = float32(scale * random.NormFloat64())
					if i > 0 && random.IntN(9) == 0 {
						x[i] = -inf
					}
				}
				sum, most := 0.0, 0.0
				if n > 0 {
					most = float64(slices.Max(x))
				}
				for _, v := range x {
					sum += math.Exp(float64(v) - most)
				}
				if err := vector.Softmax(dst, x); err != nil {
					t.Fatal(err)
				}
				for i, v := range x {
					d := float64(v) - most
					want := math.Exp(d) / sum
					if bound := want*(math.Abs(d)+8)*0x1p-24 + 0x1p-149; math.Abs(float64(dst[i])-want) > bound && want > 0 || want == 0 && dst[i] != 0 {
						t.Fatalf("%s: element %d of %d is %v, want %v", path, i, n, dst[i], want)
					}
				}
				if err := vector.Softmax(x, x); err != nil || !slices.Equal(x, dst) {
					t.Errorf("%s: %d elements in place differ: %v", path, n, err)
				}
			}
		}
	}
	for _, x := range [][]float32{{1, inf}, {nan, 1}, {-inf, -inf}} {
		dst := []float32{5, 5}
		if err := vector.Softmax(dst, x); err == nil || dst[0] != 5 || dst[1] != 5 {
			t.Errorf("softmax of %v: %v, %v", x, dst, err)
		}
	}
	array := make([]float32, 5)
	if vector.Softmax(array[1:], array[:4]) == nil || vector.Softmax(array[:4], array) == nil {
		t.Error("dst overlaps x, or is short")
	}
}

func TestReductions(t *testing.T) {
	x := []float32{3, -1, 2, -1}
	if vector.Sum(x) != 3 || vector.Min(x) != -1 || vector.Max(x) != 3 || vector.ArgMin(x) != 1 || vector.ArgMax(x) != 0 {
		t.Errorf("of %v: %v, %v, %v, %v, %v", x, vector.Sum(x), vector.Min(x), vector.Max(x), vector.ArgMin(x), vector.ArgMax(x))
	}
	if vector.Sum(nil) != 0 || vector.Min(nil) != 0 || vector.Max(nil) != 0 || vector.ArgMin(nil) != -1 || vector.ArgMax(nil) != -1 {
		t.Error("no elements")
	}
	n := allocations.Count(10, func() {
		var x, dst [40]float32
		x[7] = 1
		if err := vector.Softmax(dst[:], x[:]); err != nil || vector.ArgMax(x[:]) != 7 || vector.ArgMin(x[:]) != 0 || vector.Sum(x[:]) != vector.Max(x[:])+vector.Min(x[:]) {
			t.Error(err)
		}
	})
	if n > 0 {
		t.Errorf("%v allocations", n)
	}
}
