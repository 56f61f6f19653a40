package main

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"os"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/lanes-go/lanes/solvers"
)

// table collects the rows of the printed table.
type table struct{ rows [][]string }

func (t *table) add(e *experiment, mode string, curves []curve) {
	for k, c := range curves {
		row := []string{"", "", "", "", ""}
		if k == 0 {
			row = []string{e.figure, e.name, fmt.Sprintf("%g", e.lambda), fmt.Sprintf("%.0e", e.residual), mode}
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
	rows := append([][]string{{"figure", "data set", "lambda", "KKT", "settings", "solver", "1e-2", "1e-4", "1e-6", "left"}}, t.rows...)
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

// colours are told apart by people who do not see red and green alike.
var colours = []color.Color{
	color.RGBA{0, 0, 0, 255}, color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255},
	color.RGBA{0, 158, 115, 255}, color.RGBA{204, 121, 167, 255},
}

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
		p.Y.Tick.Marker = powersOfTen{}
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
			line.Color, line.Width = colours[k%len(colours)], vg.Points(1.5)
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

// powersOfTen marks an axis at whole powers of ten, few enough to read.
type powersOfTen struct{}

// Ticks returns the marks.
func (powersOfTen) Ticks(low, high float64) []plot.Tick {
	first, last := int(math.Floor(math.Log10(low))), int(math.Ceil(math.Log10(high)))
	every := max(1, (last-first)/8)
	var ticks []plot.Tick
	for k := first; k <= last; k++ {
		tick := plot.Tick{Value: math.Pow(10, float64(k))}
		if tick.Value < low || tick.Value > high {
			continue
		}
		if (k-first)%every == 0 {
			tick.Label = fmt.Sprintf("1e%d", k)
		}
		ticks = append(ticks, tick)
	}
	return ticks
}
