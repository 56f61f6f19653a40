package fitting

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
)

// readBounds reads --nonnegative and --bounds.
func (f *ProblemFlags) readBounds() error {
	if f.atLeast0 != "" {
		for name := range strings.SplitSeq(f.atLeast0, ",") {
			if err := f.addBounds(strings.TrimSpace(name), lanes.NotNegative()); err != nil {
				return console.BadFlag("nonnegative", f.atLeast0, "%v", err)
			}
		}
	}
	if f.bounds == "" {
		return nil
	}
	return eachLine("bounds", f.bounds, f.addLine)
}

// addLine reads a name, a lower and an upper bound, with commas or tabs between them.
func (f *ProblemFlags) addLine(text string) error {
	var ends [2]float64
	name := text
	for k := 1; k >= 0; k-- {
		at := strings.LastIndexAny(name, "\t,")
		if at <= 0 {
			return fmt.Errorf("%q is no name with two bounds, as age,0,inf", text)
		}
		value := strings.TrimSpace(name[at+1:])
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return fmt.Errorf("a bound of %q is %q, and no number, -inf or inf", text, value)
		}
		ends[k], name = v, name[:at]
	}
	return f.addBounds(strings.TrimSpace(name), lanes.Interval{Lower: ends[0], Upper: ends[1]})
}

func (f *ProblemFlags) addBounds(name string, bounds lanes.Interval) error {
	_, twice := f.boundsOf[name]
	switch {
	case name == "":
		return fmt.Errorf("a column has no name")
	case twice:
		return fmt.Errorf("%q has bounds already", name)
	}
	if f.boundsOf == nil {
		f.boundsOf = map[string]lanes.Interval{}
	}
	f.boundsOf[name] = bounds
	return nil
}

// OfBounds says how many weights have bounds; "" for none.
func OfBounds(count int) string {
	if count == 0 {
		return ""
	}
	return fmt.Sprintf(", columns with bounds: %d", count)
}
