package element

import (
	"fmt"
	"math"
	"testing"
)

// benchmarkSize keeps all slices of a call in the first cache level.
const benchmarkSize = 1024

func benchmarkInputs() (x, y, dst, third []float64) {
	x, y = make([]float64, benchmarkSize), make([]float64, benchmarkSize)
	for i := range x {
		x[i], y[i] = float64((i*7919)%1000)/50-10, float64(i%2*2-1)
	}
	return x, y, make([]float64, benchmarkSize), make([]float64, benchmarkSize)
}

// plain are the functions as plain Go writes them.
var plain = map[string]func(float64) float64{
	"exp": math.Exp, "log": func(x float64) float64 { return math.Log(math.Abs(x) + 1e-9) },
	"log1p":    func(x float64) float64 { return math.Log1p(math.Abs(x)) },
	"sigmoid":  func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
	"softplus": func(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) },
}

func perElement(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchmarkSize, "ns/element")
}

func BenchmarkElementary(b *testing.B) {
	x, _, dst, _ := benchmarkInputs()
	for _, f := range elementary {
		if f.name == "log" || f.name == "log1p" {
			for i := range x {
				x[i] = math.Abs(x[i]) + 1e-9
			}
		}
		b.Run(f.name+"/plain", func(b *testing.B) {
			g := plain[f.name]
			for range b.N {
				for i, v := range x {
					dst[i] = g(v)
				}
			}
			perElement(b)
		})
		for _, table := range append(runnable(b), &Generic) {
			b.Run(f.name+"/"+table.Path, func(b *testing.B) {
				for range b.N {
					f.kernel(table)(dst, x)
				}
				perElement(b)
			})
		}
		x, _, dst, _ = benchmarkInputs()
	}
}

func BenchmarkLoss(b *testing.B) {
	z, y, coef, third := benchmarkInputs()
	b.Run("grad/logistic/plain", func(b *testing.B) {
		for range b.N {
			sum := 0.0
			for i, v := range z {
				e := math.Exp(-math.Abs(v))
				s := 1 / (1 + e)
				if y[i]*v > 0 {
					s = e / (1 + e)
				}
				coef[i] = -y[i] * s
				sum += max(-y[i]*v, 0) + math.Log1p(e)
			}
			coef[0] = sum
		}
		perElement(b)
	})
	for loss, name := range lossNames {
		for _, table := range append(runnable(b), &Generic) {
			b.Run(fmt.Sprint("grad/", name, "/", table.Path), func(b *testing.B) {
				for range b.N {
					table.Grad[loss](coef, z, y, nil, 1)
				}
				perElement(b)
			})
			b.Run(fmt.Sprint("sum/", name, "/", table.Path), func(b *testing.B) {
				for range b.N {
					table.Sum[loss](z, y, nil, 1)
				}
				perElement(b)
			})
			b.Run(fmt.Sprint("curvature/", name, "/", table.Path), func(b *testing.B) {
				for range b.N {
					table.Curvature[loss](coef, third, z, y, nil, 1)
				}
				perElement(b)
			})
		}
	}
}
