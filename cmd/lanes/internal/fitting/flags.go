package fitting

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/inference"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
)

// ProblemFlags say which problem the data pose.
type ProblemFlags struct {
	Data        input.DataFlags
	Loss        string
	huber       float64
	huberSet    bool
	lambda, c   float64
	Bias        bool
	Normalize   string
	positive    string
	ClassWeight string
	fpr         string
	minTPR      float64
	rankRange   string
	paper       bool
	maxMemory   string

	hidden, Activation string // of a perceptron

	how      string // several classes are trained
	Path     bool
	lambdas  string
	Folds    int
	oneError bool

	l1         float64
	groups     string
	groupsOf   [][]int
	penalty    string // factors of columns, as text
	penalties  string // their file
	penaltySet bool
	factorsOf  map[string]float64
	bounds     string // the file of bounds
	atLeast0   string // columns whose weights are not negative
	boundsOf   map[string]lanes.Interval
	intercept  bool
	sparse     bool // the path is one of weights of the L1 norm

	For     string  // the metric of a search
	Holdout float64 // share of the rows that is measured and not trained on

	lossSet, lambdaSet, cSet, biasSet, interceptSet, normalizeSet, l1Set, fprSet, rangeSet bool

	// What Check and the methods after it make of them.
	multiclass, Softmax bool
	weightsOf           []float64 // of --lambdas
	hiddenUnits         []int
	Phi                 loss.Loss // of --loss and --huber
	PositiveLabel       *float64
	weights             [2]float64 // of positives and negatives, where given as numbers
	rates               [2]float64
	ranks               lanes.RankRange
	mostMemory          int64 // bytes, 0 where the machine and the data decide
}

// RunFlags control a run.
type RunFlags struct {
	Solver         string
	List           bool
	passes         float64
	Time           time.Duration
	Gap, Gradient  float64
	tolerance      float64
	batch          int
	batchSet       bool
	Shards         int
	memory         string
	Memory         int64 // bytes that the run may take, 0 for rows in memory
	app            *console.App
	ranks          console.Ranks // that share the run, nil for this process alone
	Set            []string
	recordEvery    float64
	CheckpointTime time.Duration
	Initial, Names string
	Valid, Metric  string
	Patience       int
	Model, Trace   string
	Sparse         bool // the form of Model
	Receipt        string
	Inference      bool
	calibrate      string
	Errors         inference.Options
	Coefficients   string // the file of the weights with their errors
	Full           bool   // tables are printed whole
	Plot, Page     string
	Checkpoint     string
	Resume         string
	Force          bool
}

// defaultPoints is the length of a path whose ends are given.
const defaultPoints = 20

// Flags declares the flags of train, compare and info. passes is the usual budget of the
// command.
func Flags(f *ProblemFlags, run *RunFlags, passes int) []console.Flag {
	const both, train = "train compare", "train"
	tolerance := ""
	if passes == DefaultPasses {
		tolerance = " (default by --tol)"
	}
	validHelp := "stop when --metric on `DATA` stops improving; keep the best point"
	if passes == ComparePasses {
		validHelp = "measure the mean loss and --metric of every solver's result on `DATA`"
	}
	needsValid := "--metric and --patience go with --valid DATA, --metric with --cv K too"
	return slices.Concat(f.Data.Flags(true),
		console.Group(console.DataGroup,
			console.Flag{Name: "names", Value: &run.Names, Commands: train, Topic: "formats", Rare: true, Help: "names of the columns in `FILE`, one a line, for the model and plots"}),
		console.Group(console.ModelGroup,
			console.Flag{Name: "loss", Value: &f.Loss, Given: &f.lossSet, Setting: true, Default: loss.Logistic{}.String(), Choices: loss.Names(), With: true, Help: "loss `NAME`, as in tweedie:1.5; see 'lanes help penalty'"},
			console.Flag{Name: "huber", Value: &f.huber, Given: &f.huberSet, Setting: true, Default: "1", Range: console.PositiveFinite, Topic: "penalty", Rare: true,
				Help: "residual `R` above which the Huber loss is linear"},
			console.Flag{Name: "multiclass", Value: &f.how, Commands: train, Setting: true, Choices: []string{"rest", "softmax"}, Topic: "classes",
				Excludes: map[string]string{"positive": "give --multiclass, or --positive V for one class against the rest, not both"},
				Help:     "several classes: `HOW` is rest (one-vs-rest, the default) or softmax"},
			console.Flag{Name: "positive", Value: &f.positive, Setting: true, Topic: "classes", Help: "`LABEL` of the positive class (default: the larger of two)"},
			console.Flag{Name: "class-weight", Value: &f.ClassWeight, Setting: true, Topic: "classes", Help: "`WEIGHTS` of the classes: balanced, or POS:NEG as in 5:1"},
			console.Flag{Name: "intercept", Value: &f.intercept, Given: &f.interceptSet, Commands: train, Setting: true,
				Excludes: map[string]string{"bias": "give --intercept, which is not penalised, or --bias, which is, not both"},
				Help:     "add an unpenalised intercept, as tables have; =false: no intercept"},
			console.Flag{Name: "bias", Value: &f.Bias, Given: &f.biasSet, Setting: true, Help: "add a column of ones, penalised like the others"},
			console.Flag{Name: "normalize", Value: &f.Normalize, Given: &f.normalizeSet, Setting: true, Default: model.NormalizeNone, Topic: "formats",
				Choices: []string{model.NormalizeNone, model.NormalizeUnit, model.NormalizeMinMax, model.NormalizeStd},
				Help:    "scale, `HOW`: none (default), unit (rows to norm 1), minmax or std (columns)"},
			console.Flag{Name: "solver", Value: &run.Solver, Commands: train, Setting: true, Default: lanes.Auto, Complete: CompleteSolvers, Topic: "solvers",
				Help: "solver `NAME`; 'lanes train --list' shows all"},
			console.Flag{Name: "list", Value: &run.List, Commands: train, Topic: "solvers", Rare: true, Help: "list the solvers; --list SOLVER its parameters"},
			console.Flag{Name: "batch", Value: &run.batch, Given: &run.batchSet, Commands: both, Setting: true, Default: "64", Range: console.Positive, Topic: "solvers", Rare: true,
				Help: "`N` rows in the batch of a stochastic step"},
			console.Flag{Name: "set", Value: &run.Set, Whole: true, Commands: both, Setting: true, Topic: "solvers", Rare: true,
				Help: "parameter `NAME=VALUE` of the solver, repeatable; see --list SOLVER"},
			console.Flag{Name: "fpr", Value: &f.fpr, Given: &f.fprSet, Commands: both, Setting: true, Default: "0,0.05", Topic: "ranking", Rare: true,
				Help: "false-positive rates `LO,HI` of the partial AUC"},
			console.Flag{Name: "tpr", Value: &f.minTPR, Commands: both, Setting: true, Range: Rate, Topic: "ranking", Rare: true,
				Help: "least true-positive rate `A` (two-way partial AUC)"},
			console.Flag{Name: "range", Value: &f.rankRange, Given: &f.rangeSet, Commands: both, Setting: true, Default: "0.02,0.6", Topic: "ranking", Rare: true,
				Help: "ranks `M,N` of the losses, or shares of the rows"},
			console.Flag{Name: "paper", Value: &f.paper, Commands: both, Setting: true, Topic: "solvers", Rare: true,
				Help: "the solver's parameters, scaling, lambda and range as in its paper"},
			console.Flag{Name: "hidden", Value: &f.hidden, Commands: train, Setting: true, Topic: "ranking", Rare: true,
				Excludes: map[string]string{"bias": "give --hidden or --bias, not both: the units of --hidden have biases"},
				Help:     "train a perceptron with hidden layers of `W` or W,W units"},
			console.Flag{Name: "activation", Value: &f.Activation, Commands: train, Setting: true, Needs: console.Need{Flags: "hidden"}, Topic: "ranking", Rare: true,
				Choices: []string{"tanh", "relu", "softplus"}, Help: "activation `FUNCTION` of the hidden units: tanh (default), relu, softplus"}),
		console.Group("Penalty", console.About("penalty",
			console.Flag{Name: "lambda", Value: &f.lambda, Given: &f.lambdaSet, Setting: true, Range: console.NotNegative,
				Excludes: map[string]string{"C": "give --lambda or --C, not both: lambda = 1/(C n)"},
				Help:     "penalty `LAMBDA`/2 ||w||^2 beside the mean loss (default 1/n; 0 with --l1)"},
			console.Flag{Name: "C", Value: &f.c, Given: &f.cSet, Setting: true,
				Range: console.Range{Holds: func(c float64) bool { return console.PositiveFinite.Holds(c) && console.PositiveFinite.Holds(1/c) },
					Want: "it must be above 0 and finite, and so must lambda = 1/(C n)"},
				Help: "`C` of LIBLINEAR in place of --lambda: lambda = 1/(C n)"},
			console.Flag{Name: "l1", Value: &f.l1, Given: &f.l1Set, Commands: train, Setting: true, Range: console.NotNegative,
				Excludes: map[string]string{"C": "--C is of the squared norm; LIBLINEAR's C of an L1 norm is --l1 1/(C n)",
					"sparse": "--sparse --path takes --lambdas HIGH:LOW[:POINTS] for weights of the L1 norm, not --l1"},
				Help: "penalty `L1` ||w||_1: the lasso, or with --lambda the elastic net"},
			console.Flag{Name: "l1-groups", Value: &f.groups, Commands: train, Setting: true, Rare: true,
				Needs: console.Need{Flags: "l1|sparse", Error: "--l1-groups goes with --l1, or with --path --sparse"},
				Help:  "--l1 of `GROUPS` of columns, 0 together: table, or 1-3,4-9 (group lasso)"},
			console.Flag{Name: "penalty", Value: &f.penalty, Given: &f.penaltySet, Commands: train, Setting: true, Rare: true,
				Excludes: map[string]string{"penalties": "give --penalty or --penalties, not both"},
				Help:     "`FACTORS` of columns in the penalty, as age=0,region*=2"},
			console.Flag{Name: "penalties", Value: &f.penalties, Commands: train, Setting: true, Rare: true,
				Help: "the same from `FILE`: a name, a comma or tab, and a factor a line"},
			console.Flag{Name: "nonnegative", Value: &f.atLeast0, Commands: train, Setting: true, Rare: true,
				Help: "weights of `COLUMNS` are 0 or more, as age,region*; * for all"},
			console.Flag{Name: "bounds", Value: &f.bounds, Commands: train, Setting: true, Rare: true,
				Help: "bounds of weights from `FILE`: a name, a lower and an upper bound a line"})...),
		console.Group("Stopping", console.About("stopping",
			console.Flag{Name: "tol", Value: &run.tolerance, Commands: train, Setting: true, Range: console.PositiveFinite,
				Excludes: map[string]string{"gap": "give --tol or --gap, not both: --gap is absolute", "grad": "give --tol or --grad, not both: --grad is absolute"},
				Help:     "stop at a relative gap of `T` (default 1e-6; 1e-9 for targets)"},
			console.Flag{Name: "gap", Value: &run.Gap, Commands: both, Setting: true, Range: console.PositiveFinite,
				Help: "stop at an absolute duality gap `G`" + tolerance},
			console.Flag{Name: "grad", Value: &run.Gradient, Commands: both, Setting: true, Range: console.PositiveFinite, Rare: true, Help: "stop at a gradient norm of `G`"},
			console.Flag{Name: "epochs", Value: &run.passes, Commands: both, Setting: true, Range: console.Positive,
				Help: fmt.Sprintf("at most `N` passes over the data (default %d; %d with --gap or --grad)", passes, targetPasses)},
			console.Flag{Name: "time", Value: &run.Time, Commands: both, Setting: true, Range: console.Positive, Help: "budget of time `T`, as in 30s or 5m"},
			console.Flag{Name: "patience", Value: &run.Patience, Commands: train, Setting: true, Default: "5", Range: console.Positive, Rare: true,
				Needs: console.Need{Flags: "valid", Error: needsValid}, Help: "stop after `N` recorded points at which --metric did not improve"},
			console.Flag{Name: "record-every", Value: &run.recordEvery, Commands: both, Setting: true, Range: console.PositiveFinite, Rare: true,
				Help: "`N` epochs between recorded points (default: the solver's choice)"})...),
		console.Group("Search",
			console.Flag{Name: "path", Value: &f.Path, Commands: train, Setting: true, Topic: "paths",
				Excludes: map[string]string{"patience": "--patience goes with one lambda: on a path every fit runs to its tolerance"},
				Help:     "fit many lambdas; keep the best by --valid or --cv, else the last"},
			console.Flag{Name: "lambdas", Value: &f.lambdas, Commands: train, Setting: true, Needs: console.Need{Flags: "path", Error: "--lambdas goes with --path"}, Topic: "paths", Rare: true,
				Help: fmt.Sprintf("lambdas of --path, log-spaced: `HIGH:LOW`[:POINTS] (default %d points)", defaultPoints)},
			console.Flag{Name: "sparse", Value: &f.sparse, Commands: train, Setting: true, Topic: "paths", Rare: true,
				Needs:    console.Need{Flags: "path", Error: "--sparse goes with --path; --l1 WEIGHT trains for one weight of the L1 norm"},
				Excludes: map[string]string{"C": "--C is of the squared norm; --path --sparse takes --lambdas HIGH:LOW[:POINTS] for weights of the L1 norm"},
				Help:     "--path over --l1 penalties, from the smallest that makes all weights 0"},
			console.Flag{Name: "cv", Value: &f.Folds, Commands: train, Setting: true, Topic: "paths",
				Range:    console.Range{Holds: func(k float64) bool { return k >= 2 }, Want: "there must be two folds at least"},
				Excludes: map[string]string{"valid": "give --valid DATA or --cv K, not both"},
				Help:     "cross-validate over `K` folds by --metric, then train on all rows"},
			console.Flag{Name: "one-se", Value: &f.oneError, Commands: train, Setting: true, Needs: console.Need{Flags: "path cv", Error: "--one-se goes with --path and --cv"}, Topic: "paths",
				Help: "keep the largest lambda within one standard error of the best"},
			console.Flag{Name: "for", Value: &f.For, Commands: train, Setting: true, Excludes: chosenByFor(), Topic: "search",
				Complete: cli.Fixed([]string{"ap", "auc", "pauc:0,0.05", "pauc:0,0.5,0.7", "logloss"}),
				Help:     "best solver and lambda for `METRIC`: ap, auc, pauc:LO,HI[,TPR], logloss"}),
		console.Group("Evaluation",
			console.Flag{Name: "holdout", Value: &f.Holdout, Commands: train, Setting: true, Topic: "holdout",
				Range: console.Range{Holds: func(v float64) bool { return v > 0 && v < 1 }, Want: "give a share above 0 and below 1, as 0.2"},
				Help:  "keep a `SHARE` of the rows from training, and measure the model on it"},
			console.Flag{Name: "holdout-by", Value: &f.Data.Table.HoldoutBy, Commands: train, Setting: true, Topic: "holdout", Rare: true,
				Help: "--holdout the last rows by the numbers or times of `COLUMN` (0.2 of them)"},
			console.Flag{Name: "valid", Value: &run.Valid, Commands: both, Topic: "stopping", Help: validHelp},
			console.Flag{Name: "metric", Value: &run.Metric, Commands: both, Setting: true, Needs: console.Need{Flags: "valid|cv", Error: needsValid}, Topic: "paths",
				Help: "`METRIC` of --valid, --cv: logloss, accuracy, ap, auc or pauc:LO,HI"},
			console.Flag{Name: "calibrate", Value: &run.calibrate, Commands: train, Setting: true, Choices: lanes.Calibrations(), Topic: "calibration",
				Help: "make scores probabilities, `HOW`: sigmoid, isotonic, temperature (softmax)"},
			console.Flag{Name: "inference", Value: &run.Inference, Commands: train, Topic: "inference", Help: "standard errors, tests and intervals of the weights; needs --lambda 0"}),
		console.Group("Evaluation", InferenceFlags(&run.Errors, &run.Coefficients, train)...),
		console.Group(console.OutputGroup,
			console.Flag{Name: "model", Value: &run.Model, Commands: train, Topic: "formats", Help: "write the model to `FILE` (LIBLINEAR's text; .npz for NumPy)"},
			console.Flag{Name: "sparse-model", Value: &run.Sparse, Commands: train, Needs: console.Need{Flags: "model"}, Topic: "formats", Rare: true, Help: "write only the non-zero weights, as JSON"},
			console.Flag{Name: "trace", Value: &run.Trace, Commands: both, Topic: "stopping", Rare: true, Help: fmt.Sprintf("write the recorded points to `FILE` (CSV), at most about %d", MostTraced)},
			console.Flag{Name: "plot", Value: &run.Plot, Commands: both, Help: "draw the run to `FILE`, .png or .svg"},
			console.Flag{Name: "html", Value: &run.Page, Commands: train, Help: "write a page to `FILE`: columns, weights, curves, calibration, the run"},
			console.Flag{Name: "full", Value: &run.Full, Commands: train, Topic: "paths", Rare: true, Help: "print every row of long tables, as paths or classes"},
			console.Flag{Name: "receipt", Value: &run.Receipt, Commands: train, Help: "write to `FILE` what 'lanes verify' needs to repeat the run (JSON)"}),
		console.Group("Resume", console.About("checkpoints",
			console.Flag{Name: "checkpoint", Value: &run.Checkpoint, Commands: train, Help: "save the state of the run to `FILE` from time to time"},
			console.Flag{Name: "checkpoint-every", Value: &run.CheckpointTime, Commands: train, Default: "30s", Range: console.Positive, Needs: console.Need{Flags: "checkpoint"}, Rare: true,
				Help: "time `T` between two checkpoints"},
			console.Flag{Name: "force", Value: &run.Force, Commands: train, Needs: console.Need{Flags: "checkpoint"}, Rare: true, Help: "replace a checkpoint that exists and is not resumed"},
			console.Flag{Name: "resume", Value: &run.Resume, Commands: train, Help: "continue from the checkpoint `FILE`: same data and parameters"},
			console.Flag{Name: "initial", Value: &run.Initial, Commands: train, Rare: true, Help: "start at the weights of `MODEL`, which has the same columns and labels"})...),
		console.Group(console.ResourcesGroup, console.About("streaming",
			console.Flag{Name: "memory", Value: &run.memory, Commands: train, Help: "stream rows within `SIZE`, as in 2GB (newton, sdca-newton, proximal-newton)"},
			console.Flag{Name: "max-memory", Value: &f.maxMemory, Rare: true, Help: "largest memory `SIZE` of a run with its rows in memory, as in 8GB"},
			console.Flag{Name: "shards", Value: &run.Shards, Commands: train, Setting: true, Rare: true,
				Range: console.Range{Holds: func(v float64) bool { return v > 0 && v <= solvers.MostShards && int(v)&(int(v)-1) == 0 },
					Want: fmt.Sprintf("it must be a power of two, at most %d", solvers.MostShards)},
				Help: "sum over rows in `N` shards, a power of two: N decides the bits (newton)"})...),
	)
}

// InferenceFlags declares how errors of weights are estimated and the file that they are written to, for
// some commands, which have a flag --inference.
func InferenceFlags(o *inference.Options, file *string, commands string) []console.Flag {
	return console.About("inference",
		console.Flag{Name: "covariance", Value: &o.Covariance, Commands: commands, Default: inference.Fisher, Choices: inference.Covariances(), Needs: console.Need{Flags: "inference"}, Rare: true,
			Help: "covariance of weights, `HOW`: fisher (default), hc0 to hc3, cluster (--group)"},
		console.Flag{Name: "level", Value: &o.Level, Commands: commands, Default: "0.95", Needs: console.Need{Flags: "inference"}, Rare: true,
			Range: console.Range{Holds: func(v float64) bool { return v > 0 && v < 1 }, Want: "give a share above 0 and below 1, as 0.95"},
			Help:  "`SHARE` of samples whose intervals hold the true weight"},
		console.Flag{Name: "coefficients", Value: file, Commands: commands, Needs: console.Need{Flags: "inference"}, Rare: true,
			Help: "write the weights with their errors to `FILE` (CSV), a line each"})
}

// Settings names the flags on which weights may depend.
func Settings() []string {
	names := []string{"seed"}
	for _, f := range Flags(&ProblemFlags{}, &RunFlags{}, 0) {
		if f.Setting {
			names = append(names, f.Name)
		}
	}
	return names
}

// chosenByFor maps the flags of what --for chooses by itself, or has no use for, to errors.
func chosenByFor() map[string]string {
	refused := map[string]string{}
	for _, name := range strings.Fields("solver loss huber lambda C l1 l1-groups penalty penalties nonnegative bounds sparse intercept class-weight multiclass path lambdas one-se hidden activation " +
		"fpr tpr range paper set batch shards tol gap grad metric patience valid initial memory") {
		refused[name] = fmt.Sprintf("--for tries solvers, lambdas and class weights by itself, on folds of DATA: leave --%s out", name)
	}
	return refused
}
