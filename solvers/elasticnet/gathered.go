package elasticnet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/internal/handover"
)

const (
	// gatheredVectors is how many vectors with an element a column a run by shards takes beside its sums.
	// gatheredNumbers is how many numbers a row it takes: labels, weights, offsets, and what certifies a point.
	gatheredVectors, gatheredNumbers = 13, 9
	// leastGathered is the number of columns that may join a working set of any run by shards. Later one column may
	// join for each that it has.
	leastGathered = 1024
	// gatheredShare is the share of the gap of all columns, or of the gradient, that a fit of a working set aims at.
	// gatheredAim is the share of a tolerance that it need not go below.
	gatheredShare, gatheredAim = 0.01, 0.25
)

// solveTask is Solve by shards, for rows in a file or in memory.
func solveTask(ctx context.Context, t *solvers.Task, method Method, settings solvers.Settings) (*solvers.Result, error) {
	newton, err := newtonOf(method)
	if err != nil {
		return nil, err
	}
	rows, o, limit, err := inShards(t, &settings)
	if err != nil {
		return nil, err
	}
	return solveShards(ctx, rows, &t.Problem, newton, settings, o, limit)
}

// inShards returns the rows of a task as shards, which settings count, and the memory that a *shards.File may take.
func inShards(t *solvers.Task, settings *solvers.Settings) (rows shards.Rows, o shards.Options, limit int64, err error) {
	p := &t.Problem
	if settings.Ranks != nil {
		return nil, o, 0, risk.Refuse(family.Name, ProximalNewton{}.Name(), accepts, solvers.Processes, p)
	}
	if t.Rows == nil {
		if err := check(p); err != nil {
			return nil, o, 0, err
		}
		if settings.Shards == 0 {
			settings.Shards = shards.Count(p.X.Rows(), p.X.Cols(), p.X.NNZ())
		}
		_, err = run.Check(solvers.Settings{Shards: settings.Shards, Workers: settings.Workers}, p.X.Cols())
		return &shards.Memory{X: p.X, Y: p.Y, Weight: p.SampleWeight, Offset: p.Offset, Shards: settings.Shards}, o, 0, err
	}
	if t.Rows.Stream == nil {
		return nil, o, 0, errors.New("elasticnet: the task has no rows")
	}
	d, n := int64(t.Rows.Stream.Cols()), int64(t.Rows.Stream.Rows())
	rows, o, err = handover.Open(t, settings, gatheredVectors*d+gatheredNumbers*n, d+handover.Learned, false, false)
	return rows, o, t.Rows.Memory, err
}

// solveShards is Solve by shards, over rows from wherever they come. Of p it looks at everything but the rows.
// limit is the memory that a *shards.File may take, 0 for any; shards in memory have none.
//
// A sweep over the rows gives the gradient of all columns, and with it the gap and the violations. The columns with a
// weight and those with the largest violations are the working set. A second sweep copies its columns. Solve fits them
// in memory, from the weights at hand, to a share of the gap. So a fit takes two sweeps a working set. Rows, penalty
// and shards decide what the working sets are, never the memory.
func solveShards(ctx context.Context, rows shards.Rows, p *Problem, method ProximalNewton, settings solvers.Settings, o shards.Options, limit int64) (*solvers.Result, error) {
	if _, err := penalty.RestrictedOf(p.Penalty); err != nil {
		return nil, fmt.Errorf("elasticnet: rows in shards: %w", err)
	}
	return run.Solve(ctx, settings, run.Plan{
		Family: "elasticnet", Solver: method.Name(), Columns: rows.Cols(), Accepts: accepts, Asked: p.Asks(), Objective: solvers.SparseLoss, Problem: p, NoGap: noGap(p),
		Begin: func(s *run.Session) (run.Run, error) {
			l, err := newGatheredLoop(rows, p, method, s, o, limit)
			if err != nil {
				return run.Run{}, err
			}
			sums := l.distant.sums
			return run.Run{
				Samples: rows.Rows(), Loop: l, Smooth: true, Reports: true, Evaluate: l.evaluate, Settle: sums.Settle,
				AtZero: func() float64 { return l.o.ceiling(sums.Zero) },
				Parameters: struct {
					Method   ProximalNewton
					Gathered bool
				}{method, true},
				NonZeros: l.nonZeros,
				Data:     func(*matrix.Pool) (checkpoint.Identity, error) { return sums.Identity() },
			}, nil
		},
	})
}

// gatheredLoop fits working sets of columns that are gathered from rows in shards.
type gatheredLoop struct {
	p       *Problem // but for its rows
	penalty penalty.Restricted
	method  ProximalNewton
	s       *run.Session
	distant *distant
	limit   int64

	w    []float64
	list []uint32 // the working set
	o    *objective
	// fits is true where a fit of the working set comes next, and false where an evaluation of w does. gap and norm
	// are the gap and the gradient's length over all columns at the last evaluation. spent is true where the last
	// fit ended above its target.
	fits      bool
	gap, norm float64
	spent     bool
}

// newGatheredLoop takes a sweep over the rows, for what does not depend on weights.
func newGatheredLoop(rows shards.Rows, p *Problem, method ProximalNewton, s *run.Session, o shards.Options, limit int64) (*gatheredLoop, error) {
	far := &distant{rows: rows, s: s, n: rows.Rows(), d: rows.Cols()}
	if err := far.collect(p, o); err != nil {
		return nil, err
	}
	l := &gatheredLoop{p: p, method: method, s: s, distant: far, limit: limit, w: make([]float64, rows.Cols()), gap: math.NaN()}
	l.penalty, _ = penalty.RestrictedOf(p.Penalty)
	l.o = far.objective(p)
	if copy(l.w, s.Settings.Initial); s.Settings.Initial == nil && p.Intercept {
		l.w[l.o.d] = far.sums.Best
	}
	far.pose(l.o)
	l.o.inside(l.w)
	l.list = l.listed(l.staying(make([]bool, l.o.d)))
	return l, nil
}

// listed lists the marked columns, with all others of their groups.
func (l *gatheredLoop) listed(in []bool) (list []uint32) {
	if l.o.grouped != nil {
		for _, group := range l.o.grouped.Columns() {
			if slices.ContainsFunc(group, func(j int) bool { return in[j] }) {
				for _, j := range group {
					in[j] = true
				}
			}
		}
	}
	for j, is := range in {
		if is {
			list = append(list, uint32(j))
		}
	}
	return list
}

// members marks the columns of the working set.
func (l *gatheredLoop) members() []bool {
	in := make([]bool, l.o.d)
	for _, j := range l.list {
		in[j] = true
	}
	return in
}

// staying marks the columns that are always in the working set, beside those that are marked: columns with a weight,
// and columns without a penalty on a side.
func (l *gatheredLoop) staying(in []bool) []bool {
	for j, v := range l.w[:l.o.d] {
		in[j] = in[j] || v != 0
	}
	if l.o.open != nil {
		for _, j := range l.o.open.all {
			if int(j) < l.o.d {
				in[j] = true
			}
		}
	}
	return in
}

func (l *gatheredLoop) nonZeros(w []float64) int {
	count := 0
	for _, v := range w[:l.o.d] {
		if v != 0 {
			count++
		}
	}
	return count
}

// Next evaluates the weights on all columns, or fits the working set.
func (l *gatheredLoop) Next(c *run.Control) {
	if err := l.gather(); err != nil {
		c.Break(err)
		return
	}
	if l.fits {
		l.fit(c)
	} else {
		l.check(c)
	}
}

// gather copies the columns of the working set, unless that is done.
func (l *gatheredLoop) gather() error {
	if l.distant.has(l.list) {
		return nil
	}
	l.distant.drop(l.o)
	if err := l.distant.reserve(l.list); err != nil {
		var short *shards.MemoryError
		if errors.As(err, &short) {
			return l.short(short)
		}
		return err
	}
	return l.distant.gather(l.list, l.s.Settings.Shards)
}

// check evaluates the weights on all columns, and chooses the working set.
func (l *gatheredLoop) check(c *run.Control) {
	o, n := l.o, l.distant.n
	before := l.w[len(l.w)-1]
	l.distant.pose(o)
	o.place(l.w)
	o.recentre(l.w, c.Settings().GapTolerance)
	o.gradient(l.w)
	e := o.judged(l.w)
	if err := l.distant.failed(); err != nil {
		l.w[len(l.w)-1] = before
		c.Break(err)
		return
	}
	c.Gradients(n)
	c.Iterations(1, 0, 0)
	if c.Reached(l.w, e); c.Ended() {
		return
	}
	nearer := e.Gap < l.gap || e.GradientNorm < l.norm
	l.gap, l.norm, l.fits = e.Gap, e.GradientNorm, true
	if widened := l.widen(); !widened && (l.spent && !nearer || len(l.list) == 0) {
		c.End(solvers.Stalled)
	}
}

// widen adds the columns with the largest violations, or the groups of columns, to the working set, and tells whether
// there are any. No column leaves the set.
func (l *gatheredLoop) widen() bool {
	in, v := l.members(), l.o.v
	count, size, first := l.o.d, func(j int) float64 { return math.Abs(v[j]) }, func(j int) int { return j }
	if l.o.grouped != nil {
		groups := l.o.grouped.Columns()
		count, first = len(groups), func(k int) int { return groups[k][0] }
		size = func(k int) (square float64) {
			for _, j := range groups[k] {
				square = math.FMA(v[j], v[j], square)
			}
			return square
		}
	}
	sizes, had, beyond := make([]float64, 2*count), 0, 0
	for k := range count {
		if in[first(k)] {
			had++
		} else if sizes[k] = size(k); sizes[k] > 0 {
			beyond++
		}
	}
	if beyond == 0 {
		return false
	}
	most := min(max(leastGathered, had), beyond)
	for _, k := range largest(sizes, most, beyond, had, func(k int) bool { return in[first(k)] }) {
		in[first(int(k))] = true
	}
	l.list = l.listed(in)
	return true
}

// fit takes the weights of the working set to their minimum, as near as the gap of all columns tells anything.
func (l *gatheredLoop) fit(c *run.Control) {
	far, settings := l.distant, l.s.TimeLeft()
	far.release(l.o)
	q := *l.p
	q.X, q.Y, q.SampleWeight, q.Offset = far.matrix(l.p.Intercept), far.y, far.weight, far.offset
	q.Penalty = l.penalty.Restrict(l.list)
	share := float64(far.entries(l.list)) / float64(max(far.rows.NNZ(), 1))
	epochs, iterations := c.Left()
	inner := solvers.Settings{
		MaxEpochs: epochs / min(share, 1), MaxIterations: iterations, MaxTime: settings.MaxTime, Seed: settings.Seed, Workers: settings.Workers,
	}
	if kernels.MaxAbs(l.w[:l.o.d]) != 0 { // else it may begin on samples
		inner.Initial = append(direct.Listed(l.w, l.list), l.w[l.o.d:]...)
	}
	neither := settings.GapTolerance == 0 && settings.GradientTolerance == 0
	gap := l.gap > 0 && !math.IsInf(l.gap, 1) && noGap(&q) == ""
	if gap && (settings.GapTolerance > 0 || neither) {
		inner.GapTolerance = max(float64(gatheredShare*l.gap), float64(gatheredAim*settings.GapTolerance))
	}
	if settings.GradientTolerance > 0 || inner.GapTolerance == 0 {
		inner.GradientTolerance = max(float64(gatheredShare*l.norm), float64(gatheredAim*settings.GradientTolerance))
	}
	r, err := Solve(l.s.Context, &q, l.method, inner)
	switch {
	case c.Over():
		return // the fit is made anew when the run goes on
	case err != nil:
		c.Break(err)
		return
	case r.Status == solvers.Diverged:
		c.End(solvers.Diverged)
		return
	}
	for a, j := range l.list {
		l.w[j] = r.Weights[a]
	}
	copy(l.w[l.o.d:], r.Weights[len(l.list):])
	l.fits, l.spent = false, r.Status != solvers.Converged
	rows := share * float64(far.n)
	c.Iterations(int(r.Total.Iterations), int(r.Total.Epochs*rows), int(float64(r.Total.GradientEvaluations)*share))
}

// Current writes the iterate.
func (l *gatheredLoop) Current(w []float64) { copy(w, l.w) }

// State visits the loop's state. What is gathered, and what the rows say of it, is computed anew.
func (l *gatheredLoop) State(c *checkpoint.Coder) {
	c.Floats(l.w)
	if l.list = columns(c, l.list, l.o.d); c.Err() != nil {
		return
	}
	c.Bool(&l.fits)
	c.Bool(&l.spent)
	c.Float64(&l.gap)
	c.Float64(&l.norm)
	if c.Restoring() && c.Err() == nil {
		l.restored(c)
	}
}

// restored refuses what no run saves.
func (l *gatheredLoop) restored(c *checkpoint.Coder) {
	l.o.inside(l.w)
	if !slices.Equal(l.list, l.listed(l.staying(l.members()))) {
		c.Fail(errors.New("a working set that lacks columns, or does not ascend"))
		return
	}
	for j, v := range l.w {
		if v-v != 0 {
			c.Fail(fmt.Errorf("weight %d is %v", j, v))
			return
		}
	}
	if !(l.norm >= 0) || math.IsInf(l.norm, 1) {
		c.Fail(fmt.Errorf("a gradient of the length %v", l.norm))
	}
}
