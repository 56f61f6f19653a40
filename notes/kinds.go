package notes

import "slices"

// Kind says what happened.
type Kind string

// The kinds of notes.
const (
	NotNumber  Kind = "not-a-number" // cells of a number column
	NotTime    Kind = "not-a-time"   // cells of a time column
	Infinite   Kind = "infinite"     // infinite numbers
	Unseen     Kind = "unseen"       // values that the training did not have
	Missing    Kind = "missing"      // cells without a value, where rows are scored
	NoTarget   Kind = "no-target"    // rows
	Malformed  Kind = "malformed"    // rows
	LeftOut    Kind = "left-out"     // a column
	Nested     Kind = "nested"       // arrays and objects in a column
	NoQuery    Kind = "qid"          // query ids of LIBSVM text
	Marks      Kind = "marks"        // decimal and thousands marks that can be read in two ways
	DayMonth   Kind = "day-month"    // dates that can be read in two ways
	Mixed      Kind = "mixed"        // words that are numbers or dates in several ways of writing
	Header     Kind = "header"       // a first row that may be a header, or a row
	Leak       Kind = "leak"         // a column that tells the target by itself
	Separable  Kind = "separable"    // rows that a model separates without an error
	Converted  Kind = "converted"    // numbers with marks of money, thousands or per cent
	Constant   Kind = "constant"     // a column of one value
	Collinear  Kind = "collinear"    // columns that are sums of others
	Unchecked  Kind = "unchecked"    // what a run past memory does not look for
	Nonconvex  Kind = "nonconvex"    // a loss that is not convex
	Encoding   Kind = "encoding"     // of a file
	Garbled    Kind = "garbled"      // a file that is UTF-8 too, and is read in another encoding
	Skipped    Kind = "skipped"      // lines that are no rows: comments, sep=
	Reordered  Kind = "reordered"    // files with the same columns in another order
	Renamed    Kind = "renamed"      // columns of equal names
	Comment    Kind = "comment"      // lines that may be comments, or rows
	Empty      Kind = "empty"        // files without rows
	Suggestion Kind = "suggestion"   // what may be worth a try
	Chosen     Kind = "chosen"       // what a search took, and gave up
	HeldOut    Kind = "held-out"     // rows that are measured, and not trained on
)

// words are the class and the words of a kind: for a count of one and for several, and as they
// stand without a count.
type words struct {
	kind      Kind
	class     Class
	one, many string
}

// kinds has the words of each kind. It is no map, which every start of a program would fill.
var kinds = []words{
	{NotNumber, Lost, "cell is no number", "cells are no numbers"},
	{NotTime, Lost, "cell is no time", "cells are no times"},
	{Infinite, Lost, "cell is infinite", "cells are infinite"},
	{Unseen, Lost, "value was not seen in training", "values were not seen in training"},
	{Missing, Information, "missing value", "missing values"},
	{NoTarget, Lost, "row has no target", "rows have no target"},
	{Malformed, Lost, "row is malformed", "rows are malformed"},
	{LeftOut, Lost, "left out", "left out"},
	{Nested, Lost, "cell is an array or object", "cells are arrays or objects"},
	{NoQuery, Lost, "row has a qid", "rows have a qid"},
	{Marks, Ambiguous, "cell can be read in two ways", "cells can be read in two ways"},
	{DayMonth, Ambiguous, "date can be read in two ways", "dates can be read in two ways"},
	{Mixed, Ambiguous, "cell", "cells"},
	{Header, Ambiguous, "", ""},
	{Leak, Ambiguous, "", ""},
	{Separable, Lost, "", ""},
	{Converted, Information, "cell", "cells"},
	{Constant, Information, "left out", "left out"},
	{Collinear, Information, "", ""},
	{Unchecked, Information, "", ""},
	{Nonconvex, Information, "", ""},
	{Encoding, Information, "", ""},
	{Garbled, Ambiguous, "", ""},
	{Skipped, Information, "line", "lines"},
	{Reordered, Information, "file has the columns in another order", "files have the columns in another order"},
	{Renamed, Information, "", ""},
	{Comment, Ambiguous, "line begins with #", "lines begin with #"},
	{Empty, Information, "file has no rows", "files have no rows"},
	{Suggestion, Information, "", ""},
	{Chosen, Information, "", ""},
	{HeldOut, Information, "row is held out", "rows are held out"},
}

// of returns the words of a kind. An unknown kind is lost data, in its own words.
func (k Kind) of() words {
	if at := slices.IndexFunc(kinds, func(w words) bool { return w.kind == k }); at >= 0 {
		return kinds[at]
	}
	return words{k, Lost, string(k), string(k)}
}
