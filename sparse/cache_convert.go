package sparse

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/lanes-go/lanes/internal/base/aside"
	"github.com/lanes-go/lanes/internal/base/contexts"
	"github.com/lanes-go/lanes/internal/matrix"
)

// Converted is what ConvertCacheFile or WriteCacheBlocks has written. It is safe for concurrent
// reading.
type Converted struct {
	Rows, Columns int
	NonZeros      int64
}

// ConvertCacheFile reads what Read reads and writes it to path as WriteCacheFile would. It takes
// the memory of a block of text, 4 MiB, whatever the size of the data. Groups of rows wait in a
// nameless file beside path, as large as the cache, until the layout of all rows is known. The
// cache appears under its name when it is complete and on the disk. Once ctx is done,
// ConvertCacheFile leaves no file and returns an error that wraps ctx.Err().
func ConvertCacheFile(ctx context.Context, path string, r io.Reader, name string, options ReadOptions) (Converted, error) {
	blocks := func(yield func(*Data, error) bool) {
		for block, err := range Blocks(ctx, r, name, options, 1<<22) {
			if err == nil && block.Cached && options.ZeroBased {
				err = &FormatError{Name: name, Message: "a cache has columns and no indices that could start at 0"}
			}
			if !yield(block, err) {
				return
			}
		}
	}
	return writeBlocks(ctx, path, name, blocks, options.Storage)
}

// WriteCacheBlocks writes the rows of all blocks, one after the other, to path, in the memory of
// a block. The file is the one that WriteCacheFile would write of all rows. storage limits the
// layout as in ReadOptions. A block may be used again once the next one is asked for. Blocks must
// agree: all or none have groups, weights, offsets, words for labels, and the same encoder. Each
// block may have its own words.
//
// Errors: the error of the blocks, data that do not fit together, no rows. Files are written as by
// ConvertCacheFile, and ctx ends it between two blocks.
func WriteCacheBlocks(ctx context.Context, path string, blocks iter.Seq2[*Data, error], storage Storage) (Converted, error) {
	if blocks == nil {
		return Converted{}, errors.New("sparse: WriteCacheBlocks: there are no blocks")
	}
	return writeBlocks(ctx, path, "sparse: WriteCacheBlocks", blocks, storage)
}

// writeBlocks is WriteCacheBlocks for rows of a source with a name.
func writeBlocks(ctx context.Context, path, name string, blocks iter.Seq2[*Data, error], storage Storage) (c Converted, err error) {
	ctx = contexts.Given(ctx)
	spill, err := os.CreateTemp(filepath.Dir(path), ".lanes-*.tmp")
	if err != nil {
		return c, err
	}
	os.Remove(spill.Name()) // where a file may have no name, nothing stays of it
	defer func() {
		spill.Close()
		os.Remove(spill.Name())
	}()
	w := &blockWriter{buffer: bufio.NewWriterSize(spill, 1<<18), seen: matrix.NoRows, shape: cacheShape{index: cacheHeader}}
	w.out.w = w.buffer
	for block, err := range blocks {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = w.add(block)
		}
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return c, fmt.Errorf("%s: %w", name, contexts.Err(ctx))
		case errors.As(err, new(mixedError)):
			return c, &FormatError{Name: name, Message: err.Error()}
		default:
			return c, err
		}
	}
	if w.shape.n == 0 {
		return c, &FormatError{Name: name, Message: "the file holds no rows"}
	}
	if err := w.finish(storage); err != nil {
		return c, err
	}
	shape := &w.shape
	c = Converted{int(shape.n), int(shape.d), int64(shape.entries)}
	return c, aside.Write(path, func(to io.Writer) error {
		if _, err := spill.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if _, err := to.Write(shape.encode()); err != nil {
			return err
		}
		for left := int64(shape.index - cacheHeader); left > 0; {
			if ctx.Err() != nil {
				return contexts.Err(ctx)
			}
			n, err := io.CopyN(to, spill, min(left, 1<<26))
			if left -= n; err != nil {
				return fmt.Errorf("sparse: ConvertCacheFile: %d bytes of the rows are not there: %w", left, err)
			}
		}
		w.out.w = to
		return w.out.end()
	})
}

// mixedError says that blocks differ in kind.
type mixedError string

func (e mixedError) Error() string { return string(e) }

// blockWriter writes groups of rows as blocks of them come.
type blockWriter struct {
	buffer *bufio.Writer
	out    groupWriter
	seen   matrix.Summary
	shape  cacheShape
}

// add writes the rows of a block.
func (w *blockWriter) add(block *Data) error {
	shape, check := &w.shape, block.checkRows
	if shape.n == 0 || block != nil && !slices.Equal(w.out.table.of, block.LabelNames) {
		check = block.check
	}
	if err := check(int(shape.n)); err != nil {
		return err
	}
	flags, later := flagsOf(block)
	if shape.n == 0 {
		shape.flags, shape.later, w.out.later = flags, later, later
		w.out.table.encoding, w.out.table.words.used = block.Encoding, block.LabelNames != nil
	}
	if message := shape.mixed(flags, &w.out.table, block); message != "" {
		return mixedError(message)
	}
	w.out.table.know(block.LabelNames)
	m := block.X
	shape.n, shape.d, shape.entries = shape.n+uint64(m.Rows()), max(shape.d, uint64(matrix.Width(m))), shape.entries+uint64(m.NNZ())
	for first := 0; first < m.Rows(); {
		end, _ := cut(m, first)
		g, s, err := groupOf(m, first, end)
		if err == nil {
			err = w.out.write(g, block, first)
		}
		if err != nil {
			return err
		}
		w.seen, first = w.seen.With(s), end
		shape.index += uint64(g.size(shape.extra()))
		shape.groups++
	}
	return nil
}

// finish completes the header by what the values of all rows need.
func (w *blockWriter) finish(storage Storage) error {
	shape := &w.shape
	layout, values := matrix.LayoutOf(w.seen, storage.inner())
	if shape.layout = layout; matrix.HasOnes(layout) {
		if values == matrix.ValuesPerRow {
			shape.flags |= cacheScales
		}
	} else if w.seen.PerRow {
		shape.flags |= cacheEqual
	}
	if shape.n > mostCached || shape.entries > mostCached {
		return errors.New("sparse: ConvertCacheFile: more rows than a cache can hold")
	}
	return w.buffer.Flush()
}
