package lanes

import (
	"context"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
)

// twoRows are a row of each class.
func twoRows(t *testing.T, values ...float64) *sparse.Data {
	t.Helper()
	b, data := sparse.NewBuilder(sparse.BuilderOptions{}), &sparse.Data{}
	for _, v := range values {
		if err := b.AddRow([]int{0}, []float64{v}); err != nil {
			t.Fatal(err)
		}
		data.Y = append(data.Y, map[bool]float64{true: 1, false: -1}[v > 0])
	}
	var err error
	if data.X, err = b.Build(); err != nil {
		t.Fatal(err)
	}
	return data
}

// stub is a problem whose solver is a function.
func stub(t *testing.T, data *sparse.Data, s Search, solve func(context.Context, *solvers.Task, solvers.Settings) (*solvers.Result, error)) *Problem {
	t.Helper()
	p, err := PoseSearch(data, s)
	if err != nil {
		t.Fatal(err)
	}
	p.method = solvers.Ready{Description: Solver("newton"), Text: "stub", Solve: solve}
	return p
}

// recorders counts the stages and the fits that a watch is told of.
type recorders struct {
	Watch
	mu      sync.Mutex
	running int
	traces  map[int]*solvers.Trace
}

func (r *recorders) Begin(Stage) { r.traces = map[int]*solvers.Trace{} }
func (r *recorders) End()        {}
func (r *recorders) Running(change int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running += change
}

func (r *recorders) Fit(k int) solvers.Recorder {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.traces[k] = &solvers.Trace{}
	return r.traces[k]
}

// TestPathWithHoles: a long path is cut short while its parts run at the same time. It returns
// the points of all parts, counts the missing ones, is cancelled, and keeps the last point of the
// first part.
func TestPathWithHoles(t *testing.T) {
	lambdas, err := related.Lambdas(1, 1e-3, 20)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	second, third := make(chan struct{}), make(chan struct{})
	watch := &recorders{}
	s := Search{Weights: lambdas}
	s.Watch, s.Settings = watch, solvers.Settings{Workers: 3, GapTolerance: 1e-6, Checkpoint: t.TempDir() + "/saved"}
	p := stub(t, twoRows(t, 1, -1), s, func(ctx context.Context, q *solvers.Task, s solvers.Settings) (*solvers.Result, error) {
		r := &solvers.Result{Weights: []float64{q.Ridge()}, Status: solvers.Converged}
		s.Recorder.Record(solvers.Point{Objective: q.Ridge()})
		switch q.Ridge() {
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
	})
	f, err := p.Path(ctx, s)
	if f == nil || err == nil || ctx.Err() != context.Canceled {
		t.Fatal(f, err)
	}
	var places []int
	for _, fit := range f.Fits {
		if trace := watch.traces[fit.Number]; len(*trace) != 1 || (*trace)[0].Objective != fit.Weight || lambdas[fit.Number] != fit.Weight {
			t.Errorf("the trace of weight %v has the points %v", fit.Weight, trace)
		}
		places = append(places, fit.Number)
	}
	if !slices.Equal(places, []int{0, 1, 6, 16}) || f.NotBegun != 16 {
		t.Errorf("points %v, %d were not begun", places, f.NotBegun)
	}
	if watch.running != 0 {
		t.Errorf("%d fits still run", watch.running)
	}
	if f.Result.Status != solvers.Cancelled || f.Result.Weights[0] != lambdas[1] || f.Problem.Ridge() != lambdas[1] {
		t.Errorf("%v, the model of weight %v", f.Result.Status, f.Result.Weights[0])
	}
}

// TestMissedByTheWorst: of the fits that missed their tolerance one that precision ended decides,
// wherever it stands.
func TestMissedByTheWorst(t *testing.T) {
	t.Parallel()
	ends := []solvers.Status{solvers.BudgetReached, solvers.Converged, solvers.Stalled}
	for first := range ends {
		var fits []*solvers.Result
		for k := range ends {
			fits = append(fits, &solvers.Result{Status: ends[(first+k)%len(ends)]}, nil)
		}
		f := &Fitted{Used: solvers.Settings{GapTolerance: 1e-3}}
		if f.missed(fits); f.Unsolved != 2 || f.Made != 3 || f.Worst != solvers.Stalled {
			t.Errorf("%d of %d, of which the worst is %v", f.Unsolved, f.Made, f.Worst)
		}
	}
}

// TestStalledFoldCounts: a fit of folds that precision ended is the worst of all fits, though the
// fit of all rows converged. That fit has the time that the folds left.
func TestStalledFoldCounts(t *testing.T) {
	t.Parallel()
	for _, end := range []solvers.Status{solvers.Converged, solvers.BudgetReached, solvers.Stalled} {
		s := Search{Folds: 2, One: true}
		s.Settings, s.Penalty = solvers.Settings{Workers: 1, GapTolerance: 1e-6, MaxTime: time.Hour}, L2(1)
		last := 0
		p := stub(t, twoRows(t, 1, -1, 2, -2), s, func(_ context.Context, q *solvers.Task, s solvers.Settings) (*solvers.Result, error) {
			r := &solvers.Result{Weights: []float64{1}, Status: solvers.Converged}
			if q.X.Rows() < 4 {
				r.Status = end
				return r, nil
			}
			if last++; s.MaxTime >= time.Hour || s.MaxTime < time.Minute {
				t.Errorf("the fit of all rows has %v of an hour", s.MaxTime)
			}
			return r, nil
		})
		f, err := p.CrossValidate(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if last != 1 {
			t.Errorf("%d fits of all rows by the stub", last)
		}
		missed := 2
		if end == solvers.Converged {
			missed = 0
		}
		if f.Unsolved != missed || f.Made != 3 || f.Result.Status != solvers.Converged || (f.Worst == solvers.Stalled) != (end == solvers.Stalled) {
			t.Errorf("folds that ended as %v: %d of %d fits missed, of which the worst is %v", end, f.Unsolved, f.Made, f.Worst)
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
		train, test, err := (&Problem{o: Options{Normalize: normalize}}).scaleByTraining(rows(2, 3, 4, 3), rows(8, 5))
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
