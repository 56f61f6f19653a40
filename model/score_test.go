package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"
)

// TestScoreOfEveryLength compares Score with the definition, on tame and hostile numbers.
func TestScoreOfEveryLength(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	m := &Linear{SolverType: "L2R_LR", Card: Card{Features: 300}, Weights: make([]float64, 300)}
	hostile := []float64{0, math.Copysign(0, -1), 5e-324, -5e-324, 1e-200, -1e-200, 1e200, -1e200, 1, -1}
	for round := range 20_000 {
		for j := range m.Weights {
			if m.Weights[j] = random.NormFloat64(); round%2 == 1 {
				m.Weights[j] = hostile[random.IntN(1+random.IntN(len(hostile)))]
			}
		}
		var columns []int
		var values []float64
		for j := random.IntN(9); j < m.Features && len(columns) < round%70; j += 1 + random.IntN(4) {
			columns, values = append(columns, j), append(values, random.NormFloat64())
			if round%4 > 1 {
				values[len(values)-1] = hostile[random.IntN(1+random.IntN(len(hostile)))]
			}
		}
		got, err := m.Score(columns, values)
		want := lanesOf(columns, values, m.Weights)
		if err != nil || !sameBits([]float64{got}, []float64{want}) {
			t.Fatalf("%d entries: %v, not %v; %v", len(columns), got, want, err)
		}
	}
	for n := range 20 { // sums of nothing but -0: the sum is -0 where products vanish, and +0 where weights are 0
		columns, values := make([]int, n), slices.Repeat([]float64{-1e-200}, n)
		for j := range columns {
			columns[j] = j
		}
		for _, w := range []float64{0, math.Copysign(0, -1), 1e-200} {
			m.Weights = slices.Repeat([]float64{w}, 300)
			got, err := m.Score(columns, values)
			if want := lanesOf(columns, values, m.Weights); err != nil || !sameBits([]float64{got}, []float64{want}) {
				t.Errorf("%d weights of %v: %v, not %v; %v", n, w, got, want, err)
			}
		}
	}
}

// BenchmarkScore times rows of 14 entries and a plain loop over the weights in turn. It reports
// the medians of their ratios.
func BenchmarkScore(b *testing.B) {
	const n, count = 14, 512
	for _, d := range []int{1_000, 50_000, 1_000_000} {
		random := rand.New(rand.NewPCG(1, 2))
		m := &Linear{SolverType: "L2R_LR", Bias: 1, Card: Card{Features: d, Positive: 1, Negative: -1, Meta: &Meta{Normalize: NormalizeNone}}}
		for range d + 1 {
			m.Weights = append(m.Weights, random.NormFloat64())
		}
		columns, values := make([][]int, count), make([][]float64, count)
		for i := range count {
			for len(columns[i]) < n {
				if j := random.IntN(d); !slices.Contains(columns[i], j) {
					columns[i], values[i] = append(columns[i], j), append(values[i], random.NormFloat64())
				}
			}
			slices.Sort(columns[i])
		}
		ways := []struct {
			name  string
			score func(columns []int, values []float64) (float64, error)
		}{
			{"loop", func(columns []int, values []float64) (s float64, _ error) {
				for e, j := range columns {
					s += values[e] * m.Weights[j]
				}
				return s, nil
			}},
			{"Score", Model(m).Score},
			{"Predict", Model(m).Predict},
			{"Probability", Model(m).Probability},
		}
		b.Run(strconv.Itoa(d), func(b *testing.B) {
			sum, took, ratios := 0.0, make([]float64, len(ways)), make([][]float64, len(ways))
			for b.Loop() {
				for k, way := range ways {
					begun := time.Now()
					for range 20 {
						for i := range count {
							s, _ := way.score(columns[i], values[i])
							sum += s
						}
					}
					took[k] = time.Since(begun).Seconds()
					ratios[k] = append(ratios[k], took[k]/took[0])
				}
			}
			b.ReportMetric(0, "ns/op")
			for k := 1; k < len(ways); k++ {
				slices.Sort(ratios[k])
				b.ReportMetric(ratios[k][len(ratios[k])/2], ways[k].name+"/loop")
			}
		})
	}
}
