package elasticnet

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// linkLosses have a link other than the logistic one.
var linkLosses = []loss.Loss{loss.Poisson{}, loss.Gamma{}, loss.Tweedie{Power: 1.3}, loss.NegativeBinomial{Theta: 0.6}, loss.Cloglog{}, loss.Probit{}}

// linkPhi is one of linkLosses and its slope, from its definition.
func linkPhi(of loss.Loss, z, y float64) (value, slope float64) {
	log := math.Log(max(y, 1e-300))
	m, p := math.Exp(z), of.Parameter()
	switch of.(type) {
	case loss.Poisson:
		return m - y - y*(z-log), m - y
	case loss.Gamma:
		return y/m - 1 + z - log, 1 - y/m
	case loss.Cloglog:
		if y < 0 {
			return m, m
		}
		return -math.Log(-math.Expm1(-m)), -m / math.Expm1(m)
	case loss.Probit:
		tail := math.Erfc(-y * z / math.Sqrt2)
		return -math.Log(tail / 2), -y * math.Exp(-z*z/2) / (math.Sqrt(math.Pi/2) * tail)
	case loss.Tweedie:
		return math.Pow(m, 2-p)/(2-p) + y*math.Pow(m, 1-p)/(p-1) - math.Pow(y, 2-p)/((2-p)*(p-1)), (m - y) / math.Pow(m, p-1)
	}
	return (y+1/p)*math.Log((1+p*m)/(1+p*y)) - y*(z-log), (m - y) / (1 + p*m)
}

// anyPhi is a loss and its slope from its definition.
func anyPhi(of loss.Loss, z, y float64) (value, at float64) {
	if slices.Contains(linkLosses, of) {
		return linkPhi(of, z, y)
	}
	return phi(of, z, y, of.Parameter()), slope(of, z, y, of.Parameter())
}

// steepProblem draws counts or amounts around means exp(x'w + 0.3), with weights and offsets.
func steepProblem(t *testing.T, of loss.Loss, n, d int, seed uint64) *Problem {
	t.Helper()
	p := randomProblem(t, loss.Squared{}, n, d, seed)
	r := rand.New(rand.NewPCG(seed, 9))
	p.Loss = of
	for i, v := range p.Y {
		p.Offset = append(p.Offset, r.Float64()-0.5)
		p.SampleWeight = append(p.SampleWeight, float64(r.IntN(4))/2)
		p.Y[i] = math.Floor(2 * r.Float64() * math.Exp(min(0.5*v+p.Offset[i], 5)))
		if _, is := of.(loss.Gamma); is {
			p.Y[i] += 0.1
		}
		if of.Labels() {
			p.Y[i] = math.Copysign(1, min(p.Y[i], 1)-0.5)
		}
	}
	return p
}

// plain is the objective and the smooth part's gradient by their definitions.
func plain(p *Problem, w, g []float64) float64 {
	d, n, total := penalised(p), float64(len(p.Y)), 0.0
	clear(g)
	for i, y := range p.Y {
		s := direct.Weight(p.SampleWeight, i)
		if s == 0 {
			continue
		}
		z := direct.Offset(p.Offset, i)
		if p.Intercept {
			z += w[d]
		}
		for j, x := range features(p).Row(i) {
			z += x * w[j]
		}
		value, slope := anyPhi(p.Loss, z, y)
		total += s * value / n
		if p.Intercept {
			g[d] += s * slope / n
		}
		for j, x := range features(p).Row(i) {
			g[j] += s * slope * x / n
		}
	}
	for j, v := range w[:d] {
		g[j] += p.Ridge() * v
	}
	return total
}

// descent minimises p by proximal gradient steps with a search of their length.
func descent(p *Problem, steps int) float64 {
	w, g := make([]float64, p.X.Cols()), make([]float64, p.X.Cols())
	to, other := make([]float64, len(w)), make([]float64, len(w))
	d, step := penalised(p), 1.0
	smooth := func(w, g []float64) float64 {
		return plain(p, w, g) + p.Ridge()/2*direct.Dot(w[:d], w[:d])
	}
	rest := func(w []float64) float64 {
		return p.Penalty.Value(w[:d]) - p.Ridge()/2*direct.Dot(w[:d], w[:d])
	}
	bare := p.Penalty
	switch q := bare.(type) {
	case penalty.ElasticNet:
		bare = penalty.L1{Lambda: q.L1}
	case *penalty.GroupLasso:
		copied := *q
		copied.Lambda = 0
		bare = &copied
	}
	value, still := smooth(w, g), 0
	for k := 0; k < steps && still < 20; k++ {
		for step *= 2; ; step /= 2 {
			copy(to, w)
			for j := range to {
				to[j] -= step * g[j]
			}
			bare.Prox(to[:d], step)
			model := value
			for j, v := range to {
				model += g[j]*(v-w[j]) + (v-w[j])*(v-w[j])/(2*step)
			}
			if there := smooth(to, other); there <= model+1e-15 {
				if still++; there < value-1e-14*(1+value) {
					still = 0
				}
				value = there
				copy(w, to)
				copy(g, other)
				break
			}
		}
	}
	return value + rest(w)
}

// TestLinkLosses: with norms of single weights and of groups, beside intercepts, offsets, weights of 0 and
// samples, objectives are those of plain proximal gradient steps, and gaps are bounds.
func TestLinkLosses(t *testing.T) {
	t.Parallel()
	for k, of := range linkLosses {
		for _, intercept := range repeat.Size([]bool{false, true}, []bool{k%2 == 0}) {
			p := steepProblem(t, of, 90, 8, uint64(k+1))
			setIntercept(p, intercept)
			for _, r := range []penalty.Penalty{
				penalty.L1{Lambda: 0.03}, penalty.ElasticNet{L1: 0.02, L2: 0.05}, &penalty.GroupLasso{Weight: 0.03, Groups: [][]int{{0, 5}, {1, 2, 3}, {4}, {6, 7}}, Lambda: 1e-3},
			} {
				p.Penalty = r
				result, err := Solve(t.Context(), p, nil, solvers.Settings{GapTolerance: 1e-10})
				if err != nil {
					t.Fatal(err)
				}
				name := fmt.Sprintf("%v, intercept %t, %v", of, intercept, r)
				if result.Status != solvers.Converged || !(result.Gap <= 1e-10) {
					t.Errorf("%s: %v, with a gap of %v", name, result.Status, result.Gap)
				}
				g := make([]float64, p.X.Cols())
				got, want := plain(p, result.Weights, g)+r.Value(result.Weights[:penalised(p)]), descent(p, 4000)
				if math.Abs(got-result.Objective) > 1e-12*(1+got) || got > want+1e-10 || got < want-1e-7 {
					t.Errorf("%s: an objective of %v (%v by the definition), not %v", name, result.Objective, got, want)
				}
			}
		}
	}
}

// TestCentreOfCounts: the best intercept of counts is found from far below, where Newton's step goes far past
// it, and from far above.
func TestCentreOfCounts(t *testing.T) {
	t.Parallel()
	for _, distance := range []float64{35, 4.15, 1, -0.5, -30} {
		p := steepProblem(t, loss.Poisson{}, 40, 3, 5)
		setIntercept(p, true)
		sum, most := 0.0, 0.0
		for i, y := range p.Y {
			sum += p.SampleWeight[i] * y
			most += p.SampleWeight[i]
		}
		for i := range p.Offset {
			p.Offset[i] = math.Log(sum/most) - distance
		}
		p.Penalty = penalty.L1{Lambda: 1e6}
		pool := sparse.NewPool(1)
		_, b, err := MaxL1(pool, p)
		if pool.Close(); err != nil || math.Abs(b-distance) > 1e-9 {
			t.Errorf("an intercept of %v, not %v, error %v", b, distance, err)
		}
	}
}
