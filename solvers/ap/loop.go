package ap

import (
	"cmp"
	"fmt"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/passes"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/internal/ranking"
	"github.com/lanes-go/lanes/solvers/score"
)

// loop is the loop of algorithm 3. The other solvers are cases of it.
type loop struct {
	plan
	lambda float64

	objective *objective
	batch     *batch
	u         *estimates
	// places and others choose the positives and the negatives of a batch;
	// positives and negatives say which rows these are.
	places, others       *passes.Batches
	positives, negatives []uint32
	chosen               []uint32 // places of the positives in the batch

	validated bool // there is a validation metric
	looks     int  // the number of evaluations after the first
	end       int  // the last iteration

	// State.
	begun          bool
	t              int
	w              []float64
	columns        columns
	power1, power2 float64

	g, average []float64 // scratch
	mix        func(k int, g1, g2, least float64) (u1, u2 float64)
}

// columns keeps what a rule remembers of the weights' gradients, and the average.
type columns interface {
	// open makes the weights ready that a batch of rows touches.
	open(rows []uint32, w, g []float64, t int)
	// vectors returns the weights that a step moves, with their moments and gradients.
	vectors(w, g []float64) vectors
	// close takes the step to the weights and to the average.
	close(w []float64, t int)
	// current writes the average of the iterates up to iteration t to dst, before there
	// is one the last iterate.
	current(dst, w []float64, t int)
	state(c *checkpoint.Coder, t int)
}

// newLoop returns a loop whose steps move the first parameters, the given number.
func newLoop(p *Problem, model score.Model, used int, pool *matrix.Pool, plan plan, seed uint64) (*loop, error) {
	l := &loop{lambda: p.Lambda, power1: 1, power2: 1}
	l.positives, l.negatives = ranking.Split(p.Y)
	m := len(l.positives)
	ps, ns := min(plan.Positives, m), min(plan.Negatives, len(l.negatives))
	gain := 1.0
	if plan.all {
		gain = float64(m) / float64(ps)
	}
	plan.Beta = cmp.Or(plan.Beta, 0.3/gain)
	l.plan = plan
	d := model.Parameters()
	l.w, l.g, l.average = make([]float64, d), make([]float64, d), make([]float64, d)
	l.columns = newColumns(p, model, used, &l.plan, ps+ns)
	l.places = passes.NewBatches(m, ps, passes.DropTail, random.New(seed))
	l.others = passes.NewBatches(len(l.negatives), ns, passes.DropTail, random.New(^seed))
	if l.end = l.Iterations; l.Random {
		l.end = 1 + int(random.New(random.Mix(seed)).Below(uint64(l.Iterations)))
	}
	if l.Uniform {
		l.places.Uniform()
		l.others.Uniform()
	}
	var err error
	if l.batch, err = newBatch(model, &l.plan, ps, ns, m, len(p.Y)); err != nil {
		return nil, err
	}
	if l.objective, err = newObjective(p, model, pool, &l.plan, l.positives, l.negatives); err != nil {
		return nil, err
	}
	l.mix = ofBatch
	if plan.tracks {
		l.u = newEstimates(m, func(t int) float64 { return l.share(l.Beta, t) }, plan.all)
		l.u.gain, l.u.zero = gain, plan.Paper
		l.u.project, l.u.floor = plan.projects, plan.projects || !plan.Paper
		l.u.most1, l.u.most2 = float64(plan.bound*float64(m))/float64(len(p.Y)), plan.bound
		l.mix = func(k int, g1, g2, least float64) (float64, float64) {
			return l.u.update(l.chosen[k], l.t, g1, g2, least)
		}
	}
	return l, nil
}

// ofBatch takes the estimates of a batch as they are.
func ofBatch(_ int, g1, g2, _ float64) (u1, u2 float64) { return g1, g2 }

// Next evaluates the starting point in its first call, and does an iteration in each later
// one.
func (l *loop) Next(c *run.Control) {
	if !l.begun {
		l.begin(c)
		return
	}
	if l.t >= l.end {
		c.End(solvers.BudgetReached)
		return
	}
	l.t++
	rows := l.draw() // line 4
	l.columns.open(rows, l.w, l.g, l.t)
	value := l.batch.gradient(l.g, l.w, l.parameter(l.t), l.mix) // lines 5 and 6
	if value-value != 0 {
		c.End(solvers.Diverged)
		return
	}
	l.rule.step(l.columns.vectors(l.w, l.g), l.stride()) // lines 7 to 9
	l.columns.close(l.w, l.t)
	c.Iterations(1, len(rows), len(rows))
	if l.t == l.end || l.t%max(1, l.Iterations/l.looks) == 0 {
		l.report(c)
	}
}

// begin evaluates the starting point.
func (l *loop) begin(c *run.Control) {
	l.begun = true
	if l.report(c) == 0 && !l.Paper && !l.validated {
		c.End(solvers.BudgetReached) // the training rows have nothing left to teach
	}
}

// draw chooses the rows of a batch: positives, then negatives.
func (l *loop) draw() []uint32 {
	rows := l.batch.rows[:0]
	l.chosen = l.places.Next()
	for _, place := range l.chosen {
		rows = append(rows, l.positives[place])
	}
	for _, place := range l.others.Next() {
		rows = append(rows, l.negatives[place])
	}
	return rows
}

// stride sets the sizes of step t.
func (l *loop) stride() stride {
	least := direct.Unit // a step cannot tell it from 0, and 1 minus it is below 1
	s := stride{
		t: l.t, rate: float64(l.Step * l.rate(l.t)), lambda: l.lambda,
		momentum: max(l.share(l.momentum, l.t), least), before: max(l.share(l.momentum, max(l.t-1, 1)), least),
		second: max(l.second, least), delta: l.delta,
		fills: l.t == 1 && !l.Paper,
	}
	l.power1 = float64(l.power1 * (1 - s.momentum))
	l.power2 = float64(l.power2 * (1 - s.second))
	s.power1, s.power2 = l.power1, l.power2
	return s
}

// report evaluates the run where it stands and returns the objective.
func (l *loop) report(c *run.Control) float64 {
	l.Current(l.average)
	e := l.objective.evaluate(l.average)
	c.Reached(l.average, e)
	return e.Objective
}

// Current writes the average of the iterates that entered it, before there is one
// the iterate.
func (l *loop) Current(w []float64) { l.columns.current(w, l.w, l.t) }

// State visits the loop's state.
func (l *loop) State(c *checkpoint.Coder) {
	c.Bool(&l.begun)
	c.Count(&l.t, l.Iterations)
	c.Floats(l.w)
	l.columns.state(c, l.t)
	c.Float64(&l.power1)
	c.Float64(&l.power2)
	if !(l.power1 >= 0 && l.power1 <= 1 && l.power2 >= 0 && l.power2 <= 1) {
		c.Fail(fmt.Errorf("powers %v and %v of the decays, which are below 1", l.power1, l.power2))
	}
	l.places.State(c)
	l.others.State(c)
	if l.u != nil {
		l.u.state(c, l.t)
	}
}
