package returns

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/sparse"
)

// Read reads a table of returns, whatever compresses it.
//
// A row is a date and one number an asset, or only the numbers if a line above names all columns.
// Semicolons, tabs, commas or blanks separate the fields, which may stand in quotes. Dates are
// YYYYMMDD, YYYYMM, YYYY, YYYY-MM-DD, dd.mm.yyyy, dd/mm/yyyy or mm/dd/yyyy (see
// Options.DateOrder), perhaps with a time; all dates of a column have one form. Rows are returned
// in the order of their dates. A date may occur once.
//
// Numbers have a decimal point, or a comma if semicolons or tabs separate the columns.
// Either all or no numbers have a % sign, which changes nothing: 0.5% is 0.5. Thousands have
// no separator. -99.99, -999, an empty field, -, NA, N/A, NaN, null and #N/A are missing
// values.
//
// Lines before the first row are a header. Its last line names the assets if its fields
// fit. A table ends with an empty line that no further row follows. Lines that
// resemble a row with a mistake are errors, not headers.
//
// Errors of the content are a *sparse.FormatError, with line and column. Memory is a
// small multiple of the table's, and one line. Once ctx is done, Read returns an error that wraps
// ctx.Err(), after the call of r.Read that is under way.
func Read(ctx context.Context, r io.Reader, name string, options Options) (*Table, error) {
	if options.Missing < DropRows || options.Missing > RefuseMissing || options.Table < 0 ||
		options.DateOrder < AnyOrder || options.DateOrder > MonthFirst {
		return nil, fmt.Errorf("returns: options %+v", options)
	}
	if options.Table == 0 {
		options.Table = 1
	}
	plain, err := sparse.Decompress(r)
	if err != nil {
		return nil, &sparse.FormatError{Name: name, Message: err.Error()}
	}
	defer plain.Close()
	t := &reader{name: name, options: options, out: &Table{}}
	lines := bufio.NewScanner(plain)
	lines.Buffer(make([]byte, 1<<16), longestLine)
	for lines.Scan() {
		if t.line++; ctx != nil && ctx.Err() != nil {
			return nil, fmt.Errorf("%s: %w", name, ctx.Err())
		}
		if err := t.take(lines.Text()); err != nil {
			return nil, err
		}
	}
	if err := lines.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("the line is longer than %d bytes", longestLine)
		}
		return nil, &sparse.FormatError{Name: name, Line: t.line + 1, Message: err.Error()}
	}
	return t.finish()
}

const longestLine = 1 << 24

// heading is a line that may name the columns.
type heading struct {
	text string
	line int64
}

type reader struct {
	name    string
	options Options
	line    int64
	out     *Table

	cells  []cell
	before [2]heading // the last lines of text outside a table, nearest first
	bad    error      // what keeps the first line that is almost a row from being one

	inside bool // a table
	gap    bool // after an empty line
	dated  bool
	mark   byte // between fields
	width  int  // fields a row
	style  style
	dates  dateColumn
}

func (t *reader) trouble(column int, format string, args ...any) error {
	return &sparse.FormatError{Name: t.name, Line: t.line, Column: column, Message: fmt.Sprintf(format, args...)}
}

// take reads a line.
func (t *reader) take(line string) error {
	if t.line == 1 {
		if strings.HasPrefix(line, "\xff\xfe") || strings.HasPrefix(line, "\xfe\xff") {
			return t.trouble(1, "the text is UTF-16: save it as UTF-8")
		}
		line = strings.TrimPrefix(line, "\ufeff")
	}
	line = strings.TrimRight(line, "\r \t")
	if line == "" {
		t.gap = true
		if t.out.Report.Tables == 0 {
			t.out.Report.HeaderLines++
		}
		return nil
	}
	gap := t.gap
	t.gap = false
	if t.inside {
		var problem error
		if t.cells, problem = split(t.cells[:0], line, t.mark); problem != nil {
			return t.trouble(0, "%v", problem)
		}
		first := t.cells[0]
		isRow := first.text == "" || startsNumber(first.text)
		switch {
		case !gap && !isRow:
			return t.trouble(first.at, "%.40q where a row of the table should begin; an empty line ends a table", first.text)
		case !gap || isRow && t.continues():
			if t.out.Report.Tables != t.options.Table {
				return nil
			}
			return t.row()
		}
		t.inside, t.before = false, [2]heading{}
	}
	return t.outside(line, gap)
}

// continues tells whether the cells after an empty line belong to the table above it.
func (t *reader) continues() bool {
	if len(t.cells) != t.width {
		return false
	}
	for _, c := range t.cells[1:] {
		if _, _, problem := new(style).number(c.text, t.mark); problem != "" {
			return false
		}
	}
	return true
}

// outside takes a line that is a header, or the first row of a table.
func (t *reader) outside(line string, gap bool) error {
	if strings.Count(line, "\"")%2 != 0 {
		return t.trouble(0, "%v", errQuotes)
	}
	if !t.begins(line) {
		if t.out.Report.Tables == 0 {
			t.out.Report.HeaderLines++
		}
		t.before = [2]heading{{line, t.line}, t.before[0]}
		return nil
	}
	t.inside, t.width = true, len(t.cells)
	t.out.Report.Tables++
	if t.out.Report.Tables != t.options.Table {
		return nil
	}
	if err := t.heading(gap); err != nil {
		return err
	}
	return t.row()
}

// begins tells whether a line may be the first row of a table, whatever separates its
// fields: a date and numbers, or numbers only. After a date with a day one number is
// enough, so that a row with a mistake is not taken for a header.
func (t *reader) begins(line string) bool {
	var bad error
	for _, mark := range marksOf(line) {
		var problem error
		if t.cells, problem = split(t.cells[:0], line, mark); problem != nil || t.cells[0].text == "" || !startsNumber(t.cells[0].text) {
			continue
		}
		rest := t.cells
		date, dated := readDate(t.cells[0].text)
		if dated {
			if rest = rest[1:]; len(rest) == 0 {
				continue
			}
		}
		numbers, wrong := 0, -1
		for k, c := range rest {
			if _, _, problem := new(style).number(c.text, mark); problem == "" {
				numbers++
			} else if wrong < 0 {
				wrong = k
				if len(t.cells) > 1 && bad == nil {
					bad = t.trouble(c.at, "%.40q %s", c.text, problem)
				}
			}
		}
		if wrong < 0 || dated && date.shape.parts == 3 && numbers > 0 {
			t.dated, t.mark = dated, mark
			return true
		}
	}
	if t.bad == nil {
		t.bad = bad
	}
	return false
}

// heading names the assets, by the line before the first row. gap says that an empty
// line stands between them.
func (t *reader) heading(gap bool) error {
	names := t.fitting(t.before[0].text)
	above := t.before[0]
	if names != nil && t.dated && len(names) == t.width {
		if date, _ := readDate(t.cells[0].text); date.shape == (dateShape{parts: 1}) && !namesDate(names[0]) {
			t.dated = false // numbers that might be years, of an asset
		}
	}
	if names == nil && !gap && above.text != "" && t.mark != ' ' && strings.IndexByte(unquoted(above.text), t.mark) >= 0 {
		return t.trouble(0, "the row has %d columns, which line %d does not name one by one; if it is no header, leave an empty line below it", t.width, above.line)
	}
	first := t.cells[0]
	if !t.dated {
		const dates = "dates are written as 20180329, 2018-03-29 or 29.03.2018"
		switch {
		case len(names) != t.width:
			return t.trouble(first.at, "the first column begins with %.40q, which is no date; %s. Where no column holds dates, a line above the rows names every column", first.text, dates)
		case namesDate(names[0]):
			return t.trouble(first.at, "the column %q begins with %.40q, which is no date; %s", names[0], first.text, dates)
		}
	}
	assets := t.width
	if t.dated {
		assets--
	}
	t.out.Report.Title = strings.TrimSpace(t.before[1].text)
	if names == nil {
		t.out.Report.Title = strings.TrimSpace(above.text)
		names = make([]string, assets)
	}
	for _, name := range names {
		if t.isValue(name) {
			return &sparse.FormatError{Name: t.name, Line: above.line, Message: fmt.Sprintf("%.40q names a column: is this a row with something wrong in it? Names may not be dates, nor numbers with a sign or a fraction", name)}
		}
	}
	names = names[len(names)-assets:]
	seen := make(map[string]bool)
	for j, name := range names {
		if name == "" {
			name = "asset-" + strconv.Itoa(j+1)
		}
		if seen[name] {
			return &sparse.FormatError{Name: t.name, Line: above.line, Message: fmt.Sprintf("two columns are named %.40q", name)}
		}
		seen[name] = true
		t.out.Assets = append(t.out.Assets, name)
	}
	return nil
}

// isValue tells whether the name of a column may be a number of a row. It may be any number
// if no column holds dates or if the line above names the columns too. Otherwise it needs a
// sign or a fraction, since assets may be numbered.
func (t *reader) isValue(name string) bool {
	if date, is := readDate(name); is && date.shape.parts == 3 {
		return true
	}
	if _, missing, problem := new(style).number(name, t.mark); missing || problem != "" {
		return false
	}
	return !t.dated || strings.Trim(name, "0123456789") != "" || t.fitting(t.before[1].text) != nil
}

// fitting returns the fields of a header line if there is one for each column, or for
// each but the first.
func (t *reader) fitting(line string) []string {
	fits := func(n int) bool { return n > 0 && (n == t.width || n == t.width-1 && t.dated) }
	var names []string
	if line = strings.TrimRight(line, "\r \t"); t.mark == ' ' {
		for _, text := range strings.Split(strings.TrimSpace(line), "  ") { // names with blanks
			if text = strings.TrimSpace(text); text != "" {
				names = append(names, text)
			}
		}
		if fits(len(names)) {
			return names
		}
		names = nil
	}
	cells, err := split(nil, line, t.mark)
	if err != nil {
		return nil
	}
	for _, c := range cells {
		names = append(names, strings.Clone(c.text))
	}
	if !fits(len(names)) {
		return nil
	}
	return names
}

// row reads a row of the table that is wanted.
func (t *reader) row() error {
	if len(t.cells) != t.width {
		return t.trouble(0, "%d fields where the rows above have %d", len(t.cells), t.width)
	}
	values := t.cells
	if t.dated {
		first := values[0]
		if message := t.dates.add(first.text, t.line, t.options.DateOrder); message != "" {
			return t.trouble(first.at, "%s", message)
		}
		t.out.Dates = append(t.out.Dates, strings.Clone(first.text))
		values = values[1:]
	}
	for _, c := range values {
		v, missing, problem := t.style.number(c.text, t.mark)
		if problem != "" {
			return t.trouble(c.at, "%.40q %s", c.text, problem)
		}
		if missing {
			if t.options.Missing == RefuseMissing {
				return t.trouble(c.at, "a missing value (%.10q)", c.text)
			}
			t.out.Report.Missing++
			v = math.NaN()
		} else if t.options.Fraction {
			v /= 100
		}
		t.out.Values = append(t.out.Values, v)
	}
	t.out.Report.Rows++
	return nil
}

// startsNumber tells a row from a line of words.
func startsNumber(text string) bool {
	return strings.IndexByte("0123456789+-.", text[0]) >= 0 || strings.HasPrefix(text, "−")
}

// finish puts the rows in order and deals with the missing values.
func (t *reader) finish() (*Table, error) {
	r := t.out
	trouble := func(format string, args ...any) error {
		return &sparse.FormatError{Name: t.name, Message: fmt.Sprintf(format, args...)}
	}
	switch {
	case r.Report.Tables == 0 && t.bad != nil:
		return nil, t.bad
	case r.Report.Tables == 0:
		return nil, trouble("there is no row of a date and numbers in it")
	case r.Report.Tables < t.options.Table:
		return nil, trouble("there are %d tables in it; table %d was asked for", r.Report.Tables, t.options.Table)
	case t.options.DateOrder != AnyOrder && !t.dated:
		return nil, trouble("it has no dates, to which the order %s could apply", orderNames[t.options.DateOrder])
	case t.style.decimal == ',' && !t.style.comma:
		return nil, trouble("its commas may be decimal or part thousands: write 1,2340 or 1234")
	}
	r.Report.Percent = t.style.percent == '%'
	r.Periods = r.Report.Rows
	if r.Dates != nil {
		rows, turned, err := t.dates.sorted(t.name)
		if err != nil {
			return nil, err
		}
		if rows != nil {
			r.order(rows)
			r.Report.Turned, r.Report.Sorted = turned, !turned
		}
	}
	r.countPrices()
	if err := r.fill(t.options.Missing, t.name); err != nil {
		return nil, err
	}
	return r, nil
}
