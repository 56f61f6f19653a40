package lanes

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
)

// A direction within bounds is sought in up to nearEpochs, to a share nearEnough of its squared margins.
const nearEnough, nearEpochs = 1e-18, 200

// mostSums is the number of columns that are shown to be sums of others.
const mostSums = 8

// unpenalised looks at the end of a run without a penalty. Rows that are separable have no minimum:
// the status becomes NoMinimum. A run of Newton's method to a relative tolerance goes on until
// Newton's step is within the tolerance too. The step's units do not depend on the columns. A run
// that still cannot be told to have a minimum is Stalled.
//
// Beyond cost.Columns columns it looks for separation alone.
func (p *Problem) unpenalised(ctx context.Context, m solvers.Ready, q *erm.Problem, s solvers.Settings, r *solvers.Result) (*solvers.Result, error) {
	if !ended(s, r) {
		return r, nil
	}
	if q.X.Cols() > cost.Columns {
		return p.receding(ctx, m, q, s, r)
	}
	pool := sparse.NewPool(s.Workers)
	defer pool.Close()
	u := certificate.NewUnpenalised(certificate.Problem{Problem: *q, Pool: pool})
	dependent, sums := u.Sums(mostSums)
	relative := p.o.Settings.GradientTolerance == 0 && r.Solver == (erm.Newton{}).Name()
	tolerance, solved := s.GradientTolerance, r.Status
	for {
		step := u.Step(r.Weights)
		has := u.HasMinimum(&step, dependent)
		if !has {
			down := make([]float64, len(step.V))
			for j, v := range step.V {
				down[j] = -v
			}
			if p.separate(q, r, u.Margins(), r.Weights, down) {
				return r, nil
			}
		}
		if !relative || r.Status == solvers.BudgetReached || r.Status == solvers.TimeReached {
			break
		}
		if has && step.Decrement <= p.tolerances.gap {
			if solved.Solved() && r.GradientNorm <= tolerance {
				r.Status = solved
			}
			break
		}
		if !r.Status.Solved() || s.GradientTolerance < float64(1e-9*tolerance) {
			r.Status = solvers.Stalled
			break
		}
		s.GradientTolerance *= 1e-3
		next, err := further(ctx, m, q, s, r)
		if next == nil || err != nil {
			return r, err
		}
		r = next
	}
	p.sayCollinear(sums, dependent)
	return r, nil
}

// ended tells whether a run came to its end, or to that of its budget before a tolerance was met.
func ended(s solvers.Settings, r *solvers.Result) bool {
	missed := (r.Status == solvers.BudgetReached || r.Status == solvers.TimeReached) && (s.GapTolerance > 0 || s.GradientTolerance > 0)
	return r.Status.Solved() || r.Status == solvers.Stalled || missed
}

// receding looks whether the rows are separable by weights that may grow for ever, within bounds: the
// status becomes NoMinimum. It says where weights that no bound holds are not unique.
func (p *Problem) receding(ctx context.Context, m solvers.Ready, q *erm.Problem, s solvers.Settings, r *solvers.Result) (*solvers.Result, error) {
	if !ended(s, r) {
		return r, nil
	}
	pool := sparse.NewPool(s.Workers)
	defer pool.Close()
	z := make([]float64, q.X.Rows())
	if err := q.X.MulVec(pool, z, r.Weights); err != nil {
		return r, err
	}
	for i, o := range q.Offset {
		z[i] += o
	}
	targets := [][]float64{r.Weights}
	f, err := p.unheld(q, pool, r.Weights, z)
	if err != nil {
		return r, err
	}
	if f != nil && !q.Loss.Attained() && r.Status != solvers.Converged {
		step := f.Step(make([]float64, len(f.list)))
		down := make([]float64, len(r.Weights))
		for k, j := range f.list {
			down[j] = -step.V[k]
		}
		if targets = append(targets, down); p.bounds != nil {
			within, err := p.within(ctx, m, q, s, down)
			if within == nil || err != nil {
				return r, err
			}
			targets = append(targets, within)
		}
	}
	if !q.Loss.Attained() && p.separate(q, r, z, targets...) || f == nil || r.Status != solvers.Converged {
		return r, nil
	}
	dependent, sums := f.Sums(mostSums)
	for k := range sums {
		factors := make([]float64, len(r.Weights))
		for i, j := range f.list {
			factors[j] = sums[k].Factors[i]
		}
		sums[k] = certificate.Sum{Column: f.list[sums[k].Column], Factors: factors}
	}
	p.sayCollinear(sums, dependent)
	return r, nil
}

// within returns the direction nearest to another one, by its margins, along which no weight comes to a bound.
func (p *Problem) within(ctx context.Context, m solvers.Ready, q *erm.Problem, s solvers.Settings, v []float64) ([]float64, error) {
	cone := &penalty.Bounded{}
	for _, b := range p.bounds {
		if !math.IsInf(b.Lower, 0) {
			b.Lower = 0
		}
		if !math.IsInf(b.Upper, 0) {
			b.Upper = 0
		}
		cone.Lower, cone.Upper = append(cone.Lower, b.Lower), append(cone.Upper, b.Upper)
	}
	own := *q
	own.Loss, own.Penalty, own.Offset, own.Y = loss.Squared{}, cone, nil, make([]float64, len(q.Y))
	if err := q.X.MulVec(nil, own.Y, v); err != nil {
		return nil, err
	}
	mean := 0.0
	for _, y := range own.Y {
		mean += float64(y*y) / float64(2*len(own.Y))
	}
	r, err := m.Solve(ctx, &solvers.Task{Problem: own}, solvers.Settings{GapTolerance: float64(nearEnough * mean), MaxEpochs: nearEpochs, MaxTime: s.MaxTime, Workers: s.Workers})
	if r == nil {
		return nil, err
	}
	return r.Weights, err
}

// unheld is a problem of the columns whose weights are not at a bound. Its margins are those of all
// columns where its weights are 0.
type unheld struct {
	*certificate.Unpenalised
	list []int
}

// unheld is nil beyond cost.Columns such columns, and without any. z are the margins of w.
func (p *Problem) unheld(q *erm.Problem, pool *sparse.Pool, w, z []float64) (*unheld, error) {
	columns := q.X.Cols()
	held := penalty.AtBounds(q.Penalty, w, columns, columns-q.Free())
	f := &unheld{}
	var list []uint32
	for j := range columns {
		if _, is := slices.BinarySearch(held, j); !is {
			f.list, list = append(f.list, j), append(list, uint32(j))
		}
	}
	if len(list) == 0 || len(list) > cost.Columns {
		return nil, nil
	}
	own := *q
	own.Penalty, own.Offset = nil, z
	if len(held) > 0 {
		var err error
		if own.X, err = matrix.PickBeside(q.X, pool, list); err != nil {
			return nil, err
		}
	}
	f.Unpenalised = certificate.NewUnpenalised(certificate.Problem{Problem: own, Pool: pool})
	return f, nil
}

// further goes on from the result of a run, as a part of it.
func further(ctx context.Context, m solvers.Ready, q *erm.Problem, s solvers.Settings, r *solvers.Result) (*solvers.Result, error) {
	s.Initial, s.Checkpoint, s.Resume = r.Weights, "", ""
	if s.MaxEpochs > 0 {
		s.MaxEpochs = max(s.MaxEpochs-r.Total.Epochs, 1)
	}
	if s.MaxTime > 0 {
		s.MaxTime = max(s.MaxTime-time.Duration(r.Total.Seconds*float64(time.Second)), 1)
	}
	if s.Recorder != nil {
		s.Recorder = &shifted{s.Recorder, r}
	}
	next, err := m.Solve(ctx, &solvers.Task{Problem: *q}, s)
	if next == nil {
		return nil, err
	}
	next.Point = later(next.Point, r)
	sum := related.Total([]*solvers.Result{r, next})
	next.Total = sum.Total
	return next, err
}

// shifted records the points of a run that goes on after another one.
type shifted struct {
	solvers.Recorder
	before *solvers.Result
}

// Record records a point as one of the whole run.
func (s *shifted) Record(p solvers.Point) error { return s.Recorder.Record(later(p, s.before)) }

// later is a point with what a run before it took.
func later(p solvers.Point, before *solvers.Result) solvers.Point {
	p.Epochs += before.Total.Epochs
	p.Seconds += before.Total.Seconds
	p.Iterations += before.Total.Iterations
	p.GradientEvaluations += before.Total.GradientEvaluations
	return p
}
