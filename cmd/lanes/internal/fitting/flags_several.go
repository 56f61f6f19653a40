package fitting

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/solvers/related"
)

// RelatedFlags ask for several fits on the same rows.
type RelatedFlags struct {
	multiclass bool
	how        string // several classes are trained
	Softmax    bool
	Path       bool
	lambdas    string
	Folds      int
	oneError   bool

	high, low float64 // of the path, 0 for the default
	points    int
}

// defaultPoints is the length of a path whose ends are given.
const defaultPoints = 20

// Register adds the flags to a command.
func (f *RelatedFlags) Register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.how, "multiclass", "", "train several classes: rest, every one against the rest, or softmax, one model with probabilities of all")
	flags.Lookup("multiclass").NoOptDefVal = "rest"
	cmd.RegisterFlagCompletionFunc("multiclass", cobra.FixedCompletions([]string{"rest", "softmax"}, cobra.ShellCompDirectiveNoFileComp))
	flags.BoolVar(&f.Path, "path", false, "train for many lambdas, each from the one before; keep the best by --valid or --cv, or else the last")
	flags.StringVar(&f.lambdas, "lambdas", "", fmt.Sprintf("HIGH:LOW[:POINTS] of --path, with %d points (default from where lambda decides all down to 1/n and a 1e4th at least, and on while --valid or --cv improve)", defaultPoints))
	flags.IntVar(&f.Folds, "cv", 0, "cross-validate in this many folds by --metric, then train on all rows")
	flags.BoolVar(&f.oneError, "one-se", false, "keep the largest lambda within one standard error of the best by --cv")
}

// Several tells whether more than one fit is asked for.
func (f *RelatedFlags) Several() bool { return f.multiclass || f.Path || f.Folds != 0 }

// Check reads --lambdas and refuses what does not go together.
func (f *RelatedFlags) Check(cmd *cobra.Command, all *ProblemFlags, run *RunFlags, solver string) error {
	changed := cmd.Flags().Changed
	switch f.how {
	case "rest":
		f.multiclass = true
	case "softmax":
		f.multiclass, f.Softmax = true, true
	default:
		if f.how != "" || changed("multiclass") {
			return console.BadFlag("multiclass", f.how, "there are rest and softmax")
		}
	}
	switch {
	case f.Softmax && solver != AutoName:
		return console.Usagef("--multiclass softmax has a solver of its own: leave --solver, --l1 and --intercept out")
	case f.Softmax && all.Kind != kernels.Logistic:
		return console.BadFlag("loss", all.Loss, "--multiclass softmax is the logistic loss of several classes")
	case f.Softmax && all.lambdaSet && all.lambda == 0:
		return console.BadFlag("lambda", all.lambda, "--multiclass softmax needs one above 0")
	}
	switch {
	case f.lambdas != "" && !f.Path:
		return console.Usagef("--lambdas goes with --path")
	case f.oneError && !(f.Path && f.Folds != 0):
		return console.Usagef("--one-se goes with --path and --cv")
	case !f.Several() && !changed("cv"):
		return nil
	case Special(solver):
		return console.Usagef("--multiclass, --path and --cv fit losses; %s trains something else", solver)
	case changed("cv") && f.Folds < 2:
		return console.BadFlag("cv", f.Folds, "there must be two folds at least")
	case f.multiclass && all.positive != "":
		return console.Usagef("give --multiclass, or --positive V for one class against the rest, not both")
	case f.multiclass && run.Valid != "" && !f.Path:
		return console.Usagef("--valid goes with two classes, or with --path; measure a model of several with lanes eval")
	case f.Path && !all.sparse && (all.lambdaSet || all.cSet):
		return console.Usagef("--path takes --lambdas HIGH:LOW[:POINTS], not --lambda or --C")
	case f.Folds != 0 && run.Valid != "":
		return console.Usagef("give --valid DATA or --cv K, not both")
	case f.Path && changed("patience"):
		return console.Usagef("--patience goes with one lambda: on a path every fit runs to its target")
	case f.Folds != 0 && all.lambdaSet && all.lambda == 0 && all.l1 == 0 && !all.sparse:
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

// list returns the lambdas of a path, or the one lambda; the first of them are fitted in
// any case, as many as least says (0 for all).
func (f *ProblemFlags) list(p *Prepared) (lambdas []float64, least int, err error) {
	switch {
	case !f.Path && p.path:
		return []float64{p.L1}, 0, nil
	case !f.Path:
		return []float64{p.Lambda}, 0, nil
	case f.high == 0 && !f.sparse && p.Several != nil:
		c, _ := f.eachClass(p, registry.Ready{})
		if lambdas, least, err = related.UsualClassLambdas(c); err != nil {
			err = console.BadData(console.Plain(err))
		}
		return lambdas, least, err
	case f.high == 0 && f.sparse:
		lambdas, err = f.sparseList(p)
		return lambdas, 0, err
	case f.high == 0:
		if lambdas, least, err = related.UsualLambdas(&p.Problem); err != nil {
			err = console.BadData(console.Plain(err))
		}
		return lambdas, least, err
	}
	lambdas, err = related.Lambdas(f.high, f.low, f.points)
	return lambdas, 0, err
}
