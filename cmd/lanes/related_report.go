package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/lanes-go/lanes/solvers"
)

// relatedReport is what several fits add to the report of a training.
type relatedReport struct {
	Classes         []fitReport  `json:"classes,omitempty"`
	Path            []fitReport  `json:"path,omitempty"`
	CrossValidation *foldsReport `json:"cross_validation,omitempty"`
	// AtEdge says that the best point of a path is its first or last one.
	AtEdge *bool `json:"best_at_edge,omitempty"`

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
	F1           *float64 `json:"train_f1,omitempty"`
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
		fmt.Fprint(w, "\nclass\trows\tobjective\tgap\tpasses\tstatus\ttrain F1\t\n")
		for _, c := range r.Classes {
			fmt.Fprintf(w, "%v\t%d\t%s\t%s\t%.4g\t%s\t%s\t\n", *c.Label, c.Rows, show(c.Objective, "%.8g"), show(c.Gap, "%.3g"), c.Passes, c.Status, show(c.F1, "%.4f"))
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
