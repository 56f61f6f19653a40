package kernels_test

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/kernels"
)

// TestFloat32Vectors has every length up to some dozen, short ones included, which do not
// reach the kernels.
func TestFloat32Vectors(t *testing.T) {
	for n := range 70 {
		x, y := make([]float32, n), make([]float32, n)
		for i := range x {
			x[i], y[i] = float32(math.Sqrt(float64(i)+0.1)), float32(i%5)-2.3
		}
		dot, err := kernels.Dot32(x, y)
		if err != nil {
			t.Fatal(err)
		}
		g := &asm.Generic.Single
		for name, pair := range map[string][2]float64{
			"Dot32": {dot, g.Dot(x, y)}, "SquaredNorm32": {kernels.SquaredNorm32(y), g.SquaredNorm(y)}, "Sum32": {kernels.Sum32(x), g.Sum(x)},
		} {
			if pair[0] != pair[1] {
				t.Errorf("%s of %d elements: %v, the twin has %v", name, n, pair[0], pair[1])
			}
		}
	}
}
