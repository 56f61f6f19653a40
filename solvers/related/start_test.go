package related

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
)

// Classes that begin where they ended have nothing left to do, each of them.
func TestClassesBeginAtTheirOwnPoints(t *testing.T) {
	p := rows(t, "text:n=120,d=40", 3)
	run := Run{Solve: auto.Solve, Settings: solvers.Settings{GapTolerance: 1e-8, MaxEpochs: 1000}}
	first, err := OneVsRest(context.Background(), p, run)
	if err != nil {
		t.Fatal(err)
	}
	var all []float64
	for _, r := range first {
		all = append(all, r.Weights...)
	}
	run.Settings.Initial = all
	second, err := OneVsRest(context.Background(), p, run)
	if err != nil {
		t.Fatal(err)
	}
	for k, r := range second {
		if r.Status != solvers.Converged || r.Total.Iterations > 1 || !slices.Equal(r.Weights, first[k].Weights) {
			t.Errorf("class %d: %v after %d iterations, %v", k, r.Status, r.Total.Iterations, r.Weights)
		}
	}
	run.Settings.Initial = first[0].Weights // of all
	if third, err := OneVsRest(context.Background(), p, run); err != nil || third[0].Total.Iterations > 1 || third[1].Total.Iterations <= 1 {
		t.Errorf("a start for all: %v", err)
	}
	for _, initial := range [][]float64{all[1:], make([]float64, 2*p.X.Cols()), append(slices.Clone(all[1:]), math.NaN())} {
		run.Settings.Initial = initial
		if _, err := OneVsRest(context.Background(), p, run); err == nil || !strings.Contains(err.Error(), "initial point") {
			t.Errorf("a start of %d weights: %v", len(initial), err)
		}
	}
	one, err := p.of(0)
	if err != nil {
		t.Fatal(err)
	}
	run.Settings.Initial = all
	if _, err := Path(context.Background(), one, []float64{0.1, 0.01}, run); err == nil {
		t.Error("a path begins at a point of other columns")
	}
	logLoss, err := metrics.Find("logloss")
	if err != nil {
		t.Fatal(err)
	}
	v := Validation{Folds: 3, Metric: logLoss}
	if _, err := CrossValidate(context.Background(), one, []float64{0.1, 0.01}, v, run); err == nil {
		t.Error("folds begin at a point of other columns")
	}
}
