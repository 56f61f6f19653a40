package erm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

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

// times is a problem with a column of seconds since 1970, two plain ones and a bias: by the
// norm of the gradient, its float64 numbers prove no gap below 0.08.
func times(t *testing.T, weighted bool) *Problem {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	begins, columns, values := []int64{0}, []uint32(nil), []float64(nil)
	p := &Problem{Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1e-6}}
	for range 500 {
		a, b := random.NormFloat64(), random.NormFloat64()
		columns = append(columns, 0, 1, 2)
		values = append(values, 1.7e9+float64(3e7*random.Float64()), a, b)
		begins = append(begins, int64(len(values)))
		p.Y = append(p.Y, math.Copysign(1, a-b+random.NormFloat64()))
		if weighted {
			p.SampleWeight = append(p.SampleWeight, float64(1+random.IntN(3)))
		}
	}
	x, err := sparse.NewCSR(3, begins, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	p.X = x.WithBias(1)
	return p
}

// TestShardedHands: a run by shards that stalls continues without shards and converges. The bits
// are the same wherever the rows are, wherever the run is cut, and whoever resumes it.
func TestShardedHands(t *testing.T) {
	t.Parallel()
	for _, weighted := range []bool{false, true} {
		p := times(t, weighted)
		p.Intercept = weighted
		s := solvers.Settings{MaxEpochs: 200, GapTolerance: 1e-8, Shards: 4, Workers: 1}
		var trace solvers.Trace
		s.Recorder = &trace
		want := mustSolve(t, p, Newton{}, s)
		s.Recorder = nil
		plain := mustSolve(t, p, Newton{}, solvers.Settings{MaxEpochs: 200, GapTolerance: 1e-10})
		if above := want.Objective - plain.Objective; want.Status != solvers.Converged || above > want.Gap+1e-12 {
			t.Fatalf("weighted %t: %v with a gap of %v, %v above the minimum", weighted, want.Status, want.Gap, above)
		}
		before := 0.0 // the gap of one evaluation may be small by luck
		for _, e := range trace[len(trace)-6 : len(trace)-2] {
			before = max(before, e.Gap)
		}
		if before < 1e-3 {
			t.Errorf("weighted %t: a gap of %v by shards: nothing was handed over", weighted, before)
		}
		spread := func(ranks solvers.Ranks, s solvers.Settings) error {
			s.Ranks = ranks
			r, err := solveElsewhere(context.Background(), p, ranks.Rank() == 1, nil, s)
			if err == nil && (r.Status != want.Status || r.Gap != want.Gap || solvers.HashWeights(r.Weights) != solvers.HashWeights(want.Weights)) {
				err = fmt.Errorf("%v with a gap of %v", r.Status, r.Gap)
			}
			return err
		}
		if err := errors.Join(shardstest.Run(3, func(r solvers.Ranks) error { return spread(r, s) })...); err != nil {
			t.Errorf("weighted %t, on 3 ranks: %v", weighted, err)
		}
		for part := want.Total.Epochs - repeat.Size(6.0, 2); part < want.Total.Epochs; part++ {
			first := s
			first.MaxEpochs, first.Checkpoint = part, filepath.Join(t.TempDir(), "run")
			if r := mustSolve(t, p, Newton{}, first); r.Status == solvers.Converged {
				continue // a step costs more than a pass
			}
			second := s
			second.Resume, second.Workers = first.Checkpoint, 2
			solvetest.SameBits(t, fmt.Sprintf("weighted %t, cut after %v passes", weighted, part), mustSolve(t, p, Newton{}, second), want)
			if err := errors.Join(shardstest.Run(2, func(r solvers.Ranks) error { return spread(r, second) })...); err != nil {
				t.Errorf("weighted %t, cut after %v passes, on 2 ranks: %v", weighted, part, err)
			}
		}
	}
}

// TestCollect: collected rows are the rows of the matrix, after any transformation, with their
// labels and weights. This holds in the middle of a run on a sample too, where a resumed run is.
func TestCollect(t *testing.T) {
	t.Parallel()
	p := randomProblem(t, loss.Squared{}, 20000, 5, 3, 1e-3, true)
	p.X = p.X.NormalizeUnit().WithBias(2.5)
	s := &run.Session{Settings: solvers.Settings{Shards: 8}, Ending: func() bool { return true }}
	collects := func(ranks solvers.Ranks) error {
		s := *s
		s.Settings.Ranks = ranks
		s.Settings.Checkpoint = "run" // so that no sweep is left, though the run is to end
		f, err := newSharded(&elsewhere{shards.Memory{X: p.X, Y: p.Y, Weight: p.SampleWeight, Shards: 8}, nil}, p, &s, shards.Options{})
		if err != nil {
			return err
		}
		part := f.only(&shardedSample{step: 4, unit: 1024, rows: f.n / 4})
		err = f.patiently(true, func() error {
			_, err := part.visit(make([]float64, f.d), make([]float64, f.d))
			return err
		})
		if err != nil {
			return err
		}
		got, err := f.collect()
		if err != nil {
			return err
		}
		if !slices.Equal(got.Y, p.Y) || !slices.Equal(got.SampleWeight, p.SampleWeight) {
			return errors.New("other labels or weights")
		}
		for i := range p.Y {
			row, other := make([]float64, p.X.Cols()), make([]float64, p.X.Cols())
			for j, v := range got.X.Row(i) {
				row[j] = v
			}
			for j, v := range p.X.Row(i) {
				other[j] = v
			}
			if !slices.Equal(row, other) {
				return fmt.Errorf("row %d: %v, not %v", i, row, other)
			}
		}
		return nil
	}
	for size := 1; size <= 2; size++ {
		if err := errors.Join(shardstest.Run(size, collects)...); err != nil {
			t.Errorf("%d processes: %v", size, err)
		}
	}
}

// TestShardedInterrupted: a run begins on a sample whose point is worse than 0, so it continues
// from 0. Cut anywhere in a sweep, it resumes to the same bits and counts.
func TestShardedInterrupted(t *testing.T) {
	repeat.Skip(t)
	t.Parallel()
	p := randomProblem(t, loss.Logistic{}, 4200, 10, 4, 1e-4, true)
	s := solvers.Settings{MaxEpochs: 400, GapTolerance: 1e-9, Shards: 8, Workers: 1}
	solvetest.SameWhereverCut(t, 1, func(int) int { return 3 }, s, func(ctx context.Context, s solvers.Settings) (*solvers.Result, error) {
		return Solve(ctx, p, Newton{}, s)
	})
}
