package plots

import (
	"fmt"
	"math"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/plots/plotstest"
)

// TestProfilePanel: the counts stand above their points, and the curves at the weights.
func TestProfilePanel(t *testing.T) {
	report := &fitting.RelatedReport{MoreProfiles: 3}
	var growing, falling []float64
	for k := range 5 {
		lambda, count := math.Pow(10, -float64(k)), 100*k+10
		report.Path = append(report.Path, fitting.FitReport{Lambda: &lambda, NonZeros: &count})
		growing, falling = append(growing, float64(k)), append(falling, -float64(k*k))
	}
	report.Profiles = []fitting.Profile{{Name: "falling", Values: falling}, {Name: "growing", Values: growing}}
	for range 20 {
		report.Profiles = append(report.Profiles, fitting.Profile{Name: "another", Values: make([]float64, 5)})
	}
	drawn := plotstest.ParseSVG(t, figure{panels: []panel{profilePanel(report, 1e-3), {x: "x", y: "y"}}}.render(true).String())
	var curves []plotstest.Line
	for _, l := range drawn.Lines {
		if len(l.Points) == 5 {
			curves = append(curves, l)
		}
	}
	if len(curves) != 22 || len(drawn.Texts["another"]) != namedProfiles-2 || drawn.Texts["weight (the largest 22 of 25)"] == nil || drawn.Texts["kept: l1 0.001"] == nil {
		t.Fatalf("%d curves, %v", len(curves), drawn.Texts)
	}
	top := 0.0
	for k := range 5 {
		at := drawn.Texts[fmt.Sprint(100*k+10)]
		if len(at) != 1 {
			t.Fatalf("the count %d stands at %v", 100*k+10, at)
		}
		for _, l := range curves {
			top = max(top, l.Points[k].Y)
			if x := l.Points[k].X; !(math.Abs(at[0].X+8-x) <= 8) || at[0].Y < l.Points[k].Y {
				t.Errorf("the count %d stands at %v, its point at %v", 100*k+10, at[0], l.Points[k])
			}
		}
	}
	// Weights of 4 and -16 stand as far from 0 as they should.
	high, low, zero := -1.0, 1e9, curves[0].Points[0].Y
	for _, l := range curves {
		high, low = max(high, l.Points[4].Y), min(low, l.Points[4].Y)
	}
	if ratio := (zero - low) / (high - zero); !(math.Abs(ratio-4) <= 0.01) {
		t.Errorf("%v below and %v above 0", zero-low, high-zero)
	}
}
