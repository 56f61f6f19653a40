package softmax

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	_ "github.com/lanes-go/lanes/internal/testing/gctest"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// normal is nearly so, and the same on every architecture, as the tails of NormFloat64 are
// not.
func normal(r *rand.Rand) float64 { return r.Float64() + r.Float64() + r.Float64() + r.Float64() - 2 }

// random has rows whose class is a noisy linear function of them.
func randomProblem(t testing.TB, n, d, count int, seed uint64) *Problem {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 9))
	planted := make([]float64, d*count)
	for i := range planted {
		planted[i] = normal(r)
	}
	ptr, columns, values := []int64{0}, []uint32(nil), []float64(nil)
	class := make([]uint32, n)
	for i := range n {
		scores := make([]float64, count)
		for j := range d {
			if r.Float64() < 0.5 {
				x := normal(r)
				columns, values = append(columns, uint32(j)), append(values, x)
				for c := range scores {
					scores[c] += float64(x * planted[j*count+c])
				}
			}
		}
		for c, s := range scores {
			if s+normal(r) > scores[class[i]] {
				class[i] = uint32(c)
			}
		}
		ptr = append(ptr, int64(len(columns)))
	}
	x, err := sparse.NewCSR(d, ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	return &Problem{X: x.WithBias(1), Class: class, Count: count, Lambda: 0.01}
}

// byDefinition is P and its gradient, class after class, in plain Go.
func byDefinition(p *Problem, w []float64) (value float64, gradient []float64) {
	d, n := p.X.Cols(), float64(p.X.Rows())
	gradient = make([]float64, len(w))
	for i := range p.X.Rows() {
		z, total := make([]float64, p.Count), 0.0
		for c := range z {
			for j, x := range p.X.Row(i) {
				z[c] += x * w[c*d+j]
			}
		}
		most := slices.Max(z)
		for _, v := range z {
			total += math.Exp(v - most)
		}
		s := direct.Weight(p.SampleWeight, i)
		value += s * (math.Log(total) + most - z[p.Class[i]]) / n
		for c := range z {
			r := math.Exp(z[c]-most) / total
			if uint32(c) == p.Class[i] {
				r--
			}
			for j, x := range p.X.Row(i) {
				gradient[c*d+j] += s * r * x / n
			}
		}
	}
	for j, v := range w {
		value += p.Lambda / 2 * v * v
		gradient[j] += p.Lambda * v
	}
	return value, gradient
}

func solve(t *testing.T, p *Problem, settings solvers.Settings) *solvers.Result {
	t.Helper()
	r, err := Solve(context.Background(), p, Newton{}, settings)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// weighted gives rows the weights 0.5, 1, 1.5 and 0 in turn.
func weighted(p *Problem) *Problem {
	p.SampleWeight = make([]float64, p.X.Rows())
	for i := range p.SampleWeight {
		p.SampleWeight[i] = float64((i+1)%4) / 2
	}
	return p
}

// TestOptimum: the objective equals the definition, whose gradient is 0 at the result.
func TestOptimum(t *testing.T) {
	for name, p := range map[string]*Problem{
		"2 classes": randomProblem(t, 80, 6, 2, 1), "3 classes": randomProblem(t, 90, 7, 3, 2), "20 classes": randomProblem(t, 150, 12, 20, 3),
		"weighted": weighted(randomProblem(t, 90, 7, 4, 4)), "more columns than rows": randomProblem(t, 20, 60, 5, 5), "a class without rows": func() *Problem {
			p := randomProblem(t, 40, 5, 3, 6)
			p.Count = 4
			return p
		}(),
	} {
		r := solve(t, p, solvers.Settings{GapTolerance: 1e-12})
		value, gradient := byDefinition(p, r.Weights)
		norm := 0.0
		for _, g := range gradient {
			norm += g * g
		}
		if r.Status != solvers.Converged || math.Abs(value-r.Objective) > 1e-12 || !(norm/(2*p.Lambda) <= 1.01*r.Gap) || !(r.Gap <= 1e-12) {
			t.Errorf("%s: %v, objective %v, by definition %v, gap %v, by definition %v", name, r.Status, r.Objective, value, r.Gap, norm/(2*p.Lambda))
		}
	}
}

// TestGapIsABound compares points with the minimum.
func TestGapIsABound(t *testing.T) {
	p := weighted(randomProblem(t, 70, 6, 3, 8))
	end := solve(t, p, solvers.Settings{GapTolerance: 1e-13})
	r := rand.New(rand.NewPCG(1, 1))
	for k := range 40 {
		w := append([]float64(nil), end.Weights...)
		for j := range w {
			w[j] += r.NormFloat64() * math.Pow(0.2, float64(k%10))
		}
		e := newObjective(p, nil).evaluate(w)
		value, _ := byDefinition(p, w)
		if above := value - end.Objective; !(above <= e.Gap+1e-12) || math.Abs(value-e.Objective) > 1e-12*value {
			t.Errorf("%v above the minimum, the gap is %v; objective %v, by definition %v", above, e.Gap, e.Objective, value)
		}
	}
}

// TestHessian: products are what the gradient changes by.
func TestHessian(t *testing.T) {
	p := weighted(randomProblem(t, 60, 6, 4, 9))
	o, r := newObjective(p, nil), rand.New(rand.NewPCG(2, 2))
	size := o.d * o.k
	w, v := make([]float64, size), make([]float64, size)
	for j := range w {
		w[j], v[j] = r.NormFloat64()/2, r.NormFloat64()
	}
	o.evaluate(w) // takes w class after class
	columns, product := make([]float64, size), make([]float64, size)
	o.byColumn(columns, v)
	o.product(product, make([]float64, o.n*o.k), columns)
	got := make([]float64, size)
	o.byClass(got, product)
	const h = 1e-5
	ahead, behind := append([]float64(nil), w...), append([]float64(nil), w...)
	for j := range w {
		ahead[j] += h * v[j]
		behind[j] -= h * v[j]
	}
	_, up := byDefinition(p, ahead)
	_, down := byDefinition(p, behind)
	for j := range got {
		if want := (up[j] - down[j]) / (2 * h); math.Abs(got[j]-want) > 1e-8 {
			t.Errorf("element %d: %v, not %v", j, got[j], want)
		}
	}
}

// TestTwoClassesAreLogistic: with w_1 = -w_2 = w/2 the problem is logistic regression with half the
// lambda.
func TestTwoClassesAreLogistic(t *testing.T) {
	p := randomProblem(t, 80, 6, 2, 11)
	y := make([]float64, len(p.Class))
	for i, c := range p.Class {
		y[i] = float64(c)*2 - 1
	}
	want, err := erm.Solve(context.Background(), &erm.Problem{X: p.X, Y: y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: p.Lambda / 2}}, erm.Newton{}, solvers.Settings{GapTolerance: 1e-14})
	if err != nil {
		t.Fatal(err)
	}
	r := solve(t, p, solvers.Settings{GapTolerance: 1e-14})
	d := p.X.Cols()
	for j, w := range want.Weights {
		if math.Abs(r.Weights[d+j]-w/2) > 1e-6 || math.Abs(r.Weights[j]+w/2) > 1e-6 {
			t.Errorf("weight %d: %v and %v, not -+%v", j, r.Weights[j], r.Weights[d+j], w/2)
		}
	}
}

// TestBits: every CPU path and number of workers gives the same bits, and they equal the bits of
// the file.
func TestBits(t *testing.T) {
	const want = "3f3bc43eb2d5b227"
	p := weighted(randomProblem(t, 900, 30, 20, 12))
	for path := range pathtest.Paths(t) {
		for _, workers := range []int{1, 2, 5} {
			r := solve(t, p, solvers.Settings{GapTolerance: 1e-7, Workers: workers})
			if got := solvers.HashWeights(r.Weights)[:16]; got != want {
				t.Errorf("%s, %d workers: %s, not %s", path, workers, got, want)
			}
		}
	}
}

// TestResume cuts a run after every iteration.
func TestResume(t *testing.T) {
	p := randomProblem(t, 100, 8, 5, 13)
	want := solve(t, p, solvers.Settings{GapTolerance: 1e-9})
	saved := filepath.Join(t.TempDir(), "run")
	settings := solvers.Settings{GapTolerance: 1e-9, Checkpoint: saved, Overwrite: true}
	cuts := 0
	for passes := 0.5; ; passes++ {
		settings.MaxEpochs = passes
		r := solve(t, p, settings)
		settings.Resume = saved
		if cuts++; r.Status == solvers.Converged {
			if solvers.HashWeights(r.Weights) != solvers.HashWeights(want.Weights) || r.Total.Epochs != want.Total.Epochs {
				t.Errorf("other weights after %d cuts", cuts)
			}
			break
		}
		if r.Status != solvers.BudgetReached || cuts > 200 {
			t.Fatalf("%v after %d cuts", r.Status, cuts)
		}
	}
	if cuts < 10 {
		t.Errorf("only %d cuts", cuts)
	}
}

func TestRefuses(t *testing.T) {
	for what, change := range map[string]func(p *Problem){
		"no matrix":      func(p *Problem) { p.X = nil },
		"classes for":    func(p *Problem) { p.Class = p.Class[1:] },
		"two at least":   func(p *Problem) { p.Count = 1 },
		"class 3 of 3":   func(p *Problem) { p.Class[4] = 3 },
		"lambda is 0":    func(p *Problem) { p.Lambda = 0 },
		"weight NaN":     func(p *Problem) { p.SampleWeight = make([]float64, 30); p.SampleWeight[2] = math.NaN() },
		"sample weights": func(p *Problem) { p.SampleWeight = []float64{1} },
		"without rows":   func(p *Problem) { p.Count = math.MaxInt32 },
	} {
		p := randomProblem(t, 30, 4, 3, 1)
		change(p)
		if r, err := Solve(context.Background(), p, Newton{}, solvers.Settings{}); err == nil || r != nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: error %v", what, err)
		}
	}
	p := randomProblem(t, 30, 4, 3, 1)
	for what, m := range map[string]Newton{"forcing": {Forcing: 1}, "max-inner": {MaxInner: -1}} {
		if _, err := Solve(context.Background(), p, m, solvers.Settings{}); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: error %v", what, err)
		}
	}
	if _, err := Solve(context.Background(), nil, Newton{}, solvers.Settings{}); err == nil {
		t.Error("no problem is taken")
	}
}
