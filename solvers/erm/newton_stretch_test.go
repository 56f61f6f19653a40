package erm

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
)

// slopeAlong is the slope of P at w along s, by the definition of P's gradient.
func slopeAlong(p *Problem, w, s []float64) float64 {
	slope := 0.0
	for i, y := range p.Y {
		z, along := 0.0, 0.0
		for j, x := range p.X.Row(i) {
			z += x * w[j]
			along += x * s[j]
		}
		_, d := kernels.LossAt(p.Loss, z, y, p.Threshold())
		slope += d * along / float64(len(p.Y))
	}
	for j := range w {
		slope += p.Lambda * w[j] * s[j]
	}
	return slope
}

// watchedLoop shows what Newton's method does between two iterations.
type watchedLoop struct {
	engine.Loop
	before, after func()
}

func (l *watchedLoop) Next(c *engine.Control) {
	l.before()
	l.Loop.Next(c)
	l.after()
}

// countedHessian counts what is asked of the Hessian.
type countedHessian struct {
	hessian
	forms int
}

func (h *countedHessian) gram(dst []float64) error { h.forms++; return h.hessian.gram(dst) }

// TestConvergedPreparesNoStep: where a run converges the Hessian is not formed any more.
func TestConvergedPreparesNoStep(t *testing.T) {
	p := randomProblem(t, kernels.Logistic, 400, 12, 4, 1e-2, false)
	settings := solvers.Settings{GapTolerance: 1e-6, MaxPasses: 100}
	full := newObjective(p, nil)
	full.settings = settings
	l := newNewtonLoop(Newton{}.withDefaults(p.X.Cols()), p, full, settings)
	counted := &countedHessian{hessian: l.metric.h}
	l.metric.h, l.metric.cost = counted, 0
	r, err := engine.Drive(context.Background(), engine.Run{
		Samples: len(p.Y), Columns: p.X.Cols(), Loop: l, Smooth: true, Reports: true, Evaluate: full.evaluate,
	}, settings)
	if err != nil || r.Status != solvers.Converged || l.steps < 2 || counted.forms != l.steps {
		t.Errorf("%v, %v: the Hessian was formed %d times for %d steps", err, r.Status, counted.forms, l.steps)
	}
}

// TestStretch: a full step goes on to the minimum of the parabola through the slopes at both
// its ends where the second one is steep, and nowhere else; on rows of unequal classes the
// first steps do.
func TestStretch(t *testing.T) {
	p := randomProblem(t, kernels.Logistic, 400, 12, 4, 1e-4, false)
	for i := range p.Y {
		p.Y[i] = -1
		if i%25 == 0 {
			p.Y[i] = 1
		}
	}
	full := newObjective(p, nil)
	l := newNewtonLoop(Newton{}.withDefaults(p.X.Cols()), p, full, solvers.Settings{})
	var w, s []float64
	var stretched, plain int
	watched := &watchedLoop{Loop: l, before: func() {
		if w = nil; l.started && l.Ready {
			w, s = slices.Clone(l.w), slices.Clone(l.Step)
		}
	}, after: func() {
		if w == nil || l.promised < 1e-9 {
			return
		}
		end := slices.Clone(w)
		for j := range end {
			end[j] += s[j]
		}
		first, last, want := slopeAlong(p, w, s), slopeAlong(p, end, s), 1.0
		if last < 0.2*first {
			want = min(first/(first-last), 4)
			stretched++
		} else {
			plain++
		}
		for j := range w {
			if got := l.w[j]; math.Abs(got-(w[j]+want*s[j])) > 1e-9*(1+math.Abs(got)) {
				t.Fatalf("step %d: weight %d is %v, not %v: %v of %v", l.steps, j, got, w[j]+want*s[j], want, s[j])
			}
		}
	}}
	_, err := engine.Drive(context.Background(), engine.Run{
		Samples: len(p.Y), Columns: p.X.Cols(), Loop: watched, Smooth: true, Reports: true, Evaluate: full.evaluate,
	}, solvers.Settings{MaxPasses: 60})
	if err != nil {
		t.Fatal(err)
	}
	if stretched < 2 || plain < 2 {
		t.Errorf("%d steps were made longer, %d not", stretched, plain)
	}
}
