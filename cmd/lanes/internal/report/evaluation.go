package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/plots"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
)

// Evaluation says what eval measures, as its flags do.
type Evaluation struct {
	Positive, FPR string
	MinTPR        float64
	Cost          string
	Plot, Page    string // files of the curves and of the page, "" for none
	Full          bool   // the table of classes is printed whole

	rates           [2]float64
	costs           lanes.Costs
	missing, unseen []int64
	rows            int
}

// Counted takes what input.Scoring counts.
func (f *Evaluation) Counted(missing, unseen []int64, rows int) {
	f.missing, f.unseen, f.rows = missing, unseen, rows
}

// Check reads the flags.
func (f *Evaluation) Check() (err error) {
	if f.FPR != "" {
		f.rates[0], f.rates[1], err = fitting.ParseRates("fpr", f.FPR)
	}
	if f.Cost != "" && err == nil {
		f.costs, err = fitting.ParseCosts("cost", f.Cost)
	}
	return err
}

func (f *Evaluation) options() lanes.EvaluateOptions {
	return lanes.EvaluateOptions{Positive: f.Positive, Rates: f.rates, MinTPR: f.MinTPR, Costs: f.costs}
}

// OfScores reports how good the scores of a file are.
func (f *Evaluation) OfScores(a *console.App, name string, labels, scores []float64) error {
	seen := newMeasured(nil, name, givenRows)
	seen.Positive = f.Positive
	var err error
	seen.Report, err = lanes.EvaluateScores(labels, scores, f.options())
	return f.print(a, name, seen, err)
}

// OfModel reports how good the model at path is on rows.
func (f *Evaluation) OfModel(a *console.App, name, path string, m model.Model, rows iter.Seq2[model.Scored, error]) error {
	seen := newMeasured(m, name, givenRows)
	seen.Positive, seen.path = f.Positive, path
	if f.Page != "" {
		rows = seen.some(rows, m.About().Width())
	}
	var err error
	seen.Report, err = lanes.EvaluateBlocks(m, rows, f.options())
	return f.print(a, name, seen, err)
}

// print reports what was measured on the data of a name, or says with the names of the flags
// why it cannot be measured.
func (f *Evaluation) print(a *console.App, name string, seen *Measured, err error) error {
	r := seen.Report
	var option *lanes.OptionError
	if errors.As(err, &option) {
		flags := map[string]string{"Positive": "positive", "Rates": "fpr", "MinTPR": "tpr", "Costs": "cost", "Calibrate": "calibrate"}
		given := map[string]string{"Positive": f.Positive, "Rates": f.FPR, "MinTPR": fmt.Sprint(f.MinTPR), "Costs": f.Cost}
		return console.BadFlag(flags[option.Option], given[option.Option], "%s", option.In(func(option string) string { return "--" + flags[option] }))
	}
	if errors.As(err, new(*lanes.DataError)) {
		return console.BadData(fmt.Errorf("%s: %w", name, console.Plain(err)))
	}
	if err != nil {
		return err
	}
	for _, missing := range r.Missing {
		a.Note("%s", missing)
	}
	if f.Plot != "" {
		if err := draw(a, f.Plot, seen.short(), r); err != nil {
			return err
		}
	}
	seen.Missing, seen.Unseen, seen.rows = f.missing, f.unseen, int64(f.rows)
	if f.Page != "" {
		if err := a.Write("page", f.Page, func(w io.Writer) error { return writeEvaluationPage(w, a, seen) }); err != nil {
			return err
		}
	}
	if !a.JSON {
		if f.Full || r.Classes == nil {
			return a.Print("%s", r.Full())
		}
		if err := a.Print("%s", r); err != nil || r.Brief() == 0 {
			return err
		}
		return a.Print("--full prints %d more classes, --json has all\n", r.Brief())
	}
	object, err := fieldsOf(r)
	if err != nil {
		return err
	}
	delete(object, "notes") // which PrintJSON lists with the names of flags
	if object["data"], err = json.Marshal(name); err != nil {
		return err
	}
	return a.PrintJSON(object)
}

// writeEvaluationPage writes the page of a model, or of scores alone, with how good they are.
func writeEvaluationPage(w io.Writer, a *console.App, seen *Measured) error {
	p, err := newModelPage(a, seen.model, seen.path, seen)
	if err != nil {
		return err
	}
	p.Title = seen.title()
	if m := seen.model; m != nil {
		if p.target() != "" {
			p.Title = fmt.Sprintf("%s by %s", p.target(), p.Title)
		}
		p.Facts = append([][2]string{{"weights sha256", hashOf(m)}}, p.Facts...)
	}
	p.Lead = fmt.Sprintf("Measured on %s rows.", grouped(float64(seen.Report.Rows)))
	return p.write(w)
}

// short returns title with the names of files without their directories.
func (m *Measured) short() string {
	of := *m
	of.path, of.Name = filepath.Base(m.path), filepath.Base(m.Name)
	return of.title()
}

// title names the model and the data that it was measured on.
func (m *Measured) title() string {
	if m.model == nil {
		return "Scores of " + m.Name
	}
	return console.Printable(m.path, "") + " on " + m.Name
}

// hashOf is the hash of a model's weights.
func hashOf(m model.Model) string {
	if p, is := m.(*model.Perceptron); is {
		return solvers.HashWeights(p.Weights)
	}
	return solvers.HashWeights(m.(*model.Linear).Weights)
}

// fieldsOf returns the measures of a report by their names in JSON.
func fieldsOf(r *lanes.Report) (object map[string]json.RawMessage, err error) {
	text, err := json.Marshal(r)
	if err == nil {
		err = json.Unmarshal(text, &object)
	}
	return object, err
}

// draw draws the curves of two classes, or the F1 of several.
func draw(a *console.App, path, title string, r *lanes.Report) error {
	if r.Classes == nil {
		return plots.DrawCurves(a, path, title, fmt.Sprintf("%d rows, %g positive", r.Rows, r.Positives), &plots.Curves{
			Ranking: r.Ranking, AP: r.AveragePrecision, AUC: r.AUROC, Prevalence: r.Positives / float64(r.Rows), Low: r.Rates[0], High: r.Rates[1], MinTPR: r.MinTPR,
		})
	}
	return plots.DrawClasses(a, path, title, fmt.Sprintf("%d rows, %d classes", r.Rows, len(r.Classes)), classScores(r))
}

func classScores(r *lanes.Report) []plots.ClassScore {
	shown := make([]plots.ClassScore, len(r.Classes))
	for k, c := range r.Classes {
		shown[k] = plots.ClassScore{Label: fmt.Sprint(c.Label), F1: c.F1, Precision: c.Precision, Recall: c.Recall}
	}
	return shown
}
