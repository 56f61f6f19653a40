package compositional

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/testing/quadratic"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// TestConverges compares with an exact quadratic solver. Nothing is tuned.
func TestConverges(t *testing.T) {
	if testing.Short() {
		t.Skip("long runs")
	}
	f := portfolio(t, 400, 12)
	for _, lambda := range []float64{0, 0.02} {
		exact := quadratic.MeanVariance(f.rewards, f.d, 1, lambda, -1, 1)
		x, err := exact.Solve(1e-12)
		if err != nil {
			t.Fatal(err)
		}
		least := exact.Value(x)
		first := exact.Value(make([]float64, f.d))
		p := &Problem{F: f, R: penalty.L1Box{Lambda: lambda, Low: -1, High: 1}}
		for _, c := range []struct {
			m    Method
			want float64 // of what there was to gain
		}{{SCVRG{}, 1e-7}, {VRSCPG{}, 1e-3}, {SCGD{}, 0.5}, {ASCPG{}, 0.5}, {AGD{}, 1e-9}} {
			r := mustSolve(t, p, c.m, solvers.Settings{MaxEpochs: 1500, Seed: 1, RecordEvery: 50})
			share := (r.Objective - least) / (first - least)
			t.Logf("lambda %v: %s: %.2g of the gain is missing after %.4g passes, gap %.2g", lambda, c.m.Name(), share, r.Epochs, r.Gap)
			if !(share <= c.want) || share < -1e-9 {
				t.Errorf("lambda %v: %s misses %v of the gain", lambda, c.m.Name(), share)
			}
			if !(r.Gap >= (r.Objective-least)*(1-1e-9)-1e-14) {
				t.Errorf("lambda %v: %s: gap %v is below the distance %v", lambda, c.m.Name(), r.Gap, r.Objective-least)
			}
		}
		if r := mustSolve(t, p, SCVRG{}, solvers.Settings{MaxEpochs: 4000, GapTolerance: 1e-6}); r.Status != solvers.Converged || !(r.Gap <= 1e-6) {
			t.Errorf("lambda %v: %v with a gap of %v", lambda, r.Status, r.Gap)
		}
	}
}

// TestPolicy reaches the values of the sampled chain.
func TestPolicy(t *testing.T) {
	if testing.Short() {
		t.Skip("long runs")
	}
	f := chain(t, 30, 200)
	want := f.Values(1e-13)
	p := &Problem{F: f, R: penalty.Box{Low: -100, High: 100}}
	for _, m := range []Method{SCVRG{}, AGD{}} {
		r := mustSolve(t, p, m, solvers.Settings{MaxEpochs: 1500, Seed: 1, RecordEvery: 100})
		for s, v := range r.Weights {
			if math.Abs(v-want[s]) > 1e-3 {
				t.Errorf("%s: state %d is worth %v, not %v", m.Name(), s, v, want[s])
				break
			}
		}
	}
}

// TestProx checks that no point of X near prox(x) does better.
func TestProx(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, r := range []penalty.Penalty{penalty.L1{Lambda: 0.3}, penalty.Box{Low: -0.5, High: 1}, penalty.L1Box{Lambda: 0.3, Low: -0.5, High: 1}, penalty.L1Box{Lambda: 0.3, Low: 0.2, High: 1}, penalty.Ball{Radius: 0.8}, &penalty.Simplex{Total: 1.5}} {
		for round := range 60 {
			d := 1 + round%7
			step := []float64{0, 0.1, 1}[round%3]
			x := make([]float64, d)
			for j := range x {
				x[j] = 2 * random.NormFloat64()
			}
			if err := r.Check(d); err != nil {
				t.Fatal(err)
			}
			best := slices.Clone(x)
			r.Prox(best, step)
			again := slices.Clone(best)
			r.Prox(again, 0)
			cost := func(y []float64) float64 {
				total := step * r.Value(y)
				for j := range y {
					total += (y[j] - x[j]) * (y[j] - x[j]) / 2
				}
				return total
			}
			for j := range best {
				if math.Abs(again[j]-best[j]) > 1e-15 {
					t.Fatalf("%s: prox(%v) = %v is not in X", r.String(), x, best)
				}
			}
			for range 200 {
				y := slices.Clone(best)
				for j := range y {
					y[j] += math.Pow(10, -3*random.Float64()) * random.NormFloat64()
				}
				r.Prox(y, 0)
				if cost(y) < cost(best)-1e-13 {
					t.Fatalf("%s: prox(%v, %v) = %v, but %v is better", r.String(), x, step, best, y)
				}
				if b, ok := r.(penalty.Compact); ok {
					g := x
					if v := b.Descent(g); -direct.Dot(g, y)-r.Value(y) > v+1e-12 {
						t.Fatalf("%s: support %v is below that of %v", r.String(), v, y)
					}
					if distance := math.Sqrt(2 * cost(y)); step == 0 && distance > b.Reach(x)+1e-12 {
						t.Fatalf("%s: %v is %v away from %v, beyond %v", r.String(), y, distance, x, b.Reach(x))
					}
				}
			}
		}
	}
}

// TestUnitThreshold ends at the minimum of another problem.
func TestUnitThreshold(t *testing.T) {
	f := portfolio(t, 300, 6)
	s := solvers.Settings{MaxEpochs: 2000, Seed: 1}
	step := 0.5 / f.Smoothness()
	right := mustSolve(t, &Problem{F: f, R: penalty.L1Box{Lambda: 0.02, Low: -1, High: 1}}, AGD{Step: step}, s)
	as := mustSolve(t, &Problem{F: f, R: penalty.L1Box{Lambda: 0.02, Low: -1, High: 1}, UnitThreshold: true}, AGD{Step: step}, s)
	larger := mustSolve(t, &Problem{F: f, R: penalty.L1Box{Lambda: 0.02 / step, Low: -1, High: 1}}, AGD{Step: step}, s)
	if math.Abs(as.Weights[0]-larger.Weights[0]) > 1e-8 && as.Objective >= right.Objective {
		t.Errorf("with the unit threshold %v, with lambda/step %v", as.Weights, larger.Weights)
	}
}
