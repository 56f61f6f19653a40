package variants

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/table"
)

// dialect is a way to write a table as text. The zero value is plain CSV.
type dialect struct {
	separator string // "" is a comma
	end       string // of a line; "" is a line feed
	quoted    bool   // every cell is quoted
	headless  bool   // no line has the names
	names     []string
	before    string // text before the first line
	trailing  string // text at the end of each line, before its end
}

var semicolon, tab, bar = dialect{separator: ";"}, dialect{separator: "\t"}, dialect{separator: "|"}

// text writes a table.
func (d dialect) text(t Table) []byte {
	var b bytes.Buffer
	b.WriteString(d.before)
	for _, line := range d.lines(t) {
		b.WriteString(line)
	}
	return b.Bytes()
}

// lines returns the lines of a table with their ends, the line of names first.
func (d dialect) lines(t Table) []string {
	separator, end := d.separator, d.end
	if separator == "" {
		separator = ","
	}
	if end == "" {
		end = "\n"
	}
	var lines []string
	line := func(cells []string) {
		for k, cell := range cells {
			if d.quoted || strings.ContainsAny(cell, "\"\r\n") || strings.Contains(cell, separator) {
				cells[k] = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
		}
		lines = append(lines, strings.Join(cells, separator)+d.trailing+end)
	}
	if !d.headless {
		names := append([]string(nil), d.names...)
		if names == nil {
			for _, c := range t.Columns {
				names = append(names, c.Name)
			}
		}
		line(names)
	}
	for i := range t.rows() {
		var cells []string
		for _, c := range t.Columns {
			cells = append(cells, c.Cells[i])
		}
		line(cells)
	}
	return lines
}

// one is a case of one file, which is trained on and scored.
func one(truth Table, name string, file []byte, about ...string) Case {
	return Case{Train: truth, Files: map[string][]byte{name: file}, Data: []string{name}, About: about}
}

// csv is a case of one CSV file.
func csv(truth Table, file []byte, about ...string) Case { return one(truth, "t.csv", file, about...) }

// object returns the keys and values of row i. Numbers are JSON numbers, missing cells null.
func object(t Table, i int) []string {
	var pairs []string
	for _, c := range t.Columns {
		pairs = append(pairs, quote(c.Name)+": "+value(c, c.Cells[i]))
	}
	return pairs
}

func value(c Column, cell string) string {
	_, err := strconv.ParseFloat(cell, 64)
	switch {
	case cell == "":
		return "null"
	case c.Kind == table.Number, c.Kind == table.Target && err == nil:
		return cell
	}
	return quote(cell)
}

// quote returns text as a JSON string, which leaves characters beyond ASCII as they are.
func quote(text string) string {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	out.Encode(text)
	return strings.TrimSuffix(b.String(), "\n")
}

// objects writes a table as JSON lines; change, where set, may change the pairs of a row.
func objects(t Table, change func(row int, pairs []string) []string) []byte {
	var b bytes.Buffer
	for i := range t.rows() {
		pairs := object(t, i)
		if change != nil {
			pairs = change(i, pairs)
		}
		b.WriteString("{" + strings.Join(pairs, ", ") + "}\n")
	}
	return b.Bytes()
}
