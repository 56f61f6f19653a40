package console

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Use says whether a flag has an effect beside the others, and what it goes with.
type Use struct {
	flag  string
	works bool
	with  string
}

// Goes says that a flag goes with something, and whether that is there.
func Goes(flag string, works bool, with string) Use { return Use{flag, works, with} }

// RefuseIdle refuses flags that were given and would have no effect: whoever gives one
// expects another result than the one without it.
func RefuseIdle(cmd *cobra.Command, uses ...Use) error {
	for _, u := range uses {
		if !u.works && cmd.Flags().Changed(u.flag) {
			return Usagef("--%s would have no effect here: it goes with %s", u.flag, u.with)
		}
	}
	return nil
}

// RefuseEmpty refuses arguments that are empty, and flags whose empty value would be as if
// they had not been given: that of a shell's variable that is not set, whose run would end
// without the file that it was to write.
func RefuseEmpty(cmd *cobra.Command, args []string) error {
	if slices.Contains(args, "") {
		return Usagef("an argument is empty: name a file, or leave it out")
	}
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && f.Value.Type() == "string" && f.DefValue == "" && f.Value.String() == "" {
			err = BadFlag(f.Name, "", "the value is empty: give one, or leave the flag out")
		}
	})
	return err
}

// flagError is a flag with a value that it cannot have.
type flagError struct{ flag, value, expected string }

func (e *flagError) Error() string {
	value := e.value
	if value == "" || strings.ContainsAny(value, "\" ") || Printable(value, "") != value {
		value = strconv.Quote(value)
	}
	return fmt.Sprintf("--%s %s: %s", e.flag, value, e.expected)
}

// BadFlag makes the error of a flag whose value is not what the message says is expected.
func BadFlag(flag string, value any, format string, args ...any) error {
	return BadUsage(&flagError{flag, fmt.Sprint(value), fmt.Sprintf(format, args...)})
}

// FlagError says of an argument that cannot be parsed what its flag expects.
func FlagError(_ *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var absent *pflag.ValueRequiredError
	switch {
	case errors.As(err, &invalid) && errors.Is(err, strconv.ErrRange):
		return BadFlag(invalid.GetFlag().Name, invalid.GetValue(), "the number is too large")
	case errors.As(err, &invalid):
		return BadFlag(invalid.GetFlag().Name, invalid.GetValue(), "%s", expected(invalid.GetFlag()))
	case errors.As(err, &absent):
		return Usagef("--%s needs a value: %s", absent.GetFlag().Name, expected(absent.GetFlag()))
	}
	return BadUsage(err)
}

// expected says what values a flag has by its type.
func expected(flag *pflag.Flag) string {
	switch flag.Value.Type() {
	case "bool":
		return "give true or false"
	case "int":
		return "give a whole number"
	case "uint64":
		return "give a whole number, 0 or more"
	case "float64":
		return "give a number, as in 0.5 or 1e-3"
	case "float64Slice":
		return "give numbers parted by commas, as in 0.1,1,10"
	case "intSlice":
		return "give whole numbers parted by commas, as in 1,8,64"
	case "duration":
		return "give a time with its unit, as in 30s, 5m or 1h"
	}
	return "see --help"
}
