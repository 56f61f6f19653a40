package kernels_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/kernels"
)

// TestSoftmaxAgainstBig measures the errors that the documentation bounds.
func TestSoftmaxAgainstBig(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 9))
	worstLog, worstShare := 0.0, 0.0
	for _, n := range []int{1, 2, 4, 5, 20, 105, 1000} {
		for _, spread := range []float64{1e-9, 1, 30, 400} {
			x := make([]float64, n)
			for i := range x {
				x[i] = spread * random.NormFloat64()
			}
			m := slices.Max(x)
			exact := make([]*big.Float, n)
			sum := bigmath.Of(200, 0)
			for i, v := range x {
				exact[i] = bigmath.Exp(bigmath.Of(200, v))
				sum.Add(sum, exact[i])
			}
			log, _ := new(big.Float).Sub(bigmath.Log(sum), bigmath.Of(200, kernels.LogSumExp(x))).Float64()
			scale := max(math.Abs(m), math.Log(float64(n)), 0x1p-60)
			worstLog = max(worstLog, math.Abs(log)/(math.Nextafter(scale, math.Inf(1))-scale))
			dst := make([]float64, n)
			if err := kernels.Softmax(dst, x); err != nil {
				t.Fatal(err)
			}
			for i, got := range dst {
				want, _ := new(big.Float).Quo(exact[i], sum).Float64()
				if want > 1e-300 {
					worstShare = max(worstShare, math.Abs(got-want)/(math.Nextafter(want, 2)-want)-(m-x[i]))
				}
			}
		}
	}
	t.Logf("LogSumExp %.2f, Softmax %.2f ulp", worstLog, worstShare)
	if worstLog > 1.1 || worstShare > 4 {
		t.Errorf("LogSumExp %.2f, Softmax %.2f ulp", worstLog, worstShare)
	}
}

func TestSoftmaxSpecialValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for path := range pathtest.Paths(t) {
		for _, c := range []struct {
			x   []float64
			log float64
			dst []float64
		}{
			{nil, -inf, []float64{}},
			{[]float64{-inf}, -inf, []float64{nan}},
			{[]float64{5, inf}, inf, []float64{nan, nan}},
			{[]float64{nan, 1}, nan, []float64{nan, nan}},
			{[]float64{-inf, 2}, 2, []float64{0, 1}},
			{[]float64{1000, 1000}, 1000 + math.Ln2, []float64{0.5, 0.5}},
			{[]float64{-1e308, 1e308}, 1e308, []float64{0, 1}},
			{[]float64{0, 0, 0, 0}, 2 * math.Ln2, []float64{0.25, 0.25, 0.25, 0.25}},
		} {
			same := func(what string, got, want float64) {
				if !(got == want || got != got && want != want) {
					t.Errorf("%s: %s of %v is %v, want %v", path, what, c.x, got, want)
				}
			}
			same("LogSumExp", kernels.LogSumExp(c.x), c.log)
			dst := slices.Clone(c.x)
			if err := kernels.Softmax(dst, dst); err != nil {
				t.Fatal(err)
			}
			for i := range dst {
				same("Softmax", dst[i], c.dst[i])
			}
		}
	}
	x := make([]float64, 9)
	if err := kernels.Softmax(x[1:], x[:8]); err == nil {
		t.Error("Softmax takes slices that overlap")
	}
	if n := allocations.Count(10, func() { kernels.LogSumExp(x); kernels.Softmax(x, x); kernels.ArgMax(x) }); n >= 1 {
		t.Errorf("%v allocations", n)
	}
}

// TestArgAgainstALoop has NaN, ties, zeros of both signs and infinities at all places, on
// both sides of the lengths where the functions change.
func TestArgAgainstALoop(t *testing.T) {
	// NumPy's rule: the first NaN, else the first of the largest elements.
	plain := func(x []float64) int {
		at := -1
		for i, v := range x {
			if v != v {
				return i
			}
			if at < 0 || v > x[at] {
				at = i
			}
		}
		return at
	}
	random := rand.New(rand.NewPCG(4, 4))
	values := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), 2}
	for path := range pathtest.Paths(t) {
		for _, n := range []int{0, 1, 2, 3, 5, 11, 12, 13, 14, 20, 33, 1023, 1024, 1025, 2048, 3100} {
			for round := range 24 {
				x := make([]float64, n)
				for i := range x {
					x[i] = values[random.IntN(3+round%5)]
				}
				if n > 0 {
					switch round % 4 {
					case 1:
						x[random.IntN(n)] = math.NaN()
					case 2:
						x[random.IntN(n)] = 3
						x[random.IntN(n)] = -3
					case 3: // nothing better than the worst
						for i := range x {
							x[i] = math.Inf(round&4 - 2)
						}
					}
				}
				if most := kernels.ArgMax(x); most != plain(x) {
					t.Fatalf("%s: of %d elements %d, a loop finds %d", path, n, most, plain(x))
				}
			}
		}
	}
}
