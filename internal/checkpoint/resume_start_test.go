package checkpoint_test

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/solvers"
)

// TestResumedAtOnce: a resumed run is at its old point without an iteration. It needs no starting
// point to begin at the old starting point.
func TestResumedAtOnce(t *testing.T) {
	list := catalogued(t)
	for _, name := range slices.Sorted(maps.Keys(list)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := func(ctx context.Context, s solvers.Settings) (*solvers.Result, []string) {
				t.Helper()
				s.MaxEpochs, s.BatchSize, s.Seed, s.Workers, s.Overwrite = 60, 8, 5, 1, true
				r, points, err := list[name].recorded(ctx, s)
				if err != nil && ctx.Err() == nil {
					t.Fatal(err)
				}
				return r, points
			}
			s, file := solvers.Settings{}, filepath.Join(scratch(t), "run")
			for _, s.MaxIterations = range []int64{4, 5} {
				own := s
				own.Checkpoint, own.Initial = file, nil
				stood, points := run(context.Background(), own)
				if own.Resume = file; s.Initial == nil {
					s.Initial = make([]float64, len(stood.Weights))
				}
				got, after := run(context.Background(), own)
				if describeResult(got) != describeResult(stood) || len(after) > 1 || len(after) == 1 && after[0] != points[len(points)-1] {
					t.Errorf("stood at\n%s\n%s,\nand is resumed at\n%s\n%s", describeResult(stood), points, describeResult(got), after)
				}
			}
			for j := range s.Initial {
				s.Initial[j] = float64(j%5-2) / 8
			}
			want, _ := run(context.Background(), s)
			past, cancel := context.WithCancel(context.Background())
			cancel()
			cut := s
			cut.Checkpoint = file
			run(past, cut)
			s.Initial, s.Resume = nil, file
			if got, _ := run(context.Background(), s); describeResult(got) != describeResult(want) {
				t.Errorf("cut before the first iteration and resumed:\n%s, not\n%s", describeResult(got), describeResult(want))
			}
		})
	}
}
