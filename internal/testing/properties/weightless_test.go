package properties

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// beside returns a random problem, and the same with rows of weight 0 behind its own, which
// are length times as long. Its lambda makes the minimum the same but for a factor.
func beside(t *testing.T, phi loss.Loss, length float64) (alone, masked *erm.Problem, factor float64) {
	t.Helper()
	const n, d, extra = 20, 4, 2
	r := rand.New(rand.NewPCG(5, uint64(slices.Index(loss.Names(), phi.String()))))
	begins, columns, values := []int64{0}, []uint32(nil), []float64(nil)
	masked = &erm.Problem{Loss: phi, Penalty: penalty.Ridge{Lambda: 1e-3}}
	alone = &erm.Problem{Loss: phi, Penalty: penalty.Ridge{Lambda: masked.Ridge() * (n + extra) / n}}
	for i := range n + extra {
		score, weight := 0.3*r.NormFloat64(), 1.0
		for j := range d {
			v := r.NormFloat64()
			score += v / float64(1+j)
			if i >= n {
				v, weight = v*length, 0
			}
			columns, values = append(columns, uint32(j)), append(values, v)
		}
		if phi == (loss.Logistic{}) || phi == (loss.SquaredHinge{}) {
			score = math.Copysign(1, score)
		}
		begins = append(begins, int64(len(values)))
		masked.Y, masked.SampleWeight = append(masked.Y, score), append(masked.SampleWeight, weight)
	}
	alone.Y = masked.Y[:n]
	alone.X = rows(t, d, begins[:n+1], columns[:n*d], values[:n*d])
	masked.X = rows(t, d, begins, columns, values)
	return alone, masked, float64(n) / (n + extra)
}

// rows is a matrix of d columns.
func rows(t *testing.T, d int, begins []int64, columns []uint32, values []float64) *sparse.Matrix {
	t.Helper()
	x, err := sparse.NewCSR(d, begins, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestGradientsBelowSquares: if the squares of slopes underflow, the computed gradient norm is 0.
// It is not within a tolerance that is smaller than the possible loss by underflow.
func TestGradientsBelowSquares(t *testing.T) {
	for name, solve := range all(t) {
		for _, phi := range []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{}} {
			p, _, _ := beside(t, phi, 1)
			begins, columns, values := []int64{0}, []uint32(nil), []float64(nil)
			for i := range p.X.Rows() {
				for j, v := range p.X.Row(i) {
					columns, values = append(columns, uint32(j)), append(values, v*1e-170)
				}
				begins = append(begins, int64(len(values)))
			}
			p.X = rows(t, p.X.Cols(), begins, columns, values)
			p.Penalty = penalty.Ridge{Lambda: 1e-300}
			r, err := solve(context.Background(), p, solvers.Settings{GradientTolerance: 1e-180, MaxEpochs: 5, Workers: 1, Seed: 1})
			if err == nil && r != nil && r.Status == solvers.Converged && r.Objective > 0.1 {
				t.Errorf("%s, %v: converged at %v", name, phi, r.Objective)
			}
		}
	}
}

// TestRowsWithoutWeight: rows whose weight is 0, such as masked rows, have no effect, however long
// they are: neither on step sizes nor on bounds of rounding.
func TestRowsWithoutWeight(t *testing.T) {
	list := all(t)
	delete(list, "one-vs-rest") // takes no weights
	for _, intercept := range []bool{false, true} {
		name := "L1 norm"
		if intercept {
			name = "L1 norm and intercept"
		}
		list[name] = func(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
			q := p.With(penalty.ElasticNet{L1: 10 * p.Ridge(), L2: p.Ridge()})
			q.Penalty, q.Intercept = penalty.L1{Lambda: penalty.WeightOf(q.Penalty)}, intercept
			if intercept {
				q.X = q.X.WithBias(1)
			}
			return elasticnet.Solve(ctx, q, nil, s)
		}
	}
	for name, solve := range list {
		for _, phi := range []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{}} {
			for _, length := range []float64{1, 1e6, 1e12} {
				alone, masked, factor := beside(t, phi, length)
				s := solvers.Settings{GapTolerance: 1e-6, MaxEpochs: passes(name), Workers: 1, Seed: 1}
				want, err := solve(context.Background(), alone, s)
				if err != nil {
					t.Fatalf("%s, %v: %v", name, phi, err)
				}
				if want == nil || want.Total.Epochs > 0.5*s.MaxEpochs {
					continue // nothing for this solver
				}
				got, err := solve(context.Background(), masked, s)
				if err != nil {
					t.Errorf("%s, %v, rows %v times as long: %v", name, phi, length, err)
				}
				if got == nil {
					continue // no solver of weights
				}
				if off := math.Abs(got.Objective - factor*want.Objective); got.Status != solvers.Converged || off > 2e-6 {
					t.Errorf("%s, %v, rows %v times as long: %v after %v passes with a gap of %v, %v off; %v passes without them",
						name, phi, length, got.Status, got.Total.Epochs, got.Gap, off, want.Total.Epochs)
				}
			}
		}
	}
}
