package related

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// told is all that several fits are given and that a checkpoint depends on.
type told struct {
	p       erm.Problem
	classes Classes
	lambdas []float64
	v       Validation
	wanted  Wanted
	run     Run
}

// canned is a solver that takes no time. Its results depend on the settings and on the
// starting point, and differ in every number.
func canned(calls *int, after func(calls int)) Solve {
	var counting sync.Mutex // fits of several workers call it
	return func(_ context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
		counting.Lock()
		*calls++
		call := *calls
		counting.Unlock()
		w := make([]float64, p.X.Cols())
		for j := range w {
			if w[j] = p.Ridge() * float64(j%3); s.Initial != nil {
				w[j] += s.Initial[j] / 2
			}
		}
		r := &solvers.Result{Weights: w, Status: solvers.BudgetReached}
		if call == 1 {
			r.Status = solvers.Stalled // once, which later fits must not hide
		}
		r.Total.Epochs, r.Total.GradientEvaluations, r.Total.Iterations = 1+p.Ridge(), int64(1000*p.Ridge()), 7
		after(call)
		return r, nil
	}
}

// kinds are the ways to make several fits that keep what is finished.
var kinds = map[string]func(ctx context.Context, c *told) (any, error){
	"path": func(ctx context.Context, c *told) (any, error) { return Path(ctx, &c.p, c.lambdas, c.run) },
	"folds": func(ctx context.Context, c *told) (any, error) {
		return CrossValidate(ctx, &c.p, c.lambdas, c.v, c.run)
	},
	"classes": func(ctx context.Context, c *told) (any, error) { return OneVsRest(ctx, &c.classes, c.run) },
	"search": func(ctx context.Context, c *told) (any, error) {
		s := c.run.Settings
		s.BatchSize = 0 // of solvers that a search does not try
		return Choose(ctx, &c.p, c.wanted, s)
	},
}

func tell(t *testing.T) *told {
	t.Helper()
	metric, err := metrics.Find("logloss")
	if err != nil {
		t.Fatal(err)
	}
	c := &told{p: *clusters(t, 60, 4), lambdas: []float64{0.4, 0.2, 0.1}, v: Validation{Folds: 3, Seed: 1, Metric: metric}, wanted: Wanted{For: "logloss", Folds: 3, Seed: 1}}
	c.p.Y = slices.Clone(c.p.Y)
	c.classes = Classes{Problem: erm.Problem{X: c.p.X, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 0.1}}, Class: make([]uint32, 60), Count: 3}
	for i := range c.classes.Class {
		c.classes.Class[i] = uint32(i % 3)
	}
	c.run = Run{Name: "canned", Settings: solvers.Settings{Workers: 1, MaxEpochs: 100, MaxIterations: 1000, GapTolerance: 1e-3, GradientTolerance: 1e-3, BatchSize: 5, Seed: 2}}
	return c
}

// broken breaks a run off within its second fit, and returns what it saved.
func broken(t *testing.T, kind string, c *told) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	calls := 0
	c.run.Solve = canned(&calls, func(calls int) {
		if calls == 2 {
			cancel()
		}
	})
	c.wanted.Watch = func(p Progress) { cancel() }
	c.run.Settings.Checkpoint = filepath.Join(t.TempDir(), "saved")
	if _, err := kinds[kind](ctx, c); err != nil {
		t.Fatalf("%s: %v", kind, err)
	}
	c.run.Solve, c.wanted.Watch = canned(&calls, func(int) {}), nil
	return c.run.Settings.Checkpoint
}

// TestCheckpointsOfOthers: whatever results depend on, a checkpoint of a run with another one
// is refused, and the error names it; a checkpoint of the same run is not.
func TestCheckpointsOfOthers(t *testing.T) {
	t.Parallel()
	auc, err := metrics.Find("auc")
	if err != nil {
		t.Fatal(err)
	}
	all, points, validated, given := []string{"path", "folds", "classes", "search"}, []string{"path", "folds"}, []string{"folds", "search"}, []string{"path", "folds", "classes"}
	rows := []string{"path", "folds", "search"}
	asIs := func(train, test *sparse.Matrix) (*sparse.Matrix, *sparse.Matrix, error) { return train, test, nil }
	changes := []struct {
		what  string
		kinds []string
		make  func(c *told)
	}{
		{"nothing", all, func(*told) {}},
		{"the workers", all, func(c *told) { c.run.Settings.Workers = 2 }},
		{"the loss that a search has not", []string{"search"}, func(c *told) { c.p.Loss = loss.SquaredHinge{} }},
		{"the lambdas", points, func(c *told) { c.lambdas = []float64{0.4, 0.2, 0.11} }},
		{"their number", points, func(c *told) { c.lambdas = c.lambdas[:2] }},
		{"the solver", given, func(c *told) { c.run.Name = "another" }},
		{"the seed", all, func(c *told) { c.run.Settings.Seed = 3 }},
		{"the batch", given, func(c *told) { c.run.Settings.BatchSize = 6 }},
		{"the passes", all, func(c *told) { c.run.Settings.MaxEpochs = 101 }},
		{"the iterations", all, func(c *told) { c.run.Settings.MaxIterations = 1001 }},
		{"the gap", all, func(c *told) { c.run.Settings.GapTolerance = 2e-3 }},
		{"the gradient", all, func(c *told) { c.run.Settings.GradientTolerance = 2e-3 }},
		{"the start", given, func(c *told) { c.run.Settings.Initial = []float64{0, 0, 1, 0} }},
		{"a series", points, func(c *told) { c.run.Begin = SparsePath{}.Begin }},
		{"the penalties", points, func(c *told) { c.run.Penalty = lasso }},
		{"the folds", validated, func(c *told) { c.v.Folds, c.wanted.Folds = 4, 4 }},
		{"the seed of the folds", validated, func(c *told) { c.v.Seed, c.wanted.Seed = 2, 2 }},
		{"the metric", validated, func(c *told) { c.v.Metric, c.wanted.For = auc, "auc" }},
		{"the preparation", validated, func(c *told) { c.v.Prepare, c.wanted.Prepare = asIs, asIs }},
		{"the loss", given, func(c *told) { c.p.Loss, c.classes.Loss = loss.SquaredHinge{}, loss.SquaredHinge{} }},
		{"a loss with a parameter", given, func(c *told) { c.p.Loss, c.classes.Loss = loss.Huber{Delta: 2}, loss.Huber{Delta: 2} }},
		{"a label", rows, func(c *told) { c.p.Y[7] = -c.p.Y[7] }},
		{"the classes", []string{"classes"}, func(c *told) { c.classes.Class[0], c.classes.Class[1] = 1, 0 }},
		{"penalty", []string{"classes"}, func(c *told) { c.classes.Penalty = penalty.Ridge{Lambda: 0.2} }},
		{"the weights", []string{"classes"}, func(c *told) {
			c.classes.Weight = func([]float64) (float64, float64, error) { return 1, 2, nil }
		}},
		{"the sample weights", rows, func(c *told) {
			c.p.SampleWeight = slices.Repeat([]float64{1, 2}, 30)
		}},
		{"the rows", all, func(c *told) {
			c.p.X = c.p.X.NormalizeUnit()
			c.classes.X = c.p.X
		}},
	}
	for _, kind := range all {
		saved := broken(t, kind, tell(t))
		for k, change := range changes {
			if !slices.Contains(change.kinds, kind) {
				continue
			}
			c, calls := tell(t), 0
			c.run.Solve, c.run.Settings.Resume = canned(&calls, func(int) {}), saved
			change.make(c)
			_, err := kinds[kind](context.Background(), c)
			if same := k < 3; same != (err == nil) || !same && !(errors.Is(err, solvers.ErrResume) && strings.Contains(err.Error(), "another run: ")) {
				t.Errorf("%s: a checkpoint of a run in which %s is another: %v", kind, change.what, err)
			}
		}
	}
}

// TestPenaltyOfPath: a path takes the penalty of Run.Penalty at each point. It refuses to replace
// another penalty than a ridge. A checkpoint does not serve other penalties, even if only a later
// point differs.
func TestPenaltyOfPath(t *testing.T) {
	t.Parallel()
	net := func(l2 float64) func(float64) penalty.Penalty {
		return func(weight float64) penalty.Penalty {
			if weight < 0.2 {
				return penalty.ElasticNet{L1: weight, L2: l2}
			}
			return penalty.ElasticNet{L1: weight, L2: 1}
		}
	}
	for _, kind := range []string{"path", "folds"} {
		for _, p := range []penalty.Penalty{penalty.L1{Lambda: 1}, penalty.ElasticNet{L1: 1, L2: 1}, penalty.Box{Low: -1, High: 1}} {
			c, calls := tell(t), 0
			c.run.Solve, c.p.Penalty = canned(&calls, func(int) {}), p
			var lacks *penalty.LacksError
			if _, err := kinds[kind](context.Background(), c); !errors.As(err, &lacks) || lacks.Penalty != p || calls > 0 {
				t.Errorf("%s with the penalty %v: %v after %d fits", kind, p, err, calls)
			}
		}
		c, calls := tell(t), 0
		c.run.Penalty = net(2)
		c.run.Settings.Resume = broken(t, kind, c)
		c.run.Settings.Checkpoint = ""
		seen := make(map[string]bool)
		solve := canned(&calls, func(int) {})
		c.run.Solve = func(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
			seen[p.Penalty.String()] = true
			return solve(ctx, p, s)
		}
		if _, err := kinds[kind](context.Background(), c); err != nil || !seen[net(2)(0.1).String()] || seen[(penalty.Ridge{Lambda: 0.1}).String()] {
			t.Errorf("%s with penalties of its own: %v, %v", kind, err, seen)
		}
		c.run.Penalty = net(3)
		if _, err := kinds[kind](context.Background(), c); !errors.Is(err, solvers.ErrResume) {
			t.Errorf("%s with another penalty at the last point: %v", kind, err)
		}
	}
}

// TestCheckpointsOfOtherChains: a path that is cut into other chains has other points.
func TestCheckpointsOfOtherChains(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"path", "folds"} {
		for least, same := range map[int]bool{3: false, 17: false, 20: true} {
			c := tell(t)
			c.lambdas, _ = Lambdas(1, 0.01, 20)
			c.run.Settings.Resume = broken(t, kind, c)
			c.run.Settings.Checkpoint, c.run.Least = "", least
			if _, err := kinds[kind](context.Background(), c); same != (err == nil) || !same && !errors.Is(err, solvers.ErrResume) {
				t.Errorf("%s of at least %d points: %v", kind, least, err)
			}
		}
	}
}

// TestResumedCountsAll: a run that was broken off and resumed reports what one in one go
// does, costs and statuses included.
func TestResumedCountsAll(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"path", "folds", "classes"} {
		c, calls := tell(t), 0
		c.run.Solve = canned(&calls, func(int) {})
		want, err := kinds[kind](context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		c = tell(t)
		c.run.Settings.Resume = broken(t, kind, c)
		c.run.Settings.Checkpoint = ""
		got, err := kinds[kind](context.Background(), c)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %s after resuming, %s in one go (%v)", kind, show(got), show(want), err)
		}
	}
}

func show(v any) string {
	if fits, is := v.([]*solvers.Result); is {
		text := ""
		for _, r := range fits {
			text += fmt.Sprintf("%+v ", *r)
		}
		return text
	}
	return fmt.Sprintf("%+v", v)
}

// Classes of rows in a file are refused where they have other rows than the file, or nothing solves them.
func TestClassesInFileAreRefused(t *testing.T) {
	data := clusters(t, 60, 4)
	path := filepath.Join(t.TempDir(), "rows")
	if err := sparse.WriteCacheFile(path, &sparse.Data{X: data.X, Y: data.Y}); err != nil {
		t.Fatal(err)
	}
	stream, err := sparse.OpenStream(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	base := &solvers.Rows{Stream: stream}
	class := func(labels *sparse.LabelMap, stream *sparse.Stream) *solvers.Rows {
		return &solvers.Rows{Stream: stream, Labels: labels}
	}
	one := class(&sparse.LabelMap{Positive: 1, Rest: true}, stream)
	p := erm.Problem{Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 0.1}}
	solve := func(*solvers.Rows) Solve {
		return func(_ context.Context, _ *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
			return &solvers.Result{Weights: make([]float64, stream.Cols()), Status: solvers.Converged, Workers: s.Workers}, nil
		}
	}
	whole := p
	whole.X = data.X
	for want, c := range map[string]struct {
		p   Classes
		run Run
	}{
		"SolveRows":            {Classes{Problem: p, Count: 2, InFile: []*solvers.Rows{one, one}}, Run{File: base}},
		"leave Class":          {Classes{Problem: p, Count: 2, Class: []uint32{0}, InFile: []*solvers.Rows{one, one}}, Run{File: base, SolveRows: solve}},
		"leave X":              {Classes{Problem: whole, Count: 2, InFile: []*solvers.Rows{one, one}}, Run{File: base, SolveRows: solve}},
		"3 classes":            {Classes{Problem: p, Count: 3, InFile: []*solvers.Rows{one, one}}, Run{File: base, SolveRows: solve}},
		"1 classes":            {Classes{Problem: p, Count: 1, InFile: []*solvers.Rows{one}}, Run{File: base, SolveRows: solve}},
		"the rows of class 1":  {Classes{Problem: p, Count: 2, InFile: []*solvers.Rows{one, class(nil, stream)}}, Run{File: base, SolveRows: solve}},
		"the rows of class 0":  {Classes{Problem: p, Count: 2, InFile: []*solvers.Rows{nil, one}}, Run{File: base, SolveRows: solve}},
		"classes 1 are not":    {Classes{Problem: p, Count: 2, InFile: []*solvers.Rows{one, class(one.Labels, stream.WithBias(1))}}, Run{File: base, SolveRows: solve}},
		"File has no rows":     {Classes{Problem: p, Count: 2, InFile: []*solvers.Rows{one, one}}, Run{File: new(solvers.Rows), SolveRows: solve}},
		"problem has no matri": {Classes{Problem: p, Count: 2, InFile: []*solvers.Rows{one, one}}, Run{SolveRows: solve}},
	} {
		want = strings.Replace(want, "classes 1 are not", "of class 1 are not", 1)
		if fits, err := OneVsRest(t.Context(), &c.p, c.run); fits != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	run := Run{File: base, SolveRows: solve, Settings: solvers.Settings{Workers: 3}}
	fits, err := OneVsRest(t.Context(), &Classes{Problem: p, Count: 2, InFile: []*solvers.Rows{one, one}}, run)
	if err != nil || len(fits) != 2 || fits[0].Workers != 3 || fits[1].Workers != 3 {
		t.Errorf("two classes: %v, %v", fits, err)
	}
}

// Folds of rows in a file are refused with what goes with rows in memory, or without a solve of some rows.
func TestFoldsInFileRefused(t *testing.T) {
	byNewton := func(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
		return erm.Solve(ctx, p, erm.Newton{}, s)
	}
	p := clusters(t, 60, 2)
	path := filepath.Join(t.TempDir(), "rows")
	if err := sparse.WriteCacheFile(path, &sparse.Data{X: p.X.WithBias(0), Y: p.Y}); err != nil {
		t.Fatal(err)
	}
	stream, err := sparse.OpenStream(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	rows := &erm.Problem{Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1}}
	for want, change := range map[string]func(v *Validation, r *Run){
		"need SolveRows": func(_ *Validation, r *Run) { r.SolveRows = nil },
		"needs a metric": func(v *Validation, _ *Run) { v.Metric = metrics.Metric{} },
		"PrepareFile is": func(v *Validation, _ *Run) {
			v.Prepare = func(a, b *sparse.Matrix) (*sparse.Matrix, *sparse.Matrix, error) { return a, b, nil }
		},
		"groups of 3 rows": func(v *Validation, _ *Run) { v.Group = []int64{1, 2, 3} },
		"two at least":     func(v *Validation, _ *Run) { v.Folds = 1 },
		"too few rows":     func(v *Validation, _ *Run) { v.Folds = 59 },
		"is neither":       func(_ *Validation, r *Run) { r.File.Labels = &sparse.LabelMap{Positive: 7, Negative: 8} },
		"chosen already": func(_ *Validation, r *Run) {
			r.File.Stream, _ = stream.WithRows(t.Context(), func(row int) bool { return row > 0 })
		},
		"rows of our own": func(v *Validation, _ *Run) {
			v.PrepareFile = func(context.Context, *sparse.Stream, *sparse.Stream) (*sparse.Stream, *sparse.Stream, error) {
				return nil, nil, errors.New("rows of our own")
			}
		},
	} {
		v := Validation{Folds: 3, Metric: metrics.Metric{Name: "accuracy", Compute: metrics.Accuracy}}
		r := Run{Solve: byNewton, File: &solvers.Rows{Stream: stream}}
		r.SolveRows = func(*solvers.Rows) Solve { return r.Solve }
		change(&v, &r)
		if found, err := CrossValidate(t.Context(), rows, []float64{1}, v, r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", want, found, err)
		}
	}
	if got := (*Run)(nil).FoldBytes(3, 4); got != 0 {
		t.Errorf("%d bytes of no run", got)
	}
}
