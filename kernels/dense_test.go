package kernels_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/kernels"
)

func TestDenseAgainstFormulas(t *testing.T) {
	x, y := []float64{3, -4, 0.5}, []float64{1, 2, -8}
	if got, err := kernels.Dot(x, y); err != nil || got != -9 {
		t.Errorf("Dot = %v, %v; want -9", got, err)
	}
	if got := kernels.SquaredNorm(x); got != 25.25 {
		t.Errorf("SquaredNorm = %v, want 25.25", got)
	}
	if got, err := kernels.SquaredDistance(x, y); err != nil || got != 4+36+72.25 {
		t.Errorf("SquaredDistance = %v, %v; want 112.25", got, err)
	}
	if got := kernels.Sum(x); got != -0.5 {
		t.Errorf("Sum = %v, want -0.5", got)
	}
	if got := kernels.MaxAbs(x); got != 4 {
		t.Errorf("MaxAbs = %v, want 4", got)
	}
	dst := make([]float64, 3)
	check := func(name string, err error, want ...float64) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for i := range want {
			if dst[i] != want[i] {
				t.Errorf("%s = %v, want %v", name, dst, want)
				return
			}
		}
	}
	check("ScaleAdd", kernels.ScaleAdd(dst, 2, x, -1, y), 5, -10, 9)
	check("Scale", kernels.Scale(dst, -2, x), -6, 8, -1)
	check("Axpy", kernels.Axpy(2, x, dst), 0, 0, 0)
	check("AddScalar", kernels.AddScalar(dst, 1, x), 4, -3, 1.5)
	check("Mul", kernels.Mul(dst, x, y), 3, -8, -4)
	check("SoftThreshold", kernels.SoftThreshold(dst, x, 1), 2, -3, 0)
	check("Box", kernels.Box(dst, x, -1, 2), 2, -1, 0.5)
}

// TestAdamFirstStep: the first step moves each weight by the rate against the
// sign of its gradient, whatever the gradient's size (section 2.1 of the paper).
func TestAdamFirstStep(t *testing.T) {
	w, m, v := []float64{1, 1, 1}, make([]float64, 3), make([]float64, 3)
	settings := kernels.AdamSettings{Rate: 0.01, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-12, Lambda: 2}
	if err := kernels.Adam(w, m, v, []float64{5, -1e-3 - 2, -2}, settings, 0.9, 0.999); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.99, 1.01, 1} {
		if math.Abs(w[i]-want) > 1e-9 {
			t.Errorf("w = %v, want element %d to be %v", w, i, want)
		}
	}
}

// TestMomentumOfFew: the elements that Momentum does itself, and those behind, have the bits
// of the definition, which rounds once a fused step.
func TestMomentumOfFew(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 9 {
		w, v, g, rate, mu, lambda := make([]float64, n), make([]float64, n), make([]float64, n), r.Float64(), r.Float64(), r.Float64()
		for i := range w {
			w[i], v[i], g[i] = r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		}
		wantW, wantV := slices.Clone(w), slices.Clone(v)
		for i := range w {
			wantV[i] = math.FMA(mu, v[i], math.FMA(lambda, w[i], g[i]))
			wantW[i] = math.FMA(-rate, wantV[i], w[i])
		}
		if err := kernels.Momentum(w, v, g, rate, mu, lambda); err != nil || !slices.Equal(w, wantW) || !slices.Equal(v, wantV) {
			t.Errorf("%d elements: %v, %v, %v; want %v, %v", n, w, v, err, wantW, wantV)
		}
	}
}

func TestMomentumFormula(t *testing.T) {
	w, v := []float64{2}, []float64{4}
	if err := kernels.Momentum(w, v, []float64{1}, 0.5, 0.25, 3); err != nil || v[0] != 8 || w[0] != -2 {
		t.Errorf("w = %v, v = %v, %v; want -2, 8", w, v, err)
	}
}

func TestDenseRefusesBadInput(t *testing.T) {
	a := make([]float64, 10)
	b := make([]float64, 10)
	nan := math.NaN()
	good := kernels.AdamSettings{Beta1: 0.9, Beta2: 0.999}
	_, dot := kernels.Dot(a, b[:9])
	_, distance := kernels.SquaredDistance(a[:0], b)
	for want, err := range map[string]error{
		"Dot: x has 10 elements and y has 9":                 dot,
		"SquaredDistance: x has 0 elements and y has 10":     distance,
		"Axpy: y and x overlap":                              kernels.Axpy(1, a[:9], a[1:]),
		"ScaleAdd: dst has 10 elements and y has 0":          kernels.ScaleAdd(a, 1, b, 1, nil),
		"Scale: dst and x overlap":                           kernels.Scale(a[1:], 1, a[:9]),
		"AddScalar: dst has 10 elements and x has 9":         kernels.AddScalar(a, 1, b[1:]),
		"Mul: dst and y overlap":                             kernels.Mul(a[:5], b[:5], a[4:9]),
		"SoftThreshold: the threshold is -1":                 kernels.SoftThreshold(a, b, -1),
		"SoftThreshold: the threshold is NaN":                kernels.SoftThreshold(a, b, nan),
		"Box: the bounds are 1 and 0":                        kernels.Box(a, b, 1, 0),
		"Box: the bounds are NaN and 0":                      kernels.Box(a, b, nan, 0),
		"Adam: w has 10 elements and m has 9":                kernels.Adam(a, b[:9], nil, nil, good, 0, 0),
		"Adam: w and g overlap":                              kernels.Adam(a, b, make([]float64, 10), a, good, 0, 0),
		"Adam: Beta2 is 1":                                   kernels.Adam(nil, nil, nil, nil, kernels.AdamSettings{Beta2: 1}, 0, 0),
		"Adam: decay1 is NaN":                                kernels.Adam(nil, nil, nil, nil, good, nan, 0),
		"Adam: Epsilon is -1":                                kernels.Adam(nil, nil, nil, nil, kernels.AdamSettings{Epsilon: -1}, 0, 0),
		"Momentum: v and g overlap":                          kernels.Momentum(a, b, b, 1, 1, 1),
		"Momentum: w has 10 elements and g has 0; lengths m": kernels.Momentum(a, b, nil, 1, 1, 1),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestDenseTakesEmptyAndSameSlices(t *testing.T) {
	x := []float64{1, 2}
	for _, err := range []error{
		kernels.Axpy(1, nil, nil), kernels.Axpy(1, x, x), kernels.Scale(x, 2, x), kernels.Mul(x, x, x),
		kernels.ScaleAdd(x, 1, x, 1, x), kernels.Adam(nil, nil, nil, nil, kernels.AdamSettings{}, 0, 0),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	if kernels.Sum(nil) != 0 || kernels.MaxAbs(nil) != 0 || kernels.SquaredNorm(nil) != 0 {
		t.Error("a sum over nothing is not 0")
	}
}

func TestDenseDoesNotAllocate(t *testing.T) {
	w, m, v, g := make([]float64, 9), make([]float64, 9), make([]float64, 9), make([]float64, 9)
	settings := kernels.AdamSettings{Rate: 1, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8}
	if n := allocations.Count(10, func() {
		kernels.Adam(w, m, v, g, settings, 0.9, 0.999)
		kernels.Momentum(w, v, g, 1, 1, 1)
		kernels.ScaleAdd(w, 1, m, 1, v)
		kernels.Box(w, m, -1, 1)
	}); n != 0 {
		t.Errorf("%v allocations a run", n)
	}
}

// TestRangesIncludeTheirEnds: the constants on the edge of what is refused.
func TestRangesIncludeTheirEnds(t *testing.T) {
	x, dst := []float64{-3, 1, 4, math.NaN()}, make([]float64, 4)
	if err := kernels.Box(dst, x, 1, 1); err != nil || dst[0] != 1 || dst[1] != 1 || dst[2] != 1 || !math.IsNaN(dst[3]) {
		t.Errorf("a box of one point: %v, %v", dst, err)
	}
	if err := kernels.SoftThreshold(dst, x, 0); err != nil || dst[0] != -3 || dst[1] != 1 || dst[2] != 4 || !math.IsNaN(dst[3]) {
		t.Errorf("a threshold of 0: %v, %v", dst, err)
	}
	for _, c := range []struct {
		beta, decay float64
		good        bool
	}{{0, 0, true}, {math.Nextafter(1, 0), 0.5, true}, {1, 0.5, false}, {0.5, 1, false}, {-math.SmallestNonzeroFloat64, 0.5, false}} {
		settings := kernels.AdamSettings{Rate: 1, Beta1: c.beta, Beta2: c.beta}
		if err := kernels.Adam([]float64{1}, []float64{1}, []float64{1}, []float64{1}, settings, c.decay, c.decay); (err == nil) != c.good {
			t.Errorf("beta %v and decay %v: %v", c.beta, c.decay, err)
		}
	}
}
