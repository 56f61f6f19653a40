package ap

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/solvers"
)

// TestPaperSetting: the problem has features from 0 to 1, no bias and lambda ||w||^2, as the
// section says. The result is the last point of the run, unless a metric chooses.
func TestPaperSetting(t *testing.T) {
	p := sample(t, 400)
	posed, scaler, err := Paper(p.X.WithBias(1), p.Y)
	if err != nil {
		t.Fatal(err)
	}
	if posed.X.Cols() != p.X.Cols() || posed.Lambda != 2*1e-4 {
		t.Errorf("%d columns, lambda %v", posed.X.Cols(), posed.Lambda)
	}
	least, most := math.Inf(1), math.Inf(-1)
	for i := range posed.X.Rows() {
		for _, v := range posed.X.Row(i) {
			least, most = min(least, v), max(most, v)
		}
	}
	if least < 0 || most != 1 {
		t.Errorf("features from %v to %v", least, most)
	}
	if again, err := scaler.Apply(p.X); err != nil || again.NNZ() != posed.X.NNZ() {
		t.Errorf("the scaler does something else: %v", err)
	}
	each(t, []string{"paper=true", "iterations=60"}, func(m Method) {
		plan := m.plan(true)
		if want := (1 + plan.Margin) * (1 + plan.Margin); plan.projects && plan.bound != want {
			t.Errorf("%s: M is %v, not %v", m.Name(), plan.bound, want)
		}
		// Steps that throw the weights about end somewhere below the best point.
		m = named(t, m.Name(), "paper=true", "iterations=60", "step=1000")
		r := solve(t, posed, m, solvers.Settings{Seed: 1, GradientTolerance: 1e-300})
		if r.Point.Iterations != r.Total.Iterations {
			t.Errorf("%s: the result is of iteration %d of %d", m.Name(), r.Point.Iterations, r.Total.Iterations)
		}
		valid := &measured{p: posed}
		var trace solvers.Trace
		r = solve(t, posed, m, solvers.Settings{Seed: 1, Validation: valid, Patience: 100, Recorder: &trace})
		for _, point := range trace {
			if point.Metric > r.Metric {
				t.Errorf("%s: metric %v of the result, %v on the way", m.Name(), r.Metric, point.Metric)
			}
		}
	})
	if _, _, err := Paper(nil, p.Y); err == nil {
		t.Error("no matrix: no error")
	}
}
