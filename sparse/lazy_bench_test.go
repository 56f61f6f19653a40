package sparse

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/matrix"
)

// lazyBatch is the mini-batch of the paper's experiments.
const lazyBatch = 64

// BenchmarkLazyPass times the three sweeps of one effective pass of AI-SARAH
// against one product Xw by the same matrix, on one worker. The metrics are
// medians; the ratios are to Xw.
func BenchmarkLazyPass(b *testing.B) {
	for _, name := range []string{"onehot", "text", "wide", "wide-renumbered"} {
		b.Run(name, func(b *testing.B) {
			shape, renumbered := strings.CutSuffix(name, "-renumbered")
			x := generate(b, shape).X
			if renumbered {
				r, _ := matrix.Renumber(x, nil)
				x = r
			}
			rng := rand.New(rand.NewPCG(1, 2))
			order := make([]uint32, x.Rows())
			for i := range order {
				order[i] = uint32(i)
			}
			l := matrix.NewLazy(x)
			w, margins := make([]float64, x.Cols()), make([]float64, x.Rows())
			for j := range w {
				w[j] = rng.NormFloat64()
				l.Rec[j].W, l.Rec[j].U = w[j], 1e-3*rng.NormFloat64()
			}
			c := make([]float64, lazyBatch)
			for k := range c {
				c[k] = 1e-6 * rng.NormFloat64()
			}
			outW, outU, work := make([]float64, lazyBatch), make([]float64, lazyBatch), make([]float64, lazyBatch)
			fail := func(err error) {
				if err != nil {
					b.Fatal(err)
				}
			}
			var product, dot, addS, move []float64
			clock := 0.0
			b.ReportAllocs()
			for b.Loop() {
				start := time.Now()
				fail(x.MulVec(nil, margins, w))
				product = append(product, time.Since(start).Seconds())
				rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
				var sweeps [3]time.Duration
				for rows := range slices.Chunk(order, lazyBatch) {
					n := len(rows)
					t0 := time.Now()
					fail(l.Dot(outW[:n], outU[:n], rows, clock))
					t1 := time.Now()
					_, err := l.AddS(rows, c[:n], work[:n])
					t2 := time.Now()
					fail(err)
					clock += 0.01
					_, err = l.MoveAddU(rows, c[:n], work[:n], clock)
					t3 := time.Now()
					fail(err)
					sweeps[0] += t1.Sub(t0)
					sweeps[1] += t2.Sub(t1)
					sweeps[2] += t3.Sub(t2)
				}
				dot = append(dot, sweeps[0].Seconds())
				addS = append(addS, sweeps[1].Seconds())
				move = append(move, sweeps[2].Seconds())
			}
			p, d, s, u := median(product), median(dot), median(addS), median(move)
			nonzeros := float64(x.NNZ())
			b.ReportMetric(1e9*p/nonzeros, "Xw-ns/nnz")
			b.ReportMetric(1e9*(d+s+u)/nonzeros, "pass-ns/nnz")
			b.ReportMetric(d/p, "Dot/Xw")
			b.ReportMetric(s/p, "AddS/Xw")
			b.ReportMetric(u/p, "MoveAddU/Xw")
			b.ReportMetric((d+s+u)/p, "pass/Xw")
		})
	}
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}
