package erm

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/internal/testing/shardstest"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// TestShardedResumes: a run that was cut resumes elsewhere to the same bits, with other workers
// and another number of processes.
func TestShardedResumes(t *testing.T) {
	ctx := context.Background()
	p := randomProblem(t, loss.SquaredHinge{}, 1200, 40, 4, 1e-5, false)
	s := solvers.Settings{MaxEpochs: 400, GapTolerance: 1e-9, Shards: 8, Workers: 1}
	want := mustSolve(t, p, Newton{}, s)
	for _, part := range []float64{1, 4, want.Total.Epochs - 2} {
		first := s
		first.MaxEpochs, first.Checkpoint = part, filepath.Join(t.TempDir(), "run")
		errs := shardstest.Run(2, func(ranks solvers.Ranks) error {
			s := first
			s.Ranks = ranks
			r, err := solveElsewhere(ctx, p, true, nil, s)
			if err == nil && r.Status != solvers.BudgetReached {
				return fmt.Errorf("%v", r.Status)
			}
			return err
		})
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		second := s
		second.Resume = first.Checkpoint
		solvetest.SameBits(t, fmt.Sprintf("resumed in memory after %v passes", part), mustSolve(t, p, Newton{}, second), want)
		second.Workers = 2
		r, err := solveElsewhere(ctx, p, false, nil, second)
		if err != nil {
			t.Fatal(err)
		}
		solvetest.SameBits(t, fmt.Sprintf("resumed elsewhere after %v passes", part), r, want)
		for what, change := range map[string]func(p *Problem, s *solvers.Settings){
			"shards 8, here 4":   func(_ *Problem, s *solvers.Settings) { s.Shards = 4 },
			"shards 8":           func(_ *Problem, s *solvers.Settings) { s.Shards = 0 },
			"the rows' checksum": func(p *Problem, _ *solvers.Settings) { p.Y = slices.Clone(p.Y); p.Y[77] = -p.Y[77] },
			"checksum": func(p *Problem, _ *solvers.Settings) {
				p.SampleWeight = slices.Repeat([]float64{1}, len(p.Y))
				p.SampleWeight[3] = 2
			},
			"penalty 1e-05, here 1": func(p *Problem, _ *solvers.Settings) { p.Penalty = penalty.Ridge{Lambda: 1} },
		} {
			p, s := *p, second
			change(&p, &s)
			if r, err := Solve(ctx, &p, Newton{}, s); err == nil || r != nil || !errors.Is(err, solvers.ErrResume) || !strings.Contains(err.Error(), what) {
				t.Errorf("%s: error %v", what, err)
			}
		}
	}
}

var errGone = errors.New("the rows are gone")

// Rows that can no longer be read end the run with their error and no result. What is
// saved is from before, and serves to go on.
func TestShardedRowsGoAway(t *testing.T) {
	ctx := context.Background()
	p := randomProblem(t, loss.Logistic{}, 1200, 40, 4, 1e-5, true)
	s := solvers.Settings{MaxEpochs: 400, GapTolerance: 1e-9, Shards: 8, Workers: 2}
	scaled := s
	scaled.GapTolerance = 1e-6 // which bounds by columns alone show to be reached
	for _, c := range []struct {
		p    *Problem
		s    solvers.Settings
		most int // sweeps
	}{{p, s, 12}, {scaledColumns(t, loss.Squared{}, true), scaled, 1 << 10}} {
		want, sweeps := mustSolve(t, c.p, Newton{}, c.s), 0
		for ; sweeps < c.most; sweeps++ {
			first := c.s
			first.Checkpoint = filepath.Join(t.TempDir(), "run")
			left := sweeps
			broken := func(shard, block int) error {
				if shard == 5 && block == 0 {
					if left--; left < 0 {
						return errGone
					}
				}
				return nil
			}
			r, err := solveElsewhere(ctx, c.p, true, broken, first)
			if err == nil && r.Status == want.Status {
				break // it has ended before
			}
			if r != nil || !errors.Is(err, errGone) {
				t.Fatalf("after %d sweeps: result %v, error %v", sweeps, r, err)
			}
			if sweeps < 2 { // before there is anything to save
				continue
			}
			second := c.s
			second.Resume = first.Checkpoint
			solvetest.SameBits(t, fmt.Sprintf("resumed after %d sweeps", sweeps), mustSolve(t, c.p, Newton{}, second), want)
		}
		if sweeps < 9 {
			t.Errorf("%d sweeps", sweeps)
		}
	}
	errs := shardstest.Run(3, func(ranks solvers.Ranks) error {
		s := s
		s.Ranks = ranks
		left := 3
		_, err := solveElsewhere(ctx, p, true, func(shard, _ int) error {
			if shard == 5 {
				if left--; left < 0 {
					return errGone
				}
			}
			return nil
		}, s)
		return err
	})
	for rank, err := range errs {
		if !errors.Is(err, errGone) {
			t.Errorf("rank %d: error %v", rank, err)
		}
	}
}

// A run whose rows are slow is left in the middle of a sweep: with its best point if it
// has one, else with an error.
func TestShardedStops(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 1200, 40, 4, 1e-5, true)
	for _, sweeps := range []int{0, 4} {
		ctx, cancel := context.WithCancel(context.Background())
		loads := 0
		r, err := solveElsewhere(ctx, p, true, func(shard, block int) error {
			if loads++; loads > sweeps*8+3 {
				cancel()
			}
			return nil
		}, solvers.Settings{MaxEpochs: 400, GapTolerance: 1e-9, Shards: 8, Workers: 1})
		cancel()
		if sweeps == 0 && (r != nil || err == nil || !strings.Contains(err.Error(), "before its starting point")) {
			t.Errorf("in the first sweep: result %v, error %v", r, err)
		}
		if sweeps > 0 && (err != nil || r.Status != solvers.Cancelled) {
			t.Errorf("in a later sweep: result %v, error %v", r, err)
		}
		if loads > sweeps*8+8 {
			t.Errorf("%d blocks were loaded", loads)
		}
	}
}

// lingering are rows in memory whose sweeps take long.
type lingering struct{ shards.Memory }

func (m *lingering) Load(b *shards.Block, shard, block int) error {
	time.Sleep(patience / 16)
	return m.Memory.Load(b, shard, block)
}

// A run that has to end finishes a sweep over rows in memory, unless the sweep takes long.
func TestShardedPatience(t *testing.T) {
	t.Parallel()
	p := randomProblem(t, loss.Logistic{}, 1200, 40, 4, 1e-5, true)
	for count, want := range map[int]error{4: nil, 256: shards.ErrStopped} {
		begun := time.Now()
		s := &run.Session{Settings: solvers.Settings{Shards: count}, Ending: func() bool { return true }}
		rows := &lingering{shards.Memory{X: p.X, Y: p.Y, Weight: p.SampleWeight, Shards: count}}
		_, err := newSharded(rows, p, s, shards.Options{})
		if took := time.Since(begun); !errors.Is(err, want) || want != nil && took < patience || took > 8*patience {
			t.Errorf("a sweep over %d shards ends after %v with error %v", count, took, err)
		}
	}
}

// A run that is to end at any of its blocks leaves a checkpoint, even if it has no point yet. The
// resumed run ends in the bits of an uninterrupted run.
func TestShardedStopsAreSaved(t *testing.T) {
	t.Parallel()
	p := randomProblem(t, loss.Logistic{}, 600, 20, 4, 1e-4, true)
	s := solvers.Settings{MaxEpochs: 400, GapTolerance: 1e-9, Shards: 4, Workers: 1}
	want := mustSolve(t, p, Newton{}, s)
	without := 0
	for cut := 0; ; cut += 3 {
		ctx, cancel := context.WithCancel(context.Background())
		loads := 0
		first := s
		first.Checkpoint = filepath.Join(t.TempDir(), "run")
		r, err := solveElsewhere(ctx, p, cut%2 == 0, func(shard, block int) error {
			if loads++; loads > cut {
				cancel()
			}
			return nil
		}, first)
		cancel()
		if err == nil && r.Status != solvers.Cancelled {
			break
		}
		if r == nil && errors.Is(err, run.ErrNotBegun) {
			without++
		} else if err != nil {
			t.Fatalf("cut %d: %v", cut, err)
		}
		second := s
		second.Resume, second.Workers = first.Checkpoint, 2
		solvetest.SameBits(t, fmt.Sprintf("cut %d", cut), mustSolve(t, p, Newton{}, second), want)
	}
	if without < 2 {
		t.Errorf("%d runs ended before their first point", without)
	}
}
