package report

import (
	"fmt"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
)

// show is a number of a table, "-" where there is none.
func show(v *float64, format string) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf(format, *v)
}

// printSeveral shows the fits as a table.
func printSeveral(text *console.Text, r *fitting.RelatedReport) {
	text.Right()
	if r.Classes != nil && r.CrossValidation != nil {
		defer printSeveral(text, &fitting.RelatedReport{CrossValidation: r.CrossValidation, Metric: r.Metric})
	}
	switch {
	case r.Wanted != nil:
		fmt.Fprintln(text)
		rows, width := wantedTable(r.Wanted), 0
		for _, row := range rows {
			width = max(width, len(row[1]))
		}
		for _, row := range rows {
			fmt.Fprintf(text, "%s\t%-*s\t%s\t\n", row[0], width, row[1], strings.Join(row[2:], "\t"))
		}
	case r.Classes != nil:
		count := ""
		if r.Classes[0].NonZeros != nil {
			count = "non-zeros\t"
		}
		fmt.Fprintf(text, "\nclass\trows\t%sobjective\tgap\tpasses\tstatus\ttrain F1\t\n", count)
		for _, c := range r.Classes {
			if c.NonZeros != nil {
				count = fmt.Sprintf("%d\t", *c.NonZeros)
			}
			fmt.Fprintf(text, "%v\t%d\t%s%s\t%s\t%.4g\t%s\t%s\t\n", *c.Label, c.Rows, count, show(c.Objective, "%.8g"), show(c.Gap, "%.3g"), c.Passes, c.Status, show(c.F1, "%.4f"))
		}
	case r.Path != nil:
		first, count := "lambda", ""
		if r.Path[0].NonZeros != nil {
			first, count = "l1", "non-zeros\t"
		}
		fmt.Fprintf(text, "\n%s\t%sobjective\tgap\tpasses\tstatus\t%s\t\n", first, count, strings.ReplaceAll(r.Metric, "_", " "))
		for _, c := range r.Path {
			metric := ""
			if r.Metric != "" {
				metric = show(c.Metric, "%.6g")
			}
			if c.NonZeros != nil {
				count = fmt.Sprintf("%d\t", *c.NonZeros)
			}
			fmt.Fprintf(text, "%.4g\t%s%s\t%s\t%.4g\t%s\t%s\t\n", *c.Lambda, count, show(c.Objective, "%.8g"), show(c.Gap, "%.3g"), c.Passes, c.Status, metric)
		}
	case r.CrossValidation != nil:
		first, count := "lambda", ""
		if r.CrossValidation.Points[0].NonZeros != nil {
			first, count = "l1", "non-zeros\t"
		}
		fmt.Fprintf(text, "\n%s\t%s%s\tstandard error\t\t\n", first, count, r.Metric)
		for _, c := range r.CrossValidation.Points {
			if c.NonZeros != nil {
				count = fmt.Sprintf("%.4g\t", *c.NonZeros)
			}
			var notes []string
			if c.Lambda == r.CrossValidation.BestLambda {
				notes = append(notes, "best")
			}
			if c.Lambda == r.CrossValidation.OneErrorLambda && len(r.CrossValidation.Points) > 1 {
				notes = append(notes, "one standard error")
			}
			fmt.Fprintf(text, "%.4g\t%s%s\t%s\t%s\t\n", c.Lambda, count, show(c.Mean, "%.6g"), show(c.Error, "%.3g"), strings.Join(notes, ", "))
		}
	}
}
