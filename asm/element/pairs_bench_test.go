package element

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// aboveCase has normal scores, and that share of the pairs of each positive above.
func aboveCase(p, n int, share float64) (s, center, least []float64) {
	random := rand.New(rand.NewPCG(1, 2))
	s, center, least = make([]float64, n), make([]float64, p), make([]float64, p)
	for i := range s {
		s[i] = random.NormFloat64()
	}
	sorted := slices.Sorted(slices.Values(s))
	for i := range center {
		center[i] = 1 + random.NormFloat64()
		k := int(math.Round(float64(n) * (1 - share)))
		least[i] = sorted[max(k-1, 0)] - center[i]
	}
	return s, center, least
}

// BenchmarkSigmoidAbove has normal scores, with 5, 50 and 95 % of the pairs above.
func BenchmarkSigmoidAbove(b *testing.B) {
	tables := append(runnable(b), &Generic)
	for _, n := range []int{20, 100} {
		for _, share := range []float64{0.05, 0.5, 0.95} {
			p := (n + 7) &^ 7
			s, center, least := aboveCase(p, n, share)
			for i := n; i < p; i++ {
				least[i] = math.Inf(1)
			}
			c, sum, count := make([]float64, n), make([]float64, p), make([]int, p)
			for _, table := range tables {
				b.Run(fmt.Sprintf("masked/%d/%v/%s", n, share, table.Path), func(b *testing.B) {
					for b.Loop() {
						table.PairBlock.SigmoidAbove(count, sum, c, s, center, least)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*n), "ns/pair")
				})
				b.Run(fmt.Sprintf("slopes/%d/%v/%s", n, share, table.Path), func(b *testing.B) {
					for b.Loop() {
						table.PairBlock.SlopeAbove(count, sum, c, s, center, least, 7)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*n), "ns/pair")
				})
				b.Run(fmt.Sprintf("odds/%d/%v/%s", n, share, table.Path), func(b *testing.B) {
					for b.Loop() {
						table.PairBlock.SlopeOdds(count, sum, c, s, center, least, s, center)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*n), "ns/pair")
				})
			}
		}
	}
}

func BenchmarkPairBlock(b *testing.B) {
	tables := append(runnable(b), &Generic)
	for _, n := range []int{10, 20, 100} {
		p := (n + 7) &^ 7
		s, center, _ := aboveCase(p, n, 0.5)
		c, part, value, slope := make([]float64, n), make([]float64, n*p), make([]float64, p), make([]float64, p)
		for _, table := range tables {
			k := &table.PairBlock
			b.Run(fmt.Sprintf("hinge/%d/%s", n, table.Path), func(b *testing.B) {
				for b.Loop() {
					k.Hinge(part, value, slope, s, center)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*n), "ns/pair")
			})
			b.Run(fmt.Sprintf("logistic/%d/%s", n, table.Path), func(b *testing.B) {
				for b.Loop() {
					k.Logistic(part, value, slope, s, center, 1)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*n), "ns/pair")
			})
			b.Run(fmt.Sprintf("add/%d/%s", n, table.Path), func(b *testing.B) {
				for b.Loop() {
					k.Add(c, part, value)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*n), "ns/pair")
			})
		}
	}
}
