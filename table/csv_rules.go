package table

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/sparse"
)

// dialect says how a CSV file is written.
type dialect struct {
	separator byte
	quotes    bool // a quote at the beginning of a cell opens quoted text
	header    bool // the first row names the columns
	repeated  bool // a name of the header stands there more than once
	comma     bool // numbers have a decimal comma
	marks     bool // some cells say so, or have a point, and no cells the contrary
	most      int  // columns: row cuts no more cells than one more; 0 means any number
	// blanks says that runs of blanks separate cells. The text is read with a tab in place of each.
	blanks bool
	// comments says that a line which begins with # is no row if it lacks the cells of a row.
	comments bool
	width    int // cells of a row
	lead     int // bytes of lines before the header or the first row: sep=, comments, titles
	// order has the place of each column of the source among the cells; nil means the same place.
	order []int
}

// separators are the candidates of a file; the first of equally good ones wins.
const separators = "\t;|,"

// isSeparator tells whether a byte may separate cells: a mark of ASCII that numbers do not have, and
// that says nothing else.
func isSeparator(c byte) bool {
	return c == '\t' || c >= ' ' && c < 0x7f && !strings.ContainsRune("\"#'+-._", rune(c)) && !(c >= '0' && c <= '9') && !(c|0x20 >= 'a' && c|0x20 <= 'z')
}

// place returns the place of a column of the source among the cells of a row.
func (d *dialect) place(column int) int {
	if d.order == nil {
		return column
	}
	return d.order[column]
}

// separatorLine is a first line that names the separator, as sep=; does.
var separatorLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^"?(?i:sep)=(.)"?[,;|\t]*\r?\n`)
})

// dialectOf finds out how file k is written by its beginning: what Options leave open. It returns
// the names of the columns, which are places without a header; nil if the file has no rows. Where
// columns are cut by blanks, it changes head to the text that passes read.
func (s *Source) dialectOf(k int, head *beginning) (dialect, []string, error) {
	d := dialect{separator: s.options.Separator, most: s.mostColumns()}
	var free int64
	if mayBeWide(head.text) {
		var known bool
		if free, known = memory.Available(); known { // cells of wider rows are not kept
			d.most = min(d.most, max(int(min(free/columnBytes, int64(d.most))), fewColumns))
		}
	}
	skipped := 0 // lines
	if line := separatorLine().FindSubmatch(head.text); line != nil && (d.separator == 0 || d.separator == line[1][0]) {
		d.separator, d.lead, skipped = line[1][0], len(line[0]), 1
		if !isSeparator(d.separator) {
			return d, nil, &sparse.FormatError{Name: s.files[k].name, Line: 1, Message: fmt.Sprintf("the separator %q separates no cells: want a comma, a semicolon, a tab, a bar, a blank or another mark such as ^ or :", d.separator)}
		}
	}
	s.findSeparator(&d, head)
	rows := head.first(d, trialRows)
	if len(rows) == 0 && !head.whole {
		return d, nil, &sparse.FormatError{Name: s.files[k].name, Message: fmt.Sprintf("the first row is longer than %d bytes, the most that a row may have", s.mostRow())}
	}
	width := d.width
	for _, r := range rows {
		d.comments = d.comments || width > 1 && r.comment(width)
	}
	rows = slices.DeleteFunc(rows, func(r row) bool { return width > 1 && r.comment(width) })
	if len(rows) == 0 {
		d.lead = len(head.text)
		return d, nil, nil
	}
	if width == 0 {
		d.width = len(rows[0].cells)
	}
	switch columns := max(d.width, rows[0].count); {
	case columns > s.mostColumns():
		return d, nil, s.tooWide(k)
	case columns > d.most:
		return d, nil, &memory.ShortError{What: "the columns of " + s.files[k].name, Need: int64(columns) * columnBytes, Free: free}
	}
	commas, points := decimalMarks(rows)
	d.comma, d.marks = d.separator != ',' && commas > points, (commas > 0) != (points > 0)
	names, first := s.findHeader(k, &d, rows)
	if skipped += linesIn(head.text[d.lead:first]); skipped > 0 {
		s.lead.Count += int64(skipped)
		if s.lead.Place == "" {
			text, line := firstLine(head.text)
			s.lead = notes.Note{Kind: notes.Skipped, Count: int64(skipped), Example: text, Place: s.placeIn(k, line), Then: "left out before the header or the first row"}
		}
		s.notes.Set(s.lead)
	}
	d.lead = first
	if d.header && !utf8.ValidString(strings.Join(names, "")) {
		at := firstInvalid(head.text[first:]) + first
		line, column := placeOf(head.text, at)
		return d, nil, &sparse.FormatError{Name: s.files[k].name, Line: int64(line) + 1, Column: column, Message: s.wrongBytes(head.text, at)}
	}
	return d, names, nil
}

// fewColumns is a number of columns that memory is not asked for.
const fewColumns = 1000

// mayBeWide tells whether a row of text may have more than fewColumns cells.
func mayBeWide(text []byte) bool {
	if bytes.IndexByte(text, '"') >= 0 {
		return true
	}
	for line := range bytes.Lines(text) {
		if len(line) > fewColumns {
			return true
		}
	}
	return false
}

// trialRows is how many rows decide about a header and the lines before it.
const trialRows = 300

// linesIn counts the lines that are not empty.
func linesIn(text []byte) (n int) {
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) > 0 {
			n++
		}
	}
	return n
}

// firstLine returns the first line of text that is not empty, cut to a length that fits a note, and
// its number, from 1.
func firstLine(text []byte) (first string, number int64) {
	for line := range bytes.Lines(text) {
		number++
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return strings.ToValidUTF8(string(line[:min(len(line), 40)]), ""), number
		}
	}
	return "", number
}

// placeIn names a line of a file, counted from 1.
func (s *Source) placeIn(file int, line int64) string {
	text := "line " + notes.Grouped(line)
	if !s.lines && s.format != FormatCSV {
		text = "row " + notes.Grouped(line)
	}
	if len(s.files) > 1 {
		text += " of " + s.files[file].name
	}
	return text
}

// findSeparator decides how cells are separated, whether they may be quoted, and how many cells most
// rows have: see agreeing.
func (s *Source) findSeparator(d *dialect, head *beginning) {
	given, best := d.separator, 0
	if given == 0 {
		d.separator = ','
		for _, c := range []byte(separators) {
			if bytes.IndexByte(head.text, c) < 0 {
				continue
			}
			if width, rows := agreeing(head, dialect{separator: c, quotes: s.quotes(head, c), lead: d.lead}); rows > best {
				d.separator, d.width, best = c, width, rows
			}
		}
		if bytes.IndexByte(head.text, ' ') >= 0 || bytes.IndexByte(head.text, '\t') >= 0 {
			joined := head.joined(s.options.Quotes != NoQuotes)
			if _, rows := agreeing(&joined, dialect{separator: '\t', quotes: s.quotes(&joined, '\t')}); rows > best && hasColumnsOfNumbers(&joined) {
				given = ' '
			}
		}
		if given == 0 && best == 0 {
			d.separator = s.noSeparator(d.lead, head)
		}
	}
	if given == ' ' {
		*head = head.joined(s.options.Quotes != NoQuotes)
		d.separator, d.blanks = '\t', true
	}
	if d.quotes = s.quotes(head, d.separator); given != 0 || best == 0 {
		d.width, _ = agreeing(head, *d)
	}
}

// noSeparator returns a separator for text that none cuts into columns: a comma, unless most rows and
// the first have no comma, and others have. Then it returns one that no row has.
func (s *Source) noSeparator(lead int, head *beginning) byte {
	for _, c := range []byte(",\t|;") {
		d := dialect{separator: c, quotes: s.quotes(head, c), lead: lead}
		width, _ := agreeing(head, d)
		whole := true
		for r := range head.rows(d, false) {
			whole = whole && r.count == 1
			if c == ',' && r.at == lead && r.count > 1 {
				return ','
			}
		}
		if whole || c == ',' && width != 1 {
			return c
		}
	}
	return ','
}

// joined is the beginning of a file with a tab in place of each run of blanks.
func (b *beginning) joined(quotes bool) beginning {
	j := *b
	j.text, _ = io.ReadAll(&blankReader{r: bytes.NewReader(b.text), quotes: quotes})
	return j
}

// hasColumnsOfNumbers tells whether text that tabs cut has a column of nearly all numbers. It tells
// false if the columns are one column of dates with a time of day.
func hasColumnsOfNumbers(head *beginning) bool {
	rows := slices.DeleteFunc(head.first(dialect{separator: '\t', quotes: true}, trialRows), func(r row) bool { return r.hash })
	if len(rows) < 2 {
		return false
	}
	numbers := map[int]int{}
	times := 0
	for _, r := range rows[1:] {
		for k, cell := range r.cells {
			if isFigure(cell) {
				numbers[k]++
			}
		}
		if _, ok := timeOf([]byte(strings.Join(r.cells, " "))); ok {
			times++
		}
	}
	most := 0
	for _, n := range numbers {
		most = max(most, n)
	}
	return 10*most >= 9*(len(rows)-1) && 2*times < len(rows)
}

// agreeing returns the number of cells that more than half of the rows have, and how many rows have
// it. It returns 0 rows if no number is that frequent, or if the number is 1. Lines that begin with
// # do not count beside other lines.
func agreeing(head *beginning, d dialect) (width, rows int) {
	counts, hashes := map[int]int{}, map[int]int{}
	all := 0
	for r := range head.rows(d, false) {
		if r.hash {
			hashes[r.count]++
			continue
		}
		counts[r.count]++
		all++
	}
	if all == 0 {
		counts = hashes
		for _, n := range hashes {
			all += n
		}
	}
	for w, n := range counts {
		if 2*n > all {
			width = w
			if rows = n; w == 1 {
				rows = 0
			}
		}
	}
	return width, rows
}

// quotes tells whether cells may be quoted, by Options.Quotes.
func (s *Source) quotes(head *beginning, separator byte) bool {
	if s.options.Quotes != FindQuotes || separator == ',' || separator == ';' {
		return s.options.Quotes != NoQuotes
	}
	if bytes.IndexByte(head.text, '"') < 0 {
		return true
	}
	for r := range head.rows(dialect{separator: separator, quotes: true}, false) {
		if !r.sound {
			return false
		}
	}
	return true
}

// decimalMarks counts the cells of rows that are numbers with a decimal comma, or with a point.
func decimalMarks(rows []row) (commas, points int) {
	for _, r := range rows {
		for _, cell := range r.cells {
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
	return commas, points
}

// numberText is number of a string.
func numberText(cell string, comma bool) (float64, bool) {
	return number(append([]byte(cell), make([]byte, pad)...)[:len(cell)], comma)
}

// row is a row of the beginning of a file.
type row struct {
	at    int // of its first byte
	cells []string
	count int  // of cells
	sound bool // all cells that begin with a quote end with one
	hash  bool // it begins with #
}

// comment tells whether the row is a comment in a table with rows of width cells.
func (r row) comment(width int) bool { return r.hash && r.count != width }

// first returns up to n rows, with their cells.
func (b *beginning) first(d dialect, n int) (rows []row) {
	for r := range b.rows(d, true) {
		if rows = append(rows, r); len(rows) == n {
			break
		}
	}
	return rows
}

// rows yields the complete rows behind the lead; cells says whether with their cells.
func (b *beginning) rows(d dialect, cells bool) func(yield func(row) bool) {
	return func(yield func(row) bool) {
		unquoted := !cells && (!d.quotes || bytes.IndexByte(b.text, '"') < 0)
		for p := d.lead; p < len(b.text); {
			r := row{at: p, hash: b.text[p] == '#'}
			if unquoted {
				if line := bytes.IndexByte(b.text[p:], '\n'); line >= 0 {
					r.count, r.sound = bytes.Count(b.text[p:p+line], []byte{d.separator})+1, true
					if (r.count > 1 || !d.isEmpty(b.text[p:p+line])) && !yield(r) {
						return
					}
					p += line + 1
					continue
				}
			}
			next, complete, empty := d.row(b.text, p, &r, cells)
			if !complete && !b.whole {
				return
			}
			if !empty && !yield(r) {
				return
			}
			p = next
		}
	}
}

// isEmpty tells whether a line has blanks alone before its end.
func (d *dialect) isEmpty(line []byte) bool {
	line = bytes.TrimSuffix(line, []byte("\r"))
	for _, c := range line {
		if !d.isBlank(c) {
			return false
		}
	}
	return true
}

// row cuts the row at p into cells, one byte after the other, and returns the beginning of the next
// row. A row is complete if it has a line end. Cells of a line that begins with # are not quoted,
// if that makes them sound.
func (d *dialect) row(text []byte, p int, r *row, keep bool) (next int, complete, empty bool) {
	r.sound = true
	for begin := p; ; {
		var cell []byte
		closed := false
		from := p
		for from < len(text) && d.isBlank(text[from]) {
			from++
		}
		if d.quotes && from < len(text) && text[from] == '"' {
			for p = from + 1; p < len(text) && !closed; p++ {
				if closed = text[p] == '"'; closed && p+1 < len(text) && text[p+1] == '"' {
					p++
					closed = false
				}
				if !closed && keep {
					cell = append(cell, text[p])
				}
			}
			r.sound = r.sound && closed
		}
		from = p
		for p < len(text) && text[p] != d.separator && text[p] != '\n' {
			p++
		}
		rest := text[from:p]
		atEnd := p == len(text) || text[p] == '\n'
		if atEnd {
			rest = bytes.TrimSuffix(rest, []byte("\r"))
		}
		for len(rest) > 0 && d.isBlank(rest[len(rest)-1]) {
			rest = rest[:len(rest)-1]
		}
		for !closed && len(rest) > 0 && d.isBlank(rest[0]) {
			rest = rest[1:]
		}
		if closed && len(rest) > 0 {
			r.sound = false
		}
		if r.count++; keep && (d.most == 0 || len(r.cells) <= d.most) {
			r.cells = append(r.cells, string(append(cell, rest...)))
		}
		if p++; atEnd {
			empty = r.count == 1 && len(rest) == 0 && !closed && r.sound
			if r.hash && !r.sound && d.quotes {
				plain := dialect{separator: d.separator}
				*r = row{at: r.at, hash: true}
				return plain.row(text, begin, r, keep)
			}
			return p, p <= len(text), empty
		}
	}
}

// isBlank tells whether a byte is a blank that is trimmed from the ends of cells.
func (d *dialect) isBlank(c byte) bool { return c == ' ' || c == '\t' && d.separator != '\t' }

// uniqueNames returns names for columns, of whom some names may be empty or equal: an empty one gets
// its place, from 1 on, and a name that an earlier column has gets .1, .2 and so on.
func uniqueNames(cells []string) []string {
	names := slices.Clone(cells)
	taken, used := map[string]bool{}, map[string]bool{}
	for _, cell := range cells {
		taken[cell] = true
	}
	for k, cell := range cells {
		if cell == "" {
			names[k] = strconv.Itoa(k + 1)
		}
		for base, n := names[k], 1; used[names[k]] || names[k] != cell && taken[names[k]]; n++ {
			names[k] = base + "." + strconv.Itoa(n)
		}
		used[names[k]] = true
	}
	return names
}
