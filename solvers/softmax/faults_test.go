package softmax

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/solvers"
)

// inManyBits is the gradient by its definition in 300 bits.
func inManyBits(p *Problem, w []float64) []*big.Float {
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(v) }
	times := func(a, b *big.Float) *big.Float { return number(0).Mul(a, b) }
	d, n := p.X.Cols(), number(float64(p.X.Rows()))
	g := make([]*big.Float, len(w))
	for j, v := range w {
		g[j] = times(number(p.Lambda), number(v))
	}
	for i := range p.X.Rows() {
		prob, total := make([]*big.Float, p.Count), number(0)
		for c := range prob {
			z := number(0) // minus the first class's margin, which changes no probability
			for j, x := range p.X.Row(i) {
				z.Add(z, times(number(x), number(0).Sub(number(w[c*d+j]), number(w[j]))))
			}
			prob[c] = bigmath.Exp(z)
			total.Add(total, prob[c])
		}
		for c := range prob {
			r := number(0).Quo(prob[c], total)
			if uint32(c) == p.Class[i] {
				r.Sub(r, number(1))
			}
			r.Quo(times(r, number(direct.Weight(p.SampleWeight, i))), n)
			for j, x := range p.X.Row(i) {
				g[c*d+j].Add(g[c*d+j], times(r, number(x)))
			}
		}
	}
	return g
}

// TestRounding: the error of the computed gradient is within its bound, also if the margins are
// differences of large numbers. The gap includes this bound.
func TestRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for seed, scale := range []float64{1, 1e3, 1e6, 1e9} {
		p := weighted(randomProblem(t, 12, 5, 3, uint64(seed)))
		p.Lambda = 1e-12
		w := make([]float64, p.X.Cols()*p.Count)
		for c := range p.Count {
			for j := range p.X.Cols() {
				w[c*p.X.Cols()+j] = scale*float64(1+j) + normal(r) // alike in all classes
			}
		}
		e := newObjective(p, nil)
		got := e.evaluate(w)
		g := make([]float64, len(w))
		e.byClass(g, e.g)
		square := 0.0
		for j, want := range inManyBits(p, w) {
			off, _ := want.Sub(want, new(big.Float).SetFloat64(g[j])).Float64()
			square += off * off
		}
		off := math.Sqrt(square)
		if !(off <= got.GradientError) || scale > 1e5 && got.GradientError > 1e9*off {
			t.Errorf("weights of %v: %v is missing in the gradient, the bound is %v", scale, off, got.GradientError)
		}
		norm := got.GradientNorm + got.GradientError
		if least := norm * norm / (2 * p.Lambda); !(got.Gap >= least && got.Gap <= 1.000001*least) {
			t.Errorf("weights of %v: the gap is %v, not %v", scale, got.Gap, least)
		}
	}
}

// TestFalls: the objective falls with every step even from far away, where the quadratic model is
// poor and full steps raise it. The sums are right although no exponential of a margin is in
// range.
func TestFalls(t *testing.T) {
	p := randomProblem(t, 90, 7, 4, 31)
	r := rand.New(rand.NewPCG(3, 3))
	start := make([]float64, p.X.Cols()*p.Count)
	for j := range start {
		start[j] = 400 * normal(r)
	}
	var trace solvers.Trace
	end, err := Solve(context.Background(), p, Newton{}, solvers.Settings{Initial: start, Recorder: &trace, GapTolerance: 1e-10, MaxEpochs: 3000})
	if err != nil || end.Status != solvers.Converged {
		t.Fatalf("%v, %v", end, err)
	}
	if value, _ := byDefinition(p, end.Weights); math.Abs(value-solve(t, p, solvers.Settings{GapTolerance: 1e-10}).Objective) > 2e-10 {
		t.Errorf("another minimum: %v", value)
	}
	for k := 1; k < len(trace); k++ {
		if trace[k].Objective > trace[k-1].Objective*(1+1e-12) {
			t.Errorf("step %d: from %v to %v", k, trace[k-1].Objective, trace[k].Objective)
		}
	}
	if trace[0].Objective < 10 || len(trace) < 4 {
		t.Errorf("%d points, the first with %v", len(trace), trace[0].Objective)
	}
}

// TestResumeRefuses: a checkpoint is of one problem alone.
func TestResumeRefuses(t *testing.T) {
	saved := filepath.Join(t.TempDir(), "run")
	whole := randomProblem(t, 60, 5, 3, 17)
	solve(t, whole, solvers.Settings{GapTolerance: 1e-12, Checkpoint: saved, MaxEpochs: 3})
	for what, change := range map[string]func(p *Problem){
		"lambda":  func(p *Problem) { p.Lambda *= 1.5 },
		"classes": func(p *Problem) { p.Class = append([]uint32{(p.Class[0] + 1) % 3}, p.Class[1:]...) },
		"weights": func(p *Problem) { weighted(p) },
		"bias":    func(p *Problem) { p.X = p.X.WithBias(2) },
	} {
		p := *whole
		change(&p)
		if _, err := Solve(context.Background(), &p, Newton{}, solvers.Settings{GapTolerance: 1e-12, Resume: saved}); err == nil {
			t.Errorf("%s: a run of another problem is continued", what)
		}
	}
	if r := solve(t, whole, solvers.Settings{GapTolerance: 1e-12, Resume: saved}); r.Status != solvers.Converged {
		t.Errorf("the problem itself: %v", r.Status)
	}
}
