package vector_test

import (
	"flag"
	"math"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
	"github.com/lanes-go/lanes/asm/vector"
)

var every = flag.Bool("every", false, "compute functions of all 2^32 numbers of float32, in minutes")

// A function is a kernel of one vector. Its results differ from results of float64 by some units in
// the last place at most: the worst of all 2^32 numbers, rounded up. They were 0.981, 0.806, 2.402 and 2.498
// on 2026-11-29.
type function struct {
	units float64
	of    func(x float64) float64
}

var functions = map[string]function{
	"Exp":     {1, math.Exp},
	"Log":     {1, math.Log},
	"Sigmoid": {3, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }},
	"Tanh":    {3, math.Tanh},
}

// units is the distance of a result from a number, in units in the last place of float32 there.
func units(got float32, want float64) float64 {
	g := float64(got)
	switch limit := 0x1p128 - 0x1p103; { // from here on the nearest float32 is infinite
	case g != g || want != want:
		if g != g && want != want {
			return 0
		}
		return math.Inf(1)
	case math.IsInf(g, 0) && math.Abs(want) >= limit && g*want > 0:
		return 0
	case math.IsInf(want, 0):
		return math.Inf(1)
	}
	unit := max(int(math.Float64bits(want)>>52&0x7ff)-23, 1023-149)
	return math.Abs(g-want) / math.Float64frombits(uint64(unit)<<52)
}

// TestFunctions compares the functions of a path with float64, and other paths with it.
func TestFunctions(t *testing.T) {
	const block = 1 << 12
	x, dst, other := make([]float32, block), make([]float32, block), make([]float32, block)
	paths, step := asmtest.Runnable(t, vector.Paths, func(k *vector.Kernels) string { return k.Path }), uint64(4099)
	if *every && len(paths) > 1 {
		paths, step = paths[1:], 1
	}
	for name, f := range functions {
		worst, at := 0.0, float32(0)
		for bits := uint64(0); bits < 1<<32; {
			for i := range x {
				x[i] = math.Float32frombits(uint32(bits))
				bits += step
			}
			for k, p := range paths {
				kernel := map[string]func(dst, x []float32){"Exp": p.Exp, "Log": p.Log, "Sigmoid": p.Sigmoid, "Tanh": p.Tanh}[name]
				if k == 0 {
					kernel(dst, x)
					continue
				}
				kernel(other, x)
				for i, v := range other {
					if math.Float32bits(v) != math.Float32bits(dst[i]) && (v == v || dst[i] == dst[i]) {
						t.Fatalf("%s %s of %v is %v, %s has %v", p.Path, name, x[i], v, paths[0].Path, dst[i])
					}
				}
			}
			for i, v := range x {
				if u := units(dst[i], f.of(float64(v))); u > worst {
					worst, at = u, v
				}
			}
		}
		if t.Logf("%s: %.3f units at %v", name, worst, at); worst > f.units {
			t.Errorf("%s: %.3f units at %v", name, worst, at)
		}
	}
}
