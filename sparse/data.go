package sparse

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
)

// Data is a matrix of rows with their labels.
type Data struct {
	X *Matrix
	// Y has one label a row, as it stood in the file; BinaryLabels makes signs
	// of two classes.
	Y []float64
	// Query has the group of each row (qid), and is nil where none is given.
	Query []int64
	// Dropped is the number of entries that ReadOptions.DropBeyond left out.
	Dropped int64
}

// ReadOptions says how data are read. The zero ReadOptions is right for
// training files.
type ReadOptions struct {
	// Workers is the number of goroutines that parse; 0 means one a core. The
	// result does not depend on it.
	Workers int
	// Columns is the least number of columns of the matrix: that of the model
	// where a test file is read. Files with larger indices widen it.
	Columns int
	// DropBeyond drops the entries beyond Columns, so that the matrix has
	// exactly Columns columns.
	DropBeyond bool
	// MaxColumns refuses larger indices, as a guard against nonsense; 0 means
	// the constant MaxColumns.
	MaxColumns int
	// Merge sorts rows whose indices do not ascend and adds up the values of
	// repeated ones. Without it they are refused.
	Merge bool
	// Storage limits the choice of the matrix's layout.
	Storage Storage

	chunk, maxLine int // for tests
}

// ReadFile reads a data file: LIBSVM text, plain or compressed by gzip, bzip2,
// xz or zstd, or a cache that WriteCache made. The content decides, not the
// name.
//
// Errors of the content are a *FormatError with the line and the byte in it.
// Memory is that of the matrix and a few buffers.
func ReadFile(path string, options ReadOptions) (*Data, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a directory, not a data file", path)
	}
	return Read(file, path, options)
}

// sizeOf returns the length of r if that is a regular file at its start, as
// standard input may be, and 0 otherwise.
func sizeOf(r io.Reader) int64 {
	file, ok := r.(*os.File)
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

// Read is ReadFile for a stream; name stands in error messages. The memory of
// rows that come from a pipe is moved as it grows, and can reach twice that of
// the matrix for a moment.
func Read(r io.Reader, name string, options ReadOptions) (*Data, error) {
	if options.MaxColumns == 0 {
		options.MaxColumns = MaxColumns
	}
	if options.Workers <= 0 {
		options.Workers = runtime.GOMAXPROCS(0)
	}
	switch {
	case options.MaxColumns < 0 || options.MaxColumns > MaxColumns:
		return nil, fmt.Errorf("sparse: MaxColumns is %d; it may be 1 to %d", options.MaxColumns, MaxColumns)
	case options.Columns < 0 || options.Columns > MaxColumns:
		return nil, fmt.Errorf("sparse: Columns is %d; it may be 0 to %d", options.Columns, MaxColumns)
	}
	raw := &rawReader{r: r}
	data, err := readContent(raw, name, sizeOf(r), &options)
	if err != nil && raw.err != nil {
		return nil, fmt.Errorf("%s: %w", name, raw.err)
	}
	return data, err
}

func readContent(raw *rawReader, name string, size int64, options *ReadOptions) (*Data, error) {
	source := bufio.NewReader(raw)
	if _, err := source.Peek(1); err == io.EOF {
		return nil, &FormatError{Name: name, Message: "the file is empty"}
	}
	compression := formatText
	f := sniff(source)
	if f != formatText && f != formatCache {
		unpacked, free, err := decompressor(f, source, options.Workers)
		if err != nil {
			return nil, damaged(name, f, 0, err)
		}
		defer free()
		compression, source = f, bufio.NewReader(unpacked)
		f = sniff(source)
	}
	switch f {
	case formatCache:
		return readCached(source, raw, compression, size, name, options)
	case formatText:
	default:
		return nil, &FormatError{Name: name, Message: fmt.Sprintf("%s inside %s: unpack the file once", f, compression)}
	}

	keep := options.MaxColumns
	if options.DropBeyond {
		keep = min(keep, options.Columns)
	}
	// A byte-order mark, as some editors on Windows write it.
	if head, _ := source.Peek(3); string(head) == "\ufeff" {
		source.Discard(3)
	}
	text := &textReader{
		name:   name,
		rules:  textRules{maxColumns: uint64(options.MaxColumns), keep: uint64(keep), merge: options.Merge, float32: options.Storage.Float32},
		chunk:  orDefault(options.chunk, defaultChunk),
		source: source, total: size, exact: compression == formatText,
		consumed: raw.consumed.Load,
		maxLine:  orDefault(options.maxLine, defaultMaxLine),
		store:    newStore(options.Storage),
	}
	err := text.run(options.Workers)
	var broken *streamError
	switch {
	case errors.As(err, &broken):
		return nil, damaged(name, compression, broken.lines, broken.err)
	case err != nil:
		return nil, err
	case text.store.rows() == 0:
		return nil, &FormatError{Name: name, Message: "the file holds no rows"}
	}
	d := options.Columns
	if !options.DropBeyond {
		d = max(d, text.store.columns)
	}
	return &Data{X: text.store.matrix(d), Y: clip(text.labels), Query: clip(text.query), Dropped: text.dropped}, nil
}

func readCached(source io.Reader, raw *rawReader, compression format, size int64, name string, options *ReadOptions) (*Data, error) {
	var file io.ReaderAt
	if at, ok := raw.r.(io.ReaderAt); ok && size > 0 && compression == formatText {
		file = at
	}
	data, err := readCache(source, file, size, name, options)
	if err != nil {
		return nil, err
	}
	drop := options.DropBeyond && options.Columns < data.X.d
	if drop || options.Storage != (Storage{}) {
		keep := data.X.d
		if drop {
			keep = options.Columns
		}
		whole := data.X.NNZ()
		if data.X, err = data.X.stored(options.Storage, keep); err != nil {
			return nil, &FormatError{Name: name, Message: err.Error()}
		}
		data.Dropped = whole - data.X.NNZ()
	}
	data.X.d = max(data.X.d, options.Columns)
	return data, nil
}

// stored copies the first d columns of m, without its bias, into the layout
// that storage asks for.
func (m *Matrix) stored(storage Storage, d int) (*Matrix, error) {
	s := newStore(storage)
	s.expect(m.n, int(m.NNZ()))
	var lengths []int
	var columns []uint32
	var values []float64
	for i := range m.n {
		before := len(columns)
		for e := m.rows.Begin[i]; e < m.rows.End[i] && m.rows.Column(e) < d; e++ {
			columns, values = append(columns, uint32(m.rows.Column(e))), append(values, m.rows.Value(i, e))
		}
		lengths = append(lengths, len(columns)-before)
		if len(columns) >= buildChunk || len(lengths) >= buildChunk || i == m.n-1 {
			if err := s.add(lengths, columns, values, d); err != nil {
				return nil, err
			}
			lengths, columns, values = lengths[:0], columns[:0], values[:0]
		}
	}
	return s.matrix(d), nil
}

func damaged(name string, f format, lines int64, err error) error {
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
