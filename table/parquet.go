package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"unicode/utf8"

	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/internal/parquet"
	"github.com/lanes-go/lanes/sparse"
)

// openParquet is the opener of FormatParquet.
func openParquet(s *Source, _ beginning) error {
	s.begin, s.nested = s.beginParquet, map[string]string{}
	for k := range s.files {
		file, inside, err := s.parquetFile(context.Background(), k)
		if err != nil {
			return err
		}
		names := inside.Names()
		if k == 0 {
			s.names = names
		}
		order, err := s.orderOf(k, 0, names)
		s.noteOrder(k, order)
		if err == nil && len(names) > s.mostColumns() {
			err = s.tooWide(k)
		}
		if err = errors.Join(err, file.Close()); err != nil {
			return err
		}
		for j, name := range names {
			if why := inside.Refused(j); why != "" {
				s.nested[name] = why
			}
		}
	}
	return nil
}

// parquetFile opens a file of the source as Parquet and reads its footer.
func (s *Source) parquetFile(ctx context.Context, number int) (file randomFile, inside *parquet.File, err error) {
	file, size, err := s.files[number].random(ctx)
	if err != nil {
		return nil, nil, s.readTrouble(number, err)
	}
	err = parquetSafely(s.files[number].name, func() (err error) {
		inside, err = parquet.Open(countedReader{file, &s.read}, size)
		return err
	})
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, inside, nil
}

// beginParquet is Source.begin for Parquet.
func (s *Source) beginParquet(ctx context.Context, number int, columns []int) (format, error) {
	name := s.files[number].name
	file, inside, err := s.parquetFile(ctx, number)
	if err != nil {
		return nil, err
	}
	p := &parquetPass{name: name, file: file}
	order, err := s.orderOf(number, 0, inside.Names())
	if err == nil {
		places := slices.Clone(columns)
		for j, k := range columns {
			if order != nil {
				places[j] = order[k]
			}
			p.names = append(p.names, s.names[k])
			p.plain = append(p.plain, inside.Plain(places[j]))
		}
		err = parquetSafely(name, func() (err error) {
			p.scan, err = inside.Scan(places, s.options.part)
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
	name  string
	names []string // of the columns that are read
	plain []bool   // their values are no text
	file  randomFile
	scan  *parquet.Scan
	rows  int64 // that were taken
}

func (p *parquetPass) take(t *part) error {
	return parquetSafely(p.name, func() error {
		n, err := p.scan.Take(&t.pages)
		t.first, t.last, t.places = p.rows, p.rows+int64(n), int64(n)
		p.rows = t.last
		return err
	})
}

func (p *parquetPass) cells(t *part, b *block) error {
	return parquetSafely(p.name, func() (err error) {
		if b.text, b.at, err = t.pages.Append(b.text[:0], b.at); err != nil {
			return err
		}
		b.text = append(b.text, make([]byte, pad)...)
		b.rows, b.step = int(t.places), 0
		b.plain = append(b.plain, p.plain...)
		for i := range b.rows {
			b.places = append(b.places, uint32(i))
		}
		p.refuse(b)
		return nil
	})
}

// refuse takes rows out of a block that have cells that are no text.
func (p *parquetPass) refuse(b *block) {
	if isASCII(b.text) {
		return
	}
	kept := 0
	for i := range b.rows {
		wrong := -1
		for k := 0; k < b.width && wrong < 0; k++ {
			if !utf8.Valid(b.cell(i, k)) {
				wrong = k
			}
		}
		if wrong >= 0 {
			b.fail(i, fmt.Sprintf("column %q: %s is binary, not text in UTF-8: leave the column out by --ignore (Wanted.Ignored)", p.names[wrong], quoted(b.cell(i, wrong))))
			continue
		}
		copy(b.at[2*kept*b.width:], b.at[2*i*b.width:2*(i+1)*b.width])
		b.places[kept] = b.places[i]
		kept++
	}
	b.rows, b.at, b.places = kept, b.at[:2*kept*b.width], b.places[:kept]
}

func (p *parquetPass) close() error { return p.file.Close() }

// parquetSafely calls f and says which file its error is about. A panic on what a file holds is an
// error, too.
func parquetSafely(name string, f func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &sparse.FormatError{Name: name, Message: fmt.Sprintf("the Parquet file is damaged: %v", value)}
		} else if err != nil && err != io.EOF && !memory.IsShort(err) {
			err = &sparse.FormatError{Name: name, Message: err.Error()}
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
