package table

import (
	"bytes"
	"math"
	"slices"
	"strconv"
)

// missing is the set of cells that stand for a missing value. It is safe for concurrent use.
type missing struct {
	empty   bool
	lengths uint64 // bit n: a cell of n bytes is in the set; bit 63: of 63 bytes or more
	first   [4]uint64
	cells   []string // without the empty cell
	// numbers are the values of cells that are numbers: in a column of numbers all cells of these
	// values are missing.
	numbers []float64
	// figures says that some of the cells are numbers.
	figures bool
	// words says that the words of isMissingWord stand for missing numbers and times.
	words bool
	// whole says that 1.0 and 1 are one category, as in recipes from version 2 on.
	whole bool
}

// noWords is the element of Recipe.Missing that switches the words of isMissingWord off.
const noWords = "none"

// missing returns the cells that stand for a missing value.
func (r *Recipe) missing() missing {
	if r.Version == 1 {
		return newMissing(r.Missing)
	}
	m := newMissing(append([]string{""}, slices.DeleteFunc(slices.Clone(r.Missing), func(cell string) bool { return cell == noWords })...))
	m.words, m.whole = !slices.Contains(r.Missing, noWords), true
	for _, cell := range m.cells {
		for _, comma := range []bool{false, true} {
			if v, ok := numberText(cell, comma); ok {
				m.numbers = append(m.numbers, v)
			}
		}
	}
	return m
}

func newMissing(list []string) missing {
	var m missing
	for _, cell := range list {
		if cell == "" {
			m.empty = true
			continue
		}
		m.cells = append(m.cells, cell)
		_, point := numberText(cell, false)
		_, comma := numberText(cell, true)
		m.figures = m.figures || point || comma
		m.lengths |= 1 << min(len(cell), 63)
		m.first[cell[0]>>6] |= 1 << (cell[0] & 63)
	}
	return m
}

// has tells whether a cell stands for a missing value in columns of all kinds.
func (m *missing) has(cell []byte) bool {
	if len(cell) == 0 {
		return m.empty
	}
	if m.lengths>>min(len(cell), 63)&1 == 0 || m.first[cell[0]>>6]>>(cell[0]&63)&1 == 0 {
		return false
	}
	for _, c := range m.cells {
		if c == string(cell) {
			return true
		}
	}
	return false
}

// gap tells whether a cell stands for a missing number or time alone: it is blank, or one of the
// usual words.
func (m *missing) gap(cell []byte) bool {
	text := trimBlanks(cell)
	return len(text) == 0 || m.words && isMissingWord(text)
}

// isMissingWord tells whether text is one of the usual words for a missing number, in letters of
// any case: NA, N/A, #N/A, NaN, NULL, None, <NA>, -, . and ?.
func isMissingWord(text []byte) bool {
	var lower [4]byte
	if len(text) > len(lower) {
		return false
	}
	for k, c := range text {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[k] = c
	}
	switch string(lower[:len(text)]) {
	case "na", "n/a", "#n/a", "nan", "null", "none", "<na>", "-", ".", "?":
		return true
	}
	return false
}

// category returns the text of a cell in a category. A whole number with a point and zeros behind
// it loses both, as programs write 1.0 for 1 in a column with a missing value. Other cells are
// returned as they stand.
func (m *missing) category(cell []byte) []byte {
	k := len(cell) - 1
	if !m.whole || k < 2 || cell[k] != '0' {
		return cell
	}
	for k > 0 && cell[k] == '0' {
		k--
	}
	digits := bytes.TrimPrefix(cell[:k], []byte("-"))
	if cell[k] != '.' || len(digits) == 0 || digits[0] == '0' && len(digits) > 1 || digitCount(digits) != len(digits) {
		return cell
	}
	return cell[:k]
}

// What a cell is in a column of numbers.
const (
	aNumber = iota
	aGap
	anInfinity
	noNumber
)

// number reads a cell of a column of numbers with these marks, nil for plain decimals. The value is
// finite. has is false of the cell.
func (m *missing) number(cell []byte, marks *Marks) (v float64, what int) {
	ok := false
	if marks == nil {
		v, ok = number(cell, false)
	} else {
		v, ok = marks.number(cell)
	}
	switch {
	case ok && (m.numbers == nil || !slices.Contains(m.numbers, v)):
		return v, aNumber
	case ok || m.gap(cell):
		return 0, aGap
	case isInfinity(cell):
		return 0, anInfinity
	}
	return 0, noNumber
}

// isInfinity tells whether a cell is an infinite number, or one beyond the largest float64.
func isInfinity(cell []byte) bool {
	text := trimBlanks(cell)
	if len(text) == 0 {
		return false
	}
	name := text
	if name[0] == '+' || name[0] == '-' {
		name = name[1:]
	}
	if bytes.EqualFold(name, []byte("inf")) || bytes.EqualFold(name, []byte("infinity")) {
		return true
	}
	if len(bytes.Trim(text, "0123456789.eE+-")) > 0 {
		return false
	}
	v, _ := strconv.ParseFloat(string(text), 64)
	return math.IsInf(v, 0)
}
