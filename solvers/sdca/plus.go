package sdca

import (
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/sampling"
)

// AdaptivePlus is adfSDCA+ (algorithm 2): the probabilities (17) and the step (18)
// are computed once in n iterations; a row that was drawn has its probability
// divided by Shrink. An iteration costs one product with a row, one addition of it
// and O(log n).
//
// The paper divides the step by the shrunk probability. This makes the second step on a row
// Shrink times as long and can move alpha far away. Unless Paper is set, theta/p_i is at most
// 1/(1 + v_i L_i/(lambda n)): kappa_i then cannot change its sign, and alpha stays where the
// conjugate is finite. With AverageConvex it is at most n lambda^2/(n lambda^2 + v_i gamma).
type AdaptivePlus struct {
	// Shrink is the divisor s; 0 means 10, 1 leaves the probabilities alone.
	Shrink float64
	// Paper selects the setting of the paper's section 7, for the problem that the
	// function PaperProblem poses: its steps are taken as they are.
	Paper bool
	// AverageConvex is as for DualFree.
	AverageConvex bool
}

// Name returns adfsdca+.
func (AdaptivePlus) Name() string { return "adfsdca+" }

func (m AdaptivePlus) checkProblem(p *erm.Problem) error { return averageConvex(p, m.AverageConvex) }

func (m AdaptivePlus) begin(t *task) (dualLoop, any, error) {
	free, err := newDualFree(t, m.AverageConvex, false)
	if err != nil {
		return nil, nil, err
	}
	if m.Shrink == 0 {
		m.Shrink = 10
	}
	n := len(free.alpha)
	l := &plusLoop{
		dualFree: free, residues: newResidues(free), tree: sampling.NewTree(n), shrink: m.Shrink, most: make([]float64, n),
	}
	peak := t.p.Loss.Peak()
	for i, v := range l.v {
		switch {
		case m.Paper:
			l.most[i] = math.Inf(1)
		case m.AverageConvex:
			l.most[i] = 1 / l.cost[i]
		default:
			l.most[i] = 1 / math.FMA(float64(v*float64(peak*math.Abs(direct.Weight(t.p.SampleWeight, i)))), l.unit, 1)
		}
	}
	return l, m, nil
}

type plusLoop struct {
	*dualFree
	residues *residues
	tree     *sampling.Tree // of sqrt(cost_i) |kappa_i|, which the probabilities are made of
	shrink   float64
	most     []float64 // theta/p_i is at most this

	theta float64 // (18) times the sum of the weights: over a weight, it is theta/p_i
}

// Next does iterations until the run wants to look at them. The line numbers are
// algorithm 2's.
func (l *plusLoop) Next(c *run.Control) {
	n := int64(len(l.alpha))
	if l.done%n == 0 { // line 5
		l.probabilities()
	}
	count := int(min(int64(c.IterationsLeft(risk.Block)), n-l.done%n))
	kappa := 0.0
	for range count {
		if !(l.tree.Total() > 0) {
			break // every residue was 0, or the weights have shrunk to nothing
		}
		i := l.tree.Draw((*sampling.Random)(l.random)) // line 9
		weight := l.tree.Weights()[i]
		kappa = l.alpha[i] + l.slope(i, l.steps.Dot(i))
		l.move(i, float64(min(l.theta/weight, l.most[i])*kappa)) // lines 10 to 12
		l.tree.Set(i, weight/l.shrink)                           // line 13
	}
	if math.IsNaN(kappa) || math.IsInf(kappa, 0) {
		c.End(solvers.Diverged)
	}
	l.done += int64(count)
	c.Iterations(count, count, count)
}

// probabilities is lines 6 and 7, and (18) with them.
func (l *plusLoop) probabilities() {
	l.upkeep(1)
	l.residues.weights = l.tree.Weights()
	l.residues.find()
	l.tree.Build()
	square := 0.0
	for _, kappa := range l.residues.kappa {
		square = math.FMA(kappa, kappa, square)
	}
	l.theta = 0
	if total := l.tree.Total(); total > 0 {
		l.theta = square / total
	}
}

// State visits the loop's state.
func (l *plusLoop) State(c *checkpoint.Coder) {
	l.state(c)
	c.Float64(&l.theta)
	c.Floats(l.tree.Weights())
	if c.Restoring() {
		l.tree.Build()
	}
}
