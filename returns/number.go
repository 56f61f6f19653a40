package returns

import (
	"encoding/csv"
	"errors"
	"math"
	"strconv"
	"strings"
)

// cell is a field of a line; at is its first byte, from 1.
type cell struct {
	text string
	at   int
}

// unquoted returns the line without what stands in quotes.
func unquoted(line string) string {
	if strings.IndexByte(line, '"') < 0 {
		return line
	}
	var out strings.Builder
	inside := false
	for k := range len(line) {
		if line[k] == '"' {
			inside = !inside
		} else if !inside {
			out.WriteByte(line[k])
		}
	}
	return out.String()
}

// marksOf lists the possible separators of the fields of a line. If it has a semicolon or a tab,
// commas may belong to numbers.
func marksOf(line string) []byte {
	line = unquoted(line)
	var marks []byte
	for _, mark := range []byte(";\t,") {
		if strings.IndexByte(line, mark) >= 0 {
			marks = append(marks, mark)
		}
	}
	return append(marks, ' ')
}

// split cuts a line at a mark, or at runs of blanks.
func split(cells []cell, line string, mark byte) ([]cell, error) {
	switch {
	case strings.IndexByte(line, '"') >= 0:
		return splitQuoted(cells, line, mark)
	case mark != ' ':
		first := 0
		for at := 0; at <= len(line); at++ {
			if at == len(line) || line[at] == mark {
				text := line[first:at]
				blanks := len(text) - len(strings.TrimLeft(text, " \t"))
				cells = append(cells, cell{strings.TrimSpace(text), first + blanks + 1})
				first = at + 1
			}
		}
		return cells, nil
	}
	for at := 0; at < len(line); {
		if line[at] == ' ' {
			at++
			continue
		}
		first := at
		for at < len(line) && line[at] != ' ' {
			at++
		}
		cells = append(cells, cell{line[first:at], first + 1})
	}
	return cells, nil
}

var errQuotes = errors.New("its quotes do not fit: a field in quotes begins and ends with one, on one line")

func splitQuoted(cells []cell, line string, mark byte) ([]cell, error) {
	lines := csv.NewReader(strings.NewReader(line))
	lines.Comma, lines.TrimLeadingSpace = rune(mark), mark != ' '
	fields, err := lines.Read()
	if err != nil {
		return cells, errQuotes
	}
	if mark == ' ' && len(strings.TrimSpace(strings.Join(fields, ""))) == 0 {
		return append(cells, cell{at: 1}), nil
	}
	for k, text := range fields {
		_, at := lines.FieldPos(k)
		if text = strings.TrimSpace(text); text != "" || mark != ' ' {
			cells = append(cells, cell{text, at})
		}
	}
	return cells, nil
}

// style is how the numbers of a table are written: what is the same in all of them.
type style struct {
	decimal byte // comma or point, 0 before it was seen
	percent byte // % for numbers with a sign, n without, 0 before a number was seen
	comma   bool // a comma was seen that cannot separate thousands
}

// number reads a field of a table whose columns are separated by mark. A problem says why
// the field is neither a number nor marked as missing. Numbers beyond 1e100 are refused:
// sums of their squares could overflow.
func (s *style) number(text string, mark byte) (v float64, missing bool, problem string) {
	switch text {
	case "", "NA", "NaN", "nan", "N/A", "n/a", "#N/A", "null", "NULL", "-":
		return 0, true, ""
	}
	digits, percent := strings.CutSuffix(text, "%")
	digits = strings.TrimSpace(digits)
	if rest, minus := strings.CutPrefix(digits, "−"); minus {
		digits = "-" + rest
	}
	if strings.Trim(digits, "0123456789+-.,eE") != "" {
		return 0, false, "is not a number"
	}
	commas, points := strings.Count(digits, ","), strings.Count(digits, ".")
	switch {
	case commas > 1 || points > 1 || commas > 0 && points > 0:
		return 0, false, "has marks between thousands: leave them out, as in 1234.5"
	case commas > 0 && mark != ';' && mark != '\t':
		return 0, false, "has a comma: write a decimal point, or part the columns by ; or tabs"
	}
	v, err := strconv.ParseFloat(strings.Replace(digits, ",", ".", 1), 64)
	if err != nil || math.Abs(v) > 1e100 {
		return 0, false, "is not a number"
	}
	if v == -99.99 || v == -999 {
		return 0, true, ""
	}
	decimal := byte(0)
	if commas > 0 {
		decimal = ','
		whole, rest, _ := strings.Cut(strings.TrimLeft(digits, "+-"), ",")
		s.comma = s.comma || len(rest) != 3 || len(whole) > 3 || whole == "" || whole[0] == '0'
	} else if points > 0 {
		decimal = '.'
	}
	if decimal != 0 && s.decimal != 0 && decimal != s.decimal {
		return 0, false, "has another decimal mark than the numbers before it"
	}
	sign := byte('n')
	if percent {
		sign = '%'
	}
	if v != 0 && s.percent != 0 && sign != s.percent {
		return 0, false, "differs from the numbers before it in having a % sign or none"
	}
	if decimal != 0 {
		s.decimal = decimal
	}
	if v != 0 {
		s.percent = sign
	}
	return v, false, ""
}
