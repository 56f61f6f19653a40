package sparse

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/lanes-go/lanes/internal/base/aside"
	"github.com/lanes-go/lanes/internal/matrix"
)

// Converted is what ConvertCacheFile has written. It is safe for concurrent reading.
type Converted struct {
	Rows, Columns int
	NonZeros      int64
}

// ConvertCacheFile reads what Read reads and writes it to path as WriteCacheFile would,
// in the memory of a block of text, 4 MiB, however much there is. Groups of rows wait in
// a nameless file beside path, as large as the cache, until the layout of all is known.
// The cache appears under its name when it is complete and on the disk. Once ctx is done,
// ConvertCacheFile leaves no file and returns an error that wraps ctx.Err().
func ConvertCacheFile(ctx context.Context, path string, r io.Reader, name string, options ReadOptions) (c Converted, err error) {
	ctx = background(ctx)
	spill, err := os.CreateTemp(filepath.Dir(path), ".lanes-*.tmp")
	if err != nil {
		return c, err
	}
	os.Remove(spill.Name()) // where a file may have no name, nothing stays of it
	defer func() {
		spill.Close()
		os.Remove(spill.Name())
	}()
	buffer := bufio.NewWriterSize(spill, 1<<18)
	out, seen, shape := &groupWriter{w: buffer}, matrix.NoRows, cacheShape{index: cacheHeader}
	for block, err := range Blocks(ctx, r, name, options, 1<<22) {
		if err != nil {
			return c, err
		}
		if block.LabelNames != nil {
			return c, &FormatError{Name: name, Message: "a cache holds labels that are numbers, and these are words: keep the text, or number them"}
		}
		if block.Cached && options.ZeroBased {
			return c, &FormatError{Name: name, Message: "a cache has columns and no indices that could start at 0"}
		}
		if block.Query != nil {
			shape.flags |= cacheQueries
		}
		m := block.X.inner()
		shape.n, shape.d, shape.entries = shape.n+uint64(m.Rows()), max(shape.d, uint64(m.Width())), shape.entries+uint64(m.NNZ())
		for first := 0; first < m.Rows(); {
			end, _ := cut(m, first)
			g, s, err := groupOf(m, first, end)
			if err == nil {
				err = out.write(g, block, first)
			}
			if err != nil {
				return c, err
			}
			seen, first = seen.With(s), end
			shape.index += uint64(g.size(shape.queries()))
			shape.groups++
		}
	}
	if shape.n == 0 {
		return c, &FormatError{Name: name, Message: "the file holds no rows"}
	}
	layout, values := matrix.LayoutOf(seen, options.Storage.inner())
	if shape.layout = layout; matrix.HasOnes(layout) {
		if values == matrix.ValuesPerRow {
			shape.flags |= cacheScales
		}
	} else if seen.PerRow {
		shape.flags |= cacheEqual
	}
	if shape.n > mostCached || shape.entries > mostCached {
		return c, errors.New("sparse: ConvertCacheFile: more rows than a cache can hold")
	}
	if err := buffer.Flush(); err != nil {
		return c, err
	}
	c = Converted{int(shape.n), int(shape.d), int64(shape.entries)}
	return c, aside.Write(path, func(w io.Writer) error {
		if _, err := spill.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if _, err := w.Write(shape.encode()); err != nil {
			return err
		}
		for left := int64(shape.index - cacheHeader); left > 0; {
			if ctx.Err() != nil {
				return ended(ctx)
			}
			n, err := io.CopyN(w, spill, min(left, 1<<26))
			if left -= n; err != nil {
				return fmt.Errorf("sparse: ConvertCacheFile: %d bytes of the rows are not there: %w", left, err)
			}
		}
		out.w = w
		return out.end()
	})
}
