package related

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
)

// TestClassesWithOffsets: the offsets of rows count in the fit of each class. At a point of a path
// the offsets of the point's rows count, or the own ones, whose number must be right.
func TestClassesWithOffsets(t *testing.T) {
	p := rows(t, "dense:n=400,d=5", 3)
	for i := range p.Class {
		p.Offset = append(p.Offset, 2*math.Sin(float64(i)))
	}
	p.Together = true
	settings := solvers.Settings{GapTolerance: 1e-12, MaxEpochs: 1000}
	fits, err := OneVsRest(context.Background(), p, Run{Solve: auto.Solve, Settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	point, total := p.Problem, 0.0
	for k, fit := range fits {
		one := p.Problem
		one.Y = p.signs(k)
		want, err := erm.Solve(context.Background(), &one, erm.Newton{}, settings)
		if err != nil {
			t.Fatal(err)
		}
		if fit.Status != solvers.Converged || !(math.Abs(fit.Objective-want.Objective) <= 2e-12) {
			t.Errorf("class %d: %v at %v, not %v", k, fit.Status, fit.Objective, want.Objective)
		}
		total += want.Objective
	}
	for _, k := range p.Class {
		point.Y = append(point.Y, float64(k))
	}
	other := *p
	other.Offset = make([]float64, len(p.Class)) // of all rows, which the point's stand for
	r, err := other.Rest(auto.Solve)(context.Background(), &point, settings)
	if err != nil || !(math.Abs(r.Objective-total) <= 6e-12) {
		t.Errorf("at a point: %v at %v, not %v", err, r.Objective, total)
	}
	p.Together = false
	plain := point
	plain.Offset = nil
	for _, by := range []Run{{Solve: p.Rest(auto.Solve)}, {Begin: p.RestSparse(SparsePath{})}} {
		by.Classes, by.Settings = p.Count, settings
		points, err := Path(context.Background(), &plain, []float64{p.Ridge()}, by)
		if err != nil || !(math.Abs(points[0].Objective-total) <= 6e-12) {
			t.Errorf("a path of classes with offsets: %v, %+v, not %v", err, points, total)
		}
		if _, err := CrossValidate(context.Background(), &plain, []float64{p.Ridge()}, Validation{Folds: 3, Metric: right}, by); err == nil || !strings.Contains(err.Error(), "offsets") {
			t.Errorf("the offsets of all rows for a part of them: %v", err)
		}
	}
}
