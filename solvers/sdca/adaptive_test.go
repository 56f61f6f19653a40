package sdca

import (
	"fmt"
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// TestMarginsAgree: margins by columns give the numbers of full products.
func TestMarginsAgree(t *testing.T) {
	repeat.Once(t)
	for _, phi := range allLosses {
		for _, bias := range []float64{0, 0.5} {
			p := randomProblem(t, phi, 400, 300, 3, 0.01, true)
			p.X = p.X.WithBias(bias)
			var loops [2]dualLoop
			for k, margins := range []string{"full", "columns"} {
				loops[k], _ = loopOf(t, p, Adaptive{Margins: margins}, solvers.Settings{Seed: 2})
			}
			if l := loops[1].(*adaptiveLoop); l.near.few != (bias == 0) {
				t.Errorf("few rows touched: %t with a bias of %v", l.near.few, bias)
			}
			var c run.Control
			for range repeat.Size(900, 300) {
				loops[0].Next(&c)
				loops[1].Next(&c)
			}
			a, b := make([]float64, 400), make([]float64, 400)
			loops[0].duals(a)
			loops[1].duals(b)
			for i := range a {
				if math.Abs(a[i]-b[i]) > 1e-10 {
					t.Fatalf("%v bias %v: alpha[%d] = %v by products, %v by columns", phi, bias, i, a[i], b[i])
				}
			}
		}
	}
}

// passesTo returns the passes to a gap, to within a quarter pass.
func passesTo(t *testing.T, p *erm.Problem, m Method, gap float64) float64 {
	t.Helper()
	r := solve(t, p, m, solvers.Settings{MaxEpochs: 400, GapTolerance: gap, RecordEvery: 0.25, Seed: 1, Recorder: &solvers.Trace{}})
	if r.Status != solvers.Converged {
		t.Fatalf("%s: %v at a gap of %.3g", m.Name(), r.Status, r.Gap)
	}
	return r.Total.Epochs
}

// TestEpochs: both adaptive methods need fewer passes than fixed probabilities.
// Which of the two needs fewer depends on the data, because the steps of adfSDCA+
// are guarded.
func TestEpochs(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	x, y := generated(t, "onehot:n=1500", 3)
	x = x.NormalizeUnit()
	for _, phi := range []loss.Loss{loss.Logistic{}, loss.Squared{}} {
		p := &erm.Problem{X: x, Y: y, Loss: phi, Penalty: penalty.Ridge{Lambda: 1 / float64(x.Rows())}}
		adaptive, plus, uniform := passesTo(t, p, Adaptive{}, 1e-6), passesTo(t, p, AdaptivePlus{}, 1e-6), passesTo(t, p, DualFree{}, 1e-6)
		t.Logf("%v: adfsdca %.4g, adfsdca+ %.4g, dfsdca %.4g passes", phi, adaptive, plus, uniform)
		if !(max(adaptive, plus) < 0.8*uniform) {
			t.Errorf("%v: adfsdca %.4g, adfsdca+ %.4g, dfsdca %.4g passes", phi, adaptive, plus, uniform)
		}
	}
}

// TestMinibatchPasses: about the same passes for every size of batch.
func TestMinibatchPasses(t *testing.T) {
	repeat.Once(t)
	p := randomProblem(t, loss.Logistic{}, 400, 400, 4, 0.01, false)
	var first float64
	for _, size := range []int{1, 4, 16} {
		r := solve(t, p, Minibatch{}, solvers.Settings{MaxEpochs: 400, GapTolerance: 1e-6, BatchSize: size, RecordEvery: 0.25, Recorder: &solvers.Trace{}})
		t.Logf("b = %d: %.4g passes, %d iterations", size, r.Total.Epochs, r.Total.Iterations)
		if first == 0 {
			first = r.Total.Epochs
		}
		if r.Status != solvers.Converged || r.Total.Epochs > 2.5*first {
			t.Errorf("b = %d: %v, %.4g passes; %.4g for b = 1", size, r.Status, r.Total.Epochs, first)
		}
	}
}

func TestAverageConvex(t *testing.T) {
	p := randomProblem(t, loss.Squared{}, 80, 10, 4, 0.5, false)
	p.SampleWeight = make([]float64, 80)
	for i := range p.SampleWeight {
		p.SampleWeight[i] = 1
		if i%10 == 0 {
			p.SampleWeight[i] = -0.3
		}
	}
	for _, m := range []Method{Adaptive{}, AdaptivePlus{}, Minibatch{}, DualFree{}, ImportanceSampled{}, Prox{}} {
		if m.checkProblem(p) == nil {
			t.Errorf("%s took a negative weight", m.Name())
		}
	}
	var want []float64
	for _, m := range []Method{Adaptive{AverageConvex: true}, AdaptivePlus{AverageConvex: true}, Minibatch{AverageConvex: true}, DualFree{AverageConvex: true}, ImportanceSampled{AverageConvex: true}} {
		var trace solvers.Trace
		r := solve(t, p, m, solvers.Settings{MaxEpochs: 3000, GradientTolerance: 1e-10, BatchSize: 4, Seed: 5, Recorder: &trace})
		for _, q := range trace {
			if above := q.Objective - r.Objective; !(q.Gap >= above-1e-14) {
				t.Fatalf("%s: %.3g above the minimum after %v passes, gap %.3g", m.Name(), above, q.Epochs, q.Gap)
			}
		}
		if r.Status != solvers.Converged {
			t.Errorf("%s: %v at a gradient of %.3g", m.Name(), r.Status, r.GradientNorm)
		}
		if want == nil {
			want = r.Weights
		}
		for j := range want {
			if math.Abs(r.Weights[j]-want[j]) > 1e-8 {
				t.Fatalf("%s: weight %d is %v, not %v", m.Name(), j, r.Weights[j], want[j])
			}
		}
	}
}

// TestStepConstants compares cost, (n lambda^2 + v_i gamma)/(n lambda^2), with the definitions of
// gamma. These are lambda times the largest L~ of a row (10), or of each row if probabilities are
// fixed. For losses convex on average only, gamma is the mean of L_i^2 (24).
func TestStepConstants(t *testing.T) {
	for phi, curvature := range map[loss.Loss]float64{loss.Logistic{}: 0.25, loss.Squared{}: 1, loss.SquaredHinge{}: 1, loss.Huber{Delta: 0.7}: 1} {
		p := randomProblem(t, phi, 40, 10, 4, 0.05, true)
		n, v := 40.0, matrix.SquaredNorms(p.X)
		largest, meanSquare := 0.0, 0.0
		for i, s := range p.SampleWeight {
			largest = max(largest, s*curvature)
			meanSquare += s * curvature * v[i] * s * curvature * v[i] / n
		}
		for _, c := range []struct {
			name            string
			average, perRow bool
			gamma           func(i int) float64
		}{
			{"one for all", false, false, func(int) float64 { return p.Ridge() * largest }},
			{"each row's own", false, true, func(i int) float64 { return p.Ridge() * p.SampleWeight[i] * curvature }},
			{"average", true, false, func(int) float64 { return meanSquare }},
			{"average, fixed probabilities", true, true, func(int) float64 { return meanSquare }},
		} {
			l, err := newDualFree(&task{p: p, full: newObjective(p, nil, nil), random: random.New(1)}, c.average, c.perRow)
			if err != nil {
				t.Fatal(err)
			}
			for i := range v {
				square := n * p.Ridge() * p.Ridge()
				if want := (square + v[i]*c.gamma(i)) / square; math.Abs(l.cost[i]-want) > 1e-12*want {
					t.Fatalf("%v, %s: cost %d is %v, want %v", phi, c.name, i, l.cost[i], want)
				}
			}
		}
	}
}

// generated returns rows of a built-in shape with labels -1 and +1.
func generated(t testing.TB, spec string, seed uint64) (*sparse.Matrix, []float64) {
	t.Helper()
	g := solvetest.Generate(t, spec, seed)
	return g.X, g.Y
}

// TestDrift: w = X'alpha/(lambda n) to 1e-12 after 100 epochs on wide data.
func TestDrift(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short")
	}
	x, y := solvetest.ReadData(t, "news20.multi", 1)
	p := &erm.Problem{X: x, Y: y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1 / float64(len(y))}}
	for _, m := range []Method{Prox{}, AdaptivePlus{}} {
		loop, full := loopOf(t, p, m, solvers.Settings{})
		s, _ := run.Check(solvers.Settings{MaxEpochs: 40, RecordEvery: 40}, x.Cols())
		if _, err := run.Drive(t.Context(), run.Run{Samples: x.Rows(), Columns: x.Cols(), Loop: loop, Evaluate: full.evaluate}, s); err != nil {
			t.Fatal(err)
		}
		w, want, alpha := make([]float64, x.Cols()), make([]float64, x.Cols()), make([]float64, x.Rows())
		loop.Current(w)
		loop.duals(alpha)
		if err := x.AddTrans(nil, want, alpha); err != nil {
			t.Fatal(err)
		}
		distance, length := 0.0, 0.0
		for j := range want {
			want[j] /= p.Ridge() * float64(len(y))
			distance += (w[j] - want[j]) * (w[j] - want[j])
			length += want[j] * want[j]
		}
		relative := math.Sqrt(distance / length)
		t.Logf("%s: relative drift %.3g", m.Name(), relative)
		if !(relative <= 1e-12) {
			t.Errorf("%s: w has drifted by %.3g from X'alpha/(lambda n)", m.Name(), relative)
		}
	}
}

func BenchmarkPass(b *testing.B) {
	x, y := generated(b, "text:n=20000", 1)
	for _, phi := range []loss.Loss{loss.Logistic{}, loss.Squared{}} {
		for _, m := range []Method{Prox{}, AdaptivePlus{}, DualFree{}} {
			b.Run(fmt.Sprintf("%s/%v", m.Name(), phi), func(b *testing.B) {
				p := &erm.Problem{X: x, Y: y, Loss: phi, Penalty: penalty.Ridge{Lambda: 1 / float64(len(y))}}
				settings, _ := run.Check(solvers.Settings{}, x.Cols())
				full := newObjective(p, nil, nil)
				loop, _, err := m.begin(&task{p: p, settings: settings, full: full, random: random.New(1)})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				var c run.Control
				for b.Loop() {
					loop.Next(&c)
				}
			})
		}
	}
}
