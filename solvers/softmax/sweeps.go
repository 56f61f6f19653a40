package softmax

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/internal/truncated"
	"github.com/lanes-go/lanes/solvers"
)

// sweeps answers what the objective asks of rows in shards, wherever they are: every answer is a sum over all
// rows, and nothing of a row outlives a sweep.
type sweeps struct {
	*objective
	from    shards.Rows
	group   *shards.Group
	number  map[float64]uint32 // the class of a label; nil where labels are the numbers of classes
	weights []float64          // of rows by their class, nil for 1

	work  []sweepRoom // one a worker
	total []float64   // what a sweep is summed to

	masses   []float64 // weights of the rows of each class
	products int64     // pairs of entries of one row, in all rows

	patient bool // the sweep is not to be left before its end
}

// sweepRoom is what a worker needs for a piece of rows: numbers of a row and class, and of a class.
type sweepRoom struct {
	one, two   [shards.Piece]float64
	z, m, prob []float64
	class      [shards.Piece]uint32
	s          [shards.Piece]float64
	longest    float64
}

// newSwept poses the problem p, which has no rows, on rows in shards. It takes a sweep.
func newSwept(p *Problem, rows shards.Rows, number map[float64]uint32, weights []float64, s *run.Session, o shards.Options) (*objective, error) {
	q := &objective{p: p, n: rows.Rows(), d: rows.Cols(), k: p.Count, learned: true}
	q.x.Pool, q.g = s.Pool, make([]float64, q.d*q.k)
	q.held = q.d * q.k
	if p.Intercept {
		q.held -= q.k
		q.beside = &beside{objective: q, ties: make([]float64, q.k*q.k), wrong: make([]float64, q.k), errs: make([]float64, q.k)}
	}
	f := &sweeps{objective: q, from: rows, number: number, weights: weights}
	q.swept = f
	o.Shards, o.Ranks, o.Pool = s.Settings.Shards, s.Settings.Ranks, s.Pool
	o.Stop = func() bool { return !f.patient && s.Ending() }
	f.group = shards.NewGroup(rows, o)
	f.work = make([]sweepRoom, f.group.Workers())
	for k := range f.work {
		r := &f.work[k]
		for _, v := range []*[]float64{&r.z, &r.m, &r.prob} {
			*v = make([]float64, shards.Piece*q.k)
		}
	}
	f.total = make([]float64, sweptSums(q.d, q.k, p.Intercept))
	return q, f.patiently(s.Settings.Checkpoint != "", f.learn)
}

// sweptSums is the number of sums of a gradient: a column and class, the losses, and what a gap beside intercepts
// has to know.
func sweptSums(d, k int, intercept bool) int {
	size := d*k + 1
	if intercept {
		size += k*k + k
	}
	return max(size, 2*d+k)
}

// patiently makes a sweep that goes on although the run is to end: one that is needed, or over rows in memory.
func (f *sweeps) patiently(needed bool, sweep func() error) error {
	f.patient = needed || !f.from.Slow()
	defer func() { f.patient = false }()
	return sweep()
}

// rowsOf finds the classes and the weights of a piece.
func (f *sweeps) rowsOf(r *sweepRoom, b *shards.Block, from, to int) error {
	s := b.Weights(from, to)
	for i, y := range b.Y[from:to] {
		c, is := uint32(y), true
		if f.number != nil {
			c, is = f.number[y]
		}
		if !is || int64(c) >= int64(f.k) {
			return fmt.Errorf("softmax: row %d has the label %v, which is no class: the rows have changed since their labels were counted", b.Row+from+i, y)
		}
		r.class[i], r.s[i] = c, direct.Weight(s, i)
		if f.weights != nil {
			r.s[i] = float64(f.weights[c] * r.s[i])
		}
	}
	return nil
}

// learn sums what does not depend on weights.
func (f *sweeps) learn() error {
	const weight, first, second, products = 0, 1, 2, 3
	sums := make([]float64, 4+f.k)
	for k := range f.work {
		f.work[k].longest = 0
	}
	err := f.group.Sum(sums, func(worker int, b *shards.Block, node []float64) error {
		r := &f.work[worker]
		for from, to := range b.Pieces {
			if err := f.rowsOf(r, b, from, to); err != nil {
				return err
			}
			norms := r.one[:to-from]
			direct.Must(b.X.SquaredNormsRun(norms, b.First+from))
			node[products] += float64(b.X.GramCostRun(b.First+from, to-from))
			for i, v := range norms {
				s, length := r.s[i], math.Sqrt(v)
				node[weight] += s
				node[first] += float64(s * length)
				node[second] += float64(s * v)
				if s > 0 {
					r.longest = max(r.longest, length)
				}
				node[4+r.class[i]] += s
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	f.objective.weights, f.first, f.second = sums[weight], sums[first], sums[second]
	for k := range f.work {
		f.objective.longest = max(f.objective.longest, f.work[k].longest)
	}
	f.products, f.masses = int64(min(sums[products], 1<<62)), sums[4:]
	for c, mass := range f.masses {
		if f.p.Intercept && !(mass > 0) {
			return fmt.Errorf("softmax: class %d of %d has no row with a weight above 0: its intercept would be infinite", c, f.k)
		}
	}
	return nil
}

// visit writes the gradient at w to g and evaluates w.
func (f *sweeps) visit(g, w []float64) (run.Evaluation, error) {
	size, k := f.d*f.k, f.k
	sums := f.total[:size+1]
	if f.beside != nil {
		sums = f.total[:size+1+k*k+k]
	}
	path := asm.Active()
	err := f.bent(sums, w, func(r *sweepRoom, b *shards.Block, from, to int, node []float64) {
		for i, value := range r.one[:to-from] {
			node[size] += value
			if own := int(r.class[i]); f.beside != nil {
				path.Dense.Axpy(float64(r.s[i]*f.row(r.prob, i)[own]), f.row(r.prob, i), f.row(node[size+1:], own))
				node[size+1+k*k+own] -= f.row(r.m, i)[own]
			}
		}
		direct.Must(b.X.AddDenseRun(node[:size], b.First+from, f.k, r.m[:(to-from)*f.k]))
	})
	if err != nil {
		return run.Evaluation{}, err
	}
	if f.beside != nil {
		copy(f.beside.ties, sums[size+1:])
		copy(f.beside.wrong, sums[size+1+k*k:])
	}
	copy(g, sums)
	return f.evaluation(g, w, sums[size]/float64(f.n)), nil
}

// bent calls use for every piece with the numbers of its rows at weights w: losses are in r.one, probabilities in
// r.prob, slopes in r.m.
func (f *sweeps) bent(sums, w []float64, use func(r *sweepRoom, b *shards.Block, from, to int, node []float64)) error {
	return f.group.Sum(sums, func(worker int, b *shards.Block, node []float64) error {
		r, path := &f.work[worker], asm.Active()
		for from, to := range b.Pieces {
			if err := f.rowsOf(r, b, from, to); err != nil {
				return err
			}
			direct.Must(b.X.MulDenseRun(r.z[:(to-from)*f.k], b.First+from, f.k, w))
			for i := range to - from {
				r.one[i] = slopeRow(path, f.row(r.prob, i), f.row(r.m, i), f.row(r.z, i), r.class[i], r.s[i])
			}
			use(r, b, from, to, node)
		}
		return nil
	})
}

// product computes dst = H v + lambda v with the Hessian of the mean loss at w.
func (f *sweeps) product(dst, w, v []float64) error {
	sums, path := f.total[:f.d*f.k], asm.Active()
	err := f.bent(sums, w, func(r *sweepRoom, b *shards.Block, from, to int, node []float64) {
		direct.Must(b.X.MulDenseRun(r.m[:(to-from)*f.k], b.First+from, f.k, v))
		for i := range to - from {
			bendRow(path, f.row(r.m, i), f.row(r.prob, i), r.class[i], r.s[i])
		}
		direct.Must(b.X.AddDenseRun(node[:f.d*f.k], b.First+from, f.k, r.m[:(to-from)*f.k]))
	})
	if err == nil {
		copy(dst, sums)
		f.regularise(dst, v)
	}
	return err
}

// curvature writes the curvatures of the rows of a piece to r.two, and adds the curvatures of the classes to
// classes, unless classes is nil.
func (f *sweeps) curvature(r *sweepRoom, rows int, classes []float64) []float64 {
	h := r.two[:rows]
	for i := range h {
		s, sum := r.s[i]/float64(f.n), 0.0
		for c, p := range f.row(r.prob, i) {
			v := float64(s * float64(p*(1-p)))
			if sum += v; classes != nil {
				classes[c] += v
			}
		}
		h[i] = sum
	}
	return h
}

// traces writes the columns, the classes and the means of a metric at w.
func (f *sweeps) traces(m *metric, w []float64) error {
	d, k := f.d, f.k
	sums := f.total[:d+k]
	if m.means != nil {
		sums = f.total[:2*d+k]
	}
	err := f.bent(sums, w, func(r *sweepRoom, b *shards.Block, from, to int, node []float64) {
		h := f.curvature(r, to-from, node[d:d+k])
		direct.Must(b.X.AddSquaresRun(node[:d], b.First+from, h))
		if m.means != nil {
			direct.Must(b.X.AddRun(node[d+k:], b.First+from, h))
		}
	})
	if err == nil {
		copy(m.columns, sums)
		copy(m.classes, sums[d:])
		copy(m.means, sums[d+k:])
	}
	return err
}

// gram writes the lower triangle of X'hX at w, times a factor.
func (f *sweeps) gram(dst, w []float64, each float64) error {
	triangle := make([]float64, f.d*(f.d+1)/2)
	err := f.bent(triangle, w, func(r *sweepRoom, b *shards.Block, from, to int, node []float64) {
		direct.Must(b.X.AddGramRun(node, b.First+from, f.curvature(r, to-from, nil)))
	})
	for a := range f.d {
		direct.Scale(dst[a*f.d:][:a+1], each, triangle[a*(a+1)/2:][:a+1])
	}
	return err
}

// identity tells the rows, labels and weights from others, by their products with a random number for each row.
func (f *sweeps) identity() (checkpoint.Identity, error) {
	sums := make([]float64, f.d+2)
	err := f.group.Sum(sums, func(worker int, b *shards.Block, node []float64) error {
		r := &f.work[worker]
		for from, to := range b.Pieces {
			if err := f.rowsOf(r, b, from, to); err != nil {
				return err
			}
			c := r.one[:to-from]
			for i := range c {
				c[i] = random.Spread(b.Row + from + i)
				node[f.d] += float64(c[i] * float64(r.class[i]))
				node[f.d+1] += float64(c[i] * r.s[i])
			}
			direct.Must(b.X.AddRun(node[:f.d], b.First+from, c))
		}
		return nil
	})
	id := checkpoint.Identity{}
	if f.p.Intercept {
		id = id.With("the intercepts", true)
	}
	return id.With("rows", f.n).With("columns", f.d).With("non-zeros", f.from.NNZ()).With("the rows' checksum", checkpoint.Checksum(sums)).
		With("classes", f.k).With("lambda", f.p.Lambda), err
}

// sweep is Next for rows in shards. It changes the loop once its sweep has succeeded.
func (l *loop) sweep(c *run.Control) error {
	switch {
	case !l.started:
		e, err := l.swept.visit(l.g, l.w)
		if err != nil {
			return err
		}
		c.Gradients(l.n)
		l.arrive(c, e)
	case !l.opened:
		l.prepare()
		if err := l.metric.refresh(l.w); err != nil {
			return err
		}
		l.Open(l.g)
		l.opened = true
	case !l.Ready:
		if err := l.swept.product(l.Product, l.w, l.Direction); err != nil {
			return err
		}
		c.Gradients(l.n)
		l.metric.age++
		l.Advance()
	default:
		return l.walk(c)
	}
	return nil
}

// walk is search for rows in shards: every trial brings its gradient, and the full step is mostly taken.
func (l *loop) walk(c *run.Control) error {
	slope, used := l.Vectors.Dot(l.g, l.Step), 0
	alpha := 1.0
	for try := 0; ; try++ {
		if try == truncated.Halvings || try > 0 && float64(alpha*-slope) <= 0.01*truncated.Hidden*math.Abs(l.loss) {
			alpha = 0
		}
		l.Vectors.ScaleAdd(l.next, alpha, l.Step, 1, l.w)
		centre(l.next[l.held:])
		e, err := l.swept.visit(l.slope, l.next)
		if err != nil {
			return err
		}
		used += l.n
		if alpha > 0 && !l.falls(e.Objective, alpha, slope) {
			alpha *= 0.5
			continue
		}
		fell := alpha > 0 && e.Objective < l.loss
		l.w, l.next, l.g, l.slope = l.next, l.w, l.slope, l.g
		c.Gradients(used)
		c.Iterations(1, 0, 0)
		l.count(e, fell)
		if l.arrive(c, e); l.stuck >= futile {
			c.End(solvers.Stalled)
		}
		return nil
	}
}
