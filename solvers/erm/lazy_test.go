package erm

import (
	"fmt"
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/passes"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// The lazy loops against dense ones that read like the papers.

const (
	testBatch = 7
	testSeed  = 5
)

type testCase struct {
	name string
	p    *Problem
}

func lazyCases(t testing.TB) []testCase {
	var cases []testCase
	for _, loss := range allLosses {
		for _, lambda := range []float64{0, 0.02} {
			for _, weighted := range []bool{false, true} {
				cases = append(cases, testCase{
					fmt.Sprintf("%v/lambda=%v/weighted=%v", loss, lambda, weighted),
					randomProblem(t, loss, 120, 40, 5, lambda, weighted),
				})
			}
		}
	}
	return cases
}

func iterate(loop run.Loop, iterations int) {
	var c run.Control
	for range iterations {
		loop.Next(&c)
	}
}

func current(loop run.Loop, d int) []float64 {
	w := make([]float64, d)
	loop.Current(w)
	return w
}

func start(d int) []float64 {
	w := make([]float64, d)
	for j := range w {
		w[j] = math.Sin(float64(j)) / 3
	}
	return w
}

// TestLazyAISARAH lays algorithm 2 beside its lazy form.
func TestLazyAISARAH(t *testing.T) {
	for _, c := range lazyCases(t) {
		t.Run(c.name, func(t *testing.T) {
			r, d := newReference(c.p), c.p.X.Cols()
			s := solvers.Settings{BatchSize: testBatch, Seed: testSeed, Initial: start(d)}
			steps := 400
			if c.p.Loss.String() == "huber" {
				steps = 60 // steps of 1/lambda on its flat pieces amplify rounding without end
			}
			loop := loopOf(t, c.p, AISARAH{Unguarded: true}, s)
			iterate(loop, steps)

			w := r.aisarah(start(d), 1./32, 0.999, steps)
			if w == nil {
				t.Skip("a flat batch: the paper does not say what to do")
			}
			compare(t, "weights", current(loop, d), w, 1e-11)
		})
	}
}

// TestLazyInterval does the same for algorithm 5, SARAH and SARAH+.
func TestLazyInterval(t *testing.T) {
	const steps = 300
	for _, c := range lazyCases(t) {
		r, d := newReference(c.p), c.p.X.Cols()
		s := solvers.Settings{BatchSize: testBatch, Seed: testSeed, Initial: start(d)}
		for _, m := range []Method{SARAH{Step: 0.1, Inner: 30}, SARAHPlus{Step: 0.1, Inner: 60, Gamma: 0.25}, AISARAHInterval{Min: 0.25, Max: 0.3, Inner: 30}} {
			t.Run(m.Name()+"/"+c.name, func(t *testing.T) {
				loop := loopOf(t, c.p, m, s)
				iterate(loop, steps)
				want := map[string]intervals{
					"sarah": {0.1, 0.1, 0, 30, false}, "sarah+": {0.1, 0.1, 0.25, 60, false}, "ai-sarah-interval": {0.25, 0.3, 0, 30, true},
				}
				w := r.intervals(start(d), want[m.Name()], steps)
				compare(t, "weights", current(loop, d), w, 1e-12)
			})
		}
	}
}

// TestLazySVRG lays SVRG beside its lazy form; the second step size makes the
// powers of rho so small that the loop must rescale.
func TestLazySVRG(t *testing.T) {
	const steps, inner = 700, 600
	for _, c := range lazyCases(t) {
		for _, step := range []float64{0.05, 0.98 / max(c.p.Ridge(), 1)} {
			lambda := c.p.Ridge()
			if step > 0.9 && lambda > 0 {
				lambda = 0.9 // rho is 0.1: 1e-100 is reached in a hundred steps
			}
			p := *c.p
			p.Penalty = penalty.Ridge{Lambda: lambda}
			t.Run(fmt.Sprintf("%s/step=%v", c.name, step), func(t *testing.T) {
				r, d := newReference(&p), p.X.Cols()
				if step > 0.9 {
					step = 0.1
					if lambda > 0 {
						step = 1 // times lambda: rho = 0.1
					}
				}
				loop := loopOf(t, &p, SVRG{Step: step, Inner: inner}, solvers.Settings{BatchSize: testBatch, Seed: testSeed, Initial: start(d)})
				iterate(loop, steps)
				w := r.svrg(start(d), step, inner, steps)
				if dot(w, w) > 1e6 {
					t.Skip("the step is too large for this problem: nothing to compare")
				}
				compare(t, "weights", current(loop, d), w, 1e-11)
			})
		}
	}
}

// TestLazySGD lays momentum beside its table of maps, over several passes with
// a decreasing step.
func TestLazySGD(t *testing.T) {
	for _, c := range lazyCases(t) {
		for _, m := range []SGD{{Step: 0.02, Decay: 0.1}, {Step: 0.05, Momentum: 0.5}, {Step: 0.1, Plain: true, Decay: 0.05}} {
			t.Run(fmt.Sprintf("%s/%+v", c.name, m), func(t *testing.T) {
				r, d := newReference(c.p), c.p.X.Cols()
				loop := loopOf(t, c.p, m, solvers.Settings{BatchSize: testBatch, Seed: testSeed, Initial: start(d)})
				const steps = 125 // seven passes and some
				iterate(loop, steps)
				momentum := m.Momentum
				if momentum == 0 && !m.Plain {
					momentum = 0.9
				}
				w := r.sgd(start(d), m.Step, momentum, m.Decay, steps)
				compare(t, "weights", current(loop, d), w, 1e-12)
			})
		}
	}
}

// TestAdam lays Adam beside the formulas of its paper.
func TestAdam(t *testing.T) {
	for _, c := range lazyCases(t) {
		t.Run(c.name, func(t *testing.T) {
			r, d := newReference(c.p), c.p.X.Cols()
			loop := loopOf(t, c.p, Adam{Step: 0.05, Decay: 0.1}, solvers.Settings{BatchSize: testBatch, Seed: testSeed, Initial: start(d)})
			const steps = 60
			iterate(loop, steps)
			w := r.adam(start(d), 0.05, 0.9, 0.999, 1e-8, 0.1, steps)
			compare(t, "weights", current(loop, d), w, 1e-10)
		})
	}
}

// TestRescale drives the scale of the direction out of its range, and to zero.
func TestRescale(t *testing.T) {
	p := randomProblem(t, loss.Squared{}, 120, 40, 5, 0.5, false)
	r, d := newReference(p), p.X.Cols()
	for _, step := range []float64{2, 1.999, 1.9} { // step lambda = 1, almost 1, 0.95
		loop := loopOf(t, p, SARAH{Step: step, Inner: 6}, solvers.Settings{BatchSize: testBatch, Seed: testSeed, Initial: start(d)}).(*intervalLoop)
		batches := passes.NewBatches(p.X.Rows(), testBatch, passes.FoldTail, random.New(testSeed))
		w := start(d)
		v := r.gradient(r.all(), w)
		iterate(loop, 1)
		for range 6 {
			iterate(loop, 1)
			r.recursiveStep(batches.Next(), w, v, step)
		}
		compare(t, fmt.Sprintf("weights after steps of %v", step), current(loop, d), w, 1e-11)
		if got, want := loop.squaredNorm(), dot(v, v); math.Abs(got-want) > 1e-10*want {
			t.Errorf("steps of %v: squared norm %v, not %v", step, got, want)
		}
	}
}
