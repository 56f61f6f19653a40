package pauc

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

func sample(t testing.TB, n int) *Problem {
	t.Helper()
	g, err := sparse.Shape{Name: "imbalanced", N: n, D: 40, Seed: 7}.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &Problem{X: g.X, Y: g.Y, Low: 0.05, High: 0.5}
}

func solve(t testing.TB, p *Problem, m Method, s solvers.Settings) *solvers.Result {
	t.Helper()
	r, err := Solve(context.Background(), p, m, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLearnsFromZero(t *testing.T) {
	p := sample(t, 3000)
	for _, low := range []float64{0, 0.05} {
		p.Low = low
		r := solve(t, p, Method{Mu: 1000}, solvers.Settings{Initial: make([]float64, p.X.Cols())})
		t.Logf("[%v, %v]: 1 - pAUC %.4f at iteration %d of %d", p.Low, p.High, r.Objective, r.Point.Iterations, r.Total.Iterations)
		if !(r.Objective < 0.3) {
			t.Errorf("1 - pAUC is %v", r.Objective)
		}
	}
}

func TestNoWorseThanWarmStart(t *testing.T) {
	p := sample(t, 3000)
	var start float64
	s := solvers.Settings{MaxIterations: 1}
	start = solve(t, p, Method{}, s).Objective
	if r := solve(t, p, Method{}, solvers.Settings{}); r.Objective > start {
		t.Errorf("%v, at the start %v", r.Objective, start)
	}
}

// The lazily scaled iterate and its average against step (14) done densely.
func TestLazyAverageIsTheDenseOne(t *testing.T) {
	p := sample(t, 500)
	pool := sparse.NewPool(1)
	defer pool.Close()
	method := Method{Positives: 5, Negatives: 20, Mu: 3}.withDefaults()
	l := newLoop(p, pool, method, 1)
	if err := l.thresholds(); err != nil {
		t.Fatal(err)
	}
	l.phase = 1
	const steps = 200 // a shrinks below smallest on the way
	d := p.X.Cols()
	v, sum := make([]float64, d), make([]float64, d)
	q := method.Mu / (method.Mu + method.Inner)
	for range steps {
		before, a := slices.Clone(l.u), l.a
		if err := l.step(); err != nil {
			t.Fatal(err)
		}
		for j := range v {
			old := before[j] * a // what was folded on the way keeps its value
			g := l.u[j]*l.a - q*old
			v[j] = q*v[j] + g
			sum[j] += v[j]
		}
	}
	if err := l.fold(1); err != nil {
		t.Fatal(err)
	}
	for j := range sum {
		if math.Abs(sum[j]-l.total[j]) > 1e-9*(1+math.Abs(sum[j])) {
			t.Fatalf("column %d: %v, dense %v", j, l.total[j], sum[j])
		}
	}
}

func TestSameBits(t *testing.T) {
	p := sample(t, 1500)
	method := Method{Outer: 2}
	want := solve(t, p, method, solvers.Settings{Workers: 1, Seed: 3}).Weights
	compare := func(what string, got []float64) {
		t.Helper()
		for j := range want {
			if math.Float64bits(got[j]) != math.Float64bits(want[j]) {
				t.Fatalf("%s: weight %d is %v, not %v", what, j, got[j], want[j])
			}
		}
	}
	compare("workers", solve(t, p, method, solvers.Settings{Workers: 3, Seed: 3}).Weights)
	file := filepath.Join(t.TempDir(), "c")
	solve(t, p, method, solvers.Settings{Seed: 3, MaxIterations: 120, Checkpoint: file})
	compare("resumed", solve(t, p, method, solvers.Settings{Seed: 3, Resume: file}).Weights)
	restore, err := dispatch.Force("generic")
	if err != nil {
		t.Fatal(err)
	}
	defer restore()
	compare("generic", solve(t, p, method, solvers.Settings{Seed: 3}).Weights)
}

func TestBadInput(t *testing.T) {
	p := sample(t, 100)
	for _, r := range [][2]float64{{0.5, 0.5}, {-1, 1}, {0, 1.1}, {math.NaN(), 1}} {
		q := *p
		q.Low, q.High = r[0], r[1]
		if _, err := Solve(context.Background(), &q, Method{}, solvers.Settings{}); err == nil {
			t.Errorf("%v accepted", r)
		}
	}
	if _, err := ByName("agd-sbcd", map[string]string{"step": "3"}); err == nil {
		t.Error("step 3 accepted")
	}
}
