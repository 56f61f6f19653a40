package pauc

import (
	"errors"
	"math"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
)

// blocks does the inner iterations that AGD-SBCD and DCA share: stochastic block
// coordinate descent over v and the thresholds lambda (algorithms 1, 3 and 4).
type blocks struct {
	*common
	v                   iterate
	inner, outer, phase int

	base []float64 // the scores of all rows at w
	// attached tells that v knows w, base and drift: a restored one does not.
	attached bool

	s, c, bound, z, heads, headsOf []float64
}

func newBlocks(c *common) blocks {
	b := blocks{common: c, v: newLazy(c.x, c.pool), base: make([]float64, len(c.y))}
	lists := min(max(1, c.method.Positives), c.lists())
	b.s, b.c = make([]float64, len(c.rows)), make([]float64, len(c.rows))
	b.bound, b.z = make([]float64, lists), make([]float64, c.others.Largest())
	b.heads, b.headsOf = make([]float64, lists), make([]float64, lists)
	return b
}

// length returns the number of inner iterations of the present outer iteration, and
// rate the step size of v and the thresholds in it.
func (b *blocks) length() int {
	if b.method.Constant {
		return b.method.Length
	}
	return b.method.Length * (b.outer + 1) * (b.outer + 1)
}

func (b *blocks) rate() float64 {
	if b.method.Constant {
		return b.method.Inner
	}
	return b.method.Inner / float64(b.outer+1)
}

// thresholds starts each lambda_i at the loss of the negative at rank l: the scores
// are in c.all, c.order is sorted by them.
func (b *blocks) thresholds(lambda []float64, l int) error {
	score := b.order[max(l, 1)-1].score
	if len(b.positives) == 0 {
		lambda[0] = score
	}
	for i, row := range b.positives {
		lambda[i] = score - b.all[row]
	}
	return kernels.Softplus(lambda, lambda)
}

// attach begins an inner loop at w, or goes on with one that was restored.
func (b *blocks) attach(drift []float64, averaging bool) error {
	if !b.attached {
		if err := b.x.MulVec(b.pool, b.base, b.w); err != nil {
			return err
		}
		b.attached = true
		if b.inner > 0 {
			return b.v.attach(b.w, b.base, drift, averaging)
		}
	}
	return b.v.begin(b.w, b.base, drift, averaging)
}

// reached reports the outer iterate and keeps its scores for the next inner loop.
func (b *blocks) reached(c *solvers.Control) {
	c.Reached(b.w, b.evaluate(b.w))
	copy(b.base, b.all)
}

// step is one inner iteration for f^l + strength/2 ||v - w||^2, with the weight of the
// regulariser in strength.
func (b *blocks) step(lambda []float64, l int, strength float64) error {
	chosen := b.batch()
	if err := b.v.scores(b.s, b.rows); err != nil {
		return err
	}
	np := len(b.rows) - b.others.Largest()
	b.signed(b.s[np:], b.rows[np:])
	heads, coef := b.s[:np], b.c[:np]
	if np == 0 {
		heads, coef = b.heads, b.headsOf
	}
	rate, share := b.rate(), float64(l)/float64(len(b.negatives))
	if err := b.pairs(heads, b.s[np:], coef, b.c[np:], chosen, lambda, share, rate); err != nil {
		return err
	}
	scale := 1 / (float64(len(heads)) * float64(len(b.rows)-np))
	for k := range b.c {
		b.c[k] = float64(b.c[k] * scale)
	}
	b.signed(b.c[np:], b.rows[np:])
	return b.v.step(b.rows, b.c, 1/(1+float64(rate*strength)), rate)
}

// pairs sets the coefficients of the sum of the losses above the thresholds, and
// moves the thresholds.
func (b *blocks) pairs(heads, others, headCoef, coef []float64, chosen []uint32, lambda []float64, share, rate float64) error {
	for k, place := range chosen {
		b.bound[k] = -lambda[place]
	}
	if err := kernels.Exp(b.bound, b.bound); err != nil {
		return err
	}
	clear(coef)
	for k, place := range chosen {
		// s_ij > lambda_i where the difference of scores exceeds this.
		least := math.Inf(-1)
		if lambda[place] > 0 {
			least = lambda[place] + kernels.LogOf(1-b.bound[k])
		}
		z := b.z[:0]
		for _, s := range others {
			if d := s - heads[k]; d > least {
				z = append(z, d)
			}
		}
		above := float64(len(z)) / float64(len(others))
		lambda[place] -= float64(rate * (share - above))
		if err := kernels.Sigmoid(z, z); err != nil {
			return err
		}
		at, sum := 0, 0.0
		for j, s := range others {
			if s-heads[k] > least {
				coef[j] += z[at]
				sum += z[at]
				at++
			}
		}
		headCoef[k] = -sum
	}
	return nil
}

// state visits the inner loop's state.
func (b *blocks) state(c *solvers.Coder) {
	b.common.state(c)
	for _, v := range []*int{&b.outer, &b.phase, &b.inner} {
		c.Int(v)
	}
	if c.Restoring() && c.Err() == nil && (b.outer < 0 || b.phase < 0 || b.phase > 1 || b.inner < 0) {
		c.Fail(errors.New("an impossible place in the loop"))
		return
	}
	b.v.state(c)
	if c.Restoring() {
		b.attached = false
	}
}
