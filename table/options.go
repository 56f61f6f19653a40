package table

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// Options say how a file is read. The zero value finds out what it is.
type Options struct {
	// Format is the format: FormatCSV, FormatParquet, FormatJSON or FormatVW; "" finds out by the
	// content. VW text has to be named.
	Format string
	// Encoding is how the text of the files is encoded, by one of the names that browsers know:
	// utf-8, utf-16, windows-1252, shift_jis and others; latin1 means windows-1252. cp437, cp850 and
	// cp852 are known, too. "" means UTF-8, and UTF-16 where a byte-order mark or the zeros in the
	// first bytes say so. A row with bytes that the encoding does not have is malformed, in
	// whichever column they stand.
	Encoding string
	// Separator separates the cells of CSV: a comma, a semicolon, a tab, a bar or another mark of
	// ASCII. A blank stands for columns that are cut by runs of blanks and tabs. 0 finds out one of
	// the separators named here.
	Separator byte
	// Header says whether the first line of CSV names the columns. Columns without names are
	// called 1, 2, and so on.
	Header Header
	// Quotes says whether a quote at the beginning of a cell of CSV opens quoted text.
	Quotes Quotes
	// MaxColumns refuses tables of more columns, before memory is taken for them; 0 means 65,536.
	// JSON lines have as many keys at most.
	MaxColumns int
	// BadRows is how many malformed rows are left out before one is an error.
	BadRows int
	// BadShare is the share of all rows that may be malformed and left out in place of a number,
	// from 0 to 1. More are an error at the end of the pass.
	BadShare float64
	// Skipped, where set, is told each row that BadRows leaves out, in the order of the rows, by
	// one goroutine at a time. Each pass over the source tells it again.
	Skipped func(error)
	// Workers is the number of goroutines that read and encode; 0 means one a core. No result
	// depends on it.
	Workers int
	// Progress, where set, is told now and then how many bytes of the files, packed as they are,
	// have been read. It is told how many rows are in, too. One goroutine at a time calls it.
	Progress func(bytes, rows int64)

	// Stdin is what Open reads as -; nil means os.Stdin. Each Source needs a stream of its own.
	Stdin io.Reader
	// StdinName is the name of Stdin in errors; "" means standard input.
	StdinName string

	known []string // columns that the table is expected to have

	row  int // most bytes of a row, for tests; 0 means the usual
	part int // bytes of text that a worker takes, for tests; 0 means the usual
}

// Check returns an error if the format, the encoding or the separator is not known.
func (o *Options) Check() error {
	if o.Encoding != "" {
		if _, _, err := encodingByName(o.Encoding); err != nil {
			return err
		}
	}
	switch {
	case o.MaxColumns < 0:
		return fmt.Errorf("table: MaxColumns is %d; it must be 0 or more", o.MaxColumns)
	case o.Format != "" && openers[o.Format] == nil:
		return fmt.Errorf("table: format %q: want csv, parquet, jsonl or vw", o.Format)
	case o.Separator != 0 && !isSeparator(o.Separator):
		return fmt.Errorf("table: separator %q: want a comma, a semicolon, a tab, a bar, a blank, or another mark as ^", o.Separator)
	}
	return nil
}

// Header says whether a table names its columns.
type Header uint8

// Whether the first line of CSV names the columns.
const (
	// FindHeader finds out by the first rows. Words above numbers, and values that do not come
	// again where others do, speak for names of columns. Numbers above numbers, and values that
	// come again, speak for a row. Years, places from 0 or 1, and months are names above numbers of
	// another kind. Where nothing speaks, distinct words are names. A note says what was taken
	// where little speaks. Lines of titles before a header are left out, with a note.
	FindHeader Header = iota
	WithHeader
	NoHeader
)

// Quotes says whether cells of CSV may be quoted.
type Quotes uint8

// Whether a quote at the beginning of a cell opens quoted text.
const (
	// FindQuotes finds out: quotes count in text separated by commas or semicolons. In text
	// separated by tabs or bars they count if every cell of the first megabyte that begins with a
	// quote also ends with one.
	FindQuotes Quotes = iota
	WithQuotes
	NoQuotes // quotes are ordinary characters
)

// The formats of tables.
const (
	FormatCSV     = "csv" // RFC 4180, with any separator
	FormatParquet = "parquet"
	FormatJSON    = "jsonl" // objects, one a line or in an array; the columns are the keys, as they first appear
	FormatVW      = "vw"
)

// Wanted says what Infer is to make of columns, by their names. Columns that nobody names are
// what their values say.
type Wanted struct {
	// Target is the column that is learned; "" for none. log(COLUMN) learns the logarithm of numbers above
	// 0: labels of rows are logarithms then.
	Target string
	// Weight, Offset, Exposure and Group are columns with these parts; "" for none.
	Weight, Offset, Exposure, Group string
	// These columns have these kinds, whatever their values. A name may be a pattern, as in "price*": see
	// Expand. One of Times may be COLUMN=FORMAT, as in "when=dmy" and "when=%d.%m.%Y %H:%M", with a format
	// of Column. One of Ignored may be a group of fields: a for a.b and a.c.
	IDs, Numbers, Categories, Texts, Times, Ignored []string
	// Splines are columns, or patterns, of numbers that become cubic splines: COLUMN, of 4 pieces, or
	// COLUMN=PIECES, or COLUMN=auto: see Auto.
	Splines []string
	// Monotone are columns, or patterns, of numbers whose effect never falls, COLUMN=up, or never rises,
	// COLUMN=down: see Column.Monotone.
	Monotone []string
	// Crosses are pairs of columns, whose values together are a category: a Cross, see Column.Of, or hashed
	// if Hash is set. Or they are pairs of values, as Encoder.Name has them, as in hour=8 and day=3, which
	// become a column of their own: see Recipe.Pairs.
	Crosses [][2]string
	// Hash is the number of bits of a hash. If it is set, crosses of columns are hashed, and categories and
	// texts of more than 10,000 values, also those named here. 0 means 18, and a vocabulary for those named.
	Hash int
	// Scale is how numbers are scaled, and Bins into how many quantile bins they are cut, or Auto. Times are
	// scaled by ScaleStd.
	Scale string
	Bins  int
	// MinCount pools the values of a category, and the pairs of a cross, that occur in fewer rows.
	MinCount int
	// Words says how texts are cut and weighed.
	Words Words
	// Missing lists the cells that stand for a missing value, beside empty ones: see Recipe.Missing.
	Missing []string
	// Decimal lists decimal marks, "." or ",", and Thousands marks between groups of digits: ".", ",",
	// "space", "'" or "none". A mark alone is for all columns, COLUMN=MARK for one, which is a number if
	// it is not named otherwise. What they leave open, the cells of a column say.
	Decimal, Thousands []string
	// MaxMemory bounds the bytes of vocabularies; 0 means a quarter of the free memory.
	MaxMemory int64
}

// Suit returns options for a table of the columns of e, with what o leaves open: VW text is named,
// text is read as Options said of the training's table, and columns that are called 1, 2, ... stand
// in a file without a header.
func (e *Encoder) Suit(o Options) Options {
	columns := e.recipe.own()
	if o.Format == "" && slices.ContainsFunc(columns, func(c Column) bool { return c.Kind == VW }) {
		o.Format = FormatVW
	}
	if r := e.recipe.Reading; r != nil {
		o.Encoding = cmp.Or(o.Encoding, r.Encoding)
		if o.Separator == 0 && r.Separator != "" {
			o.Separator = r.Separator[0]
		}
		if o.Quotes == FindQuotes && r.NoQuotes {
			o.Quotes = NoQuotes
		}
	}
	if o.Header != FindHeader {
		return o
	}
	o.Header = NoHeader
	for k, c := range columns {
		o.known = append(o.known, c.Name)
		if c.Name != strconv.Itoa(k+1) {
			o.Header = WithHeader
		}
	}
	return o
}
