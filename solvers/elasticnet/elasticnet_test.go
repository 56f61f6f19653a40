package elasticnet

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	_ "github.com/lanes-go/lanes/internal/testing/gctest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

var losses = []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{Delta: 0.4}}

// phi and slope are the losses and their derivatives from their definitions.
func phi(of loss.Loss, z, y, delta float64) float64 {
	r := z - y
	switch of.String() {
	case "logistic":
		return math.Log1p(math.Exp(-math.Abs(y*z))) + max(-y*z, 0)
	case "squared":
		return r * r / 2
	case "squared-hinge":
		return math.Pow(max(0, 1-y*z), 2) / 2
	}
	if math.Abs(r) <= delta {
		return r * r / 2
	}
	return delta*math.Abs(r) - delta*delta/2
}

func slope(phi loss.Loss, z, y, delta float64) float64 {
	switch phi.String() {
	case "logistic":
		return -y / (1 + math.Exp(y*z))
	case "squared":
		return z - y
	case "squared-hinge":
		return -y * max(0, 1-y*z)
	}
	return max(-delta, min(delta, z-y))
}

// normal is nearly so, and the same on every architecture, as the tails of NormFloat64 are
// not.
func normal(r *rand.Rand) float64 { return r.Float64() + r.Float64() + r.Float64() + r.Float64() - 2 }

// random is a problem whose weights are sparse at the optimum.
func randomProblem(t *testing.T, phi loss.Loss, n, d int, seed uint64) *Problem {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	ptr, columns, values := []int64{0}, []uint32(nil), []float64(nil)
	y := make([]float64, n)
	for i := range n {
		margin := 0.3 + float64(0.5*normal(r))
		for j := range d {
			if r.Float64() < 0.4 {
				x := normal(r)
				columns, values = append(columns, uint32(j)), append(values, x)
				if j < 4 {
					margin += float64(x * float64(2-j))
				}
			}
		}
		ptr = append(ptr, int64(len(columns)))
		if y[i] = margin; phi.Labels() {
			y[i] = math.Copysign(1, margin)
		}
	}
	x, err := sparse.NewCSR(d, ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	return &erm.Problem{X: x, Y: y, Loss: phi, Penalty: penalty.L1{Lambda: 0.02}}
}

// setIntercept gives a problem an intercept with its column of ones, or takes both away.
func setIntercept(p *Problem, on bool) {
	if p.Intercept, p.X = on, p.X.WithBias(0); on {
		p.X = p.X.WithBias(1)
	}
}

// value is P from its definition.
func value(p *Problem, w []float64) float64 {
	d, total := penalised(p), 0.0
	for i, y := range p.Y {
		z := 0.0
		if p.Intercept {
			z = w[d]
		}
		for j, x := range features(p).Row(i) {
			z += x * w[j]
		}
		z += direct.Offset(p.Offset, i)
		total += direct.Weight(p.SampleWeight, i) * phi(p.Loss, z, y, p.Loss.Parameter()) / float64(len(p.Y))
	}
	for _, v := range w[:d] {
		total += penalty.WeightOf(p.Penalty)*math.Abs(v) + p.Ridge()*v*v/2
	}
	return total
}

// independent minimises p by proximal gradient steps with Nesterov's momentum, begun anew
// where the objective rises, in plain Go.
func independent(p *Problem, steps int) []float64 {
	n, d := p.X.Rows(), penalised(p)
	rows := make([][]float64, n)
	bound := p.Ridge()
	for i := range rows {
		rows[i] = make([]float64, d+1)
		square := 0.0
		for j, x := range features(p).Row(i) {
			rows[i][j] = x
			square += x * x
		}
		if p.Intercept {
			rows[i][d] = 1
			square++
		}
		bound += direct.Weight(p.SampleWeight, i) * square / float64(n)
	}
	w, v, g := make([]float64, d+1), make([]float64, d+1), make([]float64, d+1)
	momentum, best := 1.0, math.Inf(1)
	for range steps {
		clear(g)
		for i, row := range rows {
			z := direct.Offset(p.Offset, i)
			for j, x := range row {
				z += x * v[j]
			}
			c := direct.Weight(p.SampleWeight, i) * slope(p.Loss, z, p.Y[i], p.Loss.Parameter()) / float64(n)
			for j, x := range row {
				g[j] += c * x
			}
		}
		before := slices.Clone(w)
		for j := range w {
			to := v[j] - (g[j]+p.Ridge()*v[j])/bound
			if j == d {
				to = v[j] - g[j]/bound
			} else {
				to = math.Copysign(max(0, math.Abs(to)-penalty.WeightOf(p.Penalty)/bound), to)
			}
			w[j] = to
		}
		if now := value(p, w); now > best {
			momentum, best = 1, now
			copy(v, w)
			continue
		} else {
			best = now
		}
		next := (1 + math.Sqrt(1+4*momentum*momentum)) / 2
		for j := range v {
			v[j] = w[j] + (momentum-1)/next*(w[j]-before[j])
		}
		momentum = next
	}
	return w
}

func solve(t *testing.T, p *Problem, settings solvers.Settings) *solvers.Result {
	t.Helper()
	r, err := Solve(context.Background(), p, nil, settings)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// variants calls use with every loss, intercept, weights and share of the squared norm.
func variants(t *testing.T, use func(t *testing.T, p *Problem)) {
	for k, phi := range losses {
		for mode := range 8 {
			if testing.Short() && (k+mode)%3 > 0 {
				continue
			}
			p := randomProblem(t, phi, 60, 12, uint64(k))
			setIntercept(p, mode&1 != 0)
			if mode&2 != 0 {
				p.Penalty = penalty.ElasticNet{L1: penalty.WeightOf(p.Penalty), L2: 0.03}
			}
			if mode&4 != 0 {
				p.SampleWeight = make([]float64, len(p.Y))
				for i := range p.SampleWeight {
					p.SampleWeight[i] = float64(i%4) / 2
				}
			}
			t.Run(fmt.Sprintf("%v, intercept %t, lambda %v, weighted %t", phi, p.Intercept, p.Ridge(), p.SampleWeight != nil),
				func(t *testing.T) { use(t, p) })
		}
	}
}

// TestOptimum compares the solution, its objective and its zeros with another method, and checks
// that the gap is a bound.
func TestOptimum(t *testing.T) {
	t.Parallel()
	variants(t, func(t *testing.T, p *Problem) {
		want := independent(p, 3000)
		least := value(p, want)
		r := solve(t, p, solvers.Settings{GapTolerance: 1e-11, Workers: 1})
		if r.Status != solvers.Converged || !(r.Gap <= 1e-11) {
			t.Fatalf("%v with a gap of %v", r.Status, r.Gap)
		}
		if got := value(p, r.Weights); math.Abs(got-r.Objective) > 1e-13 || got > least+1e-11 || got < least-1e-9 {
			t.Errorf("objective %v, by its definition %v, of the other method %v", r.Objective, got, least)
		}
		zeros := 0
		for j, v := range r.Weights {
			if math.Abs(v-want[j]) > 1e-3 {
				t.Errorf("weight %d is %v, not %v", j, v, want[j])
			}
			if v == 0 {
				zeros++
			}
		}
		if zeros == 0 || zeros == len(r.Weights) {
			t.Errorf("%d zeros", zeros)
		}
	})
}

// TestGapIsABound: at any point, P is above the minimum by the gap at most.
func TestGapIsABound(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	variants(t, func(t *testing.T, p *Problem) {
		end := solve(t, p, solvers.Settings{GapTolerance: 1e-12, Workers: 1})
		o := newObjective(p, nil)
		tight := false
		for k := range 40 {
			w := slices.Clone(end.Weights)
			for j := range w {
				w[j] += r.NormFloat64() * math.Pow(0.3, float64(k%12))
			}
			e := o.evaluate(w)
			above := value(p, w) - end.Objective
			if !(above <= e.Gap+1e-12) {
				t.Errorf("%v above the minimum, the gap is %v", above, e.Gap)
			}
			tight = tight || e.Gap < 1e-2
		}
		if !tight {
			t.Error("no gap says anything")
		}
	})
}

// TestConjugates compares the sums of phi*(-a) with a search for the supremum of -a z - phi(z).
func TestConjugates(t *testing.T) {
	repeat.Skip(t)
	const delta = 0.4
	for _, of := range losses {
		for _, y := range []float64{-1, 1} {
			for _, z := range []float64{-2.5, -1, -0.3, 0, 0.2, 0.9, 3} {
				x, err := sparse.NewCSR(1, []int64{0, 1}, []uint32{0}, []float64{1})
				if err != nil {
					t.Fatal(err)
				}
				p := &erm.Problem{X: x, Y: []float64{y}, Loss: of, Penalty: penalty.L1{Lambda: 1}}
				o := newObjective(p, nil)
				o.coef[0] = slope(of, z, y, delta)
				for _, share := range []float64{1, 0.6, 0.1} {
					a := -share * o.coef[0]
					sup := math.Inf(-1)
					for at := -40.0; at <= 40; at += 1. / 1024 {
						sup = max(sup, -a*at-phi(of, at, y, delta))
					}
					got := -o.conjugates(1, 1, share)
					if math.Abs(got-sup) > 1e-6 {
						t.Errorf("%v, label %v, a = %v: %v, not %v", of, y, a, got, sup)
					}
					// An offset adds a o, and rounding of so large a term counts.
					const offset = 1e12
					p.Offset = []float64{offset}
					size := math.Abs(a*offset) * 0x1p-53
					if over := -o.conjugates(1, 1, share) - (sup + a*offset); !(over >= 10*size-1e-6) || !(over <= 40*size+1e-6) {
						t.Errorf("%v, label %v, a = %v: %v above its value with an offset", of, y, a, over)
					}
					p.Offset = nil
				}
			}
		}
	}
}

// TestMaxL1: w = 0 is the minimum from there on, and below it is not.
func TestMaxL1(t *testing.T) {
	variants(t, func(t *testing.T, p *Problem) {
		most, intercept, err := MaxL1(nil, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, share := range []float64{1.0001, 0.98} {
			p.Penalty = penalty.ElasticNet{L1: share * most, L2: p.Ridge()}
			r := solve(t, p, solvers.Settings{GapTolerance: 1e-11, Workers: 1})
			zero := kernels.MaxAbs(r.Weights[:penalised(p)]) == 0
			if zero != (share > 1) || r.Status != solvers.Converged {
				t.Errorf("%v times l1_max: %v, all weights 0: %t", share, r.Status, zero)
			}
			if zero && p.Intercept && math.Abs(r.Weights[penalised(p)]-intercept) > 1e-5 {
				t.Errorf("intercept %v, not %v", r.Weights[penalised(p)], intercept)
			}
		}
	})
}

// TestModels: rows too long for the model as a matrix, and more columns than a working set
// begins with. The bits of all results together are held, as a model that is not quite the
// right one only takes more steps.
func TestModels(t *testing.T) {
	const want = "1a82f46729412894"
	all := ""
	for _, size := range [][2]int{{40, 400}, {30, 3000}} {
		for _, phi := range losses {
			for _, intercept := range []bool{false, true} {
				p := randomProblem(t, phi, size[0], size[1], 5)
				p.Penalty = penalty.ElasticNet{L1: 0.004, L2: 0.003}
				setIntercept(p, intercept)
				bits := ""
				for _, workers := range []int{1, 3} {
					r := solve(t, p, solvers.Settings{GapTolerance: 1e-8, Workers: workers})
					if r.Status != solvers.Converged {
						t.Errorf("%v, %v: %v with a gap of %v", size, phi, r.Status, r.Gap)
					}
					if hash := solvers.HashWeights(r.Weights); bits != "" && hash != bits {
						t.Errorf("%v, %v: other bits with %d workers", size, phi, workers)
					} else {
						bits = hash
					}
				}
				all += bits
			}
		}
	}
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(all)))[:16]; got != want {
		t.Errorf("the results are %s, not %s", got, want)
	}
}

// TestWithoutL1 is ridge regression, whose solution has no zeros.
func TestWithoutL1(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 60, 12, 1)
	p.Penalty = penalty.ElasticNet{L1: 0, L2: 0.01}
	want, err := erm.Solve(context.Background(), p, erm.Newton{}, solvers.Settings{GapTolerance: 1e-12})
	if err != nil {
		t.Fatal(err)
	}
	r := solve(t, p, solvers.Settings{GapTolerance: 1e-11})
	for j, w := range want.Weights {
		if math.Abs(r.Weights[j]-w) > 1e-5 {
			t.Errorf("weight %d is %v, not %v", j, r.Weights[j], w)
		}
	}
}

func TestBiasColumnIsPenalised(t *testing.T) {
	p := randomProblem(t, loss.Squared{}, 50, 6, 2)
	p.X = p.X.WithBias(1)
	want := independent(p, 3000)
	r := solve(t, p, solvers.Settings{GapTolerance: 1e-11})
	for j, w := range r.Weights {
		if math.Abs(w-want[j]) > 1e-3 {
			t.Errorf("weight %d is %v, not %v", j, w, want[j])
		}
	}
}

func TestRefuses(t *testing.T) {
	for what, change := range map[string]func(p *Problem){
		"L1 norm is -1":  func(p *Problem) { p.Penalty = penalty.ElasticNet{L1: -1, L2: p.Ridge()} },
		"L1 norm is NaN": func(p *Problem) { p.Penalty = penalty.ElasticNet{L1: math.NaN(), L2: p.Ridge()} },
		"one class":      func(p *Problem) { setIntercept(p, true); clear(p.SampleWeight[30:]) },
		"WithBias(1)":    func(p *Problem) { p.Intercept = true },
		"bias of X is 2": func(p *Problem) { p.Intercept, p.X = true, p.X.WithBias(2) },
		"59 offsets":     func(p *Problem) { p.Offset = make([]float64, 59) },
		"60 rows":        func(p *Problem) { p.Y = p.Y[1:] },
	} {
		p := randomProblem(t, loss.Logistic{}, 60, 5, 1)
		p.SampleWeight = make([]float64, 60)
		for i := range p.Y {
			p.SampleWeight[i], p.Y[i] = 1, -1
			if i >= 30 {
				p.Y[i] = 1
			}
		}
		change(p)
		if r, err := Solve(context.Background(), p, nil, solvers.Settings{}); err == nil || r != nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: error %v", what, err)
		}
		if _, _, err := MaxL1(nil, p); err == nil {
			t.Errorf("%s: MaxL1 takes it", what)
		}
	}
	if _, err := Solve(context.Background(), nil, nil, solvers.Settings{}); err == nil {
		t.Error("no problem is taken")
	}
	p := randomProblem(t, loss.Logistic{}, 60, 5, 1)
	if _, err := Solve(context.Background(), p, ProximalNewton{MaxSweeps: -1}, solvers.Settings{}); err == nil || !strings.Contains(err.Error(), "max-sweeps") {
		t.Errorf("error %v", err)
	}
	p.Penalty = penalty.ElasticNet{L1: 0, L2: p.Ridge()}
	if _, err := Solve(context.Background(), p, nil, solvers.Settings{GapTolerance: 1}); err == nil || !strings.Contains(err.Error(), "no duality gap") {
		t.Errorf("error %v", err)
	}
}

// TestRowOffsets: with offsets of rows the solution, alone and along a path, equals the solution
// of another method. Gaps are bounds, also if the intercept alone is off. Zeros are found, too.
func TestRowOffsets(t *testing.T) {
	t.Parallel()
	variants(t, func(t *testing.T, p *Problem) {
		r := rand.New(rand.NewPCG(6, 17))
		for range p.Y {
			p.Offset = append(p.Offset, 2*normal(r))
		}
		high, _, err := MaxL1(nil, p)
		if err != nil {
			t.Fatal(err)
		}
		p.Penalty = penalty.ElasticNet{L1: 1.0001 * high, L2: p.Ridge()}
		if w := solve(t, p, solvers.Settings{GapTolerance: 1e-11, Workers: 1}).Weights; kernels.MaxAbs(w[:penalised(p)]) > 0 {
			t.Errorf("above the largest l1 the weights are %v", w)
		}
		p.Penalty = penalty.ElasticNet{L1: 0.2 * high, L2: p.Ridge()}
		least := value(p, independent(p, 3000))
		path, err := NewPath(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, gap := range []float64{1e-3, 1e-7, 1e-11} {
			settings := solvers.Settings{GapTolerance: gap, Workers: 1}
			along, err := path.Solve(context.Background(), p.Penalty, settings)
			if err != nil {
				t.Fatal(err)
			}
			for _, got := range []*solvers.Result{solve(t, p, settings), along} {
				at := value(p, got.Weights)
				if got.Status != solvers.Converged || !(at-least <= got.Gap+1e-9) || !(at-least >= -1e-13) || math.Abs(at-got.Objective) > 1e-12 {
					t.Errorf("gap %v: %v, %g above the minimum, gap %g; objective %v, by its definition %v", gap, got.Status, at-least, got.Gap, got.Objective, at)
				}
				o := newObjective(p, nil)
				if e := o.evaluate(got.Weights); !(e.Gap <= 100*gap) {
					t.Errorf("gap %v: the solution has a gap of %g", gap, e.Gap)
				}
				for _, by := range []float64{1e-4, -1e-2, 1} {
					w := slices.Clone(got.Weights)
					w[len(w)-1] += by
					if e := o.evaluate(w); !math.IsNaN(e.Gap) && !(e.Gap >= value(p, w)-least-1e-9) {
						t.Errorf("off by %v: a gap of %g, %g above the minimum", by, e.Gap, value(p, w)-least)
					}
				}
			}
		}
	})
}
