package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/plots"
	"github.com/lanes-go/lanes/solvers"
)

// WriteTrainingPage writes the page of a training: the data read and what was made of them, and
// the largest weights. It shows the quality of the model on the rows of seen, and the progress of
// the run. seen may be nil.
func WriteTrainingPage(w io.Writer, a *console.App, r *fitting.Trained, seen *Measured) error {
	name := console.Printable(r.Problem.Data.Name, "")
	p, err := newModelPage(a, r.Model, name, seen)
	if err != nil {
		return err
	}
	settings := r.Problem.Settings()
	facts := trainingFacts(r, settings)
	last := len(facts) - 1 // the hash of the weights
	p.Result, p.Facts = facts[:last], append(facts[last:], p.Facts...)
	p.Lead, p.Warnings, p.Choices = lead(r), append(warnings(r), p.Warnings...), choices(r, settings)
	p.Inference = newIntervals(r.Inference)
	if p.Title = "A model of " + name; p.target() != "" {
		p.Title = p.target() + " from " + name
	}
	for _, metric := range sortedKeys(r.Metrics) {
		if of, is := strings.CutPrefix(metric, "cv_"); is && !strings.HasSuffix(metric, "_standard_error") {
			p.addTile(metricText(of), r.Metrics[metric], "mean over the folds")
		}
	}
	p.addTile("seconds of training", r.Seconds, fmt.Sprintf("%.4g epochs", r.Total.Epochs))
	return p.write(w)
}

// metricText is a metric in words.
func metricText(name string) string {
	switch name {
	case lanes.LogLoss:
		return "log loss"
	case lanes.AveragePrecision:
		return "average precision"
	case lanes.AUROC, "auroc":
		return "AUC"
	case "gini", "ks", "r2", "d2":
		return map[string]string{"gini": "Gini", "ks": "KS", "r2": "R2", "d2": "D2"}[name]
	}
	return strings.ReplaceAll(name, "_", " ")
}

// lead says in a sentence or two what was trained, on what, and how it ended.
func lead(r *fitting.Trained) string {
	n, _, _, _ := r.Problem.Shape()
	kind := "A linear model with the " + r.Problem.LossName() + " loss"
	switch {
	case r.Problem.Network() != nil:
		kind = "A perceptron"
	case fitting.Special(r.Solver):
		kind = fmt.Sprintf("A linear model by %s", r.Solver)
	}
	text := fmt.Sprintf("%s, trained on %s rows of %s columns: %s.", kind, grouped(float64(n)), grouped(float64(r.Problem.Columns())), r.Problem.LabelText())
	if r.Status == solvers.Converged && r.Gap-r.Gap == 0 && len(r.Fits) == 0 {
		text += fmt.Sprintf(" Its objective is proven to be within %.2g of the least possible one.", r.Gap)
	}
	return console.Printable(text, "")
}

// warnings says what a reader has to know first.
func warnings(r *fitting.Trained) (list []string) {
	switch {
	case r.Unsolved > 0:
		list = append(list, fmt.Sprintf("%d of %d %s did not reach their tolerance.", r.Unsolved, r.Made, r.What))
	case r.Made == 0 && r.Result.Missed(&r.Used):
		list = append(list, fmt.Sprintf("The run ended above its tolerance: %s after %.4g epochs, gap %.3g, gradient norm %.3g.", r.Status, r.Total.Epochs, r.Gap, r.GradientNorm))
	}
	if r.AtEdge {
		list = append(list, "The best penalty is the first or the last one that was tried: a better one may lie beyond (--lambdas).")
	}
	return list
}

// choice is how a run went, or what it chose from.
type choice struct {
	ID, Title, More string
	Pictures        []plots.Inline
	Head            []choiceCell
	Rows            []choiceRow
}

type choiceRow struct {
	Cells  []choiceCell
	Chosen bool
}

type choiceCell struct {
	Text   string
	Number bool
}

// fill takes a table with its head. Of a long one it keeps some lines, evenly spaced, and the
// chosen one.
func (c *choice) fill(rows [][]string, chosen int) {
	numbers := make([]bool, len(rows[0]))
	for k := range numbers {
		numbers[k] = !slices.ContainsFunc(rows[1:], func(row []string) bool {
			_, err := strconv.ParseFloat(row[k], 64)
			return err != nil && row[k] != "-"
		})
	}
	cells := func(row []string) (list []choiceCell) {
		for k, text := range row {
			list = append(list, choiceCell{brief(text), numbers[k]})
		}
		return list
	}
	c.Head = cells(rows[0])
	stride := (len(rows) - 2 + mostFits) / mostFits
	for k, row := range rows[1:] {
		if k%stride == 0 || k == chosen || k == len(rows)-2 {
			c.Rows = append(c.Rows, choiceRow{cells(row), k == chosen})
		}
	}
	if len(c.Rows) < len(rows)-1 {
		c.More = fmt.Sprintf("%d of %d lines are shown; --json has all.", len(c.Rows), len(rows)-1)
	}
}

// choices are classes, a path, folds or a search, and the run of the model.
func choices(r *fitting.Trained, settings solvers.Settings) (list []choice) {
	add := func(related *fitting.RelatedReport, id, title string) {
		of := *r
		of.Related = related
		c := choice{ID: id, Title: title, Pictures: plots.InlineTraining(&of, settings)}
		if related != nil {
			c.fill(severalTable(related), chosen(r, related))
		}
		list = append(list, c)
	}
	if s := r.Related; s != nil {
		if s.CrossValidation != nil {
			add(&fitting.RelatedReport{CrossValidation: s.CrossValidation, Metric: s.Metric}, "folds", "Cross-validation: which penalty is best")
		}
		switch {
		case s.Wanted != nil:
			add(s, "tried", "Ways to train for "+console.MetricName(s.Wanted.Metric))
		case s.Classes != nil:
			add(&fitting.RelatedReport{Classes: s.Classes}, "fits", "The fits of the classes")
		case s.Path != nil:
			add(s, "path", "Along the path")
		}
	}
	if len(r.Points) > 1 {
		add(nil, "run", "How the run went")
	}
	return list
}

// chosen is the line of the table that the model was made by.
func chosen(r *fitting.Trained, related *fitting.RelatedReport) int {
	switch {
	case related.Wanted != nil:
		return related.Wanted.Chosen
	case related.CrossValidation != nil:
		for k, point := range related.CrossValidation.Points {
			if point.Lambda == related.CrossValidation.Chosen {
				return k
			}
		}
	case related.Path != nil:
		return r.Best
	}
	return -1
}
