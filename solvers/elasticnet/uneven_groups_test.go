package elasticnet

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// unevenGroups are groups of 8 weights with factors, with bounds on one side, on two, and of 0, and with both.
var unevenGroups = sync.OnceValue(func() (list []*penalty.UnevenGroups) {
	groups := [][]int{{0, 2, 5}, {1}, {3, 4}, {6, 7}}
	zeros, ones := make([]float64, 8), []float64{1, 1, 1, 1, 1, 1, 1, 1}
	infinite := []float64{inf, inf, inf, inf, inf, inf, inf, inf}
	factors := [][]float64{nil, {2, 0, 2, 0.5, 0.5, 2, 1, 1}, {1, 1, 1, 3, 3, 1, 0, 0}}
	bounds := [][2][]float64{{}, {zeros, infinite}, {{-inf, -0.1, 0, -0.05, -inf, -0.2, -0.02, 0}, {0.05, inf, 0.1, 0.05, 0, inf, 0.03, 0}}, {{-1, -1, -1, -1, -1, -1, -1, -1}, ones},
		{{-0.05, -0.05, -0.05, -0.05, -0.05, -0.05, -0.05, -0.05}, {0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05}}}
	for i, c := range factors {
		for k, b := range bounds {
			for _, norms := range [][2]float64{{0.02, 0}, {0.02, 0.05}, {0, 0.05}} {
				if i+k > 0 && (norms[0] > 0 || i == 0) {
					list = append(list, &penalty.UnevenGroups{Weight: norms[0], Lambda: norms[1], Groups: groups, Factors: c, Lower: b[0], Upper: b[1]})
				}
			}
		}
	}
	return list
})

// atMinimum checks the conditions of a minimum, by their definition: but for slopes that a bound holds, the slopes of the
// losses for a group are minus the slopes of its norm, or a shorter vector where its weights are all 0.
func atMinimum(t *testing.T, name string, p *Problem, r *penalty.UnevenGroups, w []float64, most float64) {
	t.Helper()
	g := make([]float64, len(w))
	plain(p, w, g)
	for j := penalised(p); j < len(w); j++ {
		if math.Abs(g[j]) > most {
			t.Errorf("%s: the intercept has the slope %v", name, g[j])
		}
	}
	for k, group := range r.Groups {
		length, rest := 0.0, 0.0
		for _, j := range group {
			length += w[j] * w[j]
		}
		length = math.Sqrt(length)
		c := r.Factor(group[0])
		norm := r.Weight * c * math.Sqrt(float64(len(group)))
		for _, j := range group {
			slope := g[j] + r.Lambda*c*w[j]
			if length > 0 {
				slope += norm * w[j] / length
			}
			lower, upper := -inf, inf
			if r.Lower != nil {
				lower, upper = r.Lower[j], r.Upper[j]
			}
			if w[j] < lower || w[j] > upper {
				t.Errorf("%s: weight %d is %v, beyond %v and %v", name, j, w[j], lower, upper)
			}
			if w[j] == lower && slope > 0 || w[j] == upper && slope < 0 {
				slope = 0
			}
			rest += slope * slope
		}
		if rest = math.Sqrt(rest); length > 0 && rest > most || length == 0 && rest > norm+most {
			t.Errorf("%s: group %d of length %v is %v from a minimum", name, k, length, rest)
		}
	}
}

// TestUnevenGroups: with factors and bounds of groups and every loss, weights are minima by the conditions of one, and
// no point within bounds is lower than the gap allows.
func TestUnevenGroups(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	held, short := 0, 0
	for k, of := range append(slices.Clone(losses), linkLosses...) {
		for _, intercept := range []bool{false, true} {
			p := unevenProblem(t, of, intercept, uint64(k+1))
			for i, r := range unevenGroups() {
				p.Penalty = r
				name := fmt.Sprintf("%v, intercept %t, case %d: %v", of, intercept, i, r)
				if err := r.Check(8); err != nil {
					t.Fatal(err)
				}
				result, err := Solve(t.Context(), p, nil, solvers.Settings{GapTolerance: 1e-9, MaxEpochs: 3000})
				if err != nil || result.Status != solvers.Converged {
					t.Errorf("%s: %v with a gap of %v, error %v", name, result.Status, result.Gap, err)
					continue
				}
				atMinimum(t, name, p, r, result.Weights, 2e-4)
				whole := func(w []float64) float64 {
					sum := plain(p, w, make([]float64, len(w)))
					for _, group := range r.Groups {
						square := 0.0
						for _, j := range group {
							square += w[j] * w[j]
						}
						c := r.Factor(group[0])
						sum += c * (r.Weight*math.Sqrt(float64(len(group))*square) + r.Lambda/2*square)
					}
					return sum
				}
				best := whole(result.Weights)
				if math.Abs(best-result.Objective) > 1e-12*(1+best) {
					t.Errorf("%s: an objective of %v, not %v", name, result.Objective, best)
				}
				for step := range 20 {
					w := slices.Clone(result.Weights)
					for j := range w {
						if w[j] += math.Pow(10, -float64(step%7)) * random.NormFloat64(); j < 8 && r.Lower != nil {
							w[j] = math.Min(math.Max(w[j], r.Lower[j]), r.Upper[j])
						}
					}
					if v := whole(w); v < best-result.Gap-1e-13 {
						t.Errorf("%s: %v at another point, below %v with a gap of %v", name, v, best, result.Gap)
					}
				}
				for _, group := range r.Groups {
					zero := 0
					for _, j := range group {
						if r.Lower != nil && result.Weights[j] != 0 && (result.Weights[j] == r.Lower[j] || result.Weights[j] == r.Upper[j]) {
							held++
						}
						if result.Weights[j] == 0 {
							zero++
						}
					}
					if zero == len(group) {
						short++
					}
				}
			}
		}
	}
	if held < 100 || short < 100 {
		t.Errorf("%d weights at a bound that is not 0, %d groups of 0", held, short)
	}
}

// TestUnevenGroupsGaps: away from the minimum gaps are bounds too, where they are finite.
func TestUnevenGroupsGaps(t *testing.T) {
	t.Parallel()
	for k, of := range append(slices.Clone(losses), linkLosses...) {
		p := unevenProblem(t, of, k%2 == 0, uint64(k+1))
		for i, r := range unevenGroups() {
			p.Penalty = r
			best, err := Solve(t.Context(), p, nil, solvers.Settings{GapTolerance: 1e-10, MaxEpochs: 3000})
			if err != nil {
				t.Fatal(err)
			}
			pool := sparse.NewPool(1)
			o := newObjective(p, pool)
			finite := 0
			for step := range 9 {
				w := slices.Clone(best.Weights)
				for j := range w {
					if step%2 > 0 && w[j] == 0 {
						continue
					}
					w[j] += math.Pow(10, -float64(step)) * float64((j*5+step)%7-3) / 3
				}
				o.inside(w)
				if e := o.evaluate(w); e.Gap-e.Gap == 0 {
					finite++
					if e.Gap < (e.Objective-best.Objective)*(1-1e-9)-1e-12 {
						t.Errorf("%v, case %d: a gap of %v at %v, above %v", of, i, e.Gap, e.Objective, best.Objective)
					}
				}
			}
			if pool.Close(); finite < 2 {
				t.Errorf("%v, case %d, %v: %d gaps are finite", of, i, r, finite)
			}
		}
	}
}

// TestUnevenGroupsPaths: the points of paths are those of single runs, and at the first weight of a path the penalised
// weights are 0.
func TestUnevenGroupsPaths(t *testing.T) {
	t.Parallel()
	for k, of := range append(slices.Clone(losses), linkLosses...) {
		p := unevenProblem(t, of, true, uint64(k+11))
		for _, r := range unevenGroups() {
			if r.Weight == 0 {
				continue
			}
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
			for k, share := range []float64{1.001, 0.98, 0.3, 0.01} {
				at := r.WithWeight(share * most)
				got, err := path.Solve(t.Context(), at, solvers.Settings{GapTolerance: 1e-9, MaxEpochs: 3000})
				if err != nil {
					t.Fatal(err)
				}
				want, err := Solve(t.Context(), p.With(at), nil, solvers.Settings{GapTolerance: 1e-9, MaxEpochs: 3000})
				if err != nil {
					t.Fatal(err)
				}
				if got.Status != solvers.Converged || want.Status != solvers.Converged || math.Abs(got.Objective-want.Objective) > 2e-9 {
					t.Errorf("%v, %v: %v at %v, not %v at %v", of, at, got.Status, got.Objective, want.Status, want.Objective)
				}
				off := 0
				for j, w := range got.Weights[:8] {
					if w != 0 && r.Factor(j) > 0 {
						off++
					}
				}
				if most > 0 && (k == 0 && off > 0 || k == 1 && off == 0) {
					t.Errorf("%v, %v at %v of the largest weight: %d weights", of, at, share, off)
				}
			}
		}
	}
}
