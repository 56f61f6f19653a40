package main

import (
	"image/color"
	"io"
	"math"
	"path/filepath"
	"strconv"
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
	x, y       string
	log        bool // on the vertical axis
	names      []string
	lines      []plotter.XYs
	legendLeft bool
	legendLow  bool
	noLegend   bool
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
		drawn, legend, err := p.plot()
		if err != nil {
			return err
		}
		left := width * vg.Length(k)
		place := draw.Crop(area, left+vg.Points(8), left+width-area.Max.X-vg.Points(12), vg.Points(8), -vg.Points(8))
		drawn.Draw(place)
		// The plot's own legend would take the height of all its lines.
		legend.Draw(drawn.DataCanvas(place))
	}
	return a.write("plot", path, func(w io.Writer) error {
		_, err := canvas.WriteTo(w)
		return err
	})
}

func (p *panel) plot() (*plot.Plot, *plot.Legend, error) {
	out, legend := plot.New(), plot.NewLegend()
	// What stands on the vertical axis goes above it: gonum leaves a large margin
	// for a label beside a logarithmic axis.
	out.Title.Text, out.X.Label.Text = p.y, p.x
	out.Title.Padding = vg.Points(4)
	out.BackgroundColor = color.White
	out.X.Tick.Marker, out.Y.Tick.Marker = plot.TickerFunc(ticks), plot.TickerFunc(ticks)
	legend.Top, legend.Left = !p.legendLow, p.legendLeft
	legend.Padding, legend.XOffs, legend.YOffs = vg.Points(2), -vg.Points(6), -vg.Points(6)
	if p.legendLeft {
		legend.XOffs = vg.Points(6)
	}
	if p.legendLow {
		legend.YOffs = vg.Points(6)
	}
	out.Add(plotter.NewGrid())
	some := false
	for k, points := range p.lines {
		if len(points) == 0 {
			continue
		}
		some = true
		drawn, err := plotter.NewLine(points)
		if err != nil {
			return nil, nil, err
		}
		drawn.Color = palette[k%len(palette)]
		drawn.Width = vg.Points(1.5)
		if k >= len(palette) {
			drawn.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
		}
		out.Add(drawn)
		if len(points) == 1 {
			dot, err := plotter.NewScatter(points)
			if err != nil {
				return nil, nil, err
			}
			dot.Color, dot.Shape = drawn.Color, draw.CircleGlyph{}
			out.Add(dot)
		}
		if !p.noLegend {
			legend.Add(p.names[k], drawn)
		}
	}
	if p.log && some {
		out.Y.Scale = plot.LogScale{}
		out.Y.Tick.Marker = plot.TickerFunc(logTicks)
		if out.Y.Min == out.Y.Max {
			out.Y.Min, out.Y.Max = out.Y.Min/2, out.Y.Max*2
		}
	}
	return out, &legend, nil
}

// ticks are at most seven round numbers.
func ticks(low, high float64) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/6)))
	for _, factor := range []float64{2, 2.5, 2} {
		if (high-low)/step > 6 {
			step *= factor
		}
	}
	var out []plot.Tick
	for k := math.Ceil(low / step); k*step <= high+step*1e-9 && len(out) < 20; k++ {
		out = append(out, plot.Tick{Value: k * step, Label: strconv.FormatFloat(k*step, 'g', 6, 64)})
	}
	return out
}

// logTicks are powers of ten, or round numbers where the range is small.
func logTicks(low, high float64) []plot.Tick {
	first, last := math.Ceil(math.Log10(low)), math.Floor(math.Log10(high))
	if last-first < 1 {
		return ticks(low, high)
	}
	stride := math.Ceil((last - first + 1) / 9)
	var out []plot.Tick
	for k := first; k <= last; k++ {
		tick := plot.Tick{Value: math.Pow(10, k)}
		if math.Mod(k, stride) == 0 {
			tick.Label = "1e" + strconv.Itoa(int(k))
		}
		out = append(out, tick)
	}
	return out
}
