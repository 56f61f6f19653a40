package fitting

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/model"
)

// ProblemFlags say which problem the data pose.
type ProblemFlags struct {
	Data        input.DataFlags
	Loss        string
	huber       float64
	lambda, c   float64
	Bias        bool
	Normalize   string
	positive    string
	ClassWeight string
	NetworkFlags
	RelatedFlags
	SparseFlags
	WantedFlags
	fpr       string
	rankRange string
	paper     bool

	lambdaSet, cSet bool
	posed           bool // as in a paper
	Kind            kernels.Loss
	PositiveLabel   *float64
	weights         [2]float64 // of positives and negatives, where given as numbers
	rates           [2]float64
	ranks           func(rows int) (m, n int)
	maxMemory       string
	mostMemory      int64    // bytes, 0 where the machine and the data decide
	Solvers         []string // that are to run
}

var lossNames = []string{"logistic", "squared", "squared-hinge", "huber"}

// Register adds the flags to a command.
func (f *ProblemFlags) Register(cmd *cobra.Command) {
	f.Data.Register(cmd, true)
	flags := cmd.Flags()
	flags.StringVar(&f.Loss, "loss", "logistic", "loss: "+strings.Join(lossNames, ", "))
	flags.Float64Var(&f.huber, "huber", 1, "where the Huber loss turns linear")
	flags.Float64Var(&f.lambda, "lambda", 0, "weight of the regulariser lambda/2 ||w||^2 beside the mean loss (default 1/n)")
	flags.Float64Var(&f.c, "C", 0, "as in LIBLINEAR, in place of --lambda: lambda = 1/(C n)")
	flags.BoolVar(&f.Bias, "bias", false, "append a constant column of 1 (regularised like the rest)")
	flags.StringVar(&f.Normalize, "normalize", model.NormalizeNone, "none; unit: rows of length 1; minmax: columns from 0 to 1")
	flags.StringVar(&f.positive, "positive", "", "label of the positive class, against all others (default the larger of two)")
	flags.StringVar(&f.ClassWeight, "class-weight", "", "balanced, or POS:NEG as in 5:1")
	flags.StringVar(&f.maxMemory, "max-memory", "", "memory that a run may take, as in 8GB (default what is free, and no more than 4 GiB or 1000 times the data)")
	cmd.RegisterFlagCompletionFunc("loss", cobra.FixedCompletions(lossNames, cobra.ShellCompDirectiveNoFileComp))
	cmd.RegisterFlagCompletionFunc("normalize", cobra.FixedCompletions(
		[]string{model.NormalizeNone, model.NormalizeUnit, model.NormalizeMinMax}, cobra.ShellCompDirectiveNoFileComp))
}

// RegisterRanges adds the flags of solvers that rank.
func (f *ProblemFlags) RegisterRanges(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.fpr, "fpr", "0,0.05", "range LO,HI of false-positive rates, for solvers of the partial AUC")
	cmd.Flags().StringVar(&f.rankRange, "range", "0.02,0.6", "range M,N of ranked losses, or of shares of the rows (with a point), for the sorr solvers")
	cmd.Flags().BoolVar(&f.paper, "paper", false, "the setting of the solver's paper, for those that have --set paper=true: its parameters, and where no flag says otherwise its scaling, bias, lambda and range")
}

// Check turns the flags into values before anything is read.
func (f *ProblemFlags) Check(cmd *cobra.Command) (err error) {
	if f.Kind, err = kernels.ParseLoss(f.Loss); err != nil {
		return console.BadFlag("loss", f.Loss, "there are %s", strings.Join(lossNames, ", "))
	}
	f.lambdaSet, f.cSet = cmd.Flags().Changed("lambda"), cmd.Flags().Changed("C")
	switch {
	case f.lambdaSet && f.cSet:
		return console.Usagef("give --lambda or --C, not both: lambda = 1/(C n)")
	case f.lambdaSet && !(f.lambda >= 0 && f.lambda <= math.MaxFloat64):
		return console.BadFlag("lambda", f.lambda, "it must be a finite number, 0 or more")
	case f.cSet && !(f.c > 0 && f.c <= math.MaxFloat64 && 1/f.c <= math.MaxFloat64):
		return console.BadFlag("C", f.c, "it must be a finite number above 0, and lambda = 1/(C n) finite")
	case !(f.huber > 0 && f.huber <= math.MaxFloat64):
		return console.BadFlag("huber", f.huber, "it must be a finite number above 0")
	}
	switch f.Normalize {
	case model.NormalizeNone, model.NormalizeUnit, model.NormalizeMinMax:
	default:
		return console.BadFlag("normalize", f.Normalize, "there are none, unit and minmax")
	}
	if v, err := strconv.ParseFloat(f.positive, 64); err == nil && v-v != 0 {
		return console.BadFlag("positive", f.positive, "a label is a finite number")
	}
	if f.mostMemory, err = ParseMemory("max-memory", f.maxMemory); err != nil {
		return err
	}
	if f.ClassWeight != "" && f.ClassWeight != "balanced" {
		left, right, found := strings.Cut(f.ClassWeight, ":")
		positive, err1 := strconv.ParseFloat(left, 64)
		negative, err2 := strconv.ParseFloat(right, 64)
		if !found || err1 != nil || err2 != nil || !(positive >= 0 && negative >= 0) || positive+negative == 0 || math.IsInf(positive+negative, 0) {
			return console.BadFlag("class-weight", f.ClassWeight, "give balanced, or two numbers POS:NEG as in 5:1")
		}
		f.weights = [2]float64{positive, negative}
	}
	return nil
}

// Idle refuses the flags of a problem and its run that would have no effect with any of
// the solvers.
func (f *ProblemFlags) Idle(cmd *cobra.Command, run *RunFlags, solvers []string) error {
	batches, losses := false, true
	for _, name := range solvers {
		batches = batches || Description(name).Accepts.Batch
		losses = losses && !Description(name).Objective.Ranks()
	}
	sharded := slices.ContainsFunc(solvers, func(name string) bool { return Description(name).Accepts.Shards })
	return console.RefuseIdle(cmd,
		console.Goes("shards", sharded, "--solver newton, which alone runs by shards"),
		console.Goes("huber", f.Kind == kernels.Huber, "--loss huber"),
		console.Goes("loss", losses, "solvers of the mean loss; the surrogate of a ranking is chosen by --set"),
		console.Goes("batch", batches || Special(solvers[0]), "solvers of stochastic steps, as ai-sarah, svrg or adam"),
		console.Goes("force", run.Checkpoint != "", "--checkpoint"),
		console.Goes("checkpoint-every", run.Checkpoint != "", "--checkpoint"),
	)
}
