package related

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
)

// TestFoldsMissed: a cross-validation counts the fits that did not converge, those before an
// interruption too.
func TestFoldsMissed(t *testing.T) {
	t.Parallel()
	one := binary(t, "text:n=150,d=80")
	lambdas, err := Lambdas(1, 1e-5, 6)
	if err != nil {
		t.Fatal(err)
	}
	metric, _ := metrics.Find("logloss")
	var mu sync.Mutex
	missed, count, most := 0, 0, -1
	ctx, cancel := context.WithCancel(context.Background())
	run := Run{Settings: solvers.Settings{GapTolerance: 1e-6, MaxEpochs: 5, Workers: 1}, Name: "counted"}
	run.Solve = func(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
		r, err := auto.Solve(ctx, p, s)
		mu.Lock()
		defer mu.Unlock()
		if count++; r.Status != solvers.Converged {
			missed++
		}
		if count == most {
			cancel()
		}
		return r, err
	}
	v := Validation{Folds: 3, Seed: 4, Metric: metric}
	whole, err := CrossValidate(ctx, one, lambdas, v, run)
	if err != nil || whole.Missed != missed || missed == 0 || missed == 18 || whole.Fits != 18 {
		t.Fatalf("%d of %d fits missed their tolerance, %d of %d as counted (%v)", whole.Missed, whole.Fits, missed, count, err)
	}
	count, most = 0, 11
	run.Settings.Checkpoint = filepath.Join(t.TempDir(), "checkpoint")
	cut, err := CrossValidate(ctx, one, lambdas, v, run)
	if err != nil || cut.Fits != 11 {
		t.Fatalf("%d fits before the interruption (%v)", cut.Fits, err)
	}
	run.Settings.Resume, run.Settings.Checkpoint = run.Settings.Checkpoint, ""
	again, err := CrossValidate(context.Background(), one, lambdas, v, run)
	if err != nil || again.Missed != whole.Missed || again.Fits != whole.Fits {
		t.Errorf("resumed: %d of %d fits missed their tolerance, not %d of %d (%v)", again.Missed, again.Fits, whole.Missed, whole.Fits, err)
	}
}

// TestSearchMissed: a search counts the logistic fits that met no tolerance. Solvers that rank
// have none to meet.
func TestSearchMissed(t *testing.T) {
	repeat.Skip(t)
	t.Parallel()
	p := clusters(t, 200, 3)
	few := choose(t, p, Wanted{For: "logloss", Folds: 2}, solvers.Settings{GradientTolerance: 1e-300, MaxEpochs: 2})
	if few.Missed != few.Fits || few.Fits != 2*len(few.Tried) {
		t.Errorf("after 2 passes %d of %d fits missed their tolerance, for %d candidates on 2 folds", few.Missed, few.Fits, len(few.Tried))
	}
	ranked := choose(t, p, Wanted{For: "auc", Folds: 2}, solvers.Settings{GapTolerance: 1e-3})
	if ranked.Missed != 0 || ranked.Fits == 0 || ranked.Fits >= 2*len(ranked.Tried) {
		t.Errorf("%d of %d fits missed their tolerance", ranked.Missed, ranked.Fits)
	}
}

// TestTimeLeft: a fit gets what the fits before it left of the time.
func TestTimeLeft(t *testing.T) {
	t.Parallel()
	var s solvers.Settings
	some := &budget{time.Now().Add(-time.Hour), 2 * time.Hour}
	if is := some.left(&s); !is || s.MaxTime > time.Hour || s.MaxTime < 50*time.Minute {
		t.Errorf("%v are left of 2 hours after one (%v)", s.MaxTime, is)
	}
	if (&budget{time.Now().Add(-time.Hour), time.Minute}).left(&s) {
		t.Errorf("%v are left of a minute after an hour", s.MaxTime)
	}
	s.MaxTime = 0
	if !(&budget{time.Now().Add(-time.Hour), 0}).left(&s) || s.MaxTime != 0 {
		t.Errorf("%v are left without a limit", s.MaxTime)
	}
}

// pause is a recorder, and a context, that takes its time once.
type pause struct {
	context.Context
	once sync.Once
	long time.Duration
}

func (p *pause) Err() error {
	p.once.Do(func() { time.Sleep(p.long) })
	return nil
}

func (p *pause) Record(solvers.Point) error { return p.Err() }

// TestTimeOfTheLastFit: a solver that ranks has the time that its logistic fit left, and the fit
// of all rows the time that the search left.
func TestTimeOfTheLastFit(t *testing.T) {
	t.Parallel()
	const most = time.Second
	p := clusters(t, 100, 4)
	s := solvers.Settings{MaxTime: most, Recorder: &pause{long: 6 * most / 10}}
	c := Candidate{Solver: "adap", Lambda: 0.02, Parameters: map[string]string{"iterations": "20"}}
	if r, err := c.Solve(&pause{Context: context.Background(), long: 6 * most / 10}, p, s); err != nil || r.Status != solvers.TimeReached {
		t.Errorf("%v, %v", r, err)
	}
	s.Recorder = &pause{long: 6 * most / 10}
	late := &pause{long: 8 * most / 10}
	watch := func(p Progress) {
		if p.Best != nil {
			late.Err()
		}
	}
	found, err := Choose(context.Background(), p, Wanted{For: "logloss", Folds: 2, Watch: watch}, s)
	if errors.Is(err, ErrNoTime) {
		t.Skip("the machine is too busy for a search of a second")
	}
	if err != nil || found.Status != solvers.TimeReached || found.Result.Status != solvers.TimeReached {
		t.Errorf("%v, %v", found, err)
	}
}
