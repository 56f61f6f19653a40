package kernels

import (
	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/single"
)

// Dot32 returns the inner product sum_i x[i] y[i] of float32 vectors, accumulated in float64: every
// product is exact, and the sum is as accurate as Dot of float64 vectors.
//
// Error: x and y differ in length. Cost: 2n flops, 8n bytes read.
func Dot32(x, y []float32) (float64, error) {
	if len(x) != len(y) {
		return 0, lengths("Dot32", "x", len(x), "y", len(y))
	}
	if len(x) <= single.Short {
		return single.DotShort(x, y), nil
	}
	return asm.Active().Single.Dot(x, y), nil
}

// SquaredNorm32 returns sum_i x[i]^2 of a float32 vector, accumulated in float64, which
// no finite elements make overflow; its root is the Euclidean norm. Cost: 2n flops, 4n
// bytes read.
func SquaredNorm32(x []float32) float64 {
	if len(x) <= single.Short {
		return single.SquaredNormShort(x)
	}
	return asm.Active().Single.SquaredNorm(x)
}

// Sum32 returns sum_i x[i] of a float32 vector, accumulated in float64. Cost: n flops,
// 4n bytes read.
func Sum32(x []float32) float64 {
	if len(x) <= single.Short {
		return single.SumShort(x)
	}
	return asm.Active().Single.Sum(x)
}
