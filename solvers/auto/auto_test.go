package auto

import (
	"context"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

func generated(t *testing.T, spec string, c float64) *erm.Problem {
	t.Helper()
	data := solvetest.Generate(t, spec, 1)
	p := &erm.Problem{X: data.X, Y: data.Y, Loss: loss.Logistic{}}
	if c > 0 {
		p.Penalty = penalty.Ridge{Lambda: 1 / (c * float64(p.X.Rows()))}
	}
	return p
}

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		shape string
		cost  float64 // C; 0 for no regulariser
		want  string
	}{
		{"onehot:n=5000", 1, "newton"},
		{"onehot:n=5000", 0.001, "newton"},
		{"dense:n=2000,d=50", 1, "newton"},
		{"imbalanced:n=5000", 0.1, "newton"},
		{"text:n=4000,d=2000", 10, "newton"},
		{"text:n=2000,d=5000", 1, "sdca-newton"},
		{"text:n=2000,d=5000", 1e6, "sdca-newton"},
		{"wide:n=300,d=20000", 10, "sdca-newton"},
		{"wide:n=300,d=20000", 0, "newton"},
	} {
		p := generated(t, c.shape, c.cost)
		if got := Choose(p); got != c.want {
			t.Errorf("%s, C = %v: %s, not %s", c.shape, c.cost, got, c.want)
		}
		p.X, p.Intercept, p.Offset = p.X.WithBias(1), true, make([]float64, p.X.Rows())
		if got := Choose(p); got != c.want {
			t.Errorf("%s, C = %v, beside an intercept: %s, not %s", c.shape, c.cost, got, c.want)
		}
	}
}

// TestChooseSquared: a squared loss is solved by statistics where they pay, and full rows by Newton's
// method otherwise.
func TestChooseSquared(t *testing.T) {
	for _, c := range []struct{ shape, want string }{
		{"dense:n=2000,d=50", "proximal-newton"},
		{"dense:n=300,d=600", "newton"},
		{"onehot:n=5000", "proximal-newton"},
		{"text:n=4000,d=2000", "newton"},
		{"wide:n=300,d=20000", "sdca-newton"},
	} {
		p := generated(t, c.shape, 1)
		p.Loss = loss.Squared{}
		if got := Choose(p); got != c.want {
			t.Errorf("%s: %s, not %s", c.shape, got, c.want)
		}
		r, err := Solve(context.Background(), p, solvers.Settings{GapTolerance: 1e-6, MaxEpochs: 1000})
		if err != nil || r.Status != solvers.Converged || r.Solver != c.want {
			t.Errorf("%s: %v by %s, %v", c.shape, r.Status, r.Solver, err)
		}
		if p.Penalty = nil; Choose(p) != "newton" {
			t.Errorf("%s without a penalty: %s", c.shape, Choose(p))
		}
	}
}

func TestSolve(t *testing.T) {
	for k, spec := range []string{"onehot:n=3000", "wide:n=300,d=20000", "onehot:n=3000", "wide:n=300,d=20000"} {
		p := generated(t, spec, 1)
		if p.Intercept = k >= 2; p.Intercept {
			p.X = p.X.WithBias(1)
		}
		r, err := Solve(context.Background(), p, solvers.Settings{GapTolerance: 1e-6})
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != solvers.Converged || r.Solver != Choose(p) {
			t.Errorf("%s: %v by %s", spec, r.Status, r.Solver)
		}
	}
	if _, err := Solve(context.Background(), &erm.Problem{}, solvers.Settings{}); err == nil {
		t.Error("an empty problem was taken")
	}
}
