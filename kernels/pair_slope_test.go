package kernels_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/kernels"
)

// The slopes must hold wherever the scores lie and however far apart they are: the way
// by one exponential a score, and the one by one a pair, meet at 700/scale.
func TestSigmoidSlopesAgainstFormula(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 4))
	block, scratch := newBlock(t, 20, 0), make([]float64, 30)
	for _, scale := range []float64{7, -2, 0, 1e-3} {
		unit := 1 / max(math.Abs(scale), 1e-3)
		for _, spread := range []float64{0, 1e-9, 1, 600, 699, 701, 1e6, 1e300} {
			for _, center := range []float64{0, -5e3} {
				for _, p := range []int{1, 7, 8, 20} {
					positive, s, least := make([]float64, p), make([]float64, 30), make([]float64, p)
					for _, x := range [][]float64{positive, s} {
						for i := range x {
							x[i] = center + unit*spread*(random.Float64()-0.5)
						}
						x[0] = center - unit*spread/2
					}
					s[5] = center + unit*spread/2
					for i := range least {
						least[i] = unit * spread * (random.Float64() - 0.5)
					}
					least[p-1] = math.Inf(-1)
					start := normals(random, 30)
					c := append([]float64(nil), start...)
					number, sum, err := block.SigmoidSlopeAbove(c, positive, least, s, scratch, scale)
					if err != nil || len(number) != p || len(sum) != p {
						t.Fatalf("%d numbers, %d sums, %v", len(number), len(sum), err)
					}
					for i, si := range positive {
						want, above := 0.0, 0
						for j, sj := range s {
							if d := sj - si; d > least[i] {
								x := scale * d
								g := 1 / (2 + math.Exp(x) + math.Exp(-x))
								above, want, start[j] = above+1, want+g, start[j]+g
							}
						}
						if number[i] != above || !(math.Abs(sum[i]-want) <= 2e-12*want+1e-307) {
							t.Fatalf("scale %v, spread %v about %v, positive %d of %d: %d pairs sum to %v, want %d and %v", scale, spread, center, i, p, number[i], sum[i], above, want)
						}
					}
					for j, want := range start {
						if !(math.Abs(c[j]-want) <= 1e-12) {
							t.Fatalf("scale %v, spread %v about %v, %d positives: c[%d] = %v, want %v", scale, spread, center, p, j, c[j], want)
						}
					}
				}
			}
		}
	}
	// NaN is above nothing and taints nobody else; the slope at an infinite difference is 0.
	number, sum, err := block.SigmoidSlopeAbove(make([]float64, 3), []float64{0, math.NaN()}, []float64{-1, -1}, []float64{0, math.Inf(1), math.NaN()}, scratch, 1)
	if err != nil || number[0] != 2 || sum[0] != 0.25 || number[1] != 0 || sum[1] != 0 {
		t.Errorf("%v, %v, %v", number, sum, err)
	}
}

func TestSigmoidSlopesRefuse(t *testing.T) {
	x := make([]float64, 20)
	for name, call := range map[string]func(b *kernels.PairBlock) error{
		"no positives": func(b *kernels.PairBlock) error {
			_, _, err := b.SigmoidSlopeAbove(x[:4], nil, nil, x[8:12], x[12:16], 1)
			return err
		},
		"too many positives": func(b *kernels.PairBlock) error {
			_, _, err := b.SigmoidSlopeAbove(x[:4], x[4:8], x[4:8], x[8:12], x[12:16], 1)
			return err
		},
		"a short least": func(b *kernels.PairBlock) error {
			_, _, err := b.SigmoidSlopeAbove(x[:4], x[4:7], x[4:6], x[8:12], x[12:16], 1)
			return err
		},
		"short scratch": func(b *kernels.PairBlock) error {
			_, _, err := b.SigmoidSlopeAbove(x[:4], x[4:7], x[4:7], x[8:12], x[12:15], 1)
			return err
		},
		"scratch over c": func(b *kernels.PairBlock) error {
			_, _, err := b.SigmoidSlopeAbove(x[:4], x[4:7], x[4:7], x[8:12], x[:4], 1)
			return err
		},
		"scratch over least": func(b *kernels.PairBlock) error {
			_, _, err := b.SigmoidSlopeAbove(x[:4], x[4:7], x[14:17], x[8:12], x[12:16], 1)
			return err
		},
		"c shorter than s": func(b *kernels.PairBlock) error {
			_, _, err := b.SigmoidSlopeAbove(x[:3], x[4:7], x[4:7], x[8:12], x[12:16], 1)
			return err
		},
		"c over s": func(b *kernels.PairBlock) error {
			_, _, err := b.SigmoidSlopeAbove(x[:4], x[4:7], x[4:7], x[:4], x[12:16], 1)
			return err
		},
		"an infinite scale": func(b *kernels.PairBlock) error {
			_, _, err := b.SigmoidSlopeAbove(x[:4], x[4:7], x[4:7], x[8:12], x[12:16], math.Inf(1))
			return err
		},
	} {
		if call(newBlock(t, 3, 0)) == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
