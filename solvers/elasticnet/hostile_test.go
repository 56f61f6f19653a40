package elasticnet

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// TestFarBeyondDelta: most rows of full columns between 0 and 1 are far beyond Huber's delta, to
// the end of the run. There Newton's model has next to no curvature.
func TestFarBeyondDelta(t *testing.T) {
	const n, d = 300, 40
	for seed := range uint64(2) {
		random := rand.New(rand.NewPCG(seed, 77))
		p := new(Problem)
		p.Loss = loss.Huber{Delta: 100}
		values, truth := make([]float64, n*d), make([]float64, d)
		for j := range d {
			truth[j] = 2*random.Float64() - 1
		}
		for i := range n {
			y := 0.6 * (random.Float64() + random.Float64())
			for j := range d {
				v := random.Float64() * random.Float64()
				values[i*d+j] = v
				y += v * truth[j]
			}
			p.Y = append(p.Y, 1e4*y)
		}
		p.X = full(t, d, values)
		setIntercept(p, seed == 1)
		most, _, err := MaxL1(nil, p)
		if err != nil {
			t.Fatal(err)
		}
		zero := newObjective(p, nil).atZero()
		path, err := NewPath(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, share := range []float64{0.1, 0.01, 0.001} {
			p.Penalty = penalty.ElasticNet{L1: share * most, L2: p.Ridge()}
			s := solvers.Settings{GapTolerance: 1e-7 * zero, MaxEpochs: 120, Workers: 1}
			alone, err := Solve(context.Background(), p, nil, s)
			if err != nil {
				t.Fatal(err)
			}
			along, err := path.Solve(context.Background(), p.Penalty, s)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range []*solvers.Result{alone, along} {
				if r.Status != solvers.Converged {
					t.Errorf("seed %d, l1 %v of %v: %v at %v after %v passes, gap %v", seed, penalty.WeightOf(p.Penalty), most, r.Status, r.Objective, r.Total.Epochs, r.Gap)
				}
			}
			if math.Abs(alone.Objective-along.Objective) > 2e-7*zero {
				t.Errorf("seed %d, l1 %v: %v and %v along a path", seed, penalty.WeightOf(p.Penalty), alone.Objective, along.Objective)
			}
		}
	}
}

// TestHostilePaths: few rows have columns of all scales, and many of the columns depend on one
// another. Their margins round by more than the losses near the minimum. The column of an intercept
// beside them is short or long.
func TestHostilePaths(t *testing.T) {
	tried, missed := 0, 0
	for seed := range repeat.Size[uint64](150, 50) {
		random := rand.New(rand.NewPCG(seed, 77))
		rows, d := 1+int(seed%3)*2, 1+random.IntN(12)
		p := new(Problem)
		p.Loss = loss.Huber{Delta: []float64{1, 0.01, 100}[random.IntN(3)]}
		scales := make([]float64, d)
		for j := range scales {
			scales[j] = math.Pow(10, 20*random.Float64()-10)
		}
		var values []float64
		for range rows {
			for _, scale := range scales {
				values = append(values, (random.Float64()-0.5)*scale)
			}
			p.Y = append(p.Y, (random.Float64()-0.5)*math.Pow(10, float64(random.IntN(5))))
		}
		p.X = full(t, d, values)
		setIntercept(p, seed%4 == 0)
		most, _, err := MaxL1(nil, p)
		if err != nil {
			t.Fatal(err)
		}
		if most == 0 {
			continue
		}
		target := 1e-6 * newObjective(p, nil).atZero()
		path, err := NewPath(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for k := range 10 {
			p.Penalty = penalty.ElasticNet{L1: most * math.Pow(10, -0.4*float64(k)), L2: p.Ridge()}
			s := solvers.Settings{GapTolerance: target, MaxEpochs: 300, Workers: 1}
			alone, err := Solve(context.Background(), p, nil, s)
			if err != nil {
				t.Fatal(err)
			}
			along, err := path.Solve(context.Background(), p.Penalty, s)
			if err != nil {
				t.Fatal(err)
			}
			for what, r := range map[string]*solvers.Result{"alone": alone, "along": along} {
				if tried++; r.Status != solvers.Converged {
					missed++
					t.Logf("seed %d, %d x %d, delta %v, point %d %s: %v at %v after %v passes, gap %v, target %v",
						seed, rows, d, p.Loss.Parameter(), k, what, r.Status, r.Objective, r.Total.Epochs, r.Gap, target)
				}
			}
			if most := max(alone.Gap, along.Gap) + 1e-12*alone.Objective; math.Abs(alone.Objective-along.Objective) > most {
				t.Errorf("seed %d, point %d: %v with a gap of %v, and %v with %v along a path", seed, k, alone.Objective, alone.Gap, along.Objective, along.Gap)
			}
		}
	}
	if t.Logf("%d of %d missed", missed, tried); missed*500 > tried {
		t.Errorf("%d of %d points were not certified", missed, tried)
	}
}

// TestLongRowWithoutWeight: rows of weight 0 do not slow a run down. A row of
// weight 0 that is 1e4 times as long took 4,000 passes, and more.
func TestLongRowWithoutWeight(t *testing.T) {
	for _, weight := range []float64{0, 1e-12} {
		p := &Problem{Penalty: penalty.L1{Lambda: 4e-6}}
		p.Loss, p.Y, p.SampleWeight = loss.Logistic{}, []float64{-1, -1}, []float64{1, weight}
		p.X = full(t, 4, []float64{-2e-7, 3e-8, -1e-8, -1.8e-4, 0, 6e-4, -1e-3, -4.6})
		r := solve(t, p, solvers.Settings{GapTolerance: 1e-8, MaxEpochs: 100, Workers: 1})
		if r.Status != solvers.Converged {
			t.Errorf("weight %v: %v at %v, gap %v", weight, r.Status, r.Objective, r.Gap)
		}
	}
}

// TestSquaresBeyondFloats: columns may be so short that the squares of their weights overflow.
// Without lambda they lead to the solution of columns of length 1. Runs stalled at 0, or ended
// along paths as diverged, or as of data that are too large.
func TestSquaresBeyondFloats(t *testing.T) {
	for _, phi := range []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{Delta: 0.4}} {
		for _, intercept := range []bool{false, true} {
			want := 0.0
			for _, scale := range []float64{1, 1e-156} {
				p := randomProblem(t, phi, 30, 3, 5)
				p.Penalty = penalty.ElasticNet{L1: penalty.WeightOf(p.Penalty), L2: 0}
				values := make([]float64, 0, 90)
				for i := range p.X.Rows() {
					row := make([]float64, 3)
					for j, v := range p.X.Row(i) {
						row[j] = v * scale
					}
					values = append(values, row...)
				}
				p.X = full(t, 3, values)
				setIntercept(p, intercept)
				most, _, err := MaxL1(nil, p)
				if err != nil {
					t.Fatal(err)
				}
				p.Penalty = penalty.ElasticNet{L1: 0.1 * most, L2: p.Ridge()}
				s := solvers.Settings{GapTolerance: 1e-8, MaxEpochs: 100, Workers: 1}
				alone := solve(t, p, s)
				path, err := NewPath(p, nil)
				if err != nil {
					t.Fatal(err)
				}
				along, err := path.Solve(context.Background(), p.Penalty, s)
				if err != nil {
					t.Fatalf("%v, columns of %v: %v", phi, scale, err)
				}
				if scale == 1 {
					want = alone.Objective
				}
				for _, r := range []*solvers.Result{alone, along} {
					if r.Status != solvers.Converged || math.Abs(r.Objective-want) > 2e-8 {
						t.Errorf("%v, columns of %v, intercept %t: %v at %v, not %v", phi, scale, intercept, r.Status, r.Objective, want)
					}
				}
			}
		}
	}
}
