package lanes

import (
	"context"
	"time"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
)

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
		return p.receding(q, s, r)
	}
	pool := sparse.NewPool(s.Workers)
	defer pool.Close()
	u := certificate.NewUnpenalised(certificate.Problem{Problem: *q, Pool: pool})
	dependent, sums := u.Sums(mostSums)
	relative := p.o.Settings.GradientTolerance == 0 && r.Solver == (erm.Newton{}).Name()
	tolerance, met := s.GradientTolerance, r.Status == solvers.Converged
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
			if met && r.GradientNorm <= tolerance {
				r.Status = solvers.Converged
			}
			break
		}
		if r.Status != solvers.Converged || s.GradientTolerance < float64(1e-9*tolerance) {
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
	return r.Status == solvers.Converged || r.Status == solvers.Stalled || missed
}

// receding looks whether the rows are separable by weights that may grow for ever, within bounds: the
// status becomes NoMinimum.
func (p *Problem) receding(q *erm.Problem, s solvers.Settings, r *solvers.Result) (*solvers.Result, error) {
	if q.Loss.Attained() || !ended(s, r) {
		return r, nil
	}
	pool := sparse.NewPool(s.Workers)
	defer pool.Close()
	z := make([]float64, q.X.Rows())
	if err := q.X.MulVec(pool, z, r.Weights); err != nil {
		return r, err
	}
	p.separate(q, r, z, r.Weights)
	return r, nil
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
