package erm

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/internal/handover"
)

// sharded is the oracle of rows that are cut into shards: in memory, in a file, or with other ranks.
// Every sweep over the rows is a sum over shards (package shards); nothing of a row outlives a pass
// except the numbers in Block.Kept, which change no bit. So rows may be anywhere, and checkpoints
// fit any number of ranks.
type sharded struct {
	from     shards.Rows
	group    *shards.Group
	pool     *matrix.Pool
	settings solvers.Settings // the targets
	p        *Problem         // but for its rows
	n, d     int
	longest  int // of the additions one after the other in a sum over rows

	bounds *certificate.Bounds
	zero   float64 // P(0)
	// products is the number of pairs of entries in one row, the first of them not after
	// the second, in all rows.
	products int64

	work []pieceBuffers // one a worker
	sums []float64      // what a sweep is summed to: an element a column, and two more, or gradientSums

	mean     float64                // of the losses at the last gradient
	slopes   float64                // the norm of their slopes there
	beside   *certificate.Intercept // what is known of an intercept there, or nil
	best     float64                // an intercept to begin with
	entries  []float64              // sums of x_ij^2 and of |s_i| x_ij^2 for every column j, and of |s_i| o_i^2; nil before they are needed
	w        []float64              // the point that curvatures are taken at
	kept     *keptCurvatures        // what Block.Kept holds, for all oracles of the rows
	wide     bool                   // the curvatures come from majorizerCurvature
	line     line                   // of the search that is under way
	rowsUsed int
	patient  bool      // the sweep is not to be left before its end
	begun    time.Time // of a patient sweep that may be left, once it has taken long
	finished func() bool
	part     *shardedSample            // that sums are over, nil for all rows
	needs    func(first, end int) bool // of the part
}

// keptCurvatures says which curvatures Block.Kept holds: at a point, over a part of the rows.
type keptCurvatures struct {
	at   []float64
	part *shardedSample
	wide bool
}

// pieceBuffers is what a worker needs for a piece of rows.
type pieceBuffers struct{ z, c, h, m, rest [shards.Piece]float64 }

// gradientSums is how many sums a gradient has beside an intercept and its columns: the losses,
// the squared slopes and the curvature.
const gradientSums = 2 + len(certificate.Curvature{})

// newSharded takes a sweep over the rows, for what does not depend on weights.
func newSharded(rows shards.Rows, p *Problem, s *run.Session, o shards.Options) (*sharded, error) {
	return newShardedBeside(rows, p, s, o, &handover.Beside{})
}

// newShardedBeside is newSharded for a sweep that sums more.
func newShardedBeside(rows shards.Rows, p *Problem, s *run.Session, o shards.Options, beside *handover.Beside) (*sharded, error) {
	f := &sharded{
		from: rows, settings: s.Settings, p: p, n: rows.Rows(), d: rows.Cols(), finished: s.Ending,
		pool: s.Pool, kept: new(keptCurvatures),
	}
	o.Shards, o.Ranks, o.Pool = s.Settings.Shards, s.Settings.Ranks, s.Pool
	o.Stop = func() bool {
		if f.patient && (f.begun.IsZero() || time.Since(f.begun) < patience) {
			return false
		}
		return f.finished()
	}
	f.group = shards.NewGroup(rows, o)
	f.work = make([]pieceBuffers, f.group.Workers())
	f.sums = make([]float64, f.d+2)
	if p.Intercept {
		f.beside, f.sums = new(certificate.Intercept), make([]float64, f.d+gradientSums)
	}
	for v := range o.Shards {
		f.longest = max(f.longest, shards.Cut(f.n, o.Shards, v+1)-shards.Cut(f.n, o.Shards, v))
	}
	f.longest += 32 // levels of the tree
	return f, f.patiently(f.saves(), func() error { return f.learn(beside) })
}

func init() { handover.ShardSums = shardSums }

// shardSums is handover.ShardSums.
func shardSums(rows shards.Rows, p *solvers.Problem, s *run.Session, o shards.Options, beside *handover.Beside) (*handover.Sums, error) {
	if beside == nil {
		beside = &handover.Beside{}
	}
	f, err := newShardedBeside(rows, p, s, o, beside)
	if err != nil {
		return nil, err
	}
	return &handover.Sums{
		Group: f.group, Bounds: f.bounds, Zero: f.zero, Best: f.best, Patiently: f.patiently,
		Evaluate: f.evaluate, Certify: f.certify, Settle: f.settle, Identity: f.identity,
		Newton: func(settings solvers.Settings, w []float64) run.Loop {
			l := newNewtonLoop(Newton{}.withDefaults(), p, f, f, f.pool, nil, settings)
			copy(l.w, w)
			l.handed = true
			return l
		},
	}, nil
}

// saves tells whether the run writes a checkpoint, which it does even if it ends before its
// first point.
func (f *sharded) saves() bool { return f.settings.Checkpoint != "" }

// patience is how long a sweep over rows in memory goes on although the run is to end.
const patience = 2 * time.Second

// patiently makes a sweep. A needed sweep finishes even when the run is to end: a run that is
// cancelled before its first point then has that point. So does a sweep over rows in memory that
// takes no longer than patience.
func (f *sharded) patiently(needed bool, sweep func() error) error {
	f.patient, f.begun = needed || !f.from.Slow(), time.Time{}
	if !needed {
		f.begun = time.Now()
	}
	defer func() { f.patient = false }()
	return sweep()
}

// learn sums what the bounds, the preconditioner and P(0) need, and what is summed beside.
func (f *sharded) learn(beside *handover.Beside) error {
	largest, offsets := make([]float64, f.group.Workers()), make([]float64, f.group.Workers())
	heights := make([]certificate.Heights, f.group.Workers())
	steep, _ := f.p.Loss.(loss.Steep)
	const squares, weighted, zero, products, mass, above, below, labels, levels = 0, 1, 2, 3, 4, 5, 6, 7, 10
	sums := make([]float64, handover.Learned+beside.Size)
	err := f.sum(sums, func(worker int, b *shards.Block, node []float64) error {
		buffers := &f.work[worker]
		if b.Offset != nil {
			offsets[worker] = 1
		}
		for from, to := range b.Pieces {
			norms, y, s := buffers.z[:to-from], b.Y[from:to], b.Weights(from, to)
			if bad, err := f.p.Loss.Check(y); err != nil {
				return fmt.Errorf("erm: row %d has %w", b.Row+from+bad, err)
			}
			direct.Must(b.X.SquaredNormsRun(norms, b.First+from))
			for k, v := range norms {
				size := 1.0
				if s != nil {
					size = math.Abs(s[k])
				}
				if o := direct.Offset(b.Offset, from+k); o != 0 {
					v += float64(o * o)
				}
				if size > 0 {
					node[squares] += v
				}
				node[mass] += size
				if y[k] > 0 {
					node[above] += size
				} else {
					node[below] += size
				}
				largest[worker] = max(largest[worker], size)
				node[weighted] = math.FMA(size, v, node[weighted])
				norms[k] = v
			}
			if steep != nil {
				added := buffers.rest[:to-from]
				heights[worker].Add(steep, added, norms, s, y)
				for _, level := range added {
					node[levels] += level
				}
			}
			node[products] += float64(b.X.GramCostRun(b.First+from, to-from))
			clear(norms)
			copy(norms, direct.Weights(b.Offset, from, to))
			(*risk.Labels)(node[labels:]).Add(f.p.Loss, y, s, direct.Weights(b.Offset, from, to))
			node[zero] += f.p.Loss.Sum(norms, y, s)
		}
		if beside.Add == nil {
			return nil
		}
		return beside.Add(worker, b, node[handover.Learned:])
	})
	if err != nil {
		return err
	}
	most := []float64{slices.Max(largest), slices.Max(offsets), 0, 0}
	for _, h := range heights {
		most[2], most[3] = max(most[2], h.Square), max(most[3], h.Far)
	}
	if err := f.group.Ranks().Max(most); err != nil {
		return err
	}
	beside.Sums = sums[handover.Learned:]
	f.zero = sums[zero] / float64(f.n)
	f.products = int64(min(sums[products], 1<<62))
	own := (*risk.Labels)(sums[labels:])
	f.best = own.Constant(f.p.Loss, f.n)
	f.bounds = certificate.Known(certificate.Problem{Problem: *f.p}, certificate.Totals{
		Rows: f.n, Columns: f.d, NonZeros: f.from.NNZ(), Squares: sums[squares], Weighted: sums[weighted],
		Mass: sums[mass], Largest: most[0], Longest: f.longest, Offsets: most[1] > 0,
		Heights: certificate.Heights{Square: most[2], Far: most[3], Levels: sums[levels]},
	})
	return risk.CheckClasses(f.p, []float64{1, -1}, sums[above:labels])
}

// sum is shards.Group.Sum over the rows of f.
func (f *sharded) sum(dst []float64, add func(worker int, b *shards.Block, node []float64) error) error {
	f.group.Only(f.needs)
	return f.group.Sum(dst, add)
}

// gradient writes the gradient of P at w to g and evaluates w. It costs one pass. keep says that
// the curvatures at w are likely to be asked for.
func (f *sharded) gradient(g, w []float64, keep bool) (run.Evaluation, error) {
	d, n := f.d, float64(f.count())
	if keep {
		*f.kept = keptCurvatures{}
	}
	err := f.sum(f.sums, func(worker int, b *shards.Block, node []float64) error {
		buffers := &f.work[worker]
		for from, to := range f.pieces(b) {
			z, y, s := buffers.z[:to-from], b.Y[from:to], b.Weights(from, to)
			margins(z, b, from, w)
			if keep && b.Kept != nil {
				f.curvature(buffers, b.Kept[from:to], z, y, s)
			}
			node[d] += f.p.Loss.Gradient(z, z, y, s)
			node[d+1] += kernels.SquaredNorm(z)
			if f.p.Intercept {
				(*certificate.Curvature)(node[d+2:]).Add(f.p.Loss, y, z, s)
			}
			direct.Must(b.X.AddRun(node[:d], b.First+from, z))
		}
		return nil
	})
	if err != nil {
		return run.Evaluation{}, err
	}
	if keep {
		*f.kept = keptCurvatures{w, f.part, f.wide}
	}
	held := len(risk.Held(f.p, w))
	direct.ScaleAdd(g[:held], 1/n, f.sums[:held], f.p.Ridge(), w[:held])
	direct.Scale(g[held:], 1/n, f.sums[held:d])
	f.slopes = math.Sqrt(f.sums[d+1])
	size := kernels.SquaredNorm(w)
	square := size
	if f.p.Intercept {
		f.beside.Slope, f.beside.Curvature = g[held], certificate.Curvature(f.sums[d+2:])
		square = kernels.SquaredNorm(w[:held])
	}
	f.mean = f.sums[d] / n
	e, _ := f.bounds.Evaluation(f.mean, square, direct.Norm(g), f.slopes, math.Sqrt(size), f.beside)
	return e, nil
}

func (f *sharded) size() (rows, columns int) { return f.count(), f.d }

func (f *sharded) used() int {
	rows := f.rowsUsed
	f.rowsUsed = 0
	return rows
}

// swept counts a sweep that succeeded.
func (f *sharded) swept(err error) error {
	if err == nil {
		f.rowsUsed += f.count()
	}
	return err
}

func (f *sharded) constant(w []float64) {
	if clear(w); f.p.Intercept {
		w[len(w)-1] = f.best
	}
}

func (f *sharded) ceiling() float64 { return f.zero }

func (f *sharded) visit(g, w []float64) (run.Evaluation, error) {
	e, err := f.gradient(g, w, true)
	return e, f.swept(err)
}

// margins computes the margins of rows of a block from row from on.
func margins(z []float64, b *shards.Block, from int, w []float64) {
	direct.Must(b.X.MulRun(z, b.First+from, w))
	addOffsets(z, b, from)
}

func addOffsets(z []float64, b *shards.Block, from int) {
	if b.Offset != nil {
		direct.Axpy(1, b.Offset[from:from+len(z)], z)
	}
}

// sharpen bounds the rounding in the last gradient, at w, column by column. It puts the gap that
// follows into the evaluation if it is smaller. The first call of a run takes a sweep that no
// budget counts; a resumed run takes it again. With a Steep loss every call takes it.
func (f *sharded) sharpen(e run.Evaluation, w []float64) (run.Evaluation, error) {
	_, steep := f.p.Loss.(loss.Steep)
	if f.entries == nil || steep {
		sums := make([]float64, 2*f.d+1)
		err := f.sum(sums, func(worker int, b *shards.Block, node []float64) error {
			c := f.work[worker].c[:]
			for from, to := range b.Pieces {
				s := b.Weights(from, to)
				for k := range c[:to-from] {
					if c[k] = 1; s != nil && s[k] == 0 {
						c[k] = 0
					}
				}
				direct.Must(b.X.AddSquaresRun(node[:f.d], b.First+from, c[:to-from]))
				for k, v := range s {
					c[k] = math.Abs(v)
				}
				if steep {
					z := f.work[worker].z[:to-from]
					margins(z, b, from, w)
					f.p.Loss.Curvature(c[:to-from], f.work[worker].rest[:to-from], z, b.Y[from:to], s)
				}
				direct.Must(b.X.AddSquaresRun(node[f.d:2*f.d], b.First+from, c[:to-from]))
				for k, v := range c[:to-from] {
					o := direct.Offset(b.Offset, from+k)
					node[2*f.d] += float64(v * float64(o*o))
				}
			}
			return nil
		})
		if err != nil {
			return e, err
		}
		f.entries = sums
	}
	rounding := f.bounds.RoundingByColumns(w, f.entries[:f.d], f.entries[f.d:], f.slopes, e.GradientNorm)
	gap := f.bounds.GapAt(e.GradientNorm, rounding, f.slopes, math.Sqrt(kernels.SquaredNorm(w)), f.beside)
	if gap < e.Gap {
		e.GradientError, e.Gap = rounding, gap
	}
	return e, nil
}

// certify is run.Run.Certify, for runs that end as stalled.
func (f *sharded) certify(w []float64, e run.Evaluation, _ float64, spent bool) run.Evaluation {
	if !spent || !(e.Gap > 2*f.bounds.Gap(e.GradientNorm, 0)) {
		return e
	}
	better := e
	err := f.patiently(false, func() (err error) {
		if better, err = f.gradient(f.sums[:f.d], w, false); err == nil {
			better, err = f.sharpen(better, w)
		}
		return err
	})
	if err != nil || !(better.Gap < e.Gap) {
		return e
	}
	return better
}

// settle is run.Run.Settle.
func (f *sharded) settle(w []float64, e run.Evaluation) run.Evaluation {
	p := certificate.Problem{Problem: *f.p}
	var sums certificate.Sums
	err := f.patiently(false, func() error {
		return f.sum(sums[:], func(_ int, b *shards.Block, node []float64) error {
			p.Losses((*certificate.Sums)(node), b.X, b.First, b.Y, b.Weight, b.Offset, w)
			return nil
		})
	})
	if err == nil {
		const levels = 64 // of the tree, and the blocks of a shard
		sums.Settle(&e, f.n, levels, risk.Held(f.p, w), f.p.Penalty, false)
	}
	return e
}

// evaluate is run.Run.Evaluate.
func (f *sharded) evaluate(w []float64) (e run.Evaluation) {
	err := f.patiently(false, func() (err error) {
		e, err = f.gradient(f.sums[:f.d], w, false)
		return err
	})
	e.Err = err
	return e
}

// identity tells the rows, labels and weights from others, by their products with a
// random number for each row.
func (f *sharded) identity() (checkpoint.Identity, error) {
	d := f.d
	err := f.patiently(f.saves(), func() error {
		return f.sum(f.sums, func(worker int, b *shards.Block, node []float64) error {
			buffers := &f.work[worker]
			for from, to := range b.Pieces {
				c, s := buffers.c[:to-from], b.Weights(from, to)
				for k := range c {
					c[k] = random.Spread(b.Row + from + k)
					node[d] = math.FMA(float64(3*c[k]), direct.Offset(b.Offset, from+k), node[d])
					node[d] = math.FMA(c[k], b.Y[from+k], node[d])
					if s != nil {
						node[d+1] = math.FMA(c[k], s[k], node[d+1])
					}
				}
				direct.Must(b.X.AddRun(node[:d], b.First+from, c))
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	id := checkpoint.Identity{}
	if f.p.Intercept {
		id = id.With("the intercept", true)
	}
	return id.With("loss", f.p.Loss).With("the loss's parameter", f.p.Loss.Parameter()).With("penalty", f.p.Penalty).
		With("rows", f.n).With("columns", d).With("non-zeros", f.from.NNZ()).
		With("the rows' checksum", checkpoint.Checksum(f.sums[:d+2])), nil
}

func (f *sharded) rows() *inMemory { return nil }

func (f *sharded) state(*checkpoint.Coder, []float64, []float64, int) {}
