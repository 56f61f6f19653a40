package properties

import (
	"context"
	"math"
	"testing"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/softmax"
)

// withoutL1 solves p as an elastic net whose L1 norm counts nothing.
func withoutL1(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
	return elasticnet.Solve(ctx, p.With(p.Penalty), nil, s)
}

// together solves p as two classes with weights -w/2 and w/2, whose squares count twice.
func together(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
	if p.Loss != (loss.Logistic{}) {
		return nil, nil
	}
	q := asTwoClasses(p)
	q.Lambda = 2 * p.Ridge()
	return difference(softmax.Solve(ctx, q, softmax.Newton{}, s))
}

// togetherBesideNorms is together by the solver for norms, of which none counts.
func togetherBesideNorms(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
	if p.Loss != (loss.Logistic{}) {
		return nil, nil
	}
	q := asTwoClasses(p)
	q.Penalty = penalty.ElasticNet{L1: 0, L2: 2 * p.Ridge()}
	return difference(softmax.SolveSparse(ctx, q, softmax.ProximalNewton{}, s))
}

// asTwoClasses are the labels of p as two classes.
func asTwoClasses(p *erm.Problem) *softmax.Problem {
	q := &softmax.Problem{X: p.X, Count: 2, SampleWeight: p.SampleWeight}
	for _, y := range p.Y {
		q.Class = append(q.Class, uint32((y+1)/2))
	}
	return q
}

// difference returns the weights of the second class less the weights of the first.
func difference(r *solvers.Result, err error) (*solvers.Result, error) {
	if r != nil {
		d := len(r.Weights) / 2
		for j, w := range r.Weights[:d] {
			r.Weights[j] = r.Weights[d+j] - w
		}
		r.Weights = r.Weights[:d]
	}
	return r, err
}

// net is an elastic net in plain Go.
type net struct {
	*instance
	l1        float64
	intercept bool
}

// value is the objective at weights, behind which is the intercept.
func (p *net) value(w []float64) (value, margin float64) {
	d := p.given.X.Cols()
	for i, row := range p.exact.Rows {
		z := w[d]
		size := math.Abs(z)
		for j, v := range row {
			z += v * w[j]
			size += math.Abs(v * w[j])
		}
		phi, slope := loss.At(p.given.Loss, z, p.given.Y[i])
		s := p.weight(i) / float64(len(p.exact.Rows))
		value += s * phi
		margin += s * size * (math.Abs(slope) + 1e-14*size)
	}
	for _, v := range w[:d] {
		value += p.l1*math.Abs(v) + p.given.Ridge()*v*v/2
	}
	return value, 1e-13*(margin+math.Abs(value)) + 1e-300
}

func (p *net) weight(i int) float64 {
	if p.given.SampleWeight == nil {
		return 1
	}
	return p.given.SampleWeight[i]
}

// minimise goes through the coordinates one after the other, each to where its slope
// changes its sign, which bisection finds: no curvature, model or dual point is in it.
func (p *net) minimise(sweeps int) []float64 {
	d, n := p.given.X.Cols(), len(p.exact.Rows)
	w, z := make([]float64, d+1), make([]float64, n)
	for range sweeps {
		for j := range w {
			if j == d && !p.intercept {
				continue
			}
			column := func(i int) float64 {
				if j == d {
					return 1
				}
				return p.exact.Rows[i][j]
			}
			slope := func(v float64) float64 {
				g := 0.0
				for i := range n {
					if x := column(i); x != 0 {
						_, c := loss.At(p.given.Loss, z[i]+x*(v-w[j]), p.given.Y[i])
						g += p.weight(i) * c * x / float64(n)
					}
				}
				if j == d {
					return g
				}
				return g + p.given.Ridge()*v
			}
			l1 := p.l1
			if j == d {
				l1 = 0
			}
			to := 0.0
			if g := slope(0); math.Abs(g) > l1 {
				sign := -math.Copysign(1, g)
				low, high := 0.0, 1e-30 // times sign
				for high < 1e30 && sign*slope(sign*high)+l1 < 0 {
					low, high = high, 8*high
				}
				for range 70 {
					if mid := low + (high-low)/2; sign*slope(sign*mid)+l1 < 0 {
						low = mid
					} else {
						high = mid
					}
				}
				to = sign * low
			}
			for i := range z {
				z[i] += column(i) * (to - w[j])
			}
			w[j] = to
		}
	}
	return w
}

// TestSparse: no result of an elastic net is above the result of plain descent by more than its
// gap. No converged result has a gap above its tolerance.
func TestSparse(t *testing.T) {
	count, sweeps := drawn(400, 60), 60
	if testing.Short() {
		sweeps = 25
	}
	converged, sharp, tried, together := 0, 0, 0, 0
	for seed := range uint64(count) {
		p := &net{instance: draw(t, 1000+seed), intercept: seed%3 == 0}
		if len(p.exact.Rows) > 60 || p.given.X.Cols() > 20 {
			continue
		}
		q := p.given.With(p.given.Penalty)
		if q.Intercept = p.intercept; p.intercept && q.X.Bias() == 0 {
			q.X = q.X.WithBias(1)
		} else if p.intercept {
			continue
		}
		if seed%4 < 2 {
			q.Penalty, p.given.Penalty = penalty.ElasticNet{L1: penalty.WeightOf(q.Penalty), L2: 0}, penalty.Ridge{Lambda: 0}
		}
		q.Penalty = penalty.ElasticNet{L1: 1, L2: q.Ridge()}
		most, _, err := elasticnet.MaxL1(nil, q)
		if err != nil || most == 0 || math.IsInf(most, 0) {
			continue // one class, or slopes of 0
		}
		q.Penalty = penalty.ElasticNet{L1: most * math.Pow(10, -3*float64(seed%7)/6-0.01), L2: q.Ridge()}
		p.l1 = penalty.WeightOf(q.Penalty)
		zero, _ := p.value(make([]float64, p.given.X.Cols()+1))
		r, err := elasticnet.Solve(context.Background(), q, nil, solvers.Settings{GapTolerance: 1e-7 * zero, MaxEpochs: 2000, Workers: 1})
		if err != nil {
			t.Errorf("%s, l1 %v: %v", p.what, penalty.WeightOf(q.Penalty), err)
			continue
		}
		tried++
		w := append(append([]float64(nil), r.Weights...), 0)
		got, error1 := p.value(w)
		best, error2 := p.value(p.minimise(sweeps))
		if q.Loss == (loss.Logistic{}) {
			both := asTwoClasses(q)
			both.Intercept, both.Penalty = q.Intercept, penalty.ElasticNet{L1: p.l1, L2: 2 * p.given.Ridge()}
			two, err := difference(softmax.SolveSparse(context.Background(), both, softmax.ProximalNewton{}, solvers.Settings{GapTolerance: 1e-7 * zero, MaxEpochs: 200, Workers: 1}))
			if err != nil {
				t.Errorf("%s, l1 %v, two classes: %v", p.what, p.l1, err)
			} else if at, error3 := p.value(append(append([]float64(nil), two.Weights...), 0)); !(at-best <= two.Gap+error3+error2) || two.Status == solvers.Converged && !(two.Gap <= 1e-7*zero) {
				t.Errorf("%s, l1 %v, intercept %t, two classes: %v with objective %v (%v as one) and gap %v, where %v is reached", p.what, p.l1, q.Intercept, two.Status, two.Objective, at, two.Gap, best)
			} else if two.Status == solvers.Converged {
				together++
			}
		}
		if r.Status == solvers.Converged {
			converged++
			if !(r.Gap <= 1e-7*zero) {
				t.Errorf("%s, l1 %v: converged with a gap of %v", p.what, penalty.WeightOf(q.Penalty), r.Gap)
			}
			if math.Abs(got-best) <= 1e-6*zero {
				sharp++
			}
		}
		if !(got-best <= r.Gap+error1+error2) || math.Abs(got-r.Objective) > 1e-9*math.Abs(got)+error1 {
			t.Errorf("%s, l1 %v, intercept %t: %v with objective %v (%v from its definition) and gap %v, where %v is reached",
				p.what, penalty.WeightOf(q.Penalty), q.Intercept, r.Status, r.Objective, got, r.Gap, best)
		}
	}
	t.Logf("%d problems, %d converged, %d of them where plain descent arrives, and %d as two classes", tried, converged, sharp, together)
	if converged*10 < tried*7 || sharp*2 < converged || tried*2 < count {
		t.Errorf("%d problems, %d converged, %d of them where plain descent arrives: too few to say anything", tried, converged, sharp)
	}
}
