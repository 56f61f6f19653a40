package compositional

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/returns"
	"github.com/lanes-go/lanes/solvers"
)

// methods has one of every solver, with untuned parameters.
func methods(t testing.TB) []Method { return solvetest.Methods(t, Solvers(), ByName) }

func portfolio(t testing.TB, periods, assets int) *Portfolio {
	t.Helper()
	r, err := returns.Market{Periods: periods, Assets: assets, Seed: 5}.Generate()
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPortfolio(r.Values, periods, assets, 1)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func chain(t testing.TB, states, samples int) *Policy {
	t.Helper()
	p, err := Chain{States: states, Samples: samples, Discount: 0.8, Seed: 2}.Generate()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// problems has one of every kind.
func problems(t testing.TB) map[string]*Problem {
	return map[string]*Problem{
		"portfolio": {F: portfolio(t, 301, 13), R: penalty.L1Box{Lambda: 0.01, Low: -1, High: 1}},
		"simplex":   {F: portfolio(t, 200, 9), R: &penalty.Simplex{Total: 1}},
		"policy":    {F: chain(t, 12, 40), R: penalty.Box{Low: -20, High: 20}},
		"curved":    {F: newCurved(40, 30, 4, 6), R: penalty.Ball{Radius: 2}},
		"free":      {F: newCurved(40, 30, 4, 6)},
	}
}

func mustSolve(t testing.TB, p *Problem, m Method, s solvers.Settings) *solvers.Result {
	t.Helper()
	return solvetest.MustSolve(t, Solve, p, m, s)
}

// TestPaths: every CPU path gives the same bits.
func TestPaths(t *testing.T) {
	for name, p := range problems(t) {
		for _, m := range methods(t) {
			s := solvers.Settings{MaxIterations: 200, MaxEpochs: 60, Seed: 3}
			want := mustSolve(t, p, m, s)
			for path := range pathtest.Paths(t) {
				solvetest.SameBits(t, fmt.Sprintf("%s: %s on %s", name, m.Name(), path), mustSolve(t, p, m, s), want)
			}
		}
	}
}

// TestPinned holds what every architecture and CPU path must compute.
func TestPinned(t *testing.T) {
	want := map[string]string{
		"scvrg":   "0fdf42a3c4769f85",
		"vrsc-pg": "13c02c9bcd89a24d",
		"scgd":    "ca6ba64994eb0222",
		"asc-pg":  "92a5b547849d4cd1",
		"agd":     "88ce2b7bf94b68b1",
	}
	p := &Problem{F: portfolio(t, 500, 37), R: penalty.L1Box{Lambda: 0.01, Low: -1, High: 1}}
	for _, m := range methods(t) {
		r := mustSolve(t, p, m, solvers.Settings{MaxEpochs: 20, Seed: 11})
		sum := sha256.New()
		for _, w := range r.Weights {
			sum.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(w)))
		}
		if got := hex.EncodeToString(sum.Sum(nil)[:8]); got != want[m.Name()] {
			t.Errorf("%q: %q,", m.Name(), got)
		}
	}
}

// TestRecordingChangesNothing: evaluations for the record leave the run alone.
func TestRecordingChangesNothing(t *testing.T) {
	for name, p := range problems(t) {
		for _, m := range methods(t) {
			final := func(every float64) solvers.Point {
				var trace solvers.Trace
				s := solvers.Settings{MaxIterations: 100, MaxEpochs: 30, Seed: 3, RecordEvery: every, Recorder: &trace}
				mustSolve(t, p, m, s)
				last := trace[len(trace)-1]
				// The residue is of a reference point, or of the same point made otherwise.
				last.Seconds, last.GradientNorm, last.Gap = 0, 0, 0
				return last
			}
			if want, got := final(0), final(0.3); fmt.Sprint(want) != fmt.Sprint(got) {
				t.Errorf("%s: %s: a recorded run ends at %v, not %v", name, m.Name(), got, want)
			}
		}
	}
}

// TestResume ends runs at several iterations and continues them from their
// checkpoints, whatever point they began at.
func TestResume(t *testing.T) {
	for name, p := range problems(t) {
		list := methods(t)
		if _, bounded := p.R.(penalty.Compact); bounded {
			list = append(list, SCVRG{Auto: 30})
		}
		for _, m := range list {
			initial := make([]float64, p.F.Shape().Columns)
			for j := range initial {
				initial[j] = 1 / float64(len(initial))
			}
			s := solvers.Settings{MaxIterations: 120, MaxEpochs: 90, Seed: 3, Initial: initial}
			want := mustSolve(t, p, m, s)
			for _, part := range []int64{1, 2, 41, 119} {
				first := s
				first.MaxIterations, first.Checkpoint = part, filepath.Join(t.TempDir(), "run")
				if r := mustSolve(t, p, m, first); r.Status != solvers.BudgetReached {
					t.Fatalf("%s: %s: %v after %d iterations", name, m.Name(), r.Status, r.Total.Iterations)
				}
				second := s
				second.Resume, second.Initial = first.Checkpoint, nil
				got := mustSolve(t, p, m, second)
				if got.Total.GradientEvaluations != want.Total.GradientEvaluations || got.Status != want.Status {
					t.Errorf("%s: %s resumed after %d: %v after %d samples, not %v after %d", name, m.Name(), part,
						got.Status, got.Total.GradientEvaluations, want.Status, want.Total.GradientEvaluations)
				}
				// Both may have met their best point before they were parted.
				if got.Objective <= want.Objective && got.Iterations == want.Iterations {
					solvetest.SameBits(t, fmt.Sprintf("%s: %s resumed after %d iterations", name, m.Name(), part), got, want)
				} else if got.Objective > want.Objective {
					t.Errorf("%s: %s resumed after %d: objective %v, not %v", name, m.Name(), part, got.Objective, want.Objective)
				}
			}
		}
	}
}

func TestBadCheckpoints(t *testing.T) {
	p := problems(t)["portfolio"]
	good := filepath.Join(t.TempDir(), "run")
	s := solvers.Settings{MaxIterations: 20, Checkpoint: good}
	mustSolve(t, p, SCVRG{}, s)
	s.Checkpoint, s.Resume = "", good
	refuse := func(what string, p *Problem, m Method, s solvers.Settings) {
		t.Helper()
		if _, err := Solve(context.Background(), p, m, s); err == nil || !strings.Contains(err.Error(), "resume from") {
			t.Errorf("%s: %v", what, err)
		}
	}
	refuse("another solver", p, VRSCPG{}, s)
	refuse("another parameter", p, SCVRG{Epochs: 3}, s)
	refuse("another regulariser", &Problem{F: p.F, R: penalty.L1{Lambda: 0.01}}, SCVRG{}, s)
	refuse("another threshold", &Problem{F: p.F, R: p.R, UnitThreshold: true}, SCVRG{}, s)
	other, err := p.F.(*Portfolio).WithRisk(2)
	if err != nil {
		t.Fatal(err)
	}
	refuse("another risk", &Problem{F: other, R: p.R}, SCVRG{}, s)
	data, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	s.Resume = filepath.Join(t.TempDir(), "broken")
	for _, cut := range []int{0, 30, len(data) / 2, len(data) - 1} {
		os.WriteFile(s.Resume, data[:cut], 0o600)
		refuse(fmt.Sprintf("%d bytes", cut), p, SCVRG{}, s)
	}
}

func TestStatuses(t *testing.T) {
	p := problems(t)["portfolio"]
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, m := range methods(t) {
		for _, c := range []struct {
			ctx  context.Context
			s    solvers.Settings
			want solvers.Status
		}{
			{cancelled, solvers.Settings{}, solvers.Cancelled},
			{context.Background(), solvers.Settings{MaxIterations: 3}, solvers.BudgetReached},
			{context.Background(), solvers.Settings{MaxTime: time.Nanosecond}, solvers.TimeReached},
			{context.Background(), solvers.Settings{GapTolerance: 1e6, RecordEvery: 1}, solvers.Converged},
			{context.Background(), solvers.Settings{GradientTolerance: 1e6, RecordEvery: 1}, solvers.Converged},
		} {
			r, err := Solve(c.ctx, p, m, c.s)
			if err != nil || r.Status != c.want {
				t.Errorf("%s: %v, %v where %v should be", m.Name(), r, err, c.want)
			}
		}
	}
	for _, m := range []Method{SCVRG{Step: 1e9}, VRSCPG{Step: 1e9}, SCGD{Step: 1e200}, ASCPG{Step: 1e200}, AGD{Step: 1e9}} {
		r := mustSolve(t, &Problem{F: p.F}, m, solvers.Settings{MaxEpochs: 2000, RecordEvery: 1000})
		if r.Status != solvers.Diverged {
			t.Errorf("%s with a huge step: %v", m.Name(), r.Status)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	for name, p := range problems(t) {
		if err := p.Check(); err != nil {
			t.Fatal(err)
		}
		for _, m := range methods(t) {
			shape := p.F.Shape()
			task := &task{
				p: p, shape: shape, full: newObjective(p), random: random.New(1), start: make([]float64, shape.Columns),
			}
			loop, _, err := m.begin(task)
			if err != nil {
				t.Fatal(err)
			}
			var c run.Control
			loop.Next(&c)
			loop.Next(&c)
			if n := allocations.Count(200, func() { loop.Next(&c) }); n != 0 {
				t.Errorf("%s: %s: %v allocations an iteration", name, m.Name(), n)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	good := func() *Problem {
		return &Problem{F: portfolio(t, 50, 4), R: penalty.L1Box{Lambda: 0.1, Low: -1, High: 1}}
	}
	for what, p := range map[string]*Problem{
		"nil": nil, "no composition": {}, "lambda": {F: good().F, R: penalty.L1{Lambda: -1}}, "lambda NaN": {F: good().F, R: penalty.L1{Lambda: math.NaN()}},
		"box": {F: good().F, R: penalty.Box{Low: 1, High: -1}}, "open box": {F: good().F, R: penalty.L1Box{Lambda: 0, Low: math.Inf(-1), High: 0}}, "ball": {F: good().F, R: penalty.Ball{}},
		"simplex": {F: good().F, R: &penalty.Simplex{}},
	} {
		if _, err := Solve(context.Background(), p, SCVRG{}, solvers.Settings{}); err == nil {
			t.Errorf("%s: accepted", what)
		}
	}
	for _, m := range []Method{
		nil, SCVRG{Step: -1}, SCVRG{Step: math.NaN()}, SCVRG{Epochs: 41}, SCVRG{FirstEpoch: -1}, SCVRG{InnerSample: -1}, SCVRG{Auto: -1},
		SCVRG{Auto: 1, Epochs: 3}, SCVRG{Auto: 1e-12}, VRSCPG{Inner: -1}, SCGD{OuterSample: -1}, ASCPG{Step: math.Inf(1)}, AGD{Step: -1},
	} {
		if _, err := Solve(context.Background(), good(), m, solvers.Settings{}); err == nil {
			t.Errorf("%+v: accepted", m)
		}
	}
	if _, err := Solve(context.Background(), &Problem{F: good().F}, SCVRG{Auto: 1}, solvers.Settings{}); err == nil {
		t.Error("auto without a bounded set: accepted")
	}
	if _, err := Solve(context.Background(), &Problem{F: good().F, R: penalty.L1{Lambda: 1}}, SCVRG{}, solvers.Settings{GapTolerance: 1}); err == nil {
		t.Error("a gap target without a bounded set: accepted")
	}
	for _, c := range []struct {
		name       string
		parameters map[string]string
	}{{"nonsense", nil}, {"scvrg", map[string]string{"step": "x"}}, {"agd", map[string]string{"epochs": "1"}}, {"vrsc-pg", map[string]string{"inner": "-4"}}} {
		if _, err := ByName(c.name, c.parameters); err == nil {
			t.Errorf("%s %v: accepted", c.name, c.parameters)
		}
	}
	for what, make := range map[string]func() error{
		"sizes":  func() error { _, err := NewPortfolio([]float64{1, 2, 3}, 2, 2, 1); return err },
		"NaN":    func() error { _, err := NewPortfolio([]float64{1, math.NaN()}, 2, 1, 1); return err },
		"empty":  func() error { _, err := NewPortfolio(nil, 0, 3, 1); return err },
		"risk":   func() error { _, err := NewPortfolio([]float64{1}, 1, 1, -1); return err },
		"chain":  func() error { _, err := Chain{States: 3, Successors: 4}.Generate(); return err },
		"gamma":  func() error { _, err := Chain{Discount: 1}.Generate(); return err },
		"theory": func() error { _, err := NewTheory(0, 1, 1, 1); return err },
	} {
		if make() == nil {
			t.Errorf("%s: accepted", what)
		}
	}
}

// TestSCVRGAverages: the reference point of an epoch is the mean of the iterates that
// the epoch before stepped from, its first one included.
func TestSCVRGAverages(t *testing.T) {
	p := problems(t)["portfolio"]
	shape := p.F.Shape()
	start := make([]float64, shape.Columns)
	for j := range start {
		start[j] = 0.1 * float64(j)
	}
	loop, _, err := SCVRG{Step: 0.01, FirstEpoch: 3, Epochs: 4, InnerSample: 2, OuterSample: 2}.begin(&task{p: p, shape: shape, full: newObjective(p), random: random.New(1), start: start})
	if err != nil {
		t.Fatal(err)
	}
	var control run.Control
	l := loop.(*scvrgLoop)
	mean, x := make([]float64, len(l.x)), make([]float64, len(l.x))
	for epoch := range 4 {
		length := 3 << epoch
		clear(mean)
		l.Next(&control) // the full quantities
		for range length {
			l.Current(x)
			for j, v := range x {
				mean[j] += v / float64(length)
			}
			l.Next(&control)
		}
		l.Current(x)
		for j, v := range x {
			if math.Abs(v-mean[j]) > 1e-14 {
				t.Fatalf("epoch %d: reference[%d] is %v, the mean of the iterates %v", epoch, j, v, mean[j])
			}
		}
	}
}
