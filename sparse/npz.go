package sparse

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/internal/base/contexts"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/internal/matrix"
)

// npzChunk is about how many entries, and at most how many rows, are read at once.
const npzChunk = 1 << 16

// npz is a matrix that scipy.sparse.save_npz wrote.
type npz struct {
	files   map[string]*zip.File
	options *ReadOptions

	ptr     []int64
	store   *matrix.Store
	columns []int64
	entries []entry
	dropped int64
}

// readNPZ reads a matrix that scipy.sparse.save_npz wrote, with the labels of an array y, labels
// or target.
func (c *contents) readNPZ(raw *rawReader, length int64, name string, options *ReadOptions) (*Data, error) {
	var r io.ReaderAt
	if file, ok := raw.r.(io.ReaderAt); ok && length > 0 && c.compression == formatText {
		r = file
	} else {
		b, err := readAll(c.source)
		if memory.IsShort(err) {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err != nil {
			return nil, damaged(name, c.compression, 0, err)
		}
		r, length = bytes.NewReader(b), int64(len(b))
	}
	z := &npz{files: map[string]*zip.File{}, options: options, store: matrix.NewStore(options.Storage.inner())}
	data, err := z.read(raw, r, length)
	if err != nil && raw.ctx.Err() != nil {
		return nil, fmt.Errorf("%s: %w", name, contexts.Err(raw.ctx))
	}
	if err != nil {
		return nil, formatError(name, err)
	}
	return data, nil
}

// readAll reads a stream to its end.
func readAll(r io.Reader) (b []byte, err error) {
	for err == nil {
		if b, err = memory.Grow("the file", b, 1<<16, 0); err == nil {
			var n int
			n, err = r.Read(b[len(b):cap(b)])
			b = b[:len(b)+n]
		}
	}
	if err == io.EOF {
		err = nil
	}
	return b, err
}

// formatError makes a *FormatError of the content of a file, unless memory does not suffice for it.
func formatError(name string, err error) error {
	if memory.IsShort(err) {
		return fmt.Errorf("%s: %w", name, err)
	}
	return &FormatError{Name: name, Message: err.Error()}
}

func (z *npz) read(raw *rawReader, r io.ReaderAt, length int64) (*Data, error) {
	archive, err := zip.NewReader(r, length)
	if err != nil {
		return nil, fmt.Errorf("the zip file is damaged: %w", err)
	}
	for _, file := range archive.File {
		z.files[strings.TrimSuffix(file.Name, ".npy")] = file
	}
	if z.files["xl/workbook.xml"] != nil {
		return nil, errors.New("an Excel workbook: save its sheet as CSV")
	}
	if z.files["format"] == nil || z.files["indptr"] == nil && z.files["row"] == nil {
		return nil, errors.New("a zip file without a matrix of SciPy: unpack it, or write the matrix with scipy.sparse.save_npz")
	}
	format := ""
	if err := z.array("format", func(a *npy) error {
		if !a.isWords() || a.count != 1 {
			return errors.New("a word is expected")
		}
		return a.words(1, nil, func(word []byte) error { format = string(word); return nil })
	}); err != nil {
		return nil, err
	}
	if format != "csr" {
		return nil, fmt.Errorf("the matrix has the format %s, and CSR is expected; in Python: save_npz(FILE, load_npz(FILE).tocsr()), both of scipy.sparse", shorten([]byte(format)))
	}
	var shape []int64
	if err := z.array("shape", func(a *npy) (err error) {
		if a.count != 2 {
			return fmt.Errorf("%d numbers in the place of 2", a.count)
		}
		shape, err = a.whole(nil, 2)
		return err
	}); err != nil {
		return nil, err
	}
	n, d := shape[0], shape[1]
	switch {
	case n == 0:
		return nil, errors.New("the matrix has no rows")
	case n < 0 || d < 0 || d > int64(z.options.MaxColumns):
		return nil, fmt.Errorf("the matrix has %d rows and %d columns; at most %d columns are allowed", n, d, z.options.MaxColumns)
	}
	if err := z.pointers(n); err != nil {
		return nil, err
	}
	if err := z.array("indices", func(indices *npy) error {
		return z.array("data", func(values *npy) error { return z.rows(raw, length, d, indices, values) })
	}); err != nil {
		return nil, err
	}
	columns := z.options.Columns
	if !z.options.DropBeyond {
		columns = max(columns, int(d))
	}
	data := &Data{X: z.store.Matrix(columns), Dropped: z.dropped}
	for _, name := range []string{"y", "labels", "target"} {
		if z.files[name] != nil {
			return data, z.array(name, func(a *npy) (err error) {
				if a.count != uint64(n) {
					return fmt.Errorf("%d labels for %d rows; want a label for each row", a.count, n)
				}
				data.Y, data.LabelNames, err = a.labels(z.options.WordLabels)
				return err
			})
		}
	}
	data.Unlabelled = true
	data.Y, err = memory.Make[float64]("the labels", int(n), 0)
	return data, err
}

// array calls f with an array. f reads all elements.
func (z *npz) array(name string, f func(a *npy) error) error {
	file := z.files[name]
	if file == nil {
		return fmt.Errorf("the array %s is missing", name)
	}
	r, err := file.Open()
	if err != nil {
		return fmt.Errorf("the array %s: %w", name, err)
	}
	defer r.Close()
	a, err := newNPY(r)
	if err == nil {
		if high, low := bits.Mul64(a.count, uint64(a.size)); high > 0 || low > file.UncompressedSize64 {
			err = fmt.Errorf("%d elements of %d bytes, and the archive has %d bytes of them", a.count, a.size, file.UncompressedSize64)
		} else if err = f(a); err == nil {
			err = a.end()
		}
	}
	if err != nil {
		return fmt.Errorf("the array %s: %w", name, err)
	}
	return nil
}

// pointers reads where the rows begin and end.
func (z *npz) pointers(n int64) error {
	return z.array("indptr", func(a *npy) (err error) {
		if a.count != uint64(n)+1 {
			return fmt.Errorf("%d numbers for %d rows", a.count, n)
		}
		if err = memory.Check("the rows", n+1, 8); err == nil {
			z.ptr, err = a.whole(make([]int64, 0, n+1), a.count)
		}
		if err != nil {
			return err
		}
		for i, from := range z.ptr[:n] {
			if from < 0 || i == 0 && from > 0 || z.ptr[i+1] < from {
				return fmt.Errorf("row %d has the entries %d to %d", i, from, z.ptr[i+1])
			}
		}
		return nil
	})
}

// rows reads the entries of all rows.
func (z *npz) rows(raw *rawReader, length, d int64, indices, values *npy) error {
	n := len(z.ptr) - 1
	if nnz := uint64(z.ptr[n]); indices.count != nnz || values.count != nnz || values.isWords() {
		return fmt.Errorf("%d indices and %d numbers for %d entries", indices.count, values.count, nnz)
	}
	var columns []uint32
	var numbers, all []float64
	var lengths []int
	for i := 0; i < n; {
		columns, numbers, lengths = columns[:0], numbers[:0], lengths[:0]
		for ; i < n && max(len(columns), len(lengths)) < npzChunk; i++ {
			count := uint64(z.ptr[i+1] - z.ptr[i])
			var err error
			if z.columns, err = indices.whole(z.columns[:0], count); err == nil {
				all, err = values.floats(all[:0], count)
			}
			if err == nil {
				err = z.row(d, all)
			}
			if err != nil {
				return fmt.Errorf("row %d, from 0: %w", i, err)
			}
			for _, e := range z.entries {
				columns, numbers = append(columns, uint32(e.column)), append(numbers, e.value)
			}
			lengths = append(lengths, len(z.entries))
		}
		if err := raw.ctx.Err(); err != nil {
			return err
		}
		if err := z.store.Add(lengths, columns, numbers, MaxColumns); err != nil {
			return err
		}
		if z.options.Progress != nil {
			z.options.Progress(int64(float64(length)*(float64(i)/float64(n))), int64(i))
		}
	}
	return nil
}

// row leaves the entries of z.columns with their values in z.entries: columns ascend, and equal
// ones are added up, as SciPy means them.
func (z *npz) row(d int64, values []float64) error {
	z.entries = z.entries[:0]
	ascending := true
	for k, j := range z.columns {
		if j < 0 || j >= d {
			return fmt.Errorf("column %d; columns are 0 to %d", j, d-1)
		}
		ascending = ascending && (k == 0 || z.columns[k-1] < j)
		if z.options.DropBeyond && j >= int64(z.options.Columns) {
			z.dropped++
			continue
		}
		z.entries = append(z.entries, entry{int(j), values[k]})
	}
	if ascending {
		return nil
	}
	slices.SortStableFunc(z.entries, func(a, b entry) int { return cmp.Compare(a.column, b.column) })
	b := Builder{options: BuilderOptions{Merge: true}, entries: z.entries}
	err := b.merge()
	z.entries = b.entries
	return err
}
