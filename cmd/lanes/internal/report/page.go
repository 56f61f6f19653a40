package report

import (
	_ "embed"
	"html/template"
	"io"
	"sync"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/plots"
)

// pagePoint is a point as the page's script reads it.
type pagePoint struct {
	Passes   float64  `json:"passes"`
	Seconds  float64  `json:"seconds"`
	Above    *float64 `json:"above"`
	Gradient *float64 `json:"gradient"`
	Gap      *float64 `json:"gap"`
	Loss     *float64 `json:"objective"`
}

type pageRun struct {
	Name   string      `json:"name"`
	Color  string      `json:"color"`
	Dashes string      `json:"dashes"`
	Points []pagePoint `json:"points"`
}

// WritePage writes the page of the runs.
func (c *Comparison) WritePage(w io.Writer) error {
	page := struct {
		Style template.CSS
		Title string
		Head  []string
		Rows  [][]string
		Facts [][2]string
		Runs  []pageRun
	}{Style: plots.PageStyle(), Title: "Solvers on " + c.Problem.Data.Name, Head: tableHead, Facts: c.facts()}
	for _, r := range c.Runs {
		page.Rows = append(page.Rows, c.row(r))
	}
	for k, run := range c.Curves {
		out := pageRun{Name: run.Name}
		out.Color, out.Dashes = plots.CSS(k)
		for _, p := range run.Points {
			out.Points = append(out.Points, pagePoint{p.Epochs, p.Seconds, console.Finite(p.Objective - c.Best), console.Finite(p.GradientNorm), console.Finite(p.Gap), console.Finite(p.Objective)})
		}
		page.Runs = append(page.Runs, out)
	}
	return pageTemplate().Execute(w, page)
}

//go:embed page.html
var pageText string

// pageTemplate is one file without any reference to another.
var pageTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageText)) })
