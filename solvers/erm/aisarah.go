package erm

import (
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/passes"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
)

// AISARAH is algorithm 2: SARAH whose every step size is one Newton step on the
// sub-problem (6), capped by a smoothed harmonic mean of the steps so far. It has
// nothing to tune. An iteration costs two dots and two scatters over its rows.
type AISARAH struct {
	// Gamma ends an inner loop once ||v_t||^2 < Gamma ||v_0||^2; in (0, 1), 0
	// means 1/32.
	Gamma float64
	// Beta smooths the cap; in (0, 1), 0 means 0.999.
	Beta float64
	// Unguarded runs algorithm 2 as it is printed. Rows of very different lengths, as in raw
	// counts, can then make it diverge. Otherwise the solver undoes inner loops that stray. These
	// raised the objective, and either raised the gradient norm or ended above the objective at
	// the start of the run. It then halves the cap on the step. v_t may also lose the gradient
	// without becoming small. So an inner loop ends after 20 passes, and after 3 once a loop has
	// been undone.
	Unguarded bool
	// Paper selects the setting of the paper's experiments, for the problem that the
	// function PaperProblem poses: Unguarded, and a starting point that the seed draws, each
	// weight from [-1/sqrt(d), 1/sqrt(d)], where Settings.Initial gives none.
	Paper bool
}

// Name returns ai-sarah.
func (AISARAH) Name() string { return "ai-sarah" }

func (AISARAH) reports() bool { return true }

func (m AISARAH) withDefaults() AISARAH {
	if m.Gamma == 0 {
		m.Gamma = 1. / 32
	}
	if m.Beta == 0 {
		m.Beta = 0.999
	}
	return m
}

func (m AISARAH) begin(t *task) (run.Loop, any, error) {
	m = m.withDefaults()
	m.Unguarded = m.Unguarded || m.Paper
	t.startAsPaper(m.Paper)
	batches := passes.NewBatches(t.p.X.Rows(), t.settings.BatchSize, passes.FoldTail, t.random)
	l := &aisarahLoop{
		AISARAH: m, recursive: newRecursive(t), full: t.full, batches: batches, batch: newBatch(t.p, batches.Largest()),
		guard: newGuard(!m.Unguarded, t.p.X.Cols(), batches.PerPass()), w: make([]float64, t.p.X.Cols()),
	}
	return l, m, nil
}

// aisarahLoop is algorithm 2. What the guard does is in guard alone.
type aisarahLoop struct {
	AISARAH
	*recursive
	full    *objective
	batches *passes.Batches
	batch   *batch
	guard   guard
	w       []float64

	inner bool    // within an inner loop
	t     int     // iterations of it done
	first float64 // ||v_0||^2
	delta float64 // 1/alpha_max; 0 before the first step
}

// Next begins an outer loop (lines 5 to 7) or does an iteration of the inner one
// (lines 9 to 20).
func (l *aisarahLoop) Next(c *run.Control) {
	if !l.inner {
		v := l.full.spare()
		l.Current(l.w)               // line 5
		e := l.full.gradient(v, l.w) // line 6
		c.Gradients(l.p.X.Rows())
		c.Reached(l.w, e)
		if l.guard.strayed(e) {
			l.start(l.guard.back(), v, 0)
			return
		}
		l.guard.keep(l.w, e)
		l.first = float64(e.GradientNorm * e.GradientNorm)
		l.start(l.w, v, l.first)
		l.inner, l.t = true, 0 // line 7
		return
	}
	b := l.batch
	b.take(l.batches.Next()) // line 9
	l.margins(b)
	alpha := l.capped(l.subproblem(b).newton(), b) // lines 10 to 17
	l.step(b, alpha)                               // lines 18 and 19
	l.t++                                          // line 20
	c.Iterations(1, len(b.rows), 2*len(b.rows))
	square := l.squaredNorm()
	c.Stepped(alpha, 1/l.delta, square)
	if math.IsNaN(square) || math.IsInf(square, 0) {
		c.End(solvers.Diverged)
	}
	l.inner = !l.guard.ends(l.t, l.delta) && square >= l.Gamma*l.first // line 8
}

// capped is lines 11 to 17, delta carried from one outer loop to the next (line 22).
func (l *aisarahLoop) capped(alpha float64, b *batch) float64 {
	switch {
	case !(alpha > 0) || math.IsInf(alpha, 0):
		// The batch is flat along v, so the sub-problem does not tell the steps apart:
		// the cap alone decides, or the loss's largest curvature where no batch had one.
		if l.delta == 0 {
			return 1 / l.smoothness(b)
		}
		return 1 / l.delta
	case l.delta == 0:
		l.delta = 1 / alpha // line 12
	default:
		l.delta = math.FMA(l.Beta, l.delta, float64((1-l.Beta)/alpha)) // line 14
	}
	l.delta = max(l.delta, l.guard.floor)
	return min(alpha, 1/l.delta) // lines 16 and 17
}

// State visits the loop's state.
func (l *aisarahLoop) State(c *checkpoint.Coder) {
	l.recursive.state(c)
	l.guard.state(c)
	l.batches.State(c)
	c.Bool(&l.inner)
	c.Count(&l.t, checkpoint.MostCount)
	c.Float64(&l.first)
	c.Float64(&l.delta)
}

// subproblem holds the derivatives at 0 of xi(alpha) =
// ||grad f_S(w - alpha v) - grad f_S(w) + v||^2 (6). With h and t the loss's
// second and third derivatives and q = x'v, summed over the batch,
//
//	||H v||^2 = lambda^2 ||v||^2 + 2 lambda (1/b) sum h q^2 + ||(1/b) sum h q x||^2;
//	xi'(0)    = -2 [(1/b) sum h q^2 + lambda ||v||^2];
//	xi''(0)   = 2 ||H v||^2 + 2 (1/b) sum t q^3
type subproblem struct{ slope, curvature float64 }

// newton is the step (7); NaN where the sub-problem is flat.
func (s subproblem) newton() float64 { return -s.slope / math.Abs(s.curvature) }

func (r *recursive) subproblem(b *batch) subproblem {
	r.p.Loss.Curvature(b.h, b.t, b.z, b.y, b.s)
	share := 1 / float64(len(b.rows))
	quadratic, cubic := 0.0, 0.0
	for k, q := range b.q {
		hq := float64(b.h[k] * q)
		quadratic = math.FMA(hq, q, quadratic)
		cubic = math.FMA(float64(b.t[k]*q), float64(q*q), cubic)
		b.h[k] = float64(hq * share)
	}
	quadratic = float64(quadratic * share)
	cubic = float64(cubic * share)
	// The scratch is clear: step cleared it on the rows it was used for.
	sparse := r.lazy.AddS(b.rows, b.h, b.work)
	lambda, square := r.p.Ridge(), r.squaredNorm()
	lambdaSquare := float64(lambda * square)
	mixed := math.FMA(2*lambda, quadratic, float64(lambda*lambdaSquare))
	hv := mixed + sparse
	return subproblem{slope: -2 * (quadratic + lambdaSquare), curvature: 2 * (hv + cubic)}
}

// smoothness bounds the curvature of the batch's part of the objective; 1 for
// a batch of empty rows that is not regularised.
func (r *recursive) smoothness(b *batch) float64 {
	sum := 0.0
	for k, i := range b.rows {
		s := 1.0
		if b.s != nil {
			s = b.s[k]
		}
		for _, x := range r.p.X.Row(int(i)) {
			sum = math.FMA(float64(s*x), x, sum)
		}
	}
	if l := math.FMA(r.p.Loss.Peak(), sum/float64(len(b.rows)), r.p.Ridge()); l > 0 {
		return l
	}
	return 1
}
