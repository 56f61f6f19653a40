package erm

import (
	"errors"
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
)

// batchSmoothness is what default steps are made of: L of a batch drawn without replacement,
// from the largest eigenvalue of the dense second moments of the rows.
func (r *reference) batchSmoothness() float64 {
	d, n, b := r.X.Cols(), float64(len(r.x)), float64(testBatch)
	peak := 1.0
	if r.Loss == (loss.Logistic{}) {
		peak = 0.25
	}
	v, value, most := make([]float64, d), 0.0, 0.0
	for j := range v {
		v[j] = 1 + float64(j%3)
	}
	for range 500 {
		next := make([]float64, d)
		for i, x := range r.x {
			axpy(r.weight(i)*dot(x, v)/n, x, next)
		}
		value = math.Sqrt(dot(next, next) / dot(v, v))
		for j := range v {
			v[j] = next[j] / math.Sqrt(dot(next, next))
		}
	}
	for i, x := range r.x {
		most = max(most, peak*r.weight(i)*dot(x, x)+r.Ridge())
	}
	return n*(b-1)/(b*(n-1))*(peak*value+r.Ridge()) + (n-b)/(b*(n-1))*most
}

// TestEveryParameter compares every solver with its listing, with all defaults and with each
// parameter off its default. The problems have more than two blocks of rows and weights above 1.
func TestEveryParameter(t *testing.T) {
	repeat.Skip(t)
	t.Parallel()
	blocks := randomProblem(t, loss.Logistic{}, 2*risk.Block+100, 9, 4, 0.01, true)
	few := randomProblem(t, loss.Logistic{}, 5*testBatch+3, 12, 4, 0.02, true)
	quadratic := randomProblem(t, loss.Squared{}, 60, 20, 5, 0.05, true)
	var runs []solvetest.Listed[Method]
	type listing func(loop run.Loop, r *reference, w []float64) []float64
	add := func(name string, p *Problem, steps int, from []float64, list listing, set ...string) {
		r, d := newReference(p), p.X.Cols()
		runs = append(runs, solvetest.Listed[Method]{Solver: name, Set: set, Follows: func(m Method) error {
			loop := loopOf(t, p, m, solvers.Settings{BatchSize: testBatch, Seed: testSeed, Initial: from})
			w := make([]float64, d)
			copy(w, from)
			want := list(loop, r, w)
			if iterate(loop, steps); want == nil {
				return errors.New("the listing ends on the way")
			}
			return apart(current(loop, d), want, 1e-9)
		}})
	}
	// usual checks a default step, and returns it.
	usual := func(r *reference, step, multiple float64) float64 {
		if want := multiple / r.batchSmoothness(); !(math.Abs(step-want) <= 2e-3*want) {
			return math.NaN()
		}
		return step
	}
	const pass, size = 5, 0.1
	from := func(p *Problem) []float64 { return start(p.X.Cols()) }

	const many = 60
	for _, c := range []struct {
		gamma, beta float64
		set         []string
	}{{0.5, 0.9, []string{"gamma=0.5", "beta=0.9"}}, {1. / 32, 0.999, nil}} {
		add("ai-sarah", blocks, many, from(blocks), func(_ run.Loop, r *reference, w []float64) []float64 {
			return r.aisarah(w, c.gamma, c.beta, many)
		}, c.set...)
	}
	add("ai-sarah", few, 120, from(few), func(_ run.Loop, r *reference, w []float64) []float64 {
		return r.aisarah(w, 1e-30, 0.999, 120)
	}, "unguarded=true", "gamma=1e-30")
	// drawn writes the paper's w_0.
	drawn := func(w []float64) []float64 {
		random := random.New(^uint64(testSeed))
		for j := range w {
			w[j] = (2*random.Float64() - 1) / math.Sqrt(float64(len(w)))
		}
		return w
	}
	add("ai-sarah", few, 60, nil, func(_ run.Loop, r *reference, w []float64) []float64 {
		return r.aisarah(drawn(w), 1./32, 0.999, 60)
	}, "paper=true")

	rows := len(few.Y)
	for name, importance := range map[string]bool{"ai-sarah-importance": true, "ai-sarah-uniform": false} {
		add(name, few, 3*(1+9), from(few), func(_ run.Loop, r *reference, w []float64) []float64 {
			return r.theoretical(w, importance, 9, 3)
		}, "inner=9")
		add(name, few, 2*(1+rows), from(few), func(_ run.Loop, r *reference, w []float64) []float64 {
			return r.theoretical(w, importance, rows, 2)
		})
	}

	of := func(name string, p *Problem, steps int, m intervals, set ...string) {
		add(name, p, steps, from(p), func(loop run.Loop, r *reference, w []float64) []float64 {
			m, l := m, loop.(*intervalLoop)
			if m.least < 0 {
				m.least = usual(r, l.least, -m.least)
			}
			if m.most < 0 {
				m.most = usual(r, l.most, -m.most)
			}
			return r.intervals(w, m, steps)
		}, set...)
	}
	of("ai-sarah-interval", blocks, 200, intervals{0.7, 1, 0, 30, true}, "min=0.7", "max=1", "inner=30")
	of("ai-sarah-interval", few, 60, intervals{-0.1, -2, 0, pass, true})
	of("sarah", blocks, 100, intervals{size, size, 0, 30, false}, "step=0.1", "inner=30")
	of("sarah", blocks, 100, intervals{size, size, 0, 30, true}, "step=0.1", "inner=30", "random=true")
	of("sarah", few, 60, intervals{-1, -1, 0, pass, false})
	add("sarah", few, 60, nil, func(_ run.Loop, r *reference, w []float64) []float64 {
		return r.intervals(drawn(w), intervals{size, size, 0, pass, false}, 60)
	}, "step=0.1", "paper=true")
	of("sarah+", blocks, 300, intervals{size, size, 0.25, 20, false}, "step=0.1", "gamma=0.25", "inner=20")
	of("sarah+", few, 60, intervals{-1, -1, 1. / 32, 10 * pass, false})
	of("sarah+", few, 160, intervals{-1, -1, 1e-30, 10 * pass, false}, "gamma=1e-30")

	add("svrg", blocks, 200, from(blocks), func(_ run.Loop, r *reference, w []float64) []float64 {
		return r.svrg(w, 0.05, 60, 200)
	}, "step=0.05", "inner=60")
	add("svrg", few, 60, from(few), func(loop run.Loop, r *reference, w []float64) []float64 {
		return r.svrg(w, usual(r, loop.(*svrgLoop).step, 0.5), 2*pass, 60)
	})
	const passes = 12 * pass
	add("adam", few, passes, from(few), func(_ run.Loop, r *reference, w []float64) []float64 {
		return r.adam(w, 0.05, 0.7, 0.95, 0.01, 0.1, passes)
	}, "step=0.05", "beta1=0.7", "beta2=0.95", "epsilon=0.01", "decay=0.1")
	add("adam", few, passes, from(few), func(_ run.Loop, r *reference, w []float64) []float64 {
		return r.adam(w, 0.01, 0.9, 0.999, 1e-8, 0, passes)
	})
	add("sgd", few, passes, from(few), func(_ run.Loop, r *reference, w []float64) []float64 {
		return r.sgd(w, 0.02, 0.5, 0.1, passes)
	}, "step=0.02", "momentum=0.5", "decay=0.1")
	for _, c := range []struct {
		momentum, multiple float64
		set                []string
	}{{0.9, 0.1, nil}, {0, 1, []string{"plain=true"}}, {0.6, 0.4, []string{"momentum=0.6"}}} {
		add("sgd", few, passes, from(few), func(loop run.Loop, r *reference, w []float64) []float64 {
			return r.sgd(w, usual(r, loop.(*sgdLoop).step, c.multiple), c.momentum, 0, passes)
		}, c.set...)
	}

	for _, c := range []struct {
		forcing float64
		most    int
		set     []string
	}{{0.05, 250, []string{"forcing=0.05"}}, {0.05, 3, []string{"forcing=0.05", "max-inner=3"}}, {0.8, 250, nil}} {
		p, r := quadratic, newReference(quadratic)
		runs = append(runs, solvetest.Listed[Method]{Solver: "newton", Set: c.set, Follows: func(m Method) error {
			l := loopOf(t, p, m, solvers.Settings{Initial: from(p), MaxEpochs: 1000}).(*newtonLoop)
			var control run.Control
			for l.steps == 0 { // later ones may have the Hessian's factor
				l.Next(&control)
			}
			return apart(current(l, p.X.Cols()), r.newtonStep(from(p), c.forcing, c.most), 1e-9)
		}})
	}
	solvetest.EveryParameter(t, Solvers(), ByName, runs)
}
