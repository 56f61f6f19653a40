package parquet

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go/format"

	"github.com/lanes-go/lanes/internal/base/memory"
)

const (
	// maxPageRows bounds the rows of a page: a few bytes may stand for any number of equal values.
	maxPageRows = 1 << 25
	// maxHeader bounds the header of a page, which may hold a least and a greatest value.
	maxHeader = 16 << 20
	// Rows are taken by about takeText bytes of text, and by takeRows at most.
	takeText = 8 << 20
	takeRows = 1 << 13
	// oldDictionary is the encoding that writers before version 2 of the format name for pages
	// with places in a dictionary, PLAIN_DICTIONARY.
	oldDictionary format.Encoding = 2
	// maxText bounds the text of rows that are taken at once: short pages may repeat a long word.
	maxText = 1 << 28
)

// Scan is a pass over the rows of a file. It serves one goroutine at a time; the Rows that it
// hands out serve others meanwhile.
type Scan struct {
	f       *File
	cursors []cursor
	group   int   // of the rows that come next
	row     int64 // in the group
	most    int64 // rows that are taken at once
}

// cursor is where a pass stands in a column.
type cursor struct {
	*column
	codec      format.CompressionCodec
	at, end    int64 // bytes of the chunk that come next
	rows       int64 // of the pages that were read, in the group
	pages      []*page
	dictionary *page
	number     int // of the page that comes next
}

// Rows are rows of one row group, with the pages that hold them.
type Rows struct {
	first, last int64 // in the group
	columns     []span
}

// span are the pages of a column that hold some rows.
type span struct {
	*column
	pages []*page
}

// Scan begins a pass over columns, by their places in Names. A column that cannot be read is an
// error. At most rows are taken at once; 0 means the usual number.
func (f *File) Scan(columns []int, rows int) (*Scan, error) {
	s := &Scan{f: f, cursors: make([]cursor, len(columns)), group: -1, most: takeRows}
	if rows > 0 {
		s.most = int64(rows)
	}
	for k, place := range columns {
		c := &f.columns[place]
		if c.refused != "" {
			return nil, fmt.Errorf("column %q cannot be read: %s; write its values as columns of their own, or ignore it", c.name, c.refused)
		}
		s.cursors[k].column = c
	}
	return s, nil
}

// Take fills r with the next rows, and returns their number; io.EOF behind the last ones. It
// reads pages and leaves their decoding to Rows.Append.
func (s *Scan) Take(r *Rows) (int, error) {
	for s.group < 0 || s.row == s.f.groups[s.group].Rows {
		if s.group++; s.group == len(s.f.groups) {
			s.group--
			return 0, io.EOF
		}
		s.row = 0
		for k := range s.cursors {
			if s.f.groups[s.group].Rows == 0 {
				break
			}
			if err := s.cursors[k].begin(s.f, s.group); err != nil {
				return 0, s.wrap(&s.cursors[k], err)
			}
		}
	}
	left := s.f.groups[s.group].Rows - s.row
	n := min(left, s.most)
	for pass := range 2 { // the first one finds how long rows are
		perRow, decoded := 1.0, int64(0)
		for k := range s.cursors {
			c := &s.cursors[k]
			rows := n
			if pass == 0 {
				rows = 1
			}
			for c.rows < s.row+rows {
				if err := c.next(s.f); err != nil {
					return 0, s.wrap(c, err)
				}
				if total := s.f.groups[s.group].Rows; c.rows > total {
					return 0, s.wrap(c, fmt.Errorf("the pages have %d rows or more, and the row group has %d", c.rows, total))
				}
				decoded += c.pages[len(c.pages)-1].memory()
			}
			c.pages = slices.DeleteFunc(c.pages, func(p *page) bool { return p.last <= s.row })
			perRow += c.pages[0].perRow()
		}
		if decoded > takeText {
			if free, known := memory.Available(); known && decoded > free/2 {
				return 0, fmt.Errorf("row group %d: pages need %s of memory, more than half of what is free", s.group+1, memory.Text(decoded))
			}
		}
		if pass == 0 {
			n = min(n, max(1, int64(takeText/perRow)))
		}
	}
	r.first, r.last = s.row, s.row+n
	r.columns = r.columns[:0]
	for k := range s.cursors {
		c := &s.cursors[k]
		end := len(c.pages)
		for c.pages[end-1].first >= r.last {
			end--
		}
		r.columns = append(r.columns, span{c.column, slices.Clone(c.pages[:end])})
	}
	s.row += n
	return int(n), nil
}

func (s *Scan) wrap(c *cursor, err error) error {
	return fmt.Errorf("column %q, row group %d, page %d: %w", c.name, s.group+1, c.number+1, err)
}

// begin goes to the chunk of a row group.
func (c *cursor) begin(f *File, group int) error {
	chunk := &f.groups[group].Chunks[c.leaf]
	meta := &chunk.Meta
	*c = cursor{column: c.column, codec: meta.Codec}
	switch {
	case chunk.Crypto != nil:
		return errors.New("the column is encrypted: write it without encryption")
	case chunk.Path != "":
		return fmt.Errorf("the data are in another file, %q", chunk.Path)
	case meta.Type != c.physical:
		return fmt.Errorf("values of type %s in a column of type %s", meta.Type, c.physical)
	}
	c.at = meta.Data
	if meta.Dictionary > 0 && meta.Dictionary < c.at {
		c.at = meta.Dictionary
	}
	if c.at < int64(len(Magic)) || meta.Compressed < 0 || meta.Compressed > f.size-c.at {
		return fmt.Errorf("the data, %d bytes from %d on, are not in the file of %d bytes", meta.Compressed, c.at, f.size)
	}
	c.end = c.at + meta.Compressed
	return nil
}

// next reads pages up to one with rows.
func (c *cursor) next(f *File) error {
	for {
		if c.at >= c.end {
			return fmt.Errorf("the pages end after %d rows, before those of the row group: %w", c.rows, io.ErrUnexpectedEOF)
		}
		header, err := c.header(f)
		if err != nil {
			return err
		}
		p := &page{column: c.column, codec: c.codec, header: header, number: c.number}
		if header.Compressed < 0 || header.Size < 0 || int64(header.Compressed) > c.end-c.at {
			return fmt.Errorf("the page claims %d bytes, and the column has %d left", header.Compressed, c.end-c.at)
		}
		kind := header.Type
		if kind != format.IndexPage {
			p.raw = make([]byte, header.Compressed)
			if _, err := f.r.ReadAt(p.raw, c.at); err != nil {
				return err
			}
		}
		c.at += int64(header.Compressed)
		c.number++
		switch {
		case kind == format.DictionaryPage && header.Dictionary.Valid && c.dictionary == nil && len(c.pages) == 0:
			p.values = int(header.Dictionary.V.NumValues)
			c.dictionary = p
		case kind == format.DataPage && header.V1.Valid:
			p.values, p.encoding = int(header.V1.V.NumValues), header.V1.V.Encoding
		case kind == format.DataPageV2 && header.V2.Valid:
			p.values, p.encoding = int(header.V2.V.NumValues), header.V2.V.Encoding
		case kind == format.IndexPage:
			continue
		default:
			return fmt.Errorf("a page of kind %s at this place", kind)
		}
		if p.values < 0 || p.values > maxPageRows {
			return fmt.Errorf("a page of %d values; a page may have %d", p.values, maxPageRows)
		}
		if p == c.dictionary || p.values == 0 {
			continue
		}
		if p.encoding == oldDictionary || p.encoding == format.RLEDictionary {
			if p.dictionary = c.dictionary; p.dictionary == nil {
				return errors.New("the dictionary is missing")
			}
		}
		p.first, p.last = c.rows, c.rows+int64(p.values)
		c.rows = p.last
		c.pages = append(c.pages, p)
		return nil
	}
}

// header reads the header of the page at c.at and goes behind it.
func (c *cursor) header(f *File) (*pageHeader, error) {
	for window := int64(256); ; window *= 8 {
		b := make([]byte, min(window, maxHeader, c.end-c.at))
		if _, err := f.r.ReadAt(b, c.at); err != nil {
			return nil, err
		}
		header := new(pageHeader)
		n, err := decode(b, header)
		if errors.Is(err, io.ErrUnexpectedEOF) && window < min(maxHeader, c.end-c.at) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("the header of a page: %w", err)
		}
		c.at += int64(n)
		return header, nil
	}
}

// Append appends the text of the cells, and fills at with their places: cell k of row i, with width
// columns, is text[at[2*j]:at[2*j+1]] with j = i*width+k. Cells without a value are empty. Several
// goroutines may call it at once, with Rows that share pages.
func (r *Rows) Append(text []byte, at []uint32) ([]byte, []uint32, error) {
	width, rows := len(r.columns), int(r.last-r.first)
	at = slices.Grow(at[:0], 2*rows*width)[:2*rows*width]
	for k := range r.columns {
		c := &r.columns[k]
		j := 2 * k
		for _, p := range c.pages {
			err := p.decode()
			if err == nil {
				from, to := max(r.first, p.first)-p.first, min(r.last, p.last)-p.first
				text, err = p.append(text, at[j:], 2*width, int(from), int(to))
				j += 2 * width * int(to-from)
			}
			if err != nil {
				return text, at, fmt.Errorf("column %q, page %d of its row group: %w", c.name, p.number+1, err)
			}
		}
	}
	return text, at, nil
}
