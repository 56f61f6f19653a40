package erm

import (
	"fmt"
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/kernels"
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

func run(loop engine.Loop, iterations int) {
	var c engine.Control
	for range iterations {
		loop.Next(&c)
	}
}

func current(loop engine.Loop, d int) []float64 {
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
			if c.p.Loss == kernels.Huber {
				steps = 60 // steps of 1/lambda on its flat pieces amplify rounding without end
			}
			loop := loopOf(t, c.p, AISARAH{Unguarded: true}, s)
			run(loop, steps)

			batches := engine.NewBatches(c.p.X.Rows(), testBatch, engine.FoldTail, engine.NewRandom(testSeed))
			w, delta := start(d), 0.0
			for step := 0; step < steps; {
				v := r.gradient(r.all(), w)
				first := dot(v, v)
				for step++; step < steps; {
					rows := batches.Next()
					alpha := r.newton(rows, w, v)
					if math.IsNaN(alpha) {
						t.Skip("a flat batch: the paper does not say what to do")
					}
					if delta == 0 {
						delta = 1 / alpha
					} else {
						delta = 0.999*delta + (1-0.999)/alpha
					}
					r.recursiveStep(rows, w, v, min(alpha, 1/delta))
					if step++; dot(v, v) < first/32 {
						break
					}
				}
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
				run(loop, steps)
				random := engine.NewRandom(testSeed)
				batches := engine.NewBatches(c.p.X.Rows(), testBatch, engine.FoldTail, random)
				w := start(d)
				for step := 0; step < steps; {
					v := r.gradient(r.all(), w)
					first := dot(v, v)
					inner, gamma := 30, 0.0
					switch m.(type) {
					case SARAHPlus:
						inner, gamma = 60, 0.25
					case AISARAHInterval:
						inner = 1 + int(random.Below(30))
					}
					step++
					for left := inner; left > 0 && step < steps; left-- {
						rows := batches.Next()
						alpha := 0.1
						if _, adapts := m.(AISARAHInterval); adapts {
							if alpha = r.newton(rows, w, v); math.IsNaN(alpha) {
								alpha = 0.25
							}
							alpha = min(max(alpha, 0.25), 0.3)
						}
						r.recursiveStep(rows, w, v, alpha)
						if step++; dot(v, v) < gamma*first {
							break
						}
					}
				}
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
		for _, step := range []float64{0.05, 0.98 / max(c.p.Lambda, 1)} {
			lambda := c.p.Lambda
			if step > 0.9 && lambda > 0 {
				lambda = 0.9 // rho is 0.1: 1e-100 is reached in a hundred steps
			}
			p := *c.p
			p.Lambda = lambda
			t.Run(fmt.Sprintf("%s/step=%v", c.name, step), func(t *testing.T) {
				r, d := newReference(&p), p.X.Cols()
				if step > 0.9 {
					step = 0.1
					if lambda > 0 {
						step = 1 // times lambda: rho = 0.1
					}
				}
				loop := loopOf(t, &p, SVRG{Step: step, Inner: inner}, solvers.Settings{BatchSize: testBatch, Seed: testSeed, Initial: start(d)})
				run(loop, steps)
				batches := engine.NewBatches(p.X.Rows(), testBatch, engine.FoldTail, engine.NewRandom(testSeed))
				w := start(d)
				for k := 0; k < steps; {
					anchor := append([]float64(nil), w...)
					full := r.gradient(r.all(), w)
					k++
					for left := inner; left > 0 && k < steps; left-- {
						rows := batches.Next()
						g, h := r.gradient(rows, w), r.gradient(rows, anchor)
						for j := range w {
							w[j] -= step * (g[j] - h[j] + full[j])
						}
						k++
					}
				}
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
				run(loop, steps)
				momentum := m.Momentum
				if momentum == 0 && !m.Plain {
					momentum = 0.9
				}
				batches := engine.NewBatches(c.p.X.Rows(), testBatch, engine.DropTail, engine.NewRandom(testSeed))
				w, u, step := start(d), make([]float64, d), m.Step
				for k := range steps {
					g := r.gradient(batches.Next(), w)
					for j := range w {
						u[j] = momentum*u[j] + g[j]
						w[j] -= step * u[j]
					}
					if (k+1)%batches.PerPass() == 0 {
						step *= 1 - m.Decay
					}
				}
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
			run(loop, steps)
			batches := engine.NewBatches(c.p.X.Rows(), testBatch, engine.DropTail, engine.NewRandom(testSeed))
			w, m, v, step := start(d), make([]float64, d), make([]float64, d), 0.05
			for k := range steps {
				g := r.gradient(batches.Next(), w)
				for j := range w {
					m[j] = 0.9*m[j] + 0.1*g[j]
					v[j] = 0.999*v[j] + 0.001*g[j]*g[j]
					mean := m[j] / (1 - math.Pow(0.9, float64(k+1)))
					square := v[j] / (1 - math.Pow(0.999, float64(k+1)))
					w[j] -= step * mean / (math.Sqrt(square) + 1e-8)
				}
				if (k+1)%batches.PerPass() == 0 {
					step *= 0.9
				}
			}
			compare(t, "weights", current(loop, d), w, 1e-10)
		})
	}
}

// TestRescale drives the scale of the direction out of its range, and to zero.
func TestRescale(t *testing.T) {
	p := randomProblem(t, kernels.Squared, 120, 40, 5, 0.5, false)
	r, d := newReference(p), p.X.Cols()
	for _, step := range []float64{2, 1.999, 1.9} { // step lambda = 1, almost 1, 0.95
		loop := loopOf(t, p, SARAH{Step: step, Inner: 6}, solvers.Settings{BatchSize: testBatch, Seed: testSeed, Initial: start(d)}).(*intervalLoop)
		batches := engine.NewBatches(p.X.Rows(), testBatch, engine.FoldTail, engine.NewRandom(testSeed))
		w := start(d)
		v := r.gradient(r.all(), w)
		run(loop, 1)
		for range 6 {
			run(loop, 1)
			r.recursiveStep(batches.Next(), w, v, step)
		}
		compare(t, fmt.Sprintf("weights after steps of %v", step), current(loop, d), w, 1e-11)
		if got, want := loop.squaredNorm(), dot(v, v); math.Abs(got-want) > 1e-10*want {
			t.Errorf("steps of %v: squared norm %v, not %v", step, got, want)
		}
	}
}
