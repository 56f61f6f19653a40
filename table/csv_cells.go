package table

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
)

// cutter cuts the rows of a part of a CSV file into the cells of a block.
type cutter struct {
	*csvPass
	block *block
	text  []byte
	end   int
	marks []uint32 // separators, line ends and, where cells are quoted, quotes
	line  uint32   // of the row, from 0
	skip  bool     // the next row is the header
	odd   bool     // some bytes are NUL, or not UTF-8
	trims bool     // there are blanks, which may stand at the ends of cells
	spans []span   // cells of a quoted row
}

// span is a cell in the text.
type span struct {
	from, end uint32
	quoted    bool
	escaped   bool // some quotes are doubled
}

// rows cuts rows without quotes.
func (c *cutter) rows() {
	text, marks, b := c.text, c.marks, c.block
	last, n := c.width-1, 0
	for begin, m := uint32(0), 0; m < len(marks); c.line++ {
		// Marks from m on belong to the row, up to the line end at mark e.
		e := m
		for text[marks[e]] != '\n' {
			e++
		}
		end := marks[e]
		next, row := end+1, m
		m = e + 1
		if end > begin && text[end-1] == '\r' {
			end--
		}
		switch {
		case end == begin || c.trims && e == row && c.allBlank(begin, end):
		case c.skip:
			c.skip = false
		case e-row != last && c.comments && text[begin] == '#':
			b.hashes[hashComment].add(nil, 1, int64(c.line))
		case e-row != last:
			c.bad(c.line, 0, c.wrongWidth(e-row+1))
		case c.odd && c.hasOdd(begin, end):
		default:
			if n+2*len(c.columns) > len(b.at) {
				b.at = slices.Grow(b.at[:n], max(len(b.at), 2*len(c.columns)))
				b.at = b.at[:cap(b.at)]
			}
			at := b.at[n : n+2*len(c.columns)]
			for k, j := range c.columns {
				from, to := begin, end
				if j > 0 {
					from = marks[row+j-1] + 1
				}
				if j < last {
					to = marks[row+j]
				}
				if c.trims {
					from, to = c.trim(from, to)
				}
				at[2*k], at[2*k+1] = from, to
			}
			if c.comments && text[begin] == '#' {
				b.hashes[hashRow].add(nil, 1, int64(c.line))
			}
			n += len(at)
			b.places = append(b.places, c.line)
			b.rows++
		}
		begin = next
	}
	b.at = b.at[:n]
}

// trim leaves out blanks at the ends of a cell.
func (c *cutter) trim(from, to uint32) (uint32, uint32) {
	for from < to && c.isBlank(c.text[from]) {
		from++
	}
	for to > from && c.isBlank(c.text[to-1]) {
		to--
	}
	return from, to
}

// allBlank tells whether text is blanks alone.
func (c *cutter) allBlank(from, to uint32) bool {
	from, to = c.trim(from, to)
	return from == to
}

func (c *cutter) wrongWidth(cells int) string {
	return fmt.Sprintf("the row has %d cells, and the table has %d columns", cells, c.width)
}

func (c *cutter) bad(line uint32, at int, message string) {
	c.block.bad = append(c.block.bad, badRow{place: line, at: at, message: message})
}

// hasOdd refuses a row with bytes that no text has.
func (c *cutter) hasOdd(begin, end uint32) bool {
	at, message := c.s.oddBytes(c.text[begin:end])
	if message == "" {
		return false
	}
	line, column := placeOf(c.text[begin:end], at)
	c.bad(c.line+line, column, message)
	return true
}

// quotedRows cuts rows, some of them with quoted cells.
func (c *cutter) quotedRows() {
	b := c.block
	b.at = b.at[:0]
	for begin, m := uint32(0), 0; int(begin) < c.end; {
		hash := c.comments && c.text[begin] == '#'
		if hash {
			end := m
			for c.text[c.marks[end]] != '\n' {
				end++
			}
			if c.isComment(c.text[begin:c.marks[end]]) {
				b.hashes[hashComment].add(nil, 1, int64(c.line))
				begin, m, c.line = c.marks[end]+1, end+1, c.line+1
				continue
			}
		}
		next, nextMark, lines, trouble := c.quotedRow(begin, m)
		cells := len(c.spans)
		switch {
		case cells == 1 && c.spans[0].from == c.spans[0].end && !c.spans[0].quoted && trouble == nil:
		case c.skip:
			c.skip = false
		case trouble != nil:
			line, at := placeOf(c.text[begin:next], int(trouble.at))
			c.bad(c.line+line, at, trouble.message)
		case cells != c.width:
			c.bad(c.line, 0, c.wrongWidth(cells))
		case c.odd && c.hasOdd(begin, next):
		default:
			for _, j := range c.columns {
				s := &c.spans[j]
				if s.escaped {
					s.end, s.escaped = s.from+unescape(c.text[s.from:s.end]), false
				}
				b.at = append(b.at, s.from, s.end)
			}
			if hash {
				b.hashes[hashRow].add(nil, 1, int64(c.line))
			}
			b.places = append(b.places, c.line)
			b.rows++
		}
		c.line += lines
		begin, m = next, nextMark
	}
}

// rowTrouble is what is wrong with quotes of a row, at a byte from its beginning on.
type rowTrouble struct {
	at      uint32
	message string
}

// quotedRow finds the cells of the row at begin, where mark m is the next one. It returns the
// beginning of the next row, its mark, and how many lines the row has.
func (c *cutter) quotedRow(begin uint32, m int) (next uint32, mark int, lines uint32, trouble *rowTrouble) {
	text, marks := c.text, c.marks
	c.spans = c.spans[:0]
	for from := begin; ; {
		s := span{from: from}
		closed := false
		for c.trims && c.isBlank(text[s.from]) {
			s.from++
		}
		if text[s.from] == '"' {
			s.from++
			s.quoted = true
			for m++; ; m++ { // marks[m-1] is the quote that opens, or half of a doubled one
				for m < len(marks) && text[marks[m]] != '"' {
					if text[marks[m]] == '\n' {
						lines++
					}
					m++
				}
				if m == len(marks) {
					return uint32(c.end), m, lines, &rowTrouble{from - begin, "the quote is never closed: close it, or read quotes as ordinary characters by --quotes=false (Options.Quotes)"}
				}
				if text[marks[m]+1] != '"' {
					break
				}
				s.escaped = true
				m++
			}
			s.end, closed = marks[m], true
			m++
		}
		for text[marks[m]] == '"' {
			m++
		}
		end := marks[m]
		m++
		atEnd := text[end] == '\n'
		stop := end
		if atEnd && stop > from && text[stop-1] == '\r' {
			stop--
		}
		if !closed {
			s.end = stop
			if c.trims {
				s.from, s.end = c.trim(min(s.from, stop), stop)
			}
		} else if s.end+1 != stop && trouble == nil && !c.allBlank(s.end+1, stop) {
			trouble = &rowTrouble{s.end - begin, "the quote closes the cell, but more text follows it: double quotes inside of quoted cells, or read quotes as ordinary characters by --quotes=false (Options.Quotes)"}
		}
		c.spans = append(c.spans, s)
		if from = end + 1; atEnd {
			return from, m, lines + 1, trouble
		}
	}
}

// unescape makes one quote of each doubled one, in place, and returns the new length.
func unescape(text []byte) uint32 {
	n := bytes.IndexByte(text, '"') + 1
	for from := n + 1; ; {
		k := bytes.IndexByte(text[from:], '"')
		if k < 0 {
			return uint32(n + copy(text[n:], text[from:]))
		}
		n += copy(text[n:], text[from:from+k+1])
		from += k + 2
	}
}

// markBytes appends to marks the places of a, b and c, which are ASCII, in text[:end]. ascii is false
// if a byte of text is not ASCII; up to 63 bytes behind end may count.
func markBytes(marks []uint32, text []byte, end int, a, b, c byte) (_ []uint32, ascii bool) {
	const ones = 0x0101010101010101
	aa, bb, cc := ones*uint64(a), ones*uint64(b), ones*uint64(c)
	n, all := len(marks), uint64(0)
	var last [64]byte
	for i := 0; i < end; i += 64 {
		// A bit for each of 64 bytes.
		t := &last
		if i+64 <= len(text) {
			t = (*[64]byte)(text[i:])
		} else {
			clear(last[copy(last[:], text[i:end]):])
		}
		w0, w1, w2, w3 := eightAt(t, 0), eightAt(t, 8), eightAt(t, 16), eightAt(t, 24)
		w4, w5, w6, w7 := eightAt(t, 32), eightAt(t, 40), eightAt(t, 48), eightAt(t, 56)
		all |= w0 | w1 | w2 | w3 | w4 | w5 | w6 | w7
		found := marked(w0, aa, bb, cc) | marked(w1, aa, bb, cc)<<8 | marked(w2, aa, bb, cc)<<16 | marked(w3, aa, bb, cc)<<24 |
			marked(w4, aa, bb, cc)<<32 | marked(w5, aa, bb, cc)<<40 | marked(w6, aa, bb, cc)<<48 | marked(w7, aa, bb, cc)<<56
		if n+64 > len(marks) {
			marks = slices.Grow(marks[:n], max(len(marks), 64))
			marks = marks[:cap(marks)]
		}
		// Four places at a time, of which the last ones may be surplus: the branch does not depend
		// on each byte.
		count := bits.OnesCount64(found)
		for to := marks[n : n+64]; found != 0 && len(to) >= 4; to = to[4:] {
			for k := range 4 {
				to[k] = uint32(i + bits.TrailingZeros64(found))
				found &= found - 1
			}
		}
		n += count
	}
	for n > 0 && int(marks[n-1]) >= end {
		n--
	}
	return marks[:n], all&highBits == 0
}

const highBits = 0x8080808080808080

// eightAt returns the eight bytes at a place.
func eightAt(t *[64]byte, at int) uint64 { return binary.LittleEndian.Uint64(t[at:]) }

// marked returns a bit for each of eight bytes, the first one in the lowest: whether it is one of three that
// are ASCII, and of which each stands in all bytes of a word.
func marked(w, aa, bb, cc uint64) uint64 {
	const gather = 0x0002040810204081
	// The high bits of a, b and c stay clear, and no others.
	low := w &^ highBits
	m := ^(((low^aa)+^uint64(highBits))&((low^bb)+^uint64(highBits))&((low^cc)+^uint64(highBits)) | w) & highBits
	return m * gather >> 56
}
