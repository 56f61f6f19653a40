package sdca

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/direct"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// besideIntercept draws a small problem with an intercept: mode 1 has weights from far below 1
// to far above, mode 2 offsets, mode 3 both.
func besideIntercept(t *testing.T, phi loss.Loss, mode int, n, d int) *erm.Problem {
	t.Helper()
	c, err := ct.Scaled(phi, uint64(4*n+mode), n, d, 1, 1, []float64{1, 20}[mode%2])
	if err != nil {
		t.Fatal(err)
	}
	p := &c.Problem
	p.X, p.Intercept, p.Penalty = p.X.WithBias(1), true, penalty.Ridge{Lambda: []float64{0.2, 1e-3}[mode/2]}
	r := rand.New(rand.NewPCG(uint64(n), 12))
	for i := range p.Y {
		switch classes := phi == (loss.Logistic{}) || phi == (loss.SquaredHinge{}); {
		case classes && i%5 > 0:
			p.Y[i] = 1
		case !classes:
			p.Y[i] += 30
		}
		if mode >= 2 {
			p.Offset = append(p.Offset, 2*r.NormFloat64()+1)
		}
	}
	return p
}

// TestInterceptOptimum: runs end where the minimum is in exact numbers, with gaps that are bounds
// all the way, from 0 and from a given point.
func TestInterceptOptimum(t *testing.T) {
	t.Parallel()
	for k, phi := range allLosses {
		for mode := range 4 {
			if testing.Short() && (k+mode)%4 > 0 {
				continue
			}
			p := besideIntercept(t, phi, mode, 40+mode, 6)
			exact, err := ct.Solve(certificate.Problem{Problem: *p})
			if err != nil {
				t.Fatal(err)
			}
			best := exact.Best()
			least := exact.Objective(best)
			given := make([]float64, len(best))
			for j := range given {
				given[j] = best[j] + 0.1
			}
			for _, m := range []Method{Prox{}, Prox{NoShrinking: true}, Prox{WithReplacement: true}, Hybrid{}} {
				_, sure := m.(Hybrid) // dual steps alone may need many passes for few columns
				for k, s := range []solvers.Settings{{GapTolerance: 1e-3}, {GapTolerance: 1e-11}, {GapTolerance: 1e-9, Initial: given}, {GapTolerance: 1e-6, RecordEvery: 1}}[:repeat.Size(4, 2)] {
					s.MaxEpochs = 2000
					name := fmt.Sprintf("%v, mode %d, %s, settings %d", phi, mode, m.Name(), k)
					var trace solvers.Trace
					s.Recorder, s.Seed = &trace, 3
					r, err := Solve(context.Background(), p, m, s)
					if err != nil {
						t.Fatal(name, err)
					}
					for _, point := range trace {
						if far := point.Objective - least; !(far-point.ObjectiveError <= point.Gap+1e-14) {
							t.Errorf("%s: %g above the minimum, gap %g", name, far, point.Gap)
						}
					}
					if above := exact.Above(r.Weights); sure && r.Status != solvers.Converged || !(above <= r.Gap) {
						t.Errorf("%s: %v with a gap of %g, %g above the minimum", name, r.Status, r.Gap, above)
					}
					if value := exact.Objective(r.Weights); !(math.Abs(value-r.Objective) <= r.ObjectiveError+1e-14*value) {
						t.Errorf("%s: objective %v +- %g, exactly %v", name, r.Objective, r.ObjectiveError, value)
					}
					for j, want := range best {
						if k == 1 && r.Status == solvers.Converged && math.Abs(r.Weights[j]-want) > 1e-3*(1+math.Abs(want)) {
							t.Errorf("%s: weight %d is %v, not %v", name, j, r.Weights[j], want)
						}
					}
				}
			}
		}
	}
}

// TestInterceptConditions: on more than two blocks of wide rows the gradient along w and along b is
// 0 at the end, by plain sums: the dual variables sum to 0. Steps go in groups, or row by row.
func TestInterceptConditions(t *testing.T) {
	t.Parallel()
	x, y := generated(t, "text:n=9000,d=9500", 5)
	for _, phi := range repeat.Size(allLosses, allLosses[:1]) {
		p := &erm.Problem{X: x.WithBias(1), Y: y, Loss: phi, Penalty: penalty.Ridge{Lambda: 3. / 9000}, Intercept: true}
		for i := range y {
			p.SampleWeight = append(p.SampleWeight, float64(i%4))
			p.Offset = append(p.Offset, float64(i%7)/3)
		}
		for _, m := range []Method{Prox{}, Hybrid{}} {
			r, err := Solve(context.Background(), p, m, solvers.Settings{GapTolerance: 1e-9, MaxEpochs: 2000, Workers: 2})
			if err != nil || r.Status != solvers.Converged {
				t.Fatal(phi, m.Name(), r.Status, r.Gap, err)
			}
			g := make([]float64, len(r.Weights))
			for i := range y {
				z := p.Offset[i]
				for j, v := range p.X.Row(i) {
					z += v * r.Weights[j]
				}
				_, slope := loss.At(phi, z, y[i])
				for j, v := range p.X.Row(i) {
					g[j] += p.SampleWeight[i] * slope * v / 9000
				}
			}
			square, last := 0.0, len(g)-1
			for j, w := range r.Weights[:last] {
				square += (g[j] + p.Ridge()*w) * (g[j] + p.Ridge()*w)
			}
			// A gap of 1e-9 allows a gradient of (2 L 1e-9)^(1/2), with L the largest curvature.
			if norm := math.Sqrt(square); norm > 1e-4 || math.Abs(g[last]) > 1e-4 || math.Abs(r.GradientNorm-math.Hypot(norm, g[last])) > 1e-10 {
				t.Errorf("%v, %s: gradient %g along w, %g along b, reported %g", phi, m.Name(), norm, g[last], r.GradientNorm)
			}
		}
	}
}

// TestInterceptTerms compares the gap of dual variables whose sum is not 0 with its formula: in
// exact numbers, at dual variables of which one sign is made smaller, and with the sum's rest.
func TestInterceptTerms(t *testing.T) {
	t.Parallel()
	const large = 1e12 // times which the sum's rest is seen
	for seed := range uint64(4) {
		p := besideIntercept(t, loss.Squared{}, int(seed), 300, 5)
		r := rand.New(rand.NewPCG(seed, 3))
		w, alpha := make([]float64, 6), make([]float64, 300)
		for j := range w {
			w[j] = r.NormFloat64()
		}
		positive, negative := ct.R(0), ct.R(0)
		for i := range alpha {
			alpha[i] = direct.Weight(p.SampleWeight, i) * (r.NormFloat64() + float64(seed)/3)
			positive, negative = positive.Plus(ct.R(max(alpha[i], 0))), negative.Plus(ct.R(max(-alpha[i], 0)))
		}
		above, below := 1., 1.
		if positive.Cmp(negative) > 0 {
			above = negative.Over(positive).Float()
		} else {
			below = positive.Over(negative).Float()
		}
		gap, kept, most := ct.R(0), make([]ct.Real, 300), 0.0
		for i, a := range alpha {
			if a > 0 {
				a *= above
			} else {
				a *= below
			}
			kept[i] = ct.R(a)
			z := ct.R(direct.Offset(p.Offset, i))
			for j, v := range p.X.Row(i) {
				z = z.Plus(ct.R(v).Scale(w[j]))
			}
			most = max(most, math.Abs(z.Float()))
			s := direct.Weight(p.SampleWeight, i)
			gap = gap.Plus(partOf(p, a, z.Float(), p.Y[i], s))
		}
		gap = gap.Plus(positive.Min(negative).Times(ct.Unit).Scale(8 * 1024 * large * (1 + math.Abs(w[5]) + most))).Scale(1. / 300)
		sum := ct.Transposed(p.X, kept)
		for j := range 5 {
			apart := ct.R(w[j]).Minus(sum[j].Over(ct.R(p.Ridge() * 300)))
			gap = gap.Plus(apart.Square().Scale(p.Ridge() / 2))
		}
		o := newObjective(p, nil, nil)
		o.loop = still{alpha}
		o.sweep(w, kernels.SquaredNorm(w))
		o.rest *= large
		got := o.young() + o.apart(w)
		if want := gap.Float(); !(got >= want) || !(got <= want*(1+2e-6)) {
			t.Errorf("seed %d: %v, the formula %v", seed, got, want)
		}
	}
}

// TestTogetherInterceptTerms: after a pass the gap of each class is what its own objective finds, at
// dual variables whose sum is far from 0.
func TestTogetherInterceptTerms(t *testing.T) {
	t.Parallel()
	p := togetherProblem(t, "text:n=900,d=1000", 3)
	p.Intercept = true
	s, err := newTogether(p, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(4, 4))
	for i := range s.a {
		s.a[i] = 0.9 * r.Float64()
	}
	bounds, classes, sums := s.shared(), make([]certified, 3), make([]float64, len(s.w))
	for j := range classes {
		classes[j].w = s.column(s.w, j)
		classes[j].size = direct.Norm(classes[j].w)
	}
	s.sweep(bounds, classes, sums)
	const large = 1e12 // times which what is left of sums is seen
	for j := range classes {
		classes[j].rest *= large
		s.evaluate(bounds, &classes[j], s.column(sums, j))
		classes[j].Gap = math.Inf(1)
	}
	s.distances(bounds, classes, sums)
	for j := range classes {
		c := &classes[j]
		one := &erm.Problem{X: p.X, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: p.Lambda}, Intercept: true}
		alpha := make([]float64, len(p.Class))
		for i := range alpha {
			one.Y = append(one.Y, s.label(i, j))
			alpha[i] = one.Y[i] * s.a[3*i+j]
		}
		o := newObjective(one, nil, nil)
		o.loop = still{alpha}
		o.sweep(c.w, kernels.SquaredNorm(c.w))
		o.rest *= large
		if want := o.young(); math.Abs(c.young-want) > 1e-9*want {
			t.Errorf("class %d: Fenchel-Young losses %v, not %v", j, c.young, want)
		}
		if want := o.young() + o.apart(c.w); math.Abs(c.Gap-want) > 1e-9*want {
			t.Errorf("class %d: gap %v, not %v", j, c.Gap, want)
		}
	}
}

// undrifted is a loop whose weights are X'alpha/(lambda n) without rounding.
type undrifted struct{ still }

func (undrifted) drift(*certificate.Bounds) float64 { return 0 }

// TestDriftBesideIntercept compares what making one sign smaller adds to the drift with its
// formula, which is above the distance of the two dual points' weights.
func TestDriftBesideIntercept(t *testing.T) {
	t.Parallel()
	for mode := range 4 {
		p := besideIntercept(t, loss.Logistic{}, mode, 200, 4)
		r := rand.New(rand.NewPCG(uint64(mode), 3))
		alpha, w := make([]float64, 200), make([]float64, 5)
		for i := range alpha {
			alpha[i] = p.Y[i] * direct.Weight(p.SampleWeight, i) * r.Float64()
			for j, v := range p.X.Row(i) {
				if j < 4 {
					w[j] += v * alpha[i] / (200 * p.Ridge())
				}
			}
		}
		o := newObjective(p, nil, nil)
		o.loop = undrifted{still{alpha}}
		o.sweep(w, kernels.SquaredNorm(w))
		sum := ct.R(0)
		for i, a := range alpha {
			square := ct.R(0)
			for _, v := range p.X.Row(i) {
				square = square.Plus(ct.R(v).Square())
			}
			sum = sum.Plus(ct.R(a).Minus(ct.R(o.alpha[i])).Abs().Times(square.Root()))
		}
		want := sum.Over(ct.R(p.Ridge() * 200)).Square().Scale(p.Ridge() / 2).Float()
		if got := o.drift(); !(got >= want) || !(got <= want*(1+1e-5)) || !(got >= o.apart(w)) || want == 0 {
			t.Errorf("mode %d: %v, the formula %v, the distance %v", mode, got, want, o.apart(w))
		}
	}
}

// TestBalancedStart: runs begin where the dual variables of each class are equal and sum to 0.
// The difference of the classes' mean margins fits these variables. Also for several classes.
func TestBalancedStart(t *testing.T) {
	t.Parallel()
	x, y := generated(t, "text:n=3000,d=4000", 2)
	p := &erm.Problem{X: x.WithBias(1), Y: y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1. / 3000}, Intercept: true}
	several := Together{X: p.X, Class: make([]uint32, len(y)), Count: 2, Lambda: p.Ridge(), Intercept: true}
	for i, v := range y {
		if v > 0 {
			several.Class[i] = 1
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	results, err := several.Solve(ended, solvers.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	for _, weights := range []bool{false, true} {
		for i := range y {
			if weights {
				p.SampleWeight = append(p.SampleWeight, float64(i%4))
				p.Offset = append(p.Offset, float64(i%7)/3)
			}
		}
		loop, _ := loopOf(t, p, Prox{}, solvers.Settings{})
		w, alpha, sum := make([]float64, p.X.Cols()), make([]float64, len(y)), make([]float64, p.X.Cols())
		loop.Current(w)
		loop.duals(alpha)
		var mean, total, a [2]float64 // by class
		for i, label := range y {
			class := int(label+1) / 2
			s, z := direct.Weight(p.SampleWeight, i), direct.Offset(p.Offset, i)
			for j, v := range p.X.Row(i) {
				z += v * w[j]
				sum[j] += v * alpha[i]
			}
			mean[class] += s * z
			if total[class] += s; s > 0 && a[class] == 0 {
				a[class] = math.Abs(alpha[i]) / s
			}
			if want := s * label * a[class]; math.Abs(alpha[i]-want) > 1e-12*math.Abs(want) {
				t.Fatalf("row %d: %v, not %v", i, alpha[i], want)
			}
		}
		last := len(sum) - 1
		if math.Abs(sum[last]) > 1e-9 || !(a[0] > 0 && a[1] > 0) {
			t.Errorf("weights %t: dual variables %v sum to %v", weights, a, sum[last])
		}
		for j, v := range sum[:last] {
			if v /= 3000 * p.Ridge(); math.Abs(w[j]-v) > 1e-9*(1+math.Abs(v)) {
				t.Fatalf("weights %t: weight %d is %v, not %v", weights, j, w[j], v)
			}
		}
		// logit(a+) + m+ + b = 0 and logit(a-) - m- - b = 0; b is by a sample.
		logit := func(a float64) float64 { return math.Log(a / (1 - a)) }
		positive, negative := logit(a[1])+mean[1]/total[1], logit(a[0])-mean[0]/total[0]
		if math.Abs(positive+negative) > 1e-8 || math.Abs(positive-negative) > 0.2 {
			t.Errorf("weights %t: the classes are %v and %v away from their margins", weights, positive, negative)
		}
		if weights {
			continue
		}
		for j, v := range results[1].Weights {
			if j == last {
				w[j] -= positive // without a sample
			}
			if math.Abs(v-w[j]) > 1e-8*(1+math.Abs(v)) || math.Abs(results[0].Weights[j]+w[j]) > 1e-8*(1+math.Abs(v)) {
				t.Fatalf("weight %d of classes is %v and %v, not %v", j, v, results[0].Weights[j], w[j])
			}
		}
	}
}

// TestDualFreeHasNoIntercept: what the papers' methods lack is refused, and the error names
// solvers that have it.
func TestDualFreeHasNoIntercept(t *testing.T) {
	t.Parallel()
	p := besideIntercept(t, loss.Logistic{}, 2, 30, 4)
	for _, m := range []Method{Adaptive{}, AdaptivePlus{}, Minibatch{}, DualFree{}, ImportanceSampled{}} {
		var lacks *solvers.LacksError
		_, err := Solve(context.Background(), p, m, solvers.Settings{})
		if !errors.As(err, &lacks) || lacks.Part != solvers.Intercept || lacks.Solver != m.Name() || !strings.Contains(err.Error(), "package registry") {
			t.Errorf("%s: %v", m.Name(), err)
		}
		q := *p
		q.Intercept = false
		if _, err = Solve(context.Background(), &q, m, solvers.Settings{}); !errors.As(err, &lacks) || lacks.Part != solvers.Offsets {
			t.Errorf("%s takes offsets: %v", m.Name(), err)
		}
	}
}
