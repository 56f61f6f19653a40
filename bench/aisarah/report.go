package main

import (
	"fmt"
	"io"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/lanes-go/lanes/bench/figure"
)

// table collects the rows of one printed table.
type table struct {
	title  string
	value  func(curve) float64
	format string
	rows   [][]string
	head   []string
}

func (t *table) add(e *experiment, curves []curve) {
	if t.head == nil {
		t.head = []string{"data set", "lambda", "passes"}
		for _, c := range curves {
			t.head = append(t.head, c.label)
		}
		t.head = append(t.head, "first")
	}
	lambda := "0"
	if e.regularised {
		lambda = "1/n"
	}
	row := []string{e.set, lambda, fmt.Sprintf("%g", e.passes)}
	best := 0
	for k, c := range curves {
		row = append(row, fmt.Sprintf(t.format, t.value(c)))
		if t.value(c) < t.value(curves[best]) {
			best = k
		}
	}
	t.rows = append(t.rows, append(row, curves[best].label))
}

func (t *table) print(w io.Writer) {
	fmt.Fprintf(w, "%s, median over seeds\n\n", t.title)
	figure.Table(w, append([][]string{t.head}, t.rows...))
}

// file names the plot of an experiment.
func (e *experiment) file() string {
	name, _, _ := strings.Cut(e.set, " ")
	if e.regularised {
		return "aisarah-" + name + "-regularised.png"
	}
	return "aisarah-" + name + "-plain.png"
}

// smallest is where the plots end: what is below is rounding.
const smallest = 1e-32

// draw writes the convergence plot.
func (e *experiment) draw(path string, curves []curve) error {
	p := plot.New()
	lambda := "lambda = 0"
	if e.regularised {
		lambda = "lambda = 1/n"
	}
	p.Title.Text = fmt.Sprintf("%s, %s", e.set, lambda)
	p.X.Label.Text = "effective passes"
	p.Y.Label.Text = "squared norm of the gradient"
	p.Y.Scale = plot.LogScale{}
	p.Y.Tick.Marker = figure.PowersOfTen{}
	p.Legend.Left, p.Legend.XOffs = true, vg.Points(6)
	p.Add(plotter.NewGrid())
	for k, c := range curves {
		points := make(plotter.XYs, len(c.passes))
		for i := range points {
			points[i].X, points[i].Y = c.passes[i], max(c.square[i], smallest)
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		line.Color = figure.Colour(k)
		line.Width = vg.Points(1.5)
		if k == 1 {
			line.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
		}
		p.Add(line)
		p.Legend.Add(c.label, line)
	}
	return p.Save(6.5*vg.Inch, 4.5*vg.Inch, path)
}
