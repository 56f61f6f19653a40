package model

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/sparse"
)

// rowsOf writes rows whose values are of a kind each, the i-th by kinds(i).
func rowsOf(random *rand.Rand, n, d int, kinds func(i int) string) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprint(&text, 2*(i%2)-1)
		same := []float64{0.3, 0.7, 1.1}[random.IntN(3)]
		for j := 1 + random.IntN(3); j <= d; j += 1 + random.IntN(4) {
			v := map[string]float64{"ones": 1, "equal": same, "single": float64(float32(math.Exp(3 * random.NormFloat64()))), "double": random.Float64()}[kinds(i)]
			fmt.Fprintf(&text, " %d:%v", j, v)
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// TestAlike: rows that are scored block after block have the scores that they have
// in one matrix of all rows, to the bit, whatever comes after them.
func TestAlike(t *testing.T) {
	const n, d = 60, 120
	random := rand.New(rand.NewPCG(2, 3))
	weights := make([]float64, d)
	scaler := &sparse.Scaler{Shift: make([]float64, d), Width: make([]float64, d)}
	for j := range weights {
		weights[j], scaler.Width[j] = random.NormFloat64(), 0.5+random.Float64()
	}
	halves := &sparse.Scaler{Shift: make([]float64, d), Width: slices.Repeat([]float64{0.5}, d)}
	kinds := []string{"ones", "equal", "single", "double"}
	for _, first := range kinds {
		for _, then := range kinds {
			text := rowsOf(random, n, d, func(i int) string {
				if i < n-8 {
					return first
				}
				return then
			})
			for name, meta := range map[string]*Meta{
				"none": nil, "unit": {Normalize: NormalizeUnit},
				"minmax": {Normalize: NormalizeMinMax, Scaler: scaler}, "halves": {Normalize: NormalizeMinMax, Scaler: halves},
			} {
				m := &Linear{Card: Card{Features: d, Positive: 1, Negative: -1, Meta: meta}, SolverType: "L2R_LR", Weights: weights}
				options := sparse.ReadOptions{Columns: d}
				whole, err := sparse.Read(strings.NewReader(text), "whole", options)
				if err != nil {
					t.Fatal(err)
				}
				want, err := m.Scores(nil, whole.X)
				if err != nil {
					t.Fatal(err)
				}
				blocks := func() iter.Seq2[*sparse.Data, error] {
					return sparse.Blocks(strings.NewReader(text), "blocks", options, 5000)
				}
				for again, source := range map[string]func() iter.Seq2[*sparse.Data, error]{"a file": blocks, "a pipe": nil} {
					var got []float64
					for block, err := range ScoreBlocks(m, nil, Alike(m, blocks(), source)) {
						if err != nil {
							t.Fatal(err)
						}
						got = append(got, block.Scores...)
					}
					if !slices.Equal(got, want) {
						t.Errorf("rows of %s, then of %s, scaled by %s, from %s: other scores", first, then, name, again)
					}
				}
			}
		}
	}
}
