package fitting

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
)

// minimise runs a solver on a prepared data set.
func minimise(ctx context.Context, p *Prepared, m registry.Ready, settings solvers.Settings) (*solvers.Result, error) {
	task := &solvers.Task{Problem: p.Problem, Rows: p.Streamed, Low: p.rates[0], High: p.rates[1], Model: p.Model, L1: p.L1}
	if p.ranks != nil {
		task.M, task.N = p.ranks(len(p.Y))
	}
	return m.Solve(ctx, task, settings)
}

// Trained is a run with all that is reported of it.
type Trained struct {
	*solvers.Result
	Problem *Prepared
	Used    solvers.Settings
	Points  []solvers.Point
	Seconds float64 // of the clock
	Metrics map[string]float64

	// Missed counts the fits that met no tolerance, of Fits, which are called What; Worst is
	// the gravest end of them.
	Missed, Fits int
	What         string
	Worst        solvers.Status

	Related     *RelatedReport // nil for a single fit
	Traces      []FitTrace     // of several fits
	TraceColumn string
}

// refused sorts an error of a run that was not begun: the data overflow, the checkpoint was another run's,
// nothing was finished in time, a file failed, or what was asked for cannot be.
func refused(err error) error {
	var system *fs.PathError
	switch {
	case errors.Is(err, solvers.ErrTooLarge):
		return console.BadData(fmt.Errorf("%w, as by --normalize unit", console.Plain(err)))
	case errors.Is(err, solvers.ErrResume), errors.Is(err, related.ErrFewRows):
		return console.BadData(console.Plain(err))
	case errors.Is(err, solvers.ErrCheckpointInUse), errors.As(err, &system),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return console.Plain(err)
	}
	return console.BadUsage(console.Plain(err))
}

// notBegun says that a run has nothing to show, and how it goes on.
func notBegun(ctx context.Context, s solvers.Settings) error {
	why := "interrupted"
	if ctx.Err() == nil {
		why = "the time was over"
	}
	return fmt.Errorf("%s before the first point was evaluated; there is no model to write, %s", why, goesOn(s.Checkpoint))
}

// goesOn says how a run that was broken off goes on.
func goesOn(checkpoint string) string {
	if checkpoint == "" {
		return "and with --checkpoint it could be resumed"
	}
	return fmt.Sprintf("and --resume %s goes on", checkpoint)
}

// Solve runs a solver and measures its result on the training rows.
func Solve(ctx context.Context, a *console.App, p *Prepared, method registry.Ready, settings solvers.Settings) (*Trained, error) {
	start := time.Now()
	if method.Name == AutoName {
		var err error
		if method, err = FindSolver("solver", auto.Choose(&p.Problem), nil); err != nil {
			return nil, err
		}
	}
	watch := NewProgress(a, method.Name, settings)
	settings.Recorder = watch
	if p.Streamed != nil {
		watch.sweeps(p)
	}
	result, err := minimise(ctx, p, method, settings)
	seconds := time.Since(start).Seconds()
	watch.Stop()
	switch {
	case result == nil && errors.Is(err, run.ErrNotBegun):
		return nil, notBegun(ctx, settings)
	case result == nil && p.Streamed != nil:
		return nil, refusedStream(p, err)
	case result == nil:
		return nil, refused(err)
	}
	r := &Trained{Result: result, Problem: p, Used: settings, Points: watch.Points(), Seconds: seconds, Metrics: map[string]float64{}}
	if settings.Validation != nil && result.Metric-result.Metric == 0 {
		r.Metrics["valid_"+settings.Validation.Name()] = result.Metric
	}
	if wrong := measure(ctx, a, r, method); err == nil {
		err = wrong
	}
	return r, err
}

// measure adds the metrics of the training rows.
func measure(ctx context.Context, a *console.App, r *Trained, m registry.Ready) (err error) {
	p, result := r.Problem, r.Result
	if r.Metrics == nil {
		r.Metrics = map[string]float64{}
	}
	if p.Streamed != nil {
		return measureStreamed(ctx, r)
	}
	pool := sparse.NewPool(a.Workers)
	defer pool.Close()
	if p.Several != nil {
		if classes, wrong := classesOfRows(pool, p, result.Weights); wrong == nil {
			r.Metrics["train_accuracy"] = p.Several.share(classes)
		}
		return nil
	}
	scores := make([]float64, p.X.Rows())
	if p.scorer().All(pool, scores, result.Weights) != nil {
		return nil
	}
	if p.Regression {
		r.Metrics["train_mse"], _ = metrics.MeanSquaredError(scores, p.Y, nil)
	} else if accuracy, wrong := metrics.Accuracy(scores, p.Y, nil); wrong == nil {
		r.Metrics["train_accuracy"] = accuracy
	}
	if Description(result.Solver).Objective.Ranks() {
		err = rankingMetrics(r.Metrics, scores, p.Y, m, p.rates)
	}
	return err
}

// rankingMetrics measures the training rows.
func rankingMetrics(to map[string]float64, scores, y []float64, m registry.Ready, rates [2]float64) error {
	r, err := metrics.Rank(scores, y, nil)
	if err != nil {
		return err
	}
	if to["train_ap"], err = r.AveragePrecision(); err != nil {
		return fmt.Errorf("train_ap: %w", err)
	}
	if to["train_auc"], err = r.AUROC(); err != nil {
		return fmt.Errorf("train_auc: %w", err)
	}
	if m.Accepts.Rates {
		if _, to["train_pauc"], err = r.PartialAUC(rates[0], rates[1]); err != nil {
			return fmt.Errorf("train_pauc: %w", err)
		}
	}
	return nil
}
