package related

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// planned is a run on one goroutine whose fits end as planned. Fit i has i weights that are not 0,
// and the metric of its fold is values[i]. The folds stand one after the other, up to Run.Least.
func planned(values []float64, direction metrics.Direction, status map[int]solvers.Status) (Run, Validation) {
	solved, measured := 0, 0
	run := Run{Settings: solvers.Settings{Workers: 1, GapTolerance: 1e-9}, Solve: func(_ context.Context, p *erm.Problem, _ solvers.Settings) (*solvers.Result, error) {
		w := make([]float64, p.X.Cols())
		for j := range solved {
			w[j] = 1
		}
		r := &solvers.Result{Weights: w, Status: solvers.Converged}
		if s, ok := status[solved]; ok {
			r.Status = s
		}
		solved++
		return r, nil
	}}
	metric := metrics.Metric{Name: "planned", Direction: direction, Compute: func([]float64, []float64, []float64) (float64, error) {
		measured++
		return values[measured-1], nil
	}}
	return run, Validation{Folds: 2, Metric: metric}
}

// TestFoundAsPlanned: what a cross-validation says of its fits: their values, weights and the gravest
// end; how far a path goes that ends once the metric turns, in both directions; and when Then is called.
func TestFoundAsPlanned(t *testing.T) {
	one := binary(t, "text:n=60,d=40")
	lambdas := []float64{1, 0.5, 0.25, 0.125}
	for _, c := range []struct {
		name      string
		least     int
		values    []float64
		direction metrics.Direction
		status    map[int]solvers.Status
		want      string
	}{
		// Two folds of four points.
		{"all, lower", 0, []float64{9, 7, 5, 6, 7, 7, 3, 4}, metrics.LowerIsBetter, nil, "[8 7 4 5] [2 3 4 5] best 2 converged, then 1"},
		{"all, higher", 0, []float64{9, 7, 5, 6, 7, 7, 3, 4}, metrics.HigherIsBetter, nil, "[8 7 4 5] [2 3 4 5] best 0 converged, then 1"},
		{"one at its budget", 0, []float64{9, 7, 5, 6, 7, 7, 3, 4}, metrics.LowerIsBetter, map[int]solvers.Status{2: solvers.BudgetReached, 5: solvers.StoppedEarly}, "[8 7 4 5] [2 3 4 5] best 2 budget reached, then 1"},
		{"one diverged", 0, []float64{9, 7, 5, 6, 7, 7, 3, 4}, metrics.LowerIsBetter, map[int]solvers.Status{1: solvers.BudgetReached, 7: solvers.Diverged}, "[8 7 4 5] [2 3 4 5] best 2 diverged, then 1"},
		// Two points of each fold, then one of each.
		{"turns, lower", 2, []float64{9, 7, 7, 5, 8, 6}, metrics.LowerIsBetter, nil, "[8 6 7] [1 2 4.5] best 1 converged, then 1"},
		{"turns, higher", 2, []float64{5, 7, 5, 9, 6, 8}, metrics.HigherIsBetter, nil, "[5 8 7] [1 2 4.5] best 1 converged, then 1"},
		{"turns at once", 2, []float64{5, 7, 5, 9}, metrics.LowerIsBetter, nil, "[5 8] [1 2] best 0 converged, then 1"},
		{"improves", 2, []float64{9, 7, 7, 5, 4, 4, 3, 1}, metrics.LowerIsBetter, nil, "[8 6 4 2] [1 2 4.5 6.5] best 3 converged, then 1"},
		{"at its budget, ends", 2, []float64{9, 7, 7, 5}, metrics.LowerIsBetter, map[int]solvers.Status{1: solvers.BudgetReached}, "[8 6] [1 2] best 1 budget reached, then 1"},
		{"one cut", 0, []float64{9, 7, 5, 7, 7, 7, 7}, metrics.LowerIsBetter, map[int]solvers.Status{3: solvers.Cancelled}, "[8 7 6 NaN] [2 3 4 NaN] best 2 time reached, then 0"},
	} {
		run, v := planned(c.values, c.direction, c.status)
		run.Least = c.least
		then, passed := 0, (*Validated)(nil)
		v.Then = func(_ context.Context, found *Validated) error {
			then, passed = then+1, found
			return nil
		}
		found, err := CrossValidate(t.Context(), one, lambdas, v, run)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := fmt.Sprintf("%v %v best %d %v, then %d", found.Mean, found.NonZeros, found.Best, found.Status, then)
		if got != c.want || then > 0 && passed != found || len(found.Lambdas) != len(found.Mean) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	failed := errors.New("the fit of all rows failed")
	run, v := planned([]float64{1, 2}, metrics.LowerIsBetter, nil)
	v.Then = func(context.Context, *Validated) error { return failed }
	if found, err := CrossValidate(t.Context(), one, lambdas[:1], v, run); !errors.Is(err, failed) || found.Mean[0] != 1.5 {
		t.Errorf("%v, want the error of Then", err)
	}
	// An error of a fit is the error of all, also beside a result.
	run, v = planned([]float64{1, 2}, metrics.LowerIsBetter, nil)
	solve := run.Solve
	run.Solve = func(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
		r, _ := solve(ctx, p, s)
		return r, failed
	}
	if _, err := CrossValidate(t.Context(), one, lambdas[:1], v, run); !errors.Is(err, failed) {
		t.Errorf("%v, want the error of the fit", err)
	}
	// A preparation keeps the rows of both sides.
	for k := range 2 {
		run, v := planned([]float64{1, 2}, metrics.LowerIsBetter, nil)
		v.Folds = 4
		v.Prepare = func(train, test *sparse.Matrix) (*sparse.Matrix, *sparse.Matrix, error) {
			less, err := one.X.PickRows(nil, []uint32{0, 1})
			if k == 0 {
				return less, test, err
			}
			return train, less, err
		}
		if _, err := CrossValidate(t.Context(), one, lambdas[:1], v, run); err == nil || !strings.Contains(err.Error(), "not of 45 and 15 rows and of ") {
			t.Errorf("side %d: %v", k, err)
		}
	}
}
