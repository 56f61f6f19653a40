package elasticnet

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// wide draws full rows of 150 columns, a constant one among them, and two that differ by near. They
// are too many for the matrix of all columns at once.
func wide(t *testing.T, near float64, k int) *Problem {
	t.Helper()
	const n, d = 260, 150
	r := rand.New(rand.NewPCG(uint64(k), 7))
	x, y := make([]float64, n*d), make([]float64, n)
	for i := range n {
		row := x[i*d:][:d]
		common := normal(r)
		for j := range row {
			row[j] = 2*float64(k/8)*float64(j%3) + 0.5*common + normal(r)
			y[i] += row[j] * float64(max(0, j%9-6))
		}
		row[1], row[4] = 3, row[3]+near*row[4]
		y[i] += 5 + normal(r)
	}
	p := &Problem{X: full(t, d, x), Y: y, Loss: loss.Squared{}, Penalty: penalty.L1{Lambda: 0.3}}
	if k&4 != 0 {
		p.Penalty = penalty.ElasticNet{L1: 0.1, L2: 0.05}
	}
	if k&2 != 0 {
		p.SampleWeight, p.Offset = make([]float64, n), make([]float64, n)
		for i := range y {
			p.SampleWeight[i], p.Offset[i] = float64(i%4), math.Sin(float64(i))
		}
	}
	setIntercept(p, k&1 != 0)
	return p
}

// TestTall: steps over tall columns end where steps by rows do: with weights, offsets and an
// intercept, where columns nearly depend on one another, and with the same bits by any workers and
// where the run is cut.
func TestTall(t *testing.T) {
	for _, near := range []float64{1, 1e-7} {
		for k := 0; k < 16; k += repeat.Size(1, 5) {
			p := wide(t, near, k)
			if !newLoop(ProximalNewton{}, newObjective(p, nil), nil).fills() {
				t.Fatal("no tall columns")
			}
			settings := solvers.Settings{GapTolerance: 1e-9, Workers: 1}
			r := solve(t, p, settings)
			q := *p
			q.Loss = byRows{}
			if s := solve(t, &q, settings); r.Status != solvers.Converged || s.Status != solvers.Converged || !(math.Abs(r.Objective-s.Objective) <= 1e-9) {
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

// solving is a loop that compares the violations after each step with those before.
type solving struct {
	*loop
	t     *testing.T
	steps int
}

func (l *solving) Next(c *run.Control) {
	if l.stage != stepping {
		l.loop.Next(c)
		return
	}
	before := kernels.MaxAbs(l.v[:l.d])
	if l.loop.Next(c); l.part == nil || l.part.tall == nil || !l.exact {
		l.t.Error("a step of another kind")
		return
	}
	g := slices.Clone(l.g)
	l.gradient(l.w)
	for a, j := range l.part.list {
		l.part.slope[a] = l.g[j]
	}
	copy(l.part.slope[l.part.k:], l.g[l.d:])
	after := l.worst(l.part, func(a int) float64 { return l.w[l.part.list[a]] })
	if l.steps++; !(after <= 3*innerShare*before) {
		l.t.Errorf("step %d, matrix %v: a violation of %v, not of at most a tenth of %v", l.steps, l.part.dense, after, before)
	}
	copy(l.g, g)
}

// TestTallSteps: each step solves the problem on its working set, by epochs and by the matrix.
func TestTallSteps(t *testing.T) {
	for k := range 16 {
		if k&9 == 8 { // without an intercept, far columns take more epochs than a step has
			continue
		}
		p := wide(t, 0.5, k)
		var l *solving
		r, err := run.Solve(context.Background(), solvers.Settings{GapTolerance: 1e-6}, run.Plan{
			Family: "elasticnet", Solver: "solving", Columns: p.X.Cols(), Accepts: accepts, Objective: solvers.SparseLoss,
			Begin: func(s *run.Session) (run.Run, error) {
				o := newObjective(p, s.Pool)
				l = &solving{loop: newLoop(ProximalNewton{}, o, nil), t: t}
				return run.Run{Samples: p.X.Rows(), Loop: l, Smooth: true, Reports: true, AtZero: o.atZero, Evaluate: newObjective(p, s.Pool).evaluate}, nil
			},
		})
		if err != nil || r.Status != solvers.Converged || l.steps == 0 {
			t.Errorf("%d: %v, %v", k, err, r)
		}
	}
}

// TestPassed: the gradient that a pass leaves is the gradient by margins and slopes, unless the
// intercept moves: then it is computed anew.
func TestPassed(t *testing.T) {
	for k := range 8 {
		p := wide(t, 1, k)
		l := newLoop(ProximalNewton{}, newObjective(p, nil), nil)
		for j := range l.w {
			l.w[j] = float64(j%3) / 10
		}
		want := newObjective(p, nil)
		for move := range 2 {
			l.pass(l.w)
			l.mean, l.passed = 1, true
			if moved := l.recentre(l.w, 1e-9); moved != (p.Intercept && move == 0) || l.passed == moved {
				t.Errorf("%d, %d: moved %v, passed %v", k, move, moved, l.passed)
			}
			l.gradient(l.w)
			want.place(l.w)
			want.gradient(l.w)
			if l.passed || !slices.Equal(l.g, want.g) || !slices.Equal(l.z, want.z) || !slices.Equal(l.base, want.base) {
				t.Errorf("%d, %d: other bits", k, move)
			}
		}
	}
}
