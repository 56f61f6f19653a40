package lanes

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
)

// FoldScores yields the rows of each fold of CrossValidate or For, for EvaluateBlocks. Their scores
// are by a fit of the rows of the other folds. The fits are made anew, with the weight or the
// candidate that was chosen. It costs a fit a fold, and the memory of the rows once more. The fits
// have the time of Settings.MaxTime that the training left. A fit without folds, or of rows in a file, gives
// an error.
func (f *Fitted) FoldScores(ctx context.Context) iter.Seq2[model.Scored, error] {
	return func(yield func(model.Scored, error) bool) {
		wrong := ""
		switch {
		case f.Problem == nil || f.Folds == nil && f.Tried == nil:
			wrong = "the model was not chosen by folds"
		case f.Problem.stream != nil:
			wrong = "the rows stay in their file: cross-validate where they fit in memory"
		}
		if wrong != "" {
			yield(model.Scored{}, errors.New("lanes: FoldScores: "+wrong))
			return
		}
		if err := f.foldScores(ctx, func(s model.Scored) bool { return yield(s, nil) }); err != nil {
			yield(model.Scored{}, err)
		}
	}
}

// folds is the number of folds that chose the model, or the usual one.
func (f *Fitted) folds() int {
	switch {
	case f.Folds != nil:
		return f.Folds.Folds
	case f.Tried != nil:
		return len(f.Tried.Tried[f.Best].Values)
	}
	return usualFolds
}

func (f *Fitted) foldScores(ctx context.Context, yield func(model.Scored) bool) error {
	p := f.Problem
	begun := time.Now()
	v := related.Validation{Seed: p.settings.Seed, Group: p.data.Query, Folds: f.folds()}
	q, classes := p.Problem, 0
	if p.several != nil {
		classes = len(p.several.labels)
		q.Y = make([]float64, len(p.several.of))
		for i, k := range p.several.of {
			q.Y[i] = float64(k)
		}
	}
	fold, err := v.Deal(&q, classes)
	if err != nil {
		return err
	}
	pool := sparse.NewPool(p.settings.Workers)
	defer pool.Close()
	for which := range uint32(v.Folds) {
		test, train := risk.Split(fold, which)
		limit := time.Duration(0)
		if most := p.settings.MaxTime; most > 0 {
			if limit = most - time.Duration(f.Seconds*float64(time.Second)) - time.Since(begun); limit <= 0 {
				return errors.New("lanes: the training left no time for the fits of the folds")
			}
		}
		m, err := f.withoutFold(ctx, train, limit)
		if err != nil {
			return err
		}
		rows, err := p.pickRows(test)
		if err != nil {
			return err
		}
		for block, err := range model.ScoreBlocks(ctx, m, pool, func(yield func(*sparse.Data, error) bool) { yield(rows, nil) }) {
			if err != nil || !yield(block) {
				return err
			}
		}
	}
	return nil
}

// pickRows returns the listed rows of the data, with the weights and offsets of the options.
func (p *Problem) pickRows(list []uint32) (*sparse.Data, error) {
	rows, err := pickData(p.data, list)
	if err != nil {
		return nil, err
	}
	rows.Weight, rows.Offset, rows.Query = direct.Listed(p.rowWeights, list), direct.Listed(p.Offset, list), nil
	return rows, nil
}

// withoutFold fits the listed rows by the way that was chosen.
func (f *Fitted) withoutFold(ctx context.Context, list []uint32, limit time.Duration) (model.Model, error) {
	p := f.Problem
	rows, err := p.pickRows(list)
	if err != nil {
		return nil, err
	}
	o := p.o
	l1, l2 := p.Weights()
	o.Penalty = ElasticNet(l1, l2)
	o.Penalty.Grouped = p.groups != nil
	switch { // whatever fewer labels look like
	case p.regression:
		o.Kind = Regression
	case p.several == nil:
		o.Kind = TwoClasses
	case p.several.whole:
		o.Kind = Softmax
	default:
		o.Kind = OneVsRest
	}
	o.RowWeights, o.RowOffsets, o.Holdout, o.HoldoutBy, o.Validation, o.ValidationStream, o.Watch, o.Share = nil, nil, 0, nil, nil, nil, nil, nil
	o.Inference, o.Calibrate, o.Initial = nil, "", nil // which may know the rows that are left out
	s := &o.Settings
	s.Checkpoint, s.Resume, s.Recorder, s.Initial, s.MaxTime = "", "", nil, nil, limit
	if f.Tried != nil {
		s.MaxEpochs = 0 // the budget of the search
	}
	q, err := pose(rows, o, &Search{})
	if err != nil {
		return nil, err
	}
	if f.Tried == nil {
		one, err := q.Train(ctx)
		if err != nil {
			return nil, err
		}
		return one.Model, nil
	}
	candidate := f.Tried.Tried[f.Best].Candidate
	settings := q.settings
	settings.Workers, settings.MaxTime = p.settings.Workers, limit
	r, err := candidate.Solve(ctx, &q.Problem, settings)
	if err != nil {
		return nil, err
	}
	if r.Status == solvers.Cancelled {
		return nil, q.noPoint(ctx, nil)
	}
	return q.modelOf(r)
}
