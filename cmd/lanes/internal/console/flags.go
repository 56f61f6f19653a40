package console

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/internal/base/nearest"
)

// Flag declares a flag. Help, man pages, completions, checks and receipts follow from it.
type Flag struct {
	Name, Help string
	Group      string // title in the help
	Topic      string // page of the help that lists the flag, "" for none
	Rare       bool   // only Topic lists the flag, not the help of the command
	Value      any    // pointer to the variable
	Default    string // as text, "" for the zero value
	Given      *bool  // tells whether the user has set the flag; may be nil
	Commands   string // that take the flag, separated by blanks; "" for all of a list
	Setting    bool   // the weights may depend on it: receipts hold it
	ByData     bool   // the default of a bool depends on the data: =false is a choice, too
	Whole      bool   // a list takes one text each time, with its commas

	Choices  []string           // all values, nil for any
	With     bool               // a choice may have a parameter behind a colon, which others read
	Complete cli.CompletionFunc // nil for Choices
	Range    Range
	Form     Form
	Needs    Need
	Excludes map[string]string // flags that cannot be given too, with the error; "" for the usual
}

// Range is a condition on a number, or on every number of a list.
type Range struct {
	Holds func(float64) bool
	Want  string // for the error
}

// Form is a condition on a text, or on each text of a list.
type Form struct {
	Holds func(string) bool
	Want  string // for the error
}

// The usual ranges.
var (
	Positive       = Range{func(v float64) bool { return v > 0 }, "it must be above 0"}
	PositiveFinite = Range{func(v float64) bool { return v > 0 && v <= math.MaxFloat64 }, "it must be above 0 and finite"}
	NotNegative    = Range{func(v float64) bool { return v >= 0 && v <= math.MaxFloat64 }, "it must be a finite number, 0 or more"}
)

// Need names the flags without which another has no effect: all of "path cv", one of
// "valid|cv". Error replaces the usual text.
type Need struct{ Flags, Error string }

// The annotations of a flag: the title of its group, its topic, and whether =false is a choice.
const groupAnnotation, topicAnnotation, falseAnnotation = "group", "topic", "false"

// The titles of groups that several commands have.
const DataGroup, ModelGroup, OutputGroup, ResourcesGroup = "Data", "Model", "Output", "Resources"

// aliases maps former names of flags, which still work, to their names.
var aliases = map[string]string{"passes": "epochs"}

// Canonical returns the name of a flag that may be given by a former name.
func Canonical(name string) string { return cmp.Or(aliases[name], name) }

// Group gives flags the title of their group.
func Group(title string, flags ...Flag) []Flag {
	for k := range flags {
		flags[k].Group = title
	}
	return flags
}

// About gives flags their topic.
func About(topic string, flags ...Flag) []Flag {
	for k := range flags {
		flags[k].Topic = topic
	}
	return flags
}

// Declare adds flags to a command, which checks them before it runs.
func Declare(cmd *cli.Command, list ...Flag) {
	flags := cmd.Flags()
	flags.Normalize = Canonical
	list = slices.DeleteFunc(list, func(f Flag) bool {
		return f.Commands != "" && !slices.Contains(strings.Fields(f.Commands), cmd.Name())
	})
	for _, f := range list {
		f.addTo(flags)
	}
	cmd.PreRun = func(*cli.Command, []string) error {
		for _, f := range list {
			if f.Given != nil {
				*f.Given = flags.Changed(f.Name)
			}
		}
		for _, check := range []func(*Flag, *cli.FlagSet) error{(*Flag).checkValue, (*Flag).checkOthers} {
			for k := range list {
				if err := check(&list[k], flags); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// addTo adds the flag to a set.
func (f *Flag) addTo(flags *cli.FlagSet) {
	var flag *cli.Flag
	if texts, are := f.Value.(*[]string); are && f.Whole {
		flag = flags.AddWhole(f.Name, f.Help, texts)
	} else {
		flag = flags.Add(f.Name, f.Help, f.Value)
	}
	if flag.Complete = f.Complete; f.Complete == nil && f.Choices != nil {
		flag.Complete = cli.Fixed(f.Choices)
	}
	flag.Annotations = map[string][]string{groupAnnotation: {f.Group}}
	if f.ByData {
		flag.Annotations[falseAnnotation] = []string{}
	}
	switch {
	case f.Rare:
		flag.Annotations[topicAnnotation] = []string{f.Topic, "alone"}
	case f.Topic != "":
		flag.Annotations[topicAnnotation] = []string{f.Topic}
	}
	if f.Default != "" {
		if err := flag.SetDefault(f.Default); err != nil {
			panic(err)
		}
	}
}

// given tells whether the user has set a flag, and not to false.
func given(flags *cli.FlagSet, name string) bool {
	flag := flags.Lookup(name)
	return flag != nil && flag.Changed && !(flag.Value.Type() == "bool" && flag.Value.String() == "false")
}

// checkValue refuses a value that is out of the flag's range.
func (f *Flag) checkValue(flags *cli.FlagSet) error {
	flag := flags.Lookup(f.Name)
	if !flag.Changed {
		return nil
	}
	text := flag.Value.String()
	choice := text
	if f.With {
		choice, _, _ = strings.Cut(text, ":")
	}
	if f.Choices != nil && !slices.Contains(f.Choices, choice) {
		return BadFlag(f.Name, text, "want %s", or(f.Choices))
	}
	values := []string{flag.Value.String()}
	if several, is := flag.Value.(cli.List); is {
		values = several.Texts()
	}
	for _, text := range values {
		if f.Form.Holds != nil && !f.Form.Holds(text) {
			return BadFlag(f.Name, text, "%s", f.Form.Want)
		}
		if f.Range.Holds == nil {
			continue
		}
		v, err := strconv.ParseFloat(text, 64)
		if d, wrong := time.ParseDuration(text); err != nil && wrong == nil {
			v = float64(d)
		}
		if !f.Range.Holds(v) {
			return BadFlag(f.Name, text, "%s", f.Range.Want)
		}
	}
	return nil
}

// checkOthers refuses a flag that has no effect beside the others, or contradicts one.
func (f *Flag) checkOthers(flags *cli.FlagSet) error {
	if !given(flags, f.Name) {
		return nil
	}
	for _, other := range slices.Sorted(maps.Keys(f.Excludes)) {
		if given(flags, other) {
			return Usagef("%s", cmp.Or(f.Excludes[other], fmt.Sprintf("give --%s or --%s, not both", f.Name, other)))
		}
	}
	for _, need := range strings.Fields(f.Needs.Flags) {
		if !slices.ContainsFunc(strings.Split(need, "|"), func(one string) bool { return given(flags, one) }) {
			if f.Needs.Error != "" {
				return Usagef("%s", f.Needs.Error)
			}
			return idle(flags.Lookup(f.Name), "--"+strings.ReplaceAll(need, "|", " or --"))
		}
	}
	return nil
}

// or lists words.
func or(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// RefuseIdle refuses given flags whose counterpart is missing. The user of such a flag expects
// another result than without it. A bool given as false is the same as not given, unless its
// default depends on the data.
func RefuseIdle(cmd *cli.Command, with string, names ...string) error {
	for _, name := range names {
		flag := cmd.Flags().Lookup(name)
		if flag == nil {
			continue
		}
		if _, choice := flag.Annotations[falseAnnotation]; given(cmd.Flags(), name) || choice && flag.Changed {
			return idle(flag, with)
		}
	}
	return nil
}

// RefuseOthers is RefuseIdle for the flags of a command that are not among own.
func RefuseOthers(cmd *cli.Command, with string, own ...string) error {
	var others []string
	cmd.OwnFlags().VisitAll(func(flag *cli.Flag) {
		if !slices.Contains(own, flag.Name) {
			others = append(others, flag.Name)
		}
	})
	return RefuseIdle(cmd, with, others...)
}

// idle makes the error of a flag that goes with something that is not there.
func idle(flag *cli.Flag, with string) error {
	return BadUsage(&flagError{flag.Name, flag.Value.String(), "it goes with " + with, true})
}

// RefuseEmpty refuses empty arguments, and flags of text with an empty value. A shell makes
// them of an unset variable; the flag would have no effect, and its file would be missing.
func RefuseEmpty(cmd *cli.Command, args []string) error {
	if slices.Contains(args, "") {
		return Usagef("an argument is empty: name a file, or leave it out")
	}
	var err error
	cmd.Flags().Visit(func(f *cli.Flag) {
		if err == nil && f.Value.Type() == "string" && f.DefValue == "" && f.Value.String() == "" {
			err = BadFlag(f.Name, "", "the value is empty: give one, or leave the flag out")
		}
	})
	return err
}

// flagError is a flag with a value that it cannot have, or without an effect.
type flagError struct {
	flag, value, expected string
	idle                  bool
}

func (e *flagError) Error() string {
	if e.idle {
		return fmt.Sprintf("--%s would have no effect here: %s", e.flag, e.expected)
	}
	value := e.value
	if value == "" || strings.ContainsAny(value, "\" ") || Printable(value, "") != value {
		value = strconv.Quote(value)
	}
	return fmt.Sprintf("--%s %s: %s", e.flag, value, e.expected)
}

// BadFlag makes the error of a flag whose value is not what the message says is expected.
func BadFlag(flag string, value any, format string, args ...any) error {
	return BadUsage(&flagError{flag: flag, value: fmt.Sprint(value), expected: fmt.Sprintf(format, args...)})
}

// otherName returns the flag for a name that other programs have for it, or "".
func otherName(typed string) string {
	return map[string]string{
		"l2": "lambda", "alpha": "lambda", "reg": "lambda", "c": "C", "folds": "cv", "seconds": "time", "threads": "workers", "jobs": "workers",
		"iterations": "epochs", "max-iter": "epochs", "label": "target", "y": "target", "sep": "separator", "delimiter": "separator", "output": "out",
		"features": "number", "categorical": "category", "test": "valid", "validation": "valid", "l1_ratio": "l1", "fit-intercept": "intercept",
	}[typed]
}

// FlagError says of an argument that cannot be parsed what its flag expects, and of an unknown
// flag which known ones are near.
func FlagError(cmd *cli.Command, err error) error {
	var invalid *cli.ValueError
	var absent *cli.NoValueError
	var unknown *cli.UnknownFlagError
	switch {
	case errors.As(err, &unknown):
		typed, dashes := unknown.Name, "--"
		if unknown.Short {
			dashes = "-"
		}
		var names []string
		cmd.Flags().VisitAll(func(f *cli.Flag) { names = append(names, f.Name) })
		if own := otherName(typed); dashes == "--" && slices.Contains(names, own) {
			return Usagef("unknown flag --%s; its name here is --%s", typed, own)
		}
		return Usagef("unknown flag %s%s%s", dashes, typed, nearest.Suggest(typed, "--", names))
	case errors.As(err, &invalid) && errors.Is(err, strconv.ErrRange):
		return BadFlag(invalid.Flag.Name, invalid.Value, "the number is too large")
	case errors.As(err, &invalid):
		return BadFlag(invalid.Flag.Name, invalid.Value, "%s", expected(invalid.Flag))
	case errors.As(err, &absent):
		return Usagef("--%s needs a value: %s", absent.Flag.Name, expected(absent.Flag))
	}
	return BadUsage(err)
}

// expected says what values a flag has by its type.
func expected(flag *cli.Flag) string {
	switch flag.Value.Type() {
	case "bool":
		return "give true or false"
	case "int":
		return "give a whole number"
	case "uint64":
		return "give a whole number, 0 or more"
	case "float64":
		return "give a number, as in 0.5 or 1e-3"
	case "float64s":
		return "give numbers separated by commas, as in 0.1,1,10"
	case "ints":
		return "give whole numbers separated by commas, as in 1,8,64"
	case "duration":
		return "give a time with its unit, as in 30s, 5m or 1h"
	}
	name, usage := cli.UnquoteUsage(flag)
	return "want --" + flag.Name + " " + name + ", " + usage
}
