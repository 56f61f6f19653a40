// Package single holds the kernels on dense vectors of float32. Sums accumulate in
// float64, where the product of two float32 is exact.
//
// Package asm says what callers promise.
package single

import (
	"math"

	"github.com/lanes-go/lanes/asm/internal/lanes"
)

// Kernels are the kernels of one CPU path. No entry is nil. All slices of a call have
// the same length.
//
// A sum has the 32 lanes of dense.Kernels, in float64.
type Kernels struct {
	// Path names the CPU path: generic, avx2, avx512 or neon.
	Path string

	// Dot: acc = fma(x[i], y[i], acc).
	Dot func(x, y []float32) float64
	// SquaredNorm: acc = fma(x[i], x[i], acc).
	SquaredNorm func(x []float32) float64
	// Sum: acc = acc + x[i].
	Sum func(x []float32) float64
}

// Generic holds the portable kernels, which define the results of all others.
var Generic = Kernels{
	Path: "generic",
	Dot: func(x, y []float32) float64 {
		var l [32]float64
		for len(x) >= 32 && len(y) >= 32 {
			a, b := (*[32]float32)(x), (*[32]float32)(y)
			for i := range l {
				l[i] = math.FMA(float64(a[i]), float64(b[i]), l[i])
			}
			x, y = x[32:], y[32:]
		}
		for i, v := range x {
			l[i] = math.FMA(float64(v), float64(y[i]), l[i])
		}
		return lanes.Sum32(&l)
	},
	SquaredNorm: func(x []float32) float64 {
		var l [32]float64
		for i, v := range x {
			l[i%32] = math.FMA(float64(v), float64(v), l[i%32])
		}
		return lanes.Sum32(&l)
	},
	Sum: func(x []float32) float64 {
		var l [32]float64
		for i, v := range x {
			l[i%32] += float64(v)
		}
		return lanes.Sum32(&l)
	},
}
