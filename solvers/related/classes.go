package related

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/sdca"
)

// Classes is a problem of several classes: for each one, rows of the class against
// all others, over one matrix. Runs may share it.
type Classes struct {
	// Problem is the problem of each class, without Y. Rest and RestSparse take the rows of a point
	// of a path. Its offsets, where not nil, replace the ones here, and its sample weights the ones
	// here if neither is nil: weights of the point alone count in its metric only.
	erm.Problem
	// Class holds the class of each row, from 0 to Count-1.
	Class []uint32
	Count int
	// Weight, where set, gives the weights of the rest and of a class by the signs of
	// the rows, as erm.BalancedWeights does.
	Weight func(signs []float64) (negative, positive float64, err error)
	// Together begins with sdca.Together on blocks of classes. Classes whose gap is then not within
	// the tolerance are solved one by one, from there. It is for problems that suit dual steps
	// (sdca.Prox, sdca.Hybrid). It is used only without weights and offsets, and only for the
	// logistic loss with a ridge. It is not used with Settings.Shards, nor if its memory would exceed 512 MB a worker.
	Together bool
	// Finish, where set, solves what Together leaves. It does not pay to go on by dual
	// steps where those were slow.
	Finish Solve
	// InFile, for rows in Run.File, has a class each, in place of Class and Weight: the same rows, with labels
	// and weights that tell the class from the rest. Run.SolveRows solves them.
	InFile []*solvers.Rows
}

const (
	// blockClasses is the most classes of a block: their weights of a column fill two
	// cache lines.
	blockClasses = 16
	// From classesToShare classes on, there is an even number of blocks, so that two workers share
	// evenly; larger blocks are slightly faster on one thread.
	classesToShare = 6
	mostBlock      = 512 << 20
)

// classBlocks returns the number of blocks that count classes are cut into. It does not depend on
// the workers: the classes of a block share their passes.
func classBlocks(count int) int {
	blocks := (count + blockClasses - 1) / blockClasses
	if count >= classesToShare {
		blocks += blocks % 2
	}
	return blocks
}

// checkFor is check, for rows in a file too.
func (p *Classes) checkFor(run *Run) error {
	if p == nil || run.File == nil {
		return p.check()
	}
	switch err := run.checkFile(&p.Problem); {
	case err != nil:
		return err
	case run.Settings.Ranks != nil:
		return errors.New("related: classes against the rest go with one process")
	case run.SolveRows == nil:
		return errors.New("related: rows in a file need SolveRows")
	case p.Class != nil || p.Weight != nil || p.Together:
		return errors.New("related: the classes of rows in a file are in InFile: leave Class, Weight and Together out")
	case p.Count < 2 || p.Count != len(p.InFile):
		return fmt.Errorf("related: %d classes, and rows in a file for %d; there must be two at least", p.Count, len(p.InFile))
	}
	for k, rows := range p.InFile {
		if rows == nil || rows.Stream == nil || rows.Labels == nil || rows.Stream.Rows() != run.File.Stream.Rows() || rows.Stream.Cols() != run.File.Stream.Cols() {
			return fmt.Errorf("related: the rows of class %d are not the rows of File with labels", k)
		}
	}
	return nil
}

func (p *Classes) check() error {
	switch {
	case p == nil || p.X == nil:
		return errors.New("related: the problem has no matrix")
	case len(p.Class) != p.X.Rows():
		return fmt.Errorf("related: classes of %d rows for a matrix of %d", len(p.Class), p.X.Rows())
	case p.Count < 2:
		return fmt.Errorf("related: %d classes; one against the rest needs two at least", p.Count)
	case p.Count > len(p.Class):
		return fmt.Errorf("related: %d classes of %d rows; every class needs a row", p.Count, len(p.Class))
	}
	rows := make([]int, p.Count)
	for i, k := range p.Class {
		if int64(k) >= int64(p.Count) {
			return fmt.Errorf("related: row %d is of class %d of %d", i, k, p.Count)
		}
		rows[k]++
	}
	for k, count := range rows {
		if count == 0 || count == len(p.Class) {
			return fmt.Errorf("related: %d of %d rows are of class %d; there must be rows of it and of others", count, len(p.Class), k)
		}
	}
	one, err := p.of(0)
	if err != nil {
		return err
	}
	return risk.Check(one)
}

// of returns the problem of class k: +1 for its rows, -1 for all others.
func (p *Classes) of(k int) (*erm.Problem, error) {
	one := p.Problem
	if p.InFile != nil {
		return &one, nil
	}
	one.Y = p.signs(k)
	if p.Weight == nil {
		return &one, nil
	}
	negative, positive, err := p.Weight(one.Y)
	if err == nil {
		one.SampleWeight, err = erm.ClassWeight(one.Y, p.SampleWeight, negative, positive)
	}
	return &one, err
}

func (p *Classes) signs(k int) []float64 {
	y := make([]float64, len(p.Class))
	for i, class := range p.Class {
		y[i] = -1
		if int(class) == k {
			y[i] = 1
		}
	}
	return y
}

// weighting tells the weights of the classes from others.
func (p *Classes) weighting() (string, error) {
	if p.InFile != nil {
		var all []float64
		for _, rows := range p.InFile {
			all = append(all, rows.Labels.Positive)
			if rows.ClassWeights != nil {
				all = append(all, rows.ClassWeights[:]...)
			}
		}
		return solvers.HashWeights(all), nil
	}
	if p.Weight == nil {
		return "none", nil
	}
	var all []float64
	for k := range p.Count {
		negative, positive, err := p.Weight(p.signs(k))
		if err != nil {
			return "", err
		}
		all = append(all, negative, positive)
	}
	return solvers.HashWeights(all), nil
}

// whole is a problem that tells these problems from others.
func (p *Classes) whole() *erm.Problem {
	one := p.Problem
	if p.InFile != nil {
		return &one
	}
	one.Y = make([]float64, len(p.Class))
	for i, class := range p.Class {
		one.Y[i] = float64(class)
	}
	return &one
}

// OneVsRest fits every class against the rest and returns one result a class. Classes run at the
// same time; budgets of epochs and iterations, and tolerances, apply to each class.
//
// A cancelled context or the end of the time leaves the finished classes as they are. Other
// classes are at their best points, or nil if they were not begun. Errors are as in erm.Solve;
// finished classes are returned with them. Settings.Validation is refused: it would judge every
// class by the same rows and labels. Settings.Initial is the starting point of every class, or
// holds one starting point a class, one after the other.
//
// The matrix and what is derived from it is shared. Beside it each worker takes the memory of one
// solve, and each class the memory of its weights. Classes of rows in Run.File are fitted in turn, each
// with all workers.
func OneVsRest(ctx context.Context, p *Classes, run Run) ([]*solvers.Result, error) {
	if ctx == nil {
		ctx = context.Background()
	}
	limit := &budget{time.Now(), run.Settings.MaxTime}
	if err := p.checkFor(&run); err != nil {
		return nil, err
	}
	whole := p.whole()
	columns := run.columns(&p.Problem)
	starts, err := p.starts(run.Settings.Initial, columns)
	if err != nil {
		return nil, err
	}
	if run.File != nil {
		run.Solve = run.SolveRows(p.InFile[0])
	}
	one := run
	one.Begin = nil
	if one.Settings.Initial != nil {
		one.Settings.Initial = starts(0)
	}
	if err := one.check(whole); err != nil {
		return nil, err
	}
	if run.Settings.Validation != nil {
		return nil, errors.New("related: a validation metric of one class cannot judge them all; measure the results")
	}
	fits := make([]*solvers.Result, p.Count)
	together := p.opens(&run)
	what := checkpoint.Identity{}.With("kind", "classes").With("classes", p.Count).With("together", together).With("another finish", p.Finish != nil)
	if run.Settings.Saves() {
		weights, err := p.weighting()
		if err != nil {
			return nil, err
		}
		what = what.With("class weights", weights)
	}
	opening, opened := make([]*solvers.Result, p.Count), make([]bool, p.Count)
	keep, ctx, err := newKeeper(ctx, &run, what, whole, func(c *checkpoint.Coder) {
		results(c, fits, columns)
		results(c, opening, columns)
		for k := range opened {
			c.Bool(&opened[k])
		}
	})
	if err != nil {
		return nil, err
	}
	defer keep.file.Close()
	inner := *p
	x, numbering := numbered(p.X, &run.Settings, p.Penalty)
	inner.X = x
	p = &inner
	if together {
		if err := p.open(ctx, &run, keep, fits, opening, opened, numbering, limit); err != nil {
			return fits, err
		}
	}
	err = each(ctx, run.together(), p.Count, func(ctx context.Context, k, workers int) error {
		run := run
		if workers = run.ofFit(workers); run.File != nil {
			run.Solve = run.SolveRows(p.InFile[k])
		}
		if fits[k] != nil {
			return nil
		}
		if together && !opened[k] {
			keep.finished(func() { fits[k] = brokenOff(ctx, opening[k]) })
			return nil
		}
		one, err := p.of(k)
		if err != nil {
			return err
		}
		initial := starts(k)
		if before := opening[k]; before != nil {
			initial = before.Weights
			if p.Finish != nil {
				run.Solve = p.Finish
			}
		}
		r, err := run.fit(ctx, run.Solve, k, workers, one, numbering, initial, limit)
		if r == nil && err == nil {
			keep.finished(func() { fits[k] = brokenOff(ctx, opening[k]) })
			return nil
		}
		addCost(r, opening[k])
		keep.finished(func() {
			fits[k] = r
			ended(ctx, k, r)
		})
		return err
	})
	done := true
	for _, r := range fits {
		done = done && !unfinished(r)
	}
	return fits, errors.Join(err, keep.end(done))
}

// starts returns what gives the starting point of a class, nil for none.
func (p *Classes) starts(initial []float64, d int) (func(k int) []float64, error) {
	if len(initial) != p.Count*d {
		return func(int) []float64 { return initial }, nil
	}
	for j, v := range initial {
		if v-v != 0 {
			return nil, fmt.Errorf("related: weight %d of the initial point of class %d is %v", j%d, j/d, v)
		}
	}
	return func(k int) []float64 { return initial[k*d : (k+1)*d] }, nil
}

// opens tells whether the classes begin together.
func (p *Classes) opens(run *Run) bool {
	s := &run.Settings
	if !p.Together {
		return false
	}
	n, d := int64(p.X.Rows()), int64(p.X.Cols())
	lambda, _ := penalty.Alone(p.Penalty)
	for _, v := range matrix.SquaredNorms(p.X) {
		if math.IsInf(v/(lambda*float64(n)), 0) {
			return false // no dual steps on such rows
		}
	}
	dual, is := p.Loss.(loss.Dual)
	return is && dual.Logit() && p.Weight == nil && p.SampleWeight == nil && p.Offset == nil && lambda > 0 && s.Initial == nil && s.Shards == 0 &&
		(2*n+2*d)*8*blockClasses <= mostBlock
}

// open runs the blocks of classes that are not opened. Converged classes are finished;
// opening takes the others, and opened tells which came to the end of their block.
func (p *Classes) open(ctx context.Context, run *Run, keep *keeper, fits, opening []*solvers.Result, opened []bool, numbering *run.Numbering, limit *budget) error {
	if limit.most > 0 {
		var cancel func()
		ctx, cancel = context.WithDeadline(ctx, limit.begun.Add(limit.most))
		defer cancel()
	}
	blocks := classBlocks(p.Count)
	return each(ctx, run.Settings.Workers, blocks, func(ctx context.Context, b, _ int) error {
		first, end := b*p.Count/blocks, (b+1)*p.Count/blocks
		if opened[first] || ctx.Err() != nil {
			return nil
		}
		t := sdca.Together{X: p.X, Class: p.Class, First: first, Count: end - first, Lambda: p.Ridge(), Intercept: p.Intercept}
		own := run.Settings
		own.Checkpoint, own.Resume, own.Recorder = "", "", nil
		results, err := t.Solve(checkpoint.InSubrun(ctx, p.Count+b), own)
		for k, r := range results {
			numbering.Restore(r)
			if r.Status == solvers.Converged && run.Watch != nil {
				if watch := run.Watch(first + k); watch != nil {
					err = errors.Join(err, watch.Record(r.Point))
				}
			}
		}
		keep.finished(func() {
			for k, r := range results {
				switch k += first; {
				case r.Status == solvers.Converged:
					fits[k] = r
				case r.Status != solvers.Diverged && r.Objective <= math.Ln2: // not worse than 0
					opening[k] = r
				}
				opened[k] = !unfinished(r)
				ended(ctx, p.Count+b, r)
			}
		})
		return err
	})
}

// brokenOff returns the result of a class that was not fitted by itself: the end of its opening, or
// nil without an opening. The opening stays as it is, for the checkpoint.
func brokenOff(ctx context.Context, opening *solvers.Result) *solvers.Result {
	if opening == nil {
		return nil
	}
	r := *opening
	if r.Status = solvers.Cancelled; ctx.Err() == nil {
		r.Status = solvers.TimeReached
	}
	return &r
}

// addCost adds what the opening took to the costs of a fit.
func addCost(r, opening *solvers.Result) {
	if r == nil || opening == nil {
		return
	}
	r.Total.Epochs += opening.Total.Epochs
	r.Total.GradientEvaluations += opening.Total.GradientEvaluations
	r.Total.Iterations += opening.Total.Iterations
}
