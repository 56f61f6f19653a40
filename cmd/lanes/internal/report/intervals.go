package report

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/inference"
)

// intervals are the weights with their errors on a page: a table, and a picture of each interval.
type intervals struct {
	About, More string
	Zero        string // where 0 is in a picture, as a share of its width
	Head        []string
	Rows        []interval
	Tests       [][]string // below their head
	Facts       [][2]string
}

// interval is a line of the table. At is "" for a reference, which has no picture.
type interval struct {
	Cells           []string
	From, Width, At string // shares of the width of the picture
	Inside          bool   // the estimate is within the picture
	Side            string // "right" and "left" of 0, "" where the interval holds 0
}

// newIntervals shows a table of errors, nil without one. The pictures reach the largest weight beside
// the intercept and half as far again: a longer interval is cut off.
func newIntervals(t *inference.Table) *intervals {
	if t == nil {
		return nil
	}
	rows := coefficientRows(t)
	s := &intervals{Head: rows[0], Tests: testRows(t), Facts: inferenceFacts(t)}
	for k := 1; k < len(s.Tests); k++ {
		s.Tests[k][0] = brief(s.Tests[k][0])
	}
	shown := t.Coefficients[:min(len(t.Coefficients), mostIntervals)]
	low, high := reachOf(shown)
	share := func(v float64) float64 { return 100 * (min(max(v, low), high) - low) / (high - low) }
	percent := func(v float64) string { return fmt.Sprintf("%.2f%%", v) }
	s.Zero = percent(share(0))
	cut := false
	for k, c := range shown {
		row := interval{Cells: rows[k+1]}
		row.Cells[0] = brief(row.Cells[0])
		from, to, at := float64(c.Low), float64(c.High), float64(c.Estimate)
		if !c.Reference && from-from == 0 && to-to == 0 {
			row.From, row.Width, row.At = percent(share(from)), percent(share(to)-share(from)), percent(share(at))
			row.Inside = at >= low && at <= high
			cut = cut || from < low || to > high
			switch {
			case from > 0:
				row.Side = "right"
			case to < 0:
				row.Side = "left"
			}
		}
		s.Rows = append(s.Rows, row)
	}
	s.About = fmt.Sprintf("A dot is a weight, its bar the interval of %.4g %%; the line is 0. A grey bar holds 0: chance alone may explain the weight.", 100*t.Level)
	if cut {
		s.About += fmt.Sprintf(" Bars are cut off at %.4g and %.4g.", low, high)
	}
	if len(shown) < len(t.Coefficients) {
		s.More = fmt.Sprintf("The first %d of %s weights are shown; --coefficients FILE writes all.", len(shown), grouped(float64(len(t.Coefficients))))
	}
	if len(s.Tests) > mostIntervals+1 {
		s.Tests = s.Tests[:mostIntervals+1]
		s.More += fmt.Sprintf(" The first %d of %d tests are shown; --json has all.", mostIntervals, len(t.Tests))
	}
	return s
}

// reachOf returns the ends of the pictures, which 0 is between.
func reachOf(shown []inference.Coefficient) (low, high float64) {
	largest := 0.0
	for k, c := range shown {
		if k > 0 || len(shown) == 1 || c.Name != "(intercept)" {
			largest = max(largest, math.Abs(float64(c.Estimate)))
		}
	}
	for _, c := range shown {
		if from, to := float64(c.Low), float64(c.High); !c.Reference && from-from == 0 && to-to == 0 {
			low, high = min(low, from), max(high, to)
		}
	}
	low, high = max(low, -1.5*largest), min(high, 1.5*largest)
	if !(low < high) {
		return -1, 1
	}
	return low, high
}
