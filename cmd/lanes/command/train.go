package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/cmd/lanes/internal/plots"
	"github.com/lanes-go/lanes/cmd/lanes/internal/receipt"
	"github.com/lanes-go/lanes/cmd/lanes/internal/report"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

const trainLong = `train minimises the mean loss over the rows of DATA plus lambda/2 ||w||^2, and prints a report.
DATA is LIBSVM text, a cache of 'lanes convert', or with --target a table (CSV, TSV, Parquet,
JSON lines). Without DATA it uses generated data. Two labels are two classes; --multiclass
trains several; the squared and the Huber loss fit numbers.

Unless --epochs or a tolerance is given, a run stops at a duality gap of 1e-6. A run that ends
above its tolerance says so and has exit status 1. Ctrl-C ends a run with the best point so far.`

func trainCommand(a *console.App, repeated *receipt.Verification) *cli.Command {
	var f fitting.ProblemFlags
	var run fitting.RunFlags
	cmd := &cli.Command{
		Use:   "train [flags] [DATA...]",
		Short: "Train a model",
		Long:  trainLong,
		Example: `  lanes train                                   # generated data, as a demonstration
  lanes train adult.csv --target income-per-year --model adult.model
  lanes train a9a.xz --path --cv 5 --one-se --plot path.png --model a9a.model
  lanes train news20.xz --multiclass --C 1 --model news20.model
  lanes train w8a.xz --for ap --model w8a.model
  zcat data.gz | lanes train - --json --quiet`,
		Run: func(cmd *cli.Command, args []string) error {
			if run.List {
				return report.PrintSolvers(a, args)
			}
			if repeated == nil {
				args = input.OrStdin(a, args, &f.Data)
			}
			t := training{a: a, cmd: cmd, args: args, f: &f, run: &run, repeated: repeated}
			return t.train()
		},
	}
	console.Declare(cmd, fitting.Flags(&f, &run, fitting.DefaultPasses)...)
	cmd.Flags().Lookup("multiclass").NoOptDefVal = "rest"
	return cmd
}

// training is a run of train, from its flags to its report.
type training struct {
	a        *console.App
	cmd      *cli.Command
	args     []string
	name     string // of the solver
	f        *fitting.ProblemFlags
	run      *fitting.RunFlags
	repeated *receipt.Verification // nil but for the run that lanes verify makes

	parameters map[string]string
	problem    *fitting.Prepared
	files      console.Outputs
	timeLimit  time.Duration // --time of the run that a receipt repeats; the repetition has no limit
	proof      receipt.Receipt
}

func (t *training) train() error {
	if err := t.check(); err != nil {
		return err
	}
	if t.run.Memory > 0 {
		defer memory.Within(t.run.Memory)()
	}
	ctx, begun, stop := t.a.Interruptible(t.run.Time, t.silent())
	defer stop()
	err := t.read(ctx)
	if err := t.run.Settle(t.problem, err); err != nil {
		return err
	}
	begun()
	r, err := t.solve(ctx)
	if r == nil {
		return console.Plain(err)
	}
	return t.finish(r, err)
}

// silent reports whether nobody can see the run before its end: it prints no notes, writes no
// checkpoint, and reads one regular file instead of a pipe.
func (t *training) silent() bool {
	if !t.a.Quiet || t.run.Checkpoint != "" || len(t.args) != 1 {
		return false
	}
	info, err := os.Stat(t.args[0])
	return err == nil && info.Mode().IsRegular()
}

// check finds out what is wrong with the flags before anything is read.
func (t *training) check() (err error) {
	f, run, cmd := t.f, t.run, t.cmd
	run.Share(t.a)
	t.a.Full = run.Full
	if err := f.Check(); err != nil {
		return err
	}
	if err := t.checkTable(); err != nil {
		return err
	}
	if t.name, err = f.CheckTrain(run); err != nil {
		return err
	}
	if t.parameters, err = fitting.ParseSet(run.Set); err != nil {
		return err
	}
	if err := f.Papers(t.parameters, t.name); err != nil {
		return err
	}
	if _, err = fitting.FindSolver("solver", t.name, t.parameters); err != nil {
		return err
	}
	if err := run.Checkpoints(); err != nil {
		return err
	}
	if err := f.CheckSeveral(run, t.name); err != nil {
		return err
	}
	if err := f.CheckSolvers(cmd, run, t.name); err != nil {
		return err
	}
	if run.Model == "" && run.Page == "" && !f.Profiles(run) {
		if err := console.RefuseIdle(cmd, "--model, --html, and with --path --sparse --plot", "names"); err != nil {
			return err
		}
	}
	switch numpy := input.FormOf(run.Model) == input.NumPyForm; {
	case run.Sparse && numpy:
		return console.BadFlag("model", run.Model, "--sparse-model writes JSON, and .npz is for NumPy: choose one of them, and make the other by lanes convert")
	case f.Perceptron() && (run.Sparse || numpy):
		return console.BadFlag("model", run.Model, "a perceptron has one form, JSON: leave out --sparse-model, and .npz")
	}
	switch {
	case run.Streams() && !f.Data.Table.Given():
		t.args = input.Files(t.args)
	case len(t.args) > 1 && cmd.Flags().Changed("multiclass"):
		return console.Usagef("give one DATA, not %d; --multiclass takes rest or softmax", len(t.args))
	case len(t.args) > 1:
		return console.Usagef("give one DATA, not %d; only --memory and lanes-mpi join several caches", len(t.args))
	}
	if !run.Leads() {
		return f.CheckStreamed(cmd, run, t.name, t.args)
	}
	inputs := append([]string{run.Valid, run.Resume, run.Names, f.Data.Table.Recipe, f.Data.Labels}, t.args...)
	if !console.SameFile(run.Initial, run.Model) { // which may be trained further in its place
		inputs = append(inputs, run.Initial)
	}
	t.files = console.Outputs{"model": run.Model, "checkpoint": run.Checkpoint, "trace": run.Trace, "plot": run.Plot, "receipt": run.Receipt, "html": run.Page, "coefficients": run.Coefficients, "resumed": run.Resume}
	if err := t.files.Check(t.a.In, inputs...); err != nil {
		return err
	}
	if t.repeated != nil {
		f.Data.Repeated = true
		t.timeLimit, run.Time = run.Time, 0 // the run had time enough; here it may take longer
	}
	return f.CheckStreamed(cmd, run, t.name, t.args)
}

// read reads the data, and says what the run is to be.
func (t *training) read(ctx context.Context) (err error) {
	a, f, run := t.a, t.f, t.run
	t.proof.Format = receipt.Format
	var beside fitting.Beside
	if run.Names != "" {
		if beside.Names, err = input.ReadNames(run.Names); err != nil {
			return err
		}
	}
	var data *input.Dataset
	switch {
	case run.Streams() && f.Data.Table.Given():
		data, err = input.EncodeAside(a, t.args[0], &f.Data.Table, nil)
	case run.Streams():
		data, err = input.Open(t.args...)
	default:
		data, err = input.Load(a, t.args, &f.Data, sparse.ReadOptions{})
	}
	if err == nil {
		t.proof.Data, err = receipt.Identify("DATA", data, run, t.repeated)
	}
	if err == nil && data.Encoder != nil && (run.Receipt != "" || t.repeated != nil) {
		err = t.proof.Encoded(data.Encoder)
	}
	if err := run.Meet(data, receipt.Settings(t.cmd), err); err != nil {
		return err
	}
	_, columns, _ := data.Shape()
	if beside.Names != nil && len(beside.Names) != columns {
		return console.BadData(fmt.Errorf("%s has %d names, %s has %d columns: give one name for every column, up to the largest index", run.Names, len(beside.Names), data.Name, columns))
	}
	if run.Initial != "" {
		if beside.Initial, err = input.ReadModel(run.Initial); err != nil {
			return err
		}
	}
	if run.Valid != "" {
		valid, err := input.ReadLike(a, run.Valid, &f.Data, data)
		if err != nil {
			return err
		}
		t.proof.Valid = &receipt.Source{}
		if *t.proof.Valid, err = receipt.Identify("--valid", valid, run, t.repeated); err != nil {
			return err
		}
		if err := input.FitColumns(a, valid, columns); err != nil {
			return err
		}
		beside.Valid = valid
	}
	o := f.Options(run)
	o.Parameters, o.Paper = t.parameters, false // which Parameters say
	o.Settings.MaxTime = max(run.Time, t.timeLimit)
	if t.problem, err = f.Prepare(ctx, a, data, run, o, beside); err != nil {
		return err
	}
	noteShape(a, t.problem)
	if _, _, _, bias := t.problem.Shape(); bias == 0 && t.problem.Targets() {
		a.Note("the model has no intercept: it predicts 0 for a row of zeros; --intercept adds one, --bias a penalised one")
	}
	s := t.problem.Settings()
	if data.Stream != nil {
		if err := t.cmd.Flags().Set("shards", strconv.Itoa(s.Shards)); err != nil {
			return err
		}
	}
	if run.Initial != "" {
		t.proof.Initial, err = receipt.IdentifyStart(run, s.Initial, t.repeated)
	}
	if f.For != "" && t.problem.LogisticAlone() {
		a.Note("solvers that rank take no weights or offsets of rows: the search tries logistic fits alone")
	}
	if f.Softmax && t.problem.Classes() == nil {
		a.Note("two classes: one logistic fit, which is their softmax at twice its lambda")
	}
	return err
}

// noteShape says what was read.
func noteShape(a *console.App, p *fitting.Prepared) {
	n, _, nonZeros, _ := p.Shape()
	a.Note("%s: %d rows, %d columns, %d non-zeros; %s", p.Data.Name, n, p.Columns(), nonZeros, p.LabelText())
}

func (t *training) solve(ctx context.Context) (*fitting.Trained, error) {
	t.problem.Within(t.a, t.run.Time)
	switch {
	case t.run.Trace != "":
		t.a.Points = fitting.MostTraced
	case t.run.Plot != "" || t.run.Page != "":
		t.a.Points = fitting.MostPlotted
	}
	return fitting.Solve(ctx, t.a, t.f, t.problem, t.run)
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
	if t.problem.Normalize() != model.NormalizeNone && run.Model != "" && run.Form() == input.OwnForm && t.problem.Network() == nil {
		a.Note("liblinear-predict does not normalise: give it rows that are (lanes predict does it by itself)")
	}
	if err := a.Tell(r.Notes); err != nil {
		return err
	}
	if !run.Leads() {
		return ending(a, run, r, runErr)
	}
	saving := saveRun(a, f, run, r)
	if run.Receipt != "" {
		saving = errors.Join(saving, a.Write("receipt", run.Receipt, t.proof.Write))
	}
	var files map[string]string
	if saving == nil {
		files = t.files.Files()
	}
	if err := report.PrintTraining(a, r, t.problem.Settings(), files); err != nil && saving == nil {
		saving = err
	}
	return errors.Join(ending(a, run, r, runErr), saving)
}

// saveRun writes the files that were asked for; a failure of one does not keep
// the others from being written.
func saveRun(a *console.App, f *fitting.ProblemFlags, run *fitting.RunFlags, r *fitting.Trained) error {
	s := r.Problem.Settings()
	var errs []error
	if run.Model != "" {
		if r.Model != nil {
			errs = append(errs, input.WriteModel(a, r.Model, run.Model, run.Form()))
		}
	}
	counted := r.Minimised == solvers.SparseLoss
	switch {
	case run.Trace != "" && r.Related != nil:
		errs = append(errs, a.Write("trace", run.Trace, func(w io.Writer) error { return report.WriteTraces(w, r.TraceColumn, r.Traces, counted) }))
	case run.Trace != "":
		errs = append(errs, a.Write("trace", run.Trace, func(w io.Writer) error { return report.WriteTrace(w, r.Points, counted) }))
	}
	switch {
	case run.Coefficients != "" && r.Inference == nil:
		errs = append(errs, fmt.Errorf("no coefficients were written to %s: a run that did not converge has no errors of weights", run.Coefficients))
	case run.Coefficients != "":
		errs = append(errs, report.WriteCoefficients(a, run.Coefficients, r.Inference, r.Model))
	}
	if run.Plot != "" {
		errs = append(errs, plots.DrawTraining(a, run.Plot, r, s))
	}
	if run.Page != "" && r.Model != nil {
		seen := report.MeasureTraining(a, r, &f.Data, run)
		errs = append(errs, a.Write("page", run.Page, func(w io.Writer) error { return report.WriteTrainingPage(w, a, r, seen) }))
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
		return fmt.Errorf("interrupted after %.4g epochs; the best point has the objective %.8g, %s", r.Total.Epochs, r.Objective, saved)
	case r.Status == solvers.Diverged:
		return fmt.Errorf("the run diverged after %.4g epochs: a number stopped being finite; the result is the best point before. Try a smaller step (--set step=...), --normalize, or --solver ai-sarah, which finds its own", r.Total.Epochs)
	}
	if r.Status == solvers.NoMinimum && r.Made == 0 {
		return errors.New("no minimum: the loss falls forever along some weights, and nothing penalises them; add a penalty by --lambda")
	}
	missed, grave := notSolved(r)
	switch {
	case missed != "" && (grave || !run.Budgeted()):
		return errors.New(missed)
	case missed != "":
		a.Note("%s", missed)
	case r.Status == solvers.Stalled:
		a.Note("numerical precision reached after %.4g epochs", r.Total.Epochs)
	}
	return nil
}

// notSolved says how far a run is from its tolerance, "" where it has none or met it. grave
// says that no budget would bring it nearer.
func notSolved(r *fitting.Trained) (text string, grave bool) {
	s := &r.Used
	switch {
	case r.Unsolved > 0:
		return fmt.Sprintf("not solved: %d of %d %s (%s)", r.Unsolved, r.Made, r.What, wanted(s)), r.Worst == solvers.Stalled || r.Worst == solvers.NoMinimum
	case r.Made > 0 || !r.Result.Missed(s):
		return "", false
	}
	reached := fmt.Sprintf("gap %.3g", r.Gap)
	switch {
	case s.GapTolerance == 0:
		reached = fmt.Sprintf("gradient norm %.3g", r.GradientNorm)
	case r.Gap-r.Gap != 0:
		reached = "no gap is known"
	}
	return fmt.Sprintf("not solved: %s (%s); %s after %.4g epochs", reached, wanted(s), r.Status, r.Total.Epochs), r.Status == solvers.Stalled
}

// wanted names the tolerance of a run.
func wanted(s *solvers.Settings) string {
	if s.GapTolerance == 0 {
		return fmt.Sprintf("wanted a gradient norm of %g", s.GradientTolerance)
	}
	return fmt.Sprintf("wanted %g", s.GapTolerance)
}
