package properties

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/sparse"
)

// hard draws a problem with an L1 norm of shapes that bring float64 to its limits, and says
// which. It is nil where all weights are 0 at the minimum whatever l1 is.
func hard(t *testing.T, seed uint64) (p *elasticnet.Problem, what string) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 77))
	power := func(span float64) float64 { return math.Pow(10, span*(2*r.Float64()-1)) }
	var shapes []string
	has := func(shape string, oneIn int) bool {
		if r.IntN(oneIn) > 0 {
			return false
		}
		shapes = append(shapes, shape)
		return true
	}
	n, d := 2+r.IntN(10), 1+r.IntN(6)
	switch {
	case has("long", 12):
		n, d = 20+r.IntN(200), 1+r.IntN(12)
	case has("wide", 6):
		n, d = 3+r.IntN(8), 10+r.IntN(40)
	}
	p = new(elasticnet.Problem)
	p.Intercept = has("intercept", 2)
	number := r.IntN(4)
	p.Loss = []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{Delta: power(1)}}[number]
	p.Y = make([]float64, n)
	classes := p.Loss.Labels()
	x := make([][]float64, n)
	for i := range x {
		x[i] = make([]float64, d)
		for j := range x[i] {
			x[i][j] = r.NormFloat64()
		}
		if p.Y[i] = r.NormFloat64(); classes {
			p.Y[i] = math.Copysign(1, p.Y[i])
		}
	}
	offsets, duplicates, scales := has("offsets", 2), has("duplicates", 4), has("scales", 5)
	for j := range d {
		offset, scale, from := 0.0, 1.0, j
		if offsets && r.IntN(3) > 0 {
			offset = math.Pow(10, 3+4*r.Float64())
		}
		if scales {
			scale = power(8)
		}
		if duplicates && r.IntN(2) == 0 {
			from = r.IntN(j + 1)
		}
		for i := range x {
			if x[i][j] = float64(scale * (x[i][j] + offset)); from < j {
				x[i][j] = x[i][from]
			}
		}
	}
	if d > 1 && has("denormals", 20) {
		for i := range x {
			x[i][r.IntN(d)] = math.Float64frombits(r.Uint64N(1 << 40))
		}
	}
	if has("one positive", 8) {
		for i := range p.Y {
			p.Y[i] = -1
		}
		p.Y[r.IntN(n)] = 1
	}
	if has("contradictions", 4) {
		for i := 1; i < n; i += 2 {
			copy(x[i], x[i-1])
			p.Y[i] = -p.Y[i-1]
		}
	}
	if has("weights", 4) {
		for range p.Y {
			p.SampleWeight = append(p.SampleWeight, power(6))
		}
	}
	var columns []uint32
	var values []float64
	begins := []int64{0}
	sparsely := has("sparse", 4)
	for i := range x {
		for j, v := range x[i] {
			if !sparsely || r.IntN(2) == 0 {
				columns, values = append(columns, uint32(j)), append(values, v)
			}
		}
		begins = append(begins, int64(len(values)))
	}
	m, err := sparse.NewCSR(d, begins, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	if p.X = m; p.Intercept || has("bias", 2) {
		p.X = m.WithBias(1)
	}
	most, _, err := elasticnet.MaxL1(nil, p)
	if err != nil || most < 1e-300 || math.IsInf(most, 0) {
		return nil, "" // one class, or slopes of 0
	}
	p.Penalty = penalty.ElasticNet{L1: most * math.Pow(10, -6*r.Float64()), L2: p.Ridge()}
	if has("lambda", 2) {
		p.Penalty = penalty.ElasticNet{L1: penalty.WeightOf(p.Penalty), L2: math.Pow(10, -12*r.Float64())}
	}
	return p, fmt.Sprintf("problem %d, %v, %d x %d: %s", seed, p.Loss, n, d, strings.Join(shapes, ", "))
}

// TestHard: at most one in a thousand hard problems ends above its target.
func TestHard(t *testing.T) {
	t.Parallel()
	count := 3 * drawn(200, 40)
	tried, short := 0, 0
	for seed := range uint64(count) {
		p, what := hard(t, seed)
		if p == nil {
			continue
		}
		zero, weight := 0.0, 1.0
		for i, y := range p.Y {
			phi, _ := loss.At(p.Loss, 0, y)
			if p.SampleWeight != nil {
				weight = p.SampleWeight[i]
			}
			zero += weight * phi / float64(len(p.Y))
		}
		r, err := elasticnet.Solve(context.Background(), p, nil, solvers.Settings{GapTolerance: 1e-6 * zero, MaxEpochs: 10000, Workers: 1})
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if tried++; r.Status != solvers.Converged {
			short++
			t.Logf("%s: %v with a gap of %.2g P(0)", what, r.Status, r.Gap/zero)
		}
	}
	if short > tried/1000 || tried < count/2 {
		t.Errorf("%d of %d problems are not solved", short, tried)
	}
}
