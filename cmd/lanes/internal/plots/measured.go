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
	return p.calibration(fmt.Sprintf("predictions, error %s", short4(loss)), bins, 0, 1)
}

// InlineMeans draws the mean target of bins of predictions beside the mean prediction.
func InlineMeans(bins []metrics.CalibrationBin) []Inline {
	p := panel{x: "mean prediction", y: "mean target"}
	high := 0.0
	for _, b := range bins {
		high = max(high, b.Predicted)
	}
	return p.calibration("a tenth of the rows", bins, 0, high)
}

// calibration draws bins, and what they would be if all predictions from low to high were right.
func (p *panel) calibration(name string, bins []metrics.CalibrationBin, low, high float64) []Inline {
	var points plotter.XYs
	for _, b := range bins {
		if b.Weight > 0 {
			points = append(points, plotter.XY{X: b.Predicted, Y: b.Observed})
		}
	}
	p.line("perfect calibration", plotter.XYs{{X: low, Y: low}, {X: high, Y: high}}, chance)
	p.line(name, points, style{color: blue, glyph: draw.CircleGlyph{}})
	return figure{panels: []panel{*p}}.inline()
}

// InlineLift draws the share of the positives that the rows of the highest scores have, and the lift of
// each part of the rows.
func InlineLift(ranking *metrics.Ranking, bins []metrics.LiftBin) ([]Inline, error) {
	rates, err := ranking.ROCCurve()
	if err != nil {
		return nil, err
	}
	var found, parts plotter.XYs
	total := ranking.Positives + ranking.Negatives
	for _, r := range rates {
		called := float64(r.TruePositiveRate*ranking.Positives) + float64(r.FalsePositiveRate*ranking.Negatives)
		found = append(found, plotter.XY{X: called / total, Y: r.TruePositiveRate})
	}
	for k, b := range bins {
		parts = append(parts, plotter.XY{X: (float64(k) + 0.5) / float64(len(bins)), Y: b.Lift})
	}
	captured := panel{x: "share of rows, highest scores first", y: "share of positives found", rangeX: whole, rangeY: whole}
	captured.line("by score", found, styleOf(0))
	captured.line("chance", plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}, chance)
	lift := panel{x: captured.x, y: "lift", rangeX: whole}
	lift.stems("a tenth of the rows", parts, 1, style{color: blue}, 2.6)
	lift.rule("all rows", 1, false, chance)
	return figure{panels: []panel{captured, lift}}.inline(), nil
}

// InlineLorenz draws the Lorenz curves of predictions and of targets, with their Gini coefficients.
func InlineLorenz(curve []metrics.LorenzPoint, gini, best float64) []Inline {
	var by, least plotter.XYs
	for _, p := range curve {
		by, least = append(by, plotter.XY{X: p.Rows, Y: p.Targets}), append(least, plotter.XY{X: p.Rows, Y: p.Best})
	}
	p := panel{x: "share of rows, least first", y: "share of targets", rangeX: whole, rangeY: whole}
	p.line("no order", plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}, chance)
	p.line(fmt.Sprintf("by prediction, Gini %s", short4(gini)), by, styleOf(0))
	name := "by target"
	if best > 0 {
		name += ", Gini " + short4(best)
	}
	p.line(name, least, styleOf(1))
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
