package erm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/shardstest"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// Of every window one unit is sampled, and neither its place nor the rows depend on how the
// rows are cut.
func TestShardedSample(t *testing.T) {
	if newShardedSample(1279, 20, 1, nil) != nil || newShardedSample(19000, 300, 1, nil) != nil || newShardedSample(1e6, 20, 0, nil) != nil || newShardedSample(1e6, 20, 1, []float64{0}) != nil {
		t.Error("a sample where all rows are begun on")
	}
	for _, c := range []struct {
		n, d, unit int
	}{
		{1280, 20, 1}, {4096, 20, 2}, {17000, 20, 8}, {49749, 300, 2}, {1.2e7, 3, 32768}, {1e9, 2e4, 512},
	} {
		s := newShardedSample(c.n, c.d, 1, nil)
		if s == nil || s.unit != c.unit {
			t.Fatalf("%d rows: sample %+v, want units of %d", c.n, s, c.unit)
		}
		if share := float64(s.rows) * float64(s.step) / float64(c.n); math.Abs(share-1) > 0.02 {
			t.Errorf("%d rows: %d are sampled, one of %d", c.n, s.rows, s.step)
		}
		has := make([]bool, min(c.n, 1<<20))
		for first, end := range s.runs(0, len(has)) {
			for i := first; i < end; i++ {
				has[i] = true
			}
		}
		places := make(map[int]bool)
		for from := 0; from+s.step*s.unit <= len(has); from += s.step * s.unit {
			units := 0
			for k := range s.step {
				if has[from+k*s.unit] {
					units++
					places[k] = true
				}
			}
			if units != 1 {
				t.Fatalf("%d rows: %d units from row %d on", c.n, units, from)
			}
		}
		if len(places) != s.step && len(has) == c.n {
			t.Errorf("%d rows: units at %d places of %d", c.n, len(places), s.step)
		}
		for from := 0; from < len(has); {
			to, next := min(from+97, len(has)), from
			for first, end := range s.runs(from, to) {
				for ; next < end; next++ {
					if has[next] != (next >= first) {
						t.Fatalf("%d rows, cut at %d: row %d", c.n, from, next)
					}
				}
			}
			some := next > from
			for ; next < to; next++ {
				if has[next] {
					t.Fatalf("%d rows, cut at %d: row %d is missing", c.n, from, next)
				}
			}
			if s.needs(from, to) != some {
				t.Fatalf("%d rows, cut at %d: rows are needed: %t", c.n, from, !some)
			}
			from = to
		}
	}
}

// TestShardedStart: a run that begins on a sample has the same bits wherever the rows are and for
// any number of processes. The same holds if it is cut within the sample.
func TestShardedStart(t *testing.T) {
	repeat.Once(t)
	ctx := context.Background()
	p := randomProblem(t, loss.Logistic{}, 20000, 30, 4, 1e-4, true)
	s := solvers.Settings{MaxEpochs: 400, GapTolerance: 1e-9, Shards: 8, Workers: 1}
	want := mustSolve(t, p, Newton{}, s)
	if want.Status != solvers.Converged || want.Total.Epochs == math.Trunc(want.Total.Epochs) {
		t.Errorf("%v after %v passes: no sample was begun on", want.Status, want.Total.Epochs)
	}
	for _, kept := range []bool{false, true} {
		s.Workers = 2
		r, err := solveElsewhere(ctx, p, kept, nil, s)
		if err != nil {
			t.Fatal(err)
		}
		solvetest.SameBits(t, fmt.Sprintf("elsewhere, kept %t", kept), r, want)
	}
	for part := 0.25; part < 4; part += repeat.Size(0.25, 1.25) {
		first := s
		first.MaxEpochs, first.Checkpoint = part, filepath.Join(t.TempDir(), "run")
		r := mustSolve(t, p, Newton{}, first)
		if e := newObjective(p, nil, nil).evaluate(r.Weights); math.Abs(r.Objective-e.Objective) > 1e-12 {
			t.Errorf("cut after %v passes: the objective is %v, not %v", part, r.Objective, e.Objective)
		}
		second := s
		second.Resume = first.Checkpoint
		solvetest.SameBits(t, fmt.Sprintf("cut after %v passes", part), mustSolve(t, p, Newton{}, second), want)
	}
	for _, part := range []float64{0.3, 1.6, want.Total.Epochs - 2} {
		first := s
		first.MaxEpochs, first.Checkpoint = part, filepath.Join(t.TempDir(), "run")
		errs := shardstest.Run(3, func(ranks solvers.Ranks) error {
			s := first
			s.Ranks = ranks
			_, err := solveElsewhere(ctx, p, ranks.Rank() == 1, nil, s)
			return err
		})
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		second := s
		second.Resume = first.Checkpoint
		solvetest.SameBits(t, fmt.Sprintf("resumed after %v passes", part), mustSolve(t, p, Newton{}, second), want)
	}
}

// A run that is restored behind its sample knows what the Hessian of all rows costs.
func TestShardedBehindItsSample(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 4200, 10, 4, 1e-4, true)
	begin := func() *newtonLoop {
		s := &run.Session{Settings: solvers.Settings{Shards: 8}, Ending: func() bool { return false }}
		f, err := newSharded(&shards.Memory{X: p.X, Y: p.Y, Weight: p.SampleWeight, Shards: 8}, p, s, shards.Options{})
		if err != nil {
			t.Fatal(err)
		}
		l, _ := Newton{}.beginSharded(f, solvers.Settings{})
		return l
	}
	l, restored := begin(), begin()
	sample := l.metric.cost
	l.over(l.all)
	if err := checkpoint.Decode(checkpoint.Encode(l.State), restored.State); err != nil {
		t.Fatal(err)
	}
	if restored.metric.cost != l.metric.cost || l.metric.cost == sample {
		t.Errorf("a cost of %v passes, not %v; of the sample %v", restored.metric.cost, l.metric.cost, sample)
	}
}

// TestStreamedStart: a run on a sample has the same bits if its rows stay in a file. It takes
// fewer passes than a run from 0.
func TestStreamedStart(t *testing.T) {
	repeat.Once(t)
	c := streamed(t, "onehot:n=17000,d=60", loss.Logistic{})
	s := solvers.Settings{MaxEpochs: 300, GapTolerance: 1e-8, Shards: 16, Workers: 2}
	want := mustSolve(t, c.same, Newton{}, s)
	plain := s
	plain.Initial = make([]float64, c.same.X.Cols())
	if r := mustSolve(t, c.same, Newton{}, plain); want.Status != solvers.Converged || r.Total.Epochs < want.Total.Epochs+1 {
		t.Errorf("%v after %v passes, %v from 0", want.Status, want.Total.Epochs, r.Total.Epochs)
	}
	least := need(t, c.p, s)
	for _, memory := range []int64{least, least + 100<<10, 0} {
		c.p.Memory = memory
		r, err := SolveStreamed(context.Background(), c.p, Newton{}, s)
		if err != nil {
			t.Fatal(err)
		}
		solvetest.SameBits(t, fmt.Sprintf("memory %d", memory), r, want)
	}
}

// TestShardedStartThatMisleads: if the sample's point is worse than 0 on all rows, the run
// continues from 0.
func TestShardedStartThatMisleads(t *testing.T) {
	const n = 17000
	sample := newShardedSample(n, 1, 1e-3, nil)
	b := sparse.NewBuilder(sparse.BuilderOptions{Columns: 1})
	p := &Problem{Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1e-3}, Y: make([]float64, n)}
	for i := range n {
		if p.Y[i] = -1; sample.needs(i, i+1) {
			p.Y[i] = 1
		}
		if err := b.AddRow([]int{0}, []float64{3}); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if p.X, err = b.Build(); err != nil {
		t.Fatal(err)
	}
	var trace solvers.Trace
	r := mustSolve(t, p, Newton{}, solvers.Settings{MaxEpochs: 200, GapTolerance: 1e-10, Shards: 4, Recorder: &trace})
	if r.Status != solvers.Converged || trace[0].Objective > math.Ln2*(1+1e-12) || r.Weights[0] >= 0 {
		t.Errorf("%v at %v, from an objective of %v on", r.Status, r.Weights, trace[0].Objective)
	}
}
