package report

import (
	"fmt"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
)

// wantedTable has a row for each candidate of a search, below the head. gain is the mean over
// the folds minus the mean of the best logistic fit.
func wantedTable(r *fitting.WantedReport) [][]string {
	rows := [][]string{{"", "candidate", "lambda", console.MetricName(r.Metric), "standard error", "gain", "standard error of gain", "epochs", "seconds", ""}}
	for k, t := range r.Tried {
		var notes []string
		if k == r.Logistic && k != r.Chosen {
			notes = append(notes, "best logistic")
		}
		if k == r.Chosen {
			notes = append(notes, "chosen")
		}
		rows = append(rows, []string{
			fmt.Sprint(k + 1), t.Text, fmt.Sprintf("%.3g", t.Lambda), show(t.Mean, "%.6f"), show(t.Error, "%.6f"), show(t.Gain, "%+.6f"), show(t.GainError, "%.6f"),
			fmt.Sprintf("%.4g", t.Passes), fmt.Sprintf("%.3g", t.Seconds), strings.Join(notes, ", "),
		})
	}
	return rows
}
