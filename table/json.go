package table

import (
	"bytes"
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/lanes-go/lanes/sparse"
)

const (
	// blockCells bounds the cells of a block, which outnumber the values of lines with few keys.
	blockCells = 1 << 22
)

// openJSON is the opener of FormatJSON. The columns are the keys of all lines, in the order in
// which they first appear: it reads the files once.
func openJSON(s *Source, head beginning) error {
	s.lines = true
	for k := range s.files {
		if k > 0 {
			var err error
			if head, err = s.beginning(k); err != nil {
				return err
			}
		}
		many := manyLines(head.text)
		s.manyLines = append(s.manyLines, many)
		s.lines = s.lines && !many
	}
	s.begin = func(ctx context.Context, file int, columns []int) (format, error) {
		return s.beginJSON(ctx, file, columns, true)
	}
	var names []string
	keys := map[string]bool{}
	progress := s.options.Progress // counts rows, not keys
	s.options.Progress = nil
	_, err := scan(context.Background(), s, []int{0}, func(*struct{}, *block) error { return nil }, func(_ *struct{}, b *block) error {
		for i := range b.rows {
			if key := string(b.cell(i, 0)); !keys[key] {
				keys[key] = true
				names = append(names, key)
			}
		}
		if len(keys) > s.mostColumns() {
			return fmt.Errorf("%s: the lines have more than %d different keys; write keys as values, as in {\"key\":\"a\",\"value\":1}, or allow more by --max-columns (Options.MaxColumns)", s.files[0].name, s.mostColumns())
		}
		return nil
	})
	s.options.Progress = progress
	if err != nil {
		return err
	}
	s.names = names
	s.begin = func(ctx context.Context, file int, columns []int) (format, error) {
		return s.beginJSON(ctx, file, columns, false)
	}
	if len(s.names) == 0 {
		// Perhaps a line is malformed.
		if _, err := scan(context.Background(), s, nil, func(*struct{}, *block) error { return nil }, nil); err != nil {
			return err
		}
		return &sparse.FormatError{Name: s.files[0].name, Message: "no line has a key and a value"}
	}
	return nil
}

// jsonPass reads the rows of a file of JSON lines in one pass.
type jsonPass struct {
	csvPass
	// wanted has the place in a row of the block of each key of the table, -1 for keys that are
	// not wanted.
	wanted map[string]int
	// keys says that a block has the keys of the lines in the place of rows: each key once.
	keys bool
}

// beginJSON begins a pass over columns, or over the keys.
func (s *Source) beginJSON(ctx context.Context, file int, columns []int, keys bool) (format, error) {
	lines, err := s.beginLines(ctx, file, columns, dialect{})
	if err != nil {
		return nil, err
	}
	if s.manyLines[file] {
		lines.source.Reader = &objectReader{r: lines.source.Reader}
	}
	const shortest = 3 // bytes of a line, {} and its end
	lines.part = min(lines.part, max(1, shortest*blockCells/max(1, len(columns))))
	j := &jsonPass{csvPass: lines, keys: keys, wanted: make(map[string]int, len(s.names))}
	for _, name := range s.names {
		j.wanted[name] = -1
	}
	for k, place := range columns {
		if !keys && place < len(s.names) {
			j.wanted[s.names[place]] = k
		}
	}
	return j, nil
}

// cells cuts the lines of p. Empty lines are no rows.
func (j *jsonPass) cells(p *part, b *block) error {
	c := jsonCutter{jsonPass: j, block: b}
	b.text = p.text
	valid := utf8.Valid(p.text[:p.end])
	var line uint32
	for begin := 0; begin < p.end; line++ {
		end := begin + bytes.IndexByte(p.text[begin:p.end], '\n') + 1
		l := jsonLine{text: p.text[begin:]}
		at := -1
		if !valid {
			at = firstInvalid(p.text[begin:end])
		}
		switch {
		case l.blank() == '\n':
		case at >= 0 && j.keys:
		case at >= 0:
			b.bad = append(b.bad, badRow{place: line, at: at + 1, message: j.s.wrongBytes(p.text[begin:end], at)})
		case j.keys:
			c.names(&l)
		default:
			c.row(&l, begin, line)
		}
		begin = end
	}
	p.places = int64(line)
	return nil
}

// jsonCutter cuts lines into the cells of a block.
type jsonCutter struct {
	*jsonPass
	block *block
	order []knownKey // keys of the line before, which most lines repeat
	seen  map[string]bool
	once  map[string]bool // keys of the line, if they are not the keys of the line before
}

// knownKey is a key with its place in a row.
type knownKey struct {
	name  string
	place int
}

// row adds the row of a line that begins at a place of the text.
func (c *jsonCutter) row(l *jsonLine, begin int, line uint32) {
	b := c.block
	n := len(b.at)
	b.at = append(b.at, make([]uint32, 2*b.width)...)
	b.plain = append(b.plain, make([]bool, b.width)...)
	repeats := true
	i := 0
	for ; l.next(); i++ {
		key := l.name()
		if i == len(c.order) {
			c.order = append(c.order, knownKey{place: -2})
		}
		known := &c.order[i]
		if known.name != string(key) || known.place == -2 {
			if repeats {
				repeats = false
				c.once = map[string]bool{}
				for _, before := range c.order[:i] {
					c.once[before.name] = true
				}
			}
			place, ok := c.wanted[string(key)]
			if !ok {
				l.fail(l.key[0], "key %s was not there when the file was opened", quoted(key))
				break
			}
			*known = knownKey{string(key), place}
		}
		if !repeats {
			if c.once[known.name] {
				l.fail(l.key[0], "the object has the key %s twice", quoted(key))
				break
			}
			c.once[known.name] = true
		}
		switch {
		case known.place < 0:
		case l.nested:
			b.nest(known.place, line, l.text[l.value[0]:l.value[1]])
		default:
			b.at[n+2*known.place], b.at[n+2*known.place+1] = uint32(begin+l.value[0]), uint32(begin+l.value[1])
			b.plain[n/2+known.place] = l.value[1] > 0 && l.text[l.value[0]-1] != '"'
		}
	}
	if l.trouble != "" {
		b.at, b.plain, c.order = b.at[:n], b.plain[:n/2], c.order[:0]
		b.bad = append(b.bad, badRow{place: line, at: l.at + 1, message: l.trouble})
		return
	}
	b.places = append(b.places, line)
	b.rows++
}

// names adds the keys of a line that the part did not have before. Lines that are malformed are
// for the passes over the rows.
func (c *jsonCutter) names(l *jsonLine) {
	if c.seen == nil {
		c.seen = map[string]bool{}
		c.block.text = nil // the text of names, which need not stand in the file
	}
	b := c.block
	for i := 0; l.next(); i++ {
		key := l.name()
		if i < len(c.order) && c.order[i].name == string(key) {
			continue
		}
		name := string(key)
		if i >= len(c.order) {
			c.order = append(c.order, knownKey{})
		}
		c.order[i].name = name
		if c.seen[name] {
			continue
		}
		c.seen[name] = true
		from := len(b.text)
		b.text = append(b.text, name...)
		b.at = append(b.at, uint32(from), uint32(len(b.text)))
		b.places = append(b.places, 0)
		b.rows++
	}
}
