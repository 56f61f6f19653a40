package dense

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// BenchmarkDense times the dense kernels of every path with their slices in the first cache
// level, in the second, and in memory. In L1, two loads a cycle bound Dot and Mul. The latency of
// an addition over the 32 lanes bounds the norms and Sum. The stores bound Axpy and the other
// maps. The divider bounds Adam in every cache, with a square root and a division an element.
// From L2 on the bandwidth bounds everything else, and AVX-512 gains nothing over AVX2.
func BenchmarkDense(b *testing.B) {
	for _, size := range []struct {
		name string
		n    int
	}{{"L1", 1024}, {"L2", 16 << 10}, {"DRAM", 8 << 20}} {
		var s [4][]float64
		for i := range s {
			s[i] = make([]float64, size.n)
			for j := range s[i] {
				s[i][j] = 1 / float64(j%1000+1)
			}
		}
		x, y, z, w := s[0], s[1], s[2], s[3]
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s/%s", name, size.name), func(b *testing.B) {
				for range b.N {
					f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(size.n), "ns/element")
			})
		}
		var sum float64
		run("Dot/plain", func() {
			acc := 0.0
			for i, v := range x {
				acc += v * y[i]
			}
			sum = acc
		})
		run("Dot/gonum", func() { sum = floats.Dot(x, y) })
		run("Axpy/plain", func() {
			for i, v := range x {
				y[i] += 1e-9 * v
			}
		})
		run("Axpy/gonum", func() { floats.AddScaled(y, 1e-9, x) })
		for _, table := range append(runnable(b), &Generic) {
			k, path := table, table.Path
			run("Dot/"+path, func() { sum = k.Dot(x, y) })
			run("SquaredNorm/"+path, func() { sum = k.SquaredNorm(x) })
			run("SquaredDistance/"+path, func() { sum = k.SquaredDistance(x, y) })
			run("Sum/"+path, func() { sum = k.Sum(x) })
			run("MaxAbs/"+path, func() { sum = k.MaxAbs(x) })
			run("Axpy/"+path, func() { k.Axpy(1e-9, x, y) })
			run("ScaleAdd/"+path, func() { k.ScaleAdd(z, 0.5, x, 0.5, y) })
			run("Scale/"+path, func() { k.Scale(z, 0.5, x) })
			run("Mul/"+path, func() { k.Mul(z, x, y) })
			run("SoftThreshold/"+path, func() { k.SoftThreshold(z, x, 1e-3) })
			run("Box/"+path, func() { k.Box(z, x, 0.01, 0.5) })
			run("Adam/"+path, func() { k.Adam(w, z, y, x, Adam{0.9, 0.1, 0.999, 0.001, 1e-3, 1e-8, 1e-4}) })
			run("Momentum/"+path, func() { k.Momentum(w, z, x, 1e-3, 0.9, 1e-4) })
		}
		_ = sum
	}
}
