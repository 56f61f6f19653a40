package table

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/lanes-go/lanes/sparse"
)

// usualPart is how many bytes of text a worker takes at a time.
const usualPart = 1 << 17

// csvPass reads the rows of a CSV file in one pass.
type csvPass struct {
	dialect
	s       *Source
	file    int
	width   int // of the table
	columns []int

	source *textReader
	part   int // bytes
	carry  []byte
	taken  int64 // parts, from the first one with a row on
	err    error // of the source, once it has ended
}

// openCSV is the opener of FormatCSV.
func openCSV(s *Source, head beginning) error {
	if bytes.IndexByte(head.text, '\n') < 0 && bytes.IndexByte(head.text, '\r') >= 0 {
		return &sparse.FormatError{Name: s.files[0].name, Message: "lines end by a carriage return alone, as of old Macs: tr '\\r' '\\n' < FILE > FILE.csv"}
	}
	d, err := s.dialectOf(head)
	if err != nil {
		return err
	}
	if s.names, err = s.namesOf(head, 0, d); err != nil {
		return err
	}
	for k := 1; k < len(s.files) && d.header; k++ {
		other, err := s.beginning(k)
		if err != nil {
			return err
		}
		names, err := s.namesOf(other, k, d)
		if err != nil {
			return err
		}
		if message := differentNames(names, s.names); message != "" {
			return &sparse.FormatError{Name: s.files[k].name, Message: message + ", as " + s.files[0].name + " has it; all files of a table have the same columns"}
		}
	}
	s.lines = true
	s.begin = func(ctx context.Context, file int, columns []int) (format, error) {
		c, err := s.beginLines(ctx, file, columns, d)
		if err != nil {
			return nil, err
		}
		return &c, nil
	}
	return nil
}

// beginLines begins a pass over lines, or over rows of quoted cells.
func (s *Source) beginLines(ctx context.Context, file int, columns []int, d dialect) (csvPass, error) {
	part := s.options.part
	if part == 0 {
		part = usualPart
	}
	source, err := s.text(ctx, file)
	return csvPass{dialect: d, s: s, file: file, width: len(s.names), columns: columns, source: source, part: part}, err
}

// differentNames says where the names of columns differ from those wanted, "" if nowhere.
func differentNames(names, want []string) string {
	for k, name := range names {
		if k >= len(want) {
			return fmt.Sprintf("column %d is %q; want %d columns", k+1, name, len(want))
		}
		if name != want[k] {
			return fmt.Sprintf("column %d is %q; want %q", k+1, name, want[k])
		}
	}
	if len(names) < len(want) {
		return fmt.Sprintf("column %d is missing; want %q", len(names)+1, want[len(names)])
	}
	return ""
}

func (c *csvPass) close() error { return c.source.Close() }

// take gives p whole rows.
func (c *csvPass) take(p *part) error {
	if c.err != nil {
		return c.err
	}
	// A byte more serves the line end that the last line may lack.
	if need := max(c.part, len(c.carry)) + 1 + pad; len(p.text) < need {
		p.text = make([]byte, need)
	}
	n := copy(p.text, c.carry)
	ends := rowEnds{separator: c.separator, quotes: c.quotes}
	most := c.s.mostRow()
	for ends.cut == 0 && c.err == nil {
		if n > most {
			c.err = c.tooLong(p.text[:n], &ends)
			return c.err
		}
		if n+1+pad >= len(p.text) {
			p.text = append(p.text, make([]byte, min(len(p.text), most+2-n)+pad)...)
		}
		m, err := readFull(c.source, p.text[n:len(p.text)-1-pad])
		n += m
		if c.err = c.s.readTrouble(c.file, err); err == io.EOF && n > 0 && p.text[n-1] != '\n' {
			p.text[n] = '\n'
			n++
		}
		ends.find(p.text[:n])
	}
	if c.err == io.EOF {
		ends.cut = n // what is open stays open
	}
	c.carry = append(c.carry[:0], p.text[ends.cut:n]...)
	if p.end = ends.cut; c.err != nil && p.end == 0 {
		return c.err
	}
	p.first = c.taken
	if c.taken > 0 || !emptyLines(p.text[:p.end]) {
		c.taken++ // the first part has the header
	}
	return nil
}

// emptyLines tells whether text has no row.
func emptyLines(text []byte) bool {
	for len(text) > 0 && (text[0] == '\n' || text[0] == '\r' && len(text) > 1 && text[1] == '\n') {
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	return len(text) == 0
}

// tooLong is the error of a row that is too long, with which text begins.
func (c *csvPass) tooLong(text []byte, ends *rowEnds) error {
	bad := &badRow{message: fmt.Sprintf("the row is longer than %d bytes, the most that a row may have: are the ends of lines missing?", c.s.mostRow())}
	if ends.inside {
		bad.place, bad.at = placeOf(text, ends.opened)
		bad.message = fmt.Sprintf("the quote is not closed within %d bytes, the most that a row may have: close it, or read quotes as ordinary characters by --quotes=false (Options.Quotes)", c.s.mostRow())
	}
	return bad
}

// placeOf returns the line of a byte of text, from 0, and its place in the line, from 1.
func placeOf(text []byte, at int) (line uint32, byteOfLine int) {
	return uint32(bytes.Count(text[:at], []byte("\n"))), at - bytes.LastIndexByte(text[:at], '\n')
}

// rowEnds finds the last end of a row. A quote opens quoted text only at the beginning of a
// cell; a doubled quote does not close it.
type rowEnds struct {
	separator byte
	quotes    bool

	at     int  // what is before is known
	inside bool // at is inside of quotes
	opened int  // place of the quote
	cut    int  // behind the last line end outside of quotes
}

// find goes on to the end of text, which begins as it did before.
func (r *rowEnds) find(text []byte) {
	if !r.quotes {
		if k := bytes.LastIndexByte(text[r.at:], '\n'); k >= 0 {
			r.cut = r.at + k + 1
		}
		r.at = len(text)
		return
	}
	for r.at < len(text) {
		quote := bytes.IndexByte(text[r.at:], '"')
		end := r.at + quote
		if quote < 0 {
			end = len(text)
		}
		if !r.inside {
			if k := bytes.LastIndexByte(text[r.at:end], '\n'); k >= 0 {
				r.cut = r.at + k + 1
			}
			if r.at = end; quote >= 0 {
				r.inside = end == 0 || text[end-1] == '\n' || text[end-1] == r.separator
				r.opened = end
				r.at++
			}
			continue
		}
		switch {
		case quote < 0:
			r.at = end
		case end+1 == len(text):
			r.at = end // the next byte says whether it closes
			return
		case text[end+1] == '"':
			r.at = end + 2
		default:
			r.inside = false
			r.at = end + 1
		}
	}
}

// cells cuts the rows of p. Empty lines are no rows. The text of quoted cells is unescaped in
// place.
func (c *csvPass) cells(p *part, b *block) error {
	cut := cutter{csvPass: c, block: b, text: p.text, end: p.end}
	clear(p.text[p.end : p.end+pad])
	quoted := c.quotes && bytes.IndexByte(p.text[:p.end], '"') >= 0
	third := byte('\n')
	if quoted {
		third = '"'
	}
	ascii := true
	p.marks, ascii = markBytes(p.marks[:0], p.text[:p.end+pad], p.end, c.separator, '\n', third)
	cut.marks = p.marks
	b.text, b.comma = p.text, c.comma
	cut.skip = c.header && p.first == 0
	cut.odd = bytes.IndexByte(p.text[:p.end], 0) >= 0 || !ascii && !utf8.Valid(p.text[:p.end])
	if quoted {
		cut.quotedRows()
	} else {
		cut.rows()
	}
	p.places = int64(cut.line)
	return nil
}
