package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/table"
)

// TableReport describes a table: its columns, and what a training makes of each.
type TableReport struct {
	Name    string         `json:"data"`
	Format  string         `json:"format"`
	Rows    int64          `json:"n"`
	Encoded int            `json:"encoded_columns"`
	Columns []columnReport `json:"columns"`
	Hash    int            `json:"hash,omitempty"`
	Crosses [][2]string    `json:"crosses,omitempty"`
	Pairs   [][2]string    `json:"pairs,omitempty"`
}

// columnReport describes a column of a table.
type columnReport struct {
	Name      string       `json:"name"`
	Kind      table.Kind   `json:"kind"`
	Why       string       `json:"why,omitempty"`
	Missing   int64        `json:"missing"`
	Distinct  int          `json:"distinct,omitempty"`
	Above     int          `json:"distinct_above,omitempty"` // where there are too many to count
	Least     *float64     `json:"least,omitempty"`
	Greatest  *float64     `json:"greatest,omitempty"`
	Commonest []valueCount `json:"commonest,omitempty"`
	Encoded   string       `json:"encoded,omitempty"`
	Made      string       `json:"made"`
}

type valueCount struct {
	Value string `json:"value"`
	Count int64  `json:"count"`
}

// mostValues is the number of values of a column that the JSON of a table has.
const mostValues = 10

// NewTableReport describes a table by the encoder that was fitted to it.
func NewTableReport(name, format string, e *table.Encoder) *TableReport {
	recipe := e.Recipe()
	t := &TableReport{Name: name, Format: format, Encoded: e.Width(), Hash: recipe.Hash, Crosses: recipe.Crosses, Pairs: recipe.Pairs}
	for k, c := range recipe.Columns {
		l := c.Learned
		if l == nil {
			l = &table.Learned{}
		}
		t.Rows = max(t.Rows, l.Rows)
		first, end := e.Span(k)
		if c.Kind == table.Cross {
			pairs := *l
			for i := range l.Pairs {
				pairs.Values = append(pairs.Values, e.Name(first+i))
			}
			l = &pairs
		}
		r := columnReport{Name: c.Name, Kind: c.Kind, Why: c.Why, Missing: l.Missing}
		if c.Kind != table.Time {
			r.Distinct, r.Commonest = len(l.Values), commonestValues(l, mostValues)
		}
		r.Made = madeOf(&c, l, recipe.Hash)
		switch {
		case end > first:
			r.Encoded = grouped(float64(end - first))
		case c.Hashed || c.Kind == table.VW:
			r.Encoded = "hashed"
		}
		if c.Kind == table.Number || c.Kind == table.Time {
			r.Least, r.Greatest = &l.Least, &l.Greatest
		}
		t.Columns = append(t.Columns, r)
	}
	return t
}

// mostCounted is the number of values up to which package table counts them.
const mostCounted = 10000

// Describe adds what the columns of the table itself hold.
func (t *TableReport) Describe(list []table.Description) {
	for k, d := range list {
		c := &t.Columns[k]
		if t.Rows = max(t.Rows, d.Rows); c.Kind == table.VW || c.Kind == table.Cross {
			continue
		}
		if c.Missing, c.Distinct, c.Commonest = d.Missing, d.Distinct, nil; d.Distinct < 0 {
			c.Distinct, c.Above = 0, mostCounted
		}
		for i, value := range d.Common {
			c.Commonest = append(c.Commonest, valueCount{value, d.Counts[i]})
		}
		if d.Numbers > 0 && c.Kind != table.Time {
			c.Least, c.Greatest = &d.Least, &d.Greatest
		}
		if c.Kind == table.Ignore && c.Why != "" && c.Why != "named" {
			c.Made += ": " + c.Why
		}
		if c.Encoded == "" || c.Encoded == "hashed" {
			c.Made += c.examples()
		}
	}
}

// examples names the range and the commonest values of a column that does not say them as it is
// encoded.
func (c *columnReport) examples() (text string) {
	if strings.Contains(c.Made, "(") {
		return ""
	}
	if c.Least != nil && c.Distinct != 1 {
		text = fmt.Sprintf("; %.6g to %.6g", *c.Least, *c.Greatest)
	}
	var parts []string
	for _, v := range c.Commonest[:min(len(c.Commonest), mostCommon)] {
		if v.Count == 1 {
			break
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", brief(v.Value), grouped(float64(v.Count))))
	}
	if parts != nil {
		text += "; most: " + strings.Join(parts, ", ")
	}
	return text
}

// commonestValues lists the values that most rows have.
func commonestValues(l *table.Learned, most int) (list []valueCount) {
	if len(l.Counts) != len(l.Values) {
		return nil
	}
	for k, value := range l.Values {
		list = append(list, valueCount{value, l.Counts[k]})
	}
	slices.SortStableFunc(list, func(a, b valueCount) int { return int(min(max(b.Count-a.Count, -1), 1)) })
	return list[:min(len(list), most)]
}

// Print prints the report.
func (t *TableReport) Print(a *console.App) error {
	if a.JSON {
		return a.PrintJSON(t)
	}
	text := console.NewText()
	text.Row("table", "%s, %s", t.Name, t.Format)
	text.Row("rows", "%d", t.Rows)
	text.Row("encoded columns", "%d", t.Encoded)
	t.addPairs(text)
	fmt.Fprintln(text)
	addColumns(text, t.Columns)
	return a.PrintText(text)
}

// addPairs prints a line for each pair of columns or values.
func (t *TableReport) addPairs(text *console.Text) {
	for _, pair := range t.Crosses {
		text.Row("pair of columns", "%s * %s, hashed to 2^%d shared places", pair[0], pair[1], t.Hash)
	}
	for _, pair := range t.Pairs {
		text.Row("pair of values", "%s * %s, a column of its own", console.Printable(pair[0], ""), console.Printable(pair[1], ""))
	}
}

// addColumns prints a line for each column.
func addColumns(text *console.Text, columns []columnReport) {
	text.Left()
	fmt.Fprint(text, "column\ttype\tmissing\tdistinct\tencoded\twhat train makes of it\n")
	for _, c := range columns {
		count := func(n int64) string {
			if n == 0 {
				return ""
			}
			return grouped(float64(n))
		}
		distinct := count(int64(c.Distinct))
		if c.Above > 0 {
			distinct = "> " + grouped(float64(c.Above))
		}
		fmt.Fprintf(text, "%s\t%s\t%s\t%s\t%s\t%s\n", console.Printable(c.Name, ""), c.Kind, count(c.Missing), distinct, c.Encoded, console.Printable(c.Made, ""))
	}
}
