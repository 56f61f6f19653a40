package main

import (
	"image/color"
	"io"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/lanes-go/lanes/solvers"
)

// curve is a run as the plots show it.
type curve struct {
	name   string
	points []solvers.Point
}

// palette is Okabe and Ito's, which the colour-blind can tell apart.
var palette = []color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255},
	{230, 159, 0, 255}, {86, 180, 233, 255}, {0, 0, 0, 255}, {140, 140, 20, 255}, {120, 60, 160, 255},
}

// panel is one pair of axes.
type panel struct {
	title, x, y string
	log         bool // on the vertical axis
	names       []string
	lines       []plotter.XYs
	legendLeft  bool
	legendLow   bool
}

// plotRuns draws the runs against passes and against seconds.
func (a *app) plotRuns(path string, runs []curve) error {
	best := bestObjective(runs)
	what, value := "objective above the best seen", func(p solvers.Point) float64 { return p.Objective - best }
	if len(runs) == 1 {
		what, value = "norm of the gradient", func(p solvers.Point) float64 { return p.GradientNorm }
		if points := runs[0].points; len(points) > 0 && points[0].Gap-points[0].Gap == 0 {
			what, value = "duality gap", func(p solvers.Point) float64 { return p.Gap }
		}
	}
	passes := panel{x: "passes over the data", y: what, log: true}
	seconds := panel{x: "seconds", y: what, log: true}
	for _, r := range runs {
		passes.add(r.name, line(r.points, func(p solvers.Point) float64 { return p.Passes }, value))
		seconds.add(r.name, line(r.points, func(p solvers.Point) float64 { return p.Seconds }, value))
	}
	panels := []panel{passes, seconds}
	if len(runs) == 1 {
		loss := panel{x: "passes over the data", y: "objective"}
		loss.add(runs[0].name, line(runs[0].points, func(p solvers.Point) float64 { return p.Passes }, func(p solvers.Point) float64 { return p.Objective }))
		panels = []panel{loss, passes}
	}
	return a.writePlot(path, panels)
}

// bestObjective is the least objective of all points.
func bestObjective(runs []curve) float64 {
	best := math.Inf(1)
	for _, r := range runs {
		for _, p := range r.points {
			best = min(best, p.Objective)
		}
	}
	return best
}

func line(points []solvers.Point, x, y func(solvers.Point) float64) plotter.XYs {
	var out plotter.XYs
	for _, p := range points {
		if v := y(p); v-v == 0 {
			out = append(out, plotter.XY{X: x(p), Y: v})
		}
	}
	return out
}

// add puts a line into the panel; a logarithmic axis has no place for 0.
func (p *panel) add(name string, points plotter.XYs) {
	if p.log {
		var positive plotter.XYs
		for _, point := range points {
			if point.Y > 0 {
				positive = append(positive, point)
			}
		}
		points = positive
	}
	p.names, p.lines = append(p.names, name), append(p.lines, thin(points, 2000))
}

// thin keeps about count points, the last among them.
func thin(points plotter.XYs, count int) plotter.XYs {
	if len(points) <= count {
		return points
	}
	out := make(plotter.XYs, 0, count+1)
	for k := range count {
		out = append(out, points[k*len(points)/count])
	}
	return append(out, points[len(points)-1])
}

// writePlot draws the panels side by side; the extension of path tells PNG from
// SVG.
func (a *app) writePlot(path string, panels []panel) error {
	const width, height = 6 * vg.Inch, 4.5 * vg.Inch
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
	canvas, err := draw.NewFormattedCanvas(width*vg.Length(len(panels)), height, format)
	if err != nil {
		return err
	}
	area := draw.New(canvas)
	for k, p := range panels {
		drawn, err := p.plot()
		if err != nil {
			return err
		}
		left := width * vg.Length(k)
		drawn.Draw(draw.Crop(area, left+vg.Points(8), left+width-area.Max.X-vg.Points(8), vg.Points(8), -vg.Points(8)))
	}
	return a.write("plot", path, func(w io.Writer) error {
		_, err := canvas.WriteTo(w)
		return err
	})
}

func (p *panel) plot() (*plot.Plot, error) {
	out := plot.New()
	out.Title.Text, out.X.Label.Text, out.Y.Label.Text = p.title, p.x, p.y
	out.BackgroundColor = color.White
	out.Legend.Top, out.Legend.Left = !p.legendLow, p.legendLeft
	out.Legend.Padding = vg.Points(2)
	out.Add(plotter.NewGrid())
	some := false
	for k, points := range p.lines {
		if len(points) == 0 {
			continue
		}
		some = true
		drawn, err := plotter.NewLine(points)
		if err != nil {
			return nil, err
		}
		drawn.Color = palette[k%len(palette)]
		drawn.Width = vg.Points(1.5)
		if k >= len(palette) {
			drawn.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
		}
		out.Add(drawn)
		out.Legend.Add(p.names[k], drawn)
	}
	if p.log && some {
		out.Y.Scale = plot.LogScale{}
		out.Y.Tick.Marker = plot.LogTicks{Prec: 1}
		if out.Y.Min == out.Y.Max {
			out.Y.Min, out.Y.Max = out.Y.Min/2, out.Y.Max*2
		}
	}
	return out, nil
}
