package pauc

import (
	"cmp"

	"github.com/lanes-go/lanes/solvers/score"
)

// Loops holds the parameters of inner loops of stochastic block coordinate descent. AGDSBCD, DCA,
// ProxDCA and the solvers of the sum of ranked range have them. It is safe for concurrent
// reading.
type Loops struct {
	// Paper selects the setting of the paper's experiments in place of the defaults, for the
	// problem that Paper or PaperRange poses: the logistic loss, no warm start of a linear
	// model, Inner 5, Threshold 1, Outer 5, Length 50, and the last point for a result.
	Paper bool
	// Inner is c: the step of v in outer iteration k = 0, 1, ... is c/(k+1), the paper's
	// times P N; 0 means 10, for models that are not linear 3.
	Inner float64
	// Threshold is the step of the thresholds as a share of the step of v; 0 means 0.02. (In
	// units of the losses the paper's share is 1: a threshold then moves by c/(k+1) times
	// the error of a batch's rank.)
	Threshold float64
	// Outer is the number of outer iterations, after which the run ends; 0 means 5. Outer
	// iteration k does Length (k+1)^2 inner iterations, for each of its proximal points; 0
	// means 100.
	Outer, Length int
	// Constant makes the inner step c and the number of inner iterations Length in
	// every outer iteration (the paper's DCA.Constant.lr).
	Constant bool
}

// plan is a solver with all parameters set, from which a loop is made. Checkpoints tell
// runs of a solver apart by it.
type plan struct {
	Loops
	loss         pairLoss
	mu           float64 // 1/mu is the weight of the proximal term; 0 means no such term
	step         float64 // gamma/mu
	margin       float64
	heads, tails int // positives and negatives in a batch
}

// usually sets the parameters that are 0.
func (m Loops) usually(inner, threshold float64, outer, length int) Loops {
	m.Inner = cmp.Or(m.Inner, inner)
	m.Threshold = cmp.Or(m.Threshold, threshold)
	m.Outer = cmp.Or(m.Outer, outer)
	m.Length = cmp.Or(m.Length, length)
	return m
}

// plan returns the plan of a solver with the logistic loss. length is the paper's Length;
// positives and negatives are the rows in a batch, 0 for 100.
func (m Loops) plan(t *task, length, positives, negatives int) plan {
	if m.Paper {
		m = m.usually(5, 1, 5, length)
	}
	return plan{Loops: m.usually(t.curved(10), 0.02, 5, 100), heads: cmp.Or(positives, 100), tails: cmp.Or(negatives, 100)}
}

// curved is the default step of nonlinear models as a share of the step of linear ones.
const curved = 0.3

// curved returns the default step of the task's model, for the given step of linear ones.
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
