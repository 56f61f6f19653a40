// Package returns reads tables of the returns of assets, as portfolio selection needs
// them, and generates some.
package returns

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/lanes-go/lanes/internal/base/stamp"
	"github.com/lanes-go/lanes/sparse"
)

// Table is a table of returns: Periods rows of len(Assets) numbers, in the order of their
// dates.
type Table struct {
	Assets  []string
	Dates   []string // as in the file, one a row; nil for a table without dates
	Periods int
	Values  []float64 // row after row
	Report  Report
}

// PeriodsPerYear returns the mean number of rows in the whole years between the first and the
// last date. This is about 252 for trading days and 12 for months. It returns 0 if no whole year
// lies between. It takes O(Periods) time.
func (t *Table) PeriodsPerYear() float64 {
	year := func(text string) int {
		d, ok := readDate(text)
		if !ok || d.shape.year < 0 {
			return 0
		}
		return d.parts[d.shape.year]
	}
	if len(t.Dates) == 0 {
		return 0
	}
	first, last := year(t.Dates[0]), year(t.Dates[len(t.Dates)-1])
	if first == 0 || last-first < 2 {
		return 0
	}
	rows := 0
	for _, text := range t.Dates {
		if at := year(text); first < at && at < last {
			rows++
		}
	}
	return float64(rows) / float64(last-first-1)
}

// Report tells what a reader found and did.
type Report struct {
	Title       string // the line that heads the table
	HeaderLines int    // lines before the first row
	Tables      int    // in the file
	Rows        int    // of the table, as it stands in the file
	Missing     int    // values
	Dropped     int    // rows
	Imputed     int    // values
	Turned      bool   // the newest row stood first
	Sorted      bool   // the rows stood in no order
	Percent     bool   // numbers have a % sign
	Prices      int    // assets whose values may be prices: all positive, 5 or more on average
}

// String describes the report in a line.
func (r Report) String() string {
	var parts []string
	add := func(when bool, format string, args ...any) {
		if when {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add(r.Title != "", "table %q", r.Title)
	add(true, "%d rows, %d missing values", r.Rows, r.Missing)
	add(r.Dropped > 0, "%d rows dropped", r.Dropped)
	add(r.Imputed > 0, "%d values imputed", r.Imputed)
	add(r.Turned, "the newest row stood first: turned round")
	add(r.Sorted, "the rows stood in no order: sorted by date")
	add(r.Tables > 1, "%d tables in the file", r.Tables)
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
	return 0, fmt.Errorf("returns: missing values can be treated by %s, not by %q", strings.Join(missingNames, ", "), name)
}

// Options say how a table is read. The zero value suits the files of Kenneth
// French's data library.
type Options struct {
	Missing Missing
	// Fraction divides by 100: the file is in percent and fractions are wanted.
	Fraction bool
	// Table is the number of the table, from 1, where the file has several; 0 means 1.
	Table int
	// DateOrder is for dates such as 3/4/2018, which do not tell days from months.
	DateOrder DateOrder
}

// ReadFile reads a file, plain or compressed by gzip, bzip2, xz or zstd.
func ReadFile(ctx context.Context, path string, options Options) (*Table, error) {
	file, err := stamp.OpenNow(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return Read(ctx, file, path, options)
}

// fill deals with the missing values, which are NaN.
func (r *Table) fill(missing Missing, name string) error {
	if r.Report.Missing == 0 {
		return nil
	}
	if missing == DropRows {
		r.dropRows()
		if r.Periods == 0 {
			return &sparse.FormatError{Name: name, Message: "every row misses a value: leave out columns that are empty, or impute what is missing"}
		}
		return nil
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
		if missing == ImputeMean {
			if count == 0 {
				return &sparse.FormatError{Name: name, Message: fmt.Sprintf("asset %s has no value at all", r.Assets[j])}
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
	return nil
}

func (r *Table) dropRows() {
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

// Rows returns the values of rows first to end-1, which it shares; nil where not all
// of them exist.
func (r *Table) Rows(first, end int) []float64 {
	d := len(r.Assets)
	if first < 0 || first > end || d > 0 && end > len(r.Values)/d {
		return nil
	}
	return r.Values[first*d : end*d]
}

// order puts the rows into another order.
func (r *Table) order(rows []int) {
	d := len(r.Assets)
	values, dates := make([]float64, 0, len(r.Values)), make([]string, 0, len(rows))
	for _, i := range rows {
		values, dates = append(values, r.Values[i*d:(i+1)*d]...), append(dates, r.Dates[i])
	}
	r.Values, r.Dates = values, dates
}

// countPrices counts the assets that have no loss and whose mean is 5 or more: no
// returns are like that, in percent or fractions.
func (r *Table) countPrices() {
	d := len(r.Assets)
	for j := range d {
		least, sum, count := math.Inf(1), 0.0, 0.0
		for i := j; i < len(r.Values); i += d {
			if v := r.Values[i]; v == v {
				least, sum, count = min(least, v), sum+v, count+1
			}
		}
		if count > 1 && least > 0 && sum >= 5*count {
			r.Report.Prices++
		}
	}
}
