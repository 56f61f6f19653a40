package report

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/inference"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/solvers"
)

// PrintTraining reports a run, or several fits, and in JSON the files that were written.
func PrintTraining(a *console.App, r *fitting.Trained, settings solvers.Settings, files map[string]string) error {
	if a.JSON {
		return a.PrintJSON(trainingObject(r, settings, files))
	}
	text := console.NewText()
	for _, fact := range trainingFacts(r, settings) {
		text.Row(fact[0], "%s", fact[1])
	}
	if r.Related != nil {
		printSeveral(text, r, r.Related, a.Full)
	}
	printInference(text, r.Inference, a.Full)
	return a.PrintText(text)
}

// trainingFacts are what is said of every training, by name.
func trainingFacts(r *fitting.Trained, settings solvers.Settings) (facts [][2]string) {
	add := func(name, format string, values ...any) {
		facts = append(facts, [2]string{name, console.Printable(fmt.Sprintf(format, values...), "")})
	}
	p := r.Problem
	n, columns, nonZeros, _ := p.Shape()
	add("data", "%s", p.Data.Name)
	add("rows x columns", "%d x %d, %d non-zeros", n, columns, nonZeros)
	add("labels", "%s", p.LabelText())
	if h := r.HeldOut; h != nil {
		by := "at random"
		if column := p.Data.OrderedBy; column != "" {
			by = "by " + column
		}
		add("held out", "%d more rows, %s", len(h.Rows), by)
	}
	if network := p.Network(); network != nil {
		add("model", "%v, %d weights", network, network.Parameters())
	}
	add("solver", "%s, %s", r.Solver, fitting.Setting(r, settings.BatchSize))
	all := ""
	if fits := max(len(r.Fits), r.Made); fits > 1 {
		all = fmt.Sprintf(" of all %d fits", fits)
	}
	add("status", "%s after %.4g epochs%s, %.3g s (%s, %d workers)", statusText(r), r.Total.Epochs, all, r.Seconds, dispatch.Current(), r.Workers)
	rounding := ""
	if r.RoundingShows(r.Used.GapTolerance) && r.ObjectiveError > 1e-12*math.Abs(r.Objective) { // of the digits shown
		rounding = fmt.Sprintf(" (rounding up to %.1g)", r.ObjectiveError)
	}
	if what := r.Minimised; what != solvers.MeanLoss {
		add("objective", "%.12g (%v)%s", r.Objective, what, rounding)
	} else {
		add("objective", "%.12g%s", r.Objective, rounding)
	}
	if r.Minimised == solvers.SparseLoss {
		free := 0
		if _, columns, _, _ := p.Shape(); p.Intercept {
			free = len(r.Weights) / columns
		}
		add("non-zeros", "%d of %d weights", p.NonZeros(r.Weights), len(r.Weights)-free)
	}
	add("gradient norm", "%.4g", r.GradientNorm)
	if r.Gap-r.Gap == 0 {
		add("duality gap", "%.4g", r.Gap)
	}
	if p.Data.Planted > 0 {
		add("planted loss", "%.6g (mean logistic loss of the model that made the labels)", p.Data.Planted)
	}
	for _, name := range sortedKeys(r.Metrics) {
		add(console.MetricName(name), "%.6g", r.Metrics[name])
	}
	if c := r.Calibration; c != nil {
		add("calibration", "%s, of %d folds: %s, %s", c.Method, c.Folds, change("log loss", c.Before.LogLoss, c.After.LogLoss), change("calibration error", c.Before.CalibrationError, c.After.CalibrationError))
	}
	add("weights sha256", "%s", solvers.HashWeights(r.Weights))
	return facts
}

// change writes a measure before and after a change; before is nil where there was none.
func change(name string, before, after *float64) string {
	if before == nil {
		return fmt.Sprintf("%s %.6g", name, *after)
	}
	return fmt.Sprintf("%s %.6g to %.6g", name, *before, *after)
}

// statusText says how a run ended. A solver without a tolerance ends after its usual number of epochs,
// which is no budget that anybody gave.
func statusText(r *fitting.Trained) string {
	if given := r.Problem.Options().Settings; r.Status == solvers.BudgetReached && given.MaxEpochs == 0 && !r.Result.Missed(&r.Used) {
		return "ended as planned"
	}
	return r.Status.String()
}

// trainingObject is the report of a run for programs.
func trainingObject(r *fitting.Trained, settings solvers.Settings, files map[string]string) any {
	p := r.Problem
	n, _, nonZeros, bias := p.Shape()
	ranks := 0
	if settings.Ranks != nil {
		ranks = settings.Ranks.Size()
	}
	var positives *int
	if !p.Targets() && p.Classes() == nil {
		count := p.Positives()
		positives = &count
	}
	var hidden []int
	activation := ""
	if network := p.Network(); network != nil {
		hidden, activation = network.Hidden, network.Activation.String()
	}
	return struct {
		Solver       string              `json:"solver"`
		Loss         string              `json:"loss"`
		Lambda       float64             `json:"lambda"`
		L1           float64             `json:"l1,omitempty"`
		Groups       int                 `json:"groups,omitempty"` // of columns, whose norms l1 weighs
		Bounded      int                 `json:"bounded_columns,omitempty"`
		Intercept    bool                `json:"intercept,omitempty"`
		NonZeros     int                 `json:"nonzero_weights"`
		Data         string              `json:"data"`
		N            int                 `json:"n"`
		D            int                 `json:"d"`
		NNZ          int64               `json:"nnz"`
		Bias         float64             `json:"bias"`
		Normalize    string              `json:"normalize"`
		Positives    *int                `json:"positives"`
		Labels       string              `json:"labels"`
		Objective    *float64            `json:"objective"`
		Rounding     *float64            `json:"objective_error,omitempty"`
		GradientNorm *float64            `json:"gradient_norm"`
		Gap          *float64            `json:"duality_gap"`
		Passes       float64             `json:"passes"`
		Gradients    int64               `json:"gradient_evaluations"`
		Iterations   int64               `json:"iterations"`
		LoadSeconds  float64             `json:"load_seconds"`
		TrainSeconds float64             `json:"train_seconds"`
		PeakMemory   *int64              `json:"peak_rss_bytes"`
		CPUPath      string              `json:"cpu_path"`
		Workers      int                 `json:"workers"`
		Shards       int                 `json:"shards,omitempty"`
		Ranks        int                 `json:"ranks,omitempty"`
		Seed         uint64              `json:"seed"`
		Status       string              `json:"status"`
		WeightsHash  string              `json:"weights_sha256"`
		Metrics      map[string]*float64 `json:"metrics"`
		HeldOut      *heldOutObject      `json:"holdout,omitempty"`
		Hidden       []int               `json:"hidden,omitempty"`
		Activation   string              `json:"activation,omitempty"`
		Inference    *inference.Table    `json:"inference,omitempty"`
		Calibration  *lanes.Calibration  `json:"calibration,omitempty"`
		Files        map[string]string   `json:"files,omitempty"` // by the flags that named them
		*fitting.RelatedReport
	}{
		r.Solver, p.LossName(), p.Ridge(), p.L1(), p.Groups(), p.Bounded(), p.Intercept, p.NonZeros(r.Weights), p.Data.Name, n, p.Columns(), nonZeros, bias, p.Normalize(), positives, p.LabelText(),
		console.Finite(r.Objective), fitting.Rounding(&r.Point), console.Finite(r.GradientNorm), console.Finite(r.Gap), r.Total.Epochs, r.Total.GradientEvaluations,
		r.Total.Iterations, p.Data.Seconds, r.Seconds, memory.Peak(), r.CPUPath, r.Workers, settings.Shards, ranks, r.Seed,
		r.Status.String(), solvers.HashWeights(r.Weights), finite(r.Metrics), heldOut(r), hidden, activation, r.Inference, r.Calibration, files, r.Related,
	}
}

// heldOutObject are the rows that were held out, for programs.
type heldOutObject struct {
	Rows    int           `json:"n"`
	By      string        `json:"by,omitempty"` // a column; "" for random rows
	Measure *lanes.Report `json:"report"`
}

func heldOut(r *fitting.Trained) *heldOutObject {
	if r.HeldOut == nil {
		return nil
	}
	return &heldOutObject{len(r.HeldOut.Rows), r.Problem.Data.OrderedBy, r.HeldOut.Report}
}

// finite replaces numbers that JSON does not have, as the squared error of means beyond float64, by null.
func finite(metrics map[string]float64) map[string]*float64 {
	if metrics == nil {
		return nil
	}
	all := make(map[string]*float64, len(metrics))
	for name, v := range metrics {
		all[name] = console.Finite(v)
	}
	return all
}
