package related

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// seen remembers the matrices that fits were made on, and checks what they begin at.
type seen struct {
	t         *testing.T
	mu        sync.Mutex
	matrices  []*sparse.Matrix
	last      float64 // objective of the fit before, at its lambda
	lastW     []float64
	beginning bool // check that a fit begins where the one before ended
}

func (s *seen) solve(ctx context.Context, p *erm.Problem, settings solvers.Settings) (*solvers.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.matrices, p.X) {
		s.matrices = append(s.matrices, p.X)
	}
	if !matrix.Renumbered(p.X) {
		s.t.Error("a fit's columns are not numbered by frequency")
	}
	if s.beginning && settings.Initial != nil {
		before := *p
		before.Penalty = penalty.Ridge{Lambda: s.last}
		if got, want := objectiveOf(s.t, &before, settings.Initial), objectiveOf(s.t, &before, s.lastW); !(math.Abs(got-want) <= 1e-12*want) {
			s.t.Errorf("a fit begins at %v where the one before ended at %v", got, want)
		}
	}
	r, err := auto.Solve(ctx, p, settings)
	if r != nil {
		s.last, s.lastW = p.Ridge(), slices.Clone(r.Weights)
	}
	return r, err
}

func objectiveOf(t *testing.T, p *erm.Problem, w []float64) float64 {
	t.Helper()
	z := make([]float64, p.X.Rows())
	if err := p.X.MulVec(nil, z, w); err != nil {
		t.Fatal(err)
	}
	return p.Loss.Sum(z, p.Y, p.SampleWeight)/float64(len(z)) + p.Ridge()/2*kernels.SquaredNorm(w)
}

// checkFit holds a result to the problem as the caller posed it.
func checkFit(t *testing.T, what string, p *erm.Problem, r *solvers.Result) {
	t.Helper()
	if len(r.Weights) != p.X.Cols() {
		t.Fatalf("%s: %d weights for %d columns", what, len(r.Weights), p.X.Cols())
	}
	if got := objectiveOf(t, p, r.Weights); !(math.Abs(got-r.Objective) <= 1e-12*got) {
		t.Errorf("%s: the result claims %v, its weights have %v", what, r.Objective, got)
	}
}

// TestNumberedOnce: fits on many columns share a matrix whose columns are numbered by
// frequency, and nothing outside shows it: weights, starting points, metrics and folds are
// by the caller's numbers.
func TestNumberedOnce(t *testing.T) {
	repeat.Once(t)
	p := rows(t, "wide:n=640,d=262144", 3)
	if !matrix.RenumberingPays(p.X) {
		t.Fatal("the matrix is too small for the test")
	}
	start := make([]float64, p.X.Cols())
	for j := range start {
		start[j] = 1e-3 * float64(j%7)
	}
	for _, together := range []bool{false, true} {
		var want string
		for _, workers := range []int{1, 2} {
			p.Together = together
			s := &seen{t: t}
			run := Run{Solve: s.solve, Settings: solvers.Settings{GapTolerance: 1e-6, Workers: workers}}
			if !together {
				run.Settings.Initial = start
			}
			fits := mustFits(OneVsRest(context.Background(), p, run))
			for k, r := range fits {
				one, err := p.of(k)
				if err != nil {
					t.Fatal(err)
				}
				checkFit(t, fmt.Sprintf("class %d, together %t", k, together), one, r)
				if r.Status != solvers.Converged {
					t.Errorf("class %d, together %t: %v", k, together, r.Status)
				}
			}
			if got := hashes(fits); want == "" {
				want = got
			} else if got != want {
				t.Errorf("together %t: %d workers have other bits", together, workers)
			}
			if len(s.matrices) > 1 {
				t.Errorf("together %t: fits on %d matrices", together, len(s.matrices))
			}
		}
	}

	one, err := p.of(1)
	if err != nil {
		t.Fatal(err)
	}
	s := &seen{t: t, beginning: true}
	lambdas := []float64{0.1, 0.01, 0.002}
	validation := &keepWeights{}
	fits := mustFits(Path(context.Background(), one, lambdas, Run{Solve: s.solve, Settings: solvers.Settings{GapTolerance: 1e-5, Validation: validation}}))
	for k, r := range fits {
		point := *one
		point.Penalty = penalty.Ridge{Lambda: lambdas[k]}
		checkFit(t, fmt.Sprintf("point %d", k), &point, r)
	}
	if len(s.matrices) != 1 || !slices.Equal(validation.seen, fits[2].Weights) {
		t.Errorf("fits on %d matrices; or the metric saw other weights than the result's", len(s.matrices))
	}

	if testing.Short() {
		return
	}
	logLoss, err := metrics.Find("logloss")
	if err != nil {
		t.Fatal(err)
	}
	if one, err = rows(t, "wide:n=1300,d=262144", 2).of(1); err != nil {
		t.Fatal(err)
	}
	folds := Validation{Folds: 2, Seed: 1, Metric: logLoss}
	s = &seen{t: t}
	settings := solvers.Settings{GapTolerance: 1e-9}
	found, err := CrossValidate(context.Background(), one, lambdas, folds, Run{Solve: s.solve, Settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.matrices) != 2 {
		t.Errorf("2 folds are fitted on %d matrices", len(s.matrices))
	}
	dealt, err := Folds(one.X.Rows(), classesOf(one), 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	for f := range uint32(2) {
		test, train := risk.Split(dealt, f)
		inner, outer, err := part(one, train, test, nil)
		if err != nil {
			t.Fatal(err)
		}
		scores := make([]float64, len(test))
		for k, lambda := range lambdas {
			inner.Penalty = penalty.Ridge{Lambda: lambda}
			r, err := auto.Solve(context.Background(), inner, settings)
			if err != nil {
				t.Fatal(err)
			}
			if err := outer.X.MulVec(nil, scores, r.Weights); err != nil {
				t.Fatal(err)
			}
			want, err := logLoss.Compute(scores, outer.Y, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := found.Values[k][f]; !(math.Abs(got-want) <= 1e-3*want) {
				t.Errorf("lambda %v, fold %d: log loss %v, alone %v", lambda, f, got, want)
			}
		}
	}
}

// keepWeights is a metric that keeps what it measured last.
type keepWeights struct{ seen []float64 }

func (*keepWeights) Name() string         { return "kept" }
func (*keepWeights) HigherIsBetter() bool { return true }
func (m *keepWeights) Measure(w []float64) (float64, error) {
	m.seen = append(m.seen[:0], w...)
	return 1, nil
}

// TestNumberedColumnsOfPenalty: columns keep their numbers for a penalty that knows columns by them.
func TestNumberedColumnsOfPenalty(t *testing.T) {
	classes := rows(t, "wide:n=1300,d=262144", 2)
	if !matrix.RenumberingPays(classes.X) {
		t.Fatal("the matrix is too small for the test")
	}
	one, err := classes.of(1)
	if err != nil {
		t.Fatal(err)
	}
	metric, _ := metrics.Find("accuracy")
	group := make([]int, classes.X.Cols())
	for j := range group {
		group[j] = j
	}
	for _, p := range []penalty.Penalty{penalty.L1{Lambda: 1}, &penalty.GroupLasso{Weight: 1, Groups: [][]int{group}}} {
		var numbered, as atomic.Int32
		run := Run{Penalty: func(float64) penalty.Penalty { return p }, Settings: solvers.Settings{GapTolerance: 1}}
		run.Solve = func(_ context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
			if as.Add(1); matrix.Renumbered(p.X) {
				numbered.Add(1)
			}
			return &solvers.Result{Weights: make([]float64, p.X.Cols()), Status: solvers.Converged}, nil
		}
		classes.Penalty = p
		mustFits(OneVsRest(context.Background(), classes, run))
		mustFits(Path(context.Background(), one, []float64{1}, run))
		found, err := CrossValidate(context.Background(), one, []float64{1}, Validation{Folds: 2, Metric: metric}, run)
		if err != nil || found.Fits != 2 {
			t.Fatal(found, err)
		}
		want := int32(0)
		if _, _, err := penalty.Norms(p); err == nil {
			want = as.Load()
		}
		if as.Load() != 5 || numbered.Load() != want {
			t.Errorf("%v: %d of %d fits have columns numbered by frequency, not %d", p, numbered.Load(), as.Load(), want)
		}
	}
}
