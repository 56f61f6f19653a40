package related

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
)

type panicking struct{ left atomic.Int64 }

var errSentinel = errors.New("the caller's own panic")

func (p *panicking) Record(solvers.Point) error {
	if p.left.Add(-1) == 0 {
		panic(errSentinel)
	}
	return nil
}

// A panic of a recorder or a solver, on any goroutine, reaches the caller's goroutine. It leaves
// no goroutine behind and no lock on the checkpoint. Fits resumed from that checkpoint have the
// same bits.
func TestPanics(t *testing.T) {
	p := rows(t, "text:n=150,d=300", 5)
	one, err := p.of(1)
	if err != nil {
		t.Fatal(err)
	}
	lambdas, err := Lambdas(0.1, 1e-4, repeat.Size(20, 9))
	if err != nil {
		t.Fatal(err)
	}
	fit := map[string]func(run Run) ([]*solvers.Result, error){
		"classes": func(run Run) ([]*solvers.Result, error) { return OneVsRest(context.Background(), p, run) },
		"path":    func(run Run) ([]*solvers.Result, error) { return Path(context.Background(), one, lambdas, run) },
		"sparse path": func(run Run) ([]*solvers.Result, error) {
			run.Begin, run.Penalty = SparsePath{}.Begin, lasso
			return Path(context.Background(), one, lambdas, run)
		},
	}
	before := runtime.NumGoroutine()
	for name, fits := range fit {
		run := Run{Solve: auto.Solve, Name: "auto", Settings: solvers.Settings{GapTolerance: 1e-3, Workers: 3}}
		want, err := fits(run)
		if err != nil {
			t.Fatal(err)
		}
		saved := filepath.Join(t.TempDir(), "saved")
		run.Settings.Checkpoint, run.Settings.CheckpointEvery = saved, time.Nanosecond
		for _, records := range repeat.Size([]int64{1, 2, 5, 9}, []int64{2, 5}) {
			broken := run
			recorder := new(panicking)
			recorder.left.Store(records)
			broken.Watch = func(int) solvers.Recorder { return recorder }
			if records == 5 {
				broken.Solve = func(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
					recorder.Record(solvers.Point{})
					return auto.Solve(ctx, p, s)
				}
			}
			func() {
				defer func() {
					if err, _ := recover().(error); !errors.Is(err, errSentinel) {
						t.Errorf("%s: the panic after %d points is lost", name, records)
					}
				}()
				fits(broken)
			}()
			run.Settings.Overwrite = true
		}
		run.Settings.Overwrite, run.Settings.Resume = false, saved
		if got, err := fits(run); err != nil || hashes(got) != hashes(want) {
			t.Errorf("%s: other bits after panics, error %v", name, err)
		}
	}
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

// A function that returns neither a Series nor an error is an error.
func TestRefusesNoSeries(t *testing.T) {
	one, err := rows(t, "text:n=20,d=10", 5).of(1)
	if err != nil {
		t.Fatal(err)
	}
	run := Run{Begin: func(*erm.Problem) (Series, error) { return nil, nil }}
	if _, err := Path(context.Background(), one, []float64{0.1}, run); err == nil {
		t.Error("no error")
	}
}
