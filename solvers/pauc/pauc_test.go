package pauc

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

func sample(t testing.TB, n int) *Problem {
	t.Helper()
	g, err := synthetic.Shape{Name: "imbalanced", N: n, D: 40, Seed: 7}.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &Problem{X: g.X, Y: g.Y, Low: 0.05, High: 0.5}
}

func solve(t testing.TB, p *Problem, m Method, s solvers.Settings) *solvers.Result {
	t.Helper()
	return solvetest.MustSolve(t, Solve, p, m, s)
}

func TestLearnsFromZero(t *testing.T) {
	p := sample(t, 3000)
	for _, low := range []float64{0, 0.05} {
		p.Low = low
		r := solve(t, p, AGDSBCD{Mu: 1000}, solvers.Settings{Initial: make([]float64, p.X.Cols())})
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
	start = solve(t, p, AGDSBCD{}, s).Objective
	if r := solve(t, p, AGDSBCD{}, solvers.Settings{}); r.Objective > start {
		t.Errorf("%v, at the start %v", r.Objective, start)
	}
}

// run solves the sample as a problem of the kind that the method is for.
func fitted(t testing.TB, p *Problem, m Method, s solvers.Settings) *solvers.Result {
	t.Helper()
	if !ranged(m) {
		return solve(t, p, m, s)
	}
	low, high := Ranks(0.02, 0.3, len(p.Y))
	r, err := SolveRange(context.Background(), &RangeProblem{X: p.X, Y: p.Y, M: low, N: high, Lambda: p.Lambda}, m, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// named returns a solver with parameters, as in outer=2, or ?outer=2 where it has that.
func named(t testing.TB, name string, set ...string) Method {
	t.Helper()
	return solvetest.Named(t, Solvers(), ByName, name, set...)
}

// each visits every solver with parameters.
func each(t *testing.T, set []string, f func(t *testing.T, m Method)) {
	for _, d := range Solvers() {
		t.Run(d.Name, func(t *testing.T) { f(t, named(t, d.Name, set...)) })
	}
}

// dual tells whether a solver is the structural SVM, which has a gap and takes no steps.
func dual(m Method) bool { return m == SVMTight{} }

func TestSameBits(t *testing.T) {
	p, resumed := sample(t, 1500), []int64{1, 50, 120}
	if testing.Short() {
		p, resumed = sample(t, 400), []int64{30}
	}
	p.Lambda = 1e-3
	each(t, nil, func(t *testing.T, method Method) {
		sameBits(t, p, method, resumed)
		if _, ranks := method.(AUCMargin); !ranks && !dual(method) && !ranged(method) {
			twoWay := *p
			twoWay.MinTPR = 0.4
			sameBits(t, &twoWay, method, resumed)
		}
	})
}

// sameBits compares the weights of a run with the weights of several workers, of resumed runs, and
// of every CPU path.
func sameBits(t *testing.T, p *Problem, method Method, resumed []int64) {
	set := []string{"?outer=2"}
	if testing.Short() {
		set = append(set, "?length=20")
	} else if method.plan(p.task()).Constant {
		set = append(set, "length=100")
	}
	method = named(t, method.Name(), set...)
	initial := make([]float64, p.X.Cols()) // descent from 0: no method keeps it
	gap := 0.0
	if dual(method) {
		gap = 1e-9 // takes enough iterations
	}
	want := fitted(t, p, method, solvers.Settings{Workers: 1, Seed: 3, Initial: initial, GapTolerance: gap}).Weights
	compare := func(what string, got []float64) {
		t.Helper()
		for j := range want {
			if math.Float64bits(got[j]) != math.Float64bits(want[j]) {
				t.Fatalf("%s: weight %d is %v, not %v", what, j, got[j], want[j])
			}
		}
	}
	compare("workers", fitted(t, p, method, solvers.Settings{Workers: 3, Seed: 3, Initial: initial, GapTolerance: gap}).Weights)
	for _, iterations := range resumed {
		file := filepath.Join(t.TempDir(), "c")
		fitted(t, p, method, solvers.Settings{Seed: 3, MaxIterations: iterations, Checkpoint: file, Initial: initial, GapTolerance: gap})
		compare("resumed", fitted(t, p, method, solvers.Settings{Seed: 3, Resume: file, GapTolerance: gap}).Weights)
	}
	for path := range pathtest.Paths(t) {
		compare(path, fitted(t, p, method, solvers.Settings{Seed: 3, Initial: initial, GapTolerance: gap}).Weights)
	}
}

func TestDescends(t *testing.T) {
	repeat.Once(t)
	p, set := sample(t, 1500), []string(nil)
	if testing.Short() {
		p, set = sample(t, 500), []string{"?outer=2"}
	}
	each(t, set, func(t *testing.T, m Method) {
		var trace solvers.Trace
		p := *p
		if dual(m) {
			p.Lambda = 1e-4
		}
		r := fitted(t, &p, m, solvers.Settings{Seed: 1, Initial: make([]float64, p.X.Cols()), Recorder: &trace})
		if !(r.Objective < 0.7*trace[0].Objective) {
			t.Errorf("from %v to %v", trace[0].Objective, r.Objective)
		}
	})
}

func TestBadInput(t *testing.T) {
	p := sample(t, 100)
	for what, change := range map[string]func(p *Problem){
		"an empty range": func(p *Problem) { p.Low, p.High = 0.5, 0.5 }, "a negative rate": func(p *Problem) { p.Low = -1 },
		"a rate above 1": func(p *Problem) { p.High = 1.1 }, "NaN": func(p *Problem) { p.Low = math.NaN() },
		"a negative least rate": func(p *Problem) { p.MinTPR = -0.1 }, "a least rate of 1": func(p *Problem) { p.MinTPR = 1 }, "a least rate NaN": func(p *Problem) { p.MinTPR = math.NaN() },
		"no rows": func(p *Problem) { p.X = nil }, "few labels": func(p *Problem) { p.Y = p.Y[1:] },
		"lambda": func(p *Problem) { p.Lambda = -1 }, "infinite lambda": func(p *Problem) { p.Lambda = math.Inf(1) },
		"one class": func(p *Problem) { p.Y = slices.Repeat([]float64{1}, len(p.Y)) },
		"a label 0": func(p *Problem) { p.Y = make([]float64, len(p.Y)) },
	} {
		q := *p
		change(&q)
		if _, err := Solve(context.Background(), &q, AGDSBCD{}, solvers.Settings{}); err == nil {
			t.Errorf("%s: no error", what)
		}
		if _, err := q.Loss(nil, make([]float64, p.X.Cols())); err == nil {
			t.Errorf("the loss of %s: no error", what)
		}
	}
	for _, r := range [][2]int{{5, 5}, {-1, 5}, {0, 101}} {
		q := &RangeProblem{X: p.X, Y: p.Y, M: r[0], N: r[1]}
		if _, err := SolveRange(context.Background(), q, SoRRDCA{}, settings0); err == nil {
			t.Errorf("ranks %v: no error", r)
		}
	}
	q := &RangeProblem{X: p.X, Y: p.Y, M: 5, N: 50}
	for what, err := range map[string]error{
		"a method of ranges":    second(Solve(context.Background(), p, SoRRAGD{}, settings0)),
		"a method of rankings":  second(SolveRange(context.Background(), q, AGDSBCD{}, settings0)),
		"no method":             second(Solve(context.Background(), p, nil, settings0)),
		"no method of ranges":   second(SolveRange(context.Background(), q, nil, settings0)),
		"a gap":                 second(Solve(context.Background(), p, AGDSBCD{}, solvers.Settings{GapTolerance: 1})),
		"a short initial point": second(Solve(context.Background(), p, AGDSBCD{}, solvers.Settings{Initial: []float64{1}})),
		"no problem":            second(Solve(context.Background(), nil, AGDSBCD{}, settings0)),
		"no range problem":      second(SolveRange(context.Background(), nil, SoRRAGD{}, settings0)),
		"a bound of true-positive rates that is not taken": second(Solve(context.Background(), &Problem{X: p.X, Y: p.Y, High: 0.5, MinTPR: 0.5, Lambda: 1}, SVMTight{}, settings0)),
		"no threshold": second(Solve(context.Background(), p, AGDSBCD{Loops: Loops{Threshold: -1}}, settings0)),
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	// What a solver does not take, or not so, is refused.
	for _, c := range [][3]string{
		{"agd-sbcd", "step", "3000"}, {"agd-sbcd", "mu", "-1"}, {"agd-sbcd", "rows", "5"}, {"sorr-agd", "positives", "5"}, {"sorr-agd", "scale", "1"}, {"sorr-agd", "step", "-1"},
		{"dca", "mu", "1"}, {"dca", "inner", "-1"}, {"prox-dca", "step", "1"}, {"prox-dca", "mu", "NaN"}, {"sorr-dca", "logistic", "true"}, {"sorr-prox-dca", "negatives", "5"},
		{"sorr-prox-dca", "rows", "-1"}, {"svm-pauc-tight", "paper", "true"}, {"mb-pauc", "inner", "1"}, {"mb-pauc", "stages", "-1"}, {"auc-m", "logistic", "true"}, {"auc-m", "margin", "-1"},
	} {
		if _, err := ByName(c[0], map[string]string{c[1]: c[2]}); err == nil {
			t.Errorf("%s with %s=%s: no error", c[0], c[1], c[2])
		}
	}
	for _, m := range []Method{AGDSBCD{Scale: 2, Logistic: true}, AGDSBCD{Scale: 2, Loops: Loops{Paper: true}}, MiniBatch{Scale: 2, Logistic: true}, MiniBatch{Scale: 2, Paper: true}} {
		if err := family.Check(m); err == nil {
			t.Errorf("%+v: no error", m)
		}
	}
}

var settings0 solvers.Settings

func second(_ *solvers.Result, err error) error { return err }

// Numbers that overflow end a run with a status and the last finite point.
func TestDivergence(t *testing.T) {
	p := sample(t, 300)
	each(t, []string{"?inner=1e9", "?step=1000", "?outer=5", "?length=20"}, func(t *testing.T, m Method) {
		switch m.(type) {
		case SVMTight:
			return // takes no steps
		case MiniBatch, AUCMargin:
			m = named(t, m.Name(), "step=1e9", "stages=5", "length=20")
		}
		r := fitted(t, p, m, solvers.Settings{Initial: make([]float64, p.X.Cols())})
		for j, v := range r.Weights {
			if v-v != 0 {
				t.Fatalf("%v, and weight %d is %v", r.Status, j, v)
			}
		}
	})
}

// TestTwoWayObjective: what a run reports is 1 minus the two-way partial AUC, and a
// checkpoint belongs to one bound of the true-positive rates.
func TestTwoWayObjective(t *testing.T) {
	p := sample(t, 500)
	p.Low, p.MinTPR = 0, 0.6
	file := filepath.Join(t.TempDir(), "c")
	for _, m := range []Method{AGDSBCD{}, MiniBatch{}, DCA{}} {
		r := solve(t, p, m, solvers.Settings{Seed: 1, MaxIterations: 60, Checkpoint: file, Overwrite: true})
		_, area, err := metrics.PartialAUC(scoresOf(t, p.X, r.Weights), p.Y, nil, p.Low, p.High, p.MinTPR)
		if err != nil || r.Objective != 1-area {
			t.Errorf("%s: objective %v, 1 - two-way partial AUC %v (%v)", m.Name(), r.Objective, 1-area, err)
		}
		other := *p
		other.MinTPR = 0.5
		if _, err := Solve(context.Background(), &other, m, solvers.Settings{Seed: 1, Resume: file}); err == nil {
			t.Errorf("%s: a checkpoint of another bound was resumed", m.Name())
		}
	}
}

// twoKinds draws rows of three columns. A part of the positives is easily separated in one
// direction, the others hardly in another one: no linear score serves both.
func twoKinds(t *testing.T, seed uint64) (*sparse.Matrix, []float64) {
	t.Helper()
	const n = 6000
	random := rand.New(rand.NewPCG(seed, 1))
	var y, values []float64
	var columns []uint32
	ptr := []int64{0}
	for i := range n {
		centre, label := [3]float64{}, -1.0
		switch {
		case i%10 == 0:
			centre, label = [3]float64{-0.6, 1.8, 0.3}, 1
		case i%10 < 3:
			centre, label = [3]float64{4, 1.2, 0}, 1
		}
		y = append(y, label)
		for j, c := range centre {
			columns, values = append(columns, uint32(j)), append(values, c+random.NormFloat64())
		}
		ptr = append(ptr, int64(len(columns)))
	}
	x, err := sparse.NewCSR(3, ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	return x, y
}

// TestTwoWayBeatsOneWay: a run for the two-way partial AUC ends above runs for the partial
// and for the whole AUC, on fresh rows. (Where a linear model fits the data, every
// ranking loss has the same best ranking.)
func TestTwoWayBeatsOneWay(t *testing.T) {
	repeat.Skip(t)
	x, y := twoKinds(t, 1)
	fresh, labels := twoKinds(t, 2)
	const high, minTPR = 0.5, 0.7
	area := func(m Method, minTPROfRun float64) float64 {
		r := solve(t, &Problem{X: x, Y: y, High: high, MinTPR: minTPROfRun, Lambda: 1e-4}, m, solvers.Settings{Seed: 1})
		_, v, err := metrics.PartialAUC(scoresOf(t, fresh, r.Weights), labels, nil, 0, high, minTPR)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	whole := area(AUCMargin{}, 0)
	for _, m := range []Method{AGDSBCD{}, MiniBatch{}} {
		one, two := area(m, 0), area(m, minTPR)
		t.Logf("%s: two-way %.4f, one-way %.4f, AUC %.4f", m.Name(), two, one, whole)
		if !(two > one+0.003 && two > whole+0.003) {
			t.Errorf("%s: trained two-way %v, one-way %v, for the AUC %v", m.Name(), two, one, whole)
		}
	}
}
