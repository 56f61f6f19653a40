// Package figure prints the tables and draws the plots of the experiments.
package figure

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

// colours are told apart by people who do not see red and green alike.
var colours = [Colours]color.Color{
	color.RGBA{0, 0, 0, 255}, color.RGBA{120, 120, 120, 255}, color.RGBA{0, 114, 178, 255}, color.RGBA{86, 180, 233, 255},
	color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255}, color.RGBA{204, 121, 167, 255},
}

// Colours is how many colours there are.
const Colours = 7

// Colour returns the colour of line k.
func Colour(k int) color.Color { return colours[k%Colours] }

// Curve is one line of a plot.
type Curve struct {
	Label  string
	Points plotter.XYs
}

// Lines draws curves to a file, in the format that its name ends with.
func Lines(path, title, x, y string, logX, logY bool, curves []Curve) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	if logX {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, PowersOfTen{}
	}
	if logY {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, PowersOfTen{}
	}
	p.Legend.Top = true
	p.Add(plotter.NewGrid())
	for k, c := range curves {
		if len(c.Points) == 0 {
			continue
		}
		line, err := plotter.NewLine(c.Points)
		if err != nil {
			return err
		}
		line.Color, line.Width = Colour(k), vg.Points(1.5)
		if k >= Colours {
			line.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
		}
		p.Add(line)
		p.Legend.Add(c.Label, line)
	}
	return p.Save(6.5*vg.Inch, 4.5*vg.Inch, path)
}

// PowersOfTen marks an axis at whole powers of ten, few enough to read.
type PowersOfTen struct{}

// Ticks returns the marks.
func (PowersOfTen) Ticks(low, high float64) []plot.Tick {
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
