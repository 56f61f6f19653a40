package sdca

import (
	"context"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/passes"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/internal/handover"
)

// Elements that a run by shards takes beside its rows: bufferedVectors of a number a column, for the loop,
// what it is summed to, and what the run keeps; and two numbers a row.
const bufferedVectors, bufferedNumbers = 9, 2

// solveTask is Solve for rows in a file.
func solveTask(ctx context.Context, t *solvers.Task, method Method, settings solvers.Settings) (*solvers.Result, error) {
	d, n := int64(t.Rows.Stream.Cols()), int64(t.Rows.Stream.Rows())
	_, newton := method.(Hybrid)
	rows, o, err := handover.Open(t, &settings, bufferedVectors*d+bufferedNumbers*n, 2*d+int64(bufferedSums), newton, true)
	if err != nil {
		return nil, err
	}
	return solveShards(ctx, rows, &t.Problem, method, settings, o)
}

// solveShards is Solve by shards, over rows from wherever they come. Of p it looks at everything but the
// rows.
func solveShards(ctx context.Context, rows shards.Mixer, p *solvers.Problem, method Method, settings solvers.Settings, o shards.Options) (*solvers.Result, error) {
	return run.Solve(ctx, settings, run.Plan{
		Family: "sdca", Solver: method.Name(), Columns: rows.Cols(), Accepts: accepts(method), Asked: p.Asks(), Problem: p,
		Begin: func(s *run.Session) (run.Run, error) {
			sums, err := handover.ShardSums(rows, p, s, o, nil)
			if err != nil {
				return run.Run{}, err
			}
			opening := newBufferedLoop(rows, p, s, sums)
			if err := sums.Patiently(s.Settings.Checkpoint != "", opening.prepare); err != nil {
				return run.Run{}, err
			}
			var loop run.Loop = opening
			hybrid := &bufferedHybrid{bufferedLoop: opening}
			if _, is := method.(Hybrid); is {
				loop, opening.opens = hybrid, true
			}
			return run.Run{
				Samples: rows.Rows(), Loop: loop, Smooth: true, Reports: opening.reports,
				Evaluate: func(w []float64) (e run.Evaluation) {
					if hybrid.newton != nil {
						return sums.Evaluate(w)
					}
					err := sums.Patiently(false, func() (err error) {
						e, err = opening.evaluate(w)
						return err
					})
					e.Err = err
					return e
				},
				AtZero: func() float64 { return sums.Zero }, Certify: sums.Certify, Settle: sums.Settle,
				Parameters: struct {
					Method   Method
					Buffered bool
				}{method, true},
				Data: func(*matrix.Pool) (checkpoint.Identity, error) { return sums.Identity() },
			}, nil
		},
	})
}

// bufferedHybrid begins with dual steps, and changes to Newton's method once they progress slowly, as
// hybridLoop does.
type bufferedHybrid struct {
	*bufferedLoop
	newton run.Loop
	before float64 // the gap that the last pass that was judged let expect, 0 for none
}

// Next calls Next of the present loop; between passes it chooses the loop.
func (l *bufferedHybrid) Next(c *run.Control) {
	if l.newton != nil {
		l.newton.Next(c)
		return
	}
	o := l.bufferedLoop
	begun := o.passes
	o.Next(c)
	switch {
	case c.Ended() || !o.strayed && o.passes == begun:
		return
	case o.strayed:
		l.turn()
	case begun > 0 && begun%passes.AllEvery == 0:
		if slow(l.before, o.mean) && loss.KinkedOf(l.p.Loss) == nil {
			l.turn()
		}
		l.before = o.mean
	}
}

// turn begins the Newton method.
func (l *bufferedHybrid) turn() {
	l.newton = l.sums.Newton(l.settings, l.w)
	l.alpha, l.u, l.total, l.mixed, l.steps = nil, nil, nil, shards.Mixed{}, nil
}

// Current writes the iterate.
func (l *bufferedHybrid) Current(w []float64) {
	if l.newton != nil {
		l.newton.Current(w)
		return
	}
	l.bufferedLoop.Current(w)
}

// State visits the loop's state.
func (l *bufferedHybrid) State(c *checkpoint.Coder) {
	turned := l.newton != nil
	c.Bool(&turned)
	c.Float64(&l.before)
	initialState(c, &l.settings, len(l.w))
	if c.Restoring() && turned && l.newton == nil {
		l.turn()
	}
	if turned {
		l.newton.State(c)
	} else {
		l.bufferedLoop.State(c)
	}
}

// bufferedLoop is proxLoop for rows in shards, which steps take from buffers (shards.Mixing). No row is left
// out. The certificate is a sum over shards, so that it has the bits of any other place of the rows.
type bufferedLoop struct {
	p        *solvers.Problem
	dual     loss.Dual
	rows     shards.Mixer
	sums     *handover.Sums
	pool     *matrix.Pool
	settings solvers.Settings
	reports  bool
	labels   bool

	w          []float64
	*intercept           // nil without one
	own        float64   // 1/rho n, for a weight of 1
	alpha      []float64 // of rows: s_i times the dual variable, and the sign of the label
	u          []float64 // their logits, nil for another loss
	unit       float64   // 1/(lambda n)

	mixing *shards.Mixing
	mixed  shards.Mixed
	steps  []*matrix.Steps // of the parts
	loaded bool
	passes int // begun
	buffer int // of the pass, all of them between passes
	at     int // row of the buffer

	// sum is the gap met in this pass, up to second order and times lambda n; mean and lastMean are the
	// gaps that the last two passes let expect.
	sum, mean, lastMean float64
	sinceCertificate    int
	given               bool // the run began at a point that was given
	opens, strayed      bool // as in proxLoop

	work  []bufferedWork
	total []float64 // what a sweep is summed to
}

// bufferedWork is what a worker needs for a piece of rows.
type bufferedWork struct {
	z, c, alpha, squares [shards.Piece]float64
	most                 float64 // margin
}

func newBufferedLoop(rows shards.Mixer, p *solvers.Problem, s *run.Session, sums *handover.Sums) *bufferedLoop {
	n, d := rows.Rows(), rows.Cols()
	l := &bufferedLoop{
		p: p, dual: dualLoss(p), rows: rows, sums: sums, pool: s.Pool, settings: s.Settings, reports: s.Settings.RecordEvery == 0,
		w: make([]float64, d), alpha: make([]float64, n), unit: 1 / (p.Ridge() * float64(n)), mixing: shards.NewMixing(n, s.Settings.Seed),
		work: make([]bufferedWork, sums.Group.Workers()), total: make([]float64, 2*d+bufferedSums),
		lastMean: math.Inf(1), given: s.Settings.Initial != nil,
	}
	l.labels = l.dual.Labels()
	if l.dual.Logit() {
		l.u = make([]float64, n)
	}
	l.buffer = l.mixing.Buffers()
	if p.Intercept {
		l.intercept = &intercept{b: &l.w[d-1]}
		*l.b = sums.Best
	}
	return l
}

// prepare takes a sweep for what steps have to know, where there is something.
func (l *bufferedLoop) prepare() error {
	if l.intercept == nil && !l.given {
		return nil
	}
	peak, err := l.peak()
	if err != nil {
		return err
	}
	sums := make([]float64, len(l.w)+1)
	err = l.sums.Group.Sum(sums, func(worker int, b *shards.Block, node []float64) error {
		work := &l.work[worker]
		for from, to := range b.Pieces {
			if l.intercept != nil {
				squares, s := work.squares[:to-from], b.Weights(from, to)
				direct.Must(b.X.SquaredNormsRun(squares, b.First+from))
				for k, v := range squares {
					weight := direct.Weight(s, k)
					node[0] += weight / (1/peak + float64(float64(weight*(v-1))*l.unit))
				}
			}
			if l.given {
				l.warm(b, from, to, work, node[1:])
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if l.given {
		direct.Scale(risk.Held(l.p, l.w), l.unit, risk.Held(l.p, sums[1:]))
	}
	if l.intercept == nil {
		return nil
	}
	rho := max(float64(rhoRows*sums[0])/float64(l.rows.Rows()), direct.Tiny)
	l.own, l.ratio = 1/rho, ratioOf(rho, l.unit)
	if l.given {
		*l.b = l.settings.Initial[len(l.w)-1]
	}
	return nil
}

// peak is the largest second derivative of the loss. One with kinks has about that of a loss as smooth as
// the mean loss at the best constant is large, as in risk.Width.
func (l *bufferedLoop) peak() (float64, error) {
	if loss.KinkedOf(l.p.Loss) == nil || l.intercept == nil {
		return l.p.Loss.Peak(), nil
	}
	sums := make([]float64, 2)
	err := l.sums.Group.Sum(sums, func(worker int, b *shards.Block, node []float64) error {
		for from, to := range b.Pieces {
			z, s := l.work[worker].z[:to-from], b.Weights(from, to)
			for k := range z {
				z[k] = *l.b + direct.Offset(b.Offset, from+k)
				node[1] += direct.Weight(s, k)
			}
			node[0] += l.p.Loss.Sum(z, b.Y[from:to], s)
		}
		return nil
	})
	if width := sums[0] / sums[1]; width > 0 && width <= math.MaxFloat64 {
		return 1 / width, err
	}
	return 1, err
}

// warm sets the dual variables of rows to -phi' at the point that was given, and adds the rows times them.
func (l *bufferedLoop) warm(b *shards.Block, from, to int, work *bufferedWork, node []float64) {
	z := work.z[:to-from]
	direct.Must(b.X.MulRun(z, b.First+from, l.settings.Initial))
	for k, v := range z {
		var d loss.DualRow
		y, row := b.Y[from+k], b.Row+from+k
		l.dual.Warm(&d, v+direct.Offset(b.Offset, from+k), y)
		if l.u != nil {
			l.u[row] = d.U
		}
		l.alpha[row] = l.signed(float64(direct.Weight(b.Weights(from, to), k)*d.A), y)
		z[k] = l.alpha[row]
	}
	direct.Must(b.X.AddRun(node, b.First+from, z))
}

// signed multiplies a number by the sign of a label.
func (l *bufferedLoop) signed(v, y float64) float64 {
	if l.labels {
		return float64(v * y)
	}
	return v
}

// Next does steps on rows of a buffer, or begins a pass.
func (l *bufferedLoop) Next(c *run.Control) {
	if l.buffer == l.mixing.Buffers() {
		if err := l.between(c); err != nil {
			c.Break(err)
		}
		return
	}
	if !l.loaded {
		if err := l.load(); err != nil {
			c.Break(err)
			return
		}
	}
	count := min(c.IterationsLeft(risk.Block), len(l.mixed.Rows)-l.at)
	for _, place := range l.mixed.Rows[l.at:][:count] {
		l.step(place)
	}
	if l.at += count; l.at == len(l.mixed.Rows) {
		l.buffer, l.at, l.loaded = l.buffer+1, 0, false
	}
	if l.buffer == l.mixing.Buffers() {
		l.lastMean, l.mean = l.mean, float64(l.sum*l.p.Ridge())
		l.sinceCertificate++
	}
	c.Iterations(count, count, count)
}

// load makes the buffer.
func (l *bufferedLoop) load() error {
	if err := l.mixing.Load(&l.mixed, l.rows, l.passes, l.buffer, !l.p.Intercept, l.pool); err != nil {
		return err
	}
	if l.loaded = true; l.steps != nil && !l.rows.Slow() { // the rows are where they were
		return nil
	}
	l.steps = l.steps[:0]
	for _, part := range l.mixed.Parts {
		l.steps = append(l.steps, direct.Value(matrix.NewSteps(part.X, risk.Held(l.p, l.w))))
	}
	return nil
}

// step moves the dual variable of a row to its maximum.
func (l *bufferedLoop) step(at shards.Place) {
	part, steps, i := &l.mixed.Parts[at.Part], l.steps[at.Part], at.Row
	row, s, y := part.First+int(i), direct.Weight(part.Weight, int(i)), part.Y[i]
	c := float64(s * l.unit)
	d := loss.DualRow{Q: min(float64(c*part.Squares[i])+float64(s*l.own), math.MaxFloat64), C: l.signed(c, y), U: y}
	if l.labels {
		d.U = 0
	}
	if l.u != nil {
		d.U = l.u[row]
	}
	if s != 0 {
		d.A = l.signed(l.alpha[row]/s, y)
	}
	z := steps.Dot(i)
	if l.intercept != nil {
		z += *l.b
	}
	if part.Offset != nil {
		z += part.Offset[i]
	}
	old := d.A
	l.sum += float64(l.dual.Ascend(&d, z, loss.StepShare) * math.Abs(d.C))
	if l.u != nil {
		l.u[row] = d.U
	}
	change := float64(d.C * (d.A - old))
	if change == 0 {
		return
	}
	l.alpha[row] = l.signed(float64(s*d.A), y)
	steps.Add(i, change)
	if l.intercept != nil {
		*l.b += float64(change * l.ratio)
	}
}

// between looks back on a pass, certifies the gap where that is due, and begins the next pass.
func (l *bufferedLoop) between(c *run.Control) error {
	if math.IsNaN(l.sum) || math.IsInf(l.sum, 0) || l.far() {
		if l.strayed = true; !l.opens {
			c.End(solvers.Diverged)
		}
		return nil
	}
	if l.reports && l.due() {
		e, err := l.evaluate(l.w)
		if err != nil {
			return err
		}
		c.Gradients(l.rows.Rows())
		if c.Reached(l.w, e); c.Ended() {
			return nil
		}
		l.sinceCertificate = 0
	}
	if l.intercept != nil && l.passes > 0 {
		*l.b += float64(float64(kernels.Sum(l.alpha)*l.unit) * l.ratio)
	}
	l.passes++
	l.buffer, l.at, l.sum = 0, 0, 0
	return nil
}

// far tells whether exact steps could not have led to w, where another method would go on: see
// proxLoop.mostSquare.
func (l *bufferedLoop) far() bool {
	return l.opens && !l.given && !(kernels.SquaredNorm(risk.Held(l.p, l.w)) <= 4*l.sums.Zero/l.p.Ridge())
}

// due tells whether the gap is to be certified.
func (l *bufferedLoop) due() bool {
	target := l.settings.GapTolerance
	near := target > 0 && l.passes > 0 && float64(l.mean*min(1, l.mean/l.lastMean)) <= target
	return near || l.passes == 0 || l.sinceCertificate >= refreshEvery || l.settings.GradientTolerance > 0 || l.settings.Validation != nil
}

// Current writes the iterate.
func (l *bufferedLoop) Current(w []float64) { copy(w, l.w) }

// State visits the loop's state.
func (l *bufferedLoop) State(c *checkpoint.Coder) {
	c.Floats(l.alpha)
	if l.u != nil {
		c.Floats(l.u)
	}
	c.Floats(l.w)
	c.Bool(&l.given)
	for _, v := range []*int{&l.passes, &l.sinceCertificate} {
		c.Count(v, checkpoint.MostCount)
	}
	c.Count(&l.buffer, l.mixing.Buffers())
	c.Count(&l.at, l.rows.Rows())
	for _, v := range []*float64{&l.sum, &l.mean, &l.lastMean} {
		c.Float64(v)
	}
	if c.Restoring() {
		l.loaded = false
	}
}
