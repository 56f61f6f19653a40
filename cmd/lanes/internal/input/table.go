package input

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/internal/base/content"
	"github.com/lanes-go/lanes/internal/base/stamp"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/table"
)

// Table is a table that is open, with how far the reading of it is.
type Table struct {
	*table.Source
	Name string
	// Missing and Unseen count cells of the Scored rows for each column of the recipe. Missing
	// counts cells without a value, and Unseen cells with a value that the training did not have.
	Missing, Unseen []int64
	Scored          int

	a       *console.App
	loading *loading
	display *console.Display
	// noOffset scores rows without their offsets.
	noOffset bool
	skipped  int  // malformed rows that are told
	told     bool // malformed rows that are left out are reported
}

// OpenTable opens the table at path, which may be a pattern, for an encoder that makes rows of it,
// or nil. printing says that results are printed while it is read. Close it.
func OpenTable(a *console.App, path string, f *TableFlags, e *table.Encoder, printing bool) (*Table, error) {
	o, err := f.options(a)
	if err != nil {
		return nil, err
	}
	if e != nil {
		o = e.Suit(o)
	}
	t := &Table{Name: NameOf(path), a: a, loading: newLoading(path), noOffset: f.noOffset != ""}
	o.Progress = t.loading.record
	o.Skipped = func(err error) {
		const most = 10 // a note at the end counts all
		if t.told && t.skipped < most {
			a.Note("left out: %v", err)
		}
		if t.told {
			t.skipped++
		}
	}
	o.Stdin = a.In
	if t.Source, err = table.Open(path, o); err != nil {
		return nil, console.BadData(console.FileTrouble(err, path))
	}
	show := a.Show
	if printing {
		show = a.ShowBeside
	}
	t.display = show(t.loading.line)
	return t, nil
}

// Close ends the showing, and removes what Open may have put aside.
func (t *Table) Close() error {
	t.display.Stop()
	return t.Source.Close()
}

// Columns lists the names of the columns for a message.
func (t *Table) Columns() string { return console.Listed(t.Names(), 40) }

// Recipe is what the flags make of the table: the recipe of a file, or what the columns say.
func (t *Table) Recipe(ctx context.Context, f *TableFlags) (*table.Recipe, error) {
	switch {
	case f.Made != nil:
		return f.Made, nil
	case f.Recipe != "":
		return ReadRecipe(f.Recipe)
	}
	if err := f.findColumns(t); err != nil {
		return nil, err
	}
	w, err := f.wanted()
	if err != nil {
		return nil, err
	}
	t.loading.begin("looking through")
	r, err := table.Infer(ctx, t.Source, w)
	return r, t.trouble(err)
}

// findColumns refuses names that are no columns of the table, and columns that two flags name.
func (f *TableFlags) findColumns(t *Table) error {
	if f.HoldoutBy != "" {
		if err := t.Lacks("holdout-by", []string{f.HoldoutBy}); err != nil {
			return err
		}
	}
	target, _ := table.CutLog(f.Target, t.Names())
	table.Expand(t.Names(), []string{target, f.weight, f.offset, f.exposure, f.group}, &f.IDs, &f.numbers, &f.categories, &f.texts, &f.times, &f.ignored)
	before := map[string]string{} // flags by columns
	for _, flag := range []struct {
		name    string
		columns []string
	}{
		{"target", []string{target}}, {"weight", []string{f.weight}}, {"offset", []string{f.offset}}, {"exposure", []string{f.exposure}}, {"group", []string{f.group}}, {"id", f.IDs},
		{"number", f.numbers}, {"category", f.categories}, {"text", f.texts}, {"times", f.times}, {"ignore", table.FieldsOf(f.ignored, t.Names())},
	} {
		given := slices.DeleteFunc(slices.Clone(flag.columns), func(c string) bool { return c == "" })
		if flag.name == "times" {
			for k, text := range given {
				given[k], _ = table.CutFormat(text, t.Names())
			}
		}
		if err := t.Lacks(flag.name, given); err != nil {
			return err
		}
		for _, column := range given {
			if other := before[column]; other != "" && other != flag.name {
				return console.BadFlag(flag.name, column, "--%s names this column too: name it once", other)
			}
			before[column] = flag.name
		}
	}
	return nil
}

// HasTarget refuses a recipe without a target, for a command that needs one.
func (t *Table) HasTarget(r *table.Recipe) error {
	if slices.ContainsFunc(r.Columns, func(c table.Column) bool { return c.Kind == table.Target || c.Kind == table.VW }) {
		return nil
	}
	return console.Usagef("%s: no column is the target: name it by --target COLUMN; the columns are %s", t.Name, t.Columns())
}

// Learn fits a recipe to the table.
func (t *Table) Learn(ctx context.Context, r *table.Recipe) (*table.Encoder, error) {
	t.loading.begin("learning columns of")
	e, err := table.Fit(ctx, t.Source, r)
	return e, t.trouble(err)
}

// described is the number of values of a column that Describe names.
const described = 10

// Describe describes the columns of a recipe.
func (t *Table) Describe(ctx context.Context, r *table.Recipe) ([]table.Description, error) {
	t.loading.begin("describing")
	list, err := table.Describe(ctx, t.Source, r, described)
	if err != nil {
		return nil, t.trouble(err)
	}
	return list, t.a.Tell(t.Notes())
}

// Encode makes rows of the table, with the order of the rows by a column, "" for none.
func (t *Table) Encode(ctx context.Context, e *table.Encoder, order string) (*Dataset, error) {
	t.told = true
	t.loading.begin("encoding")
	d := &Dataset{Encoder: e, Name: t.Name, OrderedBy: order}
	for rows, err := range e.Blocks(ctx, t.Source, table.BlockOptions{Order: order}) {
		if err != nil {
			return nil, t.trouble(err)
		}
		d.Order = rows.Order
		d.Data, d.Missing, d.Unseen = rows.Data, rows.Missing, rows.Unseen
	}
	if d.Data == nil || d.X.Rows() == 0 {
		return nil, t.trouble(errors.New("there are no rows in the table"))
	}
	collectSooner(d.Data)
	return d, t.a.Tell(d.Notes)
}

// trouble marks an error as one of the table, and names it.
func (t *Table) trouble(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	if err = console.Plain(err); !strings.HasPrefix(err.Error(), t.Name) {
		err = fmt.Errorf("%s: %w", t.Name, err)
	}
	return console.BadData(err)
}

// readTable reads a table by the flags.
func readTable(a *console.App, path string, f *DataFlags) (*Dataset, error) {
	start, ctx := time.Now(), context.Background()
	t, err := OpenTable(a, path, &f.Table, f.Table.Encoder, false)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	e, err := t.LearnBy(ctx, &f.Table)
	if err != nil {
		return nil, err
	}
	data, err := t.Encode(ctx, e, f.Table.HoldoutBy)
	if err != nil {
		return nil, err
	}
	data.Notes = append(data.Notes, leakNotes(e, data.Data, f.Table.Positive)...)
	data.Seconds = time.Since(start).Seconds()
	return data, a.Tell(data.Notes)
}

// LearnBy finds the recipe of a table with a target, and learns what it needs. A model that is
// trained further has its encoder already.
func (t *Table) LearnBy(ctx context.Context, f *TableFlags) (*table.Encoder, error) {
	if f.Encoder != nil {
		return f.Encoder, nil
	}
	r, err := t.Recipe(ctx, f)
	if err == nil {
		err = t.HasTarget(r)
	}
	if err == nil && f.Choose != nil && len(r.Open()) > 0 {
		t.loading.begin("choosing bins of")
		r, err = f.Choose(ctx, t, r)
	}
	if err != nil {
		return nil, err
	}
	return t.Learn(ctx, r)
}

// ReadEncoded reads a table by the encoder of another one.
func ReadEncoded(a *console.App, path string, f *DataFlags, e *table.Encoder) (*Dataset, error) {
	t, err := OpenTable(a, path, &f.Table, e, false)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	return t.Encode(context.Background(), e, "")
}

// IsRows tells whether the file at path holds rows: a cache, arrays of scipy, or LIBSVM text with
// an entry, before which there are only labels. A file that is not there, or is damaged, holds none.
func IsRows(path string) (bool, error) {
	file, err := stamp.OpenNow(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, console.BadData(console.FileTrouble(err, path))
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return false, nil
	}
	text, err := sparse.Decompress(file)
	if err == nil {
		defer text.Close()
		head := make([]byte, 1<<12)
		var n int
		if n, err = io.ReadFull(text, head); err == nil || err == io.EOF || err == io.ErrUnexpectedEOF {
			return beginsRows(head[:n]), nil
		}
	}
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return false, console.BadData(err)
	}
	return false, nil
}

// notRows tells whether a file that can be read holds no rows.
func notRows(path string) bool {
	isRows, err := IsRows(path)
	return err == nil && !isRows
}

// beginsRows tells whether a file that holds rows may begin with head.
func beginsRows(head []byte) bool {
	if bytes.HasPrefix(head, []byte("LANESCSR")) || bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		return true
	}
	if content.Table(head) != "" {
		return false
	}
	for line := range bytes.Lines(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff")))) {
		if rowStart().Match(line) {
			return true
		}
		if fields := bytes.Fields(line); len(fields) > 1 {
			return false
		} else if len(fields) == 1 {
			if _, err := strconv.ParseFloat(string(fields[0]), 64); err != nil {
				return false
			}
		}
	}
	return false
}

// rowStart is the begin of a row of LIBSVM text: a label and an entry. A cell of CSV with a blank
// and the time of a day is no such row.
var rowStart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([^\s,;|]+|[-+\d.e]+(,[-+\d]+)+)[ \t]+(qid:\d+[ \t]+)?\d+:[^\s,;|]*(\s|$)`)
})

// plainly returns the error of data that cannot be read as rows, or a better one where they are
// plainly a table.
func plainly(path string, err error) error {
	format := (*sparse.FormatError)(nil)
	if !errors.As(err, &format) || path == "-" || !notRows(path) {
		return err
	}
	what, names := looksLike(path)
	if len(names) < 2 {
		return err
	}
	return fmt.Errorf("%s is a table (%s), not LIBSVM text: name the column to learn, as in --target %s; its columns are %s",
		path, what, console.Quoted(names[len(names)-1]), console.Listed(names, 40))
}

// notForTable is the error of rows that cannot be read for a model that was trained on rows.
func notForTable(path string, err error) error {
	format := (*sparse.FormatError)(nil)
	if errors.As(err, &format) && path != "-" && notRows(path) && IsTable(path) {
		return fmt.Errorf("%s is a table, and the model was trained on rows with numbered columns: train one on a table by --target", path)
	}
	return err
}

// IsTable tells whether the file at path is plainly a table: Parquet, or of two columns at least.
func IsTable(path string) bool {
	format, names := looksLike(path)
	return len(names) > 1 || len(names) == 1 && format == table.FormatParquet
}

// looksLike returns the format and the columns of the table at path, "" for another file.
func looksLike(path string) (format string, names []string) {
	s, err := table.Open(path, table.Options{})
	if err != nil {
		return "", nil
	}
	defer s.Close()
	return s.Format(), s.Names()
}

// ReadRecipe reads a recipe from a file.
func ReadRecipe(path string) (*table.Recipe, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, console.BadData(console.FileTrouble(err, path))
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	r := new(table.Recipe)
	err = decoder.Decode(r)
	if _, more := decoder.Token(); err == nil && more != io.EOF {
		err = errors.New("more text follows its JSON")
	}
	if err == nil {
		err = r.Check()
	}
	if err != nil {
		return nil, console.BadData(fmt.Errorf("%s is no recipe as 'lanes info TABLE --recipe' prints it: %w", path, console.Plain(err)))
	}
	return r, nil
}
