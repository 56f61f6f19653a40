package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
)

// show formats a number of a table, "-" if it is missing.
func show[T int | float64](v *T, format string) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf(format, *v)
}

// nonZeros is the head of a column that tables have where weights that are not 0 are counted.
const nonZeros = "non-zeros"

// mostRows is the largest number of rows of a table that is printed whole. Of a longer table,
// nearRows rows on each side of the rows that matter are printed.
const mostRows, nearRows = 25, 5

// excerpt returns the head, the ends and the neighbourhood of the marked rows of a long table.
// left is the number of rows that it left out. Rows are counted without the head.
func excerpt(rows [][]string, marked []int) (short [][]string, left int) {
	last := len(rows) - 2
	if last < mostRows {
		return rows, 0
	}
	short = rows[:1:1]
	for k, row := range rows[1:] {
		near := k == 0 || k == last || slices.ContainsFunc(marked, func(m int) bool { return m-nearRows <= k && k <= m+nearRows })
		if !near {
			if short[len(short)-1][0] != "..." {
				short = append(short, append([]string{"..."}, make([]string, len(row)-1)...))
			}
			left++
			continue
		}
		short = append(short, row)
	}
	return short, left
}

// worstClasses returns the classes of lowest F1 on the training rows.
func worstClasses(classes []fitting.FitReport) (worst []int) {
	for k, c := range classes {
		if c.F1 != nil {
			worst = append(worst, k)
		}
	}
	slices.SortStableFunc(worst, func(a, b int) int { return cmp.Compare(*classes[a].F1, *classes[b].F1) })
	return worst[:min(len(worst), 2*nearRows)]
}

// marked returns the rows of the table of r that matter most.
func marked(t *fitting.Trained, r *fitting.RelatedReport) []int {
	rows := []int{chosen(t, r)}
	if r.Wanted != nil {
		rows = append(rows, r.Wanted.Logistic)
	} else if v := r.CrossValidation; v != nil {
		for k, point := range v.Points {
			if point.Lambda == v.BestLambda || point.Lambda == v.OneErrorLambda {
				rows = append(rows, k)
			}
		}
	}
	return slices.DeleteFunc(rows, func(k int) bool { return k < 0 })
}

// printSeveral shows the fits as a table, a long one whole only on request.
func printSeveral(text *console.Text, t *fitting.Trained, r *fitting.RelatedReport, full bool) {
	if r.Classes != nil && r.CrossValidation != nil {
		defer printSeveral(text, t, &fitting.RelatedReport{CrossValidation: r.CrossValidation, Metric: r.Metric}, full)
	}
	rows, left, which := severalTable(r), 0, "around the best"
	switch count := len(rows) - 1; {
	case full || count <= mostRows:
	case r.Wanted == nil && r.Classes != nil:
		short := rows[:1:1]
		for _, k := range worstClasses(r.Classes) {
			short = append(short, rows[k+1])
		}
		if len(short) > 1 {
			rows, left, which = short, count+1-len(short), "of lowest F1"
		}
	default:
		rows, left = excerpt(rows, marked(t, r))
	}
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
	if left > 0 {
		text.Left()
		fmt.Fprintf(text, "the rows %s; --full prints %d more, --json has all\n", which, left)
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
	rows := [][]string{{"class", "rows", nonZeros, "objective", "gap", "epochs", "status", "train F1"}}
	for _, c := range classes {
		rows = append(rows, append([]string{fmt.Sprint(*c.Label), fmt.Sprint(c.Rows)}, fitCells(&c, show(c.F1, "%.4f"))...))
	}
	return rows
}

func pathTable(path []fitting.FitReport, metric string) [][]string {
	rows := [][]string{{weightName(path[0].NonZeros != nil), nonZeros, "objective", "gap", "epochs", "status", console.MetricName(metric)}}
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
	rows := [][]string{{weightName(report.Points[0].NonZeros != nil), nonZeros, console.MetricName(metric), "standard error", ""}}
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
