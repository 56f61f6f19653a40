// Package plots draws runs, curves and frontiers as PNG and SVG.
package plots

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// figure is a picture of several panels.
type figure struct {
	panels        []panel
	columns       int       // 0 for one row
	width, height vg.Length // of a panel without its legend, 0 for the usual
	title         string    // of the picture; "" for none
	settings      string    // of the run, and the version
	spots         *[]spot   // collects the points that a reader may ask for; nil for none
}

// The usual size of a panel, and the resolution of a PNG.
const (
	panelWidth, panelHeight = 4.8 * vg.Inch, 3.3 * vg.Inch
	plotDPI                 = 144
)

// panel is one pair of axes with what is drawn between them.
type panel struct {
	x, y           string // what the axes show
	logX, logY     bool
	rangeX, rangeY [2]float64 // fixed where their ends differ
	places         []string   // names of 0, 1, ... on the horizontal axis
	above          string     // what a second horizontal axis shows, above; "" for none
	top            []plot.Tick
	items          []item
}

// item is something between the axes, with its entry in the legend.
type item struct {
	name     string // empty for none
	plotters []plot.Plotter
	points   plotter.XYs // that the axes have to reach
}

// clean drops what the axes have no place for: a logarithm none for 0.
func (p *panel) clean(points plotter.XYs) plotter.XYs {
	return slices.DeleteFunc(slices.Clone(points), func(at plotter.XY) bool {
		return at.X-at.X != 0 || at.Y-at.Y != 0 || p.logX && at.X <= 0 || p.logY && at.Y <= 0
	})
}

// add puts something into the panel that reaches the points, if there are any.
func (p *panel) add(name string, points plotter.XYs, plotters ...plot.Plotter) {
	if len(points) > 0 {
		p.items = append(p.items, item{name, plotters, points})
	}
}

// line draws a curve; one of a single point is a dot.
func (p *panel) line(name string, points plotter.XYs, s style) {
	points = thin(p.clean(points), 2000)
	plotters := []plot.Plotter{&plotter.Line{XYs: points, LineStyle: s.line()}}
	if s.glyph != nil || len(points) == 1 {
		plotters = append(plotters, &plotter.Scatter{XYs: points, GlyphStyle: s.dot(2.2)})
	}
	p.add(name, points, plotters...)
}

// dots draws a mark at each point.
func (p *panel) dots(name string, points plotter.XYs, s style, radius float64) {
	points = p.clean(points)
	p.add(name, points, &plotter.Scatter{XYs: points, GlyphStyle: s.dot(radius)})
}

// area fills what lies between two curves over the same places.
func (p *panel) area(name string, low, high plotter.XYs, c color.RGBA) {
	low, high = p.clean(low), p.clean(high)
	slices.Reverse(low)
	around := slices.Concat(high, low)
	p.add(name, around, &plotter.Polygon{XYs: []plotter.XYs{around}, Color: faint(c)})
}

// spans draws a vertical bar with caps around each point.
func (p *panel) spans(points plotter.XYs, by []float64, c color.RGBA) {
	bars := &plotter.YErrorBars{LineStyle: draw.LineStyle{Color: c, Width: vg.Points(0.8)}, CapWidth: vg.Points(4)}
	var ends plotter.XYs
	for k, at := range points {
		if both := p.clean(plotter.XYs{{X: at.X, Y: at.Y - by[k]}, {X: at.X, Y: at.Y + by[k]}}); len(both) == 2 {
			bars.XYs = append(bars.XYs, at)
			bars.YErrors = append(bars.YErrors, struct{ Low, High float64 }{by[k], by[k]})
			ends = append(ends, both...)
		}
	}
	p.add("", ends, bars)
}

// stems draws dots on upright lines from a level.
func (p *panel) stems(name string, points plotter.XYs, from float64, s style, radius float64) {
	points = p.clean(points)
	thread := style{color: s.color, width: 1}.line()
	p.add(name, points, &stems{points, from, thread}, &plotter.Scatter{XYs: points, GlyphStyle: s.dot(radius)})
}

// rule draws a straight line across the panel: upright at x, or level at y.
func (p *panel) rule(name string, at float64, upright bool, s style) {
	point := plotter.XY{X: math.NaN(), Y: at}
	logarithm := p.logY
	if upright {
		point, logarithm = plotter.XY{X: at, Y: math.NaN()}, p.logX
	}
	if at-at == 0 && (at > 0 || !logarithm) {
		p.add(name, plotter.XYs{point}, &across{at, upright, s.line()})
	}
}

// reach is the range of a coordinate over all items, widened a little, or the fixed one.
func reach(items []item, of func(plotter.XY) float64, logarithm bool, fixed [2]float64) (low, high float64) {
	if fixed[0] < fixed[1] {
		return fixed[0], fixed[1]
	}
	low, high = math.Inf(1), math.Inf(-1)
	for _, i := range items {
		for _, at := range i.points {
			if v := of(at); v-v == 0 {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	if low > high {
		return 0, 1
	}
	if logarithm {
		margin := max(math.Pow(high/low, 0.03), 1.02)
		if low == high {
			margin = 2
		}
		return max(low/margin, 0x1p-1022), min(high*margin, math.MaxFloat64)
	}
	margin := 0.03 * (high - low)
	if low == high {
		margin = max(math.Abs(low)/2, 0x1p-1000)
		if low == 0 {
			margin = 1
		}
	}
	return low - margin, high + margin
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
