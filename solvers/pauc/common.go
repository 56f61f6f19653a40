package pauc

import (
	"errors"
	"math"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/sparse"
)

// loop is one method's loop. It embeds *common.
type loop interface {
	engine.Loop
	evaluate(w []float64) engine.Evaluation
}

// common is what the loops of this package share: the problem, the outer iterate,
// the evaluation of points and the choice of batches.
type common struct {
	*task
	plan
	pool *sparse.Pool

	begun      bool
	warmPasses int
	w          []float64
	places     *engine.Batches // of positives; nil where there is one list
	others     *engine.Batches // of negatives

	// scored says that c.all holds the scores at w, until the first outer iteration.
	scored bool
	// validated says that there is a validation metric.
	validated bool

	// rows is the batch: the chosen positives, then the chosen negatives.
	rows []uint32

	// Scratch of evaluations: scores of all rows, a gradient, the rows in hand.
	ranked
	g       []float64
	ranking metrics.Ranking
	sample  pairSample
}

var errNotFinite = errors.New("not finite")

var negativeInfinity = math.Inf(-1)

func newCommon(t *task, pool *sparse.Pool, p plan, seed uint64) *common {
	c := &common{task: t, pool: pool, plan: p, ranked: newRanked(t)}
	ns := min(p.tails, len(t.negatives))
	ps := 0
	if len(t.positives) > 0 {
		ps = min(p.heads, len(t.positives))
		c.places = engine.NewBatches(len(t.positives), ps, engine.DropTail, engine.NewRandom(seed))
	}
	c.others = engine.NewBatches(len(t.negatives), ns, engine.DropTail, engine.NewRandom(^seed))
	c.rows = make([]uint32, ps+ns)
	c.w, c.g = make([]float64, t.model.Parameters()), make([]float64, t.model.Parameters())
	return c
}

// oneList is the batch of the sum of ranked range.
var oneList = []uint32{0}

// batch chooses the rows of an iteration and returns the places of the positives
// among all: rows[:len(rows)-J] are positives, the others J negatives.
func (c *common) batch() []uint32 {
	chosen, np := oneList, 0
	if c.places != nil {
		chosen = c.places.Next()
		np = len(chosen)
		for k, place := range chosen {
			c.rows[k] = c.positives[place]
		}
	}
	for k, place := range c.others.Next() {
		c.rows[np+k] = c.negatives[place]
	}
	return chosen
}

// scoreStart computes the scores of the starting point, once.
func (c *common) scoreStart() error {
	if c.scored {
		return nil
	}
	err := c.score(c.pool, c.w)
	c.scored = err == nil
	return err
}

// perfect is the rounding error of an area.
const perfect = 1e-12

// begin counts what the warm start cost and reports the starting point. It returns
// false if it did so before. A run ends there where the training rows have nothing
// left to teach.
func (c *common) begin(control *engine.Control) bool {
	if c.begun {
		return false
	}
	c.begun = true
	for range c.warmPasses {
		control.Pass()
	}
	if c.scoreStart() != nil {
		control.Diverge()
		return true
	}
	e := c.evaluateScores(c.w)
	control.Reached(c.w, e)
	if e.Objective <= perfect && !c.validated && !c.Paper {
		control.Finish()
	}
	return true
}

// state visits the shared state; a loop's State begins with it.
func (c *common) state(k *engine.Coder) {
	k.Bool(&c.begun)
	k.Count(&c.warmPasses, engine.MostPrepared)
	k.Floats(c.w)
	if c.places != nil {
		c.places.State(k)
	}
	c.others.State(k)
}

// evaluate computes the objective at w and the norm of a gradient. The objective is 1
// minus the normalised partial AUC of the training rows, or the mean loss of the
// ranked range. The scores stay in c.all.
func (c *common) evaluate(w []float64) engine.Evaluation {
	if c.score(c.pool, w) != nil {
		return engine.Evaluation{Objective: math.NaN(), Gap: math.NaN()}
	}
	return c.evaluateScores(w)
}

// evaluateScores is evaluate where the scores are there already.
func (c *common) evaluateScores(w []float64) engine.Evaluation {
	e := engine.Evaluation{Objective: math.NaN(), Gap: math.NaN()}
	norm, value, err := c.gradientNorm(w)
	if err != nil {
		return e
	}
	e.GradientNorm, e.Objective = norm, value
	if len(c.positives) > 0 {
		e.Objective = math.NaN()
		if c.ranking.Reset(c.all, c.y, nil) != nil {
			return e
		}
		if _, area, err := c.ranking.PartialAUC(c.low, c.high); err == nil {
			e.Objective = 1 - area
		}
	}
	return e
}

// sampled is how many positives and ranked negatives gradientNorm looks at.
const sampled = 128

// pairSample is scratch: rows with their scores and coefficients.
type pairSample struct {
	rows                                []uint32
	heads, others, of, coef, z, another []float64
}

func (s *pairSample) resize(heads, positives, others int) {
	if len(s.rows) == positives+others {
		return
	}
	s.rows, s.coef = make([]uint32, positives+others), make([]float64, positives+others)
	s.heads, s.of = make([]float64, heads), make([]float64, heads)
	s.others, s.z, s.another = make([]float64, others), make([]float64, others), make([]float64, others)
}

// gradientNorm returns the norm of the gradient of the mean loss of the pairs in the
// range at w, with its regulariser, and that mean: both over an even sample of the
// positives and of the negatives in the range; all of them where there is one list.
// The scores are in c.all.
func (c *common) gradientNorm(w []float64) (norm, value float64, err error) {
	if err := c.between(c.m, c.n); err != nil {
		return 0, 0, err
	}
	np, nn := 0, len(c.inside)
	if len(c.positives) > 0 {
		np, nn = min(sampled, len(c.positives)), min(sampled, nn)
	}
	s := &c.sample
	s.resize(max(1, np), np, nn)
	for k := range np {
		s.rows[k] = c.positives[k*len(c.positives)/np]
		s.heads[k] = c.all[s.rows[k]]
	}
	for k := range nn {
		at := k * len(c.inside) / nn
		s.others[k], s.rows[np+k] = c.insideScores[at], c.inside[at]
	}
	clear(s.coef)
	if value, err = c.loss.total(s.heads, s.others, s.z); err != nil {
		return 0, 0, err
	}
	if err := c.loss.derivatives(s.heads, s.others, s.of, s.coef[np:], s.z, s.another); err != nil {
		return 0, 0, err
	}
	copy(s.coef[:np], s.of)
	scale := 1 / (float64(len(s.heads)) * float64(nn))
	if err := kernels.Scale(s.coef, scale, s.coef); err != nil {
		return 0, 0, err
	}
	c.signed(s.coef[np:], s.rows[np:])
	if err := kernels.Scale(c.g, c.regulariser/c.share(), w); err != nil {
		return 0, 0, err
	}
	if err := c.addGradient(c.g, s.rows, s.coef, w); err != nil {
		return 0, 0, err
	}
	return math.Sqrt(kernels.SquaredNorm(c.g)), float64(value * scale), nil
}
