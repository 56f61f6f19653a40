package fitting

import (
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// TestBatched: a solver takes --batch exactly if its weights depend on it.
func TestBatched(t *testing.T) {
	for _, name := range SolverNames() {
		if Special(name) || name == lanes.Auto {
			continue
		}
		hashes := make(map[string]bool)
		for _, batch := range []int{3, 16} {
			f := &ProblemFlags{}
			console.Declare(&cli.Command{}, Flags(f, &RunFlags{}, 0)...)
			if err := f.Check(); err != nil {
				t.Fatal(err)
			}
			a := &console.App{Quiet: true, Seed: 1}
			data, err := input.Load(a, nil, &input.DataFlags{Generate: "onehot:n=200"}, sparse.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			p, err := f.Prepare(t.Context(), a, data, &RunFlags{}, f.Options(&RunFlags{}), Beside{})
			if err != nil {
				t.Fatal(err)
			}
			m, err := FindSolver("solver", name, nil)
			if err != nil {
				t.Fatal(err)
			}
			r, err := SolveBy(t.Context(), f, p, m, solvers.Settings{MaxEpochs: 3, BatchSize: batch})
			if err != nil {
				t.Fatal(err)
			}
			hashes[solvers.HashWeights(r.Weights)] = true
		}
		if lanes.Solver(name).Accepts.Has(solvers.Batch) != (len(hashes) == 2) {
			t.Errorf("%s: batched is %v, and two batches gave %d results", name, lanes.Solver(name).Accepts.Has(solvers.Batch), len(hashes))
		}
	}
}
