package lanes

import (
	"cmp"
	"context"
	"errors"

	"github.com/lanes-go/lanes/inference"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// Inference estimates how far the weights of a model may be off by chance, as Options.Inference does
// after a training. data are the rows of the training; the error of others says that the weights are no
// minimum there. workers is the number of goroutines, 0 for one a core.
func Inference(ctx context.Context, m model.Model, data *sparse.Data, o inference.Options, workers int) (*inference.Table, error) {
	if m == nil {
		return nil, errNoModel
	}
	c := m.About()
	if c.Meta == nil || c.Width() > 1 {
		return nil, badOption("Model", c.Width(), "errors of weights are for models of lanes of two classes, or of targets")
	}
	phi, err := loss.Parse(c.Meta.Loss, c.Meta.LossDelta)
	if err != nil {
		return nil, badOption("Loss", c.Meta.Loss, "%v", err)
	}
	with := Options{Kind: TwoClasses, Loss: phi, Penalty: Penalty{L1: c.Meta.L1, L2: c.Meta.Lambda, None: true}, Intercept: NoIntercept, Normalize: c.Meta.Normalize, Initial: m}
	switch linear, is := m.(*model.Linear); {
	case c.Meta.Intercept:
		with.Intercept = FreeIntercept
	case is && linear.Bias != 0:
		with.Intercept = PenalisedIntercept
	}
	if c.Regression {
		with.Kind = Regression
	} else {
		with.Positive = c.Word(c.Positive)
	}
	with.Settings.Workers, with.Inference = workers, &o
	p, err := Pose(data, with)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if list := c.Meta.AtBound; len(list) > 0 && list[0] >= 0 && list[0] < p.columns {
		return nil, noErrors(o, "%s", heldText(p.columnNames(), list))
	}
	return p.infer(ctx, p.settings.Initial)
}

// checkInference refuses what has no errors of weights. It fills in the groups of the rows.
func (p *Problem) checkInference(ctx context.Context, s *Search) error {
	if p.o.Inference == nil {
		return nil
	}
	o := *p.o.Inference
	p.o.Inference = &o
	_, unlikely := loss.LikelihoodOf(p.Loss)
	switch {
	case p.o.Settings.Ranks != nil && (o.Covariance == inference.Cluster || o.Clusters != nil):
		return noErrors(o, "errors by groups take the rows in their order, in one process: take another covariance, or estimate the errors of the model later, by 'lanes info MODEL --inference DATA' or lanes.Inference")
	case p.several != nil:
		return noErrors(o, "errors of weights are for two classes, or targets")
	case p.ranking():
		return noErrors(o, "errors of weights are for mean losses, which {Solver} %s does not minimise", p.method.Name)
	case s.alongPath || s.searches || s.Folds > 0 || p.path:
		return noErrors(o, "errors of weights are for one model without a penalty, not for a search")
	case p.penalised():
		return noErrors(o, "errors of weights are for models without a penalty, which pulls weights off: set {Penalty} to 0")
	case p.o.ClassWeight != ClassWeight{}:
		return noErrors(o, "errors of weights are for rows as they were drawn: leave {ClassWeight} out")
	case unlikely != nil:
		return noErrors(o, "%v: errors of its weights are not known", unlikely)
	}
	if o.Covariance == inference.Cluster && o.Clusters == nil {
		if err := p.groupRows(ctx, &o); err != nil {
			return err
		}
	}
	n, d, _, _ := p.Shape()
	if err := o.Check(n, d); err != nil {
		return noErrors(o, "%v", plain(err))
	}
	need, err := inference.Needs(p.toInfer(nil), o)
	switch {
	case err != nil:
		return noErrors(o, "%v", plain(err))
	case p.stream != nil && p.stream.Memory > 0 && need > p.stream.Memory:
		return &erm.MemoryError{Limit: p.stream.Memory, Need: need}
	}
	return nil
}

// groupRows fills in the groups of the rows.
func (p *Problem) groupRows(ctx context.Context, o *inference.Options) (err error) {
	if o.Clusters = p.data.Query; p.stream != nil && p.stream.Stream.HasQueries() {
		limit, need := p.stream.Memory, 8*int64(p.stream.Stream.Rows())
		if limit > 0 && need > limit {
			return &erm.MemoryError{Limit: limit, Need: need}
		}
		if o.Clusters, err = p.stream.Stream.Queries(ctx); err != nil {
			return badData(err)
		}
		p.stream.Beside += need
	}
	if o.Clusters == nil {
		return noErrors(*o, "the rows have no groups: name the column of a table that tells them")
	}
	return nil
}

// noErrors is the *OptionError of Options.Inference.
func noErrors(o inference.Options, format string, values ...any) error {
	return badOption("Inference", cmp.Or(o.Covariance, inference.Fisher), format, values...)
}

// infer estimates the errors of weights of the problem.
func (p *Problem) infer(ctx context.Context, w []float64) (*inference.Table, error) {
	o := *p.o.Inference
	if list := p.atBound(w); len(list) > 0 {
		return nil, noErrors(o, "%s", heldText(p.columnNames(), list))
	}
	of := p.toInfer(w)
	of.Names, of.Width, of.Shift = make([]string, p.columns), make([]float64, p.columns), make([]float64, p.columns)
	name := p.columnNames()
	for j := range p.columns {
		of.Names[j], of.Width[j] = name(j), 1
	}
	if err := p.units(of, &o); err != nil {
		return nil, err
	}
	t, err := inference.Of(ctx, of, o, p.settings.Workers)
	var short *shards.MemoryError
	switch {
	case errors.As(err, &short):
		return nil, &erm.MemoryError{Limit: short.Available, Need: short.Need}
	case errors.Is(err, inference.ErrNotMinimum):
		return nil, noErrors(o, "%v", plain(err))
	case err != nil && ctx.Err() != nil:
		return nil, err
	case err != nil:
		return nil, badData(plain(err))
	}
	return t, nil
}

// toInfer is the problem of the errors of weights, in the columns that the solver sees.
func (p *Problem) toInfer(w []float64) *inference.Problem {
	of := &inference.Problem{Problem: p.Problem, Rows: p.stream, Shards: p.settings.Shards, Ranks: p.o.Settings.Ranks, W: w}
	if p.bounds != nil {
		of.Penalty = nil
	}
	_, _, _, constant := p.Shape()
	of.Intercept = constant == 1 // a penalised one too, as there is no penalty
	return of
}

// units tells in which units columns are, of a table and of scaled rows, and which ones are a category.
func (p *Problem) units(of *inference.Problem, o *inference.Options) error {
	e, err := p.encoder()
	if err != nil {
		return err
	}
	if e != nil {
		for j := range p.columns {
			var logs bool
			if of.Shift[j], of.Width[j], logs = e.Unit(j); logs {
				of.Names[j] = "log1p(" + of.Names[j] + ")"
			}
		}
		own := o.Sets == nil
		for _, columns := range e.Groups() {
			of.Last = append(of.Last, columns[0])
			if own {
				o.Sets = append(o.Sets, inference.Set{Name: e.Column(columns[0]), Columns: columns})
			}
		}
	}
	if s := p.scaler; s != nil {
		for j := range p.columns {
			if s.Width[j] == 0 {
				continue // the column is dropped
			}
			of.Shift[j] += float64(of.Width[j] * s.Shift[j])
			of.Width[j] *= s.Width[j]
		}
	}
	return nil
}
