package softmax

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/truncated"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
)

// ProximalNewton minimises P beside norms, by Newton steps on a working set of columns. Coordinate descent
// minimises the quadratic model of the losses and the penalty: a step moves all classes of a column, by
// a diagonal above the model. Conjugate gradients on the weights that are not 0 help it where columns
// depend on one another. Where these come to no end, the matrix of the model is formed for the weights
// that may move. A line search finds the step size. Source: as for elasticnet.ProximalNewton;
// Friedman, Hastie and Tibshirani 2010 for several classes.
//
// The gradient of all columns costs a pass, and gives the gap. A step costs its epochs and products on
// the entries of the working set. A ProximalNewton is a value that goroutines may share.
type ProximalNewton struct {
	// MaxSweeps bounds the epochs of coordinate descent in a step; 0 means 20.
	MaxSweeps int
}

// Name returns softmax-proximal-newton.
func (ProximalNewton) Name() string { return "softmax-proximal-newton" }

// SolveSparse minimises p, whose Penalty is set. The result is as Solve's. The gap comes from a dual point
// made of the slopes of the losses. It includes rounding, and supposes of the best intercepts only that they
// are not thousands of times as large as the margins.
//
// Memory beside the data: 56 bytes a row and class, 8 more with intercepts, 64 a column and class, and two
// copies of the entries of the working set. Where a matrix pays, it has at most 2048 columns, and a factor
// as large: 64 MB.
func SolveSparse(ctx context.Context, p *Problem, m ProximalNewton, settings solvers.Settings) (*solvers.Result, error) {
	if err := (*risk.Classes)(p).Check(); err != nil {
		return nil, err
	}
	switch {
	case p.Penalty == nil:
		return nil, errNoPenalty
	case m.MaxSweeps < 0:
		return nil, fmt.Errorf("softmax: %s: max-sweeps is %d; it must be positive", m.Name(), m.MaxSweeps)
	case m.MaxSweeps == 0:
		m.MaxSweeps = 20
	}
	return run.Solve(ctx, settings, run.Plan{
		Family: "softmax", Solver: m.Name(), Columns: p.X.Cols() * p.Count, Accepts: solvers.Gap, Objective: solvers.SparseLoss,
		Begin: func(s *run.Session) (run.Run, error) {
			o := newNormed(p, s.Pool)
			l := newSparseLoop(m, o, s.Settings.Initial)
			var other *normed
			return run.Run{
				Samples: p.X.Rows(), Loop: l, Smooth: true, Reports: true,
				Evaluate: func(w []float64) run.Evaluation {
					if other == nil {
						other = newNormed(p, s.Pool)
					}
					return other.evaluate(w)
				},
				AtZero: o.atZero,
				Settle: func(w []float64, e run.Evaluation) run.Evaluation {
					columns := make([]float64, len(w))
					o.byColumn(columns, w)
					(*certificate.Classes)(p).Objective(&e, columns)
					return e
				},
				Parameters: m,
				NonZeros: func(w []float64) int {
					count := 0
					for at := 0; at < len(w); at += o.d {
						count += nonZeros(w[at : at+o.held/o.k])
					}
					return count
				},
				Data: func(pool *matrix.Pool) (checkpoint.Identity, error) { return identity(p, pool) },
			}, nil
		},
	})
}

var errNoPenalty = errors.New("softmax: the problem has no Penalty: Solve minimises beside squares alone")

func nonZeros(w []float64) (count int) {
	for _, v := range w {
		if v != 0 {
			count++
		}
	}
	return count
}

// evaluate is run.Run.Evaluate: w is stored class after class.
func (o *normed) evaluate(w []float64) run.Evaluation {
	columns := make([]float64, len(w))
	o.byColumn(columns, w)
	direct.Must(matrix.MulDense(o.x.Matrix, o.x.Pool, o.z, columns, o.k))
	o.place(o.z)
	o.pull(o.g, columns)
	return o.judged(columns)
}

const (
	// stepShare is the share of the largest violation of all columns that ends the steps on a working
	// set, and of a set's that ends the epochs of a step.
	stepShare = 0.1
	// leastJoining is the least number of columns that may join a working set; one may join for
	// rowsPerJoining rows.
	leastJoining, rowsPerJoining = 64, 32
)

// sparseLoop checks all columns, or takes a step on the working set.
type sparseLoop struct {
	*normed
	ProximalNewton

	w, out   []float64 // d by k; class after class
	list     []uint32  // the working set; its last column has the intercepts
	part     *part     // the problem on list; nil until it is made
	target   float64   // largest violation at which steps on the set end
	least    float64   // smallest value so far of the largest violation of all columns
	limit    int       // of the epochs of the next step
	stepping bool
	caution  float64 // of the next model, from 0 to 1
	worth    int     // the products by rows that the matrix of a model may cost
	fruitful bool    // a step lowered the objective since the last check
	stuck    int     // checks in a row without one
}

func newSparseLoop(m ProximalNewton, o *normed, initial []float64) *sparseLoop {
	l := &sparseLoop{normed: o, ProximalNewton: m, w: make([]float64, o.d*o.k), out: make([]float64, o.d*o.k), least: math.Inf(1), fruitful: true, limit: 2}
	if initial != nil {
		o.byColumn(l.w, initial)
		for j := range o.held / o.k {
			o.even(o.row(l.w, j))
		}
	} else {
		for c, mass := range o.masses {
			l.w[o.held+c] = kernels.LogOf(mass)
		}
	}
	centre(l.w[o.held:])
	return l
}

// Next checks all columns, or takes a step on the working set.
func (l *sparseLoop) Next(c *run.Control) {
	if l.stepping {
		l.step(c)
		return
	}
	l.check(c)
}

// check evaluates the weights on all columns, and chooses the working set.
func (l *sparseLoop) check(c *run.Control) {
	l.margins()
	l.place(l.z)
	l.pull(l.g, l.w)
	c.Gradients(l.n)
	c.Iterations(1, 0, 0)
	e := l.judged(l.w)
	l.byClass(l.out, l.w)
	if c.Reached(l.out, e); c.Ended() {
		return
	}
	most := l.violations()
	if l.stuck++; l.fruitful || most < float64(0.5*l.least) {
		l.stuck = 0
	}
	l.least = min(l.least, most)
	if l.stuck >= 2 || most == 0 && l.stuck > 0 {
		c.End(solvers.Stalled)
		return
	}
	list := l.choose()
	l.target = float64(stepShare * most)
	if !slices.Equal(list, l.list) {
		l.list, l.part = list, nil
	}
	l.stepping, l.fruitful = true, false
}

// violations computes the violations of all columns beside the present norms, and returns the largest.
func (l *sparseLoop) violations() float64 {
	l.rules.Violations(l.v[:l.held], l.g[:l.held], l.w[:l.held])
	copy(l.v[l.held:], l.g[l.held:])
	return kernels.MaxAbs(l.v)
}

// margins computes the margins of the weights, which are 0 outside of the working set.
func (l *sparseLoop) margins() {
	if l.part == nil {
		direct.Must(matrix.MulDense(l.x.Matrix, l.x.Pool, l.z, l.w, l.k))
		return
	}
	direct.Must(matrix.MulDense(l.part.rows.Matrix, l.x.Pool, l.z, l.part.gather(l.part.from, l.w), l.k))
}

// choose lists all columns with a weight, and those with the largest violations: the columns of all, if
// that were half of them.
func (l *sparseLoop) choose() []uint32 {
	columns, k := l.held/l.k, l.k
	sizes, used, beyond := make([]float64, columns), 0, 0
	for j := range columns {
		if kernels.MaxAbs(l.row(l.w, j)) > 0 {
			used++
			continue
		}
		if sizes[j] = kernels.MaxAbs(l.v[j*k : (j+1)*k]); sizes[j] > 0 {
			beyond++
		}
	}
	most := min(beyond, max(leastJoining, l.n/rowsPerJoining, 2*used))
	least, ties := 0.0, 0
	switch {
	case 2*(used+most) >= columns:
		least = -1
	case most < beyond:
		value, above, _, err := kernels.RankThreshold(sizes, most, make([]float64, columns))
		direct.Must(err)
		least, ties = value, most-above
	}
	var list []uint32
	for j, size := range sizes {
		joins := size > least
		if size == least && ties > 0 {
			joins, ties = true, ties-1
		}
		if joins || kernels.MaxAbs(l.row(l.w, j)) > 0 {
			list = append(list, uint32(j))
		}
	}
	if l.masses != nil {
		list = append(list, uint32(columns))
	}
	return list
}

// step takes a step on the working set, unless its violations are small enough.
func (l *sparseLoop) step(c *run.Control) {
	if l.part == nil {
		l.part = l.newPart(l.list)
	}
	s := l.part
	s.gather(s.from, l.w)
	copy(s.to, s.from)
	s.pull(s.slope, s.work, 1/float64(s.n), s.from)
	most := s.worst()
	if l.stepping = most > l.target || !l.fruitful; !l.stepping {
		return
	}
	promised := append([]float64(nil), s.slope...)
	s.caution, s.worth = l.caution, l.worth
	sweeps := s.descend(c, float64(stepShare*most), min(l.limit, l.MaxSweeps))
	if sweeps == 0 {
		l.place(l.z)
		return // the step will be taken when the run goes on
	}
	l.worth = s.worth
	rows := int(float64(l.n) * (float64(s.entries) / float64(max(l.x.NNZ(), 1))))
	c.Iterations(1, rows, rows*min(sweeps, 2))
	if !l.search(promised) {
		l.stepping = false
		return
	}
	l.fruitful = true
}

// search goes from the weights towards the model's, until the objective falls by a share of what the
// slopes promise. It tells whether it fell by more than rounding hides.
func (l *sparseLoop) search(slope []float64) bool {
	s, k := l.part, l.k
	by, promise := s.room, 0.0
	direct.ScaleAdd(by, 1, s.to, -1, s.from)
	for a, j := range l.list {
		from, to := s.from[a*k:(a+1)*k], s.to[a*k:(a+1)*k]
		promise += direct.Dot(slope[a*k:(a+1)*k], by[a*k:(a+1)*k]) + l.rise(int(j), from, to)
	}
	mean := l.mean()
	hides := float64(8 * direct.Unit * (mean + l.rules.Value(l.w[:l.held])))
	if promise < 0 {
		direct.Must(matrix.MulDense(s.rows.Matrix, l.x.Pool, s.margins, by, k))
		at := l.at
		for t := 1.0; t > 0x1p-40; t *= 0.5 {
			direct.ScaleAdd(s.bent, t, s.margins, 1, at)
			l.place(s.bent)
			rise, square := 0.0, 0.0
			for a, j := range l.list {
				from, to, target := s.from[a*k:(a+1)*k], s.point[a*k:(a+1)*k], s.to[a*k:(a+1)*k]
				if copy(to, target); t != 1 {
					direct.ScaleAdd(to, t, by[a*k:(a+1)*k], 1, from)
				}
				rise += l.rise(int(j), from, to)
				for c, v := range to {
					if int(j) < l.held/k {
						square += float64((v - from[c]) * (v + from[c]))
					}
				}
			}
			change := l.mean() - mean + float64(0.5*l.p.Lambda*square) + rise
			if change <= float64(truncated.Decrease*t*promise)+hides {
				for a, j := range l.list {
					copy(l.row(l.w, int(j)), s.point[a*k:(a+1)*k])
				}
				if l.masses != nil {
					centre(l.w[l.held:])
				}
				l.z, s.bent = s.bent, l.z
				l.stepped(t)
				return -change > hides
			}
		}
	}
	l.caution = 1
	l.place(l.z)
	return false
}

// stepped adapts the caution of the next model to the length of a step.
func (l *sparseLoop) stepped(t float64) {
	const short, moreTrust, least = 0.125, 0.3, 1e-3
	if l.limit *= 2; t < 1 {
		l.limit = max(1, l.limit/4)
	}
	l.limit = min(l.limit, l.MaxSweeps)
	switch {
	case t < short:
		l.caution = 1
	case l.caution > least:
		l.caution *= moreTrust
	default:
		l.caution = 0
	}
}

// Current writes the iterate, class after class.
func (l *sparseLoop) Current(w []float64) { l.byClass(w, l.w) }

// State visits the loop's state.
func (l *sparseLoop) State(c *checkpoint.Coder) {
	c.Floats(l.w)
	c.Floats(l.z)
	c.Float64(&l.target)
	c.Float64(&l.least)
	c.Float64(&l.caution)
	c.Count(&l.worth, checkpoint.MostCount)
	c.Count(&l.limit, checkpoint.MostCount)
	c.Bool(&l.stepping)
	c.Bool(&l.fruitful)
	c.Count(&l.stuck, checkpoint.MostCount)
	count := len(l.list)
	if c.Count(&count, l.d); c.Err() != nil {
		return
	}
	if c.Restoring() {
		l.list, l.part = make([]uint32, count), nil
	}
	c.Uint32s(l.list)
	for a, j := range l.list {
		if int(j) >= l.d || a > 0 && j <= l.list[a-1] {
			c.Fail(fmt.Errorf("column %d at place %d of a working set of %d columns", j, a, l.d))
			return
		}
	}
	if c.Restoring() && c.Err() == nil && l.stepping {
		l.place(l.z)
	}
}
