package softmax

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// fullProblem has enough full rows for runs to take samples. The last column has entries in 40 rows
// alone.
func fullProblem(t *testing.T, count int) *Problem {
	t.Helper()
	const n, d = 20000, 26
	r := rand.New(rand.NewPCG(3, uint64(count)))
	x, p := make([]float64, n*d), &Problem{Count: count, Lambda: 1. / n, Intercept: true}
	centres := make([]float64, count*d)
	for j := range centres {
		centres[j] = 0.7 * normal(r)
	}
	for i := range n {
		c := r.IntN(count)
		p.Class = append(p.Class, uint32(c))
		for j := range d {
			x[i*d+j] = centres[c*d+j] + normal(r)
		}
		if i%500 != 7 {
			x[i*d+d-1] = 0
		}
	}
	m, err := sparse.NewDense(nil, &sparse.Dense{Rows: n, Columns: d, RowStride: d, ColumnStride: 1, Float64: x})
	if err != nil {
		t.Fatal(err)
	}
	if p.X = m.WithBias(1); sampleRows(p) == 0 {
		t.Fatal("no samples are taken")
	}
	return p
}

// TestSampleOfAll: a sample as large as the rows is all of them, and has their Hessian.
func TestSampleOfAll(t *testing.T) {
	p := weighted(fullProblem(t, 9))
	o, r := newObjective(p, nil), rand.New(rand.NewPCG(2, 2))
	w, v := make([]float64, o.d*o.k), make([]float64, o.d*o.k)
	for j := range w {
		w[j], v[j] = 0.1*normal(r), normal(r)
	}
	o.evaluate(w)
	m := newMetric(o, make([]float64, len(w)))
	m.bends()
	want, got := make([]float64, len(w)), make([]float64, len(w))
	o.product(want, make([]float64, o.n*o.k), v)
	for _, rows := range []int{o.n, 4000} {
		s := newSample(o, rows)
		s.draw(m.h)
		s.product(got, v)
		off := 0.0
		for j := range want {
			off = max(off, math.Abs(got[j]-want[j]))
		}
		most := 1e-12 * direct.Norm(want)
		if rows < o.n {
			most = 0.2 * direct.Norm(want)
		}
		if len(s.list) > rows || len(s.list) < rows*9/10 || !slices.IsSorted(s.list) || !(off <= most) {
			t.Errorf("%d rows: %d are taken, a product is off by %v of %v", rows, len(s.list), off, direct.Norm(want))
		}
	}
}

// TestSampleSums: the expected curvature of a sample is the curvature of all rows, and every column
// keeps its own curvature.
func TestSampleSums(t *testing.T) {
	p := weighted(fullProblem(t, 9))
	o := newObjective(p, nil)
	o.evaluate(make([]float64, o.d*o.k))
	m := newMetric(o, nil)
	m.bends()
	whole, taken := make([]float64, o.d), make([]float64, o.d)
	o.x.AddSquares(whole, m.h)
	s := newSample(o, 500)
	const turns = 40
	for s.turn = range turns {
		s.draw(m.h)
		found := make([]float64, o.d)
		s.x.AddSquares(found, s.h)
		for j, v := range found {
			taken[j] += v / turns
			if v+s.left[j] < whole[j]*(1-1e-12) {
				t.Fatalf("turn %d: column %d has a curvature of %v and %v, less than %v", s.turn, j, v, s.left[j], whole[j])
			}
		}
	}
	for j, v := range whole[:o.d-2] {
		if math.Abs(taken[j]/v-1) > 0.05 {
			t.Errorf("column %d: %v in the mean, not %v", j, taken[j], v)
		}
	}
}

// TestSampledRuns: runs by samples end at the minimum of runs by all rows, after fewer passes.
func TestSampledRuns(t *testing.T) {
	for _, free := range []bool{true, false} {
		p := weighted(fullProblem(t, 9))
		p.Intercept = free
		got := solve(t, p, solvers.Settings{GapTolerance: 1e-9, MaxEpochs: 30})
		if got.Status != solvers.Converged || got.Gap < 0 {
			t.Errorf("%v after %v passes", got.Status, got.Total.Epochs)
		}
		columns := make([]float64, len(got.Weights))
		newObjective(p, nil).byColumn(columns, got.Weights)
		if _, _, gap := (*certificate.Classes)(p).Careful(columns); !(gap <= 1.01e-9) {
			t.Errorf("a gap of %v", gap)
		}
	}
}

// TestSampledBits: every CPU path and number of workers gives the bits of the file.
func TestSampledBits(t *testing.T) {
	const want = "72a8c5aab1b256ed"
	p := weighted(fullProblem(t, 9))
	for path := range pathtest.Paths(t) {
		for _, workers := range repeat.Size([]int{1, 2, 5}, []int{2}) {
			r := solve(t, p, solvers.Settings{GapTolerance: 1e-4, Workers: workers})
			if got := solvers.HashWeights(r.Weights)[:16]; got != want {
				t.Errorf("%s, %d workers: %s, not %s", path, workers, got, want)
			}
		}
	}
}

// TestSampledResume cuts a run after every half of a pass.
func TestSampledResume(t *testing.T) {
	p := fullProblem(t, 9)
	want := solve(t, p, solvers.Settings{GapTolerance: 1e-4})
	saved := filepath.Join(t.TempDir(), "run")
	settings := solvers.Settings{GapTolerance: 1e-4, Checkpoint: saved, Overwrite: true}
	cuts := 0
	for passes := 0.5; ; passes += 0.5 {
		settings.MaxEpochs = passes
		r := solve(t, p, settings)
		settings.Resume = saved
		if cuts++; r.Status == solvers.Converged {
			if solvers.HashWeights(r.Weights) != solvers.HashWeights(want.Weights) || r.Total.Epochs != want.Total.Epochs {
				t.Errorf("other weights after %d cuts", cuts)
			}
			break
		}
		if r.Status != solvers.BudgetReached || cuts > 100 {
			t.Fatalf("%v after %d cuts", r.Status, cuts)
		}
	}
	if cuts < 10 {
		t.Errorf("only %d cuts", cuts)
	}
}

// TestWiden: samples grow to half of the rows, and then steps take all rows.
func TestWiden(t *testing.T) {
	p := fullProblem(t, 9)
	o := newObjective(p, nil)
	m := newMetric(o, make([]float64, o.d*o.k))
	sizes := []int(nil)
	for m.sample != nil {
		sizes = append(sizes, m.sample.rows)
		m.widen()
	}
	if !slices.Equal(sizes, []int{o.n / 8, o.n / 4, o.n / 2}) {
		t.Errorf("samples of %d rows", sizes)
	}
}

// TestBalance: the intercepts have no slopes left to speak of, and margins belong to the weights.
func TestBalance(t *testing.T) {
	p := weighted(fullProblem(t, 9))
	o, r := newObjective(p, nil), rand.New(rand.NewPCG(4, 2))
	w := make([]float64, o.d*o.k)
	for j := range w {
		w[j] = 0.1 * normal(r)
	}
	for _, far := range []float64{0.3, 30} {
		centre(w[o.held:])
		for c := range w[o.held:] {
			w[o.held+c] *= far
		}
		direct.Must(matrix.MulDense(p.X, nil, o.z, w, o.k))
		o.slopes(o.z)
		before := o.mean()
		b := newBalance(o)
		b.run(w, o.z)
		e := o.gather(o.g, w)
		if after := o.mean(); !(after < before) {
			t.Errorf("the loss went from %v to %v", before, after)
		}
		if h := direct.Norm(o.g[o.held:]); far < 1 && !(h <= 1e-9*e.GradientNorm) {
			t.Errorf("slopes of %v beside %v", h, e.GradientNorm)
		}
		anew := make([]float64, len(o.z))
		direct.Must(matrix.MulDense(p.X, nil, anew, w, o.k))
		share := float64(2*(o.d+16)) * 0x1p-53 * direct.Norm(w)
		norms := matrix.Norms(p.X)
		for i := range o.n {
			for c, z := range o.row(o.z, i) {
				if off := math.Abs(z - o.row(anew, i)[c]); off > share*norms[i] {
					t.Fatalf("row %d, class %d: the margin is off by %v", i, c, off)
				}
			}
		}
	}
}
