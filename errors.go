package lanes

import (
	"errors"
	"fmt"
	"regexp"
)

// OptionError says which field of Options or Search cannot be as it is.
type OptionError struct {
	// Option is the name of the field, as in Penalty.L1.
	Option string
	Value  any
	// Reason says why, and what to do. Names of fields stand in it in braces.
	Reason string
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("lanes: %s = %v: %s", e.Option, e.Value, e.In(func(option string) string { return option }))
}

var inBraces = regexp.MustCompile(`\{[A-Za-z0-9.]+\}`)

// In returns the reason with the names that a program has for the fields.
func (e *OptionError) In(name func(option string) string) string {
	return inBraces.ReplaceAllStringFunc(e.Reason, func(s string) string { return name(s[1 : len(s)-1]) })
}

// badOption makes an *OptionError.
func badOption(option string, value any, format string, values ...any) error {
	return &OptionError{option, value, fmt.Sprintf(format, values...)}
}

// DataError says what is wrong with the rows that were given: with their labels, their
// columns or their values.
type DataError struct {
	// Row is the number of the row, from 1 on; 0 where it is all of them.
	Row int
	Err error
}

func (e *DataError) Error() string {
	if e.Row > 0 {
		return fmt.Sprintf("lanes: row %d: %v", e.Row, e.Err)
	}
	return fmt.Sprintf("lanes: %v", e.Err)
}

// Unwrap returns what is wrong.
func (e *DataError) Unwrap() error { return e.Err }

func badData(err error) error {
	if err == nil || errors.As(err, new(*DataError)) {
		return err
	}
	return &DataError{Err: err}
}
