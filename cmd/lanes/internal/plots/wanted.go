package plots

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/solvers/related"
)

// wantedFigure shows logistic fits over lambda, and the gains of ranking solvers on the best
// logistic fit, with standard errors.
func wantedFigure(r *fitting.WantedReport) figure {
	fits := panel{x: lambdaAxis, y: console.MetricName(r.Metric) + fmt.Sprintf(", %d folds", r.Folds), logX: true}
	for _, kind := range []struct {
		name     string
		weighted bool
		style    style
	}{{"logistic", false, style{color: blue, glyph: draw.CircleGlyph{}}}, {"logistic, class weights", true, style{color: green, dashes: dashes[2], glyph: draw.BoxGlyph{}}}} {
		list := slices.DeleteFunc(slices.Clone(r.Tried), func(t fitting.TrialReport) bool {
			return t.Solver != related.Logistic || t.ClassWeight != kind.weighted
		})
		slices.SortFunc(list, func(a, b fitting.TrialReport) int { return cmp.Compare(a.Lambda, b.Lambda) })
		points, by := make(plotter.XYs, len(list)), make([]float64, len(list))
		for k, t := range list {
			points[k], by[k] = plotter.XY{X: t.Lambda, Y: orNaN(t.Mean)}, orNaN(t.Error)
		}
		fits.spans(points, by, kind.style.color)
		fits.line(kind.name, points, kind.style)
	}
	chosen := r.Tried[r.Chosen]
	fits.dots("chosen: "+chosen.Text, plotter.XYs{{X: chosen.Lambda, Y: orNaN(chosen.Mean)}}, style{color: red, glyph: draw.RingGlyph{}}, 4.5)
	ranked := panel{x: "ranking solver", y: "gain on the best logistic fit"}
	var points, kept plotter.XYs
	var by []float64
	for k, t := range r.Tried {
		if t.Solver == related.Logistic {
			continue
		}
		at := plotter.XY{X: float64(len(points)), Y: orNaN(t.Gain)}
		points, by = append(points, at), append(by, orNaN(t.GainError))
		ranked.places = append(ranked.places, t.Text)
		if k == r.Chosen {
			kept = append(kept, at)
		}
	}
	if points == nil {
		return figure{panels: []panel{fits}}
	}
	ranked.rangeX = [2]float64{-0.8, float64(len(points)) - 0.2}
	ranked.rule("the best logistic fit", 0, false, style{color: grey, dashes: dashes[1], width: 1})
	ranked.spans(points, by, blue)
	ranked.dots("mean over the folds, with standard error", points, style{color: blue, glyph: draw.CircleGlyph{}}, 2.6)
	ranked.dots("chosen", kept, style{color: red, glyph: draw.RingGlyph{}}, 4.5)
	return figure{panels: []panel{fits, ranked}}
}
