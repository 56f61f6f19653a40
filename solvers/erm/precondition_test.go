package erm

import (
	"context"
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// loopInMemory returns the loop over all rows of an objective.
func loopInMemory(o *objective) *newtonLoop {
	rows := newInMemory(o)
	return newNewtonLoop(Newton{}.withDefaults(), o.p, rows, rows, o.x.Pool, nil, o.settings)
}

// TestPreconditionerInvertsTheHessian: once it is dense, M^-1 H v = v.
func TestPreconditionerInvertsTheHessian(t *testing.T) {
	p := newtonProblem(t, "dense:n=5000,d=20", loss.Logistic{}, 0.01)
	h, v, margin := make([]float64, p.X.Rows()), make([]float64, p.X.Cols()), make([]float64, p.X.Rows())
	for i := range h {
		h[i] = 1 / float64(i+300)
	}
	for j := range v {
		v[j] = float64(j%5) - 1.5
	}
	rows := newInMemory(newObjective(p, nil, nil))
	rows.h = h
	m := newPreconditioner(rows, p, len(v), nil, nil, false)
	m.age = math.MaxInt
	product, got := make([]float64, len(v)), make([]float64, len(v))
	if err := m.refresh(); err != nil || !m.dense {
		t.Fatal("no factor is formed")
	}
	rows.x.MulVec(margin, v)
	direct.Mul(margin, margin, h)
	rows.x.AddTrans(product, margin)
	direct.Axpy(p.Ridge(), v, product)
	m.Solve(new(direct.Vectors), got, product)
	for j := range v {
		if math.Abs(got[j]-v[j]) > 1e-9 {
			t.Errorf("element %d is %v, not %v", j, got[j], v[j])
		}
	}
}

// TestFactorNearTheTarget: a factor waits for the iterations to cost as much, and twice as
// long near the target.
func TestFactorNearTheTarget(t *testing.T) {
	p := newtonProblem(t, "dense:n=300,d=200", loss.Logistic{}, 0.01)
	for _, c := range []struct {
		share float64
		near  bool
		dense bool
	}{{0.9, false, false}, {1.1, false, true}, {1.1, true, false}, {1.9, true, false}, {2.1, true, true}} {
		m := newPreconditioner(newInMemory(newObjective(p, nil, nil)), p, p.X.Cols(), nil, nil, false)
		m.age, m.near = int(math.Round(c.share*m.cost)), c.near
		if err := m.refresh(); err != nil || m.dense != c.dense {
			t.Errorf("%v of the cost %v, near %v: a factor %v, %v", c.share, m.cost, c.near, m.dense, err)
		}
	}
	near := solvers.Settings{GapTolerance: 3e-3 * math.Ln2}
	p = newtonProblem(t, "onehot:n=1000", loss.Logistic{}, 1./1000)
	wide := solvers.Settings{GapTolerance: 1e-6 * math.Ln2}
	for _, c := range []struct {
		settings solvers.Settings
		dense    bool
	}{{near, false}, {wide, true}} {
		full := newObjective(p, nil, nil)
		full.settings = c.settings
		l := loopInMemory(full)
		settings, err := run.Check(c.settings, p.X.Cols())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := run.Drive(context.Background(), run.Run{Samples: p.X.Rows(), Columns: p.X.Cols(), Reports: true, Loop: l, Evaluate: full.evaluate}, settings); err != nil {
			t.Fatal(err)
		}
		if l.metric.dense != c.dense {
			t.Errorf("to a gap of %v: a factor %v", c.settings.GapTolerance, l.metric.dense)
		}
	}
}

// dependentColumns has two equal columns, an empty one and two that nearly agree.
func dependentColumns(t *testing.T, lambda float64) *Problem {
	t.Helper()
	const n, d = 400, 6
	var columns []uint32
	var values, y []float64
	ptr := []int64{0}
	for i := range n {
		a, b, c := math.Sin(float64(i)), math.Cos(float64(3*i)), math.Sin(float64(i*i))
		columns = append(columns, 0, 1, 2, 4, 5)
		values = append(values, a, a, b, c, c+1e-4*b)
		ptr = append(ptr, int64(len(columns)))
		y = append(y, math.Copysign(1, a+0.5*b+math.Sin(float64(7*i))))
	}
	x, err := sparse.NewCSR(d, ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	return &Problem{X: x, Y: y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: lambda}}
}

// TestNewtonOnDependentColumns: the factor of a singular Hessian must not break the run, and the
// factor of an ill-conditioned Hessian must speed it up.
func TestNewtonOnDependentColumns(t *testing.T) {
	result, err := Solve(context.Background(), dependentColumns(t, 0), Newton{}, solvers.Settings{MaxEpochs: 300, GradientTolerance: 1e-10})
	if err != nil || result.Status != solvers.Converged {
		t.Errorf("without a regulariser: %v, gradient norm %v, %v", result.Status, result.GradientNorm, err)
	}
	p := dependentColumns(t, 1e-10)
	result, err = Solve(context.Background(), p, Newton{}, solvers.Settings{MaxEpochs: 60, GapTolerance: 1e-10})
	if err != nil || result.Status != solvers.Converged {
		t.Errorf("with a small regulariser: %v, gap %v, %v", result.Status, result.Gap, err)
	}
}

// countedHessian counts what is asked of the Hessian.
type countedHessian struct {
	oracle
	forms int
}

func (h *countedHessian) gram(dst []float64) error { h.forms++; return h.oracle.gram(dst) }

// TestConvergedPreparesNoStep: where a run converges the Hessian is not formed any more.
func TestConvergedPreparesNoStep(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 400, 12, 4, 1e-2, false)
	settings := solvers.Settings{GapTolerance: 1e-6, MaxEpochs: 100}
	full := newObjective(p, nil, nil)
	full.settings = settings
	l := loopInMemory(full)
	counted := &countedHessian{oracle: l.metric.o}
	l.metric.o, l.metric.cost = counted, 0
	r, err := run.Drive(context.Background(), run.Run{
		Samples: len(p.Y), Columns: p.X.Cols(), Loop: l, Smooth: true, Reports: true, Evaluate: full.evaluate,
	}, settings)
	if err != nil || r.Status != solvers.Converged || l.steps < 2 || counted.forms != l.steps {
		t.Errorf("%v, %v: the Hessian was formed %d times for %d steps", err, r.Status, counted.forms, l.steps)
	}
}
