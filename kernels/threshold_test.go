package kernels_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/kernels"
)

// rankInputs are vectors that choices of pivots and comparisons trip over.
func rankInputs(random *rand.Rand, n int) map[string][]float64 {
	inputs := map[string][]float64{}
	for name, value := range map[string]func(i int) float64{
		"normal":      func(int) float64 { return random.NormFloat64() },
		"ties":        func(int) float64 { return float64(random.IntN(4)) - 1 },
		"zeros":       func(int) float64 { return math.Copysign(0, random.Float64()-0.5) },
		"rising":      func(i int) float64 { return float64(i) },
		"falling":     func(i int) float64 { return -float64(i) },
		"organ pipe":  func(i int) float64 { return float64(min(i, n-i)) },
		"all sizes":   func(int) float64 { return math.Ldexp(random.NormFloat64(), random.IntN(2000)-1000) },
		"one outlier": func(i int) float64 { return map[bool]float64{true: 1e300, false: 1 + 1e-16*float64(i)}[i == n/2] },
		"infinities":  func(int) float64 { return []float64{math.Inf(1), math.Inf(-1), 1}[random.IntN(3)] },
		"sampled low": func(i int) float64 {
			return map[bool]float64{true: 0, false: random.Float64()}[i%(max(n/31, 1)) == max(n/31, 1)/2]
		},
	} {
		x := make([]float64, n)
		for i := range x {
			x[i] = value(i)
		}
		inputs[name] = x
	}
	return inputs
}

func TestRankThresholdAgainstSorting(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	for _, n := range []int{1, 2, 3, 7, 24, 25, 26, 63, 64, 100, 1000, 5003} {
		for name, x := range rankInputs(random, n) {
			before := slices.Clone(x)
			sorted := slices.Sorted(slices.Values(x))
			slices.Reverse(sorted)
			scratch := make([]float64, n)
			for _, k := range []int{1, 2, n / 10, n / 2, n - n/20, n - 1, n, 1 + random.IntN(n)} {
				if k < 1 || k > n {
					continue
				}
				value, above, equal, err := kernels.RankThreshold(x, k, scratch)
				if err != nil {
					t.Fatal(err)
				}
				want := sorted[k-1]
				if value != want || value == 0 && math.Signbit(value) {
					t.Fatalf("%s, %d of %d: %v, sorting gives %v", name, k, n, value, want)
				}
				wantAbove, wantEqual := 0, 0
				for _, v := range x {
					if v > want {
						wantAbove++
					} else if v == want {
						wantEqual++
					}
				}
				if above != wantAbove || equal != wantEqual {
					t.Fatalf("%s, %d of %d: %d above and %d equal, counting gives %d and %d", name, k, n, above, equal, wantAbove, wantEqual)
				}
				if single, err := kernels.KthLargest(x, k, scratch); err != nil || single != value {
					t.Fatalf("%s, %d of %d: KthLargest has %v, %v", name, k, n, single, err)
				}
			}
			if !slices.Equal(x, before) {
				t.Fatalf("%s: s was changed", name)
			}
		}
	}
}

func TestRankThresholdRefuses(t *testing.T) {
	x, nan := make([]float64, 30), make([]float64, 30)
	nan[29] = math.NaN()
	for name, c := range map[string]struct {
		s       []float64
		k       int
		scratch []float64
	}{
		"no elements":   {nil, 1, nil},
		"rank 0":        {x, 0, make([]float64, 30)},
		"rank 31":       {x, 31, make([]float64, 30)},
		"short scratch": {x, 1, make([]float64, 29)},
		"overlap":       {x, 1, x},
		"NaN":           {nan, 1, make([]float64, 30)},
	} {
		if v, err := kernels.KthLargest(c.s, c.k, c.scratch); err == nil {
			t.Errorf("%s: %v and no error", name, v)
		}
	}
}

func TestSelectionAllocatesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	x := rankInputs(random, 1000)["normal"]
	scratch := make([]float64, len(x))
	if n := allocations.Count(10, func() { kernels.RankThreshold(x, 300, scratch) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestKthLargestOfOne: what is refused, and that a zero is +0.
func TestKthLargestOfOne(t *testing.T) {
	x, scratch := []float64{math.Copysign(0, -1)}, make([]float64, 1)
	if v, err := kernels.KthLargest(x, 1, scratch); err != nil || v != 0 || math.Signbit(v) {
		t.Errorf("of -0: %v, %v", v, err)
	}
	for what, c := range map[string]struct {
		x, scratch []float64
		k          int
	}{
		"NaN": {[]float64{math.NaN()}, scratch, 1}, "the scratch": {x, x, 1}, "no scratch": {x, nil, 1},
		"rank 0": {x, scratch, 0}, "rank 2": {x, scratch, 2}, "nothing": {nil, scratch, 1},
	} {
		if v, err := kernels.KthLargest(c.x, c.k, c.scratch); err == nil {
			t.Errorf("%s: %v and no error", what, v)
		}
	}
}
