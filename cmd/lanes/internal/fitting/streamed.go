package fitting

import (
	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/solvers"
)

// Streams tells whether every process takes the rows that it needs from their file.
func (f *RunFlags) Streams() bool { return f.memory != "" || f.ranks != nil }

// CheckStreamed refuses what a run cannot do whose rows stay in their file.
func (f *ProblemFlags) CheckStreamed(cmd *cli.Command, run *RunFlags, name string, args []string) (err error) {
	if !run.Streams() {
		return nil
	}
	if run.Memory, err = ParseMemory("memory", run.memory); err != nil {
		return err
	}
	what, part := "--memory", solvers.Shards
	if run.ranks != nil {
		what, part = "a run on several processes", solvers.Shards|solvers.Processes
	}
	f.Data.Table.MaxMemory = run.Memory / 2
	lacks := lacking([]string{name}, part, asked(cmd, run))
	switch {
	case !f.Data.Table.Given() && (f.Data.Generate != "" || len(args) == 0 || args[0] == "-"):
		return console.Usagef("%s streams the rows of a cache in a file: name one, as 'lanes convert' makes it, or a table with its --target", what)
	case f.multiclass && run.ranks != nil:
		return console.Usagef("%s trains two classes, or targets: name one class by --positive V", what)
	case f.multiclass && (f.Path || f.Folds > 0):
		return console.Usagef("%s: --multiclass with --path or --cv needs all rows in memory: leave --path and --cv out, and give one --lambda", what)
	case f.Folds > 0 && run.ranks != nil:
		return console.Usagef("%s: --cv goes with one process: give --path with --valid in its place", what)
	case lacks != nil:
		return console.Usagef("%s: %s", what, lacks.Reason())
	}
	if err := console.RefuseIdle(cmd, "runs in memory; --memory is the limit here", "max-memory"); err != nil || f.Data.Repeated {
		return err
	}
	return console.RefuseIdle(cmd, "text", input.TextFlags...)
}
