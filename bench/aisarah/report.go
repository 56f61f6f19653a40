package main

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
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
	rows := append([][]string{t.head}, t.rows...)
	width := make([]int, len(t.head))
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

// file names the plot of an experiment.
func (e *experiment) file() string {
	name, _, _ := strings.Cut(e.set, " ")
	if e.regularised {
		return "aisarah-" + name + "-regularised.png"
	}
	return "aisarah-" + name + "-plain.png"
}

// colours are told apart by people who do not see red and green alike.
var colours = []color.Color{
	color.RGBA{0, 0, 0, 255}, color.RGBA{120, 120, 120, 255}, color.RGBA{0, 114, 178, 255}, color.RGBA{86, 180, 233, 255},
	color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255}, color.RGBA{204, 121, 167, 255},
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
	p.Y.Tick.Marker = powersOfTen{}
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
		line.Color = colours[k%len(colours)]
		line.Width = vg.Points(1.5)
		if k == 1 {
			line.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
		}
		p.Add(line)
		p.Legend.Add(c.label, line)
	}
	return p.Save(6.5*vg.Inch, 4.5*vg.Inch, path)
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
