package kernels_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/kernels"
)

func normals(random *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = random.NormFloat64()
	}
	return x
}

func newBlock(t testing.TB, positives, samples int) *kernels.PairBlock {
	t.Helper()
	b, err := kernels.NewPairBlock(positives, samples)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// onePair is a loss and its derivative in the score s of the sample.
func onePair(loss kernels.PairLoss, s, positive, parameter float64) (value, slope float64) {
	if loss == kernels.PairLogistic {
		p := kernels.SigmoidOf(parameter * (s - positive))
		return p, parameter * p * (1 - p)
	}
	t := max(0, s-positive+parameter)
	return t * t, 2 * t
}

// TestPairBlockIsManyPairs compares a block with one pair after the other, whose sums
// have another order.
func TestPairBlockIsManyPairs(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 1))
	const parameter = 0.8
	block := newBlock(t, 40, 50)
	for _, loss := range []kernels.PairLoss{kernels.PairSquaredHinge, kernels.PairLogistic} {
		for _, p := range []int{1, 7, 8, 9, 20, 40} {
			for _, n := range []int{0, 1, 5, 20, 50} {
				positive, s, a := normals(random, p), normals(random, n), normals(random, p)
				c, d := normals(random, n), normals(random, p)
				wantC, wantD := append([]float64(nil), c...), append([]float64(nil), d...)
				values, err := block.Losses(loss, positive, s, parameter)
				if err != nil {
					t.Fatal(err)
				}
				for i, si := range positive {
					want := 0.0
					for j, sj := range s {
						loss, slope := onePair(loss, sj, si, parameter)
						want += loss
						wantC[j] += a[i] * slope
						wantD[i] -= a[i] * slope
					}
					if !near(values[i], want) {
						t.Fatalf("%v, %d by %d: loss %d is %v, want %v", loss, p, n, i, values[i], want)
					}
				}
				if err := block.Gradients(c, d, a); err != nil {
					t.Fatal(err)
				}
				for j := range c {
					if math.Abs(c[j]-wantC[j]) > 1e-12 {
						t.Fatalf("%v, %d by %d: c[%d] = %v, want %v", loss, p, n, j, c[j], wantC[j])
					}
				}
				for i := range d {
					if math.Abs(d[i]-wantD[i]) > 1e-12 {
						t.Fatalf("%v, %d by %d: d[%d] = %v, want %v", loss, p, n, i, d[i], wantD[i])
					}
				}
			}
		}
	}
}

// The logistic loss must hold wherever the scores lie and however far apart they are:
// the way by one exponential a score, and the one by one a pair, meet at 1400/scale.
func TestPairBlockLogisticAtAnyRange(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 3))
	block := newBlock(t, 9, 30)
	for _, scale := range []float64{1, -2, 100} {
		for _, spread := range []float64{0, 1e-9, 1, 600, 1399, 1401, 1e6, 1e300} {
			for _, center := range []float64{0, -5e3, 1e9} {
				positive, s := make([]float64, 9), make([]float64, 30)
				for _, x := range [][]float64{positive, s} {
					for i := range x {
						x[i] = center + spread/scale*(random.Float64()-0.5)
					}
				}
				positive[3], s[5] = center-spread/scale/2, center+spread/scale/2
				values, err := block.Losses(kernels.PairLogistic, positive, s, scale)
				if err != nil {
					t.Fatal(err)
				}
				c, d, a := make([]float64, len(s)), make([]float64, len(positive)), make([]float64, len(positive))
				a[3] = 1 / scale
				if err := block.Gradients(c, d, a); err != nil {
					t.Fatal(err)
				}
				for i, si := range positive {
					want := 0.0
					for j, sj := range s {
						x := scale * (sj - si)
						want += 1 / (1 + math.Exp(-x))
						if slope := 1 / (2 + math.Exp(x) + math.Exp(-x)); i == 3 && math.Abs(c[j]-slope) > 1e-12 {
							t.Fatalf("scale %v, spread %v about %v: slope %d is %v, want %v", scale, spread, center, j, c[j], slope)
						}
					}
					if !(math.Abs(values[i]-want) <= 1e-11) {
						t.Fatalf("scale %v, spread %v about %v: loss %d is %v, want %v", scale, spread, center, i, values[i], want)
					}
				}
			}
		}
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		values, err := block.Losses(kernels.PairLogistic, []float64{0, bad}, []float64{1, bad}, 1)
		if err != nil || !math.IsNaN(values[1]) {
			t.Errorf("%v: %v, %v", bad, values, err)
		}
	}
}

// TestPairsWhereOddsEnd sets scores at both ends of every span about the ones from which
// on one exponential a score would leave the normal numbers: the pairs at one end are
// then small odds times large ones.
func TestPairsWhereOddsEnd(t *testing.T) {
	block, scratch := newBlock(t, 4, 4), make([]float64, 4)
	for span := 690.0; span < 1540; span += 1.7 {
		center := []float64{0, -900, 900}[int(span)%3]
		x := []float64{center - span/2, center - span/2 + 1, center + span/2 - 2, center + span/2}
		losses, err := block.Losses(kernels.PairLogistic, x, x, 1)
		if err != nil {
			t.Fatal(err)
		}
		losses = slices.Clone(losses)
		_, slopes, err := block.SigmoidSlopeAbove(make([]float64, 4), x, []float64{-1e9, -1e9, -1e9, -1e9}, x, scratch, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i, si := range x {
			loss, slope := 0.0, 0.0
			for _, sj := range x {
				loss += 1 / (1 + math.Exp(si-sj))
				slope += 1 / (2 + math.Exp(si-sj) + math.Exp(sj-si))
			}
			if !near(losses[i], loss) || !near(slopes[i], slope) {
				t.Fatalf("scores over %v, positive %d: loss %v and slope %v, want %v and %v", span, i, losses[i], slopes[i], loss, slope)
			}
		}
	}
}

func TestPairsAboveAgainstFormulas(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 2))
	block := newBlock(t, 40, 0)
	for _, p := range []int{1, 7, 8, 9, 20, 40} {
		for _, n := range []int{0, 1, 5, 20, 130} {
			positive, s, least, c := normals(random, p), normals(random, n), normals(random, p), normals(random, n)
			least[0] = math.Inf(-1)
			wantC, wantSigmoid, wantSoftplus, want := append([]float64(nil), c...), make([]float64, p), make([]float64, p), make([]int, p)
			for i := range positive {
				for j := range s {
					if d := s[j] - positive[i]; d > least[i] {
						v := 1 / (1 + math.Exp(-d))
						wantC[j] += v
						wantSigmoid[i] += v
						wantSoftplus[i] += math.Log1p(math.Exp(d))
						want[i]++
					}
				}
			}
			check := func(number []int, sum, wantSum []float64, err error) {
				t.Helper()
				if err != nil || len(number) != p || len(sum) != p {
					t.Fatalf("%d by %d: %d numbers, %d sums, %v", p, n, len(number), len(sum), err)
				}
				for i := range sum {
					if number[i] != want[i] || !near(sum[i], wantSum[i]) {
						t.Fatalf("%d by %d: %d pairs of positive %d sum to %v, want %d and %v", p, n, number[i], i, sum[i], want[i], wantSum[i])
					}
				}
			}
			number, sum, err := block.SigmoidAbove(c, positive, least, s)
			check(number, sum, wantSigmoid, err)
			for j := range c {
				if math.Abs(c[j]-wantC[j]) > 1e-12 {
					t.Fatalf("%d by %d: c[%d] = %v, want %v", p, n, j, c[j], wantC[j])
				}
			}
			number, sum, err = block.SoftplusAbove(positive, least, s)
			check(number, sum, wantSoftplus, err)
		}
	}
}

func TestPairBlockRefuses(t *testing.T) {
	x := make([]float64, 12)
	for _, size := range [][2]int{{0, 1}, {-1, 1}, {1, -1}, {1 << 20, 1 << 20}, {math.MaxInt, 1}, {1, math.MaxInt}, {1 << 27, 0}, {1, 1 << 27}} {
		if _, err := kernels.NewPairBlock(size[0], size[1]); err == nil {
			t.Errorf("a block of %v is made", size)
		}
	}
	if _, err := kernels.NewPairBlock(1, 0); err != nil {
		t.Errorf("one positive, no sample: %v", err)
	}
	block := newBlock(t, 3, 4)
	if block.Gradients(x[:4], x[4:7], x[7:10]) == nil {
		t.Error("Gradients runs before Losses")
	}
	ready := func() *kernels.PairBlock {
		b := newBlock(t, 3, 4)
		if _, err := b.Losses(kernels.PairLogistic, x[:3], x[:4], 1); err != nil {
			t.Fatal(err)
		}
		return b
	}
	for name, call := range map[string]func(b *kernels.PairBlock) error{
		"no positives": func(b *kernels.PairBlock) error { _, err := b.Losses(kernels.PairLogistic, nil, x[:4], 1); return err },
		"too many positives": func(b *kernels.PairBlock) error {
			_, err := b.Losses(kernels.PairLogistic, x[:4], x[:4], 1)
			return err
		},
		"too long a sample": func(b *kernels.PairBlock) error {
			_, err := b.Losses(kernels.PairLogistic, x[:3], x[:5], 1)
			return err
		},
		"an infinite scale": func(b *kernels.PairBlock) error { _, err := b.Losses(0, x[:3], x[:4], math.Inf(1)); return err },
		"an unknown loss":   func(b *kernels.PairBlock) error { _, err := b.Losses(9, x[:3], x[:4], 1); return err },
		"pairs above in between": func(b *kernels.PairBlock) error {
			if _, _, err := b.SigmoidAbove(x[:4], x[4:7], x[4:7], x[8:12]); err != nil {
				t.Error(err)
			}
			return b.Gradients(make([]float64, 4), make([]float64, 3), x[:3])
		},
		"softplus in between": func(b *kernels.PairBlock) error {
			if _, _, err := b.SoftplusAbove(x[:3], x[:3], x); err != nil {
				t.Error(err)
			}
			return b.Gradients(make([]float64, 4), make([]float64, 3), x[:3])
		},
		"a refused call in between": func(b *kernels.PairBlock) error {
			if _, err := b.Losses(kernels.PairLogistic, nil, x[:4], 1); err == nil {
				t.Error("no positives are taken")
			}
			return b.Gradients(make([]float64, 4), make([]float64, 3), x[:3])
		},
		"a short c":     func(b *kernels.PairBlock) error { return b.Gradients(x[:3], x[4:7], x[7:10]) },
		"a long d":      func(b *kernels.PairBlock) error { return b.Gradients(x[:4], x[4:8], x[8:11]) },
		"a short a":     func(b *kernels.PairBlock) error { return b.Gradients(x[:4], x[4:7], x[8:10]) },
		"c over d":      func(b *kernels.PairBlock) error { return b.Gradients(x[:4], x[3:6], x[8:11]) },
		"no thresholds": func(b *kernels.PairBlock) error { _, _, err := b.SigmoidAbove(x[:4], x[4:7], nil, x[8:12]); return err },
		"c shorter than s": func(b *kernels.PairBlock) error {
			_, _, err := b.SigmoidAbove(x[:3], x[4:7], x[4:7], x[8:12])
			return err
		},
		"c over s": func(b *kernels.PairBlock) error {
			_, _, err := b.SigmoidAbove(x[:4], x[4:7], x[4:7], x[:4])
			return err
		},
		"softplus, 4 of 3":     func(b *kernels.PairBlock) error { _, _, err := b.SoftplusAbove(x[:4], x[:4], x); return err },
		"softplus, thresholds": func(b *kernels.PairBlock) error { _, _, err := b.SoftplusAbove(x[:3], x[:4], x); return err },
	} {
		if call(ready()) == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestPairBlockAllocatesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 3))
	block := newBlock(t, 10, 20)
	positive, s, least, c, d := normals(random, 10), normals(random, 20), normals(random, 10), make([]float64, 20), make([]float64, 10)
	scratch := make([]float64, 20)
	if n := allocations.Count(10, func() {
		block.Losses(kernels.PairLogistic, positive, s, 1)
		block.Gradients(c, d, least)
		block.SigmoidAbove(c, positive, least, s)
		block.SigmoidSlopeAbove(c, positive, least, s, scratch, 7)
		block.SigmoidSlopeAbove(c, positive, least, s, scratch, 1e6)
		block.SoftplusAbove(positive, least, s)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
