package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/plots"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/solvers"
)

//go:embed wanted.html
var wantedText string

// wantedTemplate is one file without any reference to another.
var wantedTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("wanted").Parse(wantedText)) })

// WriteWantedPage writes the page of a search: what was tried, as a picture and as a table.
func WriteWantedPage(w io.Writer, r *fitting.Trained) error {
	p, search, m := r.Problem, r.Related.Wanted, dispatch.Report()
	picture := string(plots.WantedSVG(search))
	picture = picture[max(strings.Index(picture, "<svg"), 0):] // without the head of a file
	rows := wantedTable(search)
	return wantedTemplate().Execute(w, map[string]any{
		"Title": fmt.Sprintf("Ways to train on %s for %s", p.Data.Name, search.Metric),
		// The picture is made here, of numbers and of names that are text in it.
		"Picture": template.HTML(picture), "Head": rows[0], "Rows": rows[1:], "Chosen": search.Chosen,
		"Facts": [][2]string{
			{"data", p.Data.Name},
			{"size", fmt.Sprintf("%d rows, %d columns, %d non-zeros", p.X.Rows(), p.Columns(), p.X.NNZ())},
			{"labels", p.LabelText()},
			{"rows", fmt.Sprintf("bias %v, normalize %s", p.Bias(), p.Normalize())},
			{"search", fmt.Sprintf("%d folds, seed %d, %s", search.Folds, r.Seed, search.Status)},
			{"chosen", fmt.Sprintf("%s, lambda %.6g, fitted to all rows: %v", search.Tried[search.Chosen].Text, p.Lambda, r.Status)},
			{"weights sha256", solvers.HashWeights(r.Weights)},
			{"machine", fmt.Sprintf("%s, %s/%s, %d cores, CPU path %s, %d workers", m.Name, m.OS, m.Arch, m.Cores, m.Path, r.Workers)},
			{"program", "lanes " + console.Version()},
		},
	})
}

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
