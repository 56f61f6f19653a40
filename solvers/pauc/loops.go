package pauc

import (
	"cmp"

	"github.com/lanes-go/lanes/solvers/score"
)

// Loops is what all solvers take that have inner loops of stochastic block coordinate
// descent: AGDSBCD, DCA, ProxDCA and those of the sum of ranked range. It is safe for
// concurrent reading.
type Loops struct {
	// Paper selects the setting of the paper's experiments in place of the defaults, for the
	// problem that Paper or PaperRange poses: the logistic loss, no warm start of a linear
	// model, Inner 5, Threshold 1, Outer 5, Length 50, and the last point for a result.
	Paper bool
	// Inner is c: the step of v in outer iteration k = 0, 1, ... is c/(k+1), the paper's
	// times P N; 0 means 10, for models that are not linear 3.
	Inner float64
	// Threshold is the step of the thresholds as a share of that of v; 0 means 0.02. (In
	// units of the losses the paper's share is 1, which throws a threshold about by
	// c/(k+1) times what a batch misses its rank by.)
	Threshold float64
	// Outer is the number of outer iterations, after which the run ends; 0 means 5. Outer
	// iteration k does Length (k+1)^2 inner ones, those that have two proximal points for
	// each of them; 0 means 100.
	Outer, Length int
	// Constant makes the inner step c and the number of inner iterations Length in
	// every outer iteration (the paper's DCA.Constant.lr).
	Constant bool
}

// plan is a solver whose parameters are filled in: what a loop is made of. It tells runs
// of a solver apart.
type plan struct {
	Loops
	loss         pairLoss
	mu           float64 // 1/mu is the weight of the proximal term, 0 for none
	step         float64 // gamma/mu
	margin       float64
	heads, tails int // positives and negatives in a batch
}

// usually fills in what is 0.
func (m Loops) usually(inner, threshold float64, outer, length int) Loops {
	m.Inner = cmp.Or(m.Inner, inner)
	m.Threshold = cmp.Or(m.Threshold, threshold)
	m.Outer = cmp.Or(m.Outer, outer)
	m.Length = cmp.Or(m.Length, length)
	return m
}

// plan is that of solvers with the logistic loss, for batches of such sizes; length is the
// paper's.
func (m Loops) plan(t *task, length, positives, negatives int) plan {
	if m.Paper {
		m = m.usually(5, 1, 5, length)
	}
	return plan{Loops: m.usually(t.curved(10), 0.02, 5, 100), heads: cmp.Or(positives, 100), tails: cmp.Or(negatives, 100)}
}

// curved is the share that models that are not linear take of the default step.
const curved = 0.3

// curved is a default step.
func (t *task) curved(step float64) float64 {
	if t.linear() {
		return step
	}
	return float64(step * curved)
}

func (t *task) linear() bool {
	_, is := t.model.(score.Linear)
	return is
}
