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
	// Low and High are the ends of Loss, over the seeds.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
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
		Style          template.CSS
		Title          string
		Head, GridHead []string
		Rows, Grid     [][]string
		Facts          [][2]string
		Runs           []pageRun
		Best           *float64
	}{Style: plots.PageStyle(), Title: "Solvers on " + c.Data, Head: c.head(), GridHead: c.gridHead(), Grid: c.gridRows(), Facts: c.facts(), Best: console.Finite(c.best)}
	for _, e := range c.chosen() {
		page.Rows = append(page.Rows, c.row(e))
	}
	for k, run := range c.Curves() {
		out := pageRun{Name: run.Name}
		out.Color, out.Dashes = plots.CSS(k)
		for i, p := range run.Points {
			point := pagePoint{Passes: p.Epochs, Seconds: p.Seconds, Above: console.Finite(p.Objective - c.best), Gradient: console.Finite(p.GradientNorm), Gap: console.Finite(p.Gap), Loss: console.Finite(p.Objective)}
			if run.Low != nil {
				point.Low, point.High = console.Finite(run.Low[i].Objective), console.Finite(run.High[i].Objective)
			}
			out.Points = append(out.Points, point)
		}
		page.Runs = append(page.Runs, out)
	}
	return pageTemplate().Execute(w, page)
}

//go:embed page.html
var pageText string

// pageTemplate is one file without any reference to another.
var pageTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageText)) })
