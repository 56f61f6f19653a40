package pauc

import "github.com/lanes-go/lanes/kernels"

// blocks does the inner iterations that AGD-SBCD and DCA share: stochastic block
// coordinate descent over v and the thresholds lambda (algorithms 1, 3 and 4).
type blocks struct {
	*nested

	// Of the batch: scores, coefficients, and per positive the least difference of
	// scores that counts.
	s, c, least, work []float64
	heads, of         []float64 // of the one list
	pair              *kernels.PairBlock
}

func newBlocks(c *common) (*blocks, error) {
	b := &blocks{nested: newNested(c)}
	lists := max(1, len(c.rows)-c.others.Largest())
	b.s, b.c = make([]float64, len(c.rows)), make([]float64, len(c.rows))
	b.least, b.work = make([]float64, lists), make([]float64, max(lists, len(c.rows)))
	b.heads, b.of = make([]float64, 1), make([]float64, 1)
	var err error
	b.pair, err = kernels.NewPairBlock(lists, 0)
	return b, err
}

// rate is the step size of v and the thresholds in the present outer iteration.
func (b *blocks) rate() float64 {
	if b.Constant {
		return b.Inner
	}
	return b.Inner / float64(b.outer+1)
}

// thresholds starts each lambda_i at the loss of the negative at rank l, by the
// scores in c.all.
func (b *blocks) thresholds(lambda []float64, l int) error {
	score, err := b.scoreAt(l)
	if err != nil {
		return err
	}
	if len(b.positives) == 0 {
		lambda[0] = score
	}
	for i, row := range b.positives {
		lambda[i] = score - b.all[row]
	}
	return b.loss.values(lambda)
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
		heads, coef = b.heads, b.of
	}
	rate, share := b.rate(), float64(l)/float64(len(b.negatives))
	if err := b.pairs(heads, b.s[np:], coef, b.c[np:], chosen, lambda, share, rate); err != nil {
		return err
	}
	scale := b.loss.unit() / (float64(len(heads)) * float64(len(b.rows)-np))
	for k := range b.c {
		b.c[k] = float64(b.c[k] * scale)
	}
	b.signed(b.c[np:], b.rows[np:])
	return b.v.step(b.rows, b.c, 1/(1+float64(rate*strength)), rate)
}

// pairs sets the coefficients of the sum of the losses above the thresholds, in units
// of the loss, and moves the thresholds.
func (b *blocks) pairs(heads, others, headCoef, coef []float64, chosen []uint32, lambda []float64, share, rate float64) error {
	for k, place := range chosen {
		b.least[k] = lambda[place]
	}
	if err := b.loss.least(b.least, b.work); err != nil {
		return err
	}
	clear(coef)
	theta, inverse := float64(rate*b.Threshold), 1/float64(len(others))
	number, sum, err := b.loss.above(b.pair, coef, heads, b.least, others, b.work)
	if err != nil {
		return err
	}
	for k, place := range chosen {
		headCoef[k] = -sum[k]
		lambda[place] -= float64(theta * (share - float64(float64(number[k])*inverse)))
	}
	return nil
}
