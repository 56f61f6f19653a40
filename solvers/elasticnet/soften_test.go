package elasticnet

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// categories draws rows of 14 categories and poses a hard problem: with few zeros, and a little
// curvature for many rows.
func categories(t *testing.T, k int) *Problem {
	t.Helper()
	data, err := synthetic.Shape{Name: "onehot", N: 4000, D: 3000, Seed: uint64(k + 1)}.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &Problem{X: data.X, Y: data.Y, Loss: loss.Logistic{}, Penalty: penalty.L1{Lambda: 1. / 20 / 4000}}
	if k&1 != 0 {
		setIntercept(p, true)
	}
	if k&2 != 0 {
		p.Penalty = penalty.ElasticNet{L1: 1. / 40 / 4000, L2: 1e-9}
		p.SampleWeight, p.Offset = make([]float64, len(p.Y)), make([]float64, len(p.Y))
		for i := range p.Y {
			p.SampleWeight[i], p.Offset[i] = float64(i%3), 0.1*math.Sin(float64(i))
		}
	}
	if k == 4 {
		p.Loss = loss.SquaredHinge{}
	}
	return p
}

// softly is a loop that checks soft steps: the objective with the radius of a step falls.
type softly struct {
	*loop
	t     *testing.T
	steps int
}

func (l *softly) smooth(s soft) float64 {
	sum := l.mean + l.ridge(squared(l.w[:l.d]))
	for _, w := range l.w[:l.d] {
		sum += l.weight() * (s.length(w) - s.radius)
	}
	return sum
}

func squared(w []float64) float64 {
	sum := 0.0
	for _, v := range w {
		sum = math.FMA(v, v, sum)
	}
	return sum
}

func (l *softly) Next(c *run.Control) {
	if l.stage != softening {
		l.loop.Next(c)
		return
	}
	s := l.soft
	before := l.smooth(s)
	l.loop.Next(c)
	l.steps++
	if l.stage != softening {
		return // small weights became 0
	}
	if after := l.smooth(s); !(after <= before+1e-14) {
		l.t.Errorf("step %d: from %v to %v", l.steps, before, after)
	}
	for j, pull := range l.soft.pulls {
		if !(math.Abs(pull) <= l.weight()) {
			l.t.Fatalf("step %d: the pull of weight %d is %v, above %v", l.steps, j, pull, l.weight())
		}
	}
}

// TestSoften: soft steps lower their objective and end within the tolerance, with zeros, where coordinate
// descent alone ends above.
func TestSoften(t *testing.T) {
	for k := range repeat.Size(5, 1) {
		p := categories(t, k)
		var l *softly
		r, err := run.Solve(context.Background(), solvers.Settings{GapTolerance: 1e-6}, run.Plan{
			Family: "elasticnet", Solver: "softly", Columns: p.X.Cols(), Accepts: accepts, Objective: solvers.SparseLoss,
			Begin: func(s *run.Session) (run.Run, error) {
				o := newObjective(p, s.Pool)
				l = &softly{loop: newLoop(ProximalNewton{}, o, nil), t: t}
				return run.Run{Samples: p.X.Rows(), Loop: l, Smooth: true, Reports: true, AtZero: o.atZero, Evaluate: newObjective(p, s.Pool).evaluate}, nil
			},
		})
		if err != nil || r.Status != solvers.Converged || l.steps == 0 || !l.soft.heavy {
			t.Errorf("%d: %d soft steps, heavy %t, %v, %v", k, l.steps, l.soft.heavy, err, r)
			continue
		}
		if zeros := p.X.Cols() - nonZeros(p, r.Weights); zeros < 100 {
			t.Errorf("%d: %d zeros", k, zeros)
		}
		if value := value(p, r.Weights); !(math.Abs(value-r.Objective) <= 1e-12*value) {
			t.Errorf("%d: the objective is %v, not %v", k, value, r.Objective)
		}
	}
}

// TestSoftenBits: soft steps have the same bits on every CPU path, by any workers and where the run is cut.
func TestSoftenBits(t *testing.T) {
	p := categories(t, 1)
	settings := solvers.Settings{GapTolerance: 1e-6, Workers: 1}
	want := solve(t, p, settings)
	for cpu := range pathtest.Paths(t) {
		settings.Workers = 2
		if r := solve(t, p, settings); !slices.Equal(r.Weights, want.Weights) {
			t.Errorf("%s: other bits by two workers", cpu)
		}
	}
	settings.Checkpoint, settings.Overwrite = filepath.Join(t.TempDir(), "run"), true
	for settings.MaxIterations = 1; settings.MaxIterations < want.Iterations-2; settings.MaxIterations++ {
		if r := solve(t, p, settings); r.Status != solvers.BudgetReached {
			t.Fatalf("%v after %d iterations", r.Status, r.Iterations)
		}
		settings.Resume = settings.Checkpoint
	}
	settings.MaxIterations = 0
	if r := solve(t, p, settings); !slices.Equal(r.Weights, want.Weights) || want.Iterations < 20 {
		t.Errorf("other bits after %d cuts", want.Iterations)
	}
}
