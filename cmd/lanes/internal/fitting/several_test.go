package fitting

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
)

// A long path that is cut short while its parts run at the same time reports the points of
// all of them, says how many are missing, is cancelled, and keeps the last of the first part.
func TestPathWithHoles(t *testing.T) {
	x, err := sparse.NewCSR(1, []int64{0, 1, 2}, []uint32{0, 0}, []float64{1, -1})
	if err != nil {
		t.Fatal(err)
	}
	p := &Prepared{Columns: 1, Data: &input.Dataset{Data: &sparse.Data{}}}
	p.X, p.Y = x, []float64{1, -1}
	flags := &ProblemFlags{}
	flags.Path, flags.high, flags.low, flags.points = true, 1, 1e-3, 20
	lambdas, _, err := flags.list(p)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	second, third := make(chan struct{}), make(chan struct{})
	by := related.Run{Settings: solvers.Settings{Workers: 3, GapTolerance: 1e-6, Checkpoint: t.TempDir() + "/saved"}, Name: "stub"}
	by.Solve = func(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
		r := &solvers.Result{Weights: []float64{p.Lambda}, Status: solvers.Converged}
		s.Recorder.Record(solvers.Point{Objective: p.Lambda})
		switch p.Lambda {
		case lambdas[1]:
			<-second
			<-third
			cancel()
		case lambdas[16]:
			close(third)
			<-ctx.Done()
		case lambdas[6]:
			close(second)
			<-ctx.Done()
			r.Status = solvers.Cancelled
		}
		return r, nil
	}
	var notes bytes.Buffer
	r, err := solvePath(ctx, &console.App{Err: &notes, Workers: 1, Points: 64}, flags, p, &RunFlags{}, by)
	if err != nil {
		t.Fatal(err)
	}
	var places []int
	for i, point := range r.Related.Path {
		if points := r.Traces[i].Points; len(points) != 1 || points[0].Objective != *point.Lambda {
			t.Errorf("the trace of lambda %v has the points %v", *point.Lambda, points)
		}
		for k, v := range lambdas {
			if v == *point.Lambda {
				places = append(places, k)
			}
		}
	}
	if len(places) != 4 || places[0] != 0 || places[1] != 1 || places[2] != 6 || places[3] != 16 || len(r.Traces) != 4 {
		t.Errorf("points %v, %d traces", places, len(r.Traces))
	}
	if r.Status != solvers.Cancelled || r.Weights[0] != lambdas[1] {
		t.Errorf("%v, the model of lambda %v", r.Status, r.Weights[0])
	}
	if text := notes.String(); !strings.Contains(text, "16 of 20 points of the path were not begun: --resume makes them") {
		t.Errorf("%s", text)
	}
}

// TestMissedByTheWorst: of the fits that missed their tolerance one that precision ended decides,
// wherever it stands.
func TestMissedByTheWorst(t *testing.T) {
	t.Parallel()
	settings := solvers.Settings{GapTolerance: 1e-3}
	ends := []solvers.Status{solvers.BudgetReached, solvers.Converged, solvers.Stalled}
	for first := range ends {
		var fits []*solvers.Result
		for k := range ends {
			fits = append(fits, &solvers.Result{Status: ends[(first+k)%len(ends)]}, nil)
		}
		var r Trained
		if r.missed("fits", fits, settings); r.Missed != 2 || r.Fits != 3 || r.What != "fits" || r.Worst != solvers.Stalled {
			t.Errorf("%d of %d %s, of which the worst is %v", r.Missed, r.Fits, r.What, r.Worst)
		}
	}
}

// TestStalledFoldCounts: a fit of folds that precision ended is the worst of all fits, though the
// fit of all rows converged. That fit has the time that the folds left.
func TestStalledFoldCounts(t *testing.T) {
	t.Parallel()
	x, err := sparse.NewCSR(1, []int64{0, 1, 2, 3, 4}, []uint32{0, 0, 0, 0}, []float64{1, -1, 2, -2})
	if err != nil {
		t.Fatal(err)
	}
	for _, end := range []solvers.Status{solvers.Converged, solvers.BudgetReached, solvers.Stalled} {
		p := &Prepared{Columns: 1, Data: &input.Dataset{Data: &sparse.Data{X: x}}}
		p.X, p.Y, p.Lambda = x, []float64{1, -1, 1, -1}, 1
		flags := &ProblemFlags{}
		flags.Folds = 2
		by := related.Run{Settings: solvers.Settings{Workers: 1, GapTolerance: 1e-6, MaxTime: time.Hour}, Solve: func(_ context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
			r := &solvers.Result{Weights: []float64{1}, Status: solvers.Converged}
			if p.X.Rows() < 4 {
				r.Status = end
			} else if s.MaxTime >= time.Hour || s.MaxTime < time.Minute {
				t.Errorf("the fit of all rows has %v of an hour", s.MaxTime)
			}
			return r, nil
		}}
		r, err := solveFolds(context.Background(), &console.App{Err: new(bytes.Buffer), Workers: 1}, flags, p, registry.Ready{}, &RunFlags{}, by)
		if err != nil {
			t.Fatal(err)
		}
		missed := 2
		if end == solvers.Converged {
			missed = 0
		}
		if r.Missed != missed || r.Fits != 3 || r.Status != solvers.Converged || (r.Worst == solvers.Stalled) != (end == solvers.Stalled) {
			t.Errorf("folds that ended as %v: %d of %d fits missed, of which the worst is %v", end, r.Missed, r.Fits, r.Worst)
		}
	}
}

// TestScalingOfFolds: the rows that are measured are scaled by what was fitted to the others.
func TestScalingOfFolds(t *testing.T) {
	t.Parallel()
	rows := func(values ...float64) *sparse.Matrix {
		ptr := []int64{0}
		for i := range values {
			ptr = append(ptr, int64(i+1))
		}
		x, err := sparse.NewCSR(1, ptr, make([]uint32, len(values)), values)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	deviation := math.Sqrt(0.5)
	for normalize, want := range map[string][2][]float64{
		"minmax": {{0, 0.5, 1, 0.5}, {3, 1.5}},
		"std":    {{2 / deviation, 3 / deviation, 4 / deviation, 3 / deviation}, {8 / deviation, 5 / deviation}},
	} {
		train, test, err := (&ProblemFlags{Normalize: normalize}).scaleByTraining(rows(2, 3, 4, 3), rows(8, 5))
		if err != nil {
			t.Fatal(err)
		}
		for k, x := range []*sparse.Matrix{train, test} {
			got := make([]float64, len(want[k]))
			if err := x.MulVec(nil, got, []float64{1}); err != nil || !slices.Equal(got, want[k]) {
				t.Errorf("%s: scaled to %v, not %v (%v)", normalize, got, want[k], err)
			}
		}
	}
}
