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

// BenchmarkScore times rows of 14 entries against plain loops that return the same, without
// checks, in turn. It reports the ratios of the least times. In rows of "beyond" about one entry
// is in a column that the model does not know.
func BenchmarkScore(b *testing.B) {
	const n, count = 14, 512
	for _, d := range []int{1_000, 50_000, 1_000_000} {
		random := rand.New(rand.NewPCG(1, 2))
		m := &Linear{SolverType: "L2R_LR", Bias: 1, Card: Card{Features: d, Positive: 1, Negative: -1, Meta: &Meta{Normalize: NormalizeNone}}}
		for range d + 1 {
			m.Weights = append(m.Weights, random.NormFloat64())
		}
		loop := func(columns []int, values []float64) (s float64, _ error) {
			for e, j := range columns {
				if j < d {
					s += values[e] * m.Weights[j]
				}
			}
			return s + m.Weights[d], nil
		}
		type scorer func(columns []int, values []float64) (float64, error)
		ways := []struct {
			name       string
			ours, loop scorer
		}{
			{"Score", Model(m).Score, loop},
			{"Predict", Model(m).Predict, func(columns []int, values []float64) (float64, error) {
				if s, _ := loop(columns, values); s > 0 {
					return m.Positive, nil
				}
				return m.Negative, nil
			}},
			{"Probability", Model(m).Probability, func(columns []int, values []float64) (float64, error) {
				s, _ := loop(columns, values)
				return 1 / (1 + math.Exp(-s)), nil
			}},
		}
		for _, rows := range []struct {
			name  string
			width int
		}{{"known", d}, {"beyond", d + d/14}} {
			columns, values := make([][]int, count), make([][]float64, count)
			for i := range count {
				for len(columns[i]) < n {
					if j := random.IntN(rows.width); !slices.Contains(columns[i], j) {
						columns[i], values[i] = append(columns[i], j), append(values[i], random.NormFloat64())
					}
				}
				slices.Sort(columns[i])
			}
			b.Run(strconv.Itoa(d)+"/"+rows.name, func(b *testing.B) {
				sum, least := 0.0, make([][2]time.Duration, len(ways))
				for b.Loop() {
					for k, way := range ways {
						for of, score := range []scorer{way.ours, way.loop} {
							begun := time.Now()
							for i := range count {
								s, _ := score(columns[i], values[i])
								sum += s
							}
							if took := time.Since(begun); least[k][of] == 0 || took < least[k][of] {
								least[k][of] = took
							}
						}
					}
				}
				b.ReportMetric(0, "ns/op")
				for k, way := range ways {
					b.ReportMetric(float64(least[k][0])/float64(least[k][1]), way.name+"/loop")
					b.ReportMetric(float64(least[k][0])/count, way.name+"-ns")
				}
			})
		}
	}
}
