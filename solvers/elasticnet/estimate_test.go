package elasticnet

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// withRidge is the objective with a squared norm, in 512 bits or so.
func withRidge(p *Problem, w []float64) *big.Float {
	sum, half := inBits(p, w), big.NewFloat(p.Ridge()/2)
	for _, v := range w[:penalised(p)] {
		square := new(big.Float).SetPrec(200).Mul(big.NewFloat(v), big.NewFloat(v))
		sum.Add(sum, square.Mul(square, half))
	}
	return sum
}

// TestEstimate: evaluations by statistics hold beside sums in 512 bits: near the minimum and far
// from it, with weights of rows, an intercept, means far from 0, columns of zeros and columns whose
// squares underflow. Near the minimum they certify.
func TestEstimate(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for k := range 64 {
		p := targets(t, 150, 8, float64(k%4)*2, 1, uint64(k))
		x := make([]float64, 150*8)
		for i := range 150 {
			for j, v := range p.X.Row(i) {
				x[i*8+int(j)] = v
			}
			x[i*8+1] += normal(random) // a constant column would be shifted
		}
		p.X = full(t, 8, x)
		if k&16 != 0 {
			p.SampleWeight = make([]float64, 150)
			for i := range p.Y {
				p.SampleWeight[i] = float64(1 + i%3)
			}
		}
		setIntercept(p, k&4 != 0)
		high, _, err := MaxL1(nil, p)
		if err != nil {
			t.Fatal(err)
		}
		p.Penalty = penalty.ElasticNet{L1: 0.05 * high, L2: float64(k>>3&1) / 50}
		s := newPath(t, p)
		s.Expect([]penalty.Penalty{p.Penalty})
		r, err := s.Solve(context.Background(), p.Penalty, solvers.Settings{GapTolerance: 1e-8 * high * high})
		if err != nil || r.Status != solvers.Converged {
			t.Fatal(r, err)
		}
		if s.o.offsets != nil || r.Total.Epochs != 0 {
			t.Errorf("%d: statistics did not certify: %v passes", k, r.Total.Epochs)
		}
		least := withRidge(p, solve(t, p, solvers.Settings{GapTolerance: 1e-13 * high * high}).Weights)
		l := s.newLoop(r.Weights)
		part, from := l.model(), &s.origin
		if p.Intercept && k&2 != 0 { // slopes of an intercept that is not the best one
			at := make([]float64, l.d+1)
			at[l.d] = s.origin.b + 0.7
			l.place(at)
			l.gradient(at)
			from = &origin{b: at[l.d], g: slices.Clone(l.g), mean: l.mean}
		}
		for round := range 12 {
			scale := math.Pow(10, float64(round)-9)
			for a, j := range part.list {
				if part.to[a] = r.Weights[j] + scale*(random.Float64()-0.5); round%3 == 0 {
					part.to[a] = r.Weights[j] * (1 + scale)
				}
			}
			b, w := 0.0, part.whole(l.d)
			if p.Intercept {
				b = from.intercept(part)
				w = append(w, b)
			}
			e := l.estimate(part, from, b)
			value := withRidge(p, w)
			off, _ := new(big.Float).Sub(value, big.NewFloat(e.Objective)).Float64()
			above, _ := new(big.Float).Sub(value, least).Float64()
			if !(math.Abs(off) <= e.ObjectiveError) || !(e.Gap >= above) {
				t.Errorf("%d, %d: the objective is off by %v of %v, the gap %v where the objective is %v above the least", k, round, off, e.ObjectiveError, e.Gap, above)
			}
		}
	}
}

// TestEstimateUnderflows: columns whose squares underflow get no certificate by statistics, and one
// by rows.
func TestEstimateUnderflows(t *testing.T) {
	p := targets(t, 100, 6, 0, 1, 1)
	x := make([]float64, 0, 600)
	for i := range 100 {
		for j := range 6 {
			v := 1e-170
			if (i>>j)&1 == 0 {
				v = -1e-170
			}
			x = append(x, v)
		}
		p.Y[i] = x[len(x)-1] * 1e170
	}
	p.X = full(t, 6, x)
	p.Penalty = penalty.ElasticNet{L1: 1e-180}
	s := newPath(t, p)
	s.Expect([]penalty.Penalty{p.Penalty})
	r, err := s.Solve(context.Background(), p.Penalty, solvers.Settings{GapTolerance: 1e-6})
	if err != nil {
		t.Fatal(err)
	}
	if value, _ := withRidge(p, r.Weights).Float64(); r.Status == solvers.Converged && value > 2e-6 {
		t.Errorf("%v at %v with a gap of %v", r.Status, value, r.Gap)
	}
	l := s.newLoop(make([]float64, 6))
	l.originate()
	part := l.model()
	part.to[5] = 3e170 // beyond a target of 1e170
	if e := l.estimate(part, &s.origin, 0); e.Gap < 1 {
		t.Errorf("a gap of %v at a residual of 2", e.Gap)
	}
}

// TestEstimateTerms compares the bounds of rounding with their formula, for one column and one row's
// worth of numbers that are exact: so nothing else is in them.
func TestEstimateTerms(t *testing.T) {
	for k := range 4 {
		// The slope at the weight 1/2 is -9.5, or -1.5 beside an intercept.
		l1 := []float64{9.25, 1.375, 0.5, 0.5}[k]
		p := &Problem{X: full(t, 1, []float64{1, 3, 1, 3}), Y: []float64{2, 8, 4, 6}, Loss: loss.Squared{}, Penalty: penalty.ElasticNet{L1: l1, L2: 0.25}}
		setIntercept(p, k&1 != 0)
		s := newPath(t, p)
		if _, err := s.Solve(context.Background(), p.Penalty, solvers.Settings{MaxIterations: 1}); err != nil {
			t.Fatal(err)
		}
		l := s.newLoop(make([]float64, len(s.w)))
		l.originate()
		part := l.model()
		part.to[0] = 0.5
		b, start, mean, slope := 0.0, 30.0, 9.625, -9.5 // the mean loss at 0 is 15, or 2.5 beside the intercept of 5
		if k&1 != 0 {
			b, start, mean, slope = s.origin.intercept(part), 5, 1.625, -1.5
		}
		e := l.estimate(part, &s.origin, b)
		unit, length := 4*float64(4+1+96)*0x1p-53, math.Sqrt(5)
		all := math.Sqrt(start) + 0.5*length
		tilt := unit*all + unit*(math.Abs(b)+math.Abs(s.origin.b))
		off, penalty := unit*length*all, 0.5*l1+0.25/2*0.25
		steep := math.Abs(slope) + off
		share := l1 / steep
		scaled := (1-share)*(1-share)*mean + penalty + share*slope/2
		whole := penalty + slope/2 + (steep-l1)*(steep-l1)/(2*0.25)
		if (whole < scaled) != (k < 2) {
			t.Errorf("%d: gaps of %v and %v", k, whole, scaled)
		}
		if more := (e.Gap - min(whole, scaled)) / (3 * e.ObjectiveError); math.Abs(more-1) > 0.01 {
			t.Errorf("%d: a gap of %v in place of %v and %v, %v times what rounding adds", k, e.Gap, whole, scaled, more)
		}
		for name, pair := range map[string][2]float64{
			"gradient":  {e.GradientError, off + tilt},
			"objective": {e.ObjectiveError, 0.5*unit*all*all + 34*0x1p-53*penalty + tilt*tilt},
		} {
			if math.Abs(pair[0]/pair[1]-1) > 1e-9 {
				t.Errorf("%d: the error of the %s is %v, by its formula %v", k, name, pair[0], pair[1])
			}
		}
	}
}
