package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/plot/plotter"

	"github.com/lanes-go/lanes/solvers"
)

// relatedReport is what several fits add to the report of a training.
type relatedReport struct {
	Classes         []fitReport  `json:"classes,omitempty"`
	Path            []fitReport  `json:"path,omitempty"`
	CrossValidation *foldsReport `json:"cross_validation,omitempty"`

	metric string // what the metric of the path is
}

// fitReport is one class, or one point of a path.
type fitReport struct {
	Label        *float64 `json:"label,omitempty"`
	Rows         int      `json:"rows,omitempty"`
	Lambda       *float64 `json:"lambda,omitempty"`
	Solver       string   `json:"solver"`
	Status       string   `json:"status"`
	Objective    *float64 `json:"objective"`
	GradientNorm *float64 `json:"gradient_norm"`
	Gap          *float64 `json:"duality_gap"`
	Passes       float64  `json:"passes"`
	Metric       *float64 `json:"metric,omitempty"`
}

type foldsReport struct {
	Folds          int          `json:"folds"`
	Metric         string       `json:"metric"`
	HigherIsBetter bool         `json:"higher_is_better"`
	BestLambda     float64      `json:"best_lambda"`
	OneErrorLambda float64      `json:"one_standard_error_lambda"`
	Chosen         float64      `json:"chosen_lambda"`
	Points         []foldsPoint `json:"points"`
}

type foldsPoint struct {
	Lambda float64   `json:"lambda"`
	Mean   *float64  `json:"mean"`
	Error  *float64  `json:"standard_error"`
	Values []float64 `json:"folds"`
}

// fitTrace is the trace of a fit, with what tells it from the others.
type fitTrace struct {
	name   string
	points []solvers.Point
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// writeTraces writes the traces of several fits, told apart by a first column.
func writeTraces(w io.Writer, column string, traces []fitTrace) error {
	out := bufio.NewWriter(w)
	for k, t := range traces {
		var text strings.Builder
		if err := writeTrace(&text, t.points); err != nil {
			return err
		}
		lines := strings.SplitAfter(text.String(), "\n")
		if k == 0 {
			out.WriteString(column + "," + lines[0])
		}
		for _, line := range lines[1:] {
			if line != "" {
				out.WriteString(t.name + "," + line)
			}
		}
	}
	return out.Flush()
}

// print shows the fits as a table.
func (r *relatedReport) print(text *strings.Builder) {
	w := tabwriter.NewWriter(text, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer w.Flush()
	show := func(v *float64, format string) string {
		if v == nil {
			return "-"
		}
		return fmt.Sprintf(format, *v)
	}
	switch {
	case r.Classes != nil:
		fmt.Fprint(w, "\nclass\trows\tobjective\tgap\tpasses\tstatus\t\n")
		for _, c := range r.Classes {
			fmt.Fprintf(w, "%v\t%d\t%s\t%s\t%.4g\t%s\t\n", *c.Label, c.Rows, show(c.Objective, "%.8g"), show(c.Gap, "%.3g"), c.Passes, c.Status)
		}
	case r.Path != nil:
		fmt.Fprintf(w, "\nlambda\tobjective\tgap\tpasses\tstatus\t%s\t\n", strings.ReplaceAll(r.metric, "_", " "))
		for _, c := range r.Path {
			metric := ""
			if r.metric != "" {
				metric = show(c.Metric, "%.6g")
			}
			fmt.Fprintf(w, "%.4g\t%s\t%s\t%.4g\t%s\t%s\t\n", *c.Lambda, show(c.Objective, "%.8g"), show(c.Gap, "%.3g"), c.Passes, c.Status, metric)
		}
	case r.CrossValidation != nil:
		fmt.Fprintf(w, "\nlambda\t%s\tstandard error\t\t\n", r.metric)
		for _, c := range r.CrossValidation.Points {
			var notes []string
			if c.Lambda == r.CrossValidation.BestLambda {
				notes = append(notes, "best")
			}
			if c.Lambda == r.CrossValidation.OneErrorLambda && len(r.CrossValidation.Points) > 1 {
				notes = append(notes, "one standard error")
			}
			fmt.Fprintf(w, "%.4g\t%s\t%s\t%s\t\n", c.Lambda, show(c.Mean, "%.6g"), show(c.Error, "%.3g"), strings.Join(notes, ", "))
		}
	}
}

// plotSeveral draws a path against lambda, or the gaps of classes against passes.
func (a *app) plotSeveral(path string, r *trained) error {
	report := r.related
	value := func(v *float64) float64 {
		if v == nil {
			return math.NaN()
		}
		return *v
	}
	const axis = "log10 of lambda"
	objective, metric := panel{x: axis, y: "objective"}, panel{x: axis, y: strings.ReplaceAll(report.metric, "_", " ")}
	draw := func(p *panel, name string, count int, lambda, y func(k int) float64) {
		var line plotter.XYs
		for k := range count {
			if v := y(k); v-v == 0 {
				line = append(line, plotter.XY{X: math.Log10(lambda(k)), Y: v})
			}
		}
		p.add(name, line)
	}
	switch {
	case report.Classes != nil:
		gaps, norms := panel{x: "passes over the data", y: "duality gap", log: true}, panel{x: "passes over the data", y: "norm of the gradient", log: true}
		passes := func(p solvers.Point) float64 { return p.Passes }
		for _, t := range r.traces {
			gaps.add("class "+t.name, line(t.points, passes, func(p solvers.Point) float64 { return p.Gap }))
			norms.add("class "+t.name, line(t.points, passes, func(p solvers.Point) float64 { return p.GradientNorm }))
		}
		if len(r.traces) > len(palette) {
			gaps.noLegend, norms.noLegend = true, true
		}
		return a.writePlot(path, []panel{gaps, norms})
	case report.Path != nil:
		points := report.Path
		lambda := func(k int) float64 { return *points[k].Lambda }
		draw(&objective, "objective", len(points), lambda, func(k int) float64 { return value(points[k].Objective) })
		if report.metric == "" {
			metric.y = "norm of the gradient"
			metric.log = true
			draw(&metric, metric.y, len(points), lambda, func(k int) float64 { return value(points[k].GradientNorm) })
			break
		}
		draw(&metric, metric.y, len(points), lambda, func(k int) float64 { return value(points[k].Metric) })
	default:
		points := report.CrossValidation.Points
		lambda := func(k int) float64 { return points[k].Lambda }
		if len(points) == 1 {
			return a.plotRuns(path, []curve{{r.Solver, r.points}})
		}
		draw(&metric, "mean over the folds", len(points), lambda, func(k int) float64 { return value(points[k].Mean) })
		draw(&metric, "one standard error above", len(points), lambda, func(k int) float64 { return value(points[k].Mean) + value(points[k].Error) })
		draw(&metric, "one standard error below", len(points), lambda, func(k int) float64 { return value(points[k].Mean) - value(points[k].Error) })
		return a.writePlot(path, []panel{metric})
	}
	return a.writePlot(path, []panel{objective, metric})
}

// plainData drops the package's name and marks what is wrong with the data.
func plainData(err error) error {
	text := plain(err).Error()
	if strings.Contains(text, "folds") || strings.Contains(text, "resume") {
		return dataError{errors.New(text)}
	}
	return plain(err)
}
