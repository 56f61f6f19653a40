package console

import (
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
)

func TestUnknownFlag(t *testing.T) {
	cmd := &cli.Command{Use: "train", FlagError: FlagError, Run: func(*cli.Command, []string) error { return nil }}
	var l, c float64
	Declare(cmd, Flag{Name: "lambda", Value: &l}, Flag{Name: "C", Value: &c})
	for typed, want := range map[string]string{
		"--lamda=3": "unknown flag --lamda; did you mean --lambda?", "-lambda": "unknown flag -lambda; did you mean --lambda?",
		"-c": "unknown flag -c; did you mean --C?", "--nosuch": "unknown flag --nosuch", "--hlp": "unknown flag --hlp; did you mean --help?",
	} {
		if _, err := cmd.Execute([]string{typed}); err == nil || err.Error() != want || ExitStatus(err) != ExitUsage {
			t.Errorf("%s: %v, want %s", typed, err, want)
		}
	}
}
