package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/plots"
	"github.com/lanes-go/lanes/solvers"
)

// Run is a run of a comparison.
type Run struct {
	*solvers.Result
	Points []solvers.Point
	// Seconds is the time of the whole training, Recording what of it recorded the curve.
	Seconds, Recording float64
	Metrics            map[string]float64
}

// Refine gives a run the points of a repetition that was recorded more often. The seconds of the points are
// scaled to the seconds of the run.
func (r *Run) Refine(again *Run) {
	points := again.Points
	if len(points) <= len(r.Points) {
		return
	}
	end, last := points[len(points)-1], r.Points[len(r.Points)-1]
	if end.Seconds > 0 {
		for k := range points {
			points[k].Seconds *= pointAt(r.Points, end.Epochs).Seconds / end.Seconds
		}
	}
	if end.Epochs < last.Epochs {
		points = append(points, last)
	}
	r.Points, r.Recording = points, r.Recording+again.Seconds
}

// Entry is a solver of a comparison with one combination of its parameters, and its runs: one
// for each seed.
type Entry struct {
	Solver string
	Set    map[string]string // the parameters of several values
	Text   string            // of Set
	Chosen bool              // the best of its solver's combinations
	Runs   []*Run
}

// Band has the median of some numbers, the least and the largest. All are NaN if one number is.
type Band struct{ Median, Least, Largest float64 }

// bandOf returns the band of numbers; the median of an even count is the mean of the middle two.
func bandOf(values []float64) Band {
	values = slices.Sorted(slices.Values(values)) // NaN stands first
	n := len(values)
	if n == 0 || values[0] != values[0] {
		return Band{math.NaN(), math.NaN(), math.NaN()}
	}
	low, high := values[(n-1)/2], values[n/2]
	median := low
	if low != high {
		median = float64(low/2) + float64(high/2)
	}
	return Band{median, values[0], values[n-1]}
}

// band returns the band of a number over the runs.
func (e *Entry) band(of func(*Run) float64) Band {
	values := make([]float64, len(e.Runs))
	for k, r := range e.Runs {
		values[k] = of(r)
	}
	return bandOf(values)
}

// text writes the band of a number: the median, with the least and the largest where they differ.
func (b Band) text(digits int) string {
	if b.Median-b.Median != 0 {
		return "-"
	}
	text := fmt.Sprintf("%.*g", digits, b.Median)
	if b.Least < b.Largest {
		text += fmt.Sprintf(" (%.*g to %.*g)", digits, b.Least, digits, b.Largest)
	}
	return text
}

// plain writes the median alone.
func (b Band) plain() string { return Band{Median: b.Median}.text(3) }

// What runs are described by.
func passesOf(r *Run) float64    { return r.Total.Epochs }
func secondsOf(r *Run) float64   { return r.Total.Seconds }
func objectiveOf(r *Run) float64 { return r.Objective }
func normOf(r *Run) float64      { return r.GradientNorm }
func gapOf(r *Run) float64       { return r.Gap }

// finalOf is the objective of the last point of a run, +Inf if it diverged.
func finalOf(r *Run) float64 {
	switch n := len(r.Points); {
	case r.Status == solvers.Diverged:
		return math.Inf(1)
	case r.Status.Solved() || n == 0:
		return r.Objective
	default:
		return r.Points[n-1].Objective
	}
}

// Choose marks the best entry of a solver: by the median objective of the last point. If there is a
// tolerance, the fewest epochs to it decide first.
func Choose(entries []*Entry, s *solvers.Settings) {
	toTolerance := func(r *Run) float64 {
		if r.Status.Solved() && (s.GapTolerance > 0 || s.GradientTolerance > 0) {
			return r.Total.Epochs
		}
		return math.Inf(1)
	}
	best := slices.MinFunc(entries, func(a, b *Entry) int {
		return cmp.Or(cmp.Compare(a.band(toTolerance).Median, b.band(toTolerance).Median), cmp.Compare(a.band(finalOf).Median, b.band(finalOf).Median))
	})
	best.Chosen = true
}

// name is the solver with its combination of parameters.
func (e *Entry) name() string { return strings.TrimSpace(e.Solver + " " + e.Text) }

// status says how the runs ended, and how many of them where that differs.
func (e *Entry) status() string {
	var parts []string
	counts := map[string]int{}
	for _, r := range e.Runs {
		name := r.Status.String()
		if counts[name]++; counts[name] == 1 {
			parts = append(parts, name)
		}
	}
	if len(parts) > 1 {
		for k, name := range parts {
			parts[k] = fmt.Sprintf("%s %d", name, counts[name])
		}
	}
	return strings.Join(parts, ", ")
}

// curve is the run as plots show it: of several seeds the median at each number of epochs, with
// the least and the largest.
func (e *Entry) curve() plots.Curve {
	c := plots.Curve{Name: e.name()}
	longest := e.Runs[0]
	for _, r := range e.Runs {
		if len(r.Points) > 0 && (len(longest.Points) == 0 || r.Points[len(r.Points)-1].Epochs > longest.Points[len(longest.Points)-1].Epochs) {
			longest = r
		}
	}
	if len(e.Runs) == 1 || len(longest.Points) == 0 {
		c.Points = longest.Points
		return c
	}
	for _, at := range longest.Points {
		var points []solvers.Point
		for _, r := range e.Runs {
			if len(r.Points) > 0 {
				points = append(points, pointAt(r.Points, at.Epochs))
			}
		}
		median, low, high := at, at, at
		for _, field := range []func(*solvers.Point) *float64{
			func(p *solvers.Point) *float64 { return &p.Seconds }, func(p *solvers.Point) *float64 { return &p.Objective },
			func(p *solvers.Point) *float64 { return &p.GradientNorm }, func(p *solvers.Point) *float64 { return &p.Gap },
		} {
			values := make([]float64, len(points))
			for k := range points {
				values[k] = *field(&points[k])
			}
			b := bandOf(values)
			*field(&median), *field(&low), *field(&high) = b.Median, b.Least, b.Largest
		}
		low.Seconds, high.Seconds = median.Seconds, median.Seconds
		c.Points, c.Low, c.High = append(c.Points, median), append(c.Low, low), append(c.High, high)
	}
	return c
}

// pointAt returns a run at a number of epochs: on the straight line between two recorded points,
// and the first or the last point beyond them.
func pointAt(points []solvers.Point, epochs float64) solvers.Point {
	k, found := slices.BinarySearchFunc(points, epochs, func(p solvers.Point, v float64) int { return cmp.Compare(p.Epochs, v) })
	switch {
	case k == len(points):
		return points[k-1]
	case found || k == 0:
		return points[k]
	}
	from, to := points[k-1], points[k]
	share := (epochs - from.Epochs) / (to.Epochs - from.Epochs)
	between := func(a, b float64) float64 { return a + float64(share*(b-a)) }
	return solvers.Point{
		Epochs: epochs, Seconds: between(from.Seconds, to.Seconds), Objective: between(from.Objective, to.Objective),
		GradientNorm: between(from.GradientNorm, to.GradientNorm), Gap: between(from.Gap, to.Gap),
	}
}
