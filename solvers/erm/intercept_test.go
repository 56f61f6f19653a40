package erm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// besideIntercept calls f for small problems with an intercept, of all losses, with and without
// weights and offsets.
func besideIntercept(t *testing.T, rows int, f func(name string, p *Problem)) {
	t.Helper()
	for k, phi := range append([]loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{Delta: 0.7}, loss.Poisson{}}, ct.Defined()...) {
		for mode := range 4 {
			if testing.Short() && (k+mode)%4 > 0 {
				continue
			}
			c, err := ct.Scaled(phi, uint64(7*mode+k), rows, 5, []float64{1, 1e3}[k%2], 1, []float64{1, 20}[mode%2])
			if err != nil {
				t.Fatal(err)
			}
			p := &c.Problem
			p.X, p.Intercept, p.Penalty = p.X.WithBias(1), true, penalty.Ridge{Lambda: []float64{1e-3, 0.2}[mode/2]}
			r := rand.New(rand.NewPCG(uint64(k), 12))
			for i := range p.Y {
				switch classes := phi.Labels(); {
				case classes && i%4 > 0:
					p.Y[i] = 1
				case phi == (loss.Poisson{}) && i%5 > 0:
				case !classes:
					p.Y[i] += 3
				}
				if mode >= 2 {
					p.Offset = append(p.Offset, 2*r.NormFloat64())
				}
			}
			f(fmt.Sprintf("%v, weights %t, offsets %t", phi, p.SampleWeight != nil, p.Offset != nil), p)
		}
	}
}

// TestInterceptOptimum: Newton's method ends where the minimum is in exact numbers, with gaps that
// are bounds all the way, and reports the objective of its definition.
func TestInterceptOptimum(t *testing.T) {
	repeat.Once(t)
	t.Parallel()
	besideIntercept(t, 60, func(name string, p *Problem) {
		exact, err := ct.Solve(certificate.Problem{Problem: *p})
		if err != nil {
			t.Fatal(err)
		}
		best := exact.Objective(exact.Best())
		for k, gap := range []float64{1e-2, 1e-6, 1e-12, 1e-2, 1e-6, 1e-12} {
			var trace solvers.Trace
			r := mustSolve(t, p, Newton{}, solvers.Settings{GapTolerance: gap, Workers: 1, Recorder: &trace, Shards: k / 3 * 4})
			for _, point := range trace {
				if far := point.Objective - best; !(far-point.ObjectiveError <= point.Gap+1e-14*best) {
					t.Errorf("%s: %g above the minimum, gap %g", name, far, point.Gap)
				}
			}
			above, value := exact.Above(r.Weights), exact.Objective(r.Weights)
			if r.Status != solvers.Converged || !(above <= r.Gap) || !(math.Abs(value-r.Objective) <= r.ObjectiveError+1e-15*value) {
				t.Errorf("%s: %v with a gap of %g, %g above the minimum; objective %v +- %g, exactly %v", name, r.Status, r.Gap, above, r.Objective, r.ObjectiveError, value)
			}
			if gap == 1e-12 {
				for j, want := range exact.Best() {
					if math.Abs(r.Weights[j]-want) > 1e-4*(1+math.Abs(want)) {
						t.Errorf("%s: weight %d is %v, not %v", name, j, r.Weights[j], want)
					}
				}
			}
		}
	})
}

// TestInterceptShift: with an intercept, targets that are shifted shift the intercept alone, and
// offsets that are all equal shift it back; neither costs a step.
func TestInterceptShift(t *testing.T) {
	t.Parallel()
	for _, phi := range []loss.Loss{loss.Squared{}, loss.Huber{Delta: 0.7}} {
		p := randomProblem(t, phi, 300, 12, 4, 0.01, true)
		p.Intercept = true
		settings := solvers.Settings{GapTolerance: 1e-12, Workers: 1}
		plain := mustSolve(t, p, Newton{}, settings)
		far := *p
		far.Y = slices.Clone(p.Y)
		for i := range far.Y {
			far.Y[i] += 1000
		}
		offset := far
		offset.Offset = slices.Repeat([]float64{990}, 300)
		for by, q := range map[float64]*Problem{1000: &far, 10: &offset} {
			r := mustSolve(t, q, Newton{}, settings)
			if r.Status != solvers.Converged || r.Total.Epochs > plain.Total.Epochs+2 {
				t.Errorf("%v, by %v: %v after %v passes, %v without", phi, by, r.Status, r.Total.Epochs, plain.Total.Epochs)
			}
			last := len(r.Weights) - 1
			for j, v := range r.Weights {
				want := plain.Weights[j]
				if j == last {
					want += by
				}
				if math.Abs(v-want) > 1e-5*(1+math.Abs(want)) {
					t.Errorf("%v, by %v: weight %d is %v, not %v", phi, by, j, v, want)
				}
			}
		}
	}
}

// TestInterceptOfSamples: a run that begins on a sample of the rows ends where one without does,
// also where the sample has rows of one class alone.
func TestInterceptOfSamples(t *testing.T) {
	t.Parallel()
	for _, rare := range []bool{false, true} {
		p := randomProblem(t, loss.Logistic{}, 4000, 6, 3, 1e-3, false)
		p.Intercept = true
		if rare {
			picked := sampleRows(4000, sampleEvery)
			for i := range p.Y {
				p.Y[i] = -1
				if i < 40 && !slices.Contains(picked, uint32(i)) {
					p.Y[i] = 1
				}
			}
		}
		settings := solvers.Settings{GapTolerance: 1e-12, Workers: 1}
		sampled := mustSolve(t, p, Newton{}, settings)
		settings.Initial = make([]float64, p.X.Cols())
		whole := mustSolve(t, p, Newton{}, settings)
		if sampled.Status != solvers.Converged || whole.Status != solvers.Converged || math.Abs(sampled.Objective-whole.Objective) > 2e-12 {
			t.Errorf("rare %t: %v at %v, %v at %v without a sample", rare, sampled.Status, sampled.Objective, whole.Status, whole.Objective)
		}
	}
}

// TestStreamedInterceptRefused: rows in a file need a column of ones for an intercept, and rows of
// both classes.
func TestStreamedInterceptRefused(t *testing.T) {
	t.Parallel()
	c := streamed(t, "text:n=200,d=30", loss.Logistic{})
	c.p.Intercept, c.p.Penalty = true, penalty.Ridge{Lambda: 0.1}
	c.p.Rows = c.p.Rows.WithBias(2)
	if _, err := SolveStreamed(context.Background(), c.p, Newton{}, solvers.Settings{}); err == nil || !strings.Contains(err.Error(), "WithBias(1)") {
		t.Errorf("a column of 2: %v", err)
	}
	c.p.Rows, c.p.ClassWeights = c.p.Rows.WithBias(1), &[2]float64{0, 1}
	if _, err := SolveStreamed(context.Background(), c.p, Newton{}, solvers.Settings{}); err == nil || !strings.Contains(err.Error(), "one class") {
		t.Errorf("one class: %v", err)
	}
}

// TestInterceptWithoutCurvature: where no row's loss is curved near the minimum, the run ends there
// all the same, in numbers of more bits. The best intercept is a median then.
func TestInterceptWithoutCurvature(t *testing.T) {
	t.Parallel()
	p := randomProblem(t, loss.Huber{Delta: 0.001}, 34, 2, 2, 0.6, false)
	p.Intercept = true
	for k, count := range []int{0, 2, 0, 2} {
		if k == 2 {
			for i := range p.Y {
				p.Offset = append(p.Offset, float64(i%5)/3)
			}
		}
		r := mustSolve(t, p, Newton{}, solvers.Settings{GapTolerance: 1e-9, Workers: 1, Shards: count})
		exact, err := ct.Solve(certificate.Problem{Problem: *p})
		if err != nil {
			t.Fatal(err)
		}
		if above := exact.Above(r.Weights); r.Status != solvers.Converged || !(above <= r.Gap) {
			t.Errorf("%d shards: %v, %g above the minimum, gap %g", count, r.Status, above, r.Gap)
		}
	}
}

// TestInterceptByGradients: methods whose steps have the regulariser in them leave the intercept out
// of it, which shows where lambda is large.
func TestInterceptByGradients(t *testing.T) {
	t.Parallel()
	besideIntercept(t, 60, func(name string, p *Problem) {
		if p.SampleWeight != nil || p.Offset != nil || math.IsInf(p.Loss.Peak(), 1) {
			return
		}
		q := *p
		q.X, q.Penalty = p.X.NormalizeUnit().WithBias(1), penalty.Ridge{Lambda: 1}
		want := mustSolve(t, &q, Newton{}, solvers.Settings{GapTolerance: 1e-12, Workers: 1})
		for _, m := range []struct {
			method Method
			within float64
		}{{AISARAHUniform{}, 1e-6}, {AISARAHImportance{}, 1e-6}, {Adam{Step: 0.1, Decay: 0.02}, 1e-3}} {
			r := mustSolve(t, &q, m.method, solvers.Settings{MaxEpochs: 400, Workers: 1, Seed: 2, BatchSize: 20, GapTolerance: 1e-9})
			if far := r.Objective - want.Objective; !(far <= m.within) || !(far <= r.Gap+1e-12) {
				t.Errorf("%s, %s: %g above the minimum, gap %g, intercept %v, not %v", name, m.method.Name(), far, r.Gap, r.Weights[5], want.Weights[5])
			}
		}
	})
}
