package input

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/table"
)

// cachedRows is the least number of rows of a table that are encoded at a time for a cache.
const cachedRows = 1 << 15

// ConvertTable writes the table at path to a cache, block after block, with the encoder in it.
func ConvertTable(a *console.App, path, out string, f *TableFlags) (name string, c sparse.Converted, err error) {
	t, err := OpenTable(a, path, f, f.Encoder, false)
	if err != nil {
		return NameOf(path), c, err
	}
	defer t.Close()
	ctx := context.Background()
	e, err := t.LearnBy(ctx, f)
	if err != nil {
		return t.Name, c, err
	}
	c, err = t.cache(ctx, e, f, out)
	return t.Name, c, err
}

// cache encodes the table to a cache at out. With flags it looks for leaks in a sample of all rows.
func (t *Table) cache(ctx context.Context, e *table.Encoder, f *TableFlags, out string) (c sparse.Converted, err error) {
	t.told = true
	t.loading.begin("encoding")
	var sample leakSample
	var words []string
	var told []notes.Note
	var wrong error // with the table, not with the cache
	var blocks iter.Seq2[*sparse.Data, error] = func(yield func(*sparse.Data, error) bool) {
		for rows, err := range e.Blocks(ctx, t.Source, table.BlockOptions{Rows: cachedRows}) {
			if wrong = err; err != nil {
				yield(nil, err)
				return
			}
			if rows.X.Rows() == 0 {
				continue
			}
			words, told = rows.LabelNames, rows.Notes
			sample.add(rows.Data)
			if !yield(rows.Data, nil) {
				return
			}
		}
	}
	switch c, err = sparse.WriteCacheBlocks(ctx, out, blocks, sparse.Storage{}); {
	case wrong != nil:
		return c, t.trouble(wrong)
	case err != nil:
		return c, console.Unwritten("cache", out, err)
	}
	told = notes.Merge(told, t.Notes())
	if data, err := sample.data(e.Width(), words); err == nil && f != nil {
		told = append(told, leakNotes(e, data, f.Positive)...)
	}
	return c, t.a.Tell(told)
}

// EncodeAside encodes the table at path to a cache in the directory of temporary files, and opens
// it. The cache is removed when the program ends. The encoder is learned of the table, unless one is given.
func EncodeAside(a *console.App, path string, f *TableFlags, e *table.Encoder) (*Dataset, error) {
	given := e
	if given == nil {
		given = f.Encoder
	}
	t, err := OpenTable(a, path, f, given, false)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	ctx, leaks := context.Background(), f
	if e != nil { // which its own table was looked through for
		leaks = nil
	} else if e, err = t.LearnBy(ctx, f); err != nil {
		return nil, err
	}
	d, err := aside(a, t.Name, "encoded rows", func(file string) error {
		_, err := t.cache(ctx, e, leaks, file)
		return err
	})
	if err == nil {
		d.Encoder = e
	}
	return d, err
}

// aside opens a cache that write makes in the directory of temporary files.
func aside(a *console.App, name, what string, write func(file string) error) (*Dataset, error) {
	folder, err := a.Temporary()
	if err != nil {
		return nil, fmt.Errorf("rows cannot be kept in a temporary file: %w", console.WriteTrouble(err))
	}
	file := filepath.Join(folder, "rows.lanes")
	if err := write(file); err != nil {
		return nil, err
	}
	d, err := Open(file)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	a.Note("%s: the %s are in %s, %s, until the run ends (TMPDIR names another directory)", name, what, file, strings.Replace(megabytes(info.Size()), ".0 ", " ", 1))
	d.Name = name
	return d, nil
}

// openLike is ReadLike for rows that stay in a file: the rows of a cache in that cache, other rows in a cache aside.
func openLike(a *console.App, path string, f *DataFlags, isTable bool, other *Dataset) (*Dataset, error) {
	switch {
	case isTable:
		return EncodeAside(a, path, &f.Table, other.Encoder)
	case !Converts(path, ""):
		return Open(path)
	}
	return aside(a, NameOf(path), "rows", func(file string) error {
		own := *f
		own.Labels = ""
		_, _, err := Convert(a, path, file, &own)
		return err
	})
}
