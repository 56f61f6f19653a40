package console

import (
	"testing"

	"github.com/spf13/cobra"
)

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
