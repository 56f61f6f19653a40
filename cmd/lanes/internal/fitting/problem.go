// Package fitting turns flags into the options of a training, has the library train, and
// shows how it goes.
package fitting

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
)

// Prepared is a problem with the data that were read for it.
type Prepared struct {
	*lanes.Problem
	Data  *input.Dataset
	Valid *input.Dataset // the rows of --valid, nil for none
	watch *watch
}

// Beside is what a run reads beside its data.
type Beside struct {
	Valid   *input.Dataset
	Initial model.Model
	Names   []string
}

// Options are the options that the flags stand for.
func (f *ProblemFlags) Options(run *RunFlags) lanes.Options {
	o := lanes.Options{
		Kind: lanes.TwoClasses, Penalty: lanes.Penalty{L1: f.l1}, Normalize: f.Normalize,
		Positive: f.positive, Solver: run.Solver, Paper: f.paper, Hidden: f.hiddenUnits, Activation: f.Activation,
		Metric: run.Metric, ZeroBased: f.Data.Zero, MaxMemory: f.mostMemory, Program: "lanes " + console.Version(),
		Holdout: f.Holdout, Calibrate: run.calibrate, Tolerance: run.tolerance, Settings: run.given(),
	}
	if f.lossSet {
		o.Loss = f.Phi
	}
	if run.Inference {
		o.Inference = &run.Errors
	}
	if !f.normalizeSet {
		o.Normalize = ""
	}
	switch f.how {
	case "rest":
		o.Kind = lanes.OneVsRest
	case "softmax":
		o.Kind = lanes.Softmax
	}
	switch {
	case f.cSet:
		o.Penalty.C = f.c
	case f.lambdaSet:
		o.Penalty.L2 = f.lambda
	}
	o.Penalty.None = (f.lambdaSet || f.l1Set) && o.Penalty == lanes.Penalty{}
	o.PenaltyFactors, o.Bounds = f.factorsOf, f.boundsOf
	o.Penalty.Grouped, o.ColumnGroups = f.groups != "", f.groupsOf
	switch {
	case f.intercept:
		o.Intercept = lanes.FreeIntercept
	case f.Bias:
		o.Intercept = lanes.PenalisedIntercept
	case f.biasSet, f.interceptSet: // to false
		o.Intercept = lanes.NoIntercept
	}
	if f.ClassWeight == "balanced" {
		o.ClassWeight = lanes.Balanced
	} else {
		o.ClassWeight = lanes.ClassWeight{Positive: f.weights[0], Negative: f.weights[1]}
	}
	if f.fprSet {
		o.Rates = f.rates
	}
	o.MinTPR = f.minTPR
	if f.rangeSet {
		o.RankedRange = f.ranks
	}
	return o
}

// Search is the search that the flags stand for.
func (f *ProblemFlags) Search(o lanes.Options) lanes.Search {
	return lanes.Search{Options: o, Folds: f.Folds, Weights: f.weightsOf, OverL1: f.sparse, One: !f.Path, OneStandardError: f.oneError}
}

// Prepare poses the problem of the data.
func (f *ProblemFlags) Prepare(ctx context.Context, a *console.App, data *input.Dataset, run *RunFlags, o lanes.Options, beside Beside) (*Prepared, error) {
	p := &Prepared{Data: data, Valid: beside.Valid, watch: newWatch(a, f.For)}
	o.Watch, o.Initial, o.FeatureNames, o.HoldoutBy = p.watch, beside.Initial, beside.Names, data.Order
	switch {
	case p.Valid == nil:
	case p.Valid.Stream != nil:
		o.ValidationStream = p.Valid.Stream
	default:
		o.Validation = p.Valid.Data
	}
	if a != nil {
		o.Settings.Workers, o.Settings.Seed = a.Workers, a.Seed
		o.Settings.Warn = func(err error) { a.Warn(console.Plain(err)) }
		if a.Ranks != nil {
			o.Share, o.Settings.Ranks = a.Share, a.Ranks
		}
	}
	var err error
	switch {
	case data.Stream != nil && (f.Path || f.Folds > 0):
		p.Problem, err = lanes.PoseStreamSearch(ctx, data.Stream, run.Memory, f.Search(o))
	case data.Stream != nil:
		p.Problem, err = lanes.PoseStream(ctx, data.Stream, run.Memory, o)
	case f.For != "":
		p.Problem, err = lanes.PoseFor(data.Data, f.For, f.Folds, o)
	case f.Path || f.Folds > 0:
		p.Problem, err = lanes.PoseSearch(data.Data, f.Search(o))
	default:
		p.Problem, err = lanes.Pose(data.Data, o)
	}
	if err != nil {
		return nil, f.said(err, p, run)
	}
	return p, nil
}

// LogisticAlone tells whether a search tries logistic fits alone, as its rows have unequal weights
// or offsets.
func (p *Prepared) LogisticAlone() bool {
	w := p.SampleWeight
	return slices.ContainsFunc(w, func(v float64) bool { return v != w[0] }) || slices.ContainsFunc(p.Offset, func(v float64) bool { return v != 0 })
}

// optionFlags are the flags of the fields of lanes.Options and lanes.Search.
var optionFlags = map[string]string{
	"Kind": "multiclass", "Loss": "loss", "Penalty.L1": "l1", "Penalty.L2": "lambda", "Penalty.C": "C", "Penalty.Grouped": "l1-groups", "ColumnGroups": "l1-groups", "PenaltyFactors": "penalty", "Bounds": "bounds", "Monotone": "monotone", "Penalty": "lambda",
	"Intercept": "intercept", "Normalize": "normalize", "Positive": "positive", "ClassWeight": "class-weight",
	"Solver": "solver", "Parameters": "set", "Paper": "paper", "Rates": "fpr", "MinTPR": "tpr", "RankedRange": "range", "Hidden": "hidden", "Activation": "activation",
	"Initial": "initial", "Validation": "valid", "ValidationStream": "valid", "Metric": "metric", "Holdout": "holdout", "HoldoutBy": "holdout-by", "FeatureNames": "names", "Inference": "inference", "Calibrate": "calibrate", "ZeroBased": "zero-based", "MaxMemory": "max-memory",
	"Search.Folds": "cv", "Search.Weights": "lambdas", "Search.OverL1": "sparse", "Search.One": "path", "Search.OneStandardError": "one-se", "metric": "for",
	"Tolerance": "tol", "Settings.GapTolerance": "gap", "Settings.GradientTolerance": "grad", "Settings.MaxEpochs": "epochs", "Settings.MaxTime": "time",
	"Settings.Shards": "shards", "Settings.BatchSize": "batch", "Settings.Patience": "patience", "Settings.RecordEvery": "record-every",
	"Settings.Checkpoint": "checkpoint", "Settings.CheckpointEvery": "checkpoint-every", "Settings.Overwrite": "force", "Settings.Resume": "resume", "Settings.Seed": "seed",
}

// said says in the words of the command what the library found wrong.
func (f *ProblemFlags) said(err error, p *Prepared, run *RunFlags) error {
	var option *lanes.OptionError
	var data *lanes.DataError
	var labels *lanes.LabelsError
	var tooLarge *lanes.MemoryError
	var short *erm.MemoryError
	var format *sparse.FormatError
	name := p.Data.Name
	if errors.As(err, &data) && data.Validation {
		name = run.Valid
	}
	switch {
	case errors.As(err, &option):
		flag, value := optionFlags[option.Option], any(option.Value)
		reason := option.In(func(option string) string { return "--" + optionFlags[option] })
		if flag == "" && strings.HasPrefix(option.Option, "Row") {
			return console.Usagef("%s: its %s cannot count: %s", name, strings.ToLower(strings.TrimPrefix(option.Option, "Row")), reason)
		}
		switch flag {
		case "inference":
			return console.Usagef("--inference: %s", reason)
		case "positive":
			value = f.positive
		case "range":
			value = f.rankRange
		case "l1-groups":
			value = f.groups
		case "penalty":
			if value = f.penalty; f.penalties != "" {
				flag, value = "penalties", f.penalties
			}
		case "bounds":
			if value = f.bounds; f.bounds == "" {
				flag, value = "nonnegative", f.atLeast0
			}
		case "fpr":
			value = f.fpr
		case "class-weight":
			value = f.ClassWeight
		case "hidden":
			value = f.hidden
		case "lambdas":
			reason += ", as HIGH:LOW:POINTS"
		}
		return console.BadFlag(flag, value, "%s", reason)
	case errors.As(err, &tooLarge):
		estimate := strings.ReplaceAll(memory.Text(tooLarge.Need), " ", "")
		if f.mostMemory > 0 {
			tooLarge.Whose = "that --max-memory allows"
		}
		return console.BadData(fmt.Errorf("%s: %w; --max-memory %s allows it", name, err, estimate))
	case errors.As(err, &short):
		hint := ""
		if s := p.Data.Stream; !f.Softmax && run.Solver == lanes.Auto && run.ranks == nil && s != nil && s.Cols() > s.Rows() {
			hint = "; --solver newton needs less"
		}
		if short.Columns > 0 {
			hint = fmt.Sprintf(" for the %d columns that it keeps in memory, and may need more for others; a stronger penalty keeps fewer", short.Columns)
			if run.Checkpoint != "" {
				hint += ", and --resume goes on with more memory"
			}
		}
		return console.BadFlag("memory", run.memory, "the run needs %s at least%s", strings.ReplaceAll(memory.Text(short.Need), " ", ""), hint)
	case errors.As(err, &format) && p.Data.Stream != nil:
		if data != nil && data.Validation {
			err = format // which names the file
		}
		return console.BadData(err)
	case errors.As(err, &labels):
		hint := ""
		if !labels.Chosen && labels.Count > 2 {
			hint = " (--positive V)"
			if !run.Streams() || run.ranks == nil && !f.Path && f.Folds == 0 {
				hint += ", train a model for each class (--multiclass)"
			}
			if labels.Words == nil {
				hint += ", or fit the labels as targets of a regression (--loss squared, for counts --loss poisson)"
			}
		}
		return console.BadData(fmt.Errorf("%s: %s%s%s", name, labels.Message, hint, p.Data.Legend()))
	case errors.As(err, &data) && data.Row > 0:
		return console.BadData(fmt.Errorf("%s: row %d: %w", name, data.Row, data.Err))
	case errors.As(err, &data):
		return console.BadData(fmt.Errorf("%s: %w", name, console.Plain(data.Err)))
	}
	return refused(err)
}

// refused sorts an error of a run that did not begin. The data overflow, the checkpoint belongs
// to another run, nothing was finished in time, a file failed, or the request is impossible.
func refused(err error) error {
	var system *fs.PathError
	switch {
	case errors.Is(err, solvers.ErrTooLarge):
		return console.BadData(fmt.Errorf("%w, as by --normalize unit", console.Plain(err)))
	case errors.Is(err, solvers.ErrResume), errors.Is(err, related.ErrFewRows):
		return console.BadData(console.Plain(err))
	case errors.Is(err, related.ErrNoTime):
		return fmt.Errorf("%w: give --time more, or --cv fewer folds", console.Plain(err))
	case errors.Is(err, solvers.ErrCheckpointInUse), errors.As(err, &system),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return console.Plain(err)
	}
	return console.BadUsage(console.Plain(err))
}

// notBegun says that a run has nothing to show, and how to continue it.
func notBegun(ctx context.Context, s solvers.Settings, folds bool) error {
	why := "interrupted"
	if ctx.Err() == nil {
		why = "the time was over"
	}
	before := "the first point was evaluated"
	if folds {
		before = "all folds had been measured"
	}
	return fmt.Errorf("%s before %s; there is no model to write, %s", why, before, goesOn(s.Checkpoint))
}

// goesOn says how to continue an interrupted run.
func goesOn(checkpoint string) string {
	if checkpoint == "" {
		return "and with --checkpoint it could be resumed"
	}
	return fmt.Sprintf("and --resume %s goes on", checkpoint)
}

// Normalize is the scaling of the rows.
func (p *Prepared) Normalize() string { return cmp.Or(p.Options().Normalize, model.NormalizeNone) }

// Bias tells whether there is a penalised constant column.
func (p *Prepared) Bias() bool { return p.Options().Intercept == lanes.PenalisedIntercept }

// L1 is the weight of the L1 norm.
func (p *Prepared) L1() float64 {
	l1, _ := p.Weights()
	return l1
}

// LossName is the loss as --loss names it.
func (p *Prepared) LossName() string { return p.Loss.String() }

// Special tells whether a solver is not one of the mean loss.
func Special(name string) bool {
	what := lanes.Solver(name).Objective
	return what != solvers.MeanLoss && what != solvers.SparseLoss
}

// Setting says what a run trained, as the report's line on the solver.
func Setting(r *Trained, batch int) string {
	p := r.Problem
	rates := p.FalsePositiveRates()
	d := lanes.Solver(r.Solver)
	switch r.Minimised {
	case solvers.AveragePrecision:
		return fmt.Sprintf("lambda %.6g, seed %d", p.Ridge(), r.Seed)
	case solvers.PartialAUC, solvers.StructuralSVM:
		above := ""
		if a := p.MinTPR(); a > 0 {
			above = fmt.Sprintf(", true-positive rates above %v", a)
		}
		return fmt.Sprintf("false-positive rates %v to %v%s, lambda %.6g, seed %d", rates[0], rates[1], above, p.Ridge(), r.Seed)
	case solvers.RankedRange:
		m, n := p.RankRange()
		return fmt.Sprintf("logistic losses of ranks %d to %d, lambda %.6g, seed %d", m+1, n, p.Ridge(), r.Seed)
	case solvers.SparseLoss:
		intercept := ""
		if p.Intercept {
			intercept = ", a free intercept"
		}
		return fmt.Sprintf("%s loss, l1 %.6g%s, lambda %.6g%s%s%s", p.LossName(), p.L1(), OfGroups(p.Groups()), p.Ridge(), OfFactors(p.Factors()), OfBounds(p.Bounded()), intercept)
	}
	steps := ""
	if d.Accepts.Has(solvers.Batch) {
		steps = fmt.Sprintf(", batch %d", cmp.Or(batch, solvers.UsualBatchSize))
	}
	return fmt.Sprintf("%s loss, lambda %.6g%s, seed %d", p.LossName(), p.Ridge(), steps, r.Seed)
}

// Within gives a run the rest of a time that counts from the start of the command.
func (p *Prepared) Within(a *console.App, limit time.Duration) {
	if limit > 0 {
		limit = max(limit-time.Since(a.Start), 1)
	}
	p.Problem = p.Problem.Within(limit)
}
