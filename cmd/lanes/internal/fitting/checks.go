package fitting

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/pauc"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/solvers/score"
)

// Check reads the values of the flags before any data are read.
func (f *ProblemFlags) Check() (err error) {
	if f.Kind, err = kernels.ParseLoss(f.Loss); err != nil {
		return console.BadFlag("loss", f.Loss, "%v", console.Plain(err))
	}
	if v, err := strconv.ParseFloat(f.positive, 64); err == nil && v-v != 0 {
		return console.BadFlag("positive", f.positive, "a label is a finite number")
	}
	if f.mostMemory, err = ParseMemory("max-memory", f.maxMemory); err != nil {
		return err
	}
	if f.ClassWeight != "" && f.ClassWeight != "balanced" {
		positive, negative, err := twoNumbers(f.ClassWeight, ":")
		if err != nil || !(positive >= 0 && negative >= 0) || positive+negative == 0 || math.IsInf(positive+negative, 0) {
			return console.BadFlag("class-weight", f.ClassWeight, "give balanced, or two numbers POS:NEG as in 5:1")
		}
		f.weights = [2]float64{positive, negative}
	}
	return nil
}

// CheckTrain reads the flags of train alone, and returns the name of the solver.
func (f *ProblemFlags) CheckTrain(run *RunFlags) (solver string, err error) {
	if f.For != "" {
		if _, _, _, err := related.MetricFor(f.For); err != nil {
			return "", console.BadFlag("for", f.For, "%v", console.Plain(err))
		}
		if run.Streams() {
			return "", console.Usagef("--for needs all rows in the memory of one process")
		}
		f.Bias = f.Bias || !f.biasSet
	}
	f.multiclass, f.Softmax = f.how != "", f.how == "softmax"
	ofL1 := f.l1Set || f.sparse
	if solver = run.Solver; solver == AutoName {
		switch {
		case ofL1:
			solver = elasticnet.ProximalNewton{}.Name()
		case (run.Shards > 0 || run.Streams()) && !f.Softmax:
			solver = erm.Newton{}.Name()
		}
	}
	if ofL1 && !f.lambdaSet {
		f.lambda, f.lambdaSet = 0, true
	}
	return solver, nil
}

// uses says which solvers take a flag.
var uses = []struct {
	flag  string
	takes func(d *solvers.Description) bool
	with  string
}{
	{"shards", func(d *solvers.Description) bool { return d.Accepts.Shards }, "--solver newton, which alone runs by shards"},
	{"loss", func(d *solvers.Description) bool { return !d.Objective.Ranks() }, "solvers of the mean loss; the surrogate of a ranking is chosen by --set"},
	{"batch", func(d *solvers.Description) bool { return d.Accepts.Batch }, "solvers of stochastic steps, as ai-sarah, svrg or adam; those that rank take --set"},
	{"class-weight", func(d *solvers.Description) bool { return !Special(d.Name) }, "solvers of the mean loss"},
	{"fpr", func(d *solvers.Description) bool { return d.Accepts.Rates }, "solvers of the partial AUC, as agd-sbcd"},
	{"range", func(d *solvers.Description) bool { return d.Accepts.Ranks }, "solvers of the sum of ranked range, as sorr-agd"},
	{"hidden", func(d *solvers.Description) bool { return d.Accepts.Hidden && d.Objective.Ranks() }, "adap, agd-sbcd and most other solvers that rank"},
	{"l1", takesL1, proximalNewton}, {"sparse", takesL1, proximalNewton},
	{"intercept", func(d *solvers.Description) bool { return d.Accepts.Intercept }, "--solver auto, newton, sdca-newton or proximal-newton"},
}

const proximalNewton = "--solver proximal-newton"

func takesL1(d *solvers.Description) bool { return d.Accepts.L1 }

// CheckSolvers refuses the flags that would have no effect with any of the solvers, and reads
// those that only some solvers have.
func (f *ProblemFlags) CheckSolvers(cmd *cobra.Command, run *RunFlags, names ...string) (err error) {
	for _, use := range uses {
		if !slices.ContainsFunc(names, func(name string) bool { d := Description(name); return use.takes(&d) }) {
			if err := console.RefuseIdle(cmd, use.with, use.flag); err != nil {
				return err
			}
		}
	}
	if f.Kind != kernels.Huber {
		if err := console.RefuseIdle(cmd, "--loss huber", "huber"); err != nil {
			return err
		}
	}
	if f.hidden != "" {
		if f.Network.Hidden, err = score.ParseHidden(f.hidden); err != nil {
			return console.BadFlag("hidden", f.hidden, "%v", console.Plain(err))
		}
		if f.Activation == "" {
			f.Activation = score.Tanh.String()
		}
		if f.Network.Activation, err = score.ParseActivation(f.Activation); err != nil {
			return console.BadFlag("activation", f.Activation, "%v", console.Plain(err))
		}
	}
	if err := f.checkRanges(); err != nil {
		return err
	}
	f.Solvers = names
	for _, name := range names {
		if err := f.checkRanking(run, name); err != nil {
			return err
		}
	}
	return nil
}

// checkRanges reads --fpr and --range.
func (f *ProblemFlags) checkRanges() error {
	var err error
	if f.rates[0], f.rates[1], err = ParseRates("fpr", f.fpr); err != nil {
		return err
	}
	low, high, err := twoNumbers(f.rankRange, ",")
	shares := strings.Contains(f.rankRange, ".")
	switch {
	case f.ranks != nil: // of a paper
	case err != nil || !(low >= 0 && low < high), shares && high > 1, !shares && high > math.MaxInt32:
		return console.BadFlag("range", f.rankRange, "give two ranks M,N with 0 <= M < N, or two shares of the rows, as in 0.02,0.6")
	case shares:
		f.ranks = func(rows int) (m, n int) { return pauc.Ranks(low, high, rows) }
	default:
		f.ranks = func(int) (m, n int) { return int(low), int(high) }
	}
	return nil
}

// ParseRates reads a range LO,HI of false-positive rates.
func ParseRates(flag, text string) (low, high float64, err error) {
	low, high, err = twoNumbers(text, ",")
	if err != nil || !(low >= 0 && low < high && high <= 1) {
		return 0, 0, console.BadFlag(flag, text, "give two rates LO,HI with 0 <= LO < HI <= 1, as in 0,0.05")
	}
	return low, high, nil
}

// twoNumbers reads two numbers with a separator between them.
func twoNumbers(text, separator string) (a, b float64, err error) {
	left, right, _ := strings.Cut(text, separator)
	a, err1 := strconv.ParseFloat(left, 64)
	b, err2 := strconv.ParseFloat(right, 64)
	return a, b, errors.Join(err1, err2)
}

// tightLambda is the usual regulariser of the structural SVM, as in the library.
const tightLambda = 1e-4

// checkRanking sets what is usual for a solver that does not train the mean loss: a bias and
// validation by the metric that it trains.
func (f *ProblemFlags) checkRanking(run *RunFlags, name string) error {
	d := Description(name)
	switch {
	case !Special(name):
		return nil
	case f.Kind != kernels.Logistic:
		return console.BadFlag("loss", f.Loss, "%s has the logistic loss", name)
	case run.Gap > 0 && !d.Accepts.Gap:
		return console.BadFlag("gap", run.Gap, "%s has no duality gap; use --grad, --time or --valid", name)
	}
	if !f.biasSet {
		f.Bias = f.hidden == "" && !f.posed
	}
	if d.Objective == solvers.StructuralSVM && !f.lambdaSet && !f.cSet {
		f.lambda, f.lambdaSet = tightLambda, true
	}
	if run.Valid != "" && run.Metric == "" {
		switch d.Objective {
		case solvers.AveragePrecision:
			run.Metric = "ap"
		case solvers.PartialAUC, solvers.StructuralSVM:
			run.Metric = fmt.Sprintf("pauc:%v,%v", f.rates[0], f.rates[1])
		}
	}
	return nil
}

// Papers turns --paper into the parameter that it stands for, and poses the problem as the
// paper of the solvers does where that parameter is set, unless other flags say otherwise.
func (f *ProblemFlags) Papers(parameters map[string]string, names ...string) error {
	known := false
	for _, name := range names {
		paper := Description(name).Paper
		known = known || paper.Section != ""
		set := parameters["paper"] + parameters[name+".paper"]
		if on, err := strconv.ParseBool(set); paper.Section == "" || !f.paper && (err != nil || !on) {
			continue
		}
		f.posed = true
		if !f.lambdaSet && !f.cSet && !paper.PerRow {
			f.lambda, f.lambdaSet = paper.Lambda, true
		}
		if !f.normalizeSet {
			switch {
			case paper.Scaled:
				f.Normalize = model.NormalizeMinMax
			case paper.Unit:
				f.Normalize = model.NormalizeUnit
			}
		}
		if paper.Bias && !f.biasSet {
			f.Bias = true
		}
		if paper.High > 0 && !f.fprSet {
			f.fpr = fmt.Sprintf("%v,%v", paper.Low, paper.High)
		}
		if paper.N > 0 && !f.rangeSet {
			f.ranks = pauc.PaperRanks
		}
	}
	switch {
	case f.paper && !known:
		return console.BadFlag("paper", f.paper, "no setting of a paper is known of %s", strings.Join(names, ", "))
	case f.paper && parameters["paper"] != "":
		return console.BadFlag("set", "paper="+parameters["paper"], "--paper sets it too")
	case f.paper:
		parameters["paper"] = "true"
	}
	return nil
}

// CheckSeveral reads --lambdas and refuses several fits that cannot be made.
func (f *ProblemFlags) CheckSeveral(run *RunFlags, solver string) error {
	switch {
	case f.Softmax && (solver != AutoName || f.intercept):
		return console.Usagef("--multiclass softmax has a solver of its own: leave --solver, --l1 and --intercept out")
	case f.Softmax && f.Kind != kernels.Logistic:
		return console.BadFlag("loss", f.Loss, "--multiclass softmax is the logistic loss of several classes")
	case f.Softmax && f.lambdaSet && f.lambda == 0:
		return console.BadFlag("lambda", f.lambda, "--multiclass softmax needs one above 0")
	case f.Several() && Special(solver):
		return console.Usagef("--multiclass, --path and --cv fit losses; %s trains something else", solver)
	case f.multiclass && run.Valid != "" && !f.Path:
		return console.Usagef("--valid goes with two classes, or with --path; measure a model of several with lanes eval")
	case f.Path && !f.sparse && (f.lambdaSet || f.cSet):
		return console.Usagef("--path takes --lambdas HIGH:LOW[:POINTS], not --lambda or --C")
	case f.Folds != 0 && f.lambdaSet && f.lambda == 0 && f.l1 == 0 && !f.sparse:
		return console.Usagef("--cv needs a positive lambda")
	}
	f.points = defaultPoints
	if f.lambdas == "" {
		return nil
	}
	parts := strings.Split(f.lambdas, ":")
	var err1, err2, err3 error
	if len(parts) == 3 {
		f.points, err3 = strconv.Atoi(parts[2])
	}
	if len(parts) == 2 || len(parts) == 3 {
		f.high, err1 = strconv.ParseFloat(parts[0], 64)
		f.low, err2 = strconv.ParseFloat(parts[1], 64)
	}
	if len(parts) < 2 || len(parts) > 3 || errors.Join(err1, err2, err3) != nil {
		return console.BadFlag("lambdas", f.lambdas, "write HIGH:LOW or HIGH:LOW:POINTS, as in 0.1:1e-5:15")
	}
	if _, err := related.Lambdas(f.high, f.low, f.points); err != nil {
		return console.BadFlag("lambdas", f.lambdas, "%v", console.Plain(err))
	}
	return nil
}

// Several tells whether more than one fit is asked for.
func (f *ProblemFlags) Several() bool { return f.multiclass || f.Path || f.Folds != 0 }
