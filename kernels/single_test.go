package kernels_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/kernels"
)

// TestFloat32Vectors has every length up to some dozen, short ones included, which do not
// reach the kernels: ordinary numbers, and numbers whose sum shows another order or another zero.
func TestFloat32Vectors(t *testing.T) {
	negative := float32(math.Copysign(0, -1))
	extreme := []float32{negative, 1, 0x1p-24, 3e38, -3e38, 1e-45, -0x1p-60, 0, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())}
	random := rand.New(rand.NewPCG(3, 3))
	g := &asm.Generic.Single
	for n := range 70 {
		for kind := range 400 {
			x, y := make([]float32, n), make([]float32, n)
			for i := range x {
				switch x[i], y[i] = float32(random.NormFloat64()), float32(random.NormFloat64()); {
				case kind == 0:
					x[i], y[i] = negative, 1
				case kind%2 == 1:
					most := len(extreme) - 3*(kind/2%2) // with and without infinities and NaN
					x[i], y[i] = extreme[random.IntN(most)], extreme[random.IntN(most)]
				}
			}
			dot, err := kernels.Dot32(x, y)
			if err != nil {
				t.Fatal(err)
			}
			for name, pair := range map[string][2]float64{
				"Dot32": {dot, g.Dot(x, y)}, "SquaredNorm32": {kernels.SquaredNorm32(y), g.SquaredNorm(y)}, "Sum32": {kernels.Sum32(x), g.Sum(x)},
			} {
				if a, b := pair[0], pair[1]; math.Float64bits(a) != math.Float64bits(b) && (a == a || b == b) {
					t.Fatalf("%s of %v and %v: %v, the twin has %v", name, x, y, pair[0], pair[1])
				}
			}
		}
	}
}
