package pauc

import (
	"errors"
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/passes"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
)

// loop is the loop of one method. It embeds *common.
type loop interface {
	run.Loop
	evaluate(w []float64) run.Evaluation
}

// common is what the loops of this package share: the problem, the outer iterate,
// the evaluation of points and the choice of batches.
type common struct {
	*task
	plan
	pool *matrix.Pool

	begun  bool
	w      []float64
	places *passes.Batches // of positives; nil for a task of one list
	others *passes.Batches // of negatives

	// scored says that c.all holds the scores at w, until the first outer iteration.
	scored bool
	// validated says that the settings have a validation metric.
	validated bool

	// rows is the batch: the chosen positives, then the chosen negatives.
	rows []uint32
	hard hardRows

	ranked
	evaluation
}

var errNotFinite = errors.New("not finite")

var negativeInfinity = math.Inf(-1)

func newCommon(t *task, pool *matrix.Pool, p plan, seed uint64) *common {
	c := &common{task: t, pool: pool, plan: p, ranked: newRanked(t)}
	ns := min(p.tails, len(t.negatives))
	ps := 0
	if len(t.positives) > 0 {
		ps = min(p.heads, len(t.positives))
		c.places = passes.NewBatches(len(t.positives), ps, passes.DropTail, random.New(seed))
	}
	c.others = passes.NewBatches(len(t.negatives), ns, passes.DropTail, random.New(^seed))
	c.rows = make([]uint32, ps+ns)
	c.hard = newHardRows(t.hard, t.lists(), max(ps, 1))
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

// begin reports the starting point, or returns false if it did so before. A run without a
// validation metric ends at a start that ranks the training rows perfectly.
func (c *common) begin(control *run.Control) bool {
	if c.begun {
		return false
	}
	c.begun = true
	if c.scoreStart() != nil {
		control.End(solvers.Diverged)
		return true
	}
	e := c.evaluateScores(c.w)
	control.Reached(c.w, e)
	if e.Objective <= perfect && !c.validated && !c.Paper {
		control.End(solvers.BudgetReached)
	}
	return true
}

// state visits the shared state; a loop's State begins with it.
func (c *common) state(k *checkpoint.Coder) {
	k.Bool(&c.begun)
	k.Floats(c.w)
	if c.places != nil {
		c.places.State(k)
	}
	c.others.State(k)
}
