package fitting

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/solvers"
)

// notOfFlags are the fields of the library that no flag sets, with the reason.
var notOfFlags = map[string]string{
	"RowWeights": "a column of a table has them", "RowOffsets": "a column of a table has them", "Program": "the command names itself", "Watch": "the command shows progress", "Share": "lanes-mpi sets it",
	"Settings": "its fields are listed", "Penalty": "its fields are listed", "Search.Options": "its fields are listed",
	"Settings.MaxIterations": "epochs count", "Settings.Workers": "a flag of all commands", "Settings.Ranks": "lanes-mpi sets it", "Settings.Initial": "Initial is a model",
	"Settings.Recorder": "the command records", "Settings.Warn": "the command warns", "Settings.Validation": "Validation has the rows", "Penalty.None": "weights of 0 say it",
}

// notOfOptions are the settings of train that are no option of the library, with the reason. The
// flags that say how a table is read are not among them.
var notOfOptions = map[string]string{
	"generate": "makes data", "merge": "reads text", "float32": "reads text", "bias": "Intercept has both",
	"labels": "reads labels of rows", "huber": "Loss has it", "penalties": "PenaltyFactors has both", "nonnegative": "Bounds has both",
}

// TestFlagsAreOptions: every option of the library has a flag, and every setting of train an
// option, or a reason why not.
func TestFlagsAreOptions(t *testing.T) {
	var fields []string
	list := func(prefix string, of reflect.Type) {
		for k := range of.NumField() {
			if f := of.Field(k); f.IsExported() {
				fields = append(fields, prefix+f.Name)
			}
		}
	}
	list("", reflect.TypeFor[lanes.Options]())
	list("Settings.", reflect.TypeFor[solvers.Settings]())
	list("Penalty.", reflect.TypeFor[lanes.Penalty]())
	list("Search.", reflect.TypeFor[lanes.Search]())
	for _, field := range fields {
		_, flag := optionFlags[field]
		if _, out := notOfFlags[field]; flag == out && field != "Penalty" {
			t.Errorf("%s: a flag stands for it: %t, and a reason why none does: %t", field, flag, out)
		}
	}
	flags := slices.Collect(maps.Values(optionFlags))
	for _, name := range Settings() {
		_, out := notOfOptions[name]
		if !slices.Contains(flags, name) && !out && !slices.Contains(input.ReadFlags, name) {
			t.Errorf("--%s is a setting, and no option of the library stands for it", name)
		}
	}
	for option, flag := range optionFlags {
		if !slices.Contains(fields, option) && option != "metric" && option != "Monotone" { // of For, and of table.Wanted
			t.Errorf("--%s stands for %s, which the library does not have", flag, option)
		}
		if strings.HasPrefix(flag, "-") {
			t.Errorf("%s: the name of a flag has no dashes", flag)
		}
	}
}
