package table

import (
	"fmt"
	"io"
	"os"
	"slices"
	"sync/atomic"

	"github.com/lanes-go/lanes/internal/parquet"
	"github.com/lanes-go/lanes/sparse"
)

// parquetFile opens the Parquet file at path and reads its footer.
func parquetFile(path string, read *atomic.Int64) (file *os.File, inside *parquet.File, err error) {
	if file, err = os.Open(path); err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = parquetSafely(path, func() (err error) {
			inside, err = parquet.Open(countedReader{file, read}, info.Size())
			return err
		})
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, inside, nil
}

// parquetNames returns the names of the columns of the Parquet file at path.
func parquetNames(path string, read *atomic.Int64) ([]string, error) {
	file, inside, err := parquetFile(path, read)
	if err != nil {
		return nil, err
	}
	return inside.Names(), file.Close()
}

// beginParquet is Source.begin for Parquet.
func (s *Source) beginParquet(number int, columns []int) (format, error) {
	path := s.paths[number]
	file, inside, err := parquetFile(path, &s.read)
	if err != nil {
		return nil, err
	}
	p := &parquetPass{path: path, file: file}
	if !slices.Equal(inside.Names(), s.names) {
		err = &sparse.FormatError{Name: path, Message: fmt.Sprintf("the columns differ from the columns of %s", s.paths[0])}
	} else {
		err = parquetSafely(path, func() (err error) {
			p.scan, err = inside.Scan(columns, s.options.part)
			return err
		})
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return p, nil
}

// parquetPass is a pass over a Parquet file.
type parquetPass struct {
	path string
	file *os.File
	scan *parquet.Scan
	rows int64 // that were taken
}

func (p *parquetPass) take(t *part) error {
	return parquetSafely(p.path, func() error {
		n, err := p.scan.Take(&t.pages)
		t.first, t.last, t.places = p.rows, p.rows+int64(n), int64(n)
		p.rows = t.last
		return err
	})
}

func (p *parquetPass) cells(t *part, b *block) error {
	return parquetSafely(p.path, func() (err error) {
		if b.text, b.at, err = t.pages.Append(b.text[:0], b.at); err != nil {
			return err
		}
		b.text = append(b.text, make([]byte, pad)...)
		b.rows = int(t.places)
		for i := range b.rows {
			b.places = append(b.places, uint32(i))
		}
		return nil
	})
}

func (p *parquetPass) close() error { return p.file.Close() }

// parquetSafely calls f and says which file its error is about. A panic on what a file holds is an
// error, too.
func parquetSafely(path string, f func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &sparse.FormatError{Name: path, Message: fmt.Sprintf("the Parquet file is damaged: %v", value)}
		} else if err != nil && err != io.EOF {
			err = &sparse.FormatError{Name: path, Message: err.Error()}
		}
	}()
	return f()
}

// countedReader adds the bytes that are read to n.
type countedReader struct {
	io.ReaderAt
	n *atomic.Int64
}

func (c countedReader) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(b, at)
	c.n.Add(int64(n))
	return n, err
}
