package sparse

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/mikelolasagasti/xz"

	"github.com/lanes-go/lanes/internal/base/content"
	"github.com/lanes-go/lanes/internal/base/contexts"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/internal/base/panics"
	"github.com/lanes-go/lanes/internal/base/stamp"
)

// mostWindow is the largest window of a compressed stream: the window of zstd --long=31, and more
// than the largest dictionary that the xz command makes.
const mostWindow = 1 << 31

// windowLimit bounds the window that a compressed stream may ask for by what there is: the
// decompressor of zstd takes up to three times the window.
func windowLimit() int64 {
	if available, known := memory.Available(); known {
		return min(mostWindow, available/4)
	}
	return mostWindow
}

// windowError says that a stream asks for more memory than it may have.
type windowError struct {
	format       format
	size, window int64 // size is 0 where it is not known
}

func (e *windowError) Error() string {
	remedy := "unpack the file first (zstd -d --long=31), or pack it anew without --long"
	if e.format == formatXZ {
		remedy = "unpack the file first (xz -d), or pack it anew by xz -9 or less"
	}
	if e.size == 0 {
		return fmt.Sprintf("the %s data are damaged, or need a window of more than the %s of memory that are allowed here: %s", e.format, memory.Text(e.window), remedy)
	}
	return fmt.Sprintf("the %s data need a window of %s of memory, more than the %s that are allowed here: %s", e.format, memory.Text(e.size), memory.Text(e.window), remedy)
}

// windowTrouble tells what the window of a stream is about from damage.
func windowTrouble(f format, err error, limit int64) error {
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) || errors.Is(err, xz.ErrMemlimit) {
		return &windowError{format: f, window: limit}
	}
	return err
}

// format is what the first bytes of a stream say that it holds.
type format string

const (
	formatText  format = "text"
	formatCache format = "lanes cache"
	formatZip   format = "zip" // a matrix of SciPy, .npz
	formatGzip  format = "gzip"
	formatBzip2 format = "bzip2"
	formatXZ    format = "xz"
	formatZstd  format = "zstd"
)

func sniff(r *bufio.Reader) format {
	head, _ := r.Peek(8)
	if bytes.HasPrefix(head, []byte(cacheMagic)) {
		return formatCache
	}
	if bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		return formatZip
	}
	if packed := content.Packed(head); packed != "" {
		return format(packed)
	}
	return formatText
}

// decompressor returns a reader of what r holds compressed, and a function that
// frees its resources. A stream that needs more memory for its window than limit is
// refused by a *windowError, at once where its beginning tells.
func decompressor(f format, r *bufio.Reader, workers int, limit int64) (io.Reader, func(), error) {
	switch f {
	case formatGzip:
		z, err := gzip.NewReader(r)
		return z, func() {}, err
	case formatBzip2:
		return bzip2.NewReader(r), func() {}, nil
	case formatXZ:
		if size := xzDictionary(r); size > limit {
			return nil, nil, &windowError{f, size, limit}
		}
		z, err := xz.NewReader(r, uint32(max(limit, 1)))
		return &windowed{z, f, limit}, func() {}, err
	case formatZstd:
		if size := zstdWindow(r); size > limit {
			return nil, nil, &windowError{f, size, limit}
		}
		most := uint64(max(limit, zstd.MinWindowSize))
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(workers), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(most), zstd.WithDecoderMaxMemory(most))
		if err != nil {
			return nil, nil, windowTrouble(f, err, limit)
		}
		return &windowed{z, f, limit}, z.Close, nil
	}
	return r, func() {}, nil
}

// windowed turns the decompressors' errors about windows into windowErrors.
type windowed struct {
	r     io.Reader
	f     format
	limit int64
}

func (w *windowed) Read(b []byte) (int, error) {
	n, err := w.r.Read(b)
	if err != nil {
		err = windowTrouble(w.f, err, w.limit)
	}
	return n, err
}

// zstdWindow returns the window of the first frame, 0 where that does not tell.
func zstdWindow(r *bufio.Reader) int64 {
	head, _ := r.Peek(zstd.HeaderMaxSize)
	var h zstd.Header
	if h.Decode(head) != nil || h.Skippable {
		return 0
	}
	if h.SingleSegment {
		return int64(min(h.FrameContentSize, math.MaxInt64))
	}
	return int64(min(h.WindowSize, math.MaxInt64))
}

// xzDictionary returns the size of the dictionary of the first block, 0 where its
// header does not tell: 12 bytes of the stream, the size of the header in words,
// flags, perhaps the sizes of the block, and filters with their properties.
func xzDictionary(r *bufio.Reader) int64 {
	const stream, lzma2 = 12, 0x21
	head, _ := r.Peek(stream + 1024)
	if len(head) < stream+2 {
		return 0
	}
	head = head[stream:]
	head = head[:min(len(head), 4*(int(head[0])+1))]
	flags := head[1]
	head = head[2:]
	number := func() uint64 {
		v, n := binary.Uvarint(head)
		head = head[max(n, 0):]
		return v
	}
	for _, has := range []byte{0x40, 0x80} {
		if flags&has != 0 {
			number()
		}
	}
	for range flags&3 + 1 {
		id, size := number(), number()
		if size > uint64(len(head)) {
			return 0
		}
		if id == lzma2 && size == 1 {
			bits := head[0]
			if bits >= 40 {
				return math.MaxUint32
			}
			return int64(2|bits&1) << (bits/2 + 11)
		}
		head = head[size:]
	}
	return 0
}

// rawReader counts the bytes of a stream and remembers its failure, which is no
// fault of what the stream holds.
type rawReader struct {
	r        io.Reader
	ctx      context.Context // ends the stream when done
	consumed atomic.Int64    // decompressors read ahead in goroutines of their own
	err      error
	panics   panics.Catcher // of r and of who is told of progress
}

// newRawReader reads a stream. A regular file has to stay as it is.
func newRawReader(ctx context.Context, r io.Reader, name string) (*rawReader, error) {
	if file, is := r.(*os.File); is && file != nil {
		held, err := stamp.Hold(file)
		if err != nil {
			return &rawReader{}, fmt.Errorf("%s: %w", name, err)
		}
		r = held
	}
	return &rawReader{r: r, ctx: ctx}, nil
}

// errPanicked ends a read whose reader or listener panicked. It is not seen: the panic is
// repeated on the caller's goroutine.
var errPanicked = errors.New("a panic")

func (r *rawReader) Read(b []byte) (n int, err error) {
	if r.ctx.Err() != nil {
		r.err = contexts.Err(r.ctx)
		return 0, r.err
	}
	if r.panics.Any() || !r.panics.Do(func() { n, err = r.r.Read(b) }) {
		return 0, errPanicked
	}
	if n < 0 || n > len(b) {
		n, err = 0, fmt.Errorf("a reader returned a count of %d for a buffer of %d bytes", n, len(b))
	}
	r.consumed.Add(int64(n))
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

// told is ReadOptions.Progress, which may be called from any goroutine.
func (r *rawReader) told(progress func(bytes, rows int64)) func(bytes, rows int64) {
	if progress == nil {
		return nil
	}
	return func(bytes, rows int64) {
		if !r.panics.Any() {
			r.panics.Do(func() { progress(bytes, rows) })
		}
	}
}
