package plots

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/related"
)

// Curve is a run as the plots show it. Of several runs it is their median, with the least and the
// largest values at the places of Points.
type Curve struct {
	Name      string
	Points    []solvers.Point
	Low, High []solvers.Point // nil for a single run
}

const (
	epochsAxis = "epochs (passes over the data)"
	gapAxis    = "duality gap"
	normAxis   = "norm of the gradient"
)

// The coordinates of points.
func passesOf(p solvers.Point) float64 { return p.Epochs }

func secondsOf(p solvers.Point) float64 { return p.Seconds }

func gapOf(p solvers.Point) float64 { return p.Gap }

func normOf(p solvers.Point) float64 { return p.GradientNorm }

func objectiveOf(p solvers.Point) float64 { return p.Objective }

func metricOf(p solvers.Point) float64 { return p.Metric }

func line(points []solvers.Point, x, y func(solvers.Point) float64) plotter.XYs {
	out := make(plotter.XYs, len(points))
	for k, p := range points {
		out[k] = plotter.XY{X: x(p), Y: y(p)}
	}
	return out
}

// BestObjective is the least objective of all points.
func BestObjective(runs []Curve) float64 {
	best := math.Inf(1)
	for _, r := range runs {
		for _, p := range r.Points {
			best = min(best, p.Objective)
		}
	}
	return best
}

// DrawRuns draws several runs against epochs and against seconds, below a title with the
// settings.
func DrawRuns(a *console.App, path, title, settings string, runs []Curve) error {
	best := BestObjective(runs)
	const above = "objective above the best seen"
	passes := panel{x: epochsAxis, y: above, logY: true}
	seconds := panel{x: "seconds", y: above, logY: true}
	value := func(p solvers.Point) float64 { return p.Objective - best }
	for k, r := range runs {
		for of, p := range map[*panel]func(solvers.Point) float64{&passes: passesOf, &seconds: secondsOf} {
			if r.Low != nil {
				low, high := aboveNothing(line(r.Points, p, value), line(r.Low, p, value)), line(r.High, p, value)
				of.area("", low, high, styleOf(k).color)
			}
			of.line(r.Name, line(r.Points, p, value), styleOf(k))
		}
	}
	return writePlot(a, path, title, settings, figure{panels: []panel{passes, seconds}})
}

// aboveNothing lifts the lower edge of a band to the least positive value of its curve, where a
// logarithmic axis has no place for it.
func aboveNothing(curve, low plotter.XYs) plotter.XYs {
	least := math.Inf(1)
	for _, p := range slices.Concat(curve, low) {
		if p.Y > 0 {
			least = min(least, p.Y)
		}
	}
	for k := range low {
		low[k].Y = max(low[k].Y, least)
	}
	return low
}

// InlineRun draws one run.
func InlineRun(name string, points []solvers.Point, limits solvers.Settings) []Inline {
	return runFigure(name, points, limits).inline()
}

// runFigure shows one run: its objective, its gap or gradient with the target, and the
// validation metric with the best point, which is the one that is kept.
func runFigure(name string, points []solvers.Point, limits solvers.Settings) figure {
	objective := panel{x: epochsAxis, y: "objective"}
	objective.line(name, line(points, passesOf, objectiveOf), marked(styleOf(0), len(points)))
	panels := append([]panel{objective}, residual(name, points, limits)...)
	if v := limits.Validation; v != nil {
		values := line(points, passesOf, metricOf)
		of := panel{x: epochsAxis, y: "validation " + console.MetricName(v.Name()), rangeY: focus(values)}
		of.line(name, values, marked(styleOf(0), len(values)))
		if best := bestPoint(values, v.HigherIsBetter()); best >= 0 {
			of.dots(fmt.Sprintf("best, kept: %.6g", values[best].Y), values[best:best+1], style{color: red, glyph: draw.RingGlyph{}}, 4.5)
		}
		panels = append(panels, of)
	}
	return figure{panels: panels}
}

// marked shows the points of a curve where they can be told apart.
func marked(s style, points int) style {
	if points <= 40 {
		s.glyph = draw.CircleGlyph{}
	}
	return s
}

// residual shows how far points are from the optimum: by their gap, or else by their gradient. It
// shows nothing if both are missing.
func residual(name string, points []solvers.Point, limits solvers.Settings) []panel {
	for _, of := range []struct {
		axis   string
		value  func(solvers.Point) float64
		target float64
	}{{gapAxis, gapOf, limits.GapTolerance}, {normAxis, normOf, limits.GradientTolerance}} {
		p := panel{x: epochsAxis, y: of.axis, logY: true}
		p.line(name, line(points, passesOf, of.value), marked(styleOf(0), len(points)))
		if len(p.items) > 0 {
			p.rule("tolerance "+short4(of.target), of.target, false, style{color: grey, dashes: dashes[1], width: 1})
			return []panel{p}
		}
	}
	return nil
}

// focus is the range of the later values, where those before are so far off that
// nothing could be told apart beside them; else none.
func focus(points plotter.XYs) (out [2]float64) {
	span := func(points plotter.XYs) (low, high float64) {
		low, high = math.Inf(1), math.Inf(-1)
		for _, p := range points {
			if p.Y-p.Y == 0 {
				low, high = min(low, p.Y), max(high, p.Y)
			}
		}
		return low, high
	}
	low, high := span(points)
	from, to := span(points[len(points)/4:])
	if size := to - from; size > 0 && high-low > 8*size {
		return [2]float64{max(from-size/4, low), min(to+size/4, high+size/4)}
	}
	return out
}

// bestPoint is the place of the best value, -1 where none is a number.
func bestPoint(points plotter.XYs, higher bool) int {
	values := make([]float64, len(points))
	for k, p := range points {
		values[k] = p.Y
	}
	direction := metrics.LowerIsBetter
	if higher {
		direction = metrics.HigherIsBetter
	}
	return related.Best(values, direction)
}
