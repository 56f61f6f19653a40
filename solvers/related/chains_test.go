package related

import (
	"context"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
)

// partsOf20 are where the parts of a path of 20 points begin, and its end.
var partsOf20 = []int{0, 6, 16, 20}

// A long path is three independent shorter paths, whatever computes them, and so is the path of
// every fold.
func TestLongPathIsItsParts(t *testing.T) {
	repeat.Once(t)
	one := binary(t, "text:n=150,d=80")
	lambdas, _ := Lambdas(1, 1e-4, 20)
	metric, _ := metrics.Find("logloss")
	v := Validation{Folds: 3, Seed: 4, Metric: metric}
	initial := make([]float64, one.X.Cols())
	initial[3] = 0.5
	for _, start := range [][]float64{nil, initial} {
		run := Run{Solve: auto.Solve, Settings: solvers.Settings{GapTolerance: 1e-5, Initial: start, Workers: 1}}
		var want []*solvers.Result
		var values [][]float64
		for k, begin := range partsOf20[:3] {
			part := lambdas[begin:partsOf20[k+1]]
			want = append(want, mustFits(Path(context.Background(), one, part, run))...)
			found, err := CrossValidate(context.Background(), one, part, v, run)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, found.Values...)
			point := *one
			point.Penalty = penalty.Ridge{Lambda: part[0]}
			if first, err := auto.Solve(context.Background(), &point, run.Settings); err != nil || !slices.Equal(first.Weights, want[begin].Weights) {
				t.Errorf("point %d does not begin at the starting point (%v)", begin, err)
			}
		}
		for _, run.Settings.Workers = range []int{1, 2, 5} {
			fits := mustFits(Path(context.Background(), one, lambdas, run))
			found, err := CrossValidate(context.Background(), one, lambdas, v, run)
			if err != nil {
				t.Fatal(err)
			}
			for k := range lambdas {
				if !slices.Equal(fits[k].Weights, want[k].Weights) || fits[k].Objective != want[k].Objective {
					t.Errorf("%d workers: point %d has other weights than its part", run.Settings.Workers, k)
				}
				if !slices.Equal(found.Values[k], values[k]) {
					t.Errorf("%d workers: folds at point %d: %v, not %v", run.Settings.Workers, k, found.Values[k], values[k])
				}
			}
		}
	}
	// A series has the solutions before every point.
	run := Run{Begin: SparsePath{}.Begin, Penalty: lasso, Settings: solvers.Settings{GapTolerance: 1e-5}}
	fits := mustFits(Path(context.Background(), one, lambdas, run))
	short := mustFits(Path(context.Background(), one, lambdas[:15], run))
	if hashes(fits[:15]) != hashes(short) {
		t.Error("a path of a series is cut")
	}
}

// TestLongPathResumes: an interrupted long path resumes to the same points. Beyond the least
// number of points it continues from the last point.
func TestLongPathResumes(t *testing.T) {
	repeat.Once(t)
	one := binary(t, "text:n=120,d=60")
	lambdas, _ := Lambdas(1, 1e-4, 19)
	metric, _ := metrics.Find("logloss")
	v := Validation{Folds: 2, Metric: metric}
	run := Run{Solve: auto.Solve, Least: 17, Settings: solvers.Settings{GapTolerance: 1e-5, Workers: 2, Validation: turns{17, new(int)}}}
	want := mustFits(Path(context.Background(), one, lambdas, run))
	if len(want) != len(lambdas) {
		t.Fatalf("%d points", len(want))
	}
	values, err := CrossValidate(context.Background(), one, lambdas, v, run)
	if err != nil {
		t.Fatal(err)
	}
	for cut := 1; cut < len(lambdas); cut += 4 {
		for _, folds := range []bool{false, true} {
			ctx, cancel := context.WithCancel(context.Background())
			var begun atomic.Int32
			run.Settings.Checkpoint, run.Settings.Resume = filepath.Join(t.TempDir(), "saved"), ""
			run.Settings.Validation = turns{17, new(int)}
			run.Watch = func(int) solvers.Recorder {
				if int(begun.Add(1)) > cut {
					cancel()
				}
				return nil
			}
			solve := func(ctx context.Context) (same bool, err error) {
				if folds {
					found, err := CrossValidate(ctx, one, lambdas, v, run)
					return err == nil && slices.EqualFunc(found.Values, values.Values, slices.Equal[[]float64]), err
				}
				fits, err := Path(ctx, one, lambdas, run)
				return err == nil && !slices.ContainsFunc(fits, unfinished) && hashes(fits) == hashes(want), err
			}
			if same, err := solve(ctx); err != nil || same {
				t.Fatalf("cut after %d fits: %v, whole %t", cut, err, same)
			}
			again := 0
			run.Settings.Workers = 1
			run.Settings.Validation = turns{17, new(int)}
			run.Settings.Resume, run.Watch = run.Settings.Checkpoint, func(int) solvers.Recorder { again++; return nil }
			if same, err := solve(context.Background()); err != nil || !same {
				t.Errorf("folds %t, cut after %d fits: other points (%v)", folds, cut, err)
			}
			if all := len(lambdas); !folds && again != all-cut && again != all-cut+1 { // another one may have ended meanwhile
				t.Errorf("cut after %d fits: %d to go", cut, again)
			}
			run.Settings.Workers, run.Watch = 2, nil
		}
	}
}

// The workers of jobs that end go to the remaining jobs.
func TestCrew(t *testing.T) {
	c := newCrew(7, 3)
	for _, want := range []int{2, 3, 7} {
		if got := c.share(1); got != want {
			t.Errorf("a share of %d, not %d", got, want)
		}
		if got := c.share(5); got != max(5, want) {
			t.Errorf("a share of %d, where 5 were promised", got)
		}
		c.end()
	}
}
