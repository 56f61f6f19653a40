package command

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/plots"
	"github.com/lanes-go/lanes/cmd/lanes/internal/report"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/solvers"
)

func writeTraceFile(a *console.App, path string, points []solvers.Point) error {
	return a.Write("trace", path, func(w io.Writer) error { return report.WriteTrace(w, points, false) })
}

// sharpe returns the Sharpe ratio of a period: the mean over the standard deviation; NaN for a
// portfolio without assets.
func (m moments) sharpe() float64 { return m.mean / m.deviation() }

// annual returns the Sharpe ratio of a year, of independent periods; NaN if their number in a
// year is not known.
func (m moments) annual(periods float64) float64 {
	if periods == 0 {
		return math.NaN()
	}
	return m.sharpe() * math.Sqrt(periods)
}

// object returns the moments for JSON; periods is the number of periods in a year, 0 if unknown.
func (m moments) object(periods float64) map[string]any {
	return map[string]any{
		"mean": console.Finite(m.mean), "variance": console.Finite(m.variance), "deviation": console.Finite(m.deviation()), "sharpe": console.Finite(m.sharpe()),
		"sharpe_annualised": console.Finite(m.annual(periods)),
	}
}

// periodOf names the period of a table with a mean number of rows in a year. It also returns the
// usual number of such periods in a year, so that missing rows do not lengthen the period.
func periodOf(rows float64) (name string, perYear float64) {
	for _, c := range []struct {
		low, high float64
		name      string
		perYear   float64
	}{{300, 367, "day", 365}, {200, 300, "trading day", 252}, {45, 54, "week", 52}, {11, 13, "month", 12}, {3.5, 4.5, "quarter", 4}, {0.9, 1.1, "year", 1}} {
		if rows >= c.low && rows <= c.high {
			return c.name, c.perYear
		}
	}
	return "period", rows
}

func (p *optimised) object(periods float64) map[string]any {
	return map[string]any{
		"risk": p.risk, "status": p.Status.String(), "objective": console.Finite(p.Objective), "duality_gap": console.Finite(p.Gap),
		"in_sample": p.inside.object(periods), "out_of_sample": p.outside.object(periods),
		"active": p.active, "gross": p.gross, "passes": p.Total.Epochs, "samples": p.Total.GradientEvaluations, "seconds": p.seconds,
	}
}

func reportStudy(a *console.App, f *portfolioFlags, s *study) error {
	r := s.returns
	period, periods := periodOf(r.PeriodsPerYear())
	if a.JSON {
		weights := make(map[string]float64)
		for j, w := range s.main.Weights {
			if w != 0 {
				weights[r.Assets[j]] = w
			}
		}
		frontier := []any{}
		for _, p := range s.frontier {
			frontier = append(frontier, p.object(periods))
		}
		object := s.main.object(periods)
		for key, value := range map[string]any{
			"data": s.name, "periods": r.Periods, "assets": len(r.Assets), "training_periods": s.split,
			"missing": r.Report.Missing, "rows_dropped": r.Report.Dropped, "imputed": r.Report.Imputed,
			"solver": s.main.Solver, "lambda": f.lambda, "limit": f.limit, "long_only": f.longOnly, "seed": a.Seed, "cpu_path": s.main.CPUPath,
			"weights": weights, "weights_sha256": solvers.HashWeights(s.main.Weights), "frontier": frontier,
			"equal_weights": map[string]any{"in_sample": s.equal[0].object(periods), "out_of_sample": s.equal[1].object(periods)}, "periods_per_year": periods,
			"load_seconds": s.seconds, "peak_rss_bytes": memory.Peak(),
		} {
			object[key] = value
		}
		return a.PrintJSON(object)
	}
	text := console.NewText()
	m := s.main
	text.Row("data", "%s", s.name)
	text.Row("returns", "%d periods, %d assets; the last %d periods are the test", r.Periods, len(r.Assets), r.Periods-s.split)
	text.Row("solver", "%s, risk %g, %s, seed %d", m.Solver, m.risk, f.limits(), a.Seed)
	text.Row("status", "%s after %.4g epochs, %.3g s (%s)", m.Status, m.Total.Epochs, m.seconds, m.CPUPath)
	text.Row("objective", "%.10g, at most %.2g above the minimum", m.Objective, m.Gap)
	text.Row("assets", "%d active of %d, gross exposure %.4g", m.active, len(r.Assets), m.gross)
	if periods > 0 {
		text.Row("units", "returns of a %s (%s), annualised Sharpe ratio (%.4g periods a year)", period, f.unit(), periods)
	} else {
		text.Row("units", "returns of a period (%s), Sharpe ratio of a period", f.unit())
	}
	fmt.Fprintln(text)
	fmt.Fprintln(text, "return\tmean\tvariance\tstandard deviation\tSharpe ratio")
	sharpe := func(m moments) float64 {
		if periods > 0 {
			return m.annual(periods)
		}
		return m.sharpe()
	}
	part := func(name string, m moments) {
		if m.mean == m.mean {
			fmt.Fprintf(text, "%s\t%.6g\t%.6g\t%.6g\t%s\n", name, m.mean, m.variance, m.deviation(), ratio(sharpe(m)))
		}
	}
	part("in sample", m.inside)
	part("out of sample", m.outside)
	part("equal weights, in sample", s.equal[0])
	part("equal weights, out of sample", s.equal[1])
	fmt.Fprintln(text)
	s.weights(text)
	if len(s.frontier) > 0 {
		fmt.Fprintln(text)
		s.frontierTable(text)
	}
	return a.PrintText(text)
}

func ratio(v float64) string {
	if v != v || math.IsInf(v, 0) {
		return "-"
	}
	return fmt.Sprintf("%.4g", v)
}

// weights lists the active assets, the largest positions first.
func (s *study) weights(w io.Writer) {
	fmt.Fprintln(w, "asset\tweight\tmean return")
	order := make([]int, len(s.main.Weights))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(j, k int) int {
		return cmp.Compare(math.Abs(s.main.Weights[k]), math.Abs(s.main.Weights[j]))
	})
	for _, j := range order {
		if v := s.main.Weights[j]; v != 0 {
			fmt.Fprintf(w, "%s\t%+.6g\t%.4g\n", s.returns.Assets[j], v, s.train.Mean()[j])
		}
	}
}

func (s *study) frontierTable(w io.Writer) {
	fmt.Fprintln(w, "risk weight\tmean\tdeviation\tactive\tgross\tgap\ttest mean\ttest deviation")
	for _, p := range s.frontier {
		later, deviation := "-", "-"
		if s.outside != nil {
			later, deviation = fmt.Sprintf("%.5g", p.outside.mean), fmt.Sprintf("%.5g", p.outside.deviation())
		}
		fmt.Fprintf(w, "%g\t%.5g\t%.5g\t%d\t%.4g\t%.1e\t%s\t%s\n", p.risk, p.inside.mean, p.inside.deviation(), p.active, p.gross, p.Gap, later, deviation)
	}
}

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
	period, _ := periodOf(s.returns.PeriodsPerYear())
	c := &plots.Frontier{
		Unit: unit, Period: period, Assets: s.assets(), Risk: s.main.risk, Own: at(s.main.inside), Equal: at(s.equal[0]), Later: at(s.equal[1]),
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
		square[k%d] += float64((v - mean[k%d]) * (v - mean[k%d]))
	}
	var out plotter.XYs
	for j := range d {
		m := moments{mean: mean[j], variance: square[j] / float64(s.split)}
		out = append(out, plotter.XY{X: m.deviation(), Y: m.mean})
	}
	return out
}

// limits describes the penalty and the bounds of the weights.
func (f *portfolioFlags) limits() string {
	if f.longOnly {
		return "long only"
	}
	return fmt.Sprintf("lambda %g, weights within %g", f.lambda, f.limit)
}

// unit names what returns are counted in, as far as it is known.
func (f *portfolioFlags) unit() string {
	if f.fraction {
		return "fractions"
	}
	return "units of the file"
}
