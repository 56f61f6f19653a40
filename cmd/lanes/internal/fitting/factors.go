package fitting

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
)

// readFactors reads --penalty or --penalties.
func (f *ProblemFlags) readFactors() error {
	switch {
	case f.penaltySet:
		for text := range strings.SplitSeq(f.penalty, ",") {
			if err := f.addFactor(text, "="); err != nil {
				return console.BadFlag("penalty", f.penalty, "%v", err)
			}
		}
	case f.penalties != "":
		return eachLine("penalties", f.penalties, func(line string) error { return f.addFactor(line, "\t,") })
	}
	return nil
}

// eachLine calls add for the lines of the file that a flag names.
func eachLine(flag, path string, add func(line string) error) error {
	lines, err := input.ReadCells(path)
	if err != nil {
		return err
	}
	for k, line := range lines {
		if err := add(line); err != nil {
			return console.BadFlag(flag, path, "line %d: %v", k+1, err)
		}
	}
	return nil
}

// addFactor reads a name and a factor, with one of some separators between them.
func (f *ProblemFlags) addFactor(text, separators string) error {
	at := strings.LastIndexAny(text, separators)
	if at <= 0 {
		return fmt.Errorf("%q is no name with a factor, as age%s0", text, separators[:1])
	}
	name, value := strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+1:])
	factor, err := strconv.ParseFloat(value, 64)
	switch _, twice := f.factorsOf[name]; {
	case name == "":
		return fmt.Errorf("%q has no name", text)
	case err != nil:
		return fmt.Errorf("the factor of %q is %q, and no number", name, value)
	case twice:
		return fmt.Errorf("%q stands there twice", name)
	}
	if f.factorsOf == nil {
		f.factorsOf = map[string]float64{}
	}
	f.factorsOf[name] = factor
	return nil
}

// OfFactors says how many weights have factors of their own in the penalty; "" for none.
func OfFactors(other, none int) string {
	switch {
	case other == 0:
		return ""
	case none == 0:
		return fmt.Sprintf(", columns with factors: %d", other)
	}
	return fmt.Sprintf(", columns with factors: %d (%d unpenalised)", other, none)
}
