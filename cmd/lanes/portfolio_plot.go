package main

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/plotter"
)

// plotStudy draws the frontier, inside and outside of the periods that it was made for,
// and how the run went.
func (a *app) plotStudy(path string, s *study, unit string) error {
	at := func(m moments) plotter.XY { return plotter.XY{X: m.deviation(), Y: m.mean} }
	split := func(list []*optimised) (inside, outside plotter.XYs) {
		list = slices.Clone(list)
		byRisk(list)
		for _, p := range list {
			inside, outside = append(inside, at(p.inside)), append(outside, at(p.outside))
		}
		return inside, outside
	}
	inside, outside := split(s.frontier)
	through, after := inside, outside
	if s.solved != nil {
		through, after = split(s.solved)
	}
	assets := s.assets()
	own, equal, later := plotter.XYs{at(s.main.inside)}, plotter.XYs{at(s.equal[0])}, plotter.XYs{at(s.equal[1])}
	frontier := panel{x: "standard deviation of the return of a period (" + unit + ")", y: "mean return of a period (" + unit + ")"}
	frontier.dots("single assets", assets, style{color: light}, 1.6)
	frontier.line("efficient frontier", through, style{color: blue})
	frontier.dots("", inside, style{color: blue}, 2.4)
	frontier.line("the same portfolios, later", after, style{color: red, dashes: dashes[1]})
	frontier.dots("", outside, style{color: red, glyph: diamond{}}, 2.4)
	frontier.dots(fmt.Sprintf("risk weight %g", s.main.risk), own, style{color: black, glyph: ring{}}, 4.5)
	frontier.dots("equal weights", equal, style{color: green}, 3)
	frontier.dots("equal weights, later", later, style{color: green, glyph: ring{}}, 3)
	panels := []panel{frontier}
	// Where limits allow far more risk than assets have, those would be one spot.
	near := item{points: frontier.clean(slices.Concat(assets, own, equal, later, plotter.XYs{{}}))}
	low, high := reach([]item{near}, func(at plotter.XY) float64 { return at.X }, false, [2]float64{})
	if _, most := reach(frontier.items, func(at plotter.XY) float64 { return at.X }, false, [2]float64{}); most > 4*high {
		zoom := frontier
		zoom.x = "standard deviation, near the assets"
		zoom.rangeX = [2]float64{low, high}
		zoom.rangeY[0], zoom.rangeY[1] = reach([]item{near}, func(at plotter.XY) float64 { return at.Y }, false, [2]float64{})
		panels = append(panels, zoom)
	}
	return a.writePlot(path, figure{panels: append(panels, residual(s.main.Solver, s.main.points, s.main.limits)...)})
}

// assets are the moments of each asset by itself.
func (s *study) assets() plotter.XYs {
	d := len(s.returns.Assets)
	square, mean := make([]float64, d), s.train.Mean()
	for k, v := range s.returns.Values[:s.split*d] {
		square[k%d] += (v - mean[k%d]) * (v - mean[k%d])
	}
	var out plotter.XYs
	for j := range d {
		m := moments{mean: mean[j], variance: square[j] / float64(s.split)}
		out = append(out, plotter.XY{X: m.deviation(), Y: m.mean})
	}
	return out
}

// unit names what returns are counted in, as far as it is known.
func (f *portfolioFlags) unit() string {
	if f.fraction {
		return "fraction"
	}
	return "unit of the data"
}
