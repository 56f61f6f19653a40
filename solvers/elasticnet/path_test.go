package elasticnet

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// along solves count points down to a share of the largest L1 norm's weight.
func along(t *testing.T, s *Path, share float64, count int, settings solvers.Settings) []*solvers.Result {
	t.Helper()
	high, _, err := MaxL1(nil, &s.p)
	if err != nil {
		t.Fatal(err)
	}
	var list []*solvers.Result
	for k := range count {
		l1 := high * math.Pow(share, float64(k)/float64(count-1))
		r, err := s.Solve(context.Background(), penalty.ElasticNet{L1: l1, L2: s.p.Ridge()}, settings)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

func newPath(t *testing.T, p *Problem) *Path {
	t.Helper()
	s, err := NewPath(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.p.Penalty = p.Penalty
	return s
}

// TestPath: every point of a path has the objective of a solution without a start, and a gap
// within the tolerance. The model is of all columns, or of the columns that came in.
func TestPath(t *testing.T) {
	const gap = 1e-9
	check := func(t *testing.T, p *Problem, share float64, whole bool) {
		s := newPath(t, p)
		for k, r := range along(t, s, share, 8, solvers.Settings{GapTolerance: gap, Workers: 1}) {
			high, _, _ := MaxL1(nil, p)
			q := *p
			q.Penalty = penalty.ElasticNet{L1: high * math.Pow(share, float64(k)/7), L2: q.Ridge()}
			if r.Status != solvers.Converged || !(r.Gap <= gap) {
				t.Errorf("point %d: %v with a gap of %v", k, r.Status, r.Gap)
			}
			want := solve(t, &q, solvers.Settings{GapTolerance: gap, Workers: 1})
			if got := value(&q, r.Weights); math.Abs(got-r.Objective) > 1e-12 || math.Abs(got-want.Objective) > gap {
				t.Errorf("point %d: objective %v, by its definition %v, from nowhere %v", k, r.Objective, got, want.Objective)
			}
		}
		if s.model.whole != whole {
			t.Errorf("all columns: %t", s.model.whole)
		}
	}
	variants(t, func(t *testing.T, p *Problem) { check(t, p, 0.02, true) })
	for _, phi := range repeat.Size(losses, losses[:1]) {
		p := randomProblem(t, phi, 30, 2200, 5)
		setIntercept(p, phi != (loss.Squared{}))
		if phi.String() == "huber" {
			p.Penalty = penalty.ElasticNet{L1: penalty.WeightOf(p.Penalty), L2: 0.05}
		}
		check(t, p, 0.1, false)
		if phi == (loss.Logistic{}) && !testing.Short() {
			p.X, p.Intercept = p.X.WithBias(1), false
			check(t, p, 0.1, false)
		}
	}
}

// TestModelIsKept: the squared loss has one model for all points, to which columns come.
func TestModelIsKept(t *testing.T) {
	for _, d := range []int{40, 2200} {
		p := randomProblem(t, loss.Squared{}, 50, d, 3)
		setIntercept(p, true)
		s := newPath(t, p)
		along(t, s, 0.5, 6, solvers.Settings{GapTolerance: 1e-9})
		if s.model.at == nil || kernels.MaxAbs(s.model.at[:d]) != 0 || len(s.model.order) == 0 || d > 1000 && len(s.model.order) > 200 {
			t.Errorf("%d columns: a model of %d, computed at %v", d, len(s.model.order), s.model.at)
		}
	}
}

// TestPathWithoutModel: if more columns count than a model holds, the points still equal single
// solutions.
func TestPathWithoutModel(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 20, 3000, 4)
	p.Penalty = penalty.ElasticNet{L1: penalty.WeightOf(p.Penalty), L2: 0.5}
	s := newPath(t, p)
	list := along(t, s, 1e-5, 4, solvers.Settings{GapTolerance: 1e-9})
	if s.model.at != nil || len(s.model.order) > 0 {
		t.Error("there is a model")
	}
	q := *p
	high, _, _ := MaxL1(nil, p)
	q.Penalty = penalty.ElasticNet{L1: 1e-5 * high, L2: q.Ridge()}
	want := solve(t, &q, solvers.Settings{GapTolerance: 1e-9})
	if last := list[3]; last.Status != solvers.Converged || math.Abs(value(&q, last.Weights)-want.Objective) > 1e-9 {
		t.Errorf("%v with objective %v, not %v", last.Status, last.Objective, want.Objective)
	}
}

// TestPathBits: the bits are the same on every path of the CPU and for any number of workers. They
// are the same if another Path takes over the state between any two points.
func TestPathBits(t *testing.T) {
	for _, d := range []int{30, 2200} {
		for _, phi := range losses {
			if testing.Short() && d > 30 && phi != (loss.Logistic{}) {
				continue
			}
			p := randomProblem(t, phi, 60, d, 6)
			setIntercept(p, phi.String() != "huber")
			want := ""
			bits := func(list []*solvers.Result) string {
				var all []float64
				for _, r := range list {
					all = append(all, r.Weights...)
				}
				return solvers.HashWeights(all)
			}
			workers := 0
			for range pathtest.Paths(t) {
				workers++
				list := along(t, newPath(t, p), 0.05, 6, solvers.Settings{GapTolerance: 1e-8, Workers: workers})
				if hash := bits(list); want != "" && hash != want {
					t.Errorf("%v, %d columns: other bits with %d workers", phi, d, workers)
				} else {
					want = hash
				}
			}
			high, _, _ := MaxL1(nil, p)
			s, list := newPath(t, p), []*solvers.Result(nil)
			var initial []float64
			for k := range 6 {
				next := newPath(t, p)
				if err := next.Restore(s.Save()); err != nil {
					t.Fatal(err)
				}
				s = next
				// What is broken off leaves no mark.
				ctx, cancel := context.WithCancel(context.Background())
				cancel()
				s.Solve(ctx, penalty.ElasticNet{L1: 0.01 * high, L2: 0}, solvers.Settings{GapTolerance: 1e-8, Initial: initial})
				r, err := s.Solve(context.Background(), penalty.L1{Lambda: high * math.Pow(0.05, float64(k)/5)}, solvers.Settings{GapTolerance: 1e-8, Initial: initial})
				if err != nil {
					t.Fatal(err)
				}
				list, initial = append(list, r), r.Weights
			}
			if bits(list) != want {
				t.Errorf("%v, %d columns: other bits where the path goes on from what was saved", phi, d)
			}
		}
	}
}

// TestPathGoesOn: another Path takes over the state before each point, also from where the point
// before it ended. Points that are cut short by a budget, or go on until they stall, are the same.
// They have cost the same too.
func TestPathGoesOn(t *testing.T) {
	repeat.Skip(t)
	const points = 5
	for _, d := range []int{30, 2200} {
		for _, phi := range losses {
			if d > 30 && phi != (loss.Logistic{}) {
				continue
			}
			p := randomProblem(t, phi, 60, d, 6)
			setIntercept(p, phi != (loss.Squared{}))
			high, _, _ := MaxL1(nil, p)
			for _, of := range []struct{ passes, lambda float64 }{{1.5, 0}, {7, 0}, {7, 0.01}, {40, 0}} {
				settings := solvers.Settings{GapTolerance: 1e-14, MaxEpochs: of.passes}
				whole, cut := newPath(t, p), newPath(t, p)
				for k := range points {
					next := newPath(t, p)
					if err := next.Restore(cut.Save()); err != nil {
						t.Fatal(err)
					}
					cut = next
					var list [2]*solvers.Result
					for i, s := range []*Path{whole, cut} {
						r, err := s.Solve(context.Background(), penalty.ElasticNet{L1: high * math.Pow(0.05, float64(k+1)/points), L2: of.lambda}, settings)
						if err != nil {
							t.Fatal(err)
						}
						list[i] = r
					}
					if a, b := list[0], list[1]; !slices.Equal(a.Weights, b.Weights) || a.Status != b.Status || a.Gap != b.Gap || a.Total.Epochs != b.Total.Epochs {
						t.Fatalf("%v, %d columns, %+v, point %d: %v after %v, gap %v; after what was saved %v after %v, gap %v",
							phi, d, of, k, a.Status, a.Total.Epochs, a.Gap, b.Status, b.Total.Epochs, b.Gap)
					}
				}
			}
		}
	}
}

// TestPathEnds: a tolerance below what rounding lets be proved ends as stalled, after as few
// steps as a tolerance that is met.
func TestPathEnds(t *testing.T) {
	for _, phi := range losses {
		for _, d := range repeat.Size([]int{30, 2200}, []int{30}) {
			p := randomProblem(t, phi, 60, d, 6)
			setIntercept(p, true)
			for k, r := range along(t, newPath(t, p), 0.05, 4, solvers.Settings{GapTolerance: 1e-30, MaxEpochs: 1e4}) {
				if r.Status != solvers.Stalled && r.Status != solvers.Converged || r.Gap > 1e-9 || r.Total.Iterations > 200 {
					t.Errorf("%v, %d columns, point %d: %v after %d steps with a gap of %v", phi, d, k, r.Status, r.Total.Iterations, r.Gap)
				}
			}
		}
	}
}

func TestPathRefuses(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 40, 6, 1)
	if _, err := NewPath(nil, nil); err == nil {
		t.Error("no problem is taken")
	}
	if _, err := NewPath(p, ProximalNewton{MaxSweeps: -1}); err == nil {
		t.Error("a wrong method is taken")
	}
	s := newPath(t, p)
	for what, settings := range map[string]solvers.Settings{
		"not saved one by one": {Checkpoint: "file", GapTolerance: 1},
		"initial":              {Initial: make([]float64, 3)},
	} {
		if _, err := s.Solve(context.Background(), penalty.ElasticNet{L1: 0.1, L2: 0}, settings); err == nil || !strings.Contains(strings.ToLower(err.Error()), what) {
			t.Errorf("%s: error %v", what, err)
		}
	}
	if _, err := s.Solve(context.Background(), penalty.ElasticNet{L1: math.NaN(), L2: 0}, solvers.Settings{}); err == nil {
		t.Error("an L1 norm of NaN is taken")
	}
	along(t, s, 0.1, 3, solvers.Settings{GapTolerance: 1e-8})
	saved := s.Save()
	if len(saved) == 0 {
		t.Fatal("nothing is saved")
	}
	refused := 0
	for k := range saved {
		for _, flip := range []byte{1, 0x80} {
			bad := slices.Clone(saved)
			bad[k] ^= flip
			next := newPath(t, p)
			if next.Restore(bad) != nil {
				refused++
				continue
			}
			if r, err := next.Solve(context.Background(), penalty.ElasticNet{L1: 0.05, L2: 0}, solvers.Settings{GapTolerance: 1e-8}); err != nil || r.Status != solvers.Converged {
				t.Errorf("byte %d: %v", k, err)
			}
		}
		if newPath(t, p).Restore(saved[:k]) == nil && k > 0 {
			t.Errorf("a state of %d bytes is taken", k)
		}
	}
	if newPath(t, p).Restore(append(slices.Clone(saved), 0)) == nil {
		t.Error("a state with a byte too many is taken")
	}
	if refused == 0 {
		t.Error("nothing is refused")
	}
}

// TestPathHash holds the bits of paths, which are the same on every architecture.
func TestPathHash(t *testing.T) {
	const want = "266d4641a79b2d89"
	all := ""
	for _, d := range []int{30, 2200} {
		for _, phi := range losses {
			p := randomProblem(t, phi, 60, d, 7)
			setIntercept(p, phi.String() != "huber")
			s := newPath(t, p)
			for _, l1 := range []float64{0.25, 0.125, 0.1, 0.0625, 0.03} {
				r, err := s.Solve(context.Background(), penalty.ElasticNet{L1: l1, L2: 0.001}, solvers.Settings{GapTolerance: 1e-8})
				if err != nil || r.Status != solvers.Converged {
					t.Fatal(err, r.Status)
				}
				all += solvers.HashWeights(r.Weights)
			}
		}
	}
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(all)))[:16]; got != want {
		t.Errorf("the results are %s, not %s", got, want)
	}
}

// TestPathOfSquaredNorms: where the weight of the squared norm changes from point to point,
// each is what a path of its own finds.
func TestPathOfSquaredNorms(t *testing.T) {
	t.Parallel()
	for _, phi := range losses {
		p := randomProblem(t, phi, 80, 12, 6)
		setIntercept(p, phi != (loss.Squared{}))
		high, _, err := MaxL1(nil, p)
		if err != nil {
			t.Fatal(err)
		}
		p.Penalty = penalty.ElasticNet{L1: 0.01 * high, L2: p.Ridge()}
		s := newPath(t, p)
		for _, lambda := range []float64{1, 0.1, 0.1, 1e-3, 0, 0.5} {
			p.Penalty = penalty.ElasticNet{L1: penalty.WeightOf(p.Penalty), L2: lambda}
			target := 1e-8
			r, err := s.Solve(context.Background(), p.Penalty, solvers.Settings{GapTolerance: target, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			want := solve(t, p, solvers.Settings{GapTolerance: target, Workers: 1})
			if got := value(p, r.Weights); r.Status != solvers.Converged || math.Abs(got-want.Objective) > 2*target || math.Abs(got-r.Objective) > 1e-12 {
				t.Errorf("%v, lambda %v: %v with objective %v (%v from its definition), not %v", phi, p.Ridge(), r.Status, r.Objective, got, want.Objective)
			}
		}
	}
}
