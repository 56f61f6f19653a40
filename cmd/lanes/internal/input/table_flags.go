package input

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/table"
)

// TableFlags say how a table is read, and what becomes of its columns.
type TableFlags struct {
	format, separator string
	encoding          string
	header, headerSet bool
	noHeader, noneSet bool
	quotes, quotesSet bool
	badRows           string
	maxColumns        int

	Recipe string // file of a recipe, in place of the fields below
	Target string
	// Columns by what becomes of them.
	numbers, categories, texts, times, ignored []string
	splines                                    []string // or COLUMN=PIECES
	monotone                                   []string // COLUMN=up or COLUMN=down
	weight, offset, exposure, group            string
	noOffset                                   string
	IDs                                        []string
	crosses                                    []string
	bins                                       string // a number or auto
	hash, minCount                             int
	scale                                      string
	ngrams, minDF                              int
	counts                                     bool
	missing                                    []string
	decimal, thousands                         []string // marks, or COLUMN=MARK

	// HoldoutBy is the column by whose order rows are held out from a training, "" for none.
	HoldoutBy string
	// Positive is the label of the positive class, "" for the larger of two. It matters to leaks.
	Positive string
	// MaxMemory bounds the bytes of vocabularies; 0 means no bound.
	MaxMemory int64
	// Encoder is the encoder of a model that is trained further, nil if the table is learned
	// anew.
	Encoder *table.Encoder
	// Choose chooses the numbers of bins that a recipe leaves open, by the rows in the order of a column,
	// "" for none; nil where nothing is trained.
	Choose func(ctx context.Context, t *Table, r *table.Recipe) (*table.Recipe, error)
	// Made is the recipe of a run that is repeated; it takes the place of all but how a table is
	// read.
	Made *table.Recipe
}

// TableGroup is the title of the flags of tables, tableTopic the page that lists them.
const TableGroup, tableTopic = "Table", "tables"

// The flags of tables: how files are read, and what becomes of columns. Nobody changes them.
var (
	ReadFlags   = strings.Fields("format encoding separator header no-header quotes max-columns bad-rows")
	ColumnFlags = strings.Fields("target number category text times ignore weight offset exposure id group cross hash scale bins spline monotone min-count min-df ngrams counts missing decimal thousands")
)

// badRowsForm are the values of --bad-rows.
var badRowsForm = console.Form{Want: "want a whole number from 0 on, or a share from 0% to 100%", Holds: func(text string) bool {
	_, _, err := table.ParseBadRows(text)
	return err == nil
}}

// marks is the form of a flag that takes marks of numbers. A blank is the mark space.
func marks(list ...string) console.Form {
	return console.Form{Want: "want a mark (" + strings.Join(list, " ") + "), or COLUMN=MARK", Holds: func(text string) bool {
		mark := text[strings.LastIndexByte(text, '=')+1:]
		if mark == " " {
			mark = "space"
		}
		return slices.Contains(list, mark)
	}}
}

// countOfBins is the form of --bins.
var countOfBins = console.Form{Want: "want a whole number, 2 or more, or auto", Holds: func(text string) bool { return binsOf(text) != 0 }}

// binsOf reads a number of bins, 0 for a text that is no such number.
func binsOf(text string) int {
	if text == "auto" {
		return table.Auto
	}
	if n, err := strconv.Atoi(text); err == nil && n >= 2 {
		return n
	}
	return 0
}

// directions is the form of --monotone.
var directions = console.Form{Want: "want COLUMN=up or COLUMN=down", Holds: func(text string) bool {
	at := strings.LastIndexByte(text, '=')
	return at > 0 && (text[at+1:] == table.Up || text[at+1:] == table.Down)
}}

// flags declares the flags of tables for the commands that take tables.
func (f *TableFlags) flags() []console.Flag {
	const both, learns = "train compare convert info predict eval", "train compare convert info"
	atLeast := func(least float64) console.Range {
		return console.Range{Holds: func(v float64) bool { return v >= least }, Want: fmt.Sprintf("it must be a whole number, %g or more", least)}
	}
	list := []console.Flag{
		{Name: "format", Value: &f.format, Commands: both, Setting: true, Choices: []string{table.FormatCSV, table.FormatParquet, table.FormatJSON, table.FormatVW},
			Help: "`FORMAT` of DATA: csv, parquet, jsonl or vw (default: by the content; name vw)"},
		{Name: "encoding", Value: &f.encoding, Commands: both, Setting: true, Help: "`NAME` of the encoding: windows-1252, utf-16, ... (default: by the content)"},
		{Name: "separator", Value: &f.separator, Commands: both, Setting: true, Help: "`CHAR` between cells of CSV: , ; | tab, blank or another (by the content)"},
		{Name: "header", Value: &f.header, Given: &f.headerSet, ByData: true, Commands: both, Setting: true, Excludes: map[string]string{"no-header": ""}, Help: "the first line of CSV names the columns; =false: it is a row"},
		{Name: "no-header", Value: &f.noHeader, Given: &f.noneSet, ByData: true, Commands: both, Setting: true, Help: "the first line of CSV is a row; columns are called 1, 2, ..."},
		{Name: "quotes", Value: &f.quotes, Given: &f.quotesSet, ByData: true, Commands: both, Setting: true, Help: "cells of CSV may be quoted; =false: never (default: by the content)"},
		{Name: "max-columns", Value: &f.maxColumns, Commands: both, Default: "65536", Range: atLeast(1), Rare: true, Help: "refuse tables of more than `N` columns, or keys of JSON lines"},
		{Name: "bad-rows", Value: &f.badRows, Commands: both, Setting: true, Form: badRowsForm, Help: "leave out up to `N` malformed rows, or a share as 1%"},
		{Name: "target", Value: &f.Target, Commands: learns, Help: "predict `COLUMN` or log(COLUMN); it makes DATA a table ('lanes help tables')"},
		{Name: "number", Value: &f.numbers, Commands: learns, Help: "`COLUMNS` that are numbers"},
		{Name: "category", Value: &f.categories, Commands: learns, Help: "`COLUMNS` that are categories"},
		{Name: "text", Value: &f.texts, Commands: learns, Help: "`COLUMNS` that are text, cut into words"},
		{Name: "times", Value: &f.times, Commands: learns, Help: "`COLUMNS` that are dates or times, or COLUMN=FORMAT; --time means the same"},
		{Name: "ignore", Value: &f.ignored, Commands: learns, Help: "`COLUMNS` that are left out"},
		{Name: "weight", Value: &f.weight, Commands: learns, Help: "`COLUMN` with the weight of each row"},
		{Name: "offset", Value: &f.offset, Commands: learns, Help: "`COLUMN` with a number that is added to the score of its row"},
		{Name: "offset", Value: &f.noOffset, Commands: "predict eval", Choices: []string{"none"}, Help: "`HOW` offset and exposure of the training count: none scores without (default: added)"},
		{Name: "exposure", Value: &f.exposure, Commands: learns, Help: "`COLUMN` above 0, as years: counts are a rate times it (--loss poisson)"},
		{Name: "id", Value: &f.IDs, Commands: learns, Help: "`COLUMNS` that name rows: kept beside predictions, not learned from"},
		{Name: "id", Value: &f.IDs, Commands: "predict", Help: "print only these `COLUMNS` of the table beside the predictions"},
		{Name: "group", Value: &f.group, Commands: learns, Help: "`COLUMN` whose equal values make rows a group"},
		{Name: "cross", Value: &f.crosses, Whole: true, Commands: learns, Help: "pairs of values of columns `A*B`, or one pair as hour=8*day=3; repeatable"},
		{Name: "hash", Value: &f.hash, Commands: learns,
			Range: console.Range{Holds: func(v float64) bool { return v >= 1 && v <= 30 }, Want: "it must be a whole number from 1 to 30"},
			Help:  "hash crosses, and columns of over 10,000 values (default 18), into 2^`B` columns"},
		{Name: "scale", Value: &f.scale, Commands: learns, Choices: []string{table.ScaleStd, table.ScaleNone, table.ScaleMinMax, table.ScaleLog1p},
			Help: "`HOW` numbers are scaled: std (default), none, minmax or log1p"},
		{Name: "bins", Value: &f.bins, Commands: learns, Form: countOfBins, Excludes: map[string]string{"scale": "give --scale or --bins, not both: bins are not scaled"},
			Help: "cut numbers into `K` bins of equal shares of the rows; auto: folds choose"},
		{Name: "spline", Value: &f.splines, Commands: learns, Help: "`COLUMNS` of numbers that become cubic splines, or COLUMN=PIECES (4; auto)"},
		{Name: "monotone", Value: &f.monotone, Commands: learns, Form: directions, Help: "`COLUMNS` of numbers whose effect never falls, COLUMN=up, or never rises, =down"},
		{Name: "min-count", Value: &f.minCount, Commands: learns, Range: atLeast(1), Help: "pool values of a category, and pairs of a cross, that fewer than `N` rows have"},
		{Name: "min-df", Value: &f.minDF, Commands: learns, Range: atLeast(1), Help: "leave out words that fewer than `N` rows have"},
		{Name: "ngrams", Value: &f.ngrams, Commands: learns, Range: atLeast(1), Help: "take runs of up to `N` words too (default 1)"},
		{Name: "counts", Value: &f.counts, Commands: learns, Help: "weigh words by their counts, not by tf-idf"},
		{Name: "missing", Value: &f.missing, Commands: learns, Help: "`CELLS` that mean a missing value, beside empty ones; none: no words of numbers"},
		{Name: "decimal", Value: &f.decimal, Whole: true, Commands: learns, Form: marks(",", "."), Help: "`MARK` of decimals: , or . or COLUMN=MARK (default: by the cells)"},
		{Name: "thousands", Value: &f.thousands, Whole: true, Commands: learns, Form: marks(".", ",", "'", "space", "none"), Help: "`MARK` of thousands: . , ' space none, or COLUMN=MARK (default: by the cells)"},
		{Name: "recipe", Value: &f.Recipe, Commands: "train compare convert", Help: "take the recipe in `FILE`, which 'lanes info TABLE --recipe' prints"},
	}
	for k := range list {
		list[k].Topic, list[k].Rare = tableTopic, list[k].Name != "target" && list[k].Commands != "predict"
		if flag := &list[k]; slices.Contains(ColumnFlags, flag.Name) && flag.Choices == nil {
			switch flag.Value.(type) {
			case *string, *[]string:
				flag.Complete = completeColumns
			}
		}
	}
	return console.Group(TableGroup, list...)
}

// completeColumns completes names of columns of the table that the last argument names, also
// behind the commas of a list.
func completeColumns(args []string, typed string) (list []string) {
	if len(args) > 0 {
		_, names := looksLike(args[len(args)-1])
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		for _, name := range names {
			list = append(list, before+name)
		}
	}
	return list
}

// Given tells whether the flags say that DATA are a table.
func (f *TableFlags) Given() bool {
	return f.Target != "" || f.Recipe != "" || f.format != "" || f.Made != nil || f.Encoder != nil
}

// Check reads the values of the flags before anything is read, and refuses flags of tables
// for other DATA.
func (f *TableFlags) Check(a *console.App, cmd *cli.Command) error {
	if !f.Given() {
		return console.RefuseIdle(cmd, "a table: name its --target, or --format", slices.Concat(ReadFlags, ColumnFlags)...)
	}
	for _, name := range append(slices.Clone(ColumnFlags), "recipe") {
		switch given := cmd.Flags().Changed(name); {
		case given && f.Encoder != nil:
			return console.Usagef("--initial MODEL says what becomes of the columns: leave --%s out", name)
		case given && f.Recipe != "" && name != "recipe":
			return console.Usagef("--recipe FILE says what becomes of the columns: leave --%s out, or edit the file", name)
		}
	}
	_, err := f.options(a)
	if err == nil {
		_, err = f.wanted()
	}
	return err
}

// options are the options of reading that the flags stand for.
func (f *TableFlags) options(a *console.App) (table.Options, error) {
	o := table.Options{Format: f.format, Encoding: f.encoding, MaxColumns: f.maxColumns, Workers: a.Workers}
	if f.badRows != "" {
		var err error
		if o.BadRows, o.BadShare, err = table.ParseBadRows(f.badRows); err != nil {
			return o, err
		}
	}
	switch f.separator {
	case "":
	case ",", ";", "|", "\t", " ":
		o.Separator = f.separator[0]
	case "blank":
		o.Separator = ' '
	case "tab", `\t`:
		o.Separator = '\t'
	default:
		if o.Separator = f.separator[0]; len(f.separator) > 1 {
			return o, console.BadFlag("separator", f.separator, "want a comma, a semicolon, a bar, tab, blank or another character such as ^; of several equal ones name one, as --separator : for ::, which leaves out the empty columns between")
		}
	}
	switch {
	case f.quotes:
		o.Quotes = table.WithQuotes
	case f.quotesSet:
		o.Quotes = table.NoQuotes
	}
	switch {
	case f.headerSet && f.noneSet && f.header == f.noHeader:
		return o, console.BadFlag("header", f.header, "--no-header=%v says the contrary: give one of the two", f.noHeader)
	case f.headerSet && f.header, f.noneSet && !f.noHeader:
		o.Header = table.WithHeader
	case f.headerSet, f.noneSet:
		o.Header = table.NoHeader
	}
	for _, part := range []struct {
		flag, value string
		options     table.Options
	}{{"encoding", f.encoding, table.Options{Encoding: o.Encoding}}, {"separator", f.separator, table.Options{Separator: o.Separator}}} {
		if err := part.options.Check(); err != nil {
			return o, console.BadFlag(part.flag, part.value, "%s", strings.TrimPrefix(err.Error(), "table: "))
		}
	}
	return o, nil
}

// wanted is what the flags say of columns.
func (f *TableFlags) wanted() (table.Wanted, error) {
	w := table.Wanted{
		Target: f.Target, Weight: f.weight, Offset: f.offset, Exposure: f.exposure, Group: f.group, IDs: f.IDs,
		Numbers: f.numbers, Categories: f.categories, Texts: f.texts, Times: f.times, Ignored: f.ignored,
		Hash: f.hash, Scale: f.scale, Bins: binsOf(f.bins), Splines: f.splines, Monotone: f.monotone, MinCount: f.minCount,
		Words: table.Words{NGrams: f.ngrams, Counts: f.counts, MinDF: f.minDF}, Missing: f.missing, MaxMemory: f.MaxMemory,
		Decimal: f.decimal, Thousands: f.thousands,
	}
	for _, text := range f.crosses {
		left, right, found := strings.Cut(text, "*")
		if !found || left == "" || right == "" || strings.Contains(right, "*") {
			return w, console.BadFlag("cross", text, "give two columns, as in --cross 'app*channel', or two values, as in 'hour=8*day=3'")
		}
		w.Crosses = append(w.Crosses, [2]string{left, right})
	}
	return w, nil
}

// MonotoneText is what --monotone asks for, "" for nothing.
func (f *TableFlags) MonotoneText() string { return strings.Join(f.monotone, ",") }
