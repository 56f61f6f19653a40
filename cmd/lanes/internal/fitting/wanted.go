package fitting

import (
	"fmt"
	"sync"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/related"
)

// WantedReport is a search for a way to train.
type WantedReport struct {
	Metric         string `json:"metric"`
	HigherIsBetter bool   `json:"higher_is_better"`
	Folds          int    `json:"folds"`
	// Status says how the search ended. Chosen is the index in Tried of the chosen candidate,
	// Logistic the index of the best logistic fit.
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
	MinTPR      float64           `json:"min_true_positive_rate,omitempty"`
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

// reportOf returns the report of a search on n rows.
func reportOf(c *related.Chosen, rows int) *WantedReport {
	out := &WantedReport{
		Metric: c.Metric.Name, HigherIsBetter: higher(c.Metric),
		Status: c.Status.String(), Chosen: c.Best, Logistic: c.Logistic,
	}
	for k := range c.Tried {
		t := &c.Tried[k]
		gain, wrong := c.Gain(k, c.Logistic)
		one := TrialReport{
			Solver: t.Solver, Lambda: t.Lambda, C: 1 / (t.Lambda * float64(rows)), ClassWeight: t.Balanced, Parameters: t.Parameters,
			Mean: console.Finite(t.Mean), Error: console.Finite(t.Error), Values: t.Values, MinTPR: t.MinTPR, Passes: t.Epochs, Seconds: t.Seconds,
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

// wanted reports a search.
func (r *Trained) wanted(a *console.App) {
	c := r.Tried
	switch c.Status {
	case solvers.BudgetReached:
		a.Note("--epochs ended the search: the best of %d candidates is chosen", len(c.Tried))
	case solvers.TimeReached:
		a.Note("--time ended the search: what is chosen is the best of %d candidates", len(c.Tried))
	}
	r.Related, r.TraceColumn = &RelatedReport{Wanted: reportOf(c, r.Problem.X.Rows())}, "candidate"
	r.Traces = []FitTrace{{c.Tried[c.Best].String(), r.Points}}
}

func higher(m metrics.Metric) bool { return m.Direction == metrics.HigherIsBetter }

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
	parts := []console.Phrase{
		console.NewPhrase(0, fmt.Sprintf("%d of about %d fits done", w.last.Fits, max(w.last.Expected, w.last.Fits))),
		console.NewPhrase(3, console.Short(elapsed)), console.Remaining(1, timeLeft(w.last.Fits, w.last.Expected, elapsed, w.limit)),
	}
	if b := w.last.Best; b != nil {
		parts = append(parts, console.NewPhrase(2, fmt.Sprintf("best %s %.5g", w.metric, b.Mean)), console.NewPhrase(4, fmt.Sprintf("by %v, C %.3g", b, 1/(b.Lambda*float64(w.rows)))))
	}
	if w.last.Trying != "" {
		parts = append(parts, console.NewPhrase(5, "now "+w.last.Trying))
	}
	return console.Fitted(width, parts)
}
