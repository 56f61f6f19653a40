package sdca

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// still is a loop that stands at dual variables.
type still struct{ alpha []float64 }

func (s still) Next(*run.Control)       {}
func (s still) Current([]float64)       {}
func (s still) State(*checkpoint.Coder) {}
func (s still) duals(alpha []float64)   { copy(alpha, s.alpha) }

// The gap assumes nothing about w and alpha. With alpha = -f'(Xw), all Fenchel-Young losses are
// 0. The gap is then above the exact distance from the minimum for any w, also at the rounded
// minimiser of badly scaled columns.
func TestGapOfDualsApartFromWeights(t *testing.T) {
	t.Parallel()
	for _, phi := range allLosses {
		for seed := range uint64(repeat.Size(20, 5)) {
			column := []float64{1, 1e3, 1e6, 1e9, 1e12}[seed%5]
			c, err := certificatetest.Scaled(phi, seed, 12, 3, column, 1, 1)
			if err != nil {
				t.Fatal(err)
			}
			exact, err := certificatetest.Solve(c)
			if err != nil {
				t.Fatal(err)
			}
			p := &erm.Problem{X: c.X, Y: c.Y, Loss: phi, Penalty: c.Penalty}
			for _, off := range []float64{0, 1e-15, 1e-8, 0.5} {
				w := exact.Best()
				for j := range w {
					w[j] *= 1 + off*float64(j+1)
				}
				o := newObjective(p, nil, nil)
				o.evaluate(w)
				alpha := make([]float64, len(o.coef))
				for i, slope := range o.coef {
					alpha[i] = -slope
				}
				o.loop = still{alpha}
				if e := o.evaluate(w); !(exact.Above(w) <= e.Gap) {
					t.Errorf("%v, column %g, seed %d, off by %g: %v above the minimum, gap %v", phi, column, seed, off, exact.Above(w), e.Gap)
				}
				// By the dual variables alone.
				gap := 0.0
				for _, v := range o.gaps {
					gap += v
				}
				if gap = gap/float64(len(alpha)) + o.apart(w); !(exact.Above(w) <= gap) {
					t.Errorf("%v, column %g, seed %d, off by %g: %v above the minimum, gap by the duals %v", phi, column, seed, off, exact.Above(w), gap)
				}
			}
		}
	}
}

// fenchelYoungBound is above the row's part of the gap at any margin within the rounding, for
// dual variables from almost 0 to almost 1.
func TestPartOfTheGapWithRounding(t *testing.T) {
	for _, phi := range allLosses {
		p := &erm.Problem{Loss: phi}
		dual := dualLoss(p)
		for _, size := range []float64{1e-300, 1e-23, 1e-9, 0.3, 0.5, 0.69, 1 - 1e-9} {
			for _, y := range []float64{-1, 1} {
				for _, z := range []float64{-700, -30, -1.2, 0, 0.4, 1.5, 40} {
					for _, rounding := range []float64{0, 1e-9, 1e-3} {
						alpha := y * size
						part := func(z float64) (value, slope float64) {
							_, slope = loss.At(phi, z, y)
							return fenchelYoung(dual, alpha, z, y, 1, slope), slope
						}
						_, slope := part(z)
						bound := fenchelYoungBound(dual, alpha, z, y, 1, slope, rounding)
						for _, at := range []float64{z - rounding, z, z + rounding} {
							if value, _ := part(at); !(value <= bound*(1+1e-9)) {
								t.Errorf("%v, alpha %g, z %g, y %g, rounding %g: %v at %v, bound %v", phi, alpha, z, y, rounding, value, at, bound)
							}
						}
						if phi == (loss.Logistic{}) { // by the definition, where that is not all rounding
							want := size*math.Log(size) + (1-size)*math.Log1p(-size) + math.Max(0, -y*z) + math.Log1p(math.Exp(-math.Abs(z))) + size*y*z
							if value, _ := part(z); math.Abs(value-want) > 1e-12*(1+math.Abs(z)) {
								t.Errorf("alpha %g, z %g, y %g: %v, by the definition %v", alpha, z, y, value, want)
							}
						}
					}
				}
			}
		}
	}
}

// Where rows have no column in common, what misses says is what the evaluation finds, for targets
// near either bound.
func TestMissedCertificates(t *testing.T) {
	const n = 3*risk.Block/2 + 7
	random := rand.New(rand.NewPCG(8, 15))
	b := sparse.NewBuilder(sparse.BuilderOptions{Columns: 2 * n})
	p := &erm.Problem{Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 2e-4}}
	for i := range n {
		if err := b.AddRow([]int{2 * i, 2*i + 1}, []float64{random.NormFloat64(), 2}); err != nil {
			t.Fatal(err)
		}
		p.Y = append(p.Y, float64(1-2*(i%2)))
		p.SampleWeight = append(p.SampleWeight, float64(i%4)) // 0 to 3
	}
	var err error
	if p.X, err = b.Build(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		lambda float64
		losses bool // their bound is the least
	}{{2e-2, false}, {1e-6, true}} {
		p.Penalty = penalty.Ridge{Lambda: c.lambda}
		loop, o := loopOf(t, p, Prox{}, solvers.Settings{})
		l := loop.(*proxLoop)
		for i := range l.dual {
			d := &l.dual[i]
			d.Solve(0, 1e-12)
			d.A *= 1 - 0.3*random.Float64()
		}
		l.refresh()
		o.settings.GapTolerance = math.Inf(1)
		e := o.evaluate(l.w)
		if losses := o.young() < float64(e.GradientNorm*e.GradientNorm)/(2*p.Ridge()); losses != c.losses {
			t.Fatalf("lambda %v: the least bound is the losses': %v", p.Ridge(), losses)
		}
		for _, times := range []float64{0.5, 0.99, 1.01, 2} {
			o.settings.GapTolerance = times * e.Gap
			square := o.measure(l.w)
			if misses := o.misses(); misses != (times < 1) {
				t.Errorf("lambda %v: a gap of %v misses %v: %v", p.Ridge(), e.Gap, o.settings.GapTolerance, misses)
			}
			if again := o.conclude(l.w, square); again != e {
				t.Errorf("lambda %v: %+v, and in two steps %+v", p.Ridge(), e, again)
			}
		}
	}
}

// drifting is a loop whose steps bound ||w - w(alpha)|| by a distance.
type drifting struct {
	*proxLoop
	distance float64
}

func (d drifting) drift(*certificate.Bounds) float64 { return d.distance }

// The bound of the drift stands in a gap above the target only if it is small beside the gap.
func TestLargeDrift(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 60, 20, 5, 1e-4, true)
	loop, o := loopOf(t, p, Prox{}, solvers.Settings{})
	for i := range 60 {
		loop.(*proxLoop).step(uint32(i))
	}
	o.settings.GapTolerance = 1e-9
	exact := o.evaluate(loop.(*proxLoop).w).Gap
	if !(exact <= 1.001*o.young()) {
		t.Fatalf("the gap %v is not the losses' %v", exact, o.young())
	}
	for _, share := range []float64{1e-5, 1e-2, 1} {
		o.loop = drifting{loop.(*proxLoop), math.Sqrt(2 * share * exact / p.Ridge())}
		if gap := o.evaluate(loop.(*proxLoop).w).Gap; !(gap >= exact*(1-1e-9) && gap <= exact*1.001) {
			t.Errorf("drift of %v of the gap: %v, not %v", share, gap, exact)
		}
	}
}

// What a loop says of the distance between w and X'alpha/(lambda n) is above it, by exact
// numbers, after any step; and it is so little that no gap needs a closer look.
func TestDriftFromDuals(t *testing.T) {
	for _, weighted := range []bool{false, true} {
		p := randomProblem(t, loss.Logistic{}, 60, 20, 5, 0.01, weighted)
		n, d := p.X.Rows(), p.X.Cols()
		for _, warm := range []bool{false, true} {
			s := solvers.Settings{Seed: 4}
			if warm {
				s.Initial = make([]float64, d)
				for j := range s.Initial {
					s.Initial[j] = 1 / float64(j+1)
				}
			}
			loop, full := loopOf(t, p, Prox{}, s)
			prox := loop.(*proxLoop)
			alpha := make([]float64, n)
			for pass := range 40 {
				if pass > 0 {
					for prox.begins(); !prox.order.Ended(); prox.order.Next(true) {
						prox.step(prox.order.Row())
					}
				}
				loop.duals(alpha)
				exact := make([]*big.Float, d)
				for j := range exact {
					exact[j] = new(big.Float).SetPrec(500)
				}
				for i := range n {
					for j, v := range p.X.Row(i) {
						exact[j].Add(exact[j], new(big.Float).SetPrec(500).Mul(big.NewFloat(v), big.NewFloat(alpha[i])))
					}
				}
				scale := new(big.Float).SetPrec(500).Mul(big.NewFloat(p.Ridge()), big.NewFloat(float64(n)))
				square := 0.0
				for j := range exact {
					exact[j].Quo(exact[j], scale)
					far, _ := exact[j].Sub(exact[j], big.NewFloat(prox.w[j])).Float64()
					square += far * far
				}
				bound := prox.drift(full.bounds)
				if !(math.Sqrt(square) <= bound) {
					t.Errorf("weighted %t, warm %t, pass %d: %v apart, bound %v", weighted, warm, pass, math.Sqrt(square), bound)
				}
				if extra := p.Ridge() / 2 * bound * bound; !(extra < 1e-18) {
					t.Errorf("weighted %t, warm %t, pass %d: the bound %v adds %v to the gap", weighted, warm, pass, bound, extra)
				}
			}
		}
	}
	if prox, full := loopOf(t, randomProblem(t, loss.Squared{}, 9, 3, 2, 0.1, false), Prox{}, solvers.Settings{}); !math.IsInf(prox.(*proxLoop).drift(full.bounds), 1) {
		t.Error("a loss whose dual variables have no bounds has one of the drift")
	}
}

// A run is certified where its passes let expect the target; cut anywhere before, and
// continued, it is certified at the same points.
func TestExpectationsResume(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 500, 40, 8, 0.002, false)
	for _, target := range []float64{1e-2, 1e-4, 1e-7} {
		s := solvers.Settings{GapTolerance: target, Seed: 2, MaxEpochs: 1000}
		want := solve(t, p, Prox{}, s)
		for cut := range want.Total.Iterations / 97 {
			before := s
			before.MaxIterations, before.Checkpoint = 97*cut+50, filepath.Join(t.TempDir(), "run")
			solve(t, p, Prox{}, before)
			s.Resume = before.Checkpoint
			solvetest.SameBits(t, fmt.Sprintf("target %g, cut after %d steps", target, before.MaxIterations), solve(t, p, Prox{}, s), want)
		}
	}
}

// The facts of w = 0 at the start of a run equal an evaluation of w = 0. Its gap is the objective
// minus the dual of 0. An observer changes nothing.
func TestOpening(t *testing.T) {
	for _, phi := range allLosses {
		for _, weighted := range []bool{false, true} {
			p := randomProblem(t, phi, 70, 12, 4, 0.05, weighted)
			_, full := loopOf(t, p, Prox{}, solvers.Settings{})
			w := make([]float64, p.X.Cols())
			want, got := full.evaluate(w), full.opening(true)
			dual := 0.0 // D(0) = -(1/n) sum f*(0), and f*(0) = -min f = 0
			if got.Objective != want.Objective || math.Abs(got.GradientNorm-want.GradientNorm) > 1e-14*want.GradientNorm || math.Abs(got.Gap-(want.Objective-dual)) > 1e-5*want.Objective {
				t.Errorf("%v, weighted %t: %+v, not %+v", phi, weighted, got, want)
			}
			if bare := full.opening(false); bare.GradientNorm != 0 || bare.Gap != got.Gap {
				t.Errorf("%v, weighted %t: %+v where the gradient is not wanted", phi, weighted, bare)
			}
			for _, m := range []Method{Prox{}, Hybrid{}} {
				s := solvers.Settings{GapTolerance: 1e-7, Seed: 3}
				alone := solve(t, p, m, s)
				var trace solvers.Trace
				s.Recorder = &trace
				solvetest.SameBits(t, m.Name()+" watched", solve(t, p, m, s), alone)
				if math.Abs(trace[0].GradientNorm-want.GradientNorm) > 1e-14*want.GradientNorm || trace[0].Objective != want.Objective {
					t.Errorf("%s %v: the first point is %+v", m.Name(), phi, trace[0])
				}
				s.Recorder, s.MaxIterations = nil, 1
				if r := solve(t, p, m, s); !(r.GradientNorm > 0) {
					t.Errorf("%s %v: gradient %v after one step", m.Name(), phi, r.GradientNorm)
				}
			}
		}
	}
}
