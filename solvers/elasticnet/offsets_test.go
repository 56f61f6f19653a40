package elasticnet

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/internal/testing/reference"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

var references = map[string]reference.Loss{
	"logistic": reference.Logistic, "squared": reference.Squared, "squared-hinge": reference.SquaredHinge, "huber": reference.Huber,
}

// shifted draws a problem with an intercept whose first column is offset + U(0,1), in
// rows without weight -offset; the second N(0,1), the third empty and the fourth in every
// other row. It returns the same problem without the offset as well.
func shifted(t *testing.T, phi loss.Loss, rows int, offset float64, weighted bool) (far, near *Problem) {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(rows), 5))
	far = &erm.Problem{Loss: phi, Intercept: true, Penalty: penalty.L1{Lambda: 1e-4}}
	var list [2][]float64
	begins, columns := []int64{0}, []uint32(nil)
	for i := range rows {
		u := float64(r.Uint64N(1<<20)) * 0x1p-20 // offset + u is exact
		v, score := r.NormFloat64(), 3*u-1.5
		score += v + 0.5*r.NormFloat64()
		at, weight := offset+u, 1.0
		if weighted {
			if weight = float64(r.IntN(4)) * math.Exp(r.NormFloat64()); weight == 0 {
				at = -at
			}
			far.SampleWeight = append(far.SampleWeight, weight)
		}
		list[0] = append(list[0], at, v)
		list[1] = append(list[1], u, v)
		columns = append(columns, 0, 1)
		if i%2 == 0 {
			list[0], list[1], columns = append(list[0], u), append(list[1], u), append(columns, 3)
		}
		begins = append(begins, int64(len(columns)))
		if phi == (loss.Logistic{}) || phi == (loss.SquaredHinge{}) {
			score = math.Copysign(1, score)
		}
		far.Y = append(far.Y, score)
	}
	copied := *far
	near = &copied
	for k, p := range []*Problem{far, near} {
		x, err := sparse.NewCSR(4, begins, columns, list[k])
		if err != nil {
			t.Fatal(err)
		}
		p.X = x.WithBias(1)
	}
	return far, near
}

// exactly is P(w, b) on the rows of p without a squared norm, in 512 bits or so.
func exactly(p *Problem, w []float64) float64 {
	value, _ := inBits(p, w).Float64()
	return value
}

// inBits is exactly before it is rounded.
func inBits(p *Problem, w []float64) *big.Float {
	q := &reference.Problem{Y: p.Y, Weight: p.SampleWeight, Loss: references[p.Loss.String()], Delta: p.Loss.Parameter()}
	for i := range p.X.Rows() {
		row := make([]float64, len(w))
		for j, v := range p.X.Row(i) {
			row[j] = v
		}
		q.Rows = append(q.Rows, row)
	}
	sum := q.Objective(w)
	for _, v := range w[:penalised(p)] {
		sum.Add(sum, new(big.Float).Mul(big.NewFloat(penalty.WeightOf(p.Penalty)), big.NewFloat(math.Abs(v))))
	}
	return sum
}

// TestOffsets: a column's offset changes no minimum where there is an intercept, and what is
// said of the weights holds for the columns as they are.
func TestOffsets(t *testing.T) {
	t.Parallel()
	for _, phi := range repeat.Size(losses, losses[:2]) {
		for _, weighted := range []bool{false, true} {
			far, near := shifted(t, phi, 1200, 1e6, weighted)
			target := 1e-7 * newObjective(near, nil).atZero()
			settings := solvers.Settings{GapTolerance: target, Workers: 1}
			want, got := solve(t, near, settings), solve(t, far, settings)
			if got.Status != solvers.Converged || math.Abs(got.Objective-want.Objective) > target {
				t.Errorf("%v: %v with objective %v, and %v with %v without the offset; gaps %v and %v of %v", phi, got.Status, got.Objective, want.Status, want.Objective, got.Gap, want.Gap, target)
			}
			if value := exactly(far, got.Weights); math.Abs(value-got.Objective) > got.Gap {
				t.Errorf("%v: objective %v, and %v by its definition", phi, got.Objective, value)
			}
			again := settings
			again.Initial, again.MaxEpochs = got.Weights, 1
			if r := solve(t, far, again); math.Abs(r.Objective-got.Objective) > target {
				t.Errorf("%v: from its own result objective %v, which was %v", phi, r.Objective, got.Objective)
			}
			most, _, err := MaxL1(nil, far)
			least, _, other := MaxL1(nil, near)
			if err != nil || other != nil || math.Abs(most-least) > 1e-9*least {
				t.Errorf("%v: the largest l1 is %v, and %v without the offset (%v, %v)", phi, most, least, err, other)
			}
		}
	}
}

// TestOffsetsRounding: the objective's error has the rounding of the intercept in it.
func TestOffsetsRounding(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 7))
	shown := false
	for _, phi := range losses {
		far, _ := shifted(t, phi, 200, 0x1p30, true)
		o := newObjective(far, nil)
		if o.offsets == nil || !slices.Equal(o.offsets.columns, []uint32{0}) {
			t.Fatalf("offsets %+v", o.offsets)
		}
		for range repeat.Size(30, 10) {
			inner := []float64{r.NormFloat64(), r.NormFloat64(), 0, r.NormFloat64(), r.NormFloat64()}
			w := o.offsets.outward(inner)
			o.x.MulVec(o.z, inner)
			o.slopes(o.z)
			e := o.here(inner)
			by := math.Abs(e.Objective - exactly(far, w))
			shown = shown || by > 0.01*e.ObjectiveError && by > 1e-9*e.Objective
			if !(by <= e.ObjectiveError) {
				t.Errorf("%v: the objective is off by %v, and said to be by %v", phi, by, e.ObjectiveError)
			}
			if back := o.offsets.inward(w); math.Abs(back[4]-inner[4]) > o.offsets.rounding(inner) {
				t.Errorf("an intercept of %v came back as %v", inner[4], back[4])
			}
		}
	}
	if !shown {
		t.Error("no rounding shows")
	}
}

// TestOffsetsAlongPaths: a path over far columns finds the points of the path over near columns. It
// goes on from what it saved to the same bits, and has the same bits on every CPU path.
func TestOffsetsAlongPaths(t *testing.T) {
	far, near := shifted(t, loss.Logistic{}, 400, 1e7, false)
	settings := solvers.Settings{GapTolerance: 1e-8, Workers: 1}
	want := along(t, newPath(t, near), 1e-3, 6, settings)
	var before []float64
	for cpu := range pathtest.Paths(t) {
		s := newPath(t, far)
		high, _, _ := MaxL1(nil, far)
		var last []float64
		for k := range want {
			l1 := high * math.Pow(1e-3, float64(k)/5)
			other := newPath(t, far)
			if err := other.Restore(s.Save()); err != nil {
				t.Fatal(err)
			}
			r, err := s.Solve(context.Background(), penalty.L1{Lambda: l1}, settings)
			if err != nil {
				t.Fatal(err)
			}
			if r.Status != solvers.Converged || math.Abs(r.Objective-want[k].Objective) > 2e-8 {
				t.Errorf("point %d: %v with objective %v, and %v without the offset", k, r.Status, r.Objective, want[k].Objective)
			}
			resumed, err := other.Solve(context.Background(), penalty.L1{Lambda: l1}, settings)
			if err != nil || !slices.Equal(resumed.Weights, r.Weights) {
				t.Errorf("point %d: other weights from what was saved (%v)", k, err)
			}
			last = r.Weights
		}
		if before == nil {
			before = last
		} else if !slices.Equal(last, before) {
			t.Errorf("%s: other bits", cpu)
		}
	}
}

// third is a metric by which the third point of a run is the best one.
type third struct{ calls int }

func (m *third) Name() string         { return "third" }
func (m *third) HigherIsBetter() bool { return false }
func (m *third) Measure([]float64) (float64, error) {
	m.calls++
	return math.Abs(float64(m.calls - 3)), nil
}

// TestOffsetsFromElsewhere: a path goes on from weights that users give, and from a best point
// that is not its last.
func TestOffsetsFromElsewhere(t *testing.T) {
	t.Parallel()
	far, _ := shifted(t, loss.Logistic{}, 400, 1e7, false)
	s := newPath(t, far)
	first, err := s.Solve(context.Background(), penalty.ElasticNet{L1: 1e-3, L2: 0}, solvers.Settings{Validation: new(third), Patience: 3, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if slices.Equal(s.from.outward(s.w), s.w) || !slices.Equal(s.from.outward(s.w), first.Weights) {
		t.Errorf("the path stands at %v, the best point is %v", s.from.outward(s.w), first.Weights)
	}
	nudged := slices.Clone(first.Weights)
	nudged[1] += 1e-12
	for _, initial := range [][]float64{nil, nudged} {
		r, err := s.Solve(context.Background(), penalty.ElasticNet{L1: 1e-3, L2: 0}, solvers.Settings{Initial: initial, MaxEpochs: 1, Workers: 1})
		if err != nil || !(r.Objective <= first.Objective+1e-9) {
			t.Errorf("objective %v after %v (%v)", r.Objective, first.Objective, err)
		}
	}
	past, cancel := context.WithCancel(context.Background())
	cancel()
	nudged[4] = 3
	r, err := s.Solve(past, penalty.ElasticNet{L1: 1e-3, L2: 0}, solvers.Settings{Initial: nudged, Workers: 1})
	if err != nil || r.Status != solvers.Cancelled || math.Abs(r.Weights[4]-3) > 1e-6 || !slices.Equal(r.Weights[:4], nudged[:4]) {
		t.Errorf("a run that was over stands at %+v, not at %v (%v)", r, nudged, err)
	}
}

// TestOffsetsSettled: where the rounding of the intercept shows, the objective is computed anew
// for the columns as they are.
func TestOffsetsSettled(t *testing.T) {
	t.Parallel()
	far, _ := shifted(t, loss.Squared{}, 100, 0x1p43, false)
	r, err := newPath(t, far).Solve(context.Background(), penalty.ElasticNet{L1: penalty.WeightOf(far.Penalty), L2: 0}, solvers.Settings{GapTolerance: 1e-3, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	alone := solve(t, far, solvers.Settings{GapTolerance: 1e-3, Workers: 1})
	for _, r := range []*solvers.Result{r, alone} {
		value := exactly(far, r.Weights)
		if r.Status != solvers.Converged || !(math.Abs(value-r.Objective) <= r.ObjectiveError) || !(r.ObjectiveError < 1e-12) {
			t.Errorf("%v, objective %v with the error %v, and %v by its definition", r.Status, r.Objective, r.ObjectiveError, value)
		}
	}
}
