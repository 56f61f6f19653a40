package erm

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// TestStreamedOffsets: offsets of rows in a file count as in memory, in the bounds and in a run that
// collects its rows.
func TestStreamedOffsets(t *testing.T) {
	t.Parallel()
	for _, scaled := range []bool{true, false} {
		p := times(t, true)
		if !scaled {
			p = dependentColumns(t, 1e-3)
		}
		for i := range p.Y {
			p.Offset = append(p.Offset, math.Sin(float64(i)))
		}
		path := filepath.Join(t.TempDir(), "rows.lanes")
		if err := sparse.WriteCacheFile(path, &sparse.Data{X: p.X, Y: p.Y, Weight: p.SampleWeight, Offset: p.Offset}); err != nil {
			t.Fatal(err)
		}
		rows, err := sparse.OpenStream(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		s := solvers.Settings{MaxEpochs: 200, GapTolerance: 1e-8, Shards: 4}
		got, err := SolveStreamed(context.Background(), &Streamed{
			Problem: Problem{Loss: p.Loss, Penalty: p.Penalty}, Rows: rows.WithBias(p.X.Bias()), Labels: &sparse.LabelMap{Positive: 1, Negative: -1},
		}, Newton{}, s)
		if err != nil {
			t.Fatal(err)
		}
		bare := *p
		bare.Offset = nil // the rows have them
		f, err := newSharded(&shards.Memory{X: p.X, Y: p.Y, Weight: p.SampleWeight, Offset: p.Offset, Shards: 4}, &bare,
			&run.Session{Settings: s, Ending: func() bool { return false }}, shards.Options{})
		if err != nil {
			t.Fatal(err)
		}
		byShards, _ := f.bounds.Rounding(0, 0, 0, 0)
		inMemory, _ := newObjective(p, nil, nil).bounds.Rounding(0, 0, 0, 0)
		near(t, "error of the gradient at 0", []float64{byShards}, []float64{inMemory}, 1e-9)
		want := mustSolve(t, p, Newton{}, s)
		solvetest.SameBits(t, "streamed", got, want)
		if got.Status != solvers.Converged || got.Gap != want.Gap || got.ObjectiveError != want.ObjectiveError {
			t.Errorf("scaled %t: %v, a gap of %v and an error of %v, in memory %v, %v and %v", scaled, got.Status, got.Gap, got.ObjectiveError, want.Status, want.Gap, want.ObjectiveError)
		}
	}
}
