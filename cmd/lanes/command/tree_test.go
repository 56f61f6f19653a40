package command

import (
	"bytes"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
)

// TestCommandsAlone asks for the help of every command: it is the same whether the others
// were made too or not.
func TestCommandsAlone(t *testing.T) {
	t.Parallel()
	help := func(args ...string) string {
		var out, stderr bytes.Buffer
		if status := Run(args, nil, &out, &stderr); status != console.ExitDone {
			t.Fatalf("%v: %s", args, &stderr)
		}
		return out.String()
	}
	whole := newRoot(&console.App{})
	for _, cmd := range whole.Commands() {
		switch name := cmd.Name(); name {
		case "completion", "help": // which belong to the tree
		case "manual":
			if rootFor(&console.App{}, []string{name}).Commands()[0].Name() == name {
				t.Error("the manual would be about itself alone")
			}
		default:
			alone := rootFor(&console.App{}, []string{name})
			if made := alone.Commands(); len(made) != 1 || made[0].Name() != name {
				t.Errorf("%s is made with %d others", name, len(made)-1)
			}
			if help(name, "--help") != help("help", name) {
				t.Errorf("lanes %s --help and lanes help %s differ", name, name)
			}
		}
	}
}
