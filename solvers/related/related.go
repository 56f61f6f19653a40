// Package related fits several problems of risk minimisation that share their rows. OneVsRest
// fits one problem a class, Path one problem for each weight of the regulariser, and
// CrossValidate such a path on parts of the rows. Any solver of the packages erm, sdca and auto
// serves. Choose finds the best way to train for a metric, by logistic fits and ranking solvers.
//
// Results are the same bits for any number of workers: fits that run at the same
// time do not depend on one another, and a fit that starts from another one waits
// for it.
package related

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lanes-go/lanes/internal/base/panics"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// Solve minimises one problem: auto.Solve, or erm.Solve and sdca.Solve with a method. It is called
// from several goroutines. Solvers that it calls take its ctx, one after the other: if fits are
// saved, the states of unfinished fits are saved too.
type Solve func(ctx context.Context, p *erm.Problem, settings solvers.Settings) (*solvers.Result, error)

// Run says how the fits are made. Calls may share it, as far as its functions may
// be: fits on several goroutines call them.
type Run struct {
	Solve Solve
	// Begin, if set, makes the Series by which Path and CrossValidate solve the points of the path,
	// or of each fold, in place of Solve. SparsePath has a Series for the penalties of package
	// elasticnet, Classes.RestSparse for the same with several classes.
	Begin func(p *erm.Problem) (Series, error)
	// Penalty returns the penalty at a point of Path and CrossValidate, for the weight of the point.
	// nil means penalty.Ridge, for problems without another penalty.
	Penalty func(weight float64) penalty.Penalty
	// Settings apply to every fit, but Workers and MaxTime are for all fits together; Checkpoint
	// keeps finished fits and the states of running fits, and Resume goes on from there, to the
	// same bits; Recorder is not used. Points of a Series that have not ended are begun anew.
	Settings solvers.Settings
	// Watch, where set, gives the recorder of a fit, which serves that fit alone: of the
	// class's number in OneVsRest, of the point's in Path, and of fold times points plus
	// point in CrossValidate. It is called from several goroutines.
	Watch func(fit int) solvers.Recorder
	// Least is the number of points that Path and CrossValidate fit in any case, 0 for all.
	// Each one after them is fitted only if the best so far, by Settings.Validation or by
	// the mean over the folds, is the last.
	Least int
	// Name tells Solve and its parameters apart in checkpoints.
	Name string
	// File, where set, has the rows in place of p, for Path, CrossValidate and OneVsRest: Solve reads them from
	// their file. All fits are then made in turn, each with all workers, so that one at a time takes memory.
	// There are no Classes and no Begin then. Other fits refuse it. Path takes Settings.Ranks: every process
	// calls it, with the same arguments, and has the same results.
	File *solvers.Rows
	// SolveRows makes what a fit is solved by, in place of Solve: in OneVsRest of the rows of File with the labels
	// of a class, in CrossValidate of the rows of all folds but one.
	SolveRows func(rows *solvers.Rows) Solve
	// Classes, if not 0, is the number of classes that Path and CrossValidate fit at every point. Y
	// then holds the class of each row, from 0 on. Solve, as Classes.Rest returns it, or a softmax,
	// fits all classes: results and starting points, also in Settings, have X.Cols() weights a
	// class, one class after the other. A Metric is given a score a class for each row, and the
	// classes as labels.
	Classes int
}

func (r *Run) check(p *erm.Problem) error {
	if r.Solve == nil && r.Begin == nil {
		return errors.New("related: no function to solve with")
	}
	_, err := run.Check(r.Settings, r.columns(p))
	return err
}

// columns is the number of weights of a fit.
func (r *Run) columns(p *erm.Problem) int {
	if r.File != nil {
		return r.File.Stream.Cols()
	}
	return max(r.Classes, 1) * p.X.Cols()
}

// numbered returns x with its columns numbered by frequency where that pays, once for all
// fits: solvers do not number such columns again. A penalty of any of the fits that may tell columns
// apart leaves x as it is, and so do shards, which have the bits of rows in a file.
func numbered(x *sparse.Matrix, s *solvers.Settings, penalties ...penalty.Penalty) (*sparse.Matrix, *run.Numbering) {
	if x == nil || s.Shards > 0 || !matrix.RenumberingPays(x) {
		return x, nil
	}
	for _, p := range penalties {
		if _, _, err := penalty.Norms(p); err != nil {
			return x, nil
		}
	}
	pool := matrix.NewPool(s.Workers)
	defer pool.Close()
	return run.Renumber(x, pool)
}

// fit solves one problem, whose columns may have another numbering than initial and the
// result.
func (r *Run) fit(ctx context.Context, solve Solve, k, workers int, p *erm.Problem, numbering *run.Numbering, initial []float64, limit *budget) (*solvers.Result, error) {
	own := r.Settings
	columns := r.columns(p) / max(r.Classes, 1)
	own.Workers, own.Initial, own.Recorder, own.Checkpoint, own.Resume = workers, inner(numbering, initial, columns), nil, "", ""
	if begins, err := r.begins(ctx, limit, &own); !begins || err != nil {
		return nil, err
	}
	if r.Watch != nil {
		own.Recorder = r.Watch(k)
	}
	result, err := solve(checkpoint.InSubrun(ctx, k), p, own)
	restore(numbering, result, columns)
	return result, err
}

// inner returns weights in the inner numbering, from columns weights a class.
func inner(numbering *run.Numbering, w []float64, columns int) []float64 {
	if numbering == nil || w == nil {
		return w
	}
	out := make([]float64, 0, len(w))
	for own := range slices.Chunk(w, columns) {
		out = append(out, numbering.Inner(own)...)
	}
	return out
}

// restore converts a result to the caller's numbering, with columns weights a class.
func restore(numbering *run.Numbering, r *solvers.Result, columns int) {
	if numbering == nil || r == nil {
		return
	}
	out := make([]float64, len(r.Weights))
	for first := 0; first < len(out); first += columns {
		numbering.Outer(out[first:first+columns], r.Weights[first:first+columns])
	}
	r.Weights = out
}

// unfinished tells whether a fit was not begun, or was broken off.
func unfinished(r *solvers.Result) bool {
	return r == nil || r.Status == solvers.Cancelled || r.Status == solvers.TimeReached || r.Status == solvers.Failed
}

// Total sums up fits: the objectives, their gaps, the squares of their gradient norms,
// and what was spent. Fits that were never begun, which are nil, are left out. The
// status is the gravest of all.
func Total(fits []*solvers.Result) solvers.Result {
	var sum solvers.Result
	square := 0.0
	for _, r := range fits {
		if r == nil {
			sum.Status = gravest(sum.Status, solvers.Cancelled)
			continue
		}
		sum.Objective += r.Objective
		sum.ObjectiveError += r.ObjectiveError
		sum.Gap += r.Gap
		square = math.FMA(r.GradientNorm, r.GradientNorm, square)
		sum.Total.Epochs += r.Total.Epochs
		sum.Total.GradientEvaluations += r.Total.GradientEvaluations
		sum.Total.Iterations += r.Total.Iterations
		sum.Total.Seconds += r.Total.Seconds
		sum.Status = gravest(sum.Status, r.Status)
		sum.Seed, sum.CPUPath, sum.Solver = r.Seed, r.CPUPath, r.Solver
	}
	sum.GradientNorm, sum.Metric = math.Sqrt(square), math.NaN()
	sum.Point.Epochs, sum.Point.GradientEvaluations = sum.Total.Epochs, sum.Total.GradientEvaluations
	sum.Point.Iterations, sum.Point.Seconds = sum.Total.Iterations, sum.Total.Seconds
	return sum
}

// gravity orders the ways in which a run can end. If one fit was interrupted, all fits together
// are unfinished, however the others ended.
var gravity = map[solvers.Status]int{
	solvers.Converged: 1, solvers.Stationary: 2, solvers.StoppedEarly: 3, solvers.BudgetReached: 4, solvers.Stalled: 5,
	solvers.NoMinimum: 6, solvers.Diverged: 7, solvers.TimeReached: 8, solvers.Cancelled: 9, solvers.Failed: 10,
}

func gravest(a, b solvers.Status) solvers.Status {
	if gravity[b] > gravity[a] {
		return b
	}
	return a
}

// budget is the time that all fits share.
type budget struct {
	begun time.Time
	most  time.Duration // 0 for none
}

// left sets the time that a fit may take, and tells whether there is any.
func (b *budget) left(s *solvers.Settings) bool {
	if b.most == 0 {
		return true
	}
	s.MaxTime = b.most - time.Since(b.begun)
	return s.MaxTime > 0
}

// each calls fit for 0 to count-1, in this order, on as many goroutines as there are
// workers; a fit may use the given number of workers itself. The last fits have all workers
// where they are too few for one each. An error keeps the fits after it from being begun.
// The error of the lowest number is returned. A panic is repeated here, where the others have
// ended, as it cancels their context.
func each(ctx context.Context, workers, count int, fit func(ctx context.Context, k, workers int) error) error {
	workers = workersOf(workers)
	lines := min(workers, count)
	cancel := func() {}
	if lines > 1 {
		ctx, cancel = context.WithCancel(ctx)
	}
	defer cancel()
	errs := make([]error, count)
	var next, failed atomic.Int64
	var group sync.WaitGroup
	var caught panics.Catcher
	for range lines {
		group.Go(func() {
			defer func() {
				if caught.Any() {
					cancel()
				}
			}()
			defer caught.Catch()
			for failed.Load() == 0 && !caught.Any() {
				k := int(next.Add(1)) - 1
				if k >= count {
					return
				}
				if errs[k] = fit(ctx, k, shareOf(k, workers, count)); errs[k] != nil {
					failed.Store(1)
				}
			}
		})
	}
	group.Wait()
	caught.Repeat()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// workersOf is the number of workers that a setting means.
func workersOf(setting int) int {
	pool := matrix.NewPool(setting) // knows what 0 and too many mean
	defer pool.Close()
	return pool.Workers()
}

// shareOf returns the number of workers of fit k, if count fits share the workers.
func shareOf(k, workers, count int) int {
	together := min(workers, count)
	place := k % together
	if last := count % together; k >= count-last {
		together, place = last, k-(count-last)
	}
	share := workers / together
	if place < workers%together {
		share++
	}
	return share
}
