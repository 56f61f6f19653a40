package softmax

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/penalty"
)

// normed is the objective beside a penalty with norms.
type normed struct {
	*objective
	rules   penalty.Rules
	single  penalty.Columns // nil for norms of columns
	grouped penalty.Grouped // nil for norms of single weights
	l1      float64         // of single weights

	v       []float64 // d by k: violations
	most    []float64 // d by k
	lengths []float64 // of the columns, in rows that count, from above
	masses  []float64 // of the classes; nil without intercepts
	parts   []float64 // of blocks of rows
	sums    []float64 // of all rows
	shares  []float64 // of each class: what a row's probability of it gives away, or its part of what others give
	point   []float64 // n by k: slopes with sums of 0 over the rows; nil without intercepts
	share   float64   // of the slopes, in conjugates
	sorted  []float64 // of a column
}

func newNormed(p *Problem, pool *matrix.Pool) *normed {
	q := *p
	q.Lambda, q.Intercept = penalty.Lambda(p.Penalty), false // the objective's own gap beside intercepts is for squares
	o := &normed{objective: newObjective(&q, pool)}
	o.held = o.d * o.k
	rules, err := penalty.RulesOf(p.Penalty)
	direct.Must(err)
	o.rules = rules
	if o.grouped, _ = rules.(penalty.Grouped); o.grouped == nil {
		o.single = rules.(penalty.Columns)
		o.l1 = penalty.WeightOf(rules)
	}
	o.v, o.most, o.sorted = make([]float64, o.d*o.k), make([]float64, o.d*o.k), make([]float64, o.k)
	o.parts, o.sums = make([]float64, len(o.objective.sums)*sumsOf*o.k), make([]float64, sumsOf*o.k)
	if p.Intercept {
		o.held -= o.k
		o.point, o.shares, o.masses = make([]float64, o.n*o.k), make([]float64, o.k), (*risk.Classes)(p).Masses()
	}
	o.lengths = make([]float64, o.d)
	risk.SquaredColumns(o.lengths, o.x, p.SampleWeight, make([]float64, o.n))
	risk.ColumnLengths(o.lengths, o.lengths, o.n)
	return o
}

// owned makes the slope of each row's own class minus the sum of the others, so that the slopes as they
// are sum to 0 over the classes.
type owned normed

func (t *owned) Block(b int) {
	o := (*normed)(t)
	first, end := o.rows(b)
	for i := first; i < end; i++ {
		own(o.row(o.work, i), o.p.Class[i])
	}
}

func own(slopes []float64, c uint32) {
	slopes[c] = 0
	slopes[c] = -kernels.Sum(slopes)
}

// place computes the losses and the slopes of the rows at margins z.
func (o *normed) place(z []float64) {
	o.slopes(z)
	matrix.Run(o.x.Pool, len(o.objective.sums), (*owned)(o))
}

// pull computes g, the gradient of all but the norms, from the slopes of the rows.
func (o *normed) pull(g, w []float64) {
	clear(g)
	direct.Must(matrix.AddTransDense(o.x.Matrix, o.x.Pool, g, o.work, o.k))
	o.regularise(g, w)
}

// judged evaluates w, whose slopes are in work and whose gradient is in g.
func (o *normed) judged(w []float64) run.Evaluation {
	added := o.rules.Value(w[:o.held])
	e := run.Evaluation{Objective: o.mean() + added}
	o.rules.Violations(o.v[:o.held], o.g[:o.held], w[:o.held])
	copy(o.v[o.held:], o.g[o.held:])
	e.GradientNorm = direct.Norm(o.v)
	size := direct.Norm(w)
	e.GradientError, e.ObjectiveError = o.rounding(size, run.Evaluation{Objective: e.Objective, GradientNorm: direct.Norm(o.g)})
	e.ObjectiveError += float64(float64(float64(len(w)+16)*2*direct.Unit) * added)
	e.Gap = math.NaN()
	if lower := o.dual(w); !math.IsNaN(lower) {
		e.Gap = max(e.Objective+e.ObjectiveError-lower, 0)
	}
	return e
}

// violation sets v to the violations of the weights w that column j has for the classes, with slopes g, and
// returns the largest.
func (o *normed) violation(j int, v, g, w []float64) float64 {
	switch {
	case o.free(j):
		copy(v, g)
	case o.grouped != nil:
		o.grouped.ViolationGroup(j, v, g, w)
	default:
		for c, slope := range g {
			v[c] = o.single.Violation(j*o.k+c, slope, w[c])
		}
	}
	return kernels.MaxAbs(v)
}

// free tells whether a column has the intercepts.
func (o *normed) free(j int) bool { return j*o.k >= o.held }

// rise returns by how much the norms of a column rise.
func (o *normed) rise(j int, from, to []float64) float64 {
	switch {
	case o.free(j):
		return 0
	case o.grouped != nil:
		return o.grouped.RiseGroup(j, from, to)
	}
	rise := 0.0
	for c, v := range to {
		rise += o.single.Rise(j*o.k+c, from[c], v)
	}
	return rise
}

// even moves all weights of a column by the same number to where the penalty is least: the losses do
// not see it (Friedman, Hastie and Tibshirani 2010, "Regularization paths for generalized linear models
// via coordinate descent", section 4.1).
func (o *normed) even(w []float64) {
	if o.grouped != nil {
		centre(w)
		return
	}
	by := o.middle(w)
	if by == 0 {
		return
	}
	for c := range w {
		w[c] -= by
	}
}

// middle returns the t that minimises sum_c l1 |w_c - t| + lambda (w_c - t)^2/2, the one nearest to 0
// where there are several: 0 or one of the weights without squares.
func (o *normed) middle(w []float64) float64 {
	signs, zeros, sum := 0, 0, 0.0
	for _, v := range w {
		switch {
		case v > 0:
			signs++
		case v < 0:
			signs--
		default:
			zeros++
		}
		sum += v
	}
	lambda, k := o.p.Lambda, float64(o.k)
	if math.Abs(float64(o.l1*float64(signs))+float64(lambda*sum)) <= float64(o.l1*float64(zeros)) {
		return 0
	}
	copy(o.sorted, w)
	slices.Sort(o.sorted)
	// The slope at t is lambda (k t - sum) + l1 (weights below t - weights above it).
	last := 0.0
	for c, v := range o.sorted {
		slope := float64(lambda*(float64(k*v)-sum)) + float64(o.l1*float64(2*c-o.k)) // just below v
		if slope >= 0 {
			if lambda > 0 {
				return v - slope/float64(lambda*k)
			}
			if slope == 0 && math.Abs(last) < math.Abs(v) {
				return last
			}
			return v
		}
		if slope+float64(2*o.l1) > 0 {
			return v
		}
		last = v
	}
	return last
}

// LargestNorm returns the least multiple of the norms of p.Penalty from which on all weights but the
// intercepts are 0. It costs a pass.
func LargestNorm(p *Problem) (float64, error) {
	if err := (*risk.Classes)(p).Check(); err != nil {
		return 0, err
	}
	if p.Penalty == nil {
		return 0, errNoPenalty
	}
	l := newSparseLoop(ProximalNewton{}, newNormed(p, nil), nil)
	l.margins()
	l.place(l.z)
	l.pull(l.g, l.w)
	return l.rules.(penalty.Weighted).Least(l.g[:l.held]), nil
}
