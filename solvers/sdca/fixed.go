package sdca

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/sampling"
)

// DualFree is dual-free SDCA (Shalev-Shwartz 2016): rows are drawn uniformly, and
// theta is the largest that the theory allows, min_i lambda/(lambda n + v_i L_i).
// An iteration costs one product with a row and one addition of it.
type DualFree struct {
	// AverageConvex allows negative sample weights; the average of the losses must
	// be convex (section 4.2). The steps are shorter then.
	AverageConvex bool
}

// Name returns dfsdca.
func (DualFree) Name() string { return "dfsdca" }

func (m DualFree) checkProblem(p *erm.Problem) error { return averageConvex(p, m.AverageConvex) }

func (m DualFree) begin(t *task) (dualLoop, any, error) {
	return newFixedLoop(t, m.AverageConvex, false)
}

// ImportanceSampled is dual-free SDCA with the fixed probabilities
// p_i ~ 1 + v_i L_i/(lambda n) (Csiba and Richtarik 2015; Qu, Richtarik and Zhang
// 2015), which make theta as large as fixed ones can, by the alias method.
type ImportanceSampled struct {
	// AverageConvex is as for DualFree.
	AverageConvex bool
}

// Name returns is-sdca.
func (ImportanceSampled) Name() string { return "is-sdca" }

func (m ImportanceSampled) checkProblem(p *erm.Problem) error {
	return averageConvex(p, m.AverageConvex)
}

func (m ImportanceSampled) begin(t *task) (dualLoop, any, error) {
	return newFixedLoop(t, m.AverageConvex, true)
}

type fixedLoop struct {
	*dualFree
	alias *sampling.Alias // nil for uniform probabilities
	// factor is theta/p_i; of all rows where the probabilities are uniform.
	factor float64
}

func newFixedLoop(t *task, average, importance bool) (dualLoop, any, error) {
	free, err := newDualFree(t, average, true)
	if err != nil {
		return nil, nil, err
	}
	l := &fixedLoop{dualFree: free, factor: 1 / slices.Max(free.cost)}
	identity := "uniform"
	if importance {
		identity = "importance"
		if l.alias, err = sampling.NewAlias(l.cost); err != nil {
			return nil, nil, err
		}
	}
	if average {
		identity += " average"
	}
	return l, identity, nil
}

// Next does iterations until the run wants to look at them.
func (l *fixedLoop) Next(c *run.Control) {
	l.upkeep(1)
	count := int(min(int64(c.IterationsLeft(risk.Block)), l.untilUpkeep()))
	kappa := 0.0
	for range count {
		i, factor := l.draw()
		kappa = l.alpha[i] + l.slope(i, l.steps.Dot(i)) // (5)
		l.move(i, float64(factor*kappa))                // (6) and (7)
	}
	if math.IsNaN(kappa) || math.IsInf(kappa, 0) {
		c.End(solvers.Diverged)
	}
	l.done += int64(count)
	c.Iterations(count, count, count)
}

// draw returns a row and theta/p_i.
func (l *fixedLoop) draw() (i uint32, factor float64) {
	if l.alias == nil {
		return uint32(l.random.Below(uint64(len(l.alpha)))), l.factor
	}
	// theta = min_i p_i/cost_i = 1/sum cost, so theta/p_i = 1/cost_i.
	i = l.alias.Draw((*sampling.Random)(l.random))
	return i, 1 / l.cost[i]
}

// State visits the loop's state.
func (l *fixedLoop) State(c *checkpoint.Coder) { l.state(c) }
