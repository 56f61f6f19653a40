package ap

import (
	"math"

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
	part      []float64 // of one positive against the rows
	// The weights of a sampled positive and negative, and of the positive itself,
	// in the estimate of g.
	positive, negative, self float64
	// selfOne counts a positive itself as 1, not by its loss.
	selfOne bool
}

// newBatch returns a batch for P of m positives and N of the others of n rows.
func newBatch(model score.Model, method Method, positives, negatives, m, n int) *batch {
	size := positives + negatives
	b := &batch{
		model: model, loss: method.loss(), sigmoid: method.Paper, positives: positives,
		rows: make([]uint32, size), s: make([]float64, size), c: make([]float64, size), part: make([]float64, size),
	}
	if method.Algorithm == SmoothAP {
		b.positive, b.negative, b.self, b.selfOne = 1, 1, 1, true
		return b
	}
	rows := float64(n)
	b.self = 1 / rows
	if positives > 1 {
		b.positive = float64(m-1) / (rows * float64(positives-1))
	}
	b.negative = float64(n-m) / (rows * float64(negatives))
	return b
}

// gradient adds the gradient over b.rows at w to g, with a mixing rule for the
// estimate of each positive, which is given its place in the batch, and returns the
// mean of f. It is NaN if a number is not finite.
func (b *batch) gradient(g, w []float64, parameter float64, mix func(k int, g1, g2, least float64) (u1, u2 float64)) float64 {
	bad := math.NaN()
	if b.model.Scores(b.s, b.rows, w) != nil {
		return bad
	}
	if b.sigmoid && kernels.Sigmoid(b.s, b.s) != nil {
		return bad
	}
	clear(b.c)
	p := b.positives
	value, share := 0.0, 1/float64(p)
	for i := range p {
		above, err := kernels.PairLosses(b.loss, b.part[:p], b.s[:p], b.s[i], parameter)
		if err != nil {
			return bad
		}
		below, err := kernels.PairLosses(b.loss, b.part[p:], b.s[p:], b.s[i], parameter)
		if err != nil {
			return bad
		}
		self := b.part[i]
		if b.loss == kernels.PairSquaredHinge {
			self = float64(self * self)
		}
		above = max(0, above-self)
		if b.selfOne {
			self = 1
		}
		own := float64(b.self * self)
		g1 := math.FMA(b.positive, above, own)
		g2 := math.FMA(b.negative, below, g1)
		u1, u2 := mix(i, g1, g2, own)
		inverse := 1 / u2
		ratio := float64(u1 * inverse)
		value -= ratio
		// The gradient of f is (-1/u2, u1/u2^2); positives count in both parts.
		slope2 := float64(float64(ratio*inverse) * share)
		slope1 := slope2 - float64(inverse*share)
		sum1, err1 := kernels.PairGradients(b.loss, b.c[:p], b.part[:p], float64(slope1*b.positive), parameter)
		sum2, err2 := kernels.PairGradients(b.loss, b.c[p:], b.part[p:], float64(slope2*b.negative), parameter)
		if err1 != nil || err2 != nil {
			return bad
		}
		b.c[i] -= sum1 + sum2
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
