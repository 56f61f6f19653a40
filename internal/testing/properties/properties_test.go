// Package properties holds the solvers against an independent optimum, on random
// problems of all scales.
package properties

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	_ "github.com/lanes-go/lanes/internal/testing/gctest"
	"github.com/lanes-go/lanes/internal/testing/reference"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/solvers/related"
)

var (
	cases = flag.Int("properties.cases", 0, "random problems of each test (0: a few dozen)")
	first = flag.Uint64("properties.seed", 1, "seed of the first problem")
	only  = flag.String("properties.solver", "", "the solver to try (empty: all)")
)

// drawn returns how many problems a test draws: -properties.cases, where that is set.
func drawn(usual, short int) int {
	if *cases > 0 {
		return *cases
	}
	return repeat.Size(usual, short)
}

type solve = func(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error)

// all are the solvers that can say converged, by name.
func all(t *testing.T) map[string]solve {
	list := map[string]solve{"auto": auto.Solve}
	for _, s := range registry.All() {
		if s.Objective != solvers.MeanLoss {
			continue
		}
		ready, err := s.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		list[s.Name] = func(ctx context.Context, p *erm.Problem, settings solvers.Settings) (*solvers.Result, error) {
			if p.Loss != (loss.Logistic{}) && !s.Accepts.Has(solvers.Losses) || p.SampleWeight != nil && !s.Accepts.Has(solvers.Weights) || !s.Accepts.Has(solvers.Gap) {
				return nil, nil
			}
			task := &solvers.Task{Problem: *p}
			settings.BatchSize = 4
			solvetest.Only(s.Accepts, task, &settings)
			return ready.Solve(ctx, task, settings)
		}
		if s.Accepts.Has(solvers.Shards) {
			whole := list[s.Name]
			list[s.Name+" by shards"] = func(ctx context.Context, p *erm.Problem, settings solvers.Settings) (*solvers.Result, error) {
				settings.Shards = 8
				return whole(ctx, p, settings)
			}
		}
	}
	list["path"] = lastOfPath
	list["one-vs-rest"] = ofTwoClasses
	list["proximal-newton"] = withoutL1
	list["softmax-newton"] = together
	list["softmax-proximal-newton"] = togetherBesideNorms
	return list
}

// lastOfPath solves p at the end of a path whose lambda falls a thousandfold.
func lastOfPath(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
	lambdas := []float64{1000 * p.Ridge(), 30 * p.Ridge(), p.Ridge()}
	fits, err := related.Path(ctx, p, lambdas, related.Run{Solve: auto.Solve, Settings: s})
	if err != nil || fits[2] == nil {
		return nil, err
	}
	return fits[2], nil
}

// ofTwoClasses solves p as the second of two classes.
func ofTwoClasses(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
	c := &related.Classes{Problem: erm.Problem{X: p.X, Loss: p.Loss, Penalty: p.Penalty}, Count: 2, Together: true, Finish: auto.Solve}
	for _, y := range p.Y {
		c.Class = append(c.Class, uint32((y+1)/2))
	}
	fits, err := related.OneVsRest(ctx, c, related.Run{Solve: auto.Solve, Settings: s})
	if err != nil || fits[1] == nil {
		return nil, err
	}
	return fits[1], nil
}

// tally counts how runs of a solver ended. They were refused with an error or as a problem that
// the solver does not accept; converged; honestly not converged; or wrong. Uncertified runs are
// honest runs within the tolerance, which float64 cannot show.
type tally struct{ tried, refused, converged, uncertified, honest, wrong int }

// passes are the budgets of solvers whose iterations are cheap to certify or dear.
func passes(name string) float64 {
	switch name {
	case "auto", "newton", "newton by shards", "sdca-newton", "path", "one-vs-rest", "proximal-newton", "softmax-newton", "softmax-proximal-newton":
		return 2000
	case "prox-sdca":
		return 200
	}
	return 30
}

// once are problems that auto did not solve, or could not tell that it had: weights that
// differ by 1e24, slopes that the line search gave up on, and large rows at the kink of
// their loss. The last two are of Newton's method by shards.
var once = []uint64{122, 267, 313, 369, 394, 498, 506, 509, 590, 699, 733, 735, 743, 827, 835, 858, 926, 5610, 6041}

// TestProperties: whatever says converged is as near to the minimum as its gap claims;
// so is whatever claims a gap. No gap is negative, no objective another than P(w), and
// none above P(0). auto and Newton's method, by shards too, converge on all problems.
func TestProperties(t *testing.T) {
	repeat.Skip(t)
	seeds := slices.Clone(once)
	for k := range drawn(60, 24) {
		seeds = append(seeds, *first+uint64(k))
	}
	if *cases > 0 {
		seeds = seeds[len(once):]
	}
	list := all(t)
	if *only != "" {
		maps.DeleteFunc(list, func(name string, _ solve) bool { return name != *only })
	}
	names := slices.Sorted(maps.Keys(list))
	sums := make(map[string]*tally)
	for _, name := range names {
		sums[name] = new(tally)
	}
	var mu sync.Mutex
	var next, unsolved atomic.Int64
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			for k := next.Add(1) - 1; k < int64(len(seeds)); k = next.Add(1) - 1 {
				in := draw(t, seeds[k])
				best, err := in.exact.Minimise(1e-25)
				if err != nil {
					t.Logf("%s: %v", in.what, err)
					unsolved.Add(1)
					continue
				}
				for _, name := range names {
					if name == "one-vs-rest" && !twoClasses(in.given) {
						continue
					}
					outcome, complaint := judge(in, best, name, list[name])
					mu.Lock()
					sums[name].add(outcome)
					mu.Unlock()
					if complaint != "" {
						t.Errorf("%s: %s: %s", in.what, name, complaint)
					}
				}
			}
		})
	}
	group.Wait()
	if share := float64(unsolved.Load()) / float64(len(seeds)); share > 0.02 {
		t.Errorf("the reference solved all but %v of the problems", share)
	}
	t.Logf("%-22s %8s %8s %9s %11s %8s %6s", "solver", "tried", "refused", "converged", "uncertified", "did not", "wrong")
	for _, name := range names {
		s := sums[name]
		t.Logf("%-22s %8d %8d %9d %11d %8d %6d", name, s.tried, s.refused, s.converged, s.uncertified, s.honest, s.wrong)
	}
}

func (s *tally) add(o tally) {
	s.tried += o.tried
	s.refused += o.refused
	s.converged += o.converged
	s.uncertified += o.uncertified
	s.honest += o.honest
	s.wrong += o.wrong
}

// twoClasses tells whether p is a problem of both classes without weights.
func twoClasses(p *erm.Problem) bool {
	return (p.Loss == (loss.Logistic{}) || p.Loss == (loss.SquaredHinge{})) && p.SampleWeight == nil &&
		slices.Contains(p.Y, 1) && slices.Contains(p.Y, -1)
}

// judge runs a solver, and says what is wrong with its result.
func judge(in *instance, best *reference.Optimum, name string, run solve) (tally, string) {
	zero, _ := in.exact.Objective(make([]float64, in.given.X.Cols())).Float64()
	if zero == 0 {
		return tally{tried: 1, refused: 1}, "" // there is no target of 0
	}
	s := solvers.Settings{GapTolerance: 1e-6 * zero, MaxEpochs: passes(name), Seed: in.seed, Workers: 1}
	r, err := run(context.Background(), in.given, s)
	if err != nil || r == nil {
		if name == "auto" {
			return tally{tried: 1, wrong: 1}, fmt.Sprintf("refused: %v", err)
		}
		return tally{tried: 1, refused: 1}, ""
	}
	o := tally{tried: 1}
	value := in.exact.Objective(r.Weights)
	low, high := best.Above(value)
	exact, _ := value.Float64()
	complaint := ""
	allowed := r.ObjectiveError + 0x1p-53*exact // of the exact number's rounding
	if strings.HasPrefix(name, "softmax") {     // whose weights are differences
		allowed = 1e-9*exact + rounding(in, r.Weights)
	}
	switch {
	case r.Gap < 0:
		complaint = "the gap is negative"
	case low > r.Gap*(1+1e-9):
		complaint = "the gap is no bound"
	case r.Status == solvers.Converged && !(r.Gap <= s.GapTolerance):
		complaint = "converged with a gap above the target"
	case math.Abs(r.Objective-exact) > allowed:
		complaint = "the objective is another one"
	case exact > zero*(1+1e-12)+rounding(in, r.Weights):
		complaint = "the objective is above that of 0"
	case (name == "auto" || name == "newton" || name == "newton by shards") && r.Status != solvers.Converged:
		complaint = "did not converge"
	}
	if complaint != "" {
		o.wrong = 1
		return o, fmt.Sprintf("%s: %v after %.4g passes by %s, objective %v (exactly %v, at 0 %v), gap %.3g (exactly %.3g to %.3g, target %.3g), gradient %.3g", complaint,
			r.Status, r.Total.Epochs, r.Solver, r.Objective, exact, zero, r.Gap, low, high, s.GapTolerance, r.GradientNorm)
	}
	switch {
	case r.Status == solvers.Converged:
		o.converged = 1
	case high <= s.GapTolerance:
		o.uncertified = 1
	default:
		o.honest = 1
	}
	return o, ""
}

// rounding is what the rounding of margins can do to the objective.
func rounding(in *instance, w []float64) float64 {
	sum := 0.0
	for i, row := range in.exact.Rows {
		size, z := 0.0, 0.0
		for j, v := range row {
			size += math.Abs(v * w[j])
			z += v * w[j]
		}
		_, slope := loss.At(in.given.Loss, z, in.given.Y[i])
		weight := 1.0
		if in.given.SampleWeight != nil {
			weight = in.given.SampleWeight[i]
		}
		err := 1e-14 * size
		sum += weight * err * (math.Abs(slope) + err)
	}
	return sum / float64(len(in.exact.Rows))
}
