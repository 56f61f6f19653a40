package fitting

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
)

// WantedReport is a search for a way to train.
type WantedReport struct {
	Metric         string `json:"metric"`
	HigherIsBetter bool   `json:"higher_is_better"`
	Folds          int    `json:"folds"`
	// Status is how the search ended, Chosen the place of what was chosen in Tried, Logistic
	// that of the best logistic fit.
	Status   string        `json:"status"`
	Chosen   int           `json:"chosen"`
	Logistic int           `json:"best_logistic"`
	Tried    []TrialReport `json:"tried"`
}

// TrialReport is a candidate of a search.
type TrialReport struct {
	Solver      string            `json:"solver"`
	Lambda      float64           `json:"lambda"`
	C           float64           `json:"C"`
	ClassWeight bool              `json:"balanced_class_weights"`
	Parameters  map[string]string `json:"parameters,omitempty"`
	Rates       []float64         `json:"false_positive_rates,omitempty"`
	Mean        *float64          `json:"mean"`
	Error       *float64          `json:"standard_error"`
	Values      []float64         `json:"folds"`
	// Gain is by how much it is better than the best logistic fit, on the same folds.
	Gain      *float64 `json:"gain_on_logistic"`
	GainError *float64 `json:"gain_standard_error"`
	Passes    float64  `json:"passes"`
	Seconds   float64  `json:"seconds"`

	Text string `json:"-"` // for people
}

// reportOf is the report of a search on so many rows.
func reportOf(c *related.Chosen, rows int) *WantedReport {
	out := &WantedReport{
		Metric: c.Metric.Name, HigherIsBetter: c.Metric.Direction == metrics.HigherIsBetter,
		Status: c.Status.String(), Chosen: c.Best, Logistic: c.Logistic,
	}
	for k := range c.Tried {
		t := &c.Tried[k]
		gain, wrong := c.Gain(k, c.Logistic)
		one := TrialReport{
			Solver: t.Solver, Lambda: t.Lambda, C: 1 / (t.Lambda * float64(rows)), ClassWeight: t.Balanced, Parameters: t.Parameters,
			Mean: console.Finite(t.Mean), Error: console.Finite(t.Error), Values: t.Values, Passes: t.Passes, Seconds: t.Seconds,
			Gain: console.Finite(gain), GainError: console.Finite(wrong), Text: t.String(),
		}
		if t.High > 0 {
			one.Rates = []float64{t.Low, t.High}
		}
		out.Folds = len(t.Values)
		out.Tried = append(out.Tried, one)
	}
	return out
}

// SolveWanted looks for the best way to train for the metric of --for, and trains that way.
func SolveWanted(ctx context.Context, a *console.App, f *ProblemFlags, p *Prepared, run *RunFlags, settings solvers.Settings) (*Trained, error) {
	start := time.Now()
	settings.MaxPasses, settings.GapTolerance, settings.GradientTolerance = targetPasses, defaultTarget, 0
	w := related.Wanted{For: f.For, Folds: f.Folds, Seed: a.Seed, Passes: run.passes}
	if math.IsInf(w.Passes, 1) {
		w.Passes = 0
	}
	raw := p.Problem
	if p.scaler != nil {
		raw.X, w.Prepare = p.Data.X.WithBias(p.X.Bias()), f.scaleByTraining
	}
	watch := &searchWatch{rows: len(p.Y), metric: f.For, limit: settings.MaxTime, start: start}
	watch.Display = a.Show(watch.line)
	w.Watch = watch.take
	trace := tracer(a, 1, nil)
	if trace != nil {
		settings.Recorder = trace
	}
	c, err := related.Choose(ctx, &raw, w, settings)
	watch.Stop()
	switch {
	case c == nil && errors.Is(err, related.ErrNoTime):
		return nil, fmt.Errorf("%w: give --time more, or --cv fewer folds", console.Plain(err))
	case c == nil:
		return nil, refused(err)
	case c.Result == nil:
		return nil, errors.Join(err, unchosen(c, len(p.Y), run))
	}
	best := &c.Tried[c.Best]
	result := *c.Result
	result.Total.Passes += c.Passes()
	switch {
	case c.Status == solvers.BudgetReached:
		a.Note("--passes ended the search: what is chosen is the best of %d candidates", len(c.Tried))
	case c.Status == solvers.TimeReached:
		a.Note("--time ended the search: what is chosen is the best of %d candidates", len(c.Tried))
		if result.Status != solvers.Cancelled {
			result.Status = solvers.TimeReached
		}
	}
	p.Lambda = best.Lambda
	p.rates, f.rates = [2]float64{best.Low, best.High}, [2]float64{best.Low, best.High}
	r := &Trained{Result: &result, Problem: p, Related: &RelatedReport{Wanted: reportOf(c, len(p.Y))}, TraceColumn: "candidate", Metrics: map[string]float64{}}
	if trace != nil {
		r.Points = trace.Points()
	}
	r.Traces = []FitTrace{{best.String(), r.Points}}
	if wrong := measure(ctx, a, r, registry.Ready{}); err == nil {
		err = wrong
	}
	pool := sparse.NewPool(a.Workers)
	defer pool.Close()
	scores := make([]float64, len(p.Y))
	if p.X.MulVec(pool, scores, result.Weights) == nil {
		if v, wrong := c.Metric.Compute(scores, p.Y, nil); wrong == nil {
			r.Metrics["train_"+c.Metric.Name] = v
		}
	}
	r.Metrics["cv_"+c.Metric.Name] = best.Mean
	r.Metrics["cv_"+c.Metric.Name+"_standard_error"] = best.Error
	r.Used, r.Seconds = settings, time.Since(start).Seconds()
	if best.Solver == related.Logistic {
		r.missed("", []*solvers.Result{r.Result}, settings)
	}
	r.Missed, r.Fits, r.What = r.Missed+c.Missed, r.Fits+c.Fits, "logistic fits of the search"
	r.Related.Unsolved = r.Missed
	r.Used.Recorder = nil
	return r, err
}

// unchosen tells how far a search was that was broken off.
func unchosen(c *related.Chosen, rows int, run *RunFlags) error {
	saved := "there is no model to write, " + goesOn(run.Checkpoint)
	if c.Best < 0 {
		return fmt.Errorf("interrupted before anything was measured on all folds; %s", saved)
	}
	t := &c.Tried[c.Best]
	return fmt.Errorf("interrupted after %d candidates; the best so far is %v with C = %.4g, %s %.6g (standard error %.2g); %s",
		len(c.Tried), t, 1/(t.Lambda*float64(rows)), c.Metric.Name, t.Mean, t.Error, saved)
}

// searchWatch shows how far a search is.
type searchWatch struct {
	*console.Display
	rows   int
	metric string
	limit  time.Duration // 0 for none
	start  time.Time

	mu   sync.Mutex
	last related.Progress
}

func (w *searchWatch) take(p related.Progress) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last = p
}

func (w *searchWatch) line(width int) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	elapsed := time.Since(w.start)
	parts := []console.Part{
		console.NewPart(0, fmt.Sprintf("%d of about %d fits done", w.last.Fits, max(w.last.Expected, w.last.Fits))),
		console.NewPart(3, console.Short(elapsed)), console.Remaining(1, timeLeft(w.last.Fits, w.last.Expected, elapsed, w.limit)),
	}
	if b := w.last.Best; b != nil {
		parts = append(parts, console.NewPart(2, fmt.Sprintf("best %s %.5g", w.metric, b.Mean)), console.NewPart(4, fmt.Sprintf("by %v, C %.3g", b, 1/(b.Lambda*float64(w.rows)))))
	}
	if w.last.Trying != "" {
		parts = append(parts, console.NewPart(5, "now "+w.last.Trying))
	}
	return console.Fitted(width, parts)
}
