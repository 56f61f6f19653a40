package lanes

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/internal/run"
)

// ErrNotBegun says that a run ended, by its context or its time, before there was any point to
// return.
var ErrNotBegun = run.ErrNotBegun

// errNotPosed says that a problem is the zero value.
var errNotPosed = errors.New("lanes: the problem was not made by Pose")

// errPosedForPath says that a problem has no weight of the L1 norm yet.
var errPosedForPath = errors.New("lanes: the problem was made for weights of the L1 norm: give it to Path or CrossValidate")

// OptionError says which field of Options or Search cannot be as it is.
type OptionError struct {
	// Option is the name of the field, as in Penalty.L1; Monotone is that of table.Wanted, which rows bring along.
	Option string
	Value  any
	// Reason says why, and what to do. Names of fields stand in it in braces.
	Reason string
	// Err is the *solvers.LacksError of a solver that does not take the option, nil for other reasons.
	Err error
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("lanes: %s = %v: %s", e.Option, e.Value, e.In(func(option string) string { return option }))
}

// Unwrap returns Err.
func (e *OptionError) Unwrap() error { return e.Err }

var inBraces = regexp.MustCompile(`\{[A-Za-z0-9.]+\}`)

// In returns the reason with the names that a program has for the fields.
func (e *OptionError) In(name func(option string) string) string {
	return inBraces.ReplaceAllStringFunc(e.Reason, func(s string) string { return name(s[1 : len(s)-1]) })
}

// badOption makes an *OptionError.
func badOption(option string, value any, format string, values ...any) error {
	return &OptionError{Option: option, Value: value, Reason: fmt.Sprintf(format, values...)}
}

// DataError says what is wrong with the rows that were given: with their labels, their
// columns or their values.
type DataError struct {
	// Row is the number of the row, from 1 on; 0 where it is all of them.
	Row int
	// Validation says that they are the rows of Options.Validation.
	Validation bool
	Err        error
}

func (e *DataError) Error() string {
	of := ""
	if e.Validation {
		of = "the rows of Validation: "
	}
	if e.Row > 0 {
		return fmt.Sprintf("lanes: %srow %d: %v", of, e.Row, e.Err)
	}
	return fmt.Sprintf("lanes: %s%v", of, e.Err)
}

// Unwrap returns what is wrong.
func (e *DataError) Unwrap() error { return e.Err }

func badData(err error) error {
	if err == nil || errors.As(err, new(*DataError)) {
		return err
	}
	return &DataError{Err: err}
}

// MemoryError says that a run would take more memory than it may.
type MemoryError struct {
	// Need is the plan, and Limit what is allowed, in bytes.
	Need, Limit int64
	// Whose says where the limit comes from.
	Whose string
	// Columns is the number of columns, Used the number of columns with an entry. Row, from 1
	// on, has the entry of the largest index, LastColumn; it is 0 without entries.
	Columns, Used, Row, LastColumn int
}

func (e *MemoryError) Error() string {
	place := ""
	if e.Row > 0 {
		place = fmt.Sprintf(" (row %d has the index %d)", e.Row, e.LastColumn)
	}
	return fmt.Sprintf("a run on its %d columns%s, with entries in %d of them, would take about %s of memory, more than the %s %s: number the features without gaps, or hash them to fewer",
		e.Columns, place, e.Used, memory.Text(e.Need), memory.Text(e.Limit), e.Whose)
}
