// Package solvetest holds what the tests of several families of solvers share.
package solvetest

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/looks"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// Methods has one of every solver of a family, with untuned parameters; names and byName
// are the family's Names and ByName.
func Methods[M any](t testing.TB, names []solvers.Solver, byName func(string, map[string]string) (M, error)) []M {
	t.Helper()
	var all []M
	for _, d := range names {
		m, err := byName(d.Name, nil)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}

// MustSolve solves a problem by solve, a family's Solve, and fails where that does.
func MustSolve[P any, M interface{ Name() string }](
	t testing.TB, solve func(context.Context, P, M, solvers.Settings) (*solvers.Result, error), p P, m M, s solvers.Settings,
) *solvers.Result {
	t.Helper()
	r, err := solve(context.Background(), p, m, s)
	if err != nil {
		t.Fatalf("%s: %v", m.Name(), err)
	}
	return r
}

// SameWhereverCut cuts a run at the n-th check of its context, for n = first, n + step(n) and so
// on, until the run ends by itself. It resumes every cut run and compares the result with an uncut
// run.
func SameWhereverCut(t *testing.T, first int, step func(poll int) int, s solvers.Settings, solve func(context.Context, solvers.Settings) (*solvers.Result, error)) {
	t.Helper()
	run := func(ctx context.Context, s solvers.Settings) *solvers.Result {
		r, err := solve(ctx, s)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	want := run(context.Background(), s)
	for poll := first; ; poll += step(poll) {
		begun, resumed := s, s
		begun.Checkpoint = filepath.Join(t.TempDir(), "run")
		if run(looks.Until(poll), begun).Status != solvers.Cancelled {
			return
		}
		resumed.Resume = begun.Checkpoint
		SameBits(t, fmt.Sprintf("cut at look %d", poll), run(context.Background(), resumed), want)
	}
}

// SameBits holds two runs to the same end, at the same point, after the same work.
func SameBits(t testing.TB, what string, got, want *solvers.Result) {
	t.Helper()
	if got.Status != want.Status || got.Iterations != want.Iterations ||
		got.Total.Iterations != want.Total.Iterations || got.Total.GradientEvaluations != want.Total.GradientEvaluations {
		t.Errorf("%s: %v after %d iterations and %d gradients, not %v after %d and %d", what,
			got.Status, got.Total.Iterations, got.Total.GradientEvaluations, want.Status, want.Total.Iterations, want.Total.GradientEvaluations)
	}
	if !same(got.Objective, want.Objective) || !same(got.GradientNorm, want.GradientNorm) {
		t.Errorf("%s: objective %v, not %v", what, got.Objective, want.Objective)
	}
	if len(got.Weights) != len(want.Weights) {
		t.Fatalf("%s: %d weights, not %d", what, len(got.Weights), len(want.Weights))
	}
	for j := range want.Weights {
		if !same(got.Weights[j], want.Weights[j]) {
			t.Errorf("%s: weight %d is %v, not %v", what, j, got.Weights[j], want.Weights[j])
			return
		}
	}
}

func same(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// Generate returns generated rows, as synthetic.ParseShape reads them.
func Generate(t testing.TB, spec string, seed uint64) *synthetic.Generated {
	t.Helper()
	shape, err := synthetic.ParseShape(spec, seed)
	if err != nil {
		t.Fatal(err)
	}
	g, err := shape.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// ReadData reads a published data set from the folder that LANES_DATA names or the folder beside
// the checkout. Labels are +1 for the positive one and -1 for all others. It skips the test if
// the data set is absent.
func ReadData(t testing.TB, name string, positive float64) (*sparse.Matrix, []float64) {
	t.Helper()
	for _, dir := range []string{os.Getenv("LANES_DATA"), "../../../shared/data"} {
		path := filepath.Join(dir, name+".xz")
		if _, err := os.Stat(path); dir == "" || err != nil {
			continue
		}
		data, err := sparse.ReadFile(context.Background(), path, sparse.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		y, _, err := sparse.BinaryLabels(data.Y, &positive)
		if err != nil {
			t.Fatal(err)
		}
		return data.X, y
	}
	t.Skipf("data set %s not found: set LANES_DATA to its folder", name)
	return nil, nil
}

// Named returns a solver of a family with parameters, as in margin=2. Optional parameters begin
// with a question mark, as in ?margin=2.
func Named[M any](t testing.TB, family []solvers.Solver, byName func(string, map[string]string) (M, error), name string, set ...string) M {
	t.Helper()
	parameters := map[string]string{}
	for _, text := range set {
		key, value, _ := strings.Cut(strings.TrimPrefix(text, "?"), "=")
		has := slices.ContainsFunc(family, func(d solvers.Solver) bool {
			return d.Name == name && slices.ContainsFunc(d.Parameters, func(p solvers.Parameter) bool { return p.Name == key })
		})
		if has || text[0] != '?' {
			parameters[key] = value
		}
	}
	m, err := byName(name, parameters)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Only removes what is asked of several solvers and one of them lacks: the batch size, the range of
// false-positive rates and the range of ranks. t may be nil.
func Only(accepts solvers.Parts, t *solvers.Task, s *solvers.Settings) {
	if !accepts.Has(solvers.Batch) {
		s.BatchSize = 0
	}
	if t != nil && !accepts.Has(solvers.Rates) {
		t.Low, t.High = 0, 0
	}
	if t != nil && !accepts.Has(solvers.RankRange) {
		t.M, t.N = 0, 0
	}
}
