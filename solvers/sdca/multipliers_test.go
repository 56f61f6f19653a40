package sdca

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// kinkedLosses have no second derivatives.
var kinkedLosses = []loss.Loss{loss.Hinge{}, loss.Insensitive{Epsilon: 0.3}, loss.Quantile{Level: 0.8}}

// smallKinked has two columns, weights of 0 to 3 if weighted, offsets if mode is 1 or 3, and an intercept
// from mode 2 on.
func smallKinked(t testing.TB, phi loss.Loss, seed uint64, mode int, weighted bool) *erm.Problem {
	t.Helper()
	const n = 14
	r := rand.New(rand.NewPCG(seed, 7))
	b := sparse.NewBuilder(sparse.BuilderOptions{Columns: 2})
	p := &erm.Problem{Loss: phi, Penalty: penalty.Ridge{Lambda: []float64{0.3, 1e-2}[seed%2]}, Intercept: mode >= 2}
	for i := range n {
		v := []float64{r.NormFloat64(), r.NormFloat64()}
		if i == 3 {
			v = []float64{0, 0}
		}
		if err := b.AddRow([]int{0, 1}, v); err != nil {
			t.Fatal(err)
		}
		y := v[0] - 2*v[1] + r.NormFloat64() + 0.7
		if phi.Labels() {
			if y = math.Copysign(1, y); i < 2 {
				y = float64(2*i - 1)
			}
		}
		p.Y = append(p.Y, y)
		if weighted {
			p.SampleWeight = append(p.SampleWeight, float64(i%4)) // 0 to 3
		}
		if mode%2 == 1 {
			p.Offset = append(p.Offset, 0.5*r.NormFloat64())
		}
	}
	x, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if p.X = x; p.Intercept {
		p.X = x.WithBias(1)
	}
	return p
}

// byDefinition is the objective of a loss with kinks, written down once more.
func byDefinition(p *erm.Problem, w []float64) float64 {
	sum := 0.0
	for i, y := range p.Y {
		z, s := 0.0, 1.0
		for j, x := range p.X.Row(i) {
			z += x * w[j]
		}
		if p.Offset != nil {
			z += p.Offset[i]
		}
		if p.SampleWeight != nil {
			s = p.SampleWeight[i]
		}
		switch l := p.Loss.(type) {
		case loss.Hinge:
			sum += s * max(0, 1-y*z)
		case loss.Insensitive:
			sum += s * max(0, math.Abs(z-y)-l.Epsilon)
		case loss.Quantile:
			sum += s * max(l.Level*(y-z), (1-l.Level)*(z-y))
		}
	}
	square := 0.0
	for _, v := range risk.Held(p, w) {
		square += v * v
	}
	return sum/float64(len(p.Y)) + p.Ridge()/2*square
}

// searched returns the least objective by nested searches over one weight after the other.
func searched(p *erm.Problem) float64 {
	w := make([]float64, p.X.Cols())
	var over func(j int) float64
	over = func(j int) float64 {
		if j == len(w) {
			return byDefinition(p, w)
		}
		at := func(v float64) float64 {
			w[j] = v
			return over(j + 1)
		}
		const golden = 0.6180339887498949
		low, high := -12.0, 12.0
		a, b := high-golden*(high-low), low+golden*(high-low)
		of, other := at(a), at(b)
		for range 56 {
			if of < other {
				high, b, other = b, a, of
				a = high - golden*(high-low)
				of = at(a)
			} else {
				low, a, of = a, b, other
				b = low + golden*(high-low)
				other = at(b)
			}
		}
		return min(of, other)
	}
	return over(0)
}

// TestKinkedOptimum: runs end at the minimum that nested searches find, with gaps that are bounds all the
// way: with weights, offsets and an intercept, from 0 and from a given point.
func TestKinkedOptimum(t *testing.T) {
	t.Parallel()
	for k, phi := range kinkedLosses {
		for mode := range 4 {
			if testing.Short() && (k+mode)%3 > 0 {
				continue
			}
			p := smallKinked(t, phi, uint64(3*k+mode), mode, mode%3 > 0)
			least := searched(p)
			for _, m := range []Method{Prox{}, Prox{NoShrinking: true}, Prox{WithReplacement: true}, Hybrid{}} {
				_, sure := m.(Hybrid) // dual steps alone may need many passes for few columns
				given := make([]float64, p.X.Cols())
				given[0], given[1] = 0.3, -1
				for _, s := range []solvers.Settings{{GapTolerance: 1e-3}, {GapTolerance: 1e-11}, {GapTolerance: 1e-9, Initial: given}, {GapTolerance: 1e-6, RecordEvery: 1}} {
					s.MaxEpochs, s.Seed = 4000, 3
					name := fmt.Sprintf("%v, mode %d, %s, %+v", phi, mode, m.Name(), s)
					var trace solvers.Trace
					s.Recorder = &trace
					r, err := Solve(context.Background(), p, m, s)
					if err != nil {
						t.Fatal(name, err)
					}
					for _, point := range trace {
						if far := point.Objective - least; !(far-point.ObjectiveError <= point.Gap+1e-9) {
							t.Errorf("%s: %g above the minimum, gap %g", name, far, point.Gap)
						}
					}
					value := byDefinition(p, r.Weights)
					if sure && r.Status != solvers.Converged || !(value-least <= r.Gap+1e-9) || !(value-least >= -1e-9) {
						t.Errorf("%s: %v with a gap of %g, %g above the minimum", name, r.Status, r.Gap, value-least)
					}
					if !(math.Abs(value-r.Objective) <= r.ObjectiveError+1e-13*(1+value)) {
						t.Errorf("%s: objective %v +- %g, by the definition %v", name, r.Objective, r.ObjectiveError, value)
					}
				}
			}
		}
	}
}

// TestKinkedShapes: Newton's method alone serves where columns do not outnumber rows, and dual steps
// alone elsewhere. Both find one minimum where both run.
func TestKinkedShapes(t *testing.T) {
	t.Parallel()
	for _, phi := range kinkedLosses {
		for _, d := range []int{30, 400} {
			p := randomProblem(t, phi, 200, d, 6, 1e-2, true)
			begun, _ := loopOf(t, p, Hybrid{}, solvers.Settings{Seed: 1})
			if l := begun.(*hybridLoop); (l.stages != nil) != (d == 30) {
				t.Errorf("%v with %d columns: Newton's method %t", phi, d, l.stages != nil)
			}
			s := solvers.Settings{MaxEpochs: 20000, GapTolerance: 1e-7, Seed: 3}
			a, b := solve(t, p, Hybrid{}, s), solve(t, p, Prox{}, s)
			if a.Status != solvers.Converged || b.Status != solvers.Converged || math.Abs(a.Objective-b.Objective) > 1.1e-7 {
				t.Errorf("%v with %d columns: %v at %v and %v at %v", phi, d, a.Status, a.Objective, b.Status, b.Objective)
			}
		}
	}
}

// TestMultipliersAnywhere: wherever a run is cut, on every CPU path and with any number of workers, its
// bits are the same.
func TestMultipliersAnywhere(t *testing.T) {
	for _, phi := range kinkedLosses {
		p := randomProblem(t, phi, 300, 20, 6, 1e-4, true)
		p.Intercept = true
		p.X = p.X.WithBias(1)
		dir := t.TempDir()
		var want *solvers.Result
		for path := range pathtest.Paths(t) {
			for _, workers := range []int{1, 3} {
				for cut := int64(0); cut < 20; cut += repeat.Size[int64](1, 5) {
					s := solvers.Settings{MaxEpochs: 400, Workers: workers, Seed: 5, GapTolerance: 1e-10}
					if cut > 0 {
						s.MaxIterations, s.Checkpoint, s.Overwrite = 2*cut, filepath.Join(dir, "run"), true
						solve(t, p, Hybrid{}, s)
						s.MaxIterations, s.Resume = 0, s.Checkpoint
					}
					got := solve(t, p, Hybrid{}, s)
					if want == nil {
						if want = got; got.Status != solvers.Converged || got.Total.Iterations < 10 {
							t.Fatalf("%v: %v after %d iterations", phi, got.Status, got.Total.Iterations)
						}
					}
					wantSame(t, fmt.Sprintf("%v on %s with %d workers, cut at %d", phi, path, workers, 2*cut), append(got.Weights, got.Gap), append(want.Weights, want.Gap))
				}
			}
		}
	}
}

// TestMultipliersKeep: the width and the dual variables are in a checkpoint.
func TestMultipliersKeep(t *testing.T) {
	p := randomProblem(t, loss.Hinge{}, 30, 10, 3, 1e-2, false)
	begun, _ := loopOf(t, p, Hybrid{}, solvers.Settings{Seed: 1})
	l := begun.(*hybridLoop)
	state := func() string { return string(checkpoint.Encode(l.State)) }
	for what, change := range map[string]func(){
		"the width": func() { l.stages.width *= 2 }, "the dual variables": func() { l.stages.alpha[3] += 0.5 },
	} {
		before := state()
		if change(); state() == before {
			t.Errorf("%s are not kept", what)
		}
	}
}

// TestPartOfKinks: the bound of a row's part holds at any margin within the rounding, with a kink between.
func TestPartOfKinks(t *testing.T) {
	t.Parallel()
	for _, phi := range kinkedLosses {
		dual := dualLoss(&erm.Problem{Loss: phi})
		for _, y := range []float64{-1, 1} {
			for _, alpha := range []float64{-0.2, 0, 0.15, 0.8, y, -y} {
				for _, kink := range []float64{y - 0.3, y, y + 0.3} {
					for _, rounding := range []float64{1e-9, 1e-3} {
						z := kink + 0.4*rounding
						_, slope := loss.At(phi, z, y)
						bound := fenchelYoungBound(dual, alpha, z, y, 1, slope, rounding)
						for _, at := range []float64{z - rounding, z + rounding} {
							if value := fenchelYoung(dual, alpha, at, y, 1, slope); !(value <= bound) {
								t.Errorf("%v, alpha %g, y %g, %g +- %g: %v at %v, bound %v", phi, alpha, y, z, rounding, value, at, bound)
							}
						}
					}
				}
			}
		}
	}
}

// TestStagesEnd: a run whose target float64 does not reach ends, and within its budget.
func TestStagesEnd(t *testing.T) {
	for _, phi := range kinkedLosses {
		p := smallKinked(t, phi, 5, 3, true)
		for _, s := range []solvers.Settings{{GapTolerance: 1e-30, MaxEpochs: 1e6}, {MaxEpochs: 50}} {
			r, err := Solve(context.Background(), p, Hybrid{}, s)
			if err != nil || r.Total.Epochs > 5000 || !(r.Gap < 1e-6) || r.Status != solvers.Stalled && s.MaxEpochs > 50 {
				t.Errorf("%v: %v after %v passes with a gap of %v, error %v", phi, r.Status, r.Total.Epochs, r.Gap, err)
			}
		}
	}
}
