package report

import (
	"fmt"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
)

// wantedTable has a row for each candidate of a search, after that of the heads.
func wantedTable(r *fitting.WantedReport) [][]string {
	rows := [][]string{{"", "tried", "C", r.Metric, "standard error", "on logistic", "error of that", "passes", "seconds", ""}}
	for k, t := range r.Tried {
		var notes []string
		if k == r.Logistic && k != r.Chosen {
			notes = append(notes, "best logistic")
		}
		if k == r.Chosen {
			notes = append(notes, "chosen")
		}
		rows = append(rows, []string{
			fmt.Sprint(k + 1), t.Text, fmt.Sprintf("%.3g", t.C), show(t.Mean, "%.6f"), show(t.Error, "%.6f"), show(t.Gain, "%+.6f"), show(t.GainError, "%.6f"),
			fmt.Sprintf("%.4g", t.Passes), fmt.Sprintf("%.3g", t.Seconds), strings.Join(notes, ", "),
		})
	}
	return rows
}
