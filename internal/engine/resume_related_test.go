package engine_test

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/solvers/related"
)

// fitters are the solvers that several related fits can use.
func fitters(t testing.TB) map[string]related.Solve {
	list := map[string]related.Solve{"auto": auto.Solve}
	for _, s := range registry.All() {
		if s.Objective != solvers.MeanLoss {
			continue
		}
		ready, err := s.New(shortened(s.Description))
		if err != nil {
			t.Fatal(err)
		}
		list[s.Name] = func(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
			return ready.Solve(ctx, taskOf(p), s)
		}
	}
	return list
}

// several runs related fits of one kind and describes all that they give; whole tells
// whether none was broken off.
type several func(ctx context.Context, run related.Run) (text []string, whole bool, err error)

func kinds(t testing.TB) map[string]several {
	p := randomProblem(36, 6, 0, 0.02, 9)
	classes := &related.Classes{X: p.X, Class: make([]uint32, 36), Count: 3, Loss: kernels.Logistic, Lambda: 0.02}
	for i := range classes.Class {
		classes.Class[i] = uint32(i % 3)
	}
	together := *classes
	together.Together, together.Finish = true, func(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
		return erm.Solve(ctx, p, erm.Newton{}, s)
	}
	weighted := *classes
	weighted.Weight = erm.BalancedWeights
	lambdas := []float64{1, 0.1, 0.01}
	metric, err := metrics.Find("auc")
	if err != nil {
		t.Fatal(err)
	}
	fits := func(list []*solvers.Result, err error) ([]string, bool, error) {
		var text []string
		whole := true
		for _, r := range list {
			if r == nil || r.Status == solvers.Cancelled {
				whole = false
				continue
			}
			text = append(text, describeResult(r))
		}
		return text, whole, err
	}
	ofClasses := func(c *related.Classes) several {
		return func(ctx context.Context, run related.Run) ([]string, bool, error) {
			return fits(related.OneVsRest(ctx, c, run))
		}
	}
	ofFolds := func(lambdas []float64, gradient float64) several {
		return func(ctx context.Context, run related.Run) ([]string, bool, error) {
			run.Settings.GradientTolerance = gradient
			v, err := related.CrossValidate(ctx, p, lambdas, related.Validation{Folds: 3, Seed: 2, Metric: metric}, run)
			if err != nil {
				return nil, false, err
			}
			return []string{fmt.Sprintf("%+v", *v)}, v.Status != solvers.Cancelled, nil
		}
	}
	numbered := *p // by class
	numbered.Y = make([]float64, 36)
	for i := range numbered.Y {
		numbered.Y[i] = float64(i % 3)
	}
	right := metrics.Metric{Name: "right", Direction: metrics.HigherIsBetter, Compute: func(scores, class, _ []float64) (float64, error) {
		return float64(checksum(scores)>>11)*0x1p-53 + class[0], nil
	}}
	return map[string]several{
		"classes on a path": func(ctx context.Context, run related.Run) ([]string, bool, error) {
			run.Settings.Validation = bitMetric{}
			run.Solve, run.Classes = classes.Rest(run.Solve), 3
			return fits(related.Path(ctx, &numbered, lambdas, run))
		},
		"classes in folds": func(ctx context.Context, run related.Run) ([]string, bool, error) {
			run.Solve, run.Classes = weighted.Rest(run.Solve), 3
			v, err := related.CrossValidate(ctx, &numbered, lambdas[1:], related.Validation{Folds: 3, Seed: 2, Metric: right}, run)
			if err != nil {
				return nil, false, err
			}
			return []string{fmt.Sprintf("%+v", *v)}, v.Status != solvers.Cancelled, nil
		},
		"path": func(ctx context.Context, run related.Run) ([]string, bool, error) {
			run.Settings.Validation = bitMetric{}
			return fits(related.Path(ctx, p, lambdas, run))
		},
		"folds": ofFolds(lambdas, 0),
		// The first fit alone runs out of its budget; the next ones begin near the target.
		"folds of like lambdas": ofFolds([]float64{0.02, 0.0199, 0.0198}, 1e-2),
		"classes":               ofClasses(classes), "classes together": ofClasses(&together), "weighted classes": ofClasses(&weighted),
	}
}

// TestEveryCutOfSeveralFits is TestEveryCut for fits that belong together: what was
// finished is not done again, and the rest goes on to the same bits. Each solver is cut at
// other places, so that together they are cut at all.
func TestEveryCutOfSeveralFits(t *testing.T) {
	const apart = 7
	stride := apart
	if testing.Short() {
		stride = 23
	}
	list := fitters(t)
	for i, name := range slices.Sorted(maps.Keys(list)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for kind, of := range kinds(t) {
				t.Run(kind, func(t *testing.T) { of.everyCut(t, related.Run{Solve: list[name], Name: name}, i%apart, stride) })
			}
		})
	}
}

// everyCut cuts a run after first, first+stride, ... looks at its context.
func (of several) everyCut(t *testing.T, run related.Run, first, stride int) {
	run.Settings = solvers.Settings{MaxPasses: 4, MaxIterations: 40, BatchSize: 8, Seed: 3, Workers: 1, CheckpointEvery: 1}
	begun := func(run *related.Run) *[]int {
		var list []int
		run.Watch = func(fit int) solvers.Recorder {
			list = append(list, fit)
			return nil
		}
		return &list
	}
	all := begun(&run)
	want, whole, err := of(context.Background(), run)
	if err != nil || !whole {
		t.Fatalf("%v, whole %t", err, whole)
	}
	run.Settings.Checkpoint, run.Settings.Overwrite = filepath.Join(scratch(t), "run"), true
	cuts := 0
	for cut := first; ; cut += stride {
		left := cut
		before := begun(&run)
		_, whole, err := of(cutContext{context.Background(), &left}, run)
		if err != nil {
			t.Fatalf("cut %d: %v", cut, err)
		}
		if whole {
			break
		}
		cuts++
		second := run
		second.Settings.Checkpoint, second.Settings.Resume = "", run.Settings.Checkpoint
		after := begun(&second)
		got, whole, err := of(context.Background(), second)
		if err != nil || !whole || !slices.Equal(got, want) {
			t.Fatalf("cut %d: %v\n%q, not\n%q", cut, err, got, want)
		}
		// The fit that was cut is the only one that is begun twice.
		if len(*before)+len(*after) > len(*all)+1 {
			t.Errorf("cut %d: fits %v and then %v, where %v will do", cut, *before, *after, *all)
		}
	}
	if cuts == 0 {
		t.Error("the run was never cut")
	}
}
