package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/lanes-go/lanes/notes"
)

// titleRows is the most rows that may stand before a header.
const titleRows = 30

// findHeader decides whether a row of file k names the columns, and returns their names. first is
// the first byte of that row, or of the first row. rows are the first rows without comments.
func (s *Source) findHeader(k int, d *dialect, rows []row) (names []string, first int) {
	start, cells := 0, rows[0].cells
	score, doubtful := 0, false
	known := s.options.known
	if k > 0 {
		known = s.names
	}
	if named, aligned := headerRow(d.width, rows, known); aligned != nil {
		start, cells = named, aligned
		score, doubtful = evidence(cells, rows[start+1:], known)
	}
	first = rows[start].at
	switch s.options.Header {
	case WithHeader:
		d.header, doubtful = true, false
	case NoHeader:
		d.header, doubtful = false, false
		first, cells = rows[0].at, rows[0].cells
	default:
		if d.header = score > 0; score == 0 && k == 0 {
			d.header = distinctNames(cells)
		}
	}
	if doubtful && k == 0 {
		n := notes.Note{Kind: notes.Header, Then: fmt.Sprintf("the first row (%s) is taken as a row, and the columns are called 1, 2, ...", listed(cells)), WayOut: "{Header} takes it as their names"}
		if d.header {
			n.Then, n.WayOut = fmt.Sprintf("the first row (%s) is taken as the names of the columns", listed(cells)), "{NoHeader} takes it as a row"
		}
		s.notes.Set(n)
	}
	if !d.header {
		cells = make([]string, d.width)
		return uniqueNames(cells), first
	}
	d.width = len(cells)
	names = uniqueNames(cells)
	for j, name := range names {
		if cells[j] != "" && name != cells[j] {
			d.repeated = true
			s.notes.Set(notes.Note{Kind: notes.Renamed, Column: name, Then: fmt.Sprintf("the header has the name %q more than once", cells[j])})
		}
	}
	return names, first
}

// headerRow returns the row that would name the columns of rows of width cells, and its cells, one
// a column: the first row, or the first full row behind lines of titles. It returns nil if no row
// does.
func headerRow(width int, rows []row, known []string) (at int, cells []string) {
	full := func(r row) bool {
		filled := 0
		for _, cell := range r.cells {
			if cell != "" {
				filled++
			}
		}
		return r.count == width && 2*filled > width
	}
	if width < 2 || full(rows[0]) {
		return 0, rows[0].cells
	}
	for k := 1; k < min(len(rows), titleRows); k++ {
		if full(rows[k]) {
			if score, _ := evidence(rows[k].cells, rows[k+1:], known); score > 0 {
				return k, rows[k].cells
			}
			break
		}
	}
	return 0, aligned(rows, width)
}

// aligned returns the cells of the first row, one for each of width columns. It adds cells without
// a name at the end, where all other rows have empty cells there. Or it adds one cell at the
// beginning, as R leaves out the name of its row names. It returns nil if the row does not fit.
func aligned(rows []row, width int) []string {
	cells := slices.Clone(rows[0].cells)
	lacks := width - len(cells)
	if lacks <= 0 {
		if slices.ContainsFunc(cells[width:], func(cell string) bool { return cell != "" }) {
			return nil
		}
		return cells[:width]
	}
	trailing := len(rows) > 1
	for _, r := range rows[1:] {
		if r.count != width {
			continue
		}
		for _, cell := range r.cells[width-lacks:] {
			trailing = trailing && cell == ""
		}
	}
	switch {
	case trailing:
		return append(cells, make([]string, lacks)...)
	case lacks == 1:
		return append([]string{""}, cells...)
	}
	return nil
}

// distinctNames tells whether cells may be names, if the rows below say nothing: none is a number or
// equals another, and none but the first is empty.
func distinctNames(cells []string) bool {
	seen := map[string]bool{}
	for k, cell := range cells {
		if isFigure(cell) || seen[cell] || cell == "" && k > 0 {
			return false
		}
		seen[cell] = true
	}
	return true
}

// evidence weighs what speaks for cells that name the columns of the rows below, above 0, and against
// it, below 0. known are names that the table is expected to have.
func evidence(cells []string, rows []row, known []string) (score int, doubtful bool) {
	has := 0
	for _, name := range known {
		if slices.Contains(cells, name) {
			has++
		}
	}
	if has > 0 && 2*has >= len(known) {
		return 100, false
	}
	var pro, contra int
	var series []int // columns of numbers below a whole number
	for k, cell := range cells {
		column := make([]string, 0, len(rows))
		for _, r := range rows {
			if k < len(r.cells) && r.count == len(cells) && !isAbsent(r.cells[k]) {
				column = append(column, r.cells[k])
			}
		}
		if isAbsent(cell) || len(column) == 0 {
			continue
		}
		w, whole := weigh(cell, column)
		if whole {
			series = append(series, k)
		}
		pro, contra = pro+max(w, 0), contra-min(w, 0)
	}
	if isSeries(cells, series) && !alsoSeries(rows, series) {
		// Such as the years 2019, 2020 above numbers that are no years.
		pro, contra = pro+2*len(series), contra-2*len(series)
	}
	return pro - contra, len(rows) > 0 && (max(pro, contra) < 2 || min(pro, contra) >= 4)
}

// weigh weighs how much a cell speaks for a name of the column below. whole says that it is a whole
// number above numbers.
func weigh(cell string, column []string) (weight int, whole bool) {
	figures, same, digits, length := 0, false, 0, 0
	for _, c := range column {
		if isFigure(c) {
			figures++
		}
		if strings.ContainsAny(c, "0123456789") {
			digits++
		}
		same = same || c == cell
		length += len(c)
	}
	n, figure := len(column), isFigure(cell)
	switch {
	case 10*figures >= 9*n && !figure && !same:
		return 4, false
	case 10*figures >= 9*n && figure && isDate(cell) && !slices.ContainsFunc(column, isDate):
		return 2, false
	case 10*figures >= 9*n && figure && !same && isWhole(cell):
		return -2, true
	case 10*figures >= 9*n && figure, same:
		return -4, false
	case 10*figures < n && figure:
		return 2, false
	}
	counts := map[string]int{}
	for _, c := range column {
		counts[c]++
	}
	singles := 0
	for _, n := range counts {
		if n == 1 {
			singles++
		}
	}
	switch {
	case n >= 8 && 10*singles < n:
		return 2, false // a value that no other row has is unlikely where values come again
	case n >= 8 && 3*singles < n, 10*digits >= 9*n && !strings.ContainsAny(cell, "0123456789"), length > 4*n*len(cell):
		return 1, false
	}
	return 0, false
}

// isSeries tells whether the cells of columns are years, or count from 0 or 1.
func isSeries(cells []string, columns []int) bool {
	years, places := len(columns) > 0, len(columns) > 2
	for i, k := range columns {
		v, err := strconv.Atoi(cells[k])
		first, _ := strconv.Atoi(cells[columns[0]])
		years = years && err == nil && v >= 1900 && v <= 2100 && !slices.ContainsFunc(columns[:i], func(j int) bool { return cells[j] == cells[k] })
		places = places && err == nil && first <= 1 && v == first+i
	}
	return years || places
}

// alsoSeries tells whether one of the rows is a series in these columns, too.
func alsoSeries(rows []row, columns []int) bool {
	return slices.ContainsFunc(rows, func(r row) bool { return r.count > columns[len(columns)-1] && isSeries(r.cells, columns) })
}

// isAbsent tells whether a cell usually stands for no value.
func isAbsent(cell string) bool { return cell == "" || isMissingWord([]byte(cell)) }

// isFigure tells whether a cell is a number, an amount of money, a share or a date: it has a digit,
// and no letter but the e of an exponent.
func isFigure(cell string) bool {
	before, digits := ' ', 0
	for _, c := range cell {
		switch {
		case unicode.IsDigit(c):
			digits++
		case unicode.IsLetter(c) && !((c|0x20 == 'e' || c == 'T' || c == 'Z') && unicode.IsDigit(before)):
			return false
		}
		before = c
	}
	return digits > 0
}

// isWhole tells whether a cell is digits alone.
func isWhole(cell string) bool {
	return cell != "" && strings.Trim(cell, "0123456789") == ""
}

// isDate tells whether a cell looks like a date or a month: digits with strokes or colons between
// them.
func isDate(cell string) bool {
	for k := 1; k+1 < len(cell); k++ {
		if strings.IndexByte("-/:", cell[k]) >= 0 && isWhole(cell[k-1:k]) && isWhole(cell[k+1:k+2]) {
			return true
		}
	}
	return false
}
