package sdca

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/sampling"
)

// Minibatch is the mini-batch adfSDCA (algorithm 4): in every iteration the
// residues of all rows give the probabilities, and b = Settings.BatchSize rows move
// together, drawn by algorithm 3. An iteration costs a product with the matrix and
// O(n log n).
//
// In (34), |J_j| is the number of rows that have feature j. (The bias column makes that n, and v' =
// b v.) The probabilities come from (17) and the step from (75) with these v', as in the proof from
// (73) on; (75) is printed with v.
type Minibatch struct {
	// AverageConvex is as for DualFree.
	AverageConvex bool
}

// Name returns adfsdca-minibatch.
func (Minibatch) Name() string { return "adfsdca-minibatch" }

func (m Minibatch) checkProblem(p *erm.Problem) error { return averageConvex(p, m.AverageConvex) }

func (m Minibatch) begin(t *task) (dualLoop, any, error) {
	free, err := newDualFree(t, m.AverageConvex, false)
	if err != nil {
		return nil, nil, err
	}
	n := len(free.alpha)
	l := &minibatchLoop{dualFree: free, size: min(t.settings.BatchSize, n), q: make([]float64, n)}
	if l.batch, err = sampling.NewBatch(n, l.size); err != nil {
		return nil, nil, err
	}
	l.coef = make([]float64, l.size)
	overlap := float64(min(l.size, l.shared()))
	for i, c := range l.cost {
		l.cost[i] = math.FMA(c-1, overlap, 1) // with v' of (34) for v
	}
	l.residues = newResidues(free)
	return l, m, nil
}

type minibatchLoop struct {
	*dualFree
	residues *residues
	batch    *sampling.Batch
	size     int       // b
	q        []float64 // b p, the marginals of the batch
	coef     []float64
}

// shared returns the largest number of rows that share a feature, max_j |J_j| of (34).
func (l *minibatchLoop) shared() int {
	if l.p.X.Bias() != 0 {
		return len(l.alpha)
	}
	return max(1, slices.Max(columnLengths(l.p.X)))
}

// Next does one iteration. The line numbers are algorithm 4's.
func (l *minibatchLoop) Next(c *run.Control) {
	l.upkeep(l.size)
	kappa := l.residues.kappa
	l.residues.weights = l.q
	l.residues.find()                      // line 4
	direct.Must(sampling.Cap(l.q, l.size)) // line 5
	theta := l.theta()                     // line 7
	if math.IsNaN(theta) {
		c.End(solvers.Diverged)
		return
	}
	if theta > 0 {
		direct.Scale(l.q, float64(l.size), l.q)
		if l.batch.Set(l.q) != nil {
			c.End(solvers.Diverged)
			return
		}
		rows := l.batch.Draw((*sampling.Random)(l.random)) // line 6
		for k, i := range rows {                           // lines 8 to 11
			old := l.alpha[i]
			l.alpha[i] -= float64(theta / l.q[i] * kappa[i])
			l.coef[k] = float64((l.alpha[i] - old) * l.unit)
		}
		l.x.AddRows(l.w, rows, l.coef[:len(rows)])
	}
	l.done += int64(l.size)
	c.Iterations(1, l.size, len(l.alpha))
}

// theta is (75) for the probabilities p in q, NaN where a number is not finite, and 0 where
// every residue is 0. cost is relative to n lambda^2.
func (l *minibatchLoop) theta() float64 {
	squares, weighted := 0.0, 0.0
	for i, kappa := range l.residues.kappa {
		if square := float64(kappa * kappa); square > 0 {
			squares += square
			weighted += float64(l.cost[i]*square) / l.q[i]
		}
	}
	switch {
	case math.IsInf(weighted, 0):
		return math.NaN()
	case squares == 0 || weighted == 0:
		return 0
	}
	return float64(float64(l.size)*squares) / weighted
}

// State visits the loop's state.
func (l *minibatchLoop) State(c *checkpoint.Coder) { l.state(c) }
