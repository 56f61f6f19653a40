package sparse

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/lanes-go/lanes/internal/base/contexts"
)

// mostReserved bounds the text that memory is reserved for before any of it is there.
const mostReserved = 1 << 26

// usualBlock is how much text a block has where nothing is said.
const usualBlock = 1 << 24

// Blocks reads what Read reads, block after block, for data that need not fit in memory:
// each block has whole lines of about size bytes of text, 0 meaning 16 MiB. With the options
// Columns and DropBeyond all blocks have the same columns. Errors count the lines of the
// whole text. Each block has its own LabelNames and the smallest layout that is exact for its
// rows. So products can differ in their last bits from products with one matrix of all rows,
// unless Storage.Values is ValuesFloat64 in both. A cache keeps its layout.
//
// An error ends the blocks; once ctx is done, an error that wraps ctx.Err() does, after the call
// of r.Read that is under way. One block is in memory at a time. A cache that is packed or comes
// from a pipe is one block, and so is a matrix of SciPy. The labels of
// ReadOptions.Labels are in memory at once.
func Blocks(ctx context.Context, r io.Reader, name string, options ReadOptions, size int) iter.Seq2[*Data, error] {
	return func(yield func(*Data, error) bool) {
		raw, err := newRawReader(contexts.Given(ctx), r, name)
		if err == nil {
			err = options.complete()
		}
		switch {
		case err != nil:
		case r == nil:
			err = fmt.Errorf("sparse: Blocks: there is nothing to read %s from", name)
		case size < 0:
			err = fmt.Errorf("sparse: Blocks: a block of %d bytes", size)
		default:
			err = readBlocks(raw, name, &options, orDefault(size, usualBlock), func(d *Data) bool { return yield(d, nil) })
			raw.panics.Repeat()
			if err != nil && raw.err != nil {
				err = fmt.Errorf("%s: %w", name, raw.err)
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

func readBlocks(raw *rawReader, name string, options *ReadOptions, size int, yield func(*Data) bool) error {
	if options.Labels != "" {
		labels, err := readLabels(options.Labels, options.WordLabels)
		if err != nil {
			return err
		}
		give, own := yield, *options
		own.Labels = ""
		stopped := false
		yield = func(data *Data) bool {
			if err = labels.give(data); err == nil {
				stopped = !give(data)
			}
			return err == nil && !stopped
		}
		if failed := readBlocks(raw, name, &own, size, yield); failed != nil || err != nil || stopped {
			return errors.Join(failed, err)
		}
		return labels.end()
	}
	length := sizeOf(raw.r)
	c, err := open(raw, name, options)
	if err != nil {
		return err
	}
	defer c.free()
	if c.format == formatCache {
		return c.cached(raw, length, name, options, int64(size), yield)
	}
	if c.format == formatZip {
		data, err := c.readNPZ(raw, length, name, options)
		if err == nil {
			yield(data)
		}
		return err
	}
	lines, rows := int64(0), int64(0)
	words, queried := false, false
	progress := options.Progress
	for {
		if _, err := c.source.Peek(1); errors.Is(err, io.EOF) {
			break
		}
		block := &lineBlock{source: c.source, left: size}
		text := newTextReader(block, name, options)
		text.lines = lines
		text.before, text.queried, text.words.used = rows > 0, queried, words
		text.total, text.exact, text.consumed = int64(min(size, mostReserved)), true, block.count
		if progress != nil {
			text.progress = raw.told(func(_, more int64) { progress(raw.consumed.Load(), rows+more) })
		}
		data, err := text.data(options, c.compression)
		raw.panics.Repeat()
		if err != nil {
			return c.hint(err)
		}
		lines, rows = text.lines, rows+int64(data.X.Rows())
		words, queried = text.words.used, queried || data.Query != nil
		if data.X.Rows() > 0 && !yield(data) {
			return nil
		}
	}
	if rows == 0 {
		return &FormatError{Name: name, Message: "the file holds no rows"}
	}
	return nil
}

// lineBlock reads at least a number of bytes from a source, and on to the end of a line.
type lineBlock struct {
	source *bufio.Reader
	left   int
	given  int64
	last   byte
}

func (b *lineBlock) count() int64 { return b.given }

// Read ends with io.EOF at the end of the block.
func (b *lineBlock) Read(p []byte) (n int, err error) {
	if b.left > 0 {
		n, err = b.source.Read(p[:min(len(p), b.left)])
		b.left -= n
	} else if b.last == '\n' {
		return 0, io.EOF
	} else if _, err = b.source.Peek(1); err == nil {
		rest, _ := b.source.Peek(min(b.source.Buffered(), len(p)))
		if end := bytes.IndexByte(rest, '\n'); end >= 0 {
			rest = rest[:end+1]
		}
		n, err = b.source.Read(p[:len(rest)])
	}
	if n > 0 {
		b.last = p[n-1]
	}
	b.given += int64(n)
	return n, err
}
