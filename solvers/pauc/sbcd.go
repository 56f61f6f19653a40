package pauc

import (
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/kernels"
)

// blocks does the inner iterations that AGD-SBCD and DCA share: stochastic block
// coordinate descent over v and the thresholds lambda (algorithms 1, 3 and 4).
type blocks struct {
	*nested

	// s and c are the scores and coefficients of the batch. heads, headC, tails and tailC are
	// slices of them. The one list of a ranked range has a head that is no row.
	s, c         []float64
	heads, tails []float64
	headC, tailC []float64
	least, work  []float64 // differences of scores that count, a positive each
	pair         *kernels.PairBlock
}

func newBlocks(c *common) (*blocks, error) {
	size, np := len(c.rows), len(c.rows)-c.others.Largest()
	b := &blocks{nested: newNested(c), s: make([]float64, size), c: make([]float64, size), work: make([]float64, size)}
	b.heads, b.headC = b.s[:np], b.c[:np]
	b.tails, b.tailC = b.s[np:], b.c[np:]
	if np == 0 {
		b.heads, b.headC = make([]float64, 1), make([]float64, 1)
	}
	b.least = make([]float64, len(b.heads))
	var err error
	b.pair, err = kernels.NewPairBlock(len(b.heads), 0)
	return b, err
}

// rate is the step size of v in the present outer iteration.
func (b *blocks) rate() float64 {
	if b.Constant {
		return b.Inner
	}
	return b.Inner / float64(b.outer+1)
}

// step is an iteration of algorithm 1, 3 or 4 for
//
//	min over v and lambda of g^l(v, lambda)/(P N) - drift'v + strength/2 ||v-w||^2
//
// where strength includes the weight of a regulariser. A loss is above its threshold if the
// difference of its scores is above least.
func (b *blocks) step(h *thresholds, l int, strength float64) error {
	chosen := b.batch() // line 4
	if err := b.v.scores(b.s, b.rows); err != nil {
		return err
	}
	tails := b.rows[len(b.rows)-len(b.tails):]
	b.signed(b.tails, tails)
	places, heads, err := b.hard.of(b.heads)
	if err != nil {
		return err
	}
	least := b.least[:len(places)]
	for k, place := range places {
		least[k] = h.lambda[chosen[place]]
	}
	b.loss.least(least, b.work)
	clear(b.headC)
	clear(b.tailC)
	number, sum := b.loss.above(b.pair, b.tailC, heads, least, b.tails, b.work) // line 5
	eta := b.rate()
	theta, share, inverse := float64(eta*b.Threshold), float64(l)/float64(len(b.negatives)), 1/float64(len(b.tails))
	for k, place := range places { // lines 7 and 8
		b.headC[place] = -sum[k]
		h.move(chosen[place], b.inner, float64(theta*(share-float64(float64(number[k])*inverse))))
	}
	scale := float64(b.loss.unit()*b.hardShare()) / (float64(len(places)) * float64(len(b.tails)))
	for k := range b.c {
		b.c[k] = float64(b.c[k] * scale)
	}
	b.signed(b.tailC, tails)
	return b.v.step(b.rows, b.c, 1/(1+float64(eta*strength)), eta) // line 6
}

// thresholds is lambda of f^l.
type thresholds struct {
	lambda []float64
	// late is the sum over the iterations t of t+1 times the move of each lambda; nil if
	// nobody asks for the mean.
	late []float64
}

func newThresholds(c *common, averaging bool) thresholds {
	h := thresholds{lambda: make([]float64, c.lists())}
	if averaging {
		h.late = make([]float64, c.lists())
	}
	return h
}

// exact sets each lambda_i to the loss of the negative at rank l, by the scores in c.all.
func (h *thresholds) exact(c *common, l int) error {
	score, err := c.scoreAt(l)
	if err != nil {
		return err
	}
	if len(c.positives) == 0 {
		h.lambda[0] = score
	}
	for i, row := range c.positives {
		h.lambda[i] = score - c.all[row]
	}
	c.loss.values(h.lambda)
	return nil
}

// move subtracts by from a lambda in iteration t = 0, 1, ...
func (h *thresholds) move(i uint32, t int, by float64) {
	h.lambda[i] -= by
	if h.late != nil {
		h.late[i] += float64(float64(t+1) * by)
	}
}

// average sets each lambda to the mean of lambda^(0) to lambda^(T-1). A move in iteration t
// is missing from t+1 of these T values.
func (h *thresholds) average(iterations int) {
	share := 1 / float64(iterations)
	for i, v := range h.late {
		h.lambda[i] += float64(v * share)
		h.late[i] = 0
	}
}

func (h *thresholds) state(c *checkpoint.Coder) {
	c.Floats(h.lambda)
	c.Floats(h.late)
}
