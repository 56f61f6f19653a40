package sparse

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"

	"github.com/lanes-go/lanes/internal/base/content"
	"github.com/lanes-go/lanes/internal/base/contexts"
	"github.com/lanes-go/lanes/internal/base/panics"
	"github.com/lanes-go/lanes/internal/base/stamp"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/notes"
)

// Data is a matrix of rows with their labels. Goroutines may share Data that none of them
// changes.
type Data struct {
	X *Matrix
	// Y has one label a row, as it stood in the file; BinaryLabels makes signs
	// of two classes.
	Y []float64
	// Query has the number of the query (qid) of each row, and is nil where the file has none.
	Query []int64
	// Weight has the weight of each row in losses, finite and not negative; nil means 1.
	Weight []float64
	// Offset has a finite number for each row that is added to its score; nil means 0.
	Offset []float64
	// LabelNames has the words that the labels stand for, in ascending order: Y[i] is a
	// place in it. It is nil where labels are numbers. Words of tables may be any text.
	LabelNames []string
	// Encoding is the JSON of the encoder of package table that made the rows; nil elsewhere.
	Encoding []byte
	// Unlabelled says that the file has no labels: Y is 0 for all rows.
	Unlabelled bool
	// Cached says that the data came from a cache, which has columns and no indices.
	Cached bool
	// Dropped is the number of entries that ReadOptions.DropBeyond left out.
	Dropped int64
	// Notes say what of the file is not used as it stands.
	Notes []notes.Note
}

// ReadOptions says how data are read. The zero ReadOptions is right for
// training files. Reads may share it.
type ReadOptions struct {
	// Workers is the number of goroutines that parse; 0 means one a core, more
	// than 1024 means 1024. The result does not depend on it.
	Workers int
	// Columns is the least number of columns of the matrix, as the number of columns of the
	// model for a test file. Files with larger indices widen the matrix.
	Columns int
	// DropBeyond drops the entries beyond Columns, so that the matrix has
	// exactly Columns columns.
	DropBeyond bool
	// MaxColumns refuses larger indices by a *FormatError with the line and the
	// byte, as a guard against nonsense; 0 means the constant MaxColumns. Reading
	// takes no memory for columns, but every vector of weights takes 8 bytes each,
	// and solvers hold some ten of them.
	MaxColumns int
	// ZeroBased says that the indices of a text start at 0, as in files that scikit-learn writes.
	// It has no meaning for a cache.
	ZeroBased bool
	// WordLabels allows labels that are words, each beginning with a letter, as in
	// "spam 1:0.3". All or none may be.
	WordLabels bool
	// Labels names a file whose labels take the place of those in the data: a NumPy array (.npy),
	// or text with a label a line, plain or compressed. "" means none.
	Labels string
	// Merge sorts rows whose indices do not ascend and adds up the values of
	// repeated ones. Without it they are refused.
	Merge bool
	// Storage limits the choice of the matrix's layout.
	Storage Storage
	// Progress, where set, is called now and then, by one goroutine at a time. bytes are read
	// from the source, packed as they are; rows are complete.
	Progress func(bytes, rows int64)

	chunk, maxLine, window int // for tests
}

// ReadFile reads a data file: LIBSVM text, plain or compressed by gzip, bzip2, xz or zstd; a
// cache that WriteCache made; or a CSR matrix of scipy.sparse.save_npz, whose labels are its
// array y, labels or target. The content decides, not the name. It refuses a compression window
// (zstd --long, xz --lzma2=dict=) of more than 2 GiB, or of more than a quarter of the free memory.
//
// Errors of the content are a *FormatError with the line and the byte in it. A file that somebody
// writes to while it is read is an error. Once ctx is done, ReadFile returns an error that wraps
// ctx.Err() and, where the cause is another error, the cause.
// It takes the memory of the matrix and a few buffers.
func ReadFile(ctx context.Context, path string, options ReadOptions) (*Data, error) {
	return await(ctx, path, func(ctx context.Context) (*Data, error) {
		file, err := stamp.OpenNow(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		if info, err := file.Stat(); err == nil && info.IsDir() {
			return nil, fmt.Errorf("%s is a directory, not a data file", path)
		}
		return read(ctx, file, path, options)
	})
}

// await returns what f returns, or the context's error as soon as ctx is done; f then
// ends by itself, at its next look at the context. A nil ctx is the background.
func await(ctx context.Context, name string, f func(context.Context) (*Data, error)) (*Data, error) {
	if ctx = contexts.Given(ctx); ctx.Done() == nil {
		return f(ctx)
	}
	type result struct {
		data *Data
		err  error
	}
	done := make(chan result, 1)
	var caught panics.Catcher
	go func() {
		var r result
		caught.Do(func() { r.data, r.err = f(ctx) })
		done <- r
	}()
	select {
	case r := <-done:
		caught.Repeat()
		return r.data, r.err
	case <-ctx.Done():
		return nil, fmt.Errorf("%s: %w", name, contexts.Err(ctx))
	}
}

// seekable is an open file.
type seekable interface {
	io.Seeker
	Stat() (os.FileInfo, error)
}

// sizeOf returns the length of r if that is a regular file at its start, as
// standard input may be, and 0 otherwise.
func sizeOf(r io.Reader) int64 {
	file, ok := r.(seekable)
	if !ok {
		return 0
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	if at, err := file.Seek(0, io.SeekCurrent); err != nil || at != 0 {
		return 0
	}
	return info.Size()
}

// Read is ReadFile for a stream; error messages use name. The memory of rows from a pipe is moved
// as it grows. It can reach twice the size of the matrix for a moment.
//
// Read ends at once when ctx is done, even where r keeps it waiting: a call of r.Read may
// then still be under way.
func Read(ctx context.Context, r io.Reader, name string, options ReadOptions) (*Data, error) {
	return await(ctx, name, func(ctx context.Context) (*Data, error) { return read(ctx, r, name, options) })
}

// complete puts numbers in the place of zeros that mean them.
func (options *ReadOptions) complete() error {
	if options.MaxColumns == 0 {
		options.MaxColumns = MaxColumns
	}
	if options.Workers <= 0 {
		options.Workers = runtime.GOMAXPROCS(0)
	}
	options.Workers = min(options.Workers, matrix.MaxWorkers)
	switch {
	case options.MaxColumns < 0 || options.MaxColumns > MaxColumns:
		return fmt.Errorf("sparse: MaxColumns is %d; it may be 1 to %d", options.MaxColumns, MaxColumns)
	case options.Columns < 0 || options.Columns > MaxColumns:
		return fmt.Errorf("sparse: Columns is %d; it may be 0 to %d", options.Columns, MaxColumns)
	}
	return nil
}

func read(ctx context.Context, r io.Reader, name string, options ReadOptions) (*Data, error) {
	if err := options.complete(); err != nil {
		return nil, err
	}
	if r == nil {
		return nil, fmt.Errorf("sparse: Read: there is nothing to read %s from", name)
	}
	raw, err := newRawReader(ctx, r, name)
	if err != nil {
		return nil, err
	}
	options.Progress = raw.told(options.Progress)
	data, err := readContent(raw, name, sizeOf(raw.r), &options)
	raw.panics.Repeat()
	if err != nil && raw.err != nil {
		return nil, fmt.Errorf("%s: %w", name, raw.err)
	}
	if err == nil && options.Labels != "" {
		var labels *labelFile
		if labels, err = readLabels(options.Labels, options.WordLabels); err == nil {
			if err = labels.give(data); err == nil {
				err = labels.end()
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// contents is the inside of a file.
type contents struct {
	source      *bufio.Reader
	format      format // formatText, formatCache or formatZip
	compression format // formatText for none
	table       string // kind of table that the text seems to be, "" for none
	free        func()
}

// open looks into a file and unpacks it. A byte-order mark, as some editors on Windows
// write it, is left out.
func open(raw *rawReader, name string, options *ReadOptions) (*contents, error) {
	c := &contents{source: bufio.NewReader(raw), compression: formatText, free: func() {}}
	if _, err := c.source.Peek(1); err == io.EOF {
		return nil, &FormatError{Name: name, Message: "the file is empty"}
	}
	c.format = sniff(c.source)
	if f := c.format; f != formatText && f != formatCache && f != formatZip {
		unpacked, free, err := decompressor(f, c.source, options.Workers, int64(orDefault(options.window, int(windowLimit()))))
		if err != nil {
			return nil, damaged(name, f, 0, err)
		}
		c.compression, c.source, c.free = f, bufio.NewReader(unpacked), free
		c.format = sniff(c.source)
	}
	switch c.format {
	case formatCache, formatZip:
	case formatText:
		if head, _ := c.source.Peek(3); string(head) == "\ufeff" {
			c.source.Discard(3)
		}
		head, _ := c.source.Peek(max(c.source.Buffered(), 8))
		if message := otherContent(head); message != "" {
			c.free()
			return nil, &FormatError{Name: name, Message: message}
		}
		c.table = content.Table(head)
	default:
		c.free()
		return nil, &FormatError{Name: name, Message: fmt.Sprintf("%s inside %s: unpack the file once", c.format, c.compression)}
	}
	return c, nil
}

func readContent(raw *rawReader, name string, size int64, options *ReadOptions) (*Data, error) {
	c, err := open(raw, name, options)
	if err != nil {
		return nil, err
	}
	defer c.free()
	if c.format == formatCache {
		var data *Data
		err := c.cached(raw, size, name, options, math.MaxInt64, func(all *Data) bool {
			data = all
			return true
		})
		return data, err
	}
	if c.format == formatZip {
		return c.readNPZ(raw, size, name, options)
	}
	text := newTextReader(c.source, name, options)
	text.total, text.exact, text.consumed = size, c.compression == formatText, raw.consumed.Load
	data, err := text.data(options, c.compression)
	err = c.hint(err)
	if err == nil && data.X.Rows() == 0 {
		return nil, &FormatError{Name: name, Message: "the file holds no rows"}
	}
	return data, err
}

// otherContent says what begins like head, if that is no text of LIBSVM for sure.
func otherContent(head []byte) string {
	if content.Table(head) == content.Parquet {
		return "it is " + content.Parquet + howTable
	}
	return content.Other(head)
}

const howTable = ": package table reads it (lanes train --target COLUMN)"

// hint adds to an error in a line of text that the file seems to be a table.
func (c *contents) hint(err error) error {
	if bad := new(FormatError); c.table != "" && errors.As(err, &bad) && bad.Line > 0 {
		bad.Message += "; if the file is a table, " + c.table + howTable
	}
	return err
}

// newTextReader returns a reader of text of unknown length.
func newTextReader(source io.Reader, name string, options *ReadOptions) *textReader {
	keep := options.MaxColumns
	if options.DropBeyond {
		keep = min(keep, options.Columns)
	}
	text := &textReader{
		name:     name,
		rules:    textRules{maxColumns: uint64(options.MaxColumns), keep: uint64(keep), merge: options.Merge, float32: options.Storage.Float32, words: options.WordLabels},
		chunk:    orDefault(options.chunk, defaultChunk),
		source:   source,
		maxLine:  orDefault(options.maxLine, defaultMaxLine),
		store:    matrix.NewStore(options.Storage.inner()),
		progress: options.Progress,
	}
	if options.ZeroBased {
		text.rules.base = 1
	}
	return text
}

// data reads the text to its end. There may be no rows in it.
func (text *textReader) data(options *ReadOptions, compression format) (*Data, error) {
	err := text.run(options.Workers)
	var broken *streamError
	switch {
	case errors.As(err, &broken):
		return nil, damaged(text.name, compression, broken.lines, broken.err)
	case err != nil:
		return nil, err
	}
	d := options.Columns
	if !options.DropBeyond {
		d = max(d, text.store.Columns)
	}
	return &Data{X: text.store.Matrix(d), Y: slices.Clip(text.labels), Query: slices.Clip(text.query), LabelNames: text.words.sorted(text.labels), Dropped: text.dropped}, nil
}

// cached yields what a cache holds in blocks of about size bytes.
func (c *contents) cached(raw *rawReader, length int64, name string, options *ReadOptions, size int64, yield func(*Data) bool) error {
	var file io.ReaderAt
	if at, ok := raw.r.(io.ReaderAt); ok && length > 0 && c.compression == formatText {
		file = at
	}
	return readCache(raw.ctx, c.source, file, length, name, options, size, yield)
}

// suit gives data of a cache the columns and the layout that options ask for.
func (data *Data) suit(name string, options *ReadOptions) (err error) {
	x := data.X
	drop := options.DropBeyond && options.Columns < matrix.Width(x)
	if drop || options.Storage != (Storage{}) {
		keep := matrix.Width(x)
		if drop {
			keep = options.Columns
		}
		whole := x.NNZ()
		if x, err = matrix.Restored(x, options.Storage.inner(), keep); err != nil {
			return &FormatError{Name: name, Message: err.Error()}
		}
		data.Dropped = whole - x.NNZ()
	}
	data.X = matrix.Widened(x, options.Columns)
	data.Cached = true
	return nil
}

// WithColumns returns data with exactly d columns beside the bias: columns that X lacks are
// empty, and entries of columns beyond are dropped and added to Dropped. Labels are shared with
// data, and so are the entries of X where none is dropped. Error: d outside 0 to MaxColumns,
// data without X. It costs a copy of the entries where some are dropped.
func (data *Data) WithColumns(d int) (*Data, error) {
	if data == nil || data.X == nil {
		return nil, errors.New("sparse: WithColumns: there is no matrix")
	}
	if d < 0 || d > MaxColumns {
		return nil, fmt.Errorf("sparse: WithColumns: %d columns; there may be 0 to %d", d, MaxColumns)
	}
	fitted, x := *data, data.X
	if d < matrix.Width(x) {
		cut, err := matrix.Restored(x, matrix.Storage{Values: matrix.Least(x)}, d)
		if err != nil {
			return nil, fmt.Errorf("sparse: WithColumns: %w", err)
		}
		fitted.Dropped += x.NNZ() - cut.NNZ()
		x = cut.WithBias(x.Bias())
	}
	fitted.X = matrix.Widened(x, d)
	return &fitted, nil
}

func damaged(name string, f format, lines int64, err error) error {
	if window := new(windowError); errors.As(err, &window) {
		return &FormatError{Name: name, Message: err.Error()}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return &FormatError{Name: name, Message: fmt.Sprintf("the %s data end too early, after line %d: the file is truncated", f, lines)}
	}
	return &FormatError{Name: name, Message: "the " + string(f) + " data are damaged after line " + strconv.FormatInt(lines, 10) + ": " + err.Error()}
}

func orDefault(v, standard int) int {
	if v == 0 {
		return standard
	}
	return v
}
