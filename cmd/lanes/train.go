package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
)

func (a *app) trainCommand() *cobra.Command {
	var f problemFlags
	var run runFlags
	var name string
	var list bool
	cmd := &cobra.Command{
		Use:   "train [flags] [DATA]",
		Short: "Train a model",
		Long: `train minimises the mean loss over the rows of DATA plus lambda/2 ||w||^2 and
prints how it went. Without DATA it uses a generated data set.

Classification takes exactly two distinct labels, of which the larger is the
positive class; --positive V puts the class V against the rest. The squared and
the Huber loss fit targets where there are more than two distinct labels. Labels may be
words (spam 1:0.3 ...): the later of two in the alphabet is the positive one, --positive
takes a word, and predict --labels prints them. --zero-based reads texts whose indices
start at 0; the model remembers it.

--multiclass trains every class against the rest in one run; budgets and targets are
those of each class, and the objective and the gap reported are the sums. --path
trains for a falling sequence of lambdas, each from the solution before, and keeps the
last, or the best by the --metric of --valid DATA or of --cv K folds. Without --lambdas
it goes down to 1/n and a 1e4th of the largest at least, and on for as long as the metric
improves, a 1e6th further at most. --cv K scores
every fold of the rows by a fit on the others (folds hold equal shares of the classes,
and minmax scaling is fitted without them), and then trains on all rows. Checkpoints
of such runs keep the finished fits; to resume one, give the same --passes and targets.

A run ends at a target (--gap, --grad, the best --valid metric) or when a budget
(--passes, --time) is spent; both are success. Without targets and --passes it ends at a
gap of 1e-6 (without a regulariser: at a gradient norm of 1e-6), which --time caps. --time
counts from the start of the command, reading included. A run also ends where nothing
improves any more at the precision of float64: with success, unless --gap or --grad asked
for more. Ctrl-C, or a terminal that is
closed, ends it with the best point so far, saved where a model or a checkpoint was asked
for, and exit status 1. With --checkpoint a run survives any end: --resume continues it to
the same bits. A checkpoint that exists is kept unless it is resumed or --force is given;
one that cannot be written is tried again while the run goes on.

--C agrees with LIBLINEAR for the logistic loss (-s 0, -s 7). The squared hinge has a
factor 1/2 here: LIBLINEAR's -s 2 at C is --C 2C.

Solvers that rank (ap and pauc in --list) train the average precision, or the area under
the ROC curve over the false-positive rates --fpr; those of the sum of ranked range the mean
of the losses of --range. They need no target, and --valid measures what they train.

--solver auto, the default, takes sdca-newton where the data have more columns than
rows, and newton elsewhere and where there is no regulariser.`,
		Example: `  lanes train                                   # generated data, as a demonstration
  lanes train a9a.xz --model a9a.model --gap 1e-6
  lanes train news20.xz --positive 3 --normalize unit --bias --solver svrg
  lanes train news20.xz --multiclass --C 1 --model news20.model
  lanes train a9a.xz --path --cv 5 --one-se --plot path.png --model a9a.model
  lanes train a9a.xz --path --lambdas 0.1:1e-6:15 --valid a9a.t.xz --metric auc
  lanes train w8a.xz --solver agd-sbcd --fpr 0,0.05 --valid w8a.t.xz
  lanes train big.zst --checkpoint run.ckpt --time 1h
  lanes train big.zst --resume run.ckpt --checkpoint run.ckpt
  zcat data.gz | lanes train - --json --quiet`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if list {
				return a.listSolvers()
			}
			return a.train(cmd, args, name, &f, &run)
		},
	}
	f.register(cmd)
	f.registerRanges(cmd)
	f.networkFlags.register(cmd)
	f.relatedFlags.register(cmd)
	run.register(cmd, defaultPasses)
	flags := cmd.Flags()
	flags.StringVar(&name, "solver", "auto", "solver; --list shows them")
	flags.BoolVar(&list, "list", false, "list the solvers and their parameters")
	flags.StringVar(&run.model, "model", "", "write the model to FILE (LIBLINEAR's text format; JSON with --hidden)")
	flags.StringVar(&run.trace, "trace", "", fmt.Sprintf("write the recorded points to FILE as CSV (of more than %d every second, fourth, ..., the best and the last)", mostTraced))
	flags.StringVar(&run.receipt, "receipt", "", "write to FILE (JSON) what it takes to repeat the run; lanes verify does it")
	flags.StringVar(&run.checkpoint, "checkpoint", "", "save the state of the run to FILE")
	flags.BoolVar(&run.force, "force", false, "let --checkpoint replace a file that exists and is not resumed")
	flags.DurationVar(&run.checkpointTime, "checkpoint-every", 30*time.Second, "time between two checkpoints")
	flags.StringVar(&run.resume, "resume", "", "continue from the checkpoint FILE: same data, solver, parameters, batch and seed")
	flags.StringVar(&run.valid, "valid", "", "end when the metric on this data stops improving; the best point is kept")
	flags.StringVar(&run.metric, "metric", "", "metric of --valid: logloss (default), accuracy, ap, auc, pauc:LO,HI; mse for a regression")
	flags.IntVar(&run.patience, "patience", 5, "recorded points without improvement of the --valid metric that end a run")
	cmd.RegisterFlagCompletionFunc("solver", cobra.FixedCompletions(solverNames(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

const autoAbout = "sdca-newton or newton, by the problem"

func (a *app) listSolvers() error {
	var list []solvers.Description
	for _, s := range registry.All() {
		list = append(list, s.Description)
	}
	if a.json {
		return a.printJSON(map[string]any{"auto": autoAbout, "solvers": list})
	}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\t%s\n", autoName, autoAbout)
	for _, d := range list {
		fmt.Fprintf(w, "%s\t%s\n", d.Name, d.About)
		for _, p := range d.Parameters {
			fmt.Fprintf(w, "  --set %s=\t%s (default %s)\n", p.Name, p.About, p.Default)
		}
	}
	w.Flush()
	return a.print("%s", text.String())
}

// trained is a run with all that is reported of it.
type trained struct {
	*solvers.Result
	problem *prepared
	used    solvers.Settings
	points  []solvers.Point
	seconds float64 // of the clock
	metrics map[string]float64

	related     *relatedReport // nil for a single fit
	traces      []fitTrace     // of several fits
	traceColumn string
}

func (a *app) train(cmd *cobra.Command, args []string, name string, f *problemFlags, run *runFlags) error {
	settings, err := run.check(cmd, a, defaultPasses)
	if err != nil {
		return err
	}
	if err := f.check(cmd); err != nil {
		return err
	}
	parameters, err := parseSet(run.set)
	if err != nil {
		return err
	}
	method, err := solver(name, parameters)
	if err != nil {
		return err
	}
	if run.valid == "" && (run.metric != "" && f.folds == 0 || cmd.Flags().Changed("patience")) {
		return usagef("--metric and --patience go with --valid DATA, --metric with --cv K too")
	}
	if err := run.checkpoints(); err != nil {
		return err
	}
	if err := f.networkFlags.check(cmd, name); err != nil {
		return err
	}
	if err := f.ranges(cmd, name); err != nil {
		return err
	}
	if err := f.relatedFlags.check(cmd, f, run, name); err != nil {
		return err
	}
	if special(name) {
		if err := f.ranking(cmd, run, name); err != nil {
			return err
		}
	}
	if err := f.idle(cmd, run, []string{name}); err != nil {
		return err
	}
	f.solvers = []string{name}
	files := outputs{"model": run.model, "checkpoint": run.checkpoint, "trace": run.trace, "plot": run.plot, "receipt": run.receipt, "resumed": run.resume}
	if err := files.check(a.in, append([]string{run.valid, run.resume}, args...)...); err != nil {
		return err
	}
	if a.verifying != nil {
		run.time, settings.MaxTime = 0, 0 // the run had time enough; here it may take longer
	}
	ctx, begun, stop := a.interruptible(run.time)
	defer stop()
	data, err := a.load(args, &f.data, sparse.ReadOptions{})
	if err != nil {
		return err
	}
	proof := receipt{Format: receiptFormat}
	if proof.Data, err = a.identify("DATA", data, run); err != nil {
		return err
	}
	p, err := f.prepare(data)
	if err != nil {
		return err
	}
	if err := run.checkTarget(p.Lambda); err != nil {
		return err
	}
	run.defaultTarget(&settings, p.Lambda)
	if special(name) {
		run.rankingBudget(&settings)
	}
	if run.valid != "" {
		v, identity, err := a.validate(f, run, p)
		if err != nil {
			return err
		}
		settings.Validation, proof.Valid = v, &identity
	}
	a.note("%s: %d rows, %d columns, %d non-zeros; %s", data.name, p.X.Rows(), p.columns, p.X.NNZ(), p.labelText())

	begun()
	if run.time > 0 {
		settings.MaxTime = max(run.time-time.Since(a.start), 1)
	}
	switch {
	case run.trace != "":
		a.points = mostTraced
	case run.plot != "":
		a.points = mostPlotted
	}
	var r *trained
	var runErr error
	if p.several != nil || f.path || f.folds > 0 {
		r, runErr = a.solveSeveral(ctx, f, p, method, run, settings)
	} else {
		r, runErr = a.solve(ctx, p, method, settings)
	}
	if r == nil {
		return plain(runErr)
	}
	if run.receipt != "" || a.verifying != nil {
		if err := proof.complete(cmd, f, run, r, parameters); err != nil {
			return err
		}
	}
	switch {
	case a.verifying != nil && r.Status == solvers.Cancelled:
		return errors.New("interrupted: the run was not repeated to its end")
	case a.verifying != nil:
		a.verifying.again = &proof
		return nil
	}
	if f.normalize != model.NormalizeNone && run.model != "" && p.model == nil {
		a.note("liblinear-predict does not normalise: give it rows that are (lanes predict does it by itself)")
	}
	saving := a.saveRun(f, run, r, settings)
	if run.receipt != "" {
		saving = errors.Join(saving, a.write("receipt", run.receipt, proof.write))
	}
	if err := a.reportTraining(f, r, settings); err != nil && saving == nil {
		saving = err
	}
	return errors.Join(a.ending(run, r, settings, runErr), saving)
}

// refused sorts an error of a run that was not begun: the checkpoint was another run's,
// nothing was finished in time, a file failed, or what was asked for cannot be.
func refused(err error) error {
	var system *fs.PathError
	switch {
	case errors.Is(err, solvers.ErrResume), errors.Is(err, related.ErrFewRows):
		return dataError{plain(err)}
	case errors.Is(err, solvers.ErrCheckpointInUse), errors.Is(err, errNotBegun), errors.As(err, &system),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return plain(err)
	}
	return usageError{plain(err)}
}

// plain drops the name of the package that an error comes from.
func plain(err error) error {
	for _, prefix := range []string{"solvers: ", "erm: ", "sdca: ", "ap: ", "pauc: ", "score: ", "related: ", "model: "} {
		if rest, found := strings.CutPrefix(err.Error(), prefix); found {
			return errors.New(rest)
		}
	}
	return err
}

// solve runs a solver and measures its result on the training rows.
func (a *app) solve(ctx context.Context, p *prepared, method registry.Ready, settings solvers.Settings) (*trained, error) {
	start := time.Now()
	if method.Name == autoName {
		var err error
		if method, err = solver(auto.Choose(&p.Problem), nil); err != nil {
			return nil, err
		}
	}
	watch := a.newProgress(method.Name, settings)
	settings.Recorder = watch
	result, err := minimise(ctx, p, method, settings)
	seconds := time.Since(start).Seconds()
	watch.stop()
	if result == nil {
		return nil, refused(err)
	}
	r := &trained{Result: result, problem: p, used: settings, points: watch.points(), seconds: seconds, metrics: map[string]float64{}}
	if settings.Validation != nil && result.Metric-result.Metric == 0 {
		r.metrics["valid_"+settings.Validation.Name()] = result.Metric
	}
	if wrong := a.measure(r, method); err == nil {
		err = wrong
	}
	return r, err
}

// measure adds the metrics of the training rows.
func (a *app) measure(r *trained, m registry.Ready) (err error) {
	p, result := r.problem, r.Result
	if r.metrics == nil {
		r.metrics = map[string]float64{}
	}
	pool := sparse.NewPool(a.workers)
	defer pool.Close()
	scores := make([]float64, p.X.Rows())
	if p.scorer().All(pool, scores, result.Weights) != nil {
		return nil
	}
	if p.regression {
		r.metrics["train_mse"], _ = meanSquare(scores, p.Y, nil)
	} else if accuracy, wrong := metrics.Accuracy(scores, p.Y, nil); wrong == nil {
		r.metrics["train_accuracy"] = accuracy
	}
	if description(result.Solver).Objective.Ranks() {
		err = rankingMetrics(r.metrics, scores, p.Y, m, p.rates)
	}
	return err
}

// saveRun writes the files that were asked for; a failure of one does not keep
// the others from being written.
func (a *app) saveRun(f *problemFlags, run *runFlags, r *trained, s solvers.Settings) error {
	var errs []error
	if run.model != "" {
		m, err := f.trained(r.problem, r.Result)
		if err == nil {
			err = a.write("model", run.model, m.Write)
		}
		errs = append(errs, err)
	}
	switch {
	case run.trace != "" && r.related != nil:
		errs = append(errs, a.write("trace", run.trace, func(w io.Writer) error { return writeTraces(w, r.traceColumn, r.traces) }))
	case run.trace != "":
		errs = append(errs, a.write("trace", run.trace, func(w io.Writer) error { return writeTrace(w, r.points) }))
	}
	switch {
	case run.plot != "" && r.related != nil:
		errs = append(errs, a.plotSeveral(run.plot, r, s))
	case run.plot != "":
		errs = append(errs, a.plotRun(run.plot, r.Solver, r.points, s))
	}
	return errors.Join(errs...)
}

// ending is the error that a run's end amounts to, if any.
func (a *app) ending(run *runFlags, r *trained, s solvers.Settings, err error) error {
	saved := "it was not saved (no --model, no --checkpoint)"
	if run.model != "" || run.checkpoint != "" {
		saved = "it is saved"
	}
	asked := run.gap > 0 || run.gradient > 0
	switch {
	case err != nil:
		return plain(err)
	case r.Status == solvers.Cancelled:
		return fmt.Errorf("interrupted after %.4g passes; the best point has the objective %.8g, %s", r.Total.Passes, r.Objective, saved)
	case r.Status == solvers.Diverged:
		return fmt.Errorf("the run diverged after %.4g passes: a number stopped being finite; the result is the best point before. Try a smaller step (--set step=...), --normalize, or --solver ai-sarah, which finds its own", r.Total.Passes)
	case r.Status == solvers.Stalled && asked:
		return fmt.Errorf("the run stalled after %.4g passes at the precision of float64, before its target (gradient norm %.3g)", r.Total.Passes, r.GradientNorm)
	case r.Status == solvers.Stalled:
		a.note("nothing improves any more at the precision of float64: the run ended after %.4g passes", r.Total.Passes)
	case (asked || s.GapTolerance > 0 || s.GradientTolerance > 0) && r.Status != solvers.Converged:
		a.note("the target was not reached within the budget: %s", r.Status)
	}
	return nil
}

func (a *app) reportTraining(f *problemFlags, r *trained, settings solvers.Settings) error {
	p := r.problem
	hash := solvers.HashWeights(r.Weights)
	if a.json {
		var positives *int
		if !p.regression && p.several == nil {
			positives = &p.positives
		}
		return a.printJSON(struct {
			Solver       string             `json:"solver"`
			Loss         string             `json:"loss"`
			Lambda       float64            `json:"lambda"`
			Data         string             `json:"data"`
			N            int                `json:"n"`
			D            int                `json:"d"`
			NNZ          int64              `json:"nnz"`
			Bias         float64            `json:"bias"`
			Normalize    string             `json:"normalize"`
			Positives    *int               `json:"positives"`
			Labels       string             `json:"labels"`
			Objective    *float64           `json:"objective"`
			GradientNorm *float64           `json:"gradient_norm"`
			Gap          *float64           `json:"duality_gap"`
			Passes       float64            `json:"passes"`
			Gradients    int64              `json:"gradient_evaluations"`
			Iterations   int64              `json:"iterations"`
			LoadSeconds  float64            `json:"load_seconds"`
			TrainSeconds float64            `json:"train_seconds"`
			PeakMemory   *int64             `json:"peak_rss_bytes"`
			CPUPath      string             `json:"cpu_path"`
			Workers      int                `json:"workers"`
			Seed         uint64             `json:"seed"`
			Status       string             `json:"status"`
			WeightsHash  string             `json:"weights_sha256"`
			Metrics      map[string]float64 `json:"metrics"`
			Hidden       []int              `json:"hidden,omitempty"`
			Activation   string             `json:"activation,omitempty"`
			*relatedReport
		}{
			r.Solver, f.loss, p.Lambda, p.data.name, p.X.Rows(), p.columns, p.X.NNZ(), p.X.Bias(), f.normalize, positives, p.labelText(),
			finite(r.Objective), finite(r.GradientNorm), finite(r.Gap), r.Total.Passes, r.Total.GradientEvaluations,
			r.Total.Iterations, p.data.seconds, r.seconds, peakMemory(), r.CPUPath, r.Workers, r.Seed,
			r.Status.String(), hash, r.metrics, f.network.Hidden, f.activation, r.related,
		})
	}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	row := func(name, format string, values ...any) {
		fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(format, values...))
	}
	row("data", "%s", p.data.name)
	row("rows x columns", "%d x %d, %d non-zeros", p.X.Rows(), p.X.Cols(), p.X.NNZ())
	row("labels", "%s", p.labelText())
	if p.model != nil {
		row("model", "%v, %d weights", p.model, p.model.Parameters())
	}
	row("solver", "%s, %s", r.Solver, f.setting(r, settings.BatchSize))
	row("status", "%s after %.4g passes, %.3g s (%s, %d workers)", r.Status, r.Total.Passes, r.seconds, dispatch.Current(), r.Workers)
	if what := description(r.Solver).Objective; what != solvers.MeanLoss {
		row("objective", "%.12g (%v)", r.Objective, what)
	} else {
		row("objective", "%.12g", r.Objective)
	}
	row("gradient norm", "%.4g", r.GradientNorm)
	if r.Gap-r.Gap == 0 {
		row("duality gap", "%.4g", r.Gap)
	}
	if p.data.planted > 0 {
		row("planted loss", "%.6g (mean logistic loss of the model that made the labels)", p.data.planted)
	}
	for _, name := range sortedKeys(r.metrics) {
		row(strings.ReplaceAll(name, "_", " "), "%.6g", r.metrics[name])
	}
	row("weights sha256", "%s", hash)
	w.Flush()
	if r.related != nil {
		r.related.print(&text)
	}
	return a.print("%s", text.String())
}
