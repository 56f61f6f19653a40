package related

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
)

// interrupt cancels the run in the given fit.
type interrupt struct {
	fit    int
	cancel func()
}

func (i interrupt) watch(fit int) solvers.Recorder {
	if fit >= i.fit {
		i.cancel()
	}
	return nil
}

func TestInterruptAndResume(t *testing.T) {
	p := rows(t, "text:n=600,d=900", 9)
	one := binary(t, "text:n=400,d=200")
	lambdas, _ := Lambdas(0.3, 1e-4, 6)
	metric, _ := metrics.Find("logloss")
	for name, solve := range map[string]func(ctx context.Context, run Run) (string, bool, error){
		"classes": func(ctx context.Context, run Run) (string, bool, error) {
			fits, err := OneVsRest(ctx, p, run)
			return finished(fits, err)
		},
		"path": func(ctx context.Context, run Run) (string, bool, error) {
			fits, err := Path(ctx, one, lambdas, run)
			return finished(fits, err)
		},
		"folds": func(ctx context.Context, run Run) (string, bool, error) {
			v, err := CrossValidate(ctx, one, lambdas, Validation{Folds: 3, Metric: metric}, run)
			if err != nil {
				return "", false, err
			}
			var all []float64
			for _, row := range v.Values {
				all = append(all, row...)
			}
			return solvers.HashWeights(all), v.Status == solvers.Converged, nil
		},
	} {
		run := Run{Solve: auto.Solve, Name: "auto", Settings: solvers.Settings{GapTolerance: 1e-6, Workers: 2}}
		want, whole, err := solve(context.Background(), run)
		if err != nil || !whole {
			t.Fatalf("%s: %v", name, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		run.Settings.Checkpoint = filepath.Join(t.TempDir(), "saved")
		run.Watch = interrupt{4, cancel}.watch
		if _, whole, err = solve(ctx, run); err != nil || whole {
			t.Fatalf("%s: interrupted: %v, whole %t", name, err, whole)
		}
		begun := 0
		run.Settings.Resume, run.Settings.Workers = run.Settings.Checkpoint, 1
		run.Watch = func(int) solvers.Recorder { begun++; return nil }
		got, whole, err := solve(context.Background(), run)
		if err != nil || !whole || got != want {
			t.Errorf("%s: resumed to other weights (%v)", name, err)
		}
		if begun == 0 || begun >= len(strings.Fields(want)) && name != "folds" {
			t.Errorf("%s: %d fits after resuming", name, begun)
		}
		run.Settings.GapTolerance = 1e-5
		if _, _, err := solve(context.Background(), run); err == nil || !strings.Contains(err.Error(), "not of") {
			t.Errorf("%s: resumed with another target: %v", name, err)
		}
	}
}

func finished(fits []*solvers.Result, err error) (string, bool, error) {
	if err != nil {
		return "", false, err
	}
	for _, r := range fits {
		if unfinished(r) {
			return "", false, nil
		}
	}
	return hashes(fits), true, nil
}
