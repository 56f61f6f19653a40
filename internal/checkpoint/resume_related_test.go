package checkpoint_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
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
		ready := only(t, s)
		list[s.Name] = func(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
			s.BatchSize = 8
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
	classes := &related.Classes{Problem: erm.Problem{X: p.X, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 0.02}}, Class: make([]uint32, 36), Count: 3}
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
			var last *solvers.Result // of all rows
			begun := time.Now()
			v, err := related.CrossValidate(ctx, p, lambdas, related.Validation{Folds: 3, Seed: 2, Metric: metric, Then: func(ctx context.Context, _ *related.Validated) (err error) {
				own := run.Settings
				if own.Checkpoint, own.Resume = "", ""; own.MaxTime > 0 {
					own.MaxTime = max(own.MaxTime-time.Since(begun), 1)
				}
				last, err = run.Solve(ctx, p, own)
				return err
			}}, run)
			if err != nil || last == nil || last.Status == solvers.Cancelled || last.Status == solvers.TimeReached {
				return nil, false, err
			}
			return []string{fmt.Sprintf("%+v", *v), describeResult(last)}, true, nil
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
	wide := taskOf(p)
	ridge := func(point float64) penalty.Penalty { return penalty.ElasticNet{L1: point / 20, L2: 1e-3} }
	return map[string]several{
		"sparse path, once": func(ctx context.Context, run related.Run) ([]string, bool, error) {
			run.Solve, run.Begin, run.Penalty = nil, related.SparsePath{}.Begin, ridge
			return fits(related.Path(ctx, p, lambdas, run))
		},
		"sparse classes on a path, once": func(ctx context.Context, run related.Run) ([]string, bool, error) {
			run.Solve, run.Begin, run.Classes, run.Penalty = nil, classes.RestSparse(related.SparsePath{}), 3, ridge
			return fits(related.Path(ctx, &numbered, lambdas, run))
		},
		"classes together on a path, once": func(ctx context.Context, run related.Run) ([]string, bool, error) {
			run.Solve, run.Classes = together.Rest(run.Solve), 3
			return fits(related.Path(ctx, &numbered, lambdas, run))
		},
		"search, once": func(ctx context.Context, run related.Run) ([]string, bool, error) {
			s := run.Settings
			s.MaxIterations = 0
			search := &erm.Problem{Loss: loss.Logistic{}, X: wide.X, Y: wide.Y}
			c, err := related.Choose(ctx, search, related.Wanted{For: "ap", Folds: 3, Watch: func(related.Progress) {
				if run.Watch != nil {
					run.Watch(0)
				}
			}}, s)
			if err != nil || c.Status != solvers.Converged || c.Result == nil || c.Result.Status == solvers.Cancelled || c.Result.Status == solvers.TimeReached {
				if errors.Is(err, related.ErrNoTime) {
					err = nil
				}
				return nil, false, err
			}
			var text []string
			for _, tried := range c.Tried {
				tried.Seconds = 0
				text = append(text, fmt.Sprintf("%+v", tried))
			}
			return append(text, describeResult(c.Result)), true, nil
		},
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

// counting is a context that counts its looks.
type counting struct {
	context.Context
	looks *int
}

func (c counting) Err() error {
	*c.looks++
	return nil
}

// TestEveryCutOfSeveralFits is TestEveryCut for fits that belong together: what was
// finished is not done again, what was running goes on, and all ends with the same bits. Each
// solver is cut at other places and in other ways, so that together they are cut at all.
func TestEveryCutOfSeveralFits(t *testing.T) {
	repeat.Skip(t)
	list := fitters(t)
	for i, name := range slices.Sorted(maps.Keys(list)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := kinds(t)
			for j, kind := range slices.Sorted(maps.Keys(all)) {
				once := strings.HasSuffix(kind, ", once")
				if once && name != "auto" {
					continue
				}
				cuts := 7
				switch {
				case once:
					cuts = 20
				case testing.Short():
					cuts = 2
				}
				t.Run(kind, func(t *testing.T) {
					all[kind].everyCut(t, related.Run{Solve: list[name], Name: name}, kind, i+j, cuts)
				})
			}
		})
	}
}

// everyCut cuts a run at about cuts of the times it checks whether to end; turn chooses the times
// and the ways of the cuts.
func (of several) everyCut(t *testing.T, run related.Run, kind string, turn, cuts int) {
	run.Settings = solvers.Settings{MaxEpochs: 4, MaxIterations: 40, Seed: 3, Workers: 1}
	begun := func(run *related.Run) *[]int {
		var list []int
		run.Watch = func(fit int) solvers.Recorder {
			list = append(list, fit)
			return nil
		}
		return &list
	}
	all, looks := begun(&run), 0
	want, whole, err := of(counting{context.Background(), &looks}, run)
	if err != nil || !whole {
		t.Fatalf("%v, whole %t", err, whole)
	}
	// Solvers that look for a step size first, points of a series and the fits that a search
	// ranks from are begun anew.
	resumed := !strings.HasPrefix(kind, "s") && !strings.Contains(run.Name, "sarah") && run.Name != "svrg" && run.Name != "sgd"
	stride := max(looks/cuts, 1)
	for cut := turn % stride; cut < looks; cut += stride {
		turn++
		way, before := turn%ways, begun(&run)
		file := interrupted(t, way, cut, 1, run.Settings, func(ctx context.Context, s solvers.Settings) {
			own := run
			own.Settings = s
			_, whole, err = of(ctx, own)
		})
		if err != nil {
			t.Fatalf("cut %d: %v", cut, err)
		}
		if whole || file == "" {
			continue
		}
		second := run
		second.Settings.Resume, second.Settings.Workers = file, 1+turn/ways%2
		after, left := begun(&second), 0
		got, whole, err := of(counting{context.Background(), &left}, second)
		if err != nil || !whole || !slices.Equal(got, want) {
			t.Fatalf("cut %d in way %d: %v\n%q, not\n%q", cut, way, err, got, want)
		}
		if kind == "search, once" {
			continue
		}
		// The fit that was cut is the only one that is begun twice.
		if len(*before)+len(*after) > len(*all)+1 {
			t.Errorf("cut %d: fits %v and then %v, where %v will do", cut, *before, *after, *all)
		}
		if again := cut + left - looks; resumed && second.Settings.Workers == 1 && again > 6 {
			t.Errorf("cut %d of %d in way %d: %d looks again", cut, looks, way, again)
		}
	}
}
