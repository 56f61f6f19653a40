package plots

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"github.com/lanes-go/lanes/metrics"
)

// InlineCalibration draws how often predictions came true beside what they promised.
func InlineCalibration(bins []metrics.CalibrationBin, loss float64) []Inline {
	p := panel{x: "predicted probability", y: "share that came true", rangeX: whole, rangeY: whole}
	var points plotter.XYs
	for _, b := range bins {
		if b.Weight > 0 {
			points = append(points, plotter.XY{X: b.Predicted, Y: b.Observed})
		}
	}
	p.line("perfect calibration", plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}, chance)
	p.line(fmt.Sprintf("predictions, error %s", short4(loss)), points, style{color: blue, glyph: draw.CircleGlyph{}})
	return figure{panels: []panel{p}}.inline()
}

// mostScattered is the largest number of dots of a scatter plot.
const mostScattered = 1500

// InlineTargets draws the targets of rows beside their predictions, and the residuals. Of many
// rows it draws some, evenly spaced.
func InlineTargets(targets, predictions []float64) []Inline {
	both := panel{x: "prediction", y: "target"}
	rest := panel{x: "prediction", y: "target - prediction"}
	var at, off plotter.XYs
	low, high := math.Inf(1), math.Inf(-1)
	stride := max((len(targets)+mostScattered-1)/mostScattered, 1)
	for i := 0; i < len(targets); i += stride {
		x, y := predictions[i], targets[i]
		at, off = append(at, plotter.XY{X: x, Y: y}), append(off, plotter.XY{X: x, Y: y - x})
		low, high = min(low, x), max(high, x)
	}
	name := "a row"
	if stride > 1 {
		name = fmt.Sprintf("one of %d rows", stride)
	}
	both.dots(name, at, style{color: blue}, 1.1)
	both.line("target = prediction", plotter.XYs{{X: low, Y: low}, {X: high, Y: high}}, style{color: red, width: 1})
	rest.dots(name, off, style{color: blue}, 1.1)
	rest.rule("", 0, false, style{color: red, width: 1})
	return figure{panels: []panel{both, rest}}.inline()
}
