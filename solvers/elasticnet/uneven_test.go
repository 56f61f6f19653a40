package elasticnet

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// uneven are penalties with factors of 8 weights: two of 0, or none.
var uneven = []*penalty.Factored{
	{L1: 0.03, Factors: []float64{1, 0, 2, 0.5, 1, 0, 1, 3}},
	{L1: 0.02, L2: 0.05, Factors: []float64{1, 0, 2, 0.5, 1, 0, 1, 3}},
	{L2: 0.05, Factors: []float64{1, 0, 2, 0.5, 1, 0, 1, 3}},
	{L2: 0.05, Factors: []float64{1, 2, 2, 0.5, 1, 0.1, 1, 3}},
	{L1: 0.02, L2: 0.05, Factors: []float64{1, 4, 2, 0.5, 1, 0.2, 1, 3}},
}

// unevenProblem is a problem of 8 columns for any loss, with weights and offsets.
func unevenProblem(t *testing.T, of loss.Loss, intercept bool, seed uint64) *Problem {
	t.Helper()
	p := steepProblem(t, loss.Gamma{}, 90, 8, seed)
	if of.Labels() || slices.Contains(losses, of) {
		y := randomProblem(t, of, 90, 8, seed).Y
		for i := range y {
			if i%9 == 0 {
				y[i] = -y[i] // not separable
			}
		}
		p.Y = y
	}
	p.Loss = of
	setIntercept(p, intercept)
	return p
}

// requirePlain wants a converged result whose objective is that of plain steps, by the definition too.
func requirePlain(t *testing.T, name string, p *Problem, result *solvers.Result, want float64) {
	t.Helper()
	if result.Status != solvers.Converged || !(result.Gap <= 1e-9) {
		t.Errorf("%s: %v, with a gap of %v", name, result.Status, result.Gap)
	}
	got := plain(p, result.Weights, make([]float64, p.X.Cols())) + p.Penalty.Value(result.Weights[:penalised(p)])
	if math.Abs(got-result.Objective) > 1e-12*(1+got) || got > want+1e-9 || got < want-1e-6 {
		t.Errorf("%s: an objective of %v (%v by the definition), not %v", name, result.Objective, got, want)
	}
}

// TestUneven: with factors of weights, also of 0, and every loss, objectives are those of plain proximal
// gradient steps, and gaps are bounds.
func TestUneven(t *testing.T) {
	t.Parallel()
	for k, of := range append(slices.Clone(losses), linkLosses...) {
		for _, intercept := range repeat.Size([]bool{false, true}, []bool{k%2 == 0}) {
			p := unevenProblem(t, of, intercept, uint64(k+1))
			for _, r := range uneven {
				p.Penalty = r
				result, err := Solve(t.Context(), p, nil, solvers.Settings{GapTolerance: 1e-9})
				if err != nil {
					t.Fatal(err)
				}
				name := fmt.Sprintf("%v, intercept %t, %v", of, intercept, r)
				requirePlain(t, name, p, result, descent(p, 3000))
			}
		}
	}
}

// TestUnevenGaps: away from the minimum gaps are bounds too.
func TestUnevenGaps(t *testing.T) {
	t.Parallel()
	for k, of := range append(slices.Clone(losses), linkLosses...) {
		for _, intercept := range []bool{false, true} {
			p := unevenProblem(t, of, intercept, uint64(k+1))
			for _, r := range uneven {
				p.Penalty = r
				best, err := Solve(t.Context(), p, nil, solvers.Settings{GapTolerance: 1e-9})
				if err != nil {
					t.Fatal(err)
				}
				pool := sparse.NewPool(1)
				o := newObjective(p, pool)
				finite := 0
				for step := range 9 {
					w := slices.Clone(best.Weights)
					for j := range w {
						w[j] += math.Pow(10, -float64(step)) * float64((j*5+step)%7-3) / 3
					}
					if e := o.evaluate(w); e.Gap-e.Gap == 0 {
						finite++
						if e.Gap < (e.Objective-best.Objective)*(1-1e-9)-1e-12 {
							t.Errorf("%v, intercept %t, %v: a gap of %v at %v, above %v", of, intercept, r, e.Gap, e.Objective, best.Objective)
						}
						if step >= 6 && !(e.Gap < 2e-4) {
							t.Errorf("%v, intercept %t, %v: a gap of %v next to the minimum", of, intercept, r, e.Gap)
						}
						c := o.open
						for k := 0; c != nil && k < len(c.list); k++ { // slopes that are not balanced cost their sums
							sum := 0.0
							for i, s := range o.coef {
								for a, x := range c.x.Row(i) {
									if a == k {
										sum += s * x
									}
								}
							}
							if cost := c.left(o, w, 1); !(cost >= 1000*math.Abs(sum)/90*math.Abs(w[c.list[k]])) {
								t.Errorf("%v, %v: sums of %v at a weight of %v cost %v", of, r, sum, w[c.list[k]], cost)
							}
						}
					}
				}
				if pool.Close(); finite < 4 {
					t.Errorf("%v, intercept %t, %v: %d gaps are finite", of, intercept, r, finite)
				}
			}
		}
	}
}

// TestUnevenPaths: the points of a path are those of single runs, and at the first weight of a path all
// penalised weights are 0.
func TestUnevenPaths(t *testing.T) {
	t.Parallel()
	for k, of := range append(slices.Clone(losses), linkLosses...) {
		p := unevenProblem(t, of, true, uint64(k+11))
		r := uneven[1]
		p.Penalty = r
		pool := sparse.NewPool(1)
		most, _, err := MaxL1(pool, p)
		pool.Close()
		if err != nil {
			t.Fatal(err)
		}
		path, err := NewPath(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for k, share := range []float64{1.001, 0.98, 0.5, 0.1, 0.01} {
			at := r.WithWeight(share * most)
			got, err := path.Solve(t.Context(), at, solvers.Settings{GapTolerance: 1e-9})
			if err != nil {
				t.Fatal(err)
			}
			want, err := Solve(t.Context(), p.With(at), nil, solvers.Settings{GapTolerance: 1e-9})
			if err != nil {
				t.Fatal(err)
			}
			if got.Status != solvers.Converged || math.Abs(got.Objective-want.Objective) > 2e-9 {
				t.Errorf("%v, %v: %v at %v, not %v", of, at, got.Status, got.Objective, want.Objective)
			}
			held := 0
			for j, w := range got.Weights[:8] {
				if w != 0 && r.Factors[j] > 0 {
					held++
				}
			}
			if k == 0 && held > 0 || k == 1 && held == 0 {
				t.Errorf("%v at %v of the largest weight: %d weights", of, share, held)
			}
		}
	}
}
