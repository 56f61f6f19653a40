package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
)

// show is a number of a table, "-" where there is none.
func show[T int | float64](v *T, format string) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf(format, *v)
}

// nonZeros is the head of a column that tables have where weights that are not 0 are counted.
const nonZeros = "non-zeros"

// printSeveral shows the fits as a table.
func printSeveral(text *console.Text, r *fitting.RelatedReport) {
	if r.Classes != nil && r.CrossValidation != nil {
		defer printSeveral(text, &fitting.RelatedReport{CrossValidation: r.CrossValidation, Metric: r.Metric})
	}
	rows := severalTable(r)
	if r.Wanted != nil {
		width := 0
		for _, row := range rows {
			width = max(width, len(row[1]))
		}
		for _, row := range rows {
			row[1] = fmt.Sprintf("%-*s", width, row[1])
		}
	}
	text.Right()
	fmt.Fprintln(text)
	for _, row := range rows {
		fmt.Fprintf(text, "%s\t\n", strings.Join(row, "\t"))
	}
}

// severalTable has the fits below their head, without a column that says nothing.
func severalTable(r *fitting.RelatedReport) (rows [][]string) {
	switch {
	case r.Wanted != nil:
		rows = wantedTable(r.Wanted)
	case r.Classes != nil:
		rows = classTable(r.Classes)
	case r.Path != nil:
		rows = pathTable(r.Path, r.Metric)
	case r.CrossValidation != nil:
		rows = foldTable(r.CrossValidation, r.Metric)
	}
	if k := slices.Index(rows[0], nonZeros); k >= 0 && rows[1][k] == "-" {
		for i := range rows {
			rows[i] = slices.Delete(rows[i], k, k+1)
		}
	}
	return rows
}

func classTable(classes []fitting.FitReport) [][]string {
	rows := [][]string{{"class", "rows", nonZeros, "objective", "gap", "passes", "status", "train F1"}}
	for _, c := range classes {
		rows = append(rows, append([]string{fmt.Sprint(*c.Label), fmt.Sprint(c.Rows)}, fitCells(&c, show(c.F1, "%.4f"))...))
	}
	return rows
}

func pathTable(path []fitting.FitReport, metric string) [][]string {
	rows := [][]string{{weightName(path[0].NonZeros != nil), nonZeros, "objective", "gap", "passes", "status", strings.ReplaceAll(metric, "_", " ")}}
	for _, c := range path {
		value := ""
		if metric != "" {
			value = show(c.Metric, "%.6g")
		}
		rows = append(rows, append([]string{fmt.Sprintf("%.4g", *c.Lambda)}, fitCells(&c, value)...))
	}
	return rows
}

// fitCells are what the tables say of every fit, and a measure.
func fitCells(c *fitting.FitReport, measure string) []string {
	return []string{show(c.NonZeros, "%d"), show(c.Objective, "%.8g"), show(c.Gap, "%.3g"), fmt.Sprintf("%.4g", c.Passes), c.Status, measure}
}

func foldTable(report *fitting.FoldsReport, metric string) [][]string {
	rows := [][]string{{weightName(report.Points[0].NonZeros != nil), nonZeros, metric, "standard error", ""}}
	for _, c := range report.Points {
		var notes []string
		if c.Lambda == report.BestLambda {
			notes = append(notes, "best")
		}
		if c.Lambda == report.OneErrorLambda && len(report.Points) > 1 {
			notes = append(notes, "one standard error")
		}
		rows = append(rows, []string{fmt.Sprintf("%.4g", c.Lambda), show(c.NonZeros, "%.4g"), show(c.Mean, "%.6g"), show(c.Error, "%.3g"), strings.Join(notes, ", ")})
	}
	return rows
}

// weightName names what falls along a path: the regulariser, or the weight of the L1 norm.
func weightName(sparse bool) string {
	if sparse {
		return "l1"
	}
	return "lambda"
}
