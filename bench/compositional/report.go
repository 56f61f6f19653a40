package main

import (
	"fmt"
	"io"
	"math"
	"os"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/lanes-go/lanes/bench/figure"
	"github.com/lanes-go/lanes/solvers"
)

// table collects the rows of the printed table.
type table struct{ rows [][]string }

func (t *table) add(e *experiment, mode string, curves []curve) {
	for k, c := range curves {
		row := []string{"", "", "", "", "", "", ""}
		if k == 0 {
			row = []string{e.figure, e.name, fmt.Sprintf("%g", e.lambda), fmt.Sprintf("%d/%d", e.active, e.d), fmt.Sprintf("%.3g", 1/e.curvature), fmt.Sprintf("%.0e", e.residual), mode}
		}
		row = append(row, c.label)
		for _, v := range c.reached {
			cell := fmt.Sprintf("%.3g", v)
			if math.IsInf(v, 1) {
				cell = "-"
			}
			row = append(row, cell)
		}
		final := fmt.Sprintf("%.1e", c.final/(e.first-e.least))
		if c.ended != "" {
			final = c.ended
		}
		t.rows = append(t.rows, append(row, final))
	}
}

func (t *table) print(w io.Writer, seeds int, budget float64) {
	fmt.Fprintf(w, `samples/N until (Phi - Phi*)/(Phi(x0) - Phi*) is at most 1e-2, 1e-4, 1e-6, and what is left after %g samples/N;
medians of %d seeds; every sample counts, full passes included; KKT is by how much x* misses the optimality conditions

`, budget, seeds)
	rows := append([][]string{{"figure", "data set", "lambda", "active", "1/L", "KKT", "settings", "solver", "1e-2", "1e-4", "1e-6", "left"}}, t.rows...)
	figure.Table(w, rows)
}

// shade picks the colours that differ most.
var shade = []int{0, 2, 4, 5, 6}

// draw writes Phi - Phi* against samples/N and against seconds.
func (e *experiment) draw(path, mode string, curves []curve) error {
	canvas := vgimg.New(11*vg.Inch, 4.2*vg.Inch)
	whole := draw.New(canvas)
	n := float64(e.n)
	axes := []struct {
		label string
		value func(solvers.Point) float64
	}{
		{"samples/N", func(p solvers.Point) float64 { return float64(p.GradientEvaluations) / n }},
		{"seconds", func(p solvers.Point) float64 { return p.Seconds }},
	}
	tiles := draw.Tiles{Rows: 1, Cols: 2, PadX: vg.Points(12), PadTop: vg.Points(4), PadBottom: vg.Points(4), PadLeft: vg.Points(4), PadRight: vg.Points(8)}
	for at, axis := range axes {
		p := plot.New()
		p.Title.Text = fmt.Sprintf("%s, %s: objective above the minimum", e.name, mode)
		p.X.Label.Text = axis.label
		p.Y.Scale = plot.LogScale{}
		p.Y.Tick.Marker = figure.PowersOfTen{}
		p.Legend.Top = true
		p.Add(plotter.NewGrid())
		floor := math.Max(1e-14*math.Abs(e.first), 1e-16)
		for k, c := range curves {
			var points plotter.XYs
			for _, point := range c.points {
				if v := point.Objective - e.least; v < 1e3*(e.first-e.least) {
					points = append(points, plotter.XY{X: axis.value(point), Y: max(v, floor)})
				}
			}
			if len(points) == 0 {
				continue
			}
			line, err := plotter.NewLine(points)
			if err != nil {
				return err
			}
			line.Color, line.Width = figure.Colour(shade[k%len(shade)]), vg.Points(1.5)
			p.Add(line)
			p.Legend.Add(c.label, line)
		}
		p.Draw(tiles.At(whole, at, 0))
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = vgimg.PngCanvas{Canvas: canvas}.WriteTo(file)
	if closing := file.Close(); err == nil {
		err = closing
	}
	return err
}
