package related

import (
	"context"
	"math"
	"testing"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// TestTotal: sums, the norm of all gradients together, and the gravest end.
func TestTotal(t *testing.T) {
	t.Parallel()
	order := []solvers.Status{
		solvers.Converged, solvers.StoppedEarly, solvers.BudgetReached, solvers.Stalled, solvers.Diverged, solvers.TimeReached, solvers.Cancelled, solvers.Failed,
	}
	fit := func(k int, status solvers.Status) *solvers.Result {
		r := &solvers.Result{Status: status}
		v := float64(k)
		r.Objective, r.Gap, r.GradientNorm, r.NonZeros = v, v/10, v+2, k
		r.Total.Epochs, r.Total.GradientEvaluations, r.Total.Iterations, r.Total.Seconds = v/2, int64(100*k), int64(k), v/4
		return r
	}
	for k, graver := range order {
		for _, status := range order[:k+1] {
			for _, pair := range [][2]solvers.Status{{status, graver}, {graver, status}} {
				got := Total([]*solvers.Result{fit(1, pair[0]), fit(2, pair[1])})
				if got.Status != graver {
					t.Errorf("%v and %v end as %v", pair[0], pair[1], got.Status)
				}
				if got.Objective != 3 || !(math.Abs(got.Gap-0.3) <= 1e-15) || got.GradientNorm != 5 || got.Total.Epochs != 1.5 || got.Total.GradientEvaluations != 300 || got.Total.Iterations != 3 || got.Total.Seconds != 0.75 {
					t.Fatalf("%+v", got)
				}
			}
		}
	}
	if got := Total([]*solvers.Result{fit(1, solvers.Converged), nil}); got.Status != solvers.Cancelled || got.Objective != 1 {
		t.Errorf("with a fit that was not begun: %+v", got)
	}
}

// TestClassesAreWeighed: a class against the rest has the weights that are asked for with its
// signs, the first for the rest.
func TestClassesAreWeighed(t *testing.T) {
	t.Parallel()
	c, seen := tell(t), map[int]bool{}
	c.classes.Weight = func(y []float64) (negative, positive float64, err error) {
		for i, v := range y {
			if v > 0 {
				return 0.5, 2 + float64(c.classes.Class[i]), nil
			}
		}
		return 0, 0, nil
	}
	c.run.Solve = func(_ context.Context, p *erm.Problem, _ solvers.Settings) (*solvers.Result, error) {
		class := -1
		for i, y := range p.Y {
			if y > 0 {
				class = int(c.classes.Class[i])
			}
		}
		seen[class] = true
		for i, y := range p.Y {
			want := 0.5
			if int(c.classes.Class[i]) == class {
				want = 2 + float64(class)
			}
			if (y > 0) != (int(c.classes.Class[i]) == class) || p.SampleWeight[i] != want {
				t.Fatalf("class %d: row %d has the label %v and the weight %v", class, i, y, p.SampleWeight[i])
			}
		}
		return &solvers.Result{Weights: make([]float64, p.X.Cols()), Status: solvers.Converged}, nil
	}
	if _, err := OneVsRest(context.Background(), &c.classes, c.run); err != nil || len(seen) != 3 {
		t.Errorf("%d classes, %v", len(seen), err)
	}
}

// TestSearchesHaveFiveFolds unless another number is asked for.
func TestSearchesHaveFiveFolds(t *testing.T) {
	t.Parallel()
	s, err := newSearch(context.Background(), clusters(t, 60, 4), Wanted{For: "ap"}, solvers.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.keep.file.Close()
	folds := map[uint32]int{}
	for _, f := range s.fold {
		folds[f]++
	}
	if len(folds) != 5 || folds[4] != 12 {
		t.Errorf("folds of %v rows", folds)
	}
}

// TestConstantColumnsAreNotCounted among the weights that are not 0, in any class.
func TestConstantColumnsAreNotCounted(t *testing.T) {
	t.Parallel()
	x := clusters(t, 60, 4).X // three columns and a bias
	if got := nonZeros(x, []float64{1, 0, 2, 3, 0, 0, 4, 5}); got != 3 {
		t.Errorf("%v weights of two classes with a bias", got)
	}
	if got := nonZeros(x.WithBias(0), []float64{1, 0, 2, 3, 0, 4}); got != 4 {
		t.Errorf("%v weights of two classes without", got)
	}
}
