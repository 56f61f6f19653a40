package report

import (
	"fmt"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/cmd/lanes/internal/plots"
	"github.com/lanes-go/lanes/metrics"
)

// Evaluation says what is wanted beside the usual measures.
type Evaluation struct {
	FPR       string // the range of the partial area as it was given, "" for none
	Low, High float64
	Plot      string
}

// measure is a number with what it is called in JSON and in text.
type measure struct {
	key, text string
	value     float64
}

// EvaluateScores measures the scores of two classes and reports them; odds says that they are
// log odds.
func EvaluateScores(a *console.App, name string, y, scores []float64, odds bool, f *Evaluation) error {
	positives := 0
	for _, v := range y {
		if v > 0 {
			positives++
		}
	}
	var measures []measure
	add := func(key, text string, value float64, err error) {
		if err != nil {
			a.Note("%s cannot be computed: %v", text, console.Plain(err))
			return
		}
		measures = append(measures, measure{key, text, value})
	}
	accuracy, err := metrics.Accuracy(scores, y, nil)
	add("accuracy", "accuracy", accuracy, err)
	loss, err := metrics.LogLoss(scores, y, nil)
	add("log_loss", "log loss", loss, err)
	ranking, err := metrics.Rank(scores, y, nil)
	if err != nil {
		return console.BadData(fmt.Errorf("%s: %w", name, err))
	}
	ap, err := ranking.AveragePrecision()
	add("average_precision", "average precision", ap, err)
	auc, err := ranking.AUROC()
	add("auroc", "AUROC", auc, err)
	if f.FPR != "" {
		raw, normalised, err := ranking.PartialAUC(f.Low, f.High)
		add("pauc", "partial AUC "+f.FPR, raw, err)
		add("pauc_normalised", "  divided by width", normalised, err)
	}
	if f.Plot != "" {
		if err := plots.DrawCurves(a, f.Plot, &plots.Curves{Ranking: ranking, AP: ap, AUC: auc, Prevalence: float64(positives) / float64(len(y)), Low: f.Low, High: f.High}); err != nil {
			return err
		}
	}
	tables, err := decide(y, scores, odds)
	if err != nil {
		return console.BadData(fmt.Errorf("%s: %w", name, err))
	}
	if a.JSON {
		object := map[string]any{"data": name, "n": len(y), "positives": positives}
		tables.addTo(object)
		for _, m := range measures {
			object[m.key] = console.Finite(m.value)
		}
		return a.PrintJSON(object)
	}
	text := console.NewText()
	text.Row("rows", "%d, %d positive", len(y), positives)
	for _, m := range measures {
		text.Row(m.text, "%.8g", m.value)
	}
	tables.print(text)
	return a.PrintText(text)
}

// EvaluateTargets measures the scores of a regression.
func EvaluateTargets(a *console.App, data *input.Dataset, scores []float64) error {
	mse, err := metrics.MeanSquaredError(scores, data.Y, nil)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"data": data.Name, "n": len(scores), "mse": console.Finite(mse)})
	}
	return a.Print("rows                 %d\nmean squared error   %.8g\n", len(scores), mse)
}
