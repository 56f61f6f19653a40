package plots

import (
	"fmt"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/metrics"
)

// whole is the range of an axis of shares, and chance the style of what knows nothing.
var (
	whole  = [2]float64{-0.02, 1.02}
	chance = style{color: grey, dashes: dashes[1], width: 1}
)

// Curves are what the plot of eval shows.
type Curves struct {
	Ranking    *metrics.Ranking
	AP, AUC    float64
	Prevalence float64 // share of the positives
	// Low and High bound the false-positive rates of the partial area, which lies above MinTPR;
	// they are equal for none.
	Low, High, MinTPR float64
}

// DrawCurves draws the precision-recall and the ROC curve, and the curves of random scores,
// below a title with the settings.
func DrawCurves(a *console.App, path, title, settings string, c *Curves) error {
	f, err := curvesFigure(c)
	if err != nil {
		return console.BadData(fmt.Errorf("the curves cannot be drawn: %w", err))
	}
	return writePlot(a, path, title, settings, f)
}

// InlineCurves draws what DrawCurves does.
func InlineCurves(c *Curves) ([]Inline, error) {
	f, err := curvesFigure(c)
	return f.inline(), err
}

func curvesFigure(c *Curves) (f figure, err error) {
	precision, err := c.Ranking.PRCurve()
	if err != nil {
		return f, err
	}
	rates, err := c.Ranking.ROCCurve()
	if err != nil {
		return f, err
	}
	var pr, roc plotter.XYs
	for _, p := range precision {
		pr = append(pr, plotter.XY{X: p.Recall, Y: p.Precision})
	}
	for _, p := range rates {
		roc = append(roc, plotter.XY{X: p.FalsePositiveRate, Y: p.TruePositiveRate})
	}
	left := panel{x: "recall", y: "precision", rangeX: whole, rangeY: whole}
	left.line(fmt.Sprintf("average precision %.4f", c.AP), pr, styleOf(0))
	left.line(fmt.Sprintf("prevalence %.4f", c.Prevalence), plotter.XYs{{X: 0, Y: c.Prevalence}, {X: 1, Y: c.Prevalence}}, chance)
	right := panel{x: "false-positive rate", y: "true-positive rate", rangeX: whole, rangeY: whole}
	if c.Low < c.High {
		if raw, _, err := c.Ranking.PartialAUC(c.Low, c.High, c.MinTPR); err == nil {
			under := above(between(roc, c.Low, c.High), c.MinTPR)
			name := fmt.Sprintf("partial AUC %g to %g", c.Low, c.High)
			if c.MinTPR > 0 {
				name += fmt.Sprintf(" above %g", c.MinTPR)
			}
			right.area(fmt.Sprintf("%s: %.4g", name, raw), level(under, c.MinTPR), under, orange)
		}
	}
	right.line(fmt.Sprintf("AUC %.4f", c.AUC), roc, styleOf(0))
	right.line("chance", plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}, chance)
	return figure{panels: []panel{left, right}, width: 4.3 * vg.Inch, height: 3.9 * vg.Inch}, nil
}

// between is the part of a curve of ascending X from low to high, its ends on the
// straight lines between its points.
func between(points plotter.XYs, low, high float64) plotter.XYs {
	var out plotter.XYs
	for k := 1; k < len(points); k++ {
		from, to := points[k-1], points[k]
		left, right := max(from.X, low), min(to.X, high)
		if left > right {
			continue
		}
		at := func(x float64) plotter.XY {
			return plotter.XY{X: x, Y: from.Y + (to.Y-from.Y)*(x-from.X)/(to.X-from.X)}
		}
		if to.X == from.X {
			out = append(out, from, to)
		} else {
			out = append(out, at(left), at(right))
		}
	}
	return out
}

// above is the part of a rising curve that lies at a height or above.
func above(points plotter.XYs, height float64) plotter.XYs {
	var out plotter.XYs
	for k, p := range points {
		if p.Y < height {
			continue
		}
		if k > 0 && len(out) == 0 {
			from := points[k-1]
			out = append(out, plotter.XY{X: from.X + (p.X-from.X)*(height-from.Y)/(p.Y-from.Y), Y: height})
		}
		out = append(out, p)
	}
	return out
}

// level returns the points moved to one height: the lower edge of an area.
func level(points plotter.XYs, height float64) plotter.XYs {
	out := make(plotter.XYs, len(points))
	for k, p := range points {
		out[k] = plotter.XY{X: p.X, Y: height}
	}
	return out
}
