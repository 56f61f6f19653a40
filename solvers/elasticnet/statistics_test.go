package elasticnet

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// byRows is the squared loss, which does not tell that its model is exact.
type byRows struct{ loss.Squared }

func (byRows) Quadratic() bool { return false }

// targets draws rows with a constant column, a column of zeros, and two columns that differ by near.
func targets(t *testing.T, n, d int, mean, near float64, seed uint64) *Problem {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	x, y := make([]float64, n*d), make([]float64, n)
	for i := range n {
		row := x[i*d:][:d]
		for j := range row {
			row[j] = mean*float64(j%3) + normal(r)
			y[i] += row[j] * float64(j%5-2)
		}
		row[1], row[2], row[4] = 3, 0, row[3]+near*row[4]
		y[i] += 5 + normal(r)
	}
	return &Problem{X: full(t, d, x), Y: y, Loss: loss.Squared{}, Penalty: penalty.L1{Lambda: 0.05}}
}

// TestStatistics: steps by statistics end where steps by rows do, in fewer passes: with weights,
// offsets and an intercept, a constant column and a column of zeros, where columns nearly depend on
// one another, and with the same bits by any workers and where the run is cut.
func TestStatistics(t *testing.T) {
	for _, near := range []float64{1, 1e-7} {
		for k := range 16 {
			p := targets(t, 400, 12, float64(k/8)*10, near, uint64(k))
			if k&4 != 0 {
				p.Penalty = penalty.ElasticNet{L1: 0.02, L2: 0.1}
			}
			if k&2 != 0 {
				p.SampleWeight, p.Offset = make([]float64, 400), make([]float64, 400)
				for i := range p.Y {
					p.SampleWeight[i], p.Offset[i] = float64(i%4), math.Sin(float64(i))
				}
			}
			setIntercept(p, k&1 != 0)
			settings := solvers.Settings{GapTolerance: 1e-9, Workers: 1}
			r := solve(t, p, settings)
			q := *p
			q.Loss = byRows{}
			if s := solve(t, &q, settings); r.Status != solvers.Converged || s.Status != solvers.Converged || !(math.Abs(r.Objective-s.Objective) <= 1e-9) || near == 1 && !(r.Epochs < s.Epochs) {
				t.Errorf("%d, near %v: %v at %v after %v passes; by rows %v at %v after %v", k, near, r.Status, r.Objective, r.Epochs, s.Status, s.Objective, s.Epochs)
			}
			if value := value(p, r.Weights); !(math.Abs(value-r.Objective) <= 1e-12*value) {
				t.Errorf("%d, near %v: the objective is %v, not %v", k, near, value, r.Objective)
			}
			settings.Workers = 2
			if s := solve(t, p, settings); !slices.Equal(r.Weights, s.Weights) {
				t.Errorf("%d, near %v: other bits by two workers", k, near)
			}
			saved := filepath.Join(t.TempDir(), "run")
			settings.Checkpoint, settings.Overwrite = saved, true
			for settings.MaxIterations = 1; ; settings.MaxIterations++ {
				s := solve(t, p, settings)
				if settings.Resume = saved; s.Status == solvers.BudgetReached && settings.MaxIterations < 100 {
					continue
				}
				if !slices.Equal(r.Weights, s.Weights) {
					t.Errorf("%d, near %v: other bits after %d cuts", k, near, settings.MaxIterations)
				}
				break
			}
		}
	}
}

// spoiled is a loop whose first matrix is one hundredth of the right one.
type spoiled struct {
	*loop
	seen bool
}

func (l *spoiled) Next(c *run.Control) {
	if l.stage == stepping && !l.seen {
		l.seen = true
		l.curvatures()
		direct.Scale(l.h, 0.01, l.h)
		if l.fills() {
			l.tall, l.places = matrix.NewDenseColumns(l.x.Matrix, l.h, l.p.Intercept), make([]uint32, l.d)
		}
		l.part = l.newPart(l.list)
		l.part.begin(l.h, l.work, l.w, l.slack, l.lambda, nil)
	}
	l.loop.Next(c)
}

// TestSpoiledStatistics: a matrix that is of no use does not end a run, or certify it.
func TestSpoiledStatistics(t *testing.T) {
	testSpoiled(t, targets(t, 400, 12, 1, 1, 3))
	testSpoiled(t, wide(t, 1, 0))
}

func testSpoiled(t *testing.T, p *Problem) {
	t.Helper()
	setIntercept(p, true)
	right := solve(t, p, solvers.Settings{GapTolerance: 1e-9})
	var l *spoiled
	r, err := run.Solve(context.Background(), solvers.Settings{GapTolerance: 1e-9}, run.Plan{
		Family: "elasticnet", Solver: "spoiled", Columns: p.X.Cols(), Accepts: accepts, Objective: solvers.SparseLoss,
		Begin: func(s *run.Session) (run.Run, error) {
			o := newObjective(p, s.Pool)
			l = &spoiled{loop: newLoop(ProximalNewton{}, o, nil)}
			return run.Run{Samples: p.X.Rows(), Loop: l, Smooth: true, Reports: true, AtZero: o.atZero, Evaluate: newObjective(p, s.Pool).evaluate}, nil
		},
	})
	if err != nil || !l.seen || l.exact || r.Status != solvers.Converged || !(math.Abs(r.Objective-right.Objective) <= 1e-9) {
		t.Errorf("%v: seen %t, exact %t, %v at %v, not %v", err, l.seen, l.exact, r.Status, r.Objective, right.Objective)
	}
}

// TestWithoutLast: the matrix without an intercept is of columns less their weighted means, also
// where its rows came in one after the other.
func TestWithoutLast(t *testing.T) {
	p := targets(t, 50, 5, 2, 1, 9)
	setIntercept(p, true)
	h := make([]float64, 50)
	for i := range h {
		h[i] = float64(1+i%3) / 100
	}
	x := direct.Matrix{Matrix: p.X}
	whole, parts := make([]float64, 36), make([]float64, 36)
	x.Gram(whole, h)
	x.Gram(parts, h)
	last := slices.Clone(parts[30:])
	means := withoutLast(whole, 6, 0, nil)
	columns := make([][]float64, 5)
	for j := range columns {
		columns[j] = make([]float64, 50)
		for i := range h {
			for at, v := range p.X.Row(i) {
				if at == j {
					columns[j][i] = v
				}
			}
		}
		mean := direct.Dot(h, columns[j]) / kernels.Sum(h)
		if math.Abs(means[j]-mean) > 1e-14*(1+math.Abs(mean)) {
			t.Errorf("mean %d is %v, not %v", j, means[j], mean)
		}
		for i := range h {
			columns[j][i] -= mean
		}
	}
	for a := range 5 {
		for b := range a + 1 {
			want := 0.0
			for i, v := range h {
				want += v * columns[a][i] * columns[b][i]
			}
			if got := whole[a*6+b]; math.Abs(got-want) > 1e-13 || whole[30+b] != 0 {
				t.Errorf("element %d, %d is %v, not %v", a, b, got, want)
			}
		}
	}
	clear(parts[12:30]) // two rows before the others
	some := withoutLast(parts, 6, 0, nil)[:2]
	again := make([]float64, 36)
	x.Gram(again, h)
	copy(again[:12], parts[:12])
	copy(again[30:], last)
	if means := withoutLast(again, 6, 2, some); !slices.Equal(again, whole) || len(means) != 5 {
		t.Error("another matrix of rows that came in one after the other")
	}
}

// TestExpected: the gap that steps by statistics expect is the gap that rows certify, but for
// rounding.
func TestExpected(t *testing.T) {
	for k := range 4 {
		p := targets(t, 300, 8, 1, 1, uint64(k))
		if k&2 != 0 {
			p.Penalty = penalty.ElasticNet{L1: 0.05, L2: 0.1}
		}
		setIntercept(p, k&1 != 0)
		o := newObjective(p, nil)
		w := make([]float64, p.X.Cols())
		for j := range w {
			w[j] = 0.1 * float64(j%3)
		}
		o.place(w)
		o.recentre(w, 1e-12)
		gap := o.here(w).Gap
		l := newLoop(ProximalNewton{}, o, w)
		l.list = ascending(l.d)
		s := l.newPart(l.list)
		copy(s.slope, o.g)
		copy(s.to, w)
		if got := l.expected(s); !(math.Abs(got-gap) <= 1e-9*gap) {
			t.Errorf("%d: a gap of %v, not %v", k, got, gap)
		}
	}
}
