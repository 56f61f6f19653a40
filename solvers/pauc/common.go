package pauc

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// loop is one method's loop. It embeds *common.
type loop interface {
	solvers.Loop
	// prepare is called before the first Next, with the starting point in w, except
	// where a run is resumed.
	prepare() error
	evaluate(w []float64) solvers.Evaluation
}

// common is what the loops of this package share: the problem, the outer iterate,
// the evaluation of points and the choice of batches.
type common struct {
	*task
	pool   *sparse.Pool
	method Method

	begun      bool
	warmPasses int
	w          []float64
	places     *solvers.Batches // of positives; nil where there is one list
	others     *solvers.Batches // of negatives

	// rows is the batch: the chosen positives, then the chosen negatives.
	rows []uint32

	// Scratch of evaluations: scores of all rows, negatives by decreasing score,
	// a gradient.
	all   []float64
	order []ranked
	g     []float64
}

var errNotFinite = errors.New("not finite")

func newCommon(t *task, pool *sparse.Pool, method Method, seed uint64) *common {
	c := &common{task: t, pool: pool, method: method}
	ns := min(method.Negatives, len(t.negatives))
	ps := 0
	if len(t.positives) > 0 {
		ps = min(method.Positives, len(t.positives))
		c.places = solvers.NewBatches(len(t.positives), ps, solvers.DropTail, solvers.NewRandom(seed))
	}
	c.others = solvers.NewBatches(len(t.negatives), ns, solvers.DropTail, solvers.NewRandom(^seed))
	c.rows = make([]uint32, ps+ns)
	c.w, c.g = make([]float64, t.x.Cols()), make([]float64, t.x.Cols())
	c.all, c.order = make([]float64, len(t.y)), make([]ranked, len(t.negatives))
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

// begin counts what the warm start cost and reports the starting point. It returns
// false if it did so before.
func (c *common) begin(control *solvers.Control) bool {
	if c.begun {
		return false
	}
	c.begun = true
	for range c.warmPasses {
		control.Pass()
	}
	control.Reached(c.w, c.evaluate(c.w))
	return true
}

// prepare does nothing: methods hide it that need more than w.
func (c *common) prepare() error { return nil }

// Current writes the outer iterate.
func (c *common) Current(w []float64) { copy(w, c.w) }

// state visits the shared state; a loop's State begins with it.
func (c *common) state(k *solvers.Coder) {
	k.Bool(&c.begun)
	k.Int(&c.warmPasses)
	if k.Restoring() && k.Err() == nil && c.warmPasses < 0 {
		k.Fail(errors.New("a negative number of passes"))
		return
	}
	k.Floats(c.w)
	if c.places != nil {
		c.places.State(k)
	}
	c.others.State(k)
}

// ranked is a negative row with its score, times its sign.
type ranked struct {
	score float64
	row   uint32
}

// rank sorts the negatives by decreasing score in c.all into c.order; equal scores
// keep the order of the rows.
func (c *common) rank() []ranked {
	for k, row := range c.negatives {
		score := c.all[row]
		if c.sign != nil {
			score = float64(score * c.sign[row])
		}
		c.order[k] = ranked{score, row}
	}
	slices.SortFunc(c.order, func(a, b ranked) int {
		if a.score != b.score {
			return cmp.Compare(b.score, a.score)
		}
		return cmp.Compare(a.row, b.row)
	})
	return c.order
}

// evaluate computes the objective at w and the norm of a gradient of F. The
// objective is 1 minus the normalised partial AUC of the training rows, or the mean
// loss of the ranked range.
func (c *common) evaluate(w []float64) solvers.Evaluation {
	bad := solvers.Evaluation{Objective: math.NaN(), Gap: math.NaN()}
	if c.x.MulVec(c.pool, c.all, w) != nil {
		return bad
	}
	return c.evaluateScores()
}

// evaluateScores is evaluate for the scores in c.all.
func (c *common) evaluateScores() solvers.Evaluation {
	e := solvers.Evaluation{Objective: math.NaN(), Gap: math.NaN()}
	order := c.rank()[c.m:c.n]
	if math.IsNaN(order[0].score) || math.IsNaN(order[len(order)-1].score) {
		return e
	}
	norm, value, err := c.gradientNorm(order)
	if err != nil {
		return e
	}
	e.GradientNorm, e.Objective = norm, value
	if len(c.positives) > 0 {
		_, area, err := metrics.PartialAUC(c.all, c.y, nil, c.low, c.high)
		if err != nil {
			return e
		}
		e.Objective = 1 - area
	}
	return e
}

// sampled is how many positives and ranked negatives gradientNorm looks at.
const sampled = 256

// gradientNorm returns the norm of the gradient of F per pair of the range, and the
// mean loss of those pairs, both over an even sample of the positives and of the
// negatives in the range; all of them where there is one list.
func (c *common) gradientNorm(order []ranked) (norm, value float64, err error) {
	np, nn := 0, len(order)
	if len(c.positives) > 0 {
		np, nn = min(sampled, len(c.positives)), min(sampled, nn)
	}
	rows := make([]uint32, 0, np+nn)
	heads := make([]float64, max(1, np))
	for k := range np {
		rows = append(rows, c.positives[k*len(c.positives)/np])
		heads[k] = c.all[rows[k]]
	}
	others := make([]float64, nn)
	for k := range nn {
		v := order[k*len(order)/nn]
		others[k] = v.score
		rows = append(rows, v.row)
	}
	coef, of, z := make([]float64, len(rows)), make([]float64, len(heads)), make([]float64, nn)
	if value, err = pairSums(heads, others, of, coef[np:], z); err != nil {
		return 0, 0, err
	}
	if np > 0 {
		copy(coef, of)
	}
	scale := 1 / (float64(len(heads)) * float64(nn))
	if err := kernels.Scale(coef, scale, coef); err != nil {
		return 0, 0, err
	}
	c.signed(coef[np:], rows[np:])
	clear(c.g)
	if err := c.x.AddRows(c.g, rows, coef); err != nil {
		return 0, 0, err
	}
	return math.Sqrt(kernels.SquaredNorm(c.g)), float64(value * scale), nil
}
