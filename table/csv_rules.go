package table

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lanes-go/lanes/sparse"
)

// dialect says how a CSV file is written.
type dialect struct {
	separator byte
	quotes    bool // a quote at the beginning of a cell opens quoted text
	header    bool // the first row names the columns
	comma     bool // numbers have a decimal comma
	most      int  // columns: row cuts no more cells than one more; 0 means any number
}

// separators are the candidates of a file; the first of equally good ones wins.
const separators = "\t;|,"

// trialRows is how many rows say which separator a file has.
const trialRows = 100

// dialectOf finds out how a file is written by its beginning: what Options leave open.
func (s *Source) dialectOf(head beginning) (dialect, error) {
	d := dialect{separator: s.options.Separator, most: s.mostColumns()}
	if d.separator == 0 {
		d.separator = ','
		best := 0
		for _, c := range []byte(separators) {
			if rows := agreeing(head, dialect{separator: c, quotes: s.quotes(head, c), most: d.most}); rows > best {
				d.separator, best = c, rows
			}
		}
	}
	d.quotes = s.quotes(head, d.separator)
	if d.separator != ',' {
		d.comma = decimalComma(head, d)
	}
	d.header = s.options.Header == WithHeader || s.options.Header == FindHeader && isHeader(head, d)
	return d, nil
}

// agreeing returns how many of the first rows have the most frequent number of cells. It returns 0
// if that number is 1, or if less than half of the rows have it.
func agreeing(head beginning, d dialect) int {
	counts := map[int]int{}
	rows := 0
	for cells := range head.rows(d) {
		counts[len(cells)]++
		if rows++; rows == trialRows {
			break
		}
	}
	best := 0
	for width, n := range counts {
		if width > 1 && 2*n > rows {
			best = n
		}
	}
	return best
}

// quotes tells whether cells may be quoted, by Options.Quotes.
func (s *Source) quotes(head beginning, separator byte) bool {
	if s.options.Quotes != FindQuotes || separator == ',' || separator == ';' {
		return s.options.Quotes != NoQuotes
	}
	d := dialect{separator: separator, quotes: true}
	for p := 0; p < len(head.text); {
		next, sound, complete := d.row(head.text, p, nil)
		if !sound && (complete || head.whole) {
			return false
		}
		p = next
	}
	return true
}

// decimalComma tells whether more cells of the beginning are numbers with a decimal comma than
// numbers with a point.
func decimalComma(head beginning, d dialect) bool {
	commas, points := 0, 0
	for cells := range head.rows(d) {
		for _, cell := range cells {
			comma, point := strings.Contains(cell, ","), strings.Contains(cell, ".")
			if comma == point {
				continue
			}
			if _, ok := numberText(cell, comma); ok && comma {
				commas++
			} else if ok {
				points++
			}
		}
	}
	return commas > points
}

// numberText is number of a string.
func numberText(cell string, comma bool) (float64, bool) {
	return number(append([]byte(cell), make([]byte, pad)...)[:len(cell)], comma)
}

// isHeader tells whether the first row looks like names of columns.
func isHeader(head beginning, d dialect) bool {
	for cells := range head.rows(d) {
		seen := map[string]bool{}
		for k, cell := range cells {
			if _, is := numberText(cell, d.comma); is || seen[cell] || cell == "" && k > 0 {
				return false
			}
			seen[cell] = true
		}
		return true
	}
	return true
}

// rows yields the cells of the complete rows.
func (b beginning) rows(d dialect) func(yield func(cells []string) bool) {
	return func(yield func(cells []string) bool) {
		for p := 0; p < len(b.text); {
			var cells []string
			next, _, complete := d.row(b.text, p, &cells)
			if !complete && !b.whole {
				return
			}
			if empty := len(cells) == 1 && cells[0] == "" && b.text[p] != '"'; !empty && !yield(cells) {
				return
			}
			p = next
		}
	}
}

// row cuts the row at p into cells, one byte after the other, and returns the beginning of the next
// row. A row is sound if all cells that begin with a quote end with one, and complete if it has a
// line end.
func (d dialect) row(text []byte, p int, cells *[]string) (next int, sound, complete bool) {
	sound = true
	for {
		var cell []byte
		closed := false
		if d.quotes && p < len(text) && text[p] == '"' {
			for p++; p < len(text) && !closed; p++ {
				if closed = text[p] == '"'; closed && p+1 < len(text) && text[p+1] == '"' {
					p++
					closed = false
				}
				if !closed {
					cell = append(cell, text[p])
				}
			}
			if !closed {
				sound = false
			}
		}
		from := p
		for p < len(text) && text[p] != d.separator && text[p] != '\n' {
			p++
		}
		rest := text[from:p]
		atEnd := p == len(text) || text[p] == '\n'
		if atEnd {
			rest = bytes.TrimSuffix(rest, []byte("\r"))
		}
		if closed && len(rest) > 0 {
			sound = false
		}
		if cells != nil && (d.most == 0 || len(*cells) <= d.most) {
			*cells = append(*cells, string(append(cell, rest...)))
		}
		if p++; atEnd {
			return p, sound, p <= len(text)
		}
	}
}

// names returns the names of the columns of a file: the cells of its header, or their places from
// 1 on. A name that an earlier column has gets .1, .2 and so on.
func (s *Source) namesOf(head beginning, file int, d dialect) ([]string, error) {
	for cells := range head.rows(d) {
		if len(cells) > d.most {
			return nil, s.tooWide(file)
		}
		if d.header && !utf8.ValidString(strings.Join(cells, "")) {
			at := firstInvalid(head.text)
			line, column := placeOf(head.text, at)
			return nil, &sparse.FormatError{Name: s.files[file].name, Line: int64(line) + 1, Column: column, Message: s.wrongBytes(head.text, at)}
		}
		taken := map[string]bool{}
		for _, cell := range cells {
			taken[cell] = true
		}
		used := map[string]bool{}
		for k, cell := range cells {
			if !d.header || cells[k] == "" {
				cells[k] = strconv.Itoa(k + 1)
			}
			for base, n := cells[k], 1; used[cells[k]] || cells[k] != cell && taken[cells[k]] && d.header; n++ {
				cells[k] = base + "." + strconv.Itoa(n)
			}
			used[cells[k]] = true
		}
		return cells, nil
	}
	message := "there are no rows"
	if !head.whole {
		message = fmt.Sprintf("the first row is longer than %d bytes, the most that a row may have", s.mostRow())
	}
	return nil, &sparse.FormatError{Name: s.files[file].name, Message: message}
}
