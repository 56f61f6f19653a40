package input

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/internal/base/stamp"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/table"
)

// blockText is how much text is scored at a time.
const blockText = 4 << 20

// Scoring says how rows are scored.
type Scoring struct {
	// Encoder makes rows of a table, nil for rows that need none.
	Encoder *table.Encoder
	// Printing says that the loop writes to standard output, Labelled that it takes the targets.
	Printing, Labelled bool
	// Counted, where set, is called at the end of a table with the number of rows. For each
	// column, missing has the number of cells without a value. unseen has the number of cells
	// with a value that the training did not see.
	Counted func(missing, unseen []int64, rows int)
}

// ScoreRows yields the rows at path block after block, with their scores by a model, which the
// next block overwrites. It takes the memory of a block.
func ScoreRows(a *console.App, m model.Model, path string, f *DataFlags, how Scoring) iter.Seq2[model.Scored, error] {
	return func(yield func(model.Scored, error) bool) {
		use, err := func(block model.Scored) bool { return yield(block, nil) }, error(nil)
		if how.Encoder != nil {
			err = scoreTable(a, m, how.Encoder, path, f, how, use)
		} else {
			err = scoreRows(a, m, path, f, how, use)
		}
		if err != nil {
			yield(model.Scored{}, err)
		}
	}
}

// scoreRows gives blocks to use until it wants no more.
func scoreRows(a *console.App, m model.Model, path string, f *DataFlags, how Scoring, use func(model.Scored) bool) error {
	about := m.About()
	options := f.options(a, about.ReadOptions())
	if zero := about.Meta != nil && about.Meta.ZeroBased; f.zeroSet && about.Meta != nil && zero != f.Zero {
		a.Note("the indices of the training text began at %d; the indices of %s are read from %d, as the flag says", FirstIndex(zero), path, FirstIndex(f.Zero))
		options.ZeroBased = f.Zero
	}
	in, name, err := open(a, path)
	if err != nil {
		return err
	}
	defer in.Close()
	l := newLoading(path)
	options.Progress = l.record
	if how.Printing {
		defer a.ShowBeside(l.line).Stop()
	} else {
		defer a.Show(l.line).Stop()
	}
	pool := sparse.NewPool(a.Workers)
	defer pool.Close()
	rows, dropped := 0, int64(0)
	for block, err := range model.ScoreBlocks(context.Background(), m, pool, sparse.Blocks(context.Background(), in, name, options, blockText)) {
		if err != nil {
			return scoringTrouble(notForTable(path, err), name, FirstIndex(options.ZeroBased))
		}
		if block.Cached {
			if err := f.suitsCache(name); err != nil {
				return err
			}
		}
		if rows == 0 {
			if err := encodedRows(m, block.Data, name); err != nil {
				return err
			}
		}
		if !how.Labelled { // who measures adds them by itself
			addOffsets(block)
		}
		if err := finite(about, block, name, rows); err != nil {
			return err
		}
		rows, dropped = rows+len(block.Y), dropped+block.Dropped
		if !use(block) {
			return nil
		}
	}
	noteDropped(a, name, dropped, about.Features)
	return nil
}

// encodedRows refuses rows for a model of a table unless its encoder made them. Of rows that say
// nothing of an encoder, the last column has to be the last encoded one, or a hashed one.
func encodedRows(m model.Model, block *sparse.Data, name string) error {
	e, err := EncoderOf(name, m)
	if e == nil || err != nil {
		return err
	}
	if block.Encoding != nil {
		if err := m.About().Meta.CheckEncoding(block.Encoding); err != nil {
			return console.BadData(fmt.Errorf("%s: %w", name, err))
		}
		return nil
	}
	last := 0
	for i := range block.X.Rows() {
		for j := range block.X.Row(i) {
			last = max(last, j+1)
		}
	}
	if block.Dropped == 0 && (last == e.Width() || e.Places() < e.Width() && last > e.Places()) {
		return nil
	}
	var columns []string
	for _, c := range e.Recipe().Columns {
		columns = append(columns, c.Name)
	}
	return console.BadData(fmt.Errorf("%s holds rows of other columns than the %d encoded ones of the model, which was trained on a table of %s: give a table with these columns, or a cache that 'lanes convert TABLE OUT.lanes' made of the training's table",
		name, e.Width(), console.Listed(columns, 20)))
}

// finite refuses scores of a block that are not finite, and scores of infinite predictions. before is
// the number of rows before the block.
func finite(about *model.Card, block model.Scored, name string, before int) error {
	means := block.Scores
	if about.Regression {
		means = slices.Clone(means)
		about.Means(means)
	}
	for i, s := range block.Scores {
		if s-s != 0 || math.IsInf(means[i], 1) {
			return console.BadData(fmt.Errorf("%s: the score of row %d is %v: its values are too large for this model", name, before+i*len(block.Y)/len(block.Scores)+1, s))
		}
	}
	return nil
}

// scoringTrouble names the data and, if it can, the row of an error of reading or scoring.
// The first column of the text is called first.
func scoringTrouble(err error, name string, first int) error {
	if bad := (*model.RowError)(nil); errors.As(err, &bad) {
		return console.BadData(fmt.Errorf("%s: row %d: the value of column %d is too large for this model once it is scaled", name, bad.Row, bad.Column+first))
	}
	if format := (*sparse.FormatError)(nil); errors.As(err, &format) || strings.HasPrefix(err.Error(), name) {
		return console.BadData(err)
	}
	return console.BadData(fmt.Errorf("%s: %w", name, console.Plain(err)))
}

// Convert writes the text at path, or a packed or piped cache, to a cache, block after block.
// Converts tells whether it can.
func Convert(a *console.App, path, out string, f *DataFlags) (name string, c sparse.Converted, err error) {
	in, name, err := open(a, path)
	if err != nil {
		return name, c, err
	}
	defer in.Close()
	options := f.options(a, sparse.ReadOptions{})
	l := newLoading(path)
	options.Progress = l.record
	defer a.Show(l.line).Stop()
	c, err = sparse.ConvertCacheFile(context.Background(), out, in, name, options)
	if format := (*sparse.FormatError)(nil); errors.As(err, &format) || err != nil && strings.HasPrefix(err.Error(), name+": ") {
		return name, c, console.BadData(err)
	}
	if err != nil {
		err = console.Unwritten("cache", out, err)
	}
	return name, c, err
}

// Converts tells whether Convert serves: from what is no cache file, to a regular file.
func Converts(path, out string) bool {
	if info, err := os.Stat(out); out == "-" || err == nil && !info.Mode().IsRegular() {
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return path == "-"
	}
	defer file.Close()
	head := make([]byte, 8)
	n, _ := io.ReadFull(file, head)
	return string(head[:n]) != "LANESCSR"
}

// NameOf is what messages call the data at path.
func NameOf(path string) string {
	if path == "-" {
		return "standard input"
	}
	return path
}

// open opens the data at path, which are standard input for -, and says what to call them.
func open(a *console.App, path string) (io.ReadCloser, string, error) {
	name := NameOf(path)
	if path == "-" {
		return io.NopCloser(a.In), name, nil
	}
	file, err := stamp.OpenNow(path)
	if err != nil {
		return nil, name, console.BadData(console.FileTrouble(err, path))
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		file.Close()
		return nil, name, console.BadData(fmt.Errorf("%s is a directory, not a data file", path))
	}
	return file, name, nil
}
