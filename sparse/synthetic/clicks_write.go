package synthetic

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/lanes-go/lanes/internal/base/aside"
	"github.com/lanes-go/lanes/internal/base/panics"
	"github.com/lanes-go/lanes/internal/matrix"
)

// ClickOptions say how a log is written. No byte of the text depends on them. They are safe for
// concurrent reading.
type ClickOptions struct {
	Workers int // goroutines that draw rows; 0 means one a core
	// Progress, where set, is called now and then, by one goroutine at a time, with the number of
	// rows written.
	Progress func(rows int64)
}

// ClickColumns lists the names of the columns of a log of clicks, the target first.
func ClickColumns() []string {
	names := []string{"click"}
	for k := range clickNumbers {
		names = append(names, fmt.Sprint("i", k+1))
	}
	for k := range clickCategories {
		names = append(names, fmt.Sprint("c", k+1))
	}
	return names
}

// WriteCSV writes the log as CSV with a header to w, some 230 bytes a row. It returns the planted
// model's AUC and log loss on these rows. It ends with the cause of ctx once ctx is done.
func (c Clicks) WriteCSV(ctx context.Context, w io.Writer, o ClickOptions) (Planted, error) {
	return c.write(ctx, w, "", o)
}

// WriteCSVFile is WriteCSV to a file, compressed where the name ends in .gz or .zst. The file
// appears under its name when it is complete.
func (c Clicks) WriteCSVFile(ctx context.Context, path string, o ClickOptions) (p Planted, err error) {
	extension := filepath.Ext(path)
	if extension == ".bz2" || extension == ".xz" {
		return p, fmt.Errorf("synthetic: %s: cannot write %s files; use .gz or .zst", path, extension)
	}
	err = aside.Write(path, func(w io.Writer) error {
		p, err = c.write(ctx, w, extension, o)
		return err
	})
	return p, err
}

// clickBlock is the number of rows that a worker draws at a time; each block is compressed by
// itself, so that the compressed bytes do not depend on the workers either.
const clickBlock = 1 << 14

// clickLog is a log that several workers write.
type clickLog struct {
	Clicks
	ctx     context.Context
	options ClickOptions
	model   *clickModel
	pack    func(dst, text []byte) ([]byte, error)
	taken   atomic.Int64 // blocks
	panics  panics.Catcher

	turn  sync.Mutex
	ready *sync.Cond
	w     io.Writer
	next  int64 // block whose turn it is
	err   error
	tally tally
}

func (c Clicks) write(ctx context.Context, w io.Writer, extension string, o ClickOptions) (Planted, error) {
	if err := c.check(); err != nil {
		return Planted{}, err
	}
	if w == nil {
		return Planted{}, errors.New("synthetic: there is nothing to write to")
	}
	if ctx == nil {
		ctx = context.Background()
	}
	workers := min(o.Workers, matrix.MaxWorkers)
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = int(min(int64(workers), c.blocks()))
	pack, err := packer(extension, workers)
	if err != nil {
		return Planted{}, err
	}
	l := &clickLog{Clicks: c, ctx: ctx, options: o, model: newClickModel(c), pack: pack, w: w}
	l.ready = sync.NewCond(&l.turn)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			if !l.panics.Do(l.run) {
				l.end(errors.New("synthetic: a worker ended"))
			}
		})
	}
	group.Wait()
	l.panics.Repeat()
	if l.err != nil {
		return Planted{}, l.err
	}
	return l.tally.planted()
}

// blocks returns the number of blocks of the log.
func (c Clicks) blocks() int64 { return (c.Rows-1)/clickBlock + 1 }

// packer returns a function that appends text to dst as a compressed stream of its own, for
// several goroutines.
func packer(extension string, workers int) (func(dst, text []byte) ([]byte, error), error) {
	switch extension {
	case ".gz":
		return func(dst, text []byte) ([]byte, error) {
			out := bytes.NewBuffer(dst)
			z, err := gzip.NewWriterLevel(out, gzip.BestSpeed)
			if err == nil {
				_, err = z.Write(text)
				err = errors.Join(err, z.Close())
			}
			return out.Bytes(), err
		}, nil
	case ".zst":
		z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(workers))
		if err != nil {
			return nil, err
		}
		return func(dst, text []byte) ([]byte, error) { return z.EncodeAll(text, dst), nil }, nil
	}
	return func(_, text []byte) ([]byte, error) { return text, nil }, nil
}

// end ends the log by an error.
func (l *clickLog) end(err error) {
	l.turn.Lock()
	defer l.turn.Unlock()
	if l.err == nil {
		l.err = err
	}
	l.ready.Broadcast()
}

func (l *clickLog) run() {
	counts := new(tally)
	var text, packed []byte
	blocks := l.blocks()
	for {
		block := l.taken.Add(1) - 1
		if block >= blocks {
			break
		}
		if text == nil {
			text = make([]byte, 0, 1<<9+min(l.Rows, clickBlock)*mostRowBytes)
		}
		if text = text[:0]; block == 0 {
			text = l.header(text)
		}
		last := min((block+1)*clickBlock, l.Rows)
		for row := block * clickBlock; row < last; row++ {
			var cell int
			var click bool
			text, cell, click = l.model.row(text, l.First+row)
			if click {
				counts[1][cell]++
			} else {
				counts[0][cell]++
			}
		}
		var err error
		packed, err = l.pack(packed[:0], text)
		if !l.append(block, last, packed, err) {
			break
		}
	}
	l.turn.Lock()
	defer l.turn.Unlock()
	l.tally.add(counts)
}

// header appends the line of names.
func (l *clickLog) header(text []byte) []byte {
	for k, name := range ClickColumns() {
		if k > 0 {
			text = append(text, ',')
		}
		text = append(text, name...)
	}
	return append(text, '\n')
}

// append waits for the turn of a block and writes it; it returns whether to go on.
func (l *clickLog) append(block, rows int64, packed []byte, err error) bool {
	l.turn.Lock()
	defer l.turn.Unlock()
	for l.next != block && l.err == nil {
		l.ready.Wait()
	}
	if l.err != nil {
		return false
	}
	if err == nil {
		err = context.Cause(l.ctx)
	}
	if err == nil {
		_, err = l.w.Write(packed)
	}
	if l.err = err; err == nil && l.options.Progress != nil {
		l.options.Progress(rows)
	}
	l.next++
	l.ready.Broadcast()
	return err == nil
}
