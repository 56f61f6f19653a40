package table

import "strings"

// Kind says what a column of a table becomes.
type Kind string

// What becomes of a column.
const (
	// Number is a number, scaled as Column.Scale says, or cut into bins.
	Number Kind = "number"
	// Category is one of several values, a column of the rows for each.
	Category Kind = "category"
	// Text is words, a column of the rows for each.
	Text Kind = "text"
	// Time is a date, or a date and a time of day: hour, weekday and month as categories, and
	// the seconds since 1970 as a number.
	Time Kind = "time"
	// Target is what is learned, Weight the weight of a row, Offset a number that is added to
	// its score. Exposure is a positive number, such as years at risk, whose logarithm is added: a
	// count with a logarithmic link is then a rate times the exposure. ID is kept beside predictions.
	// Group tells which rows belong together.
	Target   Kind = "target"
	Weight   Kind = "weight"
	Offset   Kind = "offset"
	Exposure Kind = "exposure"
	ID       Kind = "id"
	Group    Kind = "group"
	// Ignore leaves a column out.
	Ignore Kind = "ignore"
	// Cross is no column of the table, but pairs of values of two others, which Column.Of names: a
	// column of the rows for each pair.
	Cross Kind = "cross"
	// VW is a whole line of Vowpal Wabbit's text: the one column of such a file.
	VW Kind = "vw"
)

// logTarget is a Target that is learned as its logarithm, for whoever refuses rows.
const logTarget Kind = "log of the target"

// refuser returns the kind of a column for whoever refuses rows.
func (c *Column) refuser() Kind {
	if c.Kind == Target && c.Scale == ScaleLog {
		return logTarget
	}
	return c.Kind
}

// aside says whether a column of a kind says something of a row, and is no feature.
func (k Kind) aside() bool { return k == Target || k == Weight || k == Group || k.offsets() }

// offsets says whether a column of a kind adds to the scores of rows.
func (k Kind) offsets() bool { return k == Offset || k == Exposure }

// The ways to scale a Number.
const (
	ScaleStd    = "std"    // mean 0, standard deviation 1
	ScaleNone   = "none"   // as it stands
	ScaleMinMax = "minmax" // from 0 to 1
	ScaleLog1p  = "log1p"  // sign(x) log(1 + |x|), then as ScaleStd
	// ScaleLog is for a Target of numbers above 0 alone: its logarithm is learned.
	ScaleLog = "log"
)

// Recipe says what rows are made of a table: columns in the order of the table, then crosses, then pairs
// of named values, then the columns that hashed values share. It is JSON; after Infer it may be edited, before Fit.
type Recipe struct {
	// Version is the version of the rules: 2. Recipes of version 1 keep their meaning.
	Version int      `json:"version"`
	Columns []Column `json:"columns"`
	// Crosses are pairs of columns whose values are hashed together, as Columns of the kind Cross are not.
	Crosses [][2]string `json:"crosses,omitempty"`
	// Pairs are pairs of columns of encoded rows that are 1 or 0, by Encoder.Name: of a value of a Category
	// that is not hashed, a bin or a part of a Time. A row has a 1 for a pair where it has both.
	Pairs [][2]string `json:"pairs,omitempty"`
	// Missing lists cells that stand for a value that is missing, beside empty cells: as text in a
	// category or text, by their value in a column of numbers or a target of numbers. In columns of
	// numbers and times NA, N/A, #N/A, NaN, NULL, None, <NA>, -, . and ? are missing, too, in letters of
	// any case and with blanks around them, unless "none" is in the list. In version 1 it lists all
	// cells that stand for a missing value, as text.
	Missing []string `json:"missing,omitempty"`
	// Hash is the number of bits of a hash: all hashed values share 2^Hash columns. It is 0
	// where nothing is hashed.
	Hash int `json:"hash,omitempty"`

	// Reading is how the text was read where Options said so: later tables are read alike. It is nil
	// where Options left it open. Fit sets it.
	Reading *Reading `json:"reading,omitempty"`

	survey *survey // what Infer found out, for Fit
}

// Reading is how text is read, as Options have it.
type Reading struct {
	Encoding  string `json:"encoding,omitempty"`
	Separator string `json:"separator,omitempty"`
	NoQuotes  bool   `json:"no_quotes,omitempty"`
}

// reading returns what options say that later tables need not find out, nil for nothing. UTF-8 and
// commas go without saying.
func (o *Options) reading() *Reading {
	r := Reading{NoQuotes: o.Quotes == NoQuotes}
	if !strings.EqualFold(o.Encoding, "utf-8") {
		r.Encoding = o.Encoding
	}
	if o.Separator != 0 && o.Separator != ',' {
		r.Separator = string(o.Separator)
	}
	if r == (Reading{}) {
		return nil
	}
	return &r
}

// Column says what becomes of a column of the table.
type Column struct {
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
	// Why says how Infer came to Kind, for a reader. It has no effect.
	Why string `json:"why,omitempty"`
	// Of are the columns of a Cross: a Category that is not hashed, a Number in bins, or a part of a Time as
	// at.hour, at.month or at.weekday. The name of the Cross is both, with an asterisk between.
	Of [2]string `json:"of,omitzero"`
	// Format says how the times of a Time are written:
	//
	//   - "ymd", "mdy" or "dmy": dates whose numbers stand in this order, or with the names of
	//     months; a year of four digits may stand first in each. A time of day may follow.
	//   - "unix": the time since 1970 in seconds, in milliseconds from 1e11 on, in microseconds
	//     from 1e14, in nanoseconds from 1e17. Less than 1e8 seconds from 1970 is no time.
	//   - "yyyymmdd": 20150102, 201501021135 or 20150102113500, from 1800 to 2100.
	//   - Letters of strftime: %d/%m/%Y %H:%M. %s is any number of seconds since 1970.
	//   - "": ISO dates and times, and any number as in "unix".
	//
	// Years of two digits are from 1969 to 2068.
	Format string `json:"format,omitempty"`
	// Scale is how a Number or Time is scaled, "" for ScaleStd. It is ScaleLog of a Target whose logarithm
	// is learned. Bins is the number of quantile
	// bins that take the place of a Number, or Auto before Fit; 0 means the number itself.
	Scale string `json:"scale,omitempty"`
	Bins  int    `json:"bins,omitempty"`
	// Spline is the number of pieces of a cubic spline of a Number, at quantiles: columns for its bends
	// stand beside the number. Beyond the range of the training a spline goes on as a line with the slope
	// of the number. It is Auto where folds are to choose it, before Fit. 0 means no spline.
	Spline int `json:"spline,omitempty"`
	// Monotone keeps the effect of a Number on the score from falling (Up) or from rising (Down); "" for
	// neither. Training bounds the weights of its columns: see Encoder.Monotone. Bins and the functions of
	// a spline then become sums of all from one on, without the first of these sums, which is 1: a row has a 1 for each
	// bin at or below its own. Beyond the range of the training the effect of such a spline does not change.
	Monotone string `json:"monotone,omitempty"`
	// Marks says how the cells of a Number, Target, Weight, Offset or Exposure are written; nil means plain
	// decimals. In version 1, tables with decimal commas are found out anew.
	Marks *Marks `json:"marks,omitempty"`
	// MinCount pools the values of a Category, or the pairs of a Cross, that fewer rows have.
	MinCount int `json:"min_count,omitempty"`
	// Hashed says that values or words are hashed. They have a vocabulary otherwise.
	Hashed bool `json:"hashed,omitempty"`
	// Words says how Text is cut and weighed.
	Words *Words `json:"words,omitempty"`
	// Learned is what Fit learned of the column, nil before.
	Learned *Learned `json:"learned,omitempty"`
}

// Words says how a Text column is cut into words and how they are weighed.
type Words struct {
	// NGrams is the greatest number of neighbouring words that count as one; 0 means 1.
	NGrams int `json:"ngrams,omitempty"`
	// Counts weighs words by how often they occur. Without it they have tf-idf weights.
	Counts bool `json:"counts,omitempty"`
	// MinDF leaves out words that fewer rows have; 0 means 1.
	MinDF int `json:"min_df,omitempty"`
}

// Learned is what Fit learned of a column. Which fields are set depends on the column's kind.
type Learned struct {
	// Rows is the number of rows that Fit saw, Missing of them without a value.
	Rows    int64 `json:"rows"`
	Missing int64 `json:"missing"`
	// Shift and Width scale a number or a time, as (x - Shift) / Width, after log1p. A Width of 0
	// leaves the number out: all values are equal.
	Shift float64 `json:"shift,omitempty"`
	Width float64 `json:"width,omitempty"`
	// Mean stands for a value that is missing.
	Mean float64 `json:"mean,omitempty"`
	// Least and Greatest are the range of a number or a time.
	Least    float64 `json:"least,omitempty"`
	Greatest float64 `json:"greatest,omitempty"`
	// Edges are the upper ends of all bins, or pieces of a spline, but the last one, ascending.
	Edges []float64 `json:"edges,omitempty"`
	// Values is a vocabulary in the order of bytes: of a category, a target of words, or a text.
	// Counts says how many rows have each.
	Values []string `json:"values,omitempty"`
	Counts []int64  `json:"counts,omitempty"`
	// Pairs are the pairs of a Cross, ascending, each by the places of its values among the columns that
	// encoded rows have for the two columns, from 0 on. Counts says how many rows have each.
	Pairs [][2]uint32 `json:"pairs,omitempty"`
	// Rare is the number of rows whose value MinCount pools.
	Rare int64 `json:"rare,omitempty"`
}
