package pauc

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// The optimality conditions, computed here anew, also where planes repeat and where
// there are many more of them than dimensions.
func TestMixtureIsOptimal(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 1))
	for _, dimensions := range []int{0, 1, 3, 30} {
		var q mixture
		var b []float64
		var planes [][]float64
		height := func(k int) float64 {
			v := b[k]
			for u, a := range q.a {
				for j := range dimensions {
					v -= planes[k][j] * planes[u][j] * a
				}
			}
			return v
		}
		for round := range 60 {
			n := len(b)
			plane := make([]float64, dimensions)
			for j := range plane {
				plane[j] = random.NormFloat64() * math.Exp(3*random.NormFloat64())
			}
			constant := random.NormFloat64()
			if round%7 == 6 {
				plane = planes[random.IntN(n)]
			}
			b, planes = append(b, constant), append(planes, plane)
			row := make([]float64, n+1)
			for k := range row {
				for j := range plane {
					row[k] += plane[j] * planes[k][j]
				}
			}
			q.add(constant, row)
			value := q.solve(1e-9)
			if round%11 == 10 { // as dropping does
				for k := range b {
					if q.a[k] == 0 && !slices.Contains(q.used, k) {
						last := len(b) - 1
						q.drop(k)
						b[k], planes[k] = b[last], planes[last]
						b, planes = b[:last], planes[:last]
						break
					}
				}
			}
			sum, mean, most, dual := 0.0, 0.0, math.Inf(-1), 0.0
			for k, a := range q.a {
				if a < 0 {
					t.Fatalf("weight %v", a)
				}
				h := height(k)
				sum, mean, most = sum+a, mean+a*h, max(most, h)
				dual += a * (b[k] + h) / 2
			}
			if math.Abs(sum-1) > 1e-12 || most-mean > 1e-7 || math.Abs(value-dual) > 1e-7 {
				t.Fatalf("%d dimensions, %d planes: the sum is %v, the gap %v, the value %v and not %v", dimensions, len(b), sum, most-mean, dual, value)
			}
		}
	}
}

// The minimum against plain subgradient descent on a surrogate made of all rankings.
func TestCuttingAgainstSubgradients(t *testing.T) {
	repeat.Once(t)
	random := rand.New(rand.NewPCG(5, 1))
	const rows, columns = 6, 3
	for _, r := range repeat.Size([][2]float64{{0, 0.6}, {0.3, 0.9}, {0.25, 1}}, [][2]float64{{0.3, 0.9}}) {
		dense := make([]float64, rows*columns)
		for k := range dense {
			dense[k] = random.NormFloat64()
		}
		p := &Problem{X: denseMatrix(t, dense, columns), Y: []float64{1, -1, -1, 1, -1, -1}, Low: r[0], High: r[1], Lambda: 0.1}
		result := solve(t, p, SVMTight{}, solvers.Settings{GapTolerance: 1e-10})
		if result.Status != solvers.Converged {
			t.Fatal(result.Status, result.Gap)
		}
		z := make([]float64, rows)
		objective := func(w []float64) float64 {
			square := 0.0
			for _, v := range w {
				square += v * v
			}
			for i := range z {
				z[i] = 0
				for j, v := range w {
					z[i] += dense[i*columns+j] * v
				}
			}
			most := 0.0
			violations(z, p.Y, r[0]*4, r[1]*4, func(v float64) { most = max(most, v) })
			return p.Lambda/2*square + most/(2*4*(r[1]-r[0]))
		}
		if J := objective(result.Weights); math.Abs(J-result.Objective) > 1e-12 {
			t.Fatalf("J is %v, reported %v", J, result.Objective)
		}
		w, g := make([]float64, columns), make([]float64, columns)
		best := objective(w)
		for step := range repeat.Size(1000, 500) {
			J := objective(w)
			best = min(best, J)
			for j := range g { // J is smooth at almost every point
				const h = 1e-6
				w[j] += h
				g[j] = (objective(w) - J) / h
				w[j] -= h
			}
			for j := range w {
				w[j] -= g[j] / (p.Lambda * float64(step+2))
			}
		}
		if best < result.Objective-1e-9 || best > result.Objective+3e-3 {
			t.Errorf("range %v: J is %v, by descent %v", r, result.Objective, best)
		}
	}
}

func denseMatrix(t *testing.T, values []float64, columns int) *sparse.Matrix {
	t.Helper()
	ptr, list := []int64{0}, []uint32{}
	for k := range values {
		list = append(list, uint32(k%columns))
		if k%columns == columns-1 {
			ptr = append(ptr, int64(k+1))
		}
	}
	x, err := sparse.NewCSR(columns, ptr, list, values)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func newTestCutting(t testing.TB, p *Problem) *cutting {
	t.Helper()
	pool := matrix.NewPool(1)
	t.Cleanup(pool.Close)
	l := newCutting(newCommon(p.task(), pool, SVMTight{}.plan(nil), 1))
	constant, value, err := l.surrogate(l.best.scores)
	if err != nil {
		t.Fatal(err)
	}
	copy(l.bestCoef, l.coef)
	if l.value = value; l.add(constant) != nil {
		t.Fatal("no first plane")
	}
	return l
}

func (l *cutting) iterate(t testing.TB) {
	l.lower = max(l.lower, l.dual.solve(0.01*(l.value-l.lower)))
	if err := l.step(); err != nil {
		t.Fatal(err)
	}
}

// TestIdlePlanesAreKept: a plane that a restored run has is as long out of use as it was.
func TestIdlePlanesAreKept(t *testing.T) {
	p := sample(t, 400)
	p.Lambda = 1e-4
	l, restored := newTestCutting(t, p), newTestCutting(t, p)
	for range 8 {
		l.iterate(t)
	}
	l.t, l.idle[0] = 8, 7
	restored.planes, restored.idle = nil, nil
	if err := checkpoint.Decode(checkpoint.Encode(l.State), restored.State); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(restored.idle, l.idle) {
		t.Errorf("planes were idle for %v iterations, not %v", restored.idle, l.idle)
	}
}

// Planes kept by rows and by columns lead to the same minimum.
func TestDirectionsByRows(t *testing.T) {
	p := sample(t, 400)
	p.Lambda = 1e-3
	var value [2]float64
	for k, byRows := range []bool{false, true} {
		l := newTestCutting(t, p)
		if l.byRows != false {
			t.Fatal("by rows")
		}
		if byRows {
			l.space = &space{matrix: direct.Matrix{Matrix: p.X}, byRows: true, sum: make([]float64, p.X.Cols())}
			l.best, l.next = l.direction(true), l.direction(true)
			l.planes, l.idle, l.dual = nil, nil, mixture{}
			constant, _, err := l.surrogate(l.best.scores)
			if err != nil || l.add(constant) != nil {
				t.Fatal("no first plane")
			}
		}
		for range 60 {
			l.iterate(t)
		}
		w := make([]float64, p.X.Cols())
		l.Current(w)
		e := l.evaluate(w)
		if value[k] = e.Objective; math.Abs(e.Objective-l.value) > 1e-12 || !(e.Gap < 1e-3) {
			t.Errorf("by rows %v: J %v, tracked %v, gap %v", byRows, e.Objective, l.value, e.Gap)
		}
	}
	if math.Abs(value[0]-value[1]) > 1e-9 {
		t.Errorf("J is %v and %v", value[0], value[1])
	}
}

func TestWideDataAreKeptByRows(t *testing.T) {
	g, err := synthetic.ParseShape("wide:n=60,d=5000", 3)
	if err != nil {
		t.Fatal(err)
	}
	data, err := g.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &Problem{X: data.X, Y: data.Y, Low: 0.1, High: 0.45, Lambda: 1e-3}
	initial := make([]float64, p.X.Cols())
	for j := range initial {
		initial[j] = 0.1
	}
	r := solve(t, p, SVMTight{}, solvers.Settings{Initial: initial, GapTolerance: 1e-7})
	if r.Status != solvers.Converged || !(r.Gap <= 1e-7) || !(r.Objective < 0.5) {
		t.Errorf("%v, J %v, gap %v", r.Status, r.Objective, r.Gap)
	}
	file := filepath.Join(t.TempDir(), "c")
	method := SVMTight{}
	solve(t, p, method, solvers.Settings{Initial: initial, GapTolerance: 1e-7, MaxIterations: 4, Checkpoint: file})
	if again := solve(t, p, method, solvers.Settings{GapTolerance: 1e-7, Resume: file}); !slices.Equal(again.Weights, r.Weights) {
		t.Error("resumed, the run ends elsewhere")
	}
}

// TestCuttingLooksAtTheSamePoints: a run resumed after any iteration evaluates the points of an
// uninterrupted run. Its last reported point is part of its state.
func TestCuttingLooksAtTheSamePoints(t *testing.T) {
	repeat.Once(t)
	p := sample(t, 60)
	p.Lambda = 1e-4
	file := filepath.Join(t.TempDir(), "c")
	describe := func(trace solvers.Trace) (list []string) {
		for _, p := range trace {
			list = append(list, fmt.Sprint(p.Iterations, p.Objective, p.Gap))
		}
		return list
	}
	for _, target := range []float64{1e-7, 1e-300} {
		var trace solvers.Trace
		whole := solve(t, p, SVMTight{}, solvers.Settings{GapTolerance: target, Recorder: &trace})
		want := describe(trace)
		for cut := int64(3); cut < min(whole.Total.Iterations, 40); cut += 9 {
			solve(t, p, SVMTight{}, solvers.Settings{GapTolerance: target, MaxIterations: cut, Checkpoint: file, Overwrite: true})
			var rest solvers.Trace
			solve(t, p, SVMTight{}, solvers.Settings{GapTolerance: target, Resume: file, Recorder: &rest})
			if got := describe(rest); len(got) > len(want) || !slices.Equal(got, want[len(want)-len(got):]) {
				t.Fatalf("target %v, cut after %d: points\n%s\nwhere there should be\n%s", target, cut, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

// held measures a ranking of other rows.
type held struct{ p *Problem }

func (held) Name() string         { return "pauc" }
func (held) HigherIsBetter() bool { return true }
func (h held) Measure(w []float64) (float64, error) {
	z := make([]float64, h.p.X.Rows())
	if err := h.p.X.MulVec(nil, z, w); err != nil {
		return 0, err
	}
	_, area, err := metrics.PartialAUC(z, h.p.Y, nil, h.p.Low, h.p.High, h.p.MinTPR)
	return area, err
}

func TestCuttingStopsByValidation(t *testing.T) {
	p := sample(t, 300)
	p.Lambda = 1e-7
	var trace solvers.Trace
	r := solve(t, p, SVMTight{}, solvers.Settings{
		GapTolerance: 1e-9, Validation: held{sample(t, 3000)}, Patience: 2, Recorder: &trace,
	})
	best := trace[0].Metric
	for _, point := range trace {
		best = max(best, point.Metric)
	}
	if r.Metric != best || r.Status != solvers.StoppedEarly && r.Status != solvers.Converged {
		t.Errorf("%v with %v, the best is %v", r.Status, r.Metric, best)
	}
}

func TestCuttingAllocatesNothing(t *testing.T) {
	repeat.Skip(t)
	p := sample(t, 1500)
	p.Lambda = 1e-5
	l := newTestCutting(t, p)
	for range 200 {
		l.iterate(t)
	}
	if n := allocations.Count(50, func() { l.iterate(t) }); n != 0 {
		t.Errorf("%v allocations with %d planes", n, len(l.planes))
	}
	if len(l.planes) > 4*keptFor {
		t.Errorf("%d planes are kept", len(l.planes))
	}
}

// A gap that rounding does not let a run reach ends it all the same.
func TestCuttingEndsAtRounding(t *testing.T) {
	p := sample(t, 200)
	p.Lambda = 1e-4
	r := solve(t, p, SVMTight{}, solvers.Settings{GapTolerance: 1e-300})
	if !(r.Gap < 1e-9) || !(r.Gap > 0) || r.Status != solvers.Stalled {
		t.Errorf("%v with a gap of %v after %d iterations", r.Status, r.Gap, r.Total.Iterations)
	}
}

func TestCuttingSmallerLambdaFitsBetter(t *testing.T) {
	repeat.Once(t)
	p := sample(t, 1000)
	before := math.Inf(1)
	for _, lambda := range []float64{1e-1, 1e-3, 1e-5} {
		p.Lambda = lambda
		r, err := Solve(context.Background(), p, SVMTight{}, solvers.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		if value := r.Objective - lambda/2*kernels.SquaredNorm(r.Weights); value > before {
			t.Errorf("the surrogate is %v with lambda %v, and was %v", value, lambda, before)
		} else {
			before = value
		}
	}
}
