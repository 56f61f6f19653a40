package vector_test

import (
	"flag"
	"math"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
	"github.com/lanes-go/lanes/asm/vector"
)

var every = flag.Bool("every", false, "compute functions of all 2^32 numbers of float32, in minutes")

// A function is a kernel of one vector. Its results differ from those of float64 by some units in the
// last place at most: the worst of all 2^32 numbers, rounded up.
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
	_, exponent := math.Frexp(want)
	return math.Abs(g-want) / math.Ldexp(1, max(exponent-24, -149))
}

// TestFunctions compares the functions of every path with float64.
func TestFunctions(t *testing.T) {
	const block = 1 << 12
	x, dst := make([]float32, block), make([]float32, block)
	for name, f := range functions {
		for _, p := range asmtest.Runnable(t, vector.Paths, func(k *vector.Kernels) string { return k.Path }) {
			kernel := map[string]func(dst, x []float32){"Exp": p.Exp, "Log": p.Log, "Sigmoid": p.Sigmoid, "Tanh": p.Tanh}[name]
			worst, at, step := 0.0, float32(0), uint64(4099)
			if *every {
				step = 1
				if p.Path == "generic" {
					step = 17
				}
			}
			for bits := uint64(0); bits < 1<<32; {
				for i := range x {
					x[i] = math.Float32frombits(uint32(bits))
					bits += step
				}
				kernel(dst, x)
				for i, v := range x {
					if u := units(dst[i], f.of(float64(v))); u > worst {
						worst, at = u, v
					}
				}
			}
			if t.Logf("%s %s: %.3f units at %v", p.Path, name, worst, at); worst > f.units {
				t.Errorf("%s %s: %.3f units at %v", p.Path, name, worst, at)
			}
		}
	}
}
