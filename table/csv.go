package table

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/sparse"
)

// usualPart is how many bytes of text a worker takes at a time.
const usualPart = 1 << 17

// csvPass reads the rows of a CSV file in one pass.
type csvPass struct {
	dialect
	s       *Source
	file    int
	columns []int // places among the cells of a row

	source *textReader
	part   int // bytes
	carry  []byte
	taken  int64  // parts
	before uint32 // lines before the next part that no part has
	err    error  // of the source, once it has ended
}

// openCSV is the opener of FormatCSV.
func openCSV(s *Source, head beginning) error {
	dialects := make([]dialect, len(s.files))
	base := -1 // the first file with rows
	for k := range s.files {
		if k > 0 {
			var err error
			if head, err = s.beginning(k); err != nil {
				return err
			}
		}
		if bytes.IndexByte(head.text, '\n') < 0 && bytes.IndexByte(head.text, '\r') >= 0 {
			return &sparse.FormatError{Name: s.files[k].name, Message: "lines end by a carriage return alone, as of old Macs: tr '\\r' '\\n' < FILE > FILE.csv"}
		}
		d, names, err := s.dialectOf(k, &head)
		switch {
		case err != nil:
			return err
		case names == nil:
		case base < 0:
			s.names, base = names, k
		default:
			if err := s.joins(k, &d, &dialects[base], base, names); err != nil {
				return err
			}
		}
		dialects[k] = d
	}
	if base < 0 {
		return &sparse.FormatError{Name: s.files[0].name, Message: "there are no rows"}
	}
	s.lines, s.separator, s.comma = true, dialects[base].separator, dialects[base].comma
	s.begin = func(ctx context.Context, file int, columns []int) (format, error) {
		c, err := s.beginLines(ctx, file, columns, dialects[file])
		if err != nil {
			return nil, err
		}
		return &c, nil
	}
	return nil
}

// joins puts the columns of file k into the order of the source, whose names file base has, or says
// why it cannot.
func (s *Source) joins(k int, d, first *dialect, base int, names []string) error {
	wrong := func(format string, arguments ...any) error {
		return &sparse.FormatError{Name: s.files[k].name, Message: fmt.Sprintf(format, arguments...)}
	}
	switch {
	case !d.marks:
	case !first.marks:
		first.comma, first.marks = d.comma, true
	case d.comma != first.comma:
		return wrong("the decimal mark is not that of %s: a table has decimal commas or points in all files", s.files[base].name)
	}
	if d.header && first.header {
		order, err := s.orderOf(k, base, names)
		if order != nil && (d.repeated || first.repeated) {
			return wrong("the columns are in another order than those of %s, and some share a name: give every column a name of its own", s.files[base].name)
		}
		d.order = order
		s.noteOrder(k, order)
		return err
	}
	switch {
	case len(names) != len(s.names):
		return wrong("the rows have %d cells, and %s has %d columns; all files of a table have the same columns", len(names), s.files[base].name, len(s.names))
	case d.header:
		return wrong("the first row names the columns, and %s has no such row: name the columns there, or leave the row out by --no-header (Options.Header)", s.files[base].name)
	case first.header:
		s.noteFile(notes.Header, k, "has no row with the names of the columns, which are taken by their places", "")
	}
	return nil
}

// beginLines begins a pass over lines, or over rows of quoted cells.
func (s *Source) beginLines(ctx context.Context, file int, columns []int, d dialect) (csvPass, error) {
	part := s.options.part
	if part == 0 {
		part = usualPart
	}
	c := csvPass{dialect: d, s: s, file: file, part: part}
	for _, k := range columns {
		c.columns = append(c.columns, d.place(k))
	}
	var err error
	if c.source, err = s.text(ctx, file); err != nil {
		return c, err
	}
	if d.blanks {
		c.source.Reader = &blankReader{r: c.source.Reader, quotes: d.quotes}
	}
	lead := make([]byte, d.lead)
	if n, err := readFull(c.source, lead); n < d.lead {
		c.source.Close()
		return c, s.readTrouble(file, err)
	}
	c.before = uint32(bytes.Count(lead, []byte("\n")))
	return c, nil
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
	ends := rowEnds{dialect: &c.dialect}
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
	p.before, c.before = c.before, 0
	p.first = c.taken // 0 for the part that begins with the header
	c.taken++
	return nil
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
	*dialect

	at     int  // what is before is known
	inside bool // at is inside of quotes
	opened int  // place of the quote
	row    int  // 1 + the beginning of the last line that begins with # and is a row
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
			if r.at = end; quote < 0 {
				continue
			}
			if r.comments && text[r.cut] == '#' && r.row != r.cut+1 {
				line := bytes.IndexByte(text[end:], '\n')
				if line < 0 {
					return // the rest of the line says whether it is a comment
				}
				if d := r.dialect; d.isComment(text[r.cut : end+line]) {
					r.at = end + line
					continue
				}
				r.row = r.cut + 1
			}
			r.inside = r.opens(text, end)
			r.opened = end
			r.at++
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

// opens tells whether the quote at a place opens quoted text: it stands at the beginning of a cell,
// behind blanks at most.
func (r *rowEnds) opens(text []byte, at int) bool {
	from := at
	for from > r.cut && r.isBlank(text[from-1]) {
		from--
	}
	return from == r.cut || text[from-1] == r.separator
}

// isComment tells whether a line that begins with # lacks the cells of a row.
func (d *dialect) isComment(line []byte) bool {
	return bytes.Count(line, []byte{d.separator})+1 != d.width
}

// cells cuts the rows of p. Empty lines are no rows. The text of quoted cells is unescaped in
// place.
func (c *csvPass) cells(p *part, b *block) error {
	cut := cutter{csvPass: c, block: b, text: p.text, end: p.end, line: p.before}
	clear(p.text[p.end : p.end+pad])
	quoted := c.quotes && bytes.IndexByte(p.text[:p.end], '"') >= 0
	third := byte('\n')
	if quoted {
		third = '"'
	}
	ascii := true
	p.marks, ascii = markBytes(p.marks[:0], p.text[:p.end+pad], p.end, c.separator, '\n', third)
	cut.marks = p.marks
	b.text = p.text
	cut.skip = c.header && p.first == 0
	cut.trims = bytes.IndexByte(p.text[:p.end], ' ') >= 0 || c.separator != '\t' && bytes.IndexByte(p.text[:p.end], '\t') >= 0
	cut.odd = bytes.IndexByte(p.text[:p.end], 0) >= 0 || !ascii && !utf8.Valid(p.text[:p.end])
	if quoted {
		cut.quotedRows()
	} else {
		cut.rows()
	}
	p.places = int64(cut.line)
	return nil
}
