package ap

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers/score"
)

// batch holds positives, then negatives, and computes the gradient of the ranking
// loss over them.
type batch struct {
	model     score.Model
	loss      kernels.PairLoss
	sigmoid   bool
	positives int
	rows      []uint32
	s, c      []float64 // of the rows
	// The positives against themselves and against the negatives, with the
	// coefficients of what these add to the gradient.
	above, below   pairs
	slope1, slope2 []float64
	own            []float64 // of c, as the row that the others are compared with
	surrogate      Surrogate // nil for loss
	// The weights of a sampled positive and negative, and of the positive itself,
	// in the estimate of g.
	positive, negative, self float64
	// selfOne counts a positive itself as 1, not by its loss.
	selfOne bool
}

// newBatch returns a batch for P of m positives and N of the others of n rows.
// Error: there are too many pairs.
func newBatch(model score.Model, plan *plan, positives, negatives, m, n int) (*batch, error) {
	size := positives + negatives
	b := &batch{
		model: model, loss: plan.loss(), sigmoid: plan.Paper, positives: positives,
		rows: make([]uint32, size), s: make([]float64, size), c: make([]float64, size),
		slope1: make([]float64, positives), slope2: make([]float64, positives), own: make([]float64, positives),
	}
	var err error
	if b.above, err = kernels.NewPairBlock(positives, positives); err == nil {
		b.below, err = kernels.NewPairBlock(positives, negatives)
	}
	if err != nil {
		return nil, fmt.Errorf("a batch of %d positives and %d negatives is too large: %w", positives, negatives, err)
	}
	if b.surrogate = plan.Surrogate; b.surrogate != nil {
		b.above, b.below = &ownPairs{surrogate: b.surrogate}, &ownPairs{surrogate: b.surrogate}
	}
	if !plan.tracks {
		b.positive, b.negative, b.self, b.selfOne = 1, 1, 1, true
		return b, nil
	}
	rows := float64(n)
	b.self = 1 / rows
	if positives > 1 {
		b.positive = float64(m-1) / (rows * float64(positives-1))
	}
	b.negative = float64(n-m) / (rows * float64(negatives))
	return b, nil
}

// gradient adds the gradient over b.rows at w to g and returns the mean of f. mix is the mixing
// rule for the estimate of each positive; k is the positive's place in the batch. The result is
// NaN if a number is not finite.
func (b *batch) gradient(g, w []float64, parameter float64, mix func(k int, g1, g2, least float64) (u1, u2 float64)) float64 {
	bad := math.NaN()
	if b.model.Scores(b.s, b.rows, w) != nil {
		return bad
	}
	if b.sigmoid {
		direct.Sigmoid(b.s, b.s)
	}
	p := b.positives
	above := direct.Value(b.above.Losses(b.loss, b.s[:p], b.s[:p], parameter))
	below := direct.Value(b.below.Losses(b.loss, b.s[:p], b.s[p:], parameter))
	// What a positive loses against itself.
	self := 0.5
	switch {
	case b.surrogate != nil:
		self, _ = b.surrogate.At(0)
	case b.loss == kernels.PairSquaredHinge:
		self = float64(parameter * parameter)
	}
	counted := self
	if b.selfOne {
		counted = 1
	}
	own := float64(b.self * counted)
	value, share := 0.0, 1/float64(p)
	for i := range p {
		g1 := math.FMA(b.positive, max(0, above[i]-self), own)
		g2 := math.FMA(b.negative, below[i], g1)
		u1, u2 := mix(i, g1, g2, own)
		inverse := 1 / u2
		ratio := float64(u1 * inverse)
		value -= ratio
		// The gradient of f is (-1/u2, u1/u2^2); positives count in both parts.
		slope2 := float64(float64(ratio*inverse) * share)
		b.slope1[i] = float64((slope2 - float64(inverse*share)) * b.positive)
		b.slope2[i] = float64(slope2 * b.negative)
	}
	clear(b.c)
	clear(b.own)
	direct.Must(b.above.Gradients(b.c[:p], b.own, b.slope1))
	direct.Must(b.below.Gradients(b.c[p:], b.own, b.slope2))
	for i, v := range b.own {
		b.c[i] += v
	}
	if b.sigmoid {
		for k, s := range b.s {
			b.c[k] = float64(b.c[k] * float64(s*(1-s)))
		}
	}
	if b.model.AddGradient(g, b.rows, b.c, w) != nil {
		return bad
	}
	return float64(value * share)
}
