package command

import (
	"context"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/table"
)

// checkTable finds out what is wrong with the flags of a run on a table.
func (t *training) checkTable() error {
	f, of := t.f, &t.f.Data.Table
	if t.repeated != nil && len(t.args) > 0 {
		isRows, err := input.IsRows(t.args[0])
		if err != nil {
			return err
		}
		if !isRows {
			of.Made = t.repeated.Receipt.Recipe
		}
	}
	if t.repeated != nil && of.Made == nil {
		*of = input.TableFlags{} // which say how a table was read whose rows are in a cache now
		return nil
	}
	if err := t.initialTable(); err != nil {
		return err
	}
	of.Choose = func(ctx context.Context, of *input.Table, r *table.Recipe) (*table.Recipe, error) {
		return f.ChooseBins(ctx, t.a, t.run, of, r)
	}
	if err := of.Check(t.a, t.cmd); err != nil {
		return err
	}
	if !of.Given() {
		return console.RefuseIdle(t.cmd, "a table, with --target COLUMN", "holdout-by")
	}
	switch monotone := of.MonotoneText(); {
	case monotone != "" && t.run.Streams():
		return console.BadFlag("monotone", monotone, "it needs all rows in memory: leave --monotone or --memory out")
	case t.a.Ranks != nil:
		return console.Usagef("several processes share a cache: make one of the table by 'lanes convert TABLE OUT.lanes --target COLUMN'")
	case len(t.args) > 1:
		return console.Usagef("give one table, not %d; a pattern in quotes names several files, as in 'log-*.csv'", len(t.args))
	}
	if t.repeated == nil {
		if err := suitTable(t.cmd, &f.Data, t.args); err != nil {
			return err
		}
	}
	return console.RefuseIdle(t.cmd, "LIBSVM text; a table names its columns", "names")
}

// suitTable refuses flags and arguments that contradict a table.
func suitTable(cmd *cli.Command, f *input.DataFlags, args []string) error {
	switch {
	case f.Generate != "":
		return console.Usagef("give a table or --generate %s, not both", f.Generate)
	case len(args) == 0:
		return console.Usagef("name the table to train on")
	}
	return console.RefuseIdle(cmd, "LIBSVM text, not with a table", input.TextFlags...)
}

// initialTable takes the encoder of the model that a run on a table begins at, so that weights and
// columns belong together.
func (t *training) initialTable() error {
	if t.run.Initial == "" || len(t.args) != 1 {
		return nil
	}
	if isRows, err := input.IsRows(t.args[0]); err != nil || isRows {
		return err
	}
	m, err := input.ReadModel(t.run.Initial)
	if err != nil {
		return err
	}
	t.f.Data.Table.Encoder, err = input.EncoderOf(t.run.Initial, m)
	return err
}
