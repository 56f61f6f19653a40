package table

import (
	"fmt"
	"strings"
)

// askedMarks are the marks that Wanted names, by columns; the name "" stands for all other columns.
type askedMarks struct{ decimal, thousands map[string]byte }

// noMark is the mark of a column without thousands.
const noMark = 'n'

// asked reads Decimal and Thousands for a table with these columns.
func (w *Wanted) asked(names []string) (a askedMarks, err error) {
	read := func(option string, list []string, mark func(text string) byte, want string) (map[string]byte, error) {
		marks := map[string]byte{}
		for _, text := range list {
			column, written := CutFormat(text, names)
			if written == "" {
				if column, written = "", text; len(text) > 2 && strings.IndexByte(text, '=') > 0 {
					name, _, _ := strings.Cut(text, "=")
					return nil, fmt.Errorf("table: %s %q: the table has no column %s", option, text, suggested([]string{name}, names))
				}
			}
			c := mark(written)
			if c == 0 {
				return nil, fmt.Errorf("table: %s %q: want %s, or COLUMN=MARK", option, text, want)
			}
			if before := marks[column]; before != 0 && before != c {
				return nil, fmt.Errorf("table: %s names two marks, %q and %q, for the same cells: name one", option, before, c)
			}
			marks[column] = c
		}
		return marks, nil
	}
	if a.decimal, err = read("Decimal", w.Decimal, decimalMark, "a comma or a point"); err != nil {
		return a, err
	}
	if a.thousands, err = read("Thousands", w.Thousands, thousandsMark, "a point, a comma, space, an apostrophe or none"); err != nil {
		return a, err
	}
	for _, column := range append([]string{""}, names...) {
		if a.readings(column) == 0 {
			return a, fmt.Errorf("table: the decimal mark and the mark of thousands are both %q: name two marks", a.of(a.decimal, column))
		}
	}
	return a, nil
}

func decimalMark(text string) byte {
	if text == "." || text == "," {
		return text[0]
	}
	return 0
}

func thousandsMark(text string) byte {
	switch text {
	case ".", ",", " ", "'":
		return text[0]
	case "space":
		return ' '
	case "none":
		return noMark
	}
	return 0
}

// of returns the mark of a column, 0 for none.
func (a *askedMarks) of(marks map[string]byte, column string) byte {
	if mark, named := marks[column]; named {
		return mark
	}
	return marks[""]
}

// readings are the readings of a column that the marks allow.
func (a *askedMarks) readings(column string) (allowed fits) {
	decimal, thousands := a.of(a.decimal, column), a.of(a.thousands, column)
	for k, r := range readings {
		if (decimal == 0 || decimal == r.decimal) && (thousands == 0 || thousands == r.thousands || thousands == noMark && r.thousands == 0) {
			allowed |= 1 << k
		}
	}
	return allowed
}

// names says whether a column has marks of its own.
func (a *askedMarks) names(column string) bool {
	return column != "" && (a.decimal[column] != 0 || a.thousands[column] != 0)
}
