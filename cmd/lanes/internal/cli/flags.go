// Package cli parses the command line: commands with subcommands, their flags, and completion in
// shells. It needs neither package net nor cgo.
package cli

import (
	"fmt"
	"slices"
	"strings"
)

// Flag is a flag of a command.
type Flag struct {
	Name, Usage string // Usage names the value in `backquotes`
	Letter      string // of the short form, "" for none
	Value       Value
	DefValue    string // text of the default
	NoOptDefVal string // value of the flag without =VALUE; "" if the flag needs a value
	Changed     bool   // the user has set the flag
	Annotations map[string][]string
	Complete    CompletionFunc // completes values; nil for names of files
}

// CompletionFunc returns words that may complete a typed word behind the arguments args. A word
// may have a description behind a tab.
type CompletionFunc func(args []string, typed string) []string

// Fixed completes by the words of a list.
func Fixed(words []string) CompletionFunc {
	return func([]string, string) []string { return words }
}

// UnquoteUsage returns the name of a flag's value, from the backquotes in its usage or else from
// its type, and the usage without backquotes.
func UnquoteUsage(f *Flag) (name, usage string) {
	before, rest, found := strings.Cut(f.Usage, "`")
	if name, after, closed := strings.Cut(rest, "`"); found && closed {
		return name, before + name + after
	}
	if name = f.Value.Type(); name == boolType {
		name = ""
	}
	return name, f.Usage
}

// SetDefault sets the default of a flag.
func (f *Flag) SetDefault(text string) error {
	err := f.Value.Set(text)
	if err == nil {
		f.DefValue = f.Value.String()
	}
	if l, is := f.Value.(interface{ restart() }); is {
		l.restart()
	}
	return err
}

// FlagSet holds flags in the order of their addition. Its zero value is empty.
type FlagSet struct {
	// Normalize turns a former name of a flag into its name. It may be nil.
	Normalize func(name string) string
	list      []*Flag
	names     map[string]*Flag
}

// Add adds a flag for the variable that to points to. Its type is bool, string, int, uint64,
// float64 or time.Duration, or a list of strings, ints or float64s. Commas separate the values of a
// list. The present value of the variable is the default.
func (s *FlagSet) Add(name, usage string, to any) *Flag {
	f := &Flag{Name: name, Usage: usage, Value: valueOf(to)}
	if f.DefValue = f.Value.String(); f.Value.Type() == boolType {
		f.NoOptDefVal = "true"
	}
	s.AddFlag(f)
	return f
}

// AddWhole adds a flag that takes one text each time it is given, with its commas.
func (s *FlagSet) AddWhole(name, usage string, to *[]string) *Flag {
	f := &Flag{Name: name, Usage: usage, Value: wholeTexts(to)}
	f.DefValue = f.Value.String()
	s.AddFlag(f)
	return f
}

// AddFlag adds a flag that another set may have, too. A second flag of one name panics.
func (s *FlagSet) AddFlag(f *Flag) {
	if s.names == nil {
		s.names = map[string]*Flag{}
	}
	if s.names[f.Name] != nil {
		panic("two flags have the name --" + f.Name)
	}
	s.names[f.Name] = f
	s.list = append(s.list, f)
}

// VisitAll calls use with every flag, in the order of addition.
func (s *FlagSet) VisitAll(use func(*Flag)) {
	for _, f := range s.list {
		use(f)
	}
}

// Visit calls use with every flag that the user has set.
func (s *FlagSet) Visit(use func(*Flag)) {
	for _, f := range s.list {
		if f.Changed {
			use(f)
		}
	}
}

// Empty tells whether the set has no flag.
func (s *FlagSet) Empty() bool { return len(s.list) == 0 }

// Lookup returns the flag of a name, which may be a former one, or nil.
func (s *FlagSet) Lookup(name string) *Flag {
	if s.Normalize != nil {
		name = s.Normalize(name)
	}
	return s.names[name]
}

// Changed tells whether the user has set a flag.
func (s *FlagSet) Changed(name string) bool {
	f := s.Lookup(name)
	return f != nil && f.Changed
}

// Set sets a flag as the user does. The error is *UnknownFlagError or *ValueError.
func (s *FlagSet) Set(name, value string) error {
	f := s.Lookup(name)
	if f == nil {
		return &UnknownFlagError{Name: name}
	}
	if err := f.Value.Set(value); err != nil {
		return &ValueError{f, value, err}
	}
	f.Changed = true
	return nil
}

// byLetter returns the flag with a short form, or nil.
func (s *FlagSet) byLetter(letter string) *Flag {
	at := slices.IndexFunc(s.list, func(f *Flag) bool { return f.Letter != "" && f.Letter == letter })
	if at < 0 {
		return nil
	}
	return s.list[at]
}

// named returns the flag that an argument names and its value, if it has one. A nil flag is
// unknown.
func (s *FlagSet) named(argument string) (f *Flag, value string, given bool) {
	if name, long := strings.CutPrefix(argument, "--"); long {
		name, value, given = strings.Cut(name, "=")
		return s.Lookup(name), value, given
	}
	return s.byLetter(argument[1:]), "", false
}

// isFlag tells whether an argument is a flag; - alone is standard input.
func isFlag(argument string) bool { return len(argument) > 1 && argument[0] == '-' }

// Parse sets the flags among arguments and returns the other arguments. Flags and others may stand
// in any order; behind -- there are no flags. The error is *UnknownFlagError, *ValueError or
// *NoValueError.
func (s *FlagSet) Parse(arguments []string) (others []string, err error) {
	for k := 0; k < len(arguments); k++ {
		argument := arguments[k]
		if argument == "--" {
			return append(others, arguments[k+1:]...), nil
		}
		if !isFlag(argument) {
			others = append(others, argument)
			continue
		}
		f, value, given := s.named(argument)
		switch {
		case f == nil && strings.HasPrefix(argument, "--"):
			name, _, _ := strings.Cut(argument[2:], "=")
			return nil, &UnknownFlagError{Name: name}
		case f == nil:
			return nil, &UnknownFlagError{Name: argument[1:], Short: true}
		case given:
		case f.NoOptDefVal != "":
			value = f.NoOptDefVal
		case k+1 == len(arguments):
			return nil, &NoValueError{f}
		default:
			k++
			value = arguments[k]
		}
		if err := s.Set(f.Name, value); err != nil {
			return nil, err
		}
	}
	return others, nil
}

// UnknownFlagError says that there is no flag of a name.
type UnknownFlagError struct {
	Name  string // without dashes
	Short bool   // it was given with one dash
}

func (e *UnknownFlagError) Error() string {
	if e.Short {
		return "unknown flag -" + e.Name
	}
	return "unknown flag --" + e.Name
}

// ValueError says that a flag cannot have a value.
type ValueError struct {
	Flag  *Flag
	Value string
	Err   error
}

func (e *ValueError) Error() string { return fmt.Sprintf("--%s %q: %v", e.Flag.Name, e.Value, e.Err) }

func (e *ValueError) Unwrap() error { return e.Err }

// NoValueError says that a flag at the end of a line needs a value.
type NoValueError struct{ Flag *Flag }

func (e *NoValueError) Error() string { return "--" + e.Flag.Name + " needs a value" }
