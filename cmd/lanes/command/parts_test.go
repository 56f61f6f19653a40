package command

import (
	"strings"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/solvers"
)

// TestEveryPart gives every solver every flag that asks for a part. A solver without the part makes it a
// wrong usage that names the flag, and a solver or an objective that has it.
func TestEveryPart(t *testing.T) {
	t.Chdir(t.TempDir())
	if o := inside("convert", "--quiet", "--generate", "dense:n=60,d=4,seed=3", "rows"); o.status != exitDone {
		t.Fatal(o.stderr)
	}
	for _, c := range []struct {
		part solvers.Parts
		args []string
	}{
		{solvers.Shards, []string{"--shards", "4"}}, {solvers.Intercept, []string{"--intercept"}}, {solvers.Losses, []string{"--loss", "squared-hinge"}},
		{solvers.L1, []string{"--l1", "0.02"}}, {solvers.Weights, []string{"--class-weight", "3:1"}}, {solvers.Rates, []string{"--fpr", "0,0.5"}},
		{solvers.MinTPR, []string{"--tpr", "0.6"}}, {solvers.RankRange, []string{"--range", "3,30"}}, {solvers.Hidden, []string{"--hidden", "2"}},
		{solvers.Gap, []string{"--gap", "1000"}}, {solvers.Batch, []string{"--batch", "7"}}, {solvers.NoRegulariser, []string{"--lambda", "0"}},
	} {
		for _, name := range fitting.SolverNames()[1:] {
			d := fitting.Solver(name)
			o := inside(append([]string{"train", "rows", "--quiet", "--epochs", "3", "--solver", name}, c.args...)...)
			accepts := d.Accepts.Has(c.part)
			switch {
			case accepts && o.status == exitUsage:
				t.Errorf("%s %v: %s", name, c.args, o.stderr)
			case !accepts && (o.status != exitUsage || !strings.Contains(o.stderr, c.args[0])):
				t.Errorf("%s %v: status %d, %s", name, c.args, o.status, o.stderr)
			}
		}
	}
}
