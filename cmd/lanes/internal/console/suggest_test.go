package console

import (
	"testing"

	"github.com/spf13/cobra"
)

func TestSuggest(t *testing.T) {
	names := []string{"lambda", "lambdas", "l1", "C", "class-weight", "classes", "cv", "checkpoint", "sgd", "sarah"}
	for typed, want := range map[string]string{
		"lamda": "; did you mean lambda?", "LAMBDA": "; did you mean lambda?", "lambd": "; did you mean lambda or lambdas?",
		"l2": "; did you mean l1?", "c": "; did you mean C?", "class_weights": "; did you mean class-weight?", "cl": "; did you mean class-weight or classes?",
		"saga": "; did you mean sgd or sarah?",
		"":     "", "x": "", "k3": "", "alpha": "", "nothing": "",
	} {
		if got := Suggest(typed, "", names); got != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
	if got := Suggest("c", "", []string{"cv", "class", "check", "cut"}); got != "" {
		t.Errorf("four names are suggested: %s", got)
	}
}

func TestUnknownFlag(t *testing.T) {
	cmd := &cobra.Command{Use: "train", SilenceErrors: true, SilenceUsage: true, RunE: func(*cobra.Command, []string) error { return nil }}
	cmd.SetFlagErrorFunc(FlagError)
	var l, c float64
	Declare(cmd, Flag{Name: "lambda", Value: &l}, Flag{Name: "C", Value: &c})
	for typed, want := range map[string]string{
		"--lamda=3": "unknown flag --lamda; did you mean --lambda?", "-lambda": "unknown flag -lambda; did you mean --lambda?",
		"-c": "unknown flag -c; did you mean --C?", "--nosuch": "unknown flag --nosuch", "--hlp": "unknown flag --hlp; did you mean --help?",
	} {
		cmd.SetArgs([]string{typed})
		if err := cmd.Execute(); err == nil || err.Error() != want || ExitStatus(err) != ExitUsage {
			t.Errorf("%s: %v, want %s", typed, err, want)
		}
	}
}
