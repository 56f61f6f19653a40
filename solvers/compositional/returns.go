package compositional

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/sparse"
)

// Returns is a table of rewards: Periods rows of len(Assets) numbers.
type Returns struct {
	Assets  []string
	Dates   []string // as in the file, one a row; nil where the table has none
	Periods int
	Values  []float64 // row after row
	Report  ReturnsReport
}

// ReturnsReport tells what a reader found and did.
type ReturnsReport struct {
	Title       string // the line that heads the table
	HeaderLines int    // lines before the first row
	Tables      int    // in the file
	Rows        int    // of the table, as it stands in the file
	Missing     int    // values
	Dropped     int    // rows
	Imputed     int    // values
}

// String describes the report in a line.
func (r ReturnsReport) String() string {
	var parts []string
	if r.Title != "" {
		parts = append(parts, fmt.Sprintf("table %q", r.Title))
	}
	parts = append(parts, fmt.Sprintf("%d rows", r.Rows), fmt.Sprintf("%d missing values", r.Missing))
	if r.Dropped > 0 {
		parts = append(parts, fmt.Sprintf("%d rows dropped", r.Dropped))
	}
	if r.Imputed > 0 {
		parts = append(parts, fmt.Sprintf("%d values imputed", r.Imputed))
	}
	if r.Tables > 1 {
		parts = append(parts, fmt.Sprintf("%d tables in the file", r.Tables))
	}
	return strings.Join(parts, ", ")
}

// Missing says what becomes of missing values.
type Missing int

const (
	// DropRows leaves out every row that misses a value.
	DropRows Missing = iota
	// ImputeMean puts the mean of the asset's other values.
	ImputeMean
	// ImputeZero puts 0.
	ImputeZero
	// RefuseMissing makes a missing value an error.
	RefuseMissing
)

var missingNames = []string{"drop", "mean", "zero", "refuse"}

// ParseMissing returns what drop, mean, zero or refuse stand for.
func ParseMissing(name string) (Missing, error) {
	for k, known := range missingNames {
		if name == known {
			return Missing(k), nil
		}
	}
	return 0, fmt.Errorf("compositional: missing values can be treated by %s, not by %q", strings.Join(missingNames, ", "), name)
}

// ReturnsOptions say how a table is read. The zero value suits the files of Kenneth
// French's data library.
type ReturnsOptions struct {
	Missing Missing
	// Fraction divides by 100: the file is in percent and fractions are wanted.
	Fraction bool
	// Table is the number of the table, from 1, where the file has several; 0 means 1.
	Table int
}

// ReadReturnsFile reads a file, plain or compressed by gzip, bzip2, xz or zstd.
func ReadReturnsFile(path string, options ReturnsOptions) (*Returns, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadReturns(file, path, options)
}

// ReadReturns reads a table of returns, whatever compresses it. A row is a date and one
// number an asset, or only the numbers, parted by commas, semicolons, tabs or blanks; a
// date is YYYYMMDD, YYYYMM, YYYY, or digits parted by - or /. Lines before the first row
// are a header, the last of which names the assets if its fields fit; a line that is
// empty or begins with a word ends the table. -99.99, -999, an empty field between
// commas, NA and NaN are missing values.
//
// Errors of the content are a *sparse.FormatError, with line and column. Memory is that
// of the table, and of one line.
func ReadReturns(r io.Reader, name string, options ReturnsOptions) (*Returns, error) {
	if options.Missing < DropRows || options.Missing > RefuseMissing || options.Table < 0 {
		return nil, fmt.Errorf("compositional: options %+v", options)
	}
	if options.Table == 0 {
		options.Table = 1
	}
	plain, free, err := sparse.Decompress(r)
	if err != nil {
		return nil, &sparse.FormatError{Name: name, Message: err.Error()}
	}
	defer free()
	t := &tableReader{name: name, options: options, out: &Returns{}}
	lines := bufio.NewScanner(plain)
	lines.Buffer(make([]byte, 1<<16), maxReturnsLine)
	for lines.Scan() {
		t.line++
		if err := t.take(lines.Text()); err != nil {
			return nil, err
		}
	}
	if err := lines.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("the line is longer than %d bytes", maxReturnsLine)
		}
		return nil, &sparse.FormatError{Name: name, Line: t.line + 1, Message: err.Error()}
	}
	return t.finish()
}

const maxReturnsLine = 1 << 24

// cell is a field of a line; at is its first byte, from 1.
type cell struct {
	text string
	at   int
}

type tableReader struct {
	name    string
	options ReturnsOptions
	line    int64
	out     *Returns

	cells  []cell
	before [2]string // the last lines before the table, nearest first
	inside bool      // a table
	dated  bool
	width  int // cells a row
}

func (t *tableReader) trouble(column int, format string, args ...any) error {
	return &sparse.FormatError{Name: t.name, Line: t.line, Column: column, Message: fmt.Sprintf(format, args...)}
}

// take reads a line.
func (t *tableReader) take(line string) error {
	if t.line == 1 {
		line = strings.TrimPrefix(line, "\ufeff")
	}
	line = strings.TrimRight(line, "\r \t")
	t.cells = split(t.cells[:0], line)
	report := &t.out.Report
	if !t.inside {
		if !t.begins() {
			if report.Tables == 0 {
				report.HeaderLines++
			}
			if strings.TrimSpace(line) != "" {
				t.before[1], t.before[0] = t.before[0], line
			}
			return nil
		}
		t.inside, t.width, t.dated = true, len(t.cells), isDate(t.cells[0].text)
		if report.Tables++; report.Tables == t.options.Table {
			t.heading()
		}
	}
	if len(t.cells) == 0 || t.cells[0].text != "" && !startsNumber(t.cells[0].text) {
		t.inside = false
		t.before = [2]string{line}
		return nil
	}
	if report.Tables != t.options.Table {
		return nil
	}
	return t.row()
}

// begins tells whether the cells look like the first row of a table.
func (t *tableReader) begins() bool {
	if len(t.cells) == 0 || t.cells[0].text == "" || !startsNumber(t.cells[0].text) {
		return false
	}
	rest := t.cells
	if isDate(t.cells[0].text) {
		if rest = rest[1:]; len(rest) == 0 {
			return false
		}
	}
	for _, c := range rest {
		if _, _, ok := number(c.text); !ok {
			return false
		}
	}
	return true
}

// heading names the assets.
func (t *tableReader) heading() {
	assets := t.width
	if t.dated {
		assets--
	}
	title := t.before[1]
	names := fitting(t.before[0], t.width, assets)
	if names == nil {
		title = t.before[0]
		for j := range assets {
			names = append(names, "asset-"+strconv.Itoa(j+1))
		}
	}
	t.out.Assets, t.out.Report.Title = names, strings.TrimSpace(title)
}

// fitting returns the cells of a header line if there is one for each asset, or also
// one for the date.
func fitting(line string, width, assets int) []string {
	cells := split(nil, line)
	if len(cells) != width && len(cells) != assets {
		cells = nil
		for at, text := range strings.Split(strings.TrimSpace(line), "  ") { // names with blanks
			if text = strings.TrimSpace(text); text != "" {
				cells = append(cells, cell{text, at})
			}
		}
	}
	if len(cells) != width && len(cells) != assets {
		return nil
	}
	var names []string
	for _, c := range cells[len(cells)-assets:] {
		if c.text == "" {
			return nil
		}
		names = append(names, strings.Clone(c.text))
	}
	return names
}

// row reads a row of the table that is wanted.
func (t *tableReader) row() error {
	if len(t.cells) != t.width {
		return t.trouble(0, "%d fields where the rows above have %d", len(t.cells), t.width)
	}
	values := t.cells
	if t.dated {
		if !isDate(values[0].text) {
			return t.trouble(values[0].at, "%.40q where a date should stand, as in 20180329", values[0].text)
		}
		t.out.Dates = append(t.out.Dates, strings.Clone(values[0].text))
		values = values[1:]
	}
	for _, c := range values {
		v, missing, ok := number(c.text)
		if !ok {
			return t.trouble(c.at, "%.40q is not a number", c.text)
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

// finish deals with the missing values.
func (t *tableReader) finish() (*Returns, error) {
	r := t.out
	switch {
	case r.Report.Tables == 0:
		return nil, &sparse.FormatError{Name: t.name, Message: "there is no row of a date and numbers in it"}
	case r.Report.Tables < t.options.Table:
		return nil, &sparse.FormatError{Name: t.name, Message: fmt.Sprintf("there are %d tables in it; table %d was asked for", r.Report.Tables, t.options.Table)}
	}
	r.Periods = r.Report.Rows
	if r.Report.Missing == 0 {
		return r, nil
	}
	if t.options.Missing == DropRows {
		r.dropRows()
		if r.Periods == 0 {
			return nil, &sparse.FormatError{Name: t.name, Message: "every row misses a value; impute them"}
		}
		return r, nil
	}
	d := len(r.Assets)
	for j := range d {
		sum, count := 0.0, 0
		for i := j; i < len(r.Values); i += d {
			if v := r.Values[i]; v == v {
				sum += v
				count++
			}
		}
		fill := 0.0
		if t.options.Missing == ImputeMean {
			if count == 0 {
				return nil, &sparse.FormatError{Name: t.name, Message: fmt.Sprintf("asset %s has no value at all", r.Assets[j])}
			}
			fill = sum / float64(count)
		}
		for i := j; i < len(r.Values); i += d {
			if r.Values[i] != r.Values[i] {
				r.Values[i] = fill
				r.Report.Imputed++
			}
		}
	}
	return r, nil
}

func (r *Returns) dropRows() {
	d := len(r.Assets)
	kept := 0
	for i := range r.Periods {
		row := r.Values[i*d : (i+1)*d]
		whole := true
		for _, v := range row {
			whole = whole && v == v
		}
		if !whole {
			continue
		}
		copy(r.Values[kept*d:], row)
		if r.Dates != nil {
			r.Dates[kept] = r.Dates[i]
		}
		kept++
	}
	r.Report.Dropped = r.Periods - kept
	r.Periods, r.Values = kept, r.Values[:kept*d]
	if r.Dates != nil {
		r.Dates = r.Dates[:kept]
	}
}

// Portfolio returns the composition (6) over rows first to end-1, which it shares.
func (r *Returns) Portfolio(first, end int, risk float64) (*Portfolio, error) {
	d := len(r.Assets)
	if first < 0 || end > r.Periods || first >= end {
		return nil, fmt.Errorf("compositional: rows %d to %d of %d", first, end, r.Periods)
	}
	return NewPortfolio(r.Values[first*d:end*d], end-first, d, risk)
}

// split cuts a line at commas, semicolons or tabs where it has any, and at blanks
// otherwise.
func split(cells []cell, line string) []cell {
	for _, mark := range []byte{',', ';', '\t'} {
		if strings.IndexByte(line, mark) < 0 {
			continue
		}
		first := 0
		for at := 0; at <= len(line); at++ {
			if at == len(line) || line[at] == mark {
				text := line[first:at]
				blanks := len(text) - len(strings.TrimLeft(text, " \t"))
				cells = append(cells, cell{strings.TrimSpace(text), first + blanks + 1})
				first = at + 1
			}
		}
		return cells
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
	return cells
}

// startsNumber tells a row from a line of words.
func startsNumber(text string) bool {
	return strings.IndexByte("0123456789+-.", text[0]) >= 0
}

// number reads a value. Anything that is neither decimal nor marked as missing is not
// ok, nor is a number beyond 1e100, which could not be squared and summed.
func number(text string) (v float64, missing, ok bool) {
	switch text {
	case "", "NA", "NaN", "nan", "N/A":
		return 0, true, true
	}
	for k := range len(text) {
		if strings.IndexByte("0123456789+-.eE", text[k]) < 0 {
			return 0, false, false
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.Abs(v) > 1e100 {
		return 0, false, false
	}
	return v, v == -99.99 || v == -999, true
}

// isDate accepts YYYYMMDD, YYYYMM, YYYY, and two or three groups of digits parted by -
// or /.
func isDate(text string) bool {
	digits, marks, last := 0, 0, byte('-')
	for k := range len(text) {
		switch c := text[k]; {
		case c >= '0' && c <= '9':
			digits++
		case (c == '-' || c == '/') && last != '-' && last != '/':
			marks++
		default:
			return false
		}
		last = text[k]
	}
	if last == '-' || last == '/' {
		return false
	}
	if marks > 0 {
		return marks <= 2 && digits >= 3 && digits <= 8
	}
	part := func(from, to, least, most int) bool {
		v, err := strconv.Atoi(text[from:to])
		return err == nil && v >= least && v <= most
	}
	switch len(text) {
	case 4:
		return part(0, 4, 1500, 2500)
	case 6:
		return part(0, 4, 1500, 2500) && part(4, 6, 1, 12)
	case 8:
		return part(0, 4, 1500, 2500) && part(4, 6, 1, 12) && part(6, 8, 1, 31)
	}
	return false
}
