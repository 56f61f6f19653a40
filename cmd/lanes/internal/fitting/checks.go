package fitting

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/solvers/score"
)

// Check reads the values of the flags before any data are read.
func (f *ProblemFlags) Check() (err error) {
	parameter := 0.0
	if f.huberSet && loss.TakesDelta(f.Loss) {
		parameter = f.huber
	}
	if f.Phi, err = loss.Parse(f.Loss, parameter); err != nil {
		return console.BadFlag("loss", f.Loss, "%v", console.Plain(err))
	}
	if v, err := strconv.ParseFloat(f.positive, 64); err == nil && v-v != 0 {
		return console.BadFlag("positive", f.positive, "a label is a finite number")
	}
	if f.mostMemory, err = ParseMemory("max-memory", f.maxMemory); err != nil {
		return err
	}
	if err := f.readFactors(); err != nil {
		return err
	}
	if err := f.readBounds(); err != nil {
		return err
	}
	if err := f.readGroups(); err != nil {
		return err
	}
	f.Data.Table.MaxMemory, f.Data.Table.Positive = f.mostMemory, f.positive
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
		if slices.Contains([]string{"loss", "mse", "mae", "deviance"}, f.For) {
			return "", console.BadFlag("for", f.For, "it searches trainings of two classes; numbers are searched by --path --cv 5 --one-se --metric %s", f.For)
		}
		if _, err := related.MetricFor(f.For); err != nil {
			return "", console.BadFlag("for", f.For, "%v", console.Plain(err))
		}
		if run.Streams() {
			return "", console.Usagef("--for needs all rows in the memory of one process")
		}
	}
	f.multiclass, f.Softmax = f.how != "", f.how == "softmax"
	if run.Solver == "" {
		return "", UnknownSolver("solver", run.Solver, lanes.SolverNames())
	}
	if f.l1Set && run.Solver == lanes.Auto && !f.Softmax {
		run.Solver = elasticnet.ProximalNewton{}.Name()
	}
	o := f.Options(run)
	if run.ranks != nil {
		o.Settings.Ranks = run.ranks
	}
	return f.Search(o).SolverName(), nil
}

// partFlags are the flags that ask solvers for a part. hint says what else to do.
var partFlags = []struct {
	flag string
	part solvers.Parts
	hint string
}{
	{"shards", solvers.Shards, ""}, {"loss", solvers.Losses, "; the surrogate of a ranking is chosen by --set"},
	{"batch", solvers.Batch, "; solvers that rank take --set"}, {"class-weight", solvers.Weights, ""},
	{"fpr", solvers.Rates, ""}, {"tpr", solvers.MinTPR, ""}, {"range", solvers.RankRange, ""}, {"hidden", solvers.Hidden, ""},
	{"l1", solvers.L1, ""}, {"l1-groups", solvers.L1, ""}, {"penalty", solvers.L1, ""}, {"penalties", solvers.L1, ""}, {"nonnegative", solvers.L1, ""}, {"bounds", solvers.L1, ""}, {"sparse", solvers.L1, ""}, {"intercept", solvers.Intercept, ""},
}

// given tells whether a command has a flag and its line sets it.
func given(cmd *cli.Command, name string) bool {
	flag := cmd.Flags().Lookup(name)
	return flag != nil && flag.Changed
}

// asked returns the parts that flags, a limit of memory and several processes ask for.
func asked(cmd *cli.Command, run *RunFlags) (parts solvers.Parts) {
	for _, use := range partFlags {
		if given(cmd, use.flag) {
			parts |= use.part
		}
	}
	if run.Streams() {
		parts |= solvers.Shards
	}
	if run.ranks != nil {
		parts |= solvers.Processes
	}
	return parts
}

// lacking returns the error of the first solver if none of several takes a part, else nil. The solvers that it names take all
// that is asked, as far as there are any.
func lacking(names []string, part, asked solvers.Parts) (lacks *solvers.LacksError) {
	for _, name := range slices.Backward(names) {
		d := lanes.Solver(name)
		if !errors.As(risk.Refuse(d.Family, d.Name, d.Accepts|^part, part|asked, nil), &lacks) {
			return nil
		}
	}
	return lacks
}

// CheckSolvers refuses flags that would have no effect with any of the solvers, and reads the
// flags that only some solvers have.
func (f *ProblemFlags) CheckSolvers(cmd *cli.Command, run *RunFlags, names ...string) (err error) {
	for _, use := range partFlags {
		if !given(cmd, use.flag) {
			continue
		}
		if lacks := lacking(names, use.part, asked(cmd, run)); lacks != nil {
			if err := console.RefuseIdle(cmd, lacks.Takers()+use.hint, use.flag); err != nil {
				return err
			}
		}
	}
	if !loss.TakesDelta(f.Loss) {
		if err := console.RefuseIdle(cmd, "--loss huber", "huber"); err != nil {
			return err
		}
	}
	if f.hidden != "" {
		if f.hiddenUnits, err = score.ParseHidden(f.hidden); err != nil {
			return console.BadFlag("hidden", f.hidden, "%v", console.Plain(err))
		}
	}
	if err := f.checkRanges(); err != nil {
		return err
	}
	for _, name := range names {
		switch {
		case !Special(name):
		case !f.Phi.Odds():
			return console.BadFlag("loss", f.Loss, "%s has the logistic loss", name)
		case run.Gap > 0 && lacking([]string{name}, solvers.Gap, 0) != nil:
			return console.BadFlag("gap", run.Gap, "%s has no duality gap; use --grad, --time or --valid", name)
		case run.tolerance > 0:
			return console.BadFlag("tol", run.tolerance, "%s has no duality gap; use --grad, --time or --valid", name)
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
	f.ranks = lanes.RankRange{Low: low, High: high, Shares: strings.Contains(f.rankRange, ".")}
	if err != nil || !(low >= 0 && low < high) || f.ranks.Shares && high > 1 || high > math.MaxInt32 {
		return console.BadFlag("range", f.rankRange, "give two ranks M,N with 0 <= M < N, or two shares of the rows, as in 0.02,0.6")
	}
	return nil
}

// Rate is the range of a least true-positive rate.
var Rate = console.Range{Holds: func(v float64) bool { return v >= 0 && v < 1 }, Want: "give a true-positive rate of 0 or more and below 1, as in 0.5"}

// ParseRates reads a range LO,HI of false-positive rates.
func ParseRates(flag, text string) (low, high float64, err error) {
	low, high, err = twoNumbers(text, ",")
	if err != nil || !(low >= 0 && low < high && high <= 1) {
		return 0, 0, console.BadFlag(flag, text, "give two rates LO,HI with 0 <= LO < HI <= 1, as in 0,0.05")
	}
	return low, high, nil
}

// ParseCosts reads the costs of wrong decisions, fp=A,fn=B.
func ParseCosts(flag, text string) (c lanes.Costs, err error) {
	for _, part := range strings.Split(text, ",") {
		name, number, _ := strings.Cut(part, "=")
		v, wrong := strconv.ParseFloat(number, 64)
		to := map[string]*float64{"fp": &c.FalsePositive, "fn": &c.FalseNegative}[name]
		if to == nil || *to != 0 {
			wrong = strconv.ErrSyntax
		} else {
			*to = v
		}
		err = errors.Join(err, wrong)
	}
	if err != nil || c.Check() != nil {
		return c, console.BadFlag(flag, text, "give two costs above 0, of a false positive and of a false negative, as in fp=1,fn=5")
	}
	return c, nil
}

// twoNumbers reads two numbers with a separator between them.
func twoNumbers(text, separator string) (a, b float64, err error) {
	left, right, _ := strings.Cut(text, separator)
	a, err1 := strconv.ParseFloat(left, 64)
	b, err2 := strconv.ParseFloat(right, 64)
	return a, b, errors.Join(err1, err2)
}

// Papers turns --paper into the parameter that it stands for.
func (f *ProblemFlags) Papers(parameters map[string]string, names ...string) error {
	known := slices.ContainsFunc(names, func(name string) bool { return lanes.Solver(name).PaperSetting.Section != "" })
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
	case f.Softmax && (f.factorsOf != nil || f.boundsOf != nil):
		return console.Usagef("--multiclass softmax takes no factors and no bounds of weights: leave --penalty, --penalties, --nonnegative and --bounds out, or train every class against the rest by --multiclass")
	case f.Softmax && run.Solver != lanes.Auto:
		return console.Usagef("--multiclass softmax has solvers of its own: leave --solver out")
	case f.Softmax && !f.Phi.Odds():
		return console.BadFlag("loss", f.Loss, "--multiclass softmax is the logistic loss of several classes")
	case f.Softmax && f.lambdaSet && f.lambda == 0 && f.l1 == 0 && !f.sparse:
		return console.BadFlag("lambda", f.lambda, "--multiclass softmax needs one above 0, or --l1")
	case f.Several() && Special(solver):
		return console.Usagef("--multiclass, --path and --cv fit losses; %s trains something else", solver)
	case f.multiclass && run.Valid != "" && !f.Path && !f.Softmax:
		return console.Usagef("--valid goes with two classes, --multiclass softmax or --path; measure other models of several classes with lanes eval")
	case f.Path && !f.sparse && (f.lambdaSet || f.cSet || f.l1Set):
		return console.Usagef("--path takes --lambdas HIGH:LOW[:POINTS], not --lambda, --C or --l1; for the L1 norm add --sparse")
	case f.Folds != 0 && f.lambdaSet && f.lambda == 0 && f.l1 == 0 && !f.sparse:
		return console.Usagef("--cv needs a positive lambda")
	}
	if f.lambdas == "" {
		return nil
	}
	points := defaultPoints
	parts := strings.Split(f.lambdas, ":")
	var high, low float64
	var err1, err2, err3 error
	if len(parts) == 3 {
		points, err3 = strconv.Atoi(parts[2])
	}
	if len(parts) == 2 || len(parts) == 3 {
		high, err1 = strconv.ParseFloat(parts[0], 64)
		low, err2 = strconv.ParseFloat(parts[1], 64)
	}
	if len(parts) < 2 || len(parts) > 3 || errors.Join(err1, err2, err3) != nil {
		return console.BadFlag("lambdas", f.lambdas, "write HIGH:LOW or HIGH:LOW:POINTS, as in 0.1:1e-5:15")
	}
	var err error
	if f.weightsOf, err = related.Lambdas(high, low, points); err != nil {
		return console.BadFlag("lambdas", f.lambdas, "%v", console.Plain(err))
	}
	return nil
}

// Several tells whether more than one fit is asked for.
func (f *ProblemFlags) Several() bool { return f.multiclass || f.Path || f.Folds != 0 }

// Profiles tells whether weights are drawn by their names: along a path of L1 norms.
func (f *ProblemFlags) Profiles(run *RunFlags) bool { return f.sparse && run.Plot != "" }

// FindPositive numbers the labels of data and reads --positive as a label of data. The label is a
// number, or a word if the labels of data are words.
func (f *ProblemFlags) FindPositive(data *input.Dataset) error {
	data.NumberLabels()
	if f.positive == "" {
		return nil
	}
	if data.LabelNames == nil {
		label, err := input.ParseLabel(f.positive)
		f.PositiveLabel = label
		return err
	}
	k := slices.Index(data.LabelNames, f.positive)
	if k < 0 {
		return console.BadData(fmt.Errorf("%s: no row has the label %s, which is to be the positive class%s", data.Name, f.positive, data.Legend()))
	}
	label := float64(k + 1)
	if len(data.LabelNames) == 2 {
		label = float64(2*k - 1)
	}
	f.PositiveLabel = &label
	return nil
}

// Perceptron tells whether a perceptron is trained.
func (f *ProblemFlags) Perceptron() bool { return len(f.hiddenUnits) > 0 }
