package related

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/testing/looks"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/sparse"
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
	one, three := binary(t, "text:n=400,d=200"), rows(t, "text:n=400,d=200", 3)
	three.Penalty = penalty.Ridge{}
	at := func(point float64) penalty.Penalty { return penalty.ElasticNet{L1: point / 50, L2: 1e-4} }
	lambdas, _ := Lambdas(0.3, 1e-4, 6)
	metric, _ := metrics.Find("logloss")
	cases := map[string]func(ctx context.Context, run Run) (string, bool, error){
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
	}
	cases["sparse path"], cases["sparse folds"] = cases["path"], cases["folds"]
	cases["sparse classes on a path"] = func(ctx context.Context, run Run) (string, bool, error) {
		run.Classes, run.Begin = 3, three.RestSparse(SparsePath{})
		fits, err := Path(ctx, byNumber(three), lambdas, run)
		return finished(fits, err)
	}
	for name, solve := range cases {
		if testing.Short() && !strings.HasPrefix(name, "sparse") {
			continue
		}
		run := Run{Solve: auto.Solve, Name: "auto", Settings: solvers.Settings{GapTolerance: 1e-6, Workers: 2}}
		if strings.HasPrefix(name, "sparse") {
			run.Solve, run.Begin, run.Penalty = nil, SparsePath{}.Begin, at
		}
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
		if begun == 0 || begun >= len(strings.Fields(want)) && !strings.HasSuffix(name, "folds") {
			t.Errorf("%s: %d fits after resuming", name, begun)
		}
		run.Settings.GapTolerance = 1e-5
		if _, _, err := solve(context.Background(), run); err == nil || !strings.Contains(err.Error(), "another run") {
			t.Errorf("%s: resumed with another target: %v", name, err)
		}
	}
}

// Classes whose common beginning is broken off, at any look whether to end, go on with it.
func TestBeginningResumes(t *testing.T) {
	t.Parallel()
	p := rows(t, "text:n=150,d=60", 3)
	p.Together = true
	run := Run{Solve: prox, Settings: solvers.Settings{GapTolerance: 1e-5, Workers: 1}}
	for _, all := range []int{8, 6} { // beside intercepts it takes fewer looks
		want := hashes(mustFits(OneVsRest(context.Background(), p, run)))
		for cut := range all {
			broken, left := run, looks.Until(cut)
			broken.Settings.Checkpoint = filepath.Join(t.TempDir(), "saved")
			mustFits(OneVsRest(left, p, broken))
			broken.Settings.Resume, broken.Settings.Checkpoint = broken.Settings.Checkpoint, ""
			if got := hashes(mustFits(OneVsRest(context.Background(), p, broken))); left.Left >= 0 || got != want {
				t.Errorf("cut at look %d, intercept %t: resumed to other weights, %d looks left", cut, p.Intercept, left.Left)
			}
		}
		p.Intercept = true
	}
}

// A run refuses the checkpoint of a run with other weights, another starting point or another
// preparation.
func TestResumeRefusesOthers(t *testing.T) {
	p := rows(t, "text:n=100,d=60", 3)
	one := binary(t, "text:n=100,d=60")
	metric, _ := metrics.Find("logloss")
	weigh := func(positive float64) func([]float64) (float64, float64, error) {
		return func([]float64) (float64, float64, error) { return 1, positive, nil }
	}
	asIs := func(train, test *sparse.Matrix) (*sparse.Matrix, *sparse.Matrix, error) { return train, test, nil }
	for name, solve := range map[string]func(ctx context.Context, run Run, other bool) error{
		"weights": func(ctx context.Context, run Run, other bool) error {
			c := *p
			c.Weight = weigh(2)
			if other {
				c.Weight = weigh(3)
			}
			_, err := OneVsRest(ctx, &c, run)
			return err
		},
		"initial": func(ctx context.Context, run Run, other bool) error {
			run.Settings.Initial = make([]float64, one.X.Cols())
			if other {
				run.Settings.Initial[3] = 1
			}
			_, err := Path(ctx, one, []float64{0.1, 0.05, 0.01}, run)
			return err
		},
		"preparation": func(ctx context.Context, run Run, other bool) error {
			v := Validation{Folds: 3, Metric: metric}
			if other {
				v.Prepare = asIs
			}
			_, err := CrossValidate(ctx, one, []float64{0.1, 0.05, 0.01}, v, run)
			return err
		},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		run := Run{Solve: auto.Solve, Settings: solvers.Settings{Workers: 1, Checkpoint: filepath.Join(t.TempDir(), "saved")}, Watch: interrupt{1, cancel}.watch}
		if err := solve(ctx, run, false); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		run.Watch, run.Settings.Resume = nil, run.Settings.Checkpoint
		if err := solve(context.Background(), run, true); err == nil || !strings.Contains(err.Error(), "another run") {
			t.Errorf("%s: resumed by another run: %v", name, err)
		}
		if err := solve(context.Background(), run, false); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Points of a path that were saved are measured by the metric of the run that resumes.
func TestResumedPathIsMeasured(t *testing.T) {
	one := binary(t, "text:n=100,d=60")
	ctx, cancel := context.WithCancel(context.Background())
	run := Run{Solve: auto.Solve, Settings: solvers.Settings{Checkpoint: filepath.Join(t.TempDir(), "saved")}, Watch: interrupt{1, cancel}.watch}
	run.Settings.Validation = accuracy{binary(t, "text:n=90,d=60,seed=4")}
	if _, err := Path(ctx, one, []float64{0.1, 0.05, 0.01}, run); err != nil {
		t.Fatal(err)
	}
	begun := 0
	run.Watch = func(int) solvers.Recorder { begun++; return nil }
	run.Settings.Resume, run.Settings.Validation = run.Settings.Checkpoint, accuracy{one}
	fits := mustFits(Path(context.Background(), one, []float64{0.1, 0.05, 0.01}, run))
	if begun != 2 {
		t.Errorf("%d fits after resuming, not 2", begun)
	}
	for k, r := range fits {
		if want, err := (accuracy{one}).Measure(r.Weights); err != nil || r.Metric != want {
			t.Errorf("point %d: metric %v, not %v (%v)", k, r.Metric, want, err)
		}
	}
}

// The time limit covers all fits, including the joint fits at the beginning.
func TestTimeEndsTheBeginning(t *testing.T) {
	p := rows(t, "text:n=100,d=60", 40)
	p.Together = true
	for k, r := range mustFits(OneVsRest(context.Background(), p, Run{Solve: prox, Settings: solvers.Settings{GapTolerance: 1e-9, MaxTime: 1}})) {
		if r != nil && (r.Status != solvers.TimeReached || r.Total.Epochs > 0) {
			t.Errorf("class %d: %v after %v passes of a run without time", k, r.Status, r.Total.Epochs)
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

// A fit has what the fits before it left of the time.
func TestBudgetIsShared(t *testing.T) {
	var s solvers.Settings
	if limit := (budget{time.Now(), 0}); !limit.left(&s) || s.MaxTime != 0 {
		t.Errorf("without a limit: %v", s.MaxTime)
	}
	if limit := (budget{time.Now().Add(-9 * time.Minute), 10 * time.Minute}); !limit.left(&s) || s.MaxTime > time.Minute {
		t.Errorf("nine of ten minutes are over, and a fit has %v", s.MaxTime)
	}
	if limit := (budget{time.Now().Add(-11 * time.Minute), 10 * time.Minute}); limit.left(&s) {
		t.Errorf("all is over, and a fit has %v", s.MaxTime)
	}
}

// Finished fits are saved while the others go on, for a run that is killed.
func TestFinishedFitsAreSaved(t *testing.T) {
	one := binary(t, "text:n=100,d=60")
	dir := t.TempDir()
	settings := solvers.Settings{Checkpoint: filepath.Join(dir, "saved"), CheckpointEvery: 1}
	lambdas := []float64{0.1, 0.05, 0.01}
	var copies [][]byte
	run := Run{Solve: auto.Solve, Settings: settings, Watch: func(fit int) solvers.Recorder {
		text, err := os.ReadFile(settings.Checkpoint)
		if (err == nil) != (fit > 0) {
			t.Errorf("before fit %d: %v", fit, err)
		}
		copies = append(copies, text)
		return nil
	}}
	want := hashes(mustFits(Path(context.Background(), one, lambdas, run)))
	for fit := 1; fit < len(copies); fit++ {
		begun := 0
		killed := Run{Solve: auto.Solve, Settings: solvers.Settings{Resume: filepath.Join(dir, "killed")}, Watch: func(int) solvers.Recorder { begun++; return nil }}
		if err := os.WriteFile(killed.Settings.Resume, copies[fit], 0o600); err != nil {
			t.Fatal(err)
		}
		if got := hashes(mustFits(Path(context.Background(), one, lambdas, killed))); got != want || begun != len(lambdas)-fit {
			t.Errorf("killed in fit %d: %d fits after it, to %s, not %s", fit, begun, got, want)
		}
	}
}

// TestStageKeepsItsCosts: the cost of fits before a search was saved counts in the resumed
// search.
func TestStageKeepsItsCosts(t *testing.T) {
	s, restored := &stage{
		name: "one", lambdas: []float64{1}, whole: true, values: [][]float64{{0.5, 0.6}}, costs: [][]cost{{{1, 2}, {3, 4}}}, folds: make([]foldState, 2),
	}, new(stage)
	visit := func(s *stage) func(*checkpoint.Coder) { return func(c *checkpoint.Coder) { s.state(c, 2, 3) } }
	if err := checkpoint.Decode(checkpoint.Encode(visit(s)), visit(restored)); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(restored.costs[0], s.costs[0]) {
		t.Errorf("costs %v, not %v", restored.costs, s.costs)
	}
}
