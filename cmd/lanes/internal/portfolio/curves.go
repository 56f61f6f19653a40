package portfolio

import (
	"slices"

	"gonum.org/v1/plot/plotter"

	"github.com/lanes-go/lanes/cmd/lanes/internal/plots"
)

// curves are what the plot of a study shows.
func (s *study) curves(unit string) *plots.Frontier {
	at := func(m moments) plotter.XY { return plotter.XY{X: m.deviation(), Y: m.mean} }
	split := func(list []*optimised) (inside, outside plotter.XYs) {
		list = slices.Clone(list)
		byRisk(list)
		for _, p := range list {
			inside, outside = append(inside, at(p.inside)), append(outside, at(p.outside))
		}
		return inside, outside
	}
	c := &plots.Frontier{
		Unit: unit, Assets: s.assets(), Risk: s.main.risk, Own: at(s.main.inside), Equal: at(s.equal[0]), Later: at(s.equal[1]),
		Run: plots.Curve{Name: s.main.Solver, Points: s.main.points}, Limits: s.main.limits,
	}
	c.Inside, c.Outside = split(s.frontier)
	c.Through, c.After = c.Inside, c.Outside
	if s.solved != nil {
		c.Through, c.After = split(s.solved)
	}
	return c
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
func (f *Flags) unit() string {
	if f.fraction {
		return "fraction"
	}
	return "unit of the data"
}
