package input

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/internal/base/nearest"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/table"
)

// scoredRows is the least number of rows of a table that are scored at a time.
const scoredRows = 1 << 13

// EncoderFor returns the encoder by which a model takes the table at data; nil where data are rows,
// or the model is for rows. A note says that text without a recipe is taken for encoded rows.
func EncoderFor(a *console.App, cmd *cli.Command, path, data string, m model.Model) (*table.Encoder, error) {
	e, err := EncoderOf(path, m)
	isRows, isCache := false, false
	if err == nil && e != nil {
		isRows, err = IsRows(data)
	}
	if err == nil && isRows {
		e = nil
		if isCache, err = IsCache(data); err == nil && !isCache {
			a.Note("%s was trained on a table, and %s holds rows: their columns are taken for the encoded columns, as 'lanes convert TABLE OUT' writes them", path, data)
		}
	}
	if err == nil && e == nil {
		err = console.RefuseIdle(cmd, "a table, and a model that was trained on a table", append(slices.Clone(ReadFlags), "id", "offset")...)
	}
	return e, err
}

// EncoderOf returns the encoder of the tables that the model of a file is for, nil for other models.
func EncoderOf(path string, m model.Model) (*table.Encoder, error) {
	e, err := table.FromModel(m)
	if err != nil {
		return nil, console.BadData(fmt.Errorf("%s: the recipe in the model cannot be used: %w", path, console.Plain(err)))
	}
	return e, nil
}

// ScoredTable is a block of rows of a table with their scores, and with the cells that are kept.
type ScoredTable struct {
	model.Scored
	*table.Rows
}

// Score yields the rows of the table block after block, with their scores by a model, and counts
// missing and unseen values. labelled says that rows need their targets.
func (t *Table) Score(ctx context.Context, m model.Model, e *table.Encoder, keep []string, labelled bool) iter.Seq2[ScoredTable, error] {
	return func(yield func(ScoredTable, error) bool) {
		t.told = true
		t.loading.begin("scoring")
		pool := sparse.NewPool(t.a.Workers)
		defer pool.Close()
		var rows *table.Rows
		blocks := func(yield func(*sparse.Data, error) bool) {
			for block, err := range e.Blocks(ctx, t.Source, table.BlockOptions{Rows: scoredRows, Keep: keep, NoTarget: !labelled, NoOffset: t.noOffset}) {
				if err != nil {
					yield(nil, t.trouble(err))
					return
				}
				if rows = block; !yield(block.Data, nil) {
					return
				}
			}
		}
		for block, err := range model.ScoreBlocks(ctx, m, pool, blocks) {
			if err == nil {
				if !labelled { // who measures adds them by itself
					addOffsets(block)
				}
				err = finite(m.About(), block, t.Name, t.Scored)
			}
			if err != nil {
				yield(ScoredTable{}, t.trouble(err))
				return
			}
			t.count(rows)
			if !yield(ScoredTable{block, rows}, nil) {
				return
			}
		}
	}
}

// addOffsets adds the offsets of rows to their scores.
func addOffsets(block model.Scored) {
	width := len(block.Scores) / max(len(block.Y), 1)
	for i, offset := range block.Offset {
		for k := range width {
			block.Scores[i*width+k] += offset
		}
	}
}

// count adds up the missing and unseen values of a block.
func (t *Table) count(rows *table.Rows) {
	if t.Missing == nil {
		t.Missing, t.Unseen = make([]int64, len(rows.Missing)), make([]int64, len(rows.Unseen))
	}
	for k := range rows.Missing {
		t.Missing[k] += rows.Missing[k]
		t.Unseen[k] += rows.Unseen[k]
	}
	t.Scored += len(rows.Y)
}

// TellSeen tells what of the scored rows was missing, and which values the training had not.
func (t *Table) TellSeen(e *table.Encoder) error {
	return t.a.Tell(notes.Merge(t.Notes(), e.SeenNotes(t.Missing, t.Unseen)))
}

// TellUnread tells which columns of the table are not kept, as they cannot be read.
func (t *Table) TellUnread(kept []string) error {
	var list []notes.Note
	for _, name := range t.Names() {
		if !slices.Contains(kept, name) {
			list = append(list, notes.Note{Kind: notes.Nested, Column: name, Then: "not printed", WayOut: "{IDs=COLUMNS} names what is printed"})
		}
	}
	return t.a.Tell(list)
}

// Counts returns the missing and unseen values of each column that has any, by its name.
func (t *Table) Counts(e *table.Encoder) (missing, unseen map[string]int64) {
	return e.ByColumn(t.Missing), e.ByColumn(t.Unseen)
}

// Lacks refuses a table that lacks columns that are to be kept.
func (t *Table) Lacks(flag string, columns []string) error {
	names := t.Names()
	for _, column := range columns {
		if !slices.Contains(names, column) {
			return console.BadFlag(flag, column, "%s has no such column%s; its columns are %s%s", t.Name, strings.TrimSuffix(nearest.Suggest(column, "", names), "?"), t.Columns(), misread(names))
		}
	}
	return nil
}

// misread says which flag may help if the columns look as if the table was read the wrong way.
func misread(names []string) string {
	switch {
	case len(names) == 1:
		return ": if these are several columns, name the character between them by --separator ('blank' for runs of blanks)"
	case names[0] == "1" && names[len(names)-1] == strconv.Itoa(len(names)):
		return ": if the first row names the columns, say --header"
	}
	return ""
}

// scoreTable gives blocks of a table to use until it wants no more.
func scoreTable(a *console.App, m model.Model, e *table.Encoder, path string, f *DataFlags, how Scoring, use func(model.Scored) bool) error {
	t, err := OpenTable(a, path, &f.Table, e, how.Printing)
	if err != nil {
		return err
	}
	defer t.Close()
	for block, err := range t.Score(context.Background(), m, e, nil, how.Labelled) {
		if err != nil {
			return err
		}
		if !use(block.Scored) {
			return nil
		}
	}
	if err := t.TellSeen(e); err != nil {
		return err
	}
	if how.Counted != nil {
		how.Counted(t.Missing, t.Unseen, t.Scored)
	}
	return nil
}
