package erm

import (
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/run"
)

// guard undoes the steps by which algorithm 2 diverges on rows of very different lengths. The
// algorithm reports where every inner loop began and how its steps were capped. guard decides
// whether to go back, how small the cap must be, and whether to end the loop.
type guard struct {
	on      bool
	kept    []float64      // the point that the inner loop began at
	last    run.Evaluation // of kept
	begun   float64        // 1/alpha_max after the loop's first step
	floor   float64        // the least 1/alpha_max allowed
	initial float64        // the objective that the run began with
	perPass int            // iterations
}

// The longest inner loops in passes, before and after one strayed.
const (
	calmPasses    = 20
	guardedPasses = 3
)

func newGuard(on bool, columns, perPass int) guard {
	return guard{
		on: on, kept: make([]float64, columns), perPass: perPass,
		last: run.Evaluation{Objective: math.Inf(1)}, initial: math.Inf(1),
	}
}

// strayed tells whether the point that an inner loop led to is worse than where it began,
// beyond rounding.
func (g *guard) strayed(e run.Evaluation) bool {
	rise := e.Objective - g.last.Objective
	return g.on && rise > 1e-9*math.Abs(g.last.Objective) && (e.GradientNorm > g.last.GradientNorm || e.Objective > g.initial)
}

// back halves the cap on the step and returns the point to go back to.
func (g *guard) back() []float64 {
	g.floor = 2 * max(g.floor, g.begun)
	return g.kept
}

// keep makes w the point to return to. The bound on 1/alpha_max decreases slowly while no loop
// strays.
func (g *guard) keep(w []float64, e run.Evaluation) {
	if math.IsInf(g.initial, 1) {
		g.initial = e.Objective
	}
	copy(g.kept, w)
	g.last, g.begun = e, 0
	g.floor *= 0.75
}

// ends is called after every iteration with the present 1/alpha_max. It tells whether the inner
// loop of t iterations has become too long.
func (g *guard) ends(t int, delta float64) bool {
	if g.begun == 0 {
		g.begun = delta
	}
	longest := calmPasses
	if g.floor > 0 {
		longest = guardedPasses
	}
	return g.on && t >= longest*g.perPass
}

func (g *guard) state(c *checkpoint.Coder) {
	c.Floats(g.kept)
	for _, v := range []*float64{&g.last.Objective, &g.last.GradientNorm, &g.begun, &g.floor, &g.initial} {
		c.Float64(v)
	}
}
