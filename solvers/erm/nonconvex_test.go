package erm

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/testing/definition"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// nonconvexProblem draws targets around means of a logarithmic link, with weights and offsets.
func nonconvexProblem(t *testing.T, seed uint64, spread float64) *Problem {
	t.Helper()
	const n, d = 120, 4
	r := rand.New(rand.NewPCG(seed, 3))
	p := &Problem{Loss: loss.InverseGaussian{}, Intercept: true, Penalty: penalty.Ridge{Lambda: float64(seed%2) * 0.01}}
	values := make([]float64, n*d)
	for i := range n {
		z := 0.3
		for j := range d - 1 {
			values[i*d+j] = 2*r.Float64() - 1
			z += values[i*d+j] * float64(j+1) / 2
		}
		values[i*d+d-1] = 1
		o := r.Float64() - 0.5
		p.Offset = append(p.Offset, o)
		p.SampleWeight = append(p.SampleWeight, float64(i%4)/2)
		p.Y = append(p.Y, math.Exp(z+o+spread*(2*r.Float64()-1)))
	}
	x, err := sparse.NewDense(nil, &sparse.Dense{Rows: n, Columns: d - 1, Float64: values, RowStride: d, ColumnStride: 1})
	if err != nil {
		t.Fatal(err)
	}
	p.X = x.WithBias(1)
	return p
}

// exactGradient returns P and its gradient by the definition of the loss, in many bits.
func exactGradient(p *Problem, w []float64) (value float64, g []float64) {
	const bits = 300
	at := definition.Of(p.Loss.String(), p.Loss.Parameter())
	of := func(v float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(v) }
	mean, sums := of(0), make([]*big.Float, len(w))
	for j := range sums {
		sums[j] = of(0)
	}
	for i, y := range p.Y {
		z, row := of(direct.Offset(p.Offset, i)), make([]float64, len(w))
		for j, x := range p.X.Row(i) {
			row[j] = x
			z.Add(z, of(0).Mul(of(x), of(w[j])))
		}
		v, slope, _ := at(z, y)
		s := of(direct.Weight(p.SampleWeight, i) / float64(len(p.Y)))
		mean.Add(mean, of(0).Mul(v, s))
		for j, x := range row {
			sums[j].Add(sums[j], of(0).Mul(of(0).Mul(slope, s), of(x)))
		}
	}
	value, _ = mean.Float64()
	for j, sum := range sums {
		v, _ := sum.Float64()
		if j < len(w)-1 {
			v += p.Ridge() * w[j]
			value += p.Ridge() / 2 * w[j] * w[j]
		}
		g = append(g, v)
	}
	return value, g
}

// TestNonconvex: runs of a loss that is not convex end at a stationary point, in memory and by shards. They
// have no gap, and bounds of rounding hold. No plain descent from other points ends lower.
func TestNonconvex(t *testing.T) {
	t.Parallel()
	for seed := range repeat.Size[uint64](4, 2) {
		p := nonconvexProblem(t, seed, 0.3*float64(seed))
		highest := math.Inf(-1)
		for _, shards := range []int{0, 4} {
			r, err := Solve(t.Context(), p, Newton{}, solvers.Settings{GradientTolerance: 1e-9, Shards: shards})
			if err != nil {
				t.Fatal(err)
			}
			if r.Status != solvers.Stationary || r.Status.String() != "stationary point" || !math.IsNaN(r.Gap) || !r.Status.Finished() {
				t.Fatalf("seed %d, %d shards: %v, gap %v", seed, shards, r.Status, r.Gap)
			}
			value, g := exactGradient(p, r.Weights)
			if norm := direct.Norm(g); !(norm <= 1e-9) || math.Abs(value-r.Objective) > r.ObjectiveError+1e-13*value {
				t.Errorf("seed %d, %d shards: a gradient norm of %v, an objective of %v, not %v", seed, shards, norm, r.Objective, value)
			}
			highest = max(highest, r.Objective)
			pool := sparse.NewPool(1)
			o := newObjective(p, pool, new(direct.Workspace))
			for k := range 6 {
				w, got := append([]float64(nil), r.Weights...), make([]float64, len(r.Weights))
				for j := range w {
					w[j] += math.Pow(0.1, float64(k)) * float64((j+k)%3-1)
				}
				e := o.gradient(got, w)
				value, want := exactGradient(p, w)
				for j := range got {
					got[j] -= want[j]
				}
				if off := direct.Norm(got); !(off <= e.GradientError) || e.GradientError > 1e-6*(1+e.GradientNorm) || math.Abs(e.Objective-value) > e.ObjectiveError+4*direct.Unit*value {
					t.Errorf("seed %d: a gradient off by %v, with a bound of %v; objective %v, not %v", seed, off, e.GradientError, e.Objective, value)
				}
			}
			pool.Close()
		}
		for start := range 2 {
			w := make([]float64, p.X.Cols())
			for j := range w {
				w[j] = float64(start+j*5%3) - 1.5
			}
			f, g := exactGradient(p, w)
			for step, k := 0.1, 0; k < repeat.Size(150, 40); k++ {
				to := append([]float64(nil), w...)
				direct.Axpy(-step, g, to)
				if there, slope := exactGradient(p, to); there < f {
					w, f, g, step = to, there, slope, step*1.5
				} else {
					step /= 2
				}
			}
			if f < highest-1e-9 {
				t.Errorf("seed %d: %v from another start, below %v", seed, f, highest)
			}
		}
	}
}

// TestNonconvexRefused: a gap is refused, and so is a solver that supposes convexity.
func TestNonconvexRefused(t *testing.T) {
	t.Parallel()
	p := nonconvexProblem(t, 1, 0.5)
	if _, err := Solve(t.Context(), p, Newton{}, solvers.Settings{GapTolerance: 1e-6}); err == nil || !strings.Contains(err.Error(), "not convex, and there is no duality gap to reach; set a gradient tolerance") {
		t.Errorf("a gap: error %v", err)
	}
	p.Intercept, p.Offset = false, nil
	for _, m := range []Method{SVRG{}, AISARAH{}, Adam{}, SGD{}} {
		var lacks *solvers.LacksError
		if _, err := Solve(t.Context(), p, m, solvers.Settings{MaxEpochs: 2}); !errors.As(err, &lacks) || lacks.Part != solvers.NonconvexLosses {
			t.Errorf("%s: error %v", m.Name(), err)
		}
	}
}
