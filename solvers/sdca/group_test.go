package sdca

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/passes"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// grouped returns the loop of the dual steps of Hybrid.
func grouped(t testing.TB, p *erm.Problem, s solvers.Settings) *proxLoop {
	t.Helper()
	loop, _ := loopOf(t, p, Hybrid{}, s)
	return loop.(*hybridLoop).opening
}

// TestGroupsAreLateByTheirRows: two passes against a dense program whose steps see the w
// of before their group.
func TestGroupsAreLateByTheirRows(t *testing.T) {
	x, y := generated(t, "text:n=300,d=2000", 3) // without an equal start
	p := &erm.Problem{X: x.WithBias(0.5), Y: y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1. / 300}}
	r := solve(t, p, Hybrid{}, solvers.Settings{MaxEpochs: 2, Seed: 9, RecordEvery: 2})
	w := groupsByDefinition(p, 9)
	for j := range w {
		if math.Abs(r.Weights[j]-w[j]) > 1e-9*(1+math.Abs(w[j])) {
			t.Fatalf("weight %d is %v, not %v", j, r.Weights[j], w[j])
		}
	}
}

// groupsByDefinition returns the weights after two passes of a dense program whose steps see
// the w of before their group.
func groupsByDefinition(p *erm.Problem, seed uint64) []float64 {
	y := p.Y
	n, unit := len(y), 1/(p.Ridge()*float64(len(y)))
	rows, dual := make([][]float64, n), make([]loss.DualRow, n)
	for i := range rows {
		rows[i] = make([]float64, p.X.Cols())
		for j, v := range p.X.Row(i) {
			rows[i][j] = v
		}
		dual[i] = loss.DualRow{Q: dot(rows[i], rows[i]) * unit, C: y[i] * unit}
	}
	w, random, order := make([]float64, p.X.Cols()), random.New(seed), passes.NewOrder(n)
	floor, sum := 0.0, 0.0
	for range 2 {
		order.Begin(random)
		sum = 0
		for !order.Ended() {
			before := append([]float64(nil), w...)
			for _, i := range append([]uint32(nil), order.Ahead(0, groupRows)...) {
				old := dual[i].A
				part := dualLoss(p).Ascend(&dual[i], dot(rows[i], before), loss.StepShare) * unit
				sum += part
				for j, v := range rows[i] {
					w[j] += (dual[i].A - old) * dual[i].C * v
				}
				order.NextDeferred(part >= floor)
			}
		}
		floor = passes.LeaveShare * sum / float64(n)
	}
	return w
}

// Groups have the same bits on every CPU path and architecture, for any number of workers, and
// through a cut anywhere; as has the start with equal dual variables.
func TestGroupsBits(t *testing.T) {
	pinned := map[string]string{
		"text:n=800,d=3000": "1b612213ebf273a5",
		"text:n=2304,d=900": "0a5ddefd18b8651d",
	}
	for spec := range pinned {
		x, y := generated(t, spec, 2)
		for i := range y {
			if spec == "text:n=2304,d=900" && i%300 > 0 {
				y[i] = -1 // rows have more in common then
			}
		}
		p := &erm.Problem{X: x, Y: y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1 / float64(len(y))}}
		if l := grouped(t, p, solvers.Settings{}); l.dual[1].A == 0 {
			t.Errorf("%s does not begin with equal variables", spec)
		}
		cuts := []int64{0, 1, 15, 17, 801, 2222}
		if testing.Short() {
			cuts = []int64{0, 2222}
		}
		want := sameWhereverCut(t, spec, p, solvers.Settings{MaxEpochs: 4, Seed: 3}, []int{1, 3}, cuts)
		if got := solvers.HashWeights(append(want.Weights, want.Gap))[:16]; got != pinned[spec] {
			t.Errorf("%s: %q", spec, got)
		}
	}
}

// sameWhereverCut runs Hybrid on every CPU path, with each number of workers, and cut after each
// number of steps, 0 for not at all. The bits of all runs must equal the bits of the first, which
// it returns.
func sameWhereverCut(t *testing.T, name string, p *erm.Problem, settings solvers.Settings, workers []int, cuts []int64) *solvers.Result {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run")
	var want *solvers.Result
	for path := range pathtest.Paths(t) {
		for _, count := range workers {
			for _, cut := range cuts {
				s := settings
				s.Workers = count
				if cut > 0 {
					s.MaxIterations, s.Checkpoint, s.Overwrite = cut, file, true
					solve(t, p, Hybrid{}, s)
					s.MaxIterations, s.Resume = 0, s.Checkpoint
				}
				got := solve(t, p, Hybrid{}, s)
				if want == nil {
					want = got
				}
				what := fmt.Sprintf("%s on %s with %d workers, cut at %d", name, path, count, cut)
				wantSame(t, what, append(got.Weights, got.Gap), append(want.Weights, want.Gap))
			}
		}
	}
	return want
}

// Groups take twice the passes that single rows take at most.
func TestGroupsConverge(t *testing.T) {
	text, y := generated(t, "text:n=500,d=900", 4)
	same, err := text.PickRows(nil, make([]uint32, 500))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []float64{0.1, 1, 10} {
		for name, p := range map[string]*erm.Problem{"text": {X: text, Y: y}, "equal rows": {X: same, Y: y}} {
			p.Loss, p.Penalty = loss.Logistic{}, penalty.Ridge{Lambda: 1 / (c * 500)}
			s := solvers.Settings{GapTolerance: 1e-5, MaxEpochs: 500, Seed: 1}
			alone, got := solve(t, p, Prox{}, s), solve(t, p, Hybrid{}, s)
			if got.Status != solvers.Converged || got.Total.Epochs > 2*alone.Total.Epochs+2 {
				t.Errorf("%s, C = %v: %v after %v passes, not %v", name, c, got.Status, got.Total.Epochs, alone.Total.Epochs)
			}
		}
	}
	for mean, want := range map[float64]bool{0.5 * groupMean: true, 2 * groupMean: false} {
		long := &erm.Problem{X: text, Y: y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1. / (500 * mean)}}
		if got := grouped(t, long, solvers.Settings{}).group != nil; got != want {
			t.Errorf("groups where the mean of q is about %v: %v", mean, got)
		}
	}
}

// dualOf is n times the dual objective, by its definition, at a for the rows that have begun.
func dualOf(p *erm.Problem, l *proxLoop, a float64) float64 {
	value, v := 0.0, make([]float64, p.X.Cols())
	for i := range l.dual {
		if l.dual[i].A > 0 {
			value -= a*math.Log(a) + (1-a)*math.Log(1-a)
			for j, x := range p.X.Row(i) {
				v[j] += a * p.Y[i] * x
			}
		}
	}
	return value - dot(v, v)/(2*p.Ridge()*float64(len(l.dual)))
}

// TestEqualStart: the start is where the dual is the highest with equal variables, w is what they
// make, and it is left where margins differ.
func TestEqualStart(t *testing.T) {
	for _, c := range []struct {
		spec  string
		every int // of how many rows one has the label 1, 0 for the generated labels
		cost  float64
		taken bool
	}{
		{"text:n=600,d=3000", 0, 1, true},
		{"text:n=600,d=3000", 100, 1, true},
		{"text:n=600,d=100", 0, 10, false},
		{"text:n=60,d=300", 100, 1, false}, // too few
		{"text:n=600,d=200000", 100, 1, false},
		{"text:n=4000,d=3000", 101, 1, true},
		{"text:n=4000,d=3000", 0, 10, false},
	} {
		x, y := generated(t, c.spec, 2)
		for i := range y {
			if c.every > 0 {
				y[i] = -1
				if i%c.every == 7 {
					y[i] = 1
				}
			}
		}
		p := &erm.Problem{X: x, Y: y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1 / (c.cost * float64(len(y)))}}
		l := grouped(t, p, solvers.Settings{})
		a, begun := l.dual[0].A, 0
		w := make([]float64, x.Cols())
		for i, d := range l.dual {
			if d.A > 0 {
				begun++
			}
			for j, v := range x.Row(i) {
				w[j] += d.A * d.C * v
			}
		}
		for j := range w {
			if math.Abs(w[j]-l.w[j]) > 1e-12 {
				t.Fatalf("%v: weight %d is %v, not %v", c, j, l.w[j], w[j])
			}
		}
		if c.taken != (begun > len(y)*9/10) || !c.taken && begun > 0 {
			t.Errorf("%v: %d rows begun", c, begun)
			continue
		}
		if !c.taken {
			continue
		}
		const away = 1e-3
		if best := dualOf(p, l, a); best < dualOf(p, l, a*(1-away)) || best < dualOf(p, l, a*(1+away)) {
			t.Errorf("%v: %v is not the best", c, a)
		}
		if r := solve(t, p, Hybrid{}, solvers.Settings{GapTolerance: 1e-8, MaxEpochs: 100}); r.Status != solvers.Converged {
			t.Errorf("%v: %v", c, r.Status)
		}
	}
}
