package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/cmd/lanes/internal/plots"
	"github.com/lanes-go/lanes/cmd/lanes/internal/receipt"
	"github.com/lanes-go/lanes/cmd/lanes/internal/report"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/sparse"
)

const trainLong = `train minimises the mean loss over the rows of DATA plus lambda/2 ||w||^2 and
prints how it went. Without DATA it uses a generated data set.

Classification takes exactly two distinct labels, of which the larger is the
positive class; --positive V puts the class V against the rest. The squared and
the Huber loss fit targets where there are more than two distinct labels. Labels may be
words (spam 1:0.3 ...): the later of two in the alphabet is the positive one, --positive
takes a word, and predict --labels prints them. --zero-based reads texts whose indices
start at 0; the model remembers it.

--multiclass trains every class against the rest in one run; budgets and targets are
those of each class, and the objective and the gap reported are the sums. --multiclass
softmax trains one model of all classes, with their probabilities. --path
trains for a falling sequence of lambdas, each from the solution before, and keeps the
last, or the best by the --metric of --valid DATA or of --cv K folds. Without --lambdas
it goes down to 1/n and a 1e4th of the largest at least, and on for as long as the metric
improves, a 1e6th further at most. --cv K scores
every fold of the rows by a fit on the others (folds hold equal shares of the classes,
and minmax scaling is fitted without them), and then trains on all rows. Checkpoints
of such runs keep the fits that ended and those that run; to resume one, give the same
--passes and targets.
With --multiclass all classes have one lambda, and --metric is logloss, accuracy,
balanced_accuracy or macro_f1 of all.

A run ends at a tolerance (--gap, --grad, the best --valid metric), when a budget (--passes,
--time) is spent, or when numerical precision is reached: nothing improves any more in
float64. Without tolerance and --passes, the tolerance is a gap of 1e-6 (without a
regulariser: a gradient norm of 1e-6), which --time caps. --time counts from the start of
the command, reading included. A run that ends above its tolerance says so (not solved: gap
0.59 (wanted 1e-06)) and has exit status 1, unless a budget that was given ended it. Of
several fits it says how many were not solved. The objective reported is P of the weights
reported. Where rounding moves it by more than the gap, or in its first digits, it is
computed by compensated sums; --json has a bound of its error.

Ctrl-C, or a terminal that is closed, ends a run with the best point so far, saved where a
model or a checkpoint was asked for, and exit status 1. With --checkpoint a run survives any end: --resume continues it to
the same bits. A checkpoint that exists is kept unless it is resumed or --force is given;
one that cannot be written is tried again while the run goes on.

--memory SIZE trains on more rows than memory holds: DATA is a cache of 'lanes convert',
whose rows stay in the file and are read in every sweep, and the run takes no more memory
than SIZE, by Newton's method. Several caches, or a pattern of their names, are one data
set, in the order of their names. What there is room for stays in memory. The rows are cut
into shards, by their number and size alone, and summed in one fixed tree, so that the
bits depend neither on SIZE nor on the machine; --shards sets their number, and with it a
run in memory has the same bits.

--C agrees with LIBLINEAR for the logistic loss (-s 0, -s 7). The squared hinge has a
factor 1/2 here: LIBLINEAR's -s 2 at C is --C 2C.

Solvers that rank (ap and pauc in --list) train the average precision, or the area under
the ROC curve over the false-positive rates --fpr; those of the sum of ranked range the mean
of the losses of --range. They need no target, and --valid measures what they train. --paper
has them as in the experiments of their papers: the parameters, the scaling, lambda and the
range that these fix, no bias, and the last point for a result.

--initial MODEL begins at the weights of a model of the same columns and labels, where
runs begin at 0, and solvers that rank at a logistic fit: a path with its first lambda,
folds too.

--names FILE gives the columns names, one a line: the model keeps them, and 'lanes info
--top K' shows its largest weights by them.

--for METRIC finds out by itself: ap (average precision), auc, pauc:LO,HI (the part of auc
between two false-positive rates, which --fpr is for other solvers) or logloss. It fits the
logistic loss on folds of the rows (--cv K, 5 by default, with equal shares of the classes)
for falling lambdas, plain and with class weights, then solvers that rank from the best of
these, and trains on all rows what was best on the folds: the simplest that no other one
beats by more than a standard error. The report has a table of what was tried; --plot draws
it, --html writes a page. --passes is the budget of the search, of which a fit of a fold's
rows counts as any other: what is begun is finished, and the best so far is trained. --time
gives three quarters of what it says to the search. Ctrl-C says what is best so far, and with
--checkpoint the search can be resumed, to the same bits.

--l1 adds the L1 norm, which leaves few weights other than 0: the lasso, or with --lambda
the elastic net; --intercept a constant that nothing holds down. --path --sparse trains for
a falling sequence of weights of that norm, 100 from where all weights are 0; --plot draws
the weights along it, and how many are not 0.

--solver auto, the default, takes proximal-newton for these, sdca-newton where the data have
more columns than rows, and newton elsewhere and where there is no regulariser.`

func trainCommand(a *console.App, repeated *receipt.Verification) *cobra.Command {
	var f fitting.ProblemFlags
	var run fitting.RunFlags
	var name string
	var list bool
	cmd := &cobra.Command{
		Use:   "train [flags] [DATA...]",
		Short: "Train a model",
		Long:  trainLong,
		Example: `  lanes train                                   # generated data, as a demonstration
  lanes train a9a.xz --model a9a.model --gap 1e-6
  lanes train news20.xz --positive 3 --normalize unit --bias --solver svrg
  lanes train news20.xz --multiclass --C 1 --model news20.model
  lanes train a9a.xz --path --cv 5 --one-se --plot path.png --model a9a.model
  lanes train news20.xz --multiclass softmax --path --cv 5 --metric macro_f1 --model news20.model
  lanes train a9a.xz --path --lambdas 0.1:1e-6:15 --valid a9a.t.xz --metric auc
  lanes train w8a.xz --solver agd-sbcd --fpr 0,0.05 --valid w8a.t.xz
  lanes train sector.xz --positive 1 --l1 1e-4 --intercept --model few.model
  lanes train a9a.xz --path --sparse --cv 5 --one-se --intercept --model few.model
  lanes train w8a.xz --for ap --model w8a.model
  lanes train w8a.xz --for pauc:0,0.05 --plot tried.png --html tried.html
  lanes train big.zst --checkpoint run.ckpt --time 1h
  lanes train big.zst --resume run.ckpt --checkpoint run.ckpt
  lanes train today.zst --initial yesterday.model --model today.model
  lanes train big.lanes --memory 2GB --model big.model
  lanes train 'part-*.lanes' --memory 2GB
  zcat data.gz | lanes train - --json --quiet`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if list {
				return report.PrintSolvers(a)
			}
			t := training{a: a, cmd: cmd, args: args, name: name, f: &f, run: &run, repeated: repeated}
			return t.train()
		},
	}
	f.Register(cmd)
	f.RegisterRanges(cmd)
	f.NetworkFlags.Register(cmd)
	f.RelatedFlags.Register(cmd)
	f.SparseFlags.Register(cmd)
	f.WantedFlags.Register(cmd)
	run.Register(cmd, fitting.DefaultPasses)
	flags := cmd.Flags()
	flags.StringVar(&name, "solver", "auto", "solver; --list shows them")
	flags.BoolVar(&list, "list", false, "list the solvers and their parameters")
	flags.IntVar(&run.Shards, "shards", 0, "sum over the rows by so many shards in a fixed tree, a power of two, as streamed and distributed runs do; another number gives other bits (default none)")
	run.RegisterMemory(cmd)
	flags.StringVar(&run.Model, "model", "", "write the model to FILE (LIBLINEAR's text format; JSON with --hidden; arrays for NumPy where the name ends in .npz)")
	flags.BoolVar(&run.Sparse, "sparse-model", false, "write to --model only the weights that are not 0, as JSON, with the names of their columns")
	flags.StringVar(&run.Names, "names", "", "names of the columns, one a line (plain or compressed), for the model and for plots")
	flags.StringVar(&run.Trace, "trace", "", fmt.Sprintf("write the recorded points to FILE as CSV (of more than %d every second, fourth, ..., the best and the last)", fitting.MostTraced))
	flags.StringVar(&run.Receipt, "receipt", "", "write to FILE (JSON) what it takes to repeat the run; lanes verify does it")
	flags.StringVar(&run.Checkpoint, "checkpoint", "", "save the state of the run to FILE")
	flags.BoolVar(&run.Force, "force", false, "let --checkpoint replace a file that exists and is not resumed")
	flags.DurationVar(&run.CheckpointTime, "checkpoint-every", 30*time.Second, "time between two checkpoints")
	flags.StringVar(&run.Resume, "resume", "", "continue from the checkpoint FILE: same data, solver, parameters, batch and seed")
	flags.StringVar(&run.Initial, "initial", "", "begin at the weights of this model, of the same columns and labels")
	flags.StringVar(&run.Valid, "valid", "", "end when the metric on this data stops improving; the best point is kept")
	flags.StringVar(&run.Metric, "metric", "", "metric of --valid: logloss (default), accuracy, ap, auc, pauc:LO,HI; of several classes logloss, accuracy, balanced_accuracy, macro_f1; mse for a regression")
	flags.IntVar(&run.Patience, "patience", 5, "recorded points without improvement of the --valid metric that end a run")
	cmd.RegisterFlagCompletionFunc("solver", fitting.CompleteSolvers)
	return cmd
}

// training is a run of train, from its flags to its report.
type training struct {
	a        *console.App
	cmd      *cobra.Command
	args     []string
	name     string // of the solver
	f        *fitting.ProblemFlags
	run      *fitting.RunFlags
	repeated *receipt.Verification // nil but for the run that lanes verify makes

	settings   solvers.Settings
	parameters map[string]string
	method     registry.Ready
	problem    *fitting.Prepared
	proof      receipt.Receipt
}

func (t *training) train() error {
	if err := t.check(); err != nil {
		return err
	}
	if t.run.Memory > 0 {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(t.run.Memory))
	}
	ctx, begun, stop := t.a.Interruptible(t.run.Time, t.unseen())
	defer stop()
	err := t.read()
	if err := t.run.Settle(t.problem, &t.settings, err); err != nil {
		return err
	}
	begun()
	r, err := t.solve(ctx)
	if r == nil {
		return console.Plain(err)
	}
	return t.finish(r, err)
}

// unseen tells whether the run shows nothing of itself before its end: no note, no
// checkpoint, and nothing that is taken from a pipe.
func (t *training) unseen() bool {
	if !t.a.Quiet || t.run.Checkpoint != "" || len(t.args) != 1 {
		return false
	}
	info, err := os.Stat(t.args[0])
	return err == nil && info.Mode().IsRegular()
}

// check finds out what is wrong with the flags before anything is read.
func (t *training) check() (err error) {
	f, run, cmd := t.f, t.run, t.cmd
	if t.settings, err = run.Check(cmd, t.a, fitting.DefaultPasses); err != nil {
		return err
	}
	if err := f.Check(cmd); err != nil {
		return err
	}
	if err := f.WantedFlags.Check(cmd, f, run); err != nil {
		return err
	}
	other := cmd.Flags().Changed("l1") || cmd.Flags().Lookup("multiclass").Value.String() == "softmax" // which choose the solver
	if t.name == fitting.AutoName && (run.Shards > 0 || run.Streams()) && !other {
		t.name = erm.Newton{}.Name()
	}
	if err := f.SparseFlags.Check(cmd, f, &t.name); err != nil {
		return err
	}
	if t.parameters, err = fitting.ParseSet(run.Set); err != nil {
		return err
	}
	if err := f.Papers(cmd, t.parameters, t.name); err != nil {
		return err
	}
	if t.method, err = fitting.FindSolver("solver", t.name, t.parameters); err != nil {
		return err
	}
	if run.Valid == "" && (run.Metric != "" && f.Folds == 0 || cmd.Flags().Changed("patience")) {
		return console.Usagef("--metric and --patience go with --valid DATA, --metric with --cv K too")
	}
	if err := run.Checkpoints(); err != nil {
		return err
	}
	if err := f.NetworkFlags.Check(cmd, t.name); err != nil {
		return err
	}
	if err := f.Ranges(cmd, t.name); err != nil {
		return err
	}
	if err := f.RelatedFlags.Check(cmd, f, run, t.name); err != nil {
		return err
	}
	if fitting.Special(t.name) {
		if err := f.Ranking(cmd, run, t.name); err != nil {
			return err
		}
	}
	if err := console.RefuseIdle(cmd, console.Goes("names", run.Model != "" || f.Profiles(run), "--model, and with --path --sparse --plot"), console.Goes("sparse-model", run.Model != "", "--model")); err != nil {
		return err
	}
	switch numpy := input.FormOf(run.Model) == input.NumPyForm; {
	case run.Sparse && numpy:
		return console.BadFlag("model", run.Model, "--sparse-model writes JSON, and .npz is for NumPy: choose one of them, and make the other by lanes convert")
	case len(f.Network.Hidden) > 0 && (run.Sparse || numpy):
		return console.BadFlag("model", run.Model, "a perceptron has one form, JSON: leave out --sparse-model, and .npz")
	}
	if err := f.Idle(cmd, run, []string{t.name}); err != nil {
		return err
	}
	f.Solvers = []string{t.name}
	switch {
	case run.Streams():
		t.args = input.Files(t.args)
	case len(t.args) > 1 && cmd.Flags().Changed("multiclass"):
		return console.Usagef("give one DATA, not %d; of --multiclass there are rest and softmax", len(t.args))
	case len(t.args) > 1:
		return console.Usagef("give one DATA, not %d: several caches are one data set where rows stay in their files (--memory, lanes-mpi)", len(t.args))
	}
	if !run.Leads() {
		return f.CheckStreamed(cmd, run, t.name, t.args)
	}
	inputs := append([]string{run.Valid, run.Resume, run.Names}, t.args...)
	if !console.SameFile(run.Initial, run.Model) { // which may be trained further in its place
		inputs = append(inputs, run.Initial)
	}
	files := console.Outputs{"model": run.Model, "checkpoint": run.Checkpoint, "trace": run.Trace, "plot": run.Plot, "receipt": run.Receipt, "html": f.Page, "resumed": run.Resume}
	if err := files.Check(t.a.In, inputs...); err != nil {
		return err
	}
	if t.repeated != nil {
		f.Data.Repeated = true
		run.Time, t.settings.MaxTime = 0, 0 // the run had time enough; here it may take longer
	}
	return f.CheckStreamed(cmd, run, t.name, t.args)
}

// read reads the data, and says what the run is to be.
func (t *training) read() (err error) {
	a, f, run := t.a, t.f, t.run
	t.proof.Format = receipt.Format
	var names []string
	if run.Names != "" {
		if names, err = input.ReadNames(run.Names); err != nil {
			return err
		}
	}
	t.problem, err = pose(a, t.args, f, run, func(data *input.Dataset, err error) error {
		if err == nil {
			t.proof.Data, err = receipt.Identify("DATA", data, run, t.repeated)
		}
		return run.Meet(data, receipt.Settings(t.cmd), err)
	})
	if err != nil {
		return err
	}
	if names != nil {
		if err := t.problem.Named(names, run.Names); err != nil {
			return err
		}
	}
	if t.settings.Shards, err = run.ShardsOf(t.cmd, t.problem); err != nil {
		return err
	}
	run.DefaultTarget(&t.settings, t.problem)
	if fitting.Special(t.name) || f.For != "" { // whose fits have targets of their own
		run.RankingBudget(&t.settings)
	}
	if run.Initial != "" {
		if t.settings.Initial, err = f.Start(run, t.problem); err != nil {
			return err
		}
		if t.proof.Initial, err = receipt.IdentifyStart(run, t.settings.Initial, t.repeated); err != nil {
			return err
		}
	}
	if run.Valid != "" {
		v, err := fitting.Validate(a, f, run, t.problem, func(data *input.Dataset) (err error) {
			t.proof.Valid = &receipt.Source{}
			*t.proof.Valid, err = receipt.Identify("--valid", data, run, t.repeated)
			return err
		})
		if err != nil {
			return err
		}
		t.settings.Validation = v
	}
	return nil
}

// pose reads the data and makes the problem of them; look sees them as they were read, or
// why they were not.
func pose(a *console.App, args []string, f *fitting.ProblemFlags, run *fitting.RunFlags, look func(*input.Dataset, error) error) (*fitting.Prepared, error) {
	var data *input.Dataset
	var err error
	if run.Streams() {
		data, err = input.Open(args...)
	} else {
		data, err = input.Load(a, args, &f.Data, sparse.ReadOptions{})
	}
	if err := look(data, err); err != nil {
		return nil, err
	}
	p, err := f.Prepare(data, run)
	if err != nil {
		return nil, err
	}
	if err := run.CheckTarget(p); err != nil {
		return nil, err
	}
	n, _, nonZeros, _ := p.Shape()
	a.Note("%s: %d rows, %d columns, %d non-zeros; %s", data.Name, n, p.Columns, nonZeros, p.LabelText())
	if f.Softmax && p.Several == nil {
		a.Note("two classes: one logistic fit, which is their softmax at twice its lambda")
	}
	return p, nil
}

func (t *training) solve(ctx context.Context) (*fitting.Trained, error) {
	a, f, run := t.a, t.f, t.run
	if run.Time > 0 {
		t.settings.MaxTime = max(run.Time-time.Since(a.Start), 1)
	}
	switch {
	case run.Trace != "":
		a.Points = fitting.MostTraced
	case run.Plot != "":
		a.Points = fitting.MostPlotted
	}
	if t.problem.Several != nil && f.Softmax && !f.Path && f.Folds == 0 {
		return fitting.SolveSoftmax(ctx, a, f, t.problem, t.settings)
	}
	if f.For != "" {
		return fitting.SolveWanted(ctx, a, f, t.problem, run, t.settings)
	}
	if t.problem.Several != nil || f.Path || f.Folds > 0 {
		return fitting.SolveSeveral(ctx, a, f, t.problem, t.method, run, t.settings)
	}
	return fitting.Solve(ctx, a, t.problem, t.method, t.settings)
}

// finish saves and reports what came of a run, or gives it to lanes verify.
func (t *training) finish(r *fitting.Trained, runErr error) error {
	a, f, run := t.a, t.f, t.run
	if run.Receipt != "" || t.repeated != nil {
		if err := t.proof.Complete(t.cmd, f, run, r, t.parameters); err != nil {
			return err
		}
	}
	switch {
	case t.repeated != nil && r.Status == solvers.Cancelled:
		return errors.New("interrupted: the run was not repeated to its end")
	case t.repeated != nil:
		t.repeated.Again = &t.proof
		return nil
	}
	if f.Normalize != model.NormalizeNone && run.Model != "" && run.Form() == input.OwnForm && t.problem.Model == nil {
		a.Note("liblinear-predict does not normalise: give it rows that are (lanes predict does it by itself)")
	}
	if !run.Leads() {
		return ending(a, run, r, runErr)
	}
	saving := saveRun(a, f, run, r, t.settings)
	if run.Receipt != "" {
		saving = errors.Join(saving, a.Write("receipt", run.Receipt, t.proof.Write))
	}
	if err := report.PrintTraining(a, f, r, t.settings); err != nil && saving == nil {
		saving = err
	}
	return errors.Join(ending(a, run, r, runErr), saving)
}

// saveRun writes the files that were asked for; a failure of one does not keep
// the others from being written.
func saveRun(a *console.App, f *fitting.ProblemFlags, run *fitting.RunFlags, r *fitting.Trained, s solvers.Settings) error {
	var errs []error
	if run.Model != "" {
		m, err := f.NewModel(r.Problem, r.Result)
		if err == nil {
			err = input.WriteModel(a, m, run.Model, run.Form())
		}
		errs = append(errs, err)
	}
	counted := fitting.Description(r.Solver).Accepts.L1
	switch {
	case run.Trace != "" && r.Related != nil:
		errs = append(errs, a.Write("trace", run.Trace, func(w io.Writer) error { return report.WriteTraces(w, r.TraceColumn, r.Traces, counted) }))
	case run.Trace != "":
		errs = append(errs, a.Write("trace", run.Trace, func(w io.Writer) error { return report.WriteTrace(w, r.Points, counted) }))
	}
	switch {
	case run.Plot != "" && r.Related != nil:
		errs = append(errs, plots.DrawSeveral(a, run.Plot, r, s))
	case run.Plot != "":
		errs = append(errs, plots.DrawRun(a, run.Plot, r.Solver, r.Points, s))
	}
	if f.Page != "" {
		errs = append(errs, a.Write("page", f.Page, func(w io.Writer) error { return report.WriteWantedPage(w, f, r) }))
	}
	return errors.Join(errs...)
}

// ending is the error that a run's end amounts to, if any.
func ending(a *console.App, run *fitting.RunFlags, r *fitting.Trained, err error) error {
	saved := "it was not saved (no --model, no --checkpoint)"
	if run.Model != "" || run.Checkpoint != "" {
		saved = "it is saved"
	}
	switch {
	case err != nil:
		return console.Plain(err)
	case r.Status == solvers.Cancelled:
		return fmt.Errorf("interrupted after %.4g passes; the best point has the objective %.8g, %s", r.Total.Passes, r.Objective, saved)
	case r.Status == solvers.Diverged:
		return fmt.Errorf("the run diverged after %.4g passes: a number stopped being finite; the result is the best point before. Try a smaller step (--set step=...), --normalize, or --solver ai-sarah, which finds its own", r.Total.Passes)
	}
	missed, grave := notSolved(r)
	switch {
	case missed != "" && (grave || !run.Budgeted()):
		return errors.New(missed)
	case missed != "":
		a.Note("%s", missed)
	case r.Status == solvers.Stalled:
		a.Note("numerical precision reached after %.4g passes", r.Total.Passes)
	}
	return nil
}

// notSolved says how far a run is from its tolerance, "" where it has none or met it. grave
// says that no budget would bring it nearer.
func notSolved(r *fitting.Trained) (text string, grave bool) {
	s := &r.Used
	switch {
	case r.Missed > 0:
		return fmt.Sprintf("not solved: %d of %d %s (%s)", r.Missed, r.Fits, r.What, wanted(s)), r.Worst == solvers.Stalled
	case r.Fits > 0 || !r.Result.Missed(s):
		return "", false
	}
	reached := fmt.Sprintf("gap %.3g", r.Gap)
	switch {
	case s.GapTolerance == 0:
		reached = fmt.Sprintf("gradient norm %.3g", r.GradientNorm)
	case r.Gap-r.Gap != 0:
		reached = "no gap is known"
	}
	return fmt.Sprintf("not solved: %s (%s); %s after %.4g passes", reached, wanted(s), r.Status, r.Total.Passes), r.Status == solvers.Stalled
}

// wanted names the tolerance of a run.
func wanted(s *solvers.Settings) string {
	if s.GapTolerance == 0 {
		return fmt.Sprintf("wanted a gradient norm of %g", s.GradientTolerance)
	}
	return fmt.Sprintf("wanted %g", s.GapTolerance)
}
