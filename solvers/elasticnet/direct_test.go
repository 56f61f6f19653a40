package elasticnet

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// ridgeOf poses a ridge on rows of draw(column), with targets by the columns and noise.
func ridgeOf(t *testing.T, n, d int, lambda float64, intercept bool, draw func(r *rand.Rand, j int) float64) *Problem {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 6))
	x := &sparse.Dense{Rows: n, Columns: d, RowStride: d, ColumnStride: 1, Float64: make([]float64, n*d)}
	p := &Problem{Y: make([]float64, n), Loss: loss.Squared{}, Penalty: penalty.Ridge{Lambda: lambda}}
	for i := range n {
		p.Y[i] = 3 + r.NormFloat64()
		for j := range d {
			x.Float64[i*d+j] = draw(r, j)
			if j != 3 { // which may be large
				p.Y[i] += x.Float64[i*d+j] / float64(1+j)
			}
		}
	}
	var err error
	if p.X, err = sparse.NewDense(nil, x); err != nil {
		t.Fatal(err)
	}
	if p.Intercept = intercept; intercept {
		p.X = p.X.WithBias(1)
	}
	return p
}

// TestDirect: a ridge on correlated columns takes one step by its factor, which statistics certify, and has the minimum of
// Newton's method, for a ridge by any name.
func TestDirect(t *testing.T) {
	for _, c := range []struct{ n, d int }{{50, 3}, {2000, 30}, {900, 150}} {
		for k := range 8 {
			common := 0.0
			p := ridgeOf(t, c.n, c.d, 1/float64(c.n), k&1 != 0, func(r *rand.Rand, j int) float64 {
				if j == 0 {
					common = r.NormFloat64()
				}
				return common + 0.01*r.NormFloat64() + float64(j%3)
			})
			if k&2 != 0 {
				p.SampleWeight = make([]float64, c.n)
				for i := range p.SampleWeight {
					p.SampleWeight[i] = float64(1 + i%3)
				}
			}
			if k&4 != 0 {
				p.Penalty = penalty.ElasticNet{L2: p.Ridge()}
			}
			if !Direct(p) {
				t.Fatalf("%d x %d: the matrix does not pay", c.n, c.d)
			}
			s := solvers.Settings{GapTolerance: 1e-7}
			got, err := Solve(context.Background(), p, ProximalNewton{MaxSweeps: 1}, s)
			if err != nil {
				t.Fatal(err)
			}
			p.Penalty = penalty.Ridge{Lambda: p.Ridge()}
			want, err := erm.Solve(context.Background(), p, erm.Newton{}, solvers.Settings{GapTolerance: 1e-12})
			if err != nil {
				t.Fatal(err)
			}
			if got.Status != solvers.Converged || got.Total.Epochs > 1 || !(math.Abs(got.Objective-want.Objective) <= 1e-9*want.Objective) {
				t.Errorf("%d x %d, case %d: %v after %v epochs at %v, not %v", c.n, c.d, k, got.Status, got.Total.Epochs, got.Objective, want.Objective)
			}
		}
	}
	if p := ridgeOf(t, 1000, 250, 1, false, func(r *rand.Rand, _ int) float64 { return r.NormFloat64() }); !Direct(p) {
		t.Error("250 columns do not pay")
	} else if p.Loss = (loss.Logistic{}); Direct(p) {
		t.Error("a logistic loss is no linear system")
	} else if p.Loss, p.Penalty = (loss.Squared{}), (penalty.L1{Lambda: 1}); Direct(p) {
		t.Error("nor is a lasso")
	}
	if p := ridgeOf(t, 300, 600, 1, false, func(r *rand.Rand, _ int) float64 { return r.NormFloat64() }); Direct(p) {
		t.Error("600 columns pay")
	}
}

// TestTurns: a run that statistics and rows cannot certify ends by Newton's method, resumed to the
// same bits.
func TestTurns(t *testing.T) {
	for _, intercept := range []bool{false, true} {
		p := ridgeOf(t, 3000, 20, 1e-10/3000, intercept, func(r *rand.Rand, j int) float64 {
			if j == 3 {
				return 1e4 * r.NormFloat64()
			}
			return r.NormFloat64()
		})
		s := solvers.Settings{GapTolerance: 1e-6, MaxEpochs: 1000}
		want, err := Solve(context.Background(), p, nil, s)
		if err != nil {
			t.Fatal(err)
		}
		if want.Status != solvers.Converged || want.Total.Epochs < 2 {
			t.Errorf("%v after %v epochs, gap %v", want.Status, want.Total.Epochs, want.Gap)
		}
		for cut := 1; float64(cut) < want.Total.Epochs; cut++ {
			short, path := s, filepath.Join(t.TempDir(), fmt.Sprint(cut))
			short.MaxEpochs, short.Checkpoint = float64(cut), path
			if _, err := Solve(context.Background(), p, nil, short); err != nil {
				t.Fatal(err)
			}
			long := s
			long.Resume = path
			got, err := Solve(context.Background(), p, nil, long)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Weights, want.Weights) || got.Status != want.Status {
				t.Errorf("resumed after %d epochs: %v, other weights", cut, got.Status)
			}
		}
	}
}
