package contest

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Targets are the relative suboptimalities to which training is timed.
var Targets = [...]float64{1e-3, 1e-6}

// Times holds the seconds to reach each target, or ratios of seconds; +Inf if a target was not
// reached.
type Times [len(Targets)]float64

// Never is a time for no target.
func Never() Times {
	var t Times
	for i := range t {
		t[i] = math.Inf(1)
	}
	return t
}

func (t Times) cells(format string) string {
	cells := make([]string, len(t))
	for i, v := range t {
		if cells[i] = "-"; !math.IsInf(v, 1) {
			cells[i] = fmt.Sprintf(format, v)
		}
	}
	return strings.Join(cells, " / ")
}

// String shows seconds.
func (t Times) String() string { return t.cells("%.4f") }

// Bold shows ratios.
func (t Times) Bold() string { return t.cells("**%.2f**") }

// Known returns the times of those targets that were reached.
func (t Times) Known() (list []float64) {
	for _, v := range t {
		if !math.IsInf(v, 1) {
			list = append(list, v)
		}
	}
	return list
}

// Summary prints what ratios come to.
func Summary(what string, all []float64) {
	fmt.Printf("\n%s: least %.2f, median %.2f, of %d\n", what, slices.Min(all), Median(all), len(all))
}

// Table prints rows as a Markdown table; the first is the head.
func Table(w io.Writer, rows [][]string) {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for k, cell := range row {
			width[k] = max(width[k], len(cell))
		}
	}
	for at, row := range rows {
		var line strings.Builder
		for k, cell := range row {
			fmt.Fprintf(&line, "| %-*s ", width[k], cell)
		}
		fmt.Fprintf(w, "%s|\n", line.String())
		if at == 0 {
			for _, n := range width {
				fmt.Fprintf(w, "|%s", strings.Repeat("-", n+2))
			}
			fmt.Fprintln(w, "|")
		}
	}
}
