package fitting

import (
	"context"
	"fmt"
	"strings"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/table"
)

// ChooseBins chooses the numbers of bins of a recipe by the folds of --cv, and tells them.
func (f *ProblemFlags) ChooseBins(ctx context.Context, a *console.App, run *RunFlags, t *input.Table, r *table.Recipe) (*table.Recipe, error) {
	if run.Streams() {
		name := r.Columns[r.Open()[0]].Name
		return nil, console.BadFlag("bins", "auto", "the bins of %q are chosen by folds of all rows in memory: give a number, or leave --memory out", name)
	}
	o := f.Options(run)
	o.Settings.Seed, o.Settings.Workers = a.Seed, a.Workers
	chosen, list, err := lanes.ChooseBins(ctx, t.Source, r, f.Data.Table.HoldoutBy, f.Folds, o)
	if err != nil {
		return nil, f.said(err, &Prepared{Data: &input.Dataset{Data: new(sparse.Data), Name: t.Name}}, run)
	}
	texts := make([]string, len(list))
	for k := range list {
		texts[k] = list[k].String()
	}
	return chosen, a.Tell([]notes.Note{{Kind: notes.Chosen, Then: fmt.Sprintf("bins by the %s of folds, each column alone: %s", console.MetricName(list[0].Metric), strings.Join(texts, ", "))}})
}
