// Package command is the command lanes, for its main and for the main of lanes-mpi, which
// runs it on several machines. It promises nothing to others.
//
// It has the tree of commands. Their work is in the packages of cmd/lanes/internal: cli, console,
// input, fitting, plots, receipt, report and bench. Each imports only packages before it in this
// list.
package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/internal/base/memory"
)

// Run runs the command with its arguments and returns the exit status.
func Run(args []string, in io.Reader, out, stderr io.Writer) int {
	return run(&console.App{In: in, Out: out, Err: stderr, Start: time.Now()}, args)
}

// RunOn is Run on several processes; every process calls it with the same arguments.
func RunOn(ranks console.Ranks, args []string, in io.Reader, out, stderr io.Writer) int {
	a := &console.App{In: in, Out: out, Err: stderr, Start: time.Now()}
	a.RunOn(ranks)
	return run(a, args)
}

func run(a *console.App, args []string) int {
	console.CollectLater()
	memory.Obey()
	defer a.End()
	a.Args = args
	root := rootFor(a, args)
	started := cli.Asks(args)
	root.Before = func(cmd *cli.Command, args []string) error {
		started = true
		if err := console.RefuseEmpty(cmd, args); err != nil {
			return err
		}
		return begin(a, cmd)
	}
	show := root.Help
	root.Help = func(cmd *cli.Command) error {
		started = true
		return show(cmd)
	}
	cmd, err := root.Execute(joined(args))
	if err = a.Together(err); err == nil {
		return console.ExitDone
	}
	status := console.ExitStatus(err)
	var unwritten *fs.PathError // of --version
	misused := !started && !errors.As(err, &unwritten)
	if misused {
		status = console.ExitUsage
		a.JSON = a.JSON || givenJSON(args)
	}
	a.Fail(err, status)
	if misused {
		fmt.Fprintf(a.Err, "Run '%s --help' for the usage.\n", cmd.Path())
	}
	return status
}

// joined writes --multiclass softmax, whose value may be left out, as one argument, and --time
// of columns as --times.
func joined(args []string) []string {
	columns := len(args) > 0 && slices.Contains([]string{"train", "convert", "info"}, args[0])
	for k := 0; k < len(args) && args[k] != "--"; k++ {
		next := ""
		if k+1 < len(args) {
			next = args[k+1]
		}
		if args[k] == "--multiclass" && (next == "softmax" || next == "rest") {
			args = append(append(args[:k:k], args[k]+"="+next), args[k+2:]...)
		}
		value, is := strings.CutPrefix(args[k], "--time=")
		if args[k] == "--time" {
			value, is = next, true
		}
		if is && columns && startsName(value) {
			args = slices.Clone(args)
			args[k] = strings.Replace(args[k], "--time", "--times", 1)
		}
	}
	return args
}

// startsName tells whether the value of --time names a column: budgets of time begin with a digit.
func startsName(value string) bool {
	return value != "" && !strings.ContainsRune("0123456789.+-", rune(value[0]))
}

// commands make the subcommands.
var commands = []struct {
	name string
	make func(*console.App) *cli.Command
}{
	{"train", func(a *console.App) *cli.Command { return trainCommand(a, nil) }},
	{"verify", verifyCommand},
	{"predict", predictCommand},
	{"eval", evalCommand},
	{"info", infoCommand},
	{"compare", compareCommand},
	{"convert", convertCommand},
	{"generate", generateCommand},
	{"portfolio", portfolioCommand},
	{"cpu", cpuCommand},
	{"bench", benchCommand},
	{"version", versionCommand},
	{"manual", manualCommand},
}

// rootFor returns as much of the tree of commands as the arguments need: one command takes
// a tenth of the time that all take.
func rootFor(a *console.App, args []string) *cli.Command {
	for _, c := range commands {
		if len(args) > 0 && args[0] == c.name && c.name != "manual" { // which is about all of them
			return rootOf(a, c.make(a))
		}
	}
	return newRoot(a)
}

// newRoot returns the tree of commands.
func newRoot(a *console.App) *cli.Command {
	var all []*cli.Command
	for _, c := range commands {
		all = append(all, c.make(a))
	}
	root := rootOf(a, all...)
	root.Version = console.Version()
	root.AddCommand(helpCommand(a, root), completionCommand(a))
	return root
}

// rootOf returns a tree of some commands.
func rootOf(a *console.App, some ...*cli.Command) *cli.Command {
	root := &cli.Command{
		Use:   "lanes",
		Short: "Fast sparse linear models with the same bits on every CPU",
		Long: `lanes trains linear models on tables and sparse data, applies and measures them, and compares
solvers. DATA is LIBSVM text, plain or compressed, a cache that 'lanes convert' made, or with
--target COLUMN a table; - is standard input.

Results go to standard output, progress and messages to standard error.
Exit status: 0 success, 1 a run that failed, did not finish or ended above its tolerance,
2 wrong usage, 3 bad data. The environment variable LANES_CPU forces a CPU path (see lanes cpu).`,
		Example: `  lanes train adult.csv --target income-per-year --model adult.model
  lanes predict adult.model new.csv --out scored.csv
  lanes train a9a.xz --model a9a.model
  lanes train --generate text --solver svrg --gap 1e-6 --plot curves.png
  lanes predict a9a.model a9a.t.xz --probability > scores
  lanes eval a9a.model a9a.t.xz
  lanes compare a9a.xz --solvers ai-sarah,svrg,sarah --html report.html`,
		Out:       a.Out,
		FlagError: console.FlagError,
		Help: func(cmd *cli.Command) error {
			var page bytes.Buffer
			console.Help(&page, cmd, topics)
			return a.Print("%s", &page)
		},
	}
	flags := root.AllFlags()
	flags.Add("json", "print exactly one JSON object on standard output", &a.JSON)
	flags.Add("quiet", "no progress and no notes, only errors; --json and pages keep the notes", &a.Quiet)
	flags.Add("strict", "refuse data of which something is not used or is ambiguous", &a.Strict)
	a.Seed = 1
	flags.Add("seed", "seed `N` of every random choice", &a.Seed)
	flags.Add("workers", "`N` threads, 0 for all cores; never changes the result", &a.Workers)
	console.SetGroup(flags, console.OutputGroup, "json", "quiet", "strict")
	console.SetGroup(flags, console.ResourcesGroup, "seed", "workers")
	root.AddCommand(some...)
	return root
}

// helpCommand shows the help of the command, or of the topic, that its arguments name.
func helpCommand(a *console.App, root *cli.Command) *cli.Command {
	return &cli.Command{
		Use:   "help [COMMAND|TOPIC]",
		Short: "Show the help of a command or a topic",
		Complete: func([]string, string) (names []string) {
			for _, c := range root.Commands() {
				if !c.Hidden {
					names = append(names, c.Name()+"\t"+c.Short)
				}
			}
			for _, t := range topics {
				names = append(names, t.Name+"\t"+t.Title)
			}
			return names
		},
		Run: func(_ *cli.Command, args []string) error {
			if len(args) == 1 {
				if at := slices.IndexFunc(topics, func(t console.Topic) bool { return t.Name == args[0] }); at >= 0 {
					var page bytes.Buffer
					topics[at].Write(&page, trainFlags())
					return a.Print("%s", &page)
				}
			}
			cmd, rest := root.Find(args)
			if len(rest) > 0 {
				return console.Usagef("there is no command or topic %q; 'lanes help' lists them", strings.Join(args, " "))
			}
			return root.Help(cmd)
		},
	}
}

// completionCommand prints the script by which a shell completes the command.
func completionCommand(a *console.App) *cli.Command {
	var shells []string
	for _, s := range cli.Shells {
		shells = append(shells, s.Name)
	}
	return &cli.Command{
		Use:      "completion SHELL",
		Short:    "Print the completion script of bash, fish, powershell or zsh",
		Args:     cli.Between(1, 1),
		Complete: cli.Fixed(shells),
		Run: func(_ *cli.Command, args []string) error {
			script, err := cli.Script(args[0])
			if err != nil {
				return console.BadUsage(err)
			}
			return a.Print("%s", script)
		},
	}
}

// trainFlags returns the flags of train.
func trainFlags() *cli.FlagSet { return trainCommand(&console.App{}, nil).Flags() }

// begin checks what all commands need.
func begin(a *console.App, cmd *cli.Command) error {
	if a.Workers < 0 || a.Workers > 1<<16 {
		return console.BadFlag("workers", a.Workers, "give a number of threads from 0 (all cores) to %d", 1<<16)
	}
	if a.Ranks != nil && a.Ranks.Size() > 1 && !slices.Contains([]string{"train", "version", "help"}, cmd.Name()) {
		return console.Usagef("%s is for one process: lanes %s does it", cmd.Name(), cmd.Name())
	}
	if err := dispatch.Err(); err != nil && cmd.Name() != "cpu" {
		return console.Usagef("%w; unset %s, or see 'lanes cpu' for the paths of this machine", err, dispatch.Env)
	}
	return nil
}

// givenJSON tells whether --json stands among arguments that cannot be parsed.
func givenJSON(args []string) bool {
	for _, arg := range args {
		if arg == "--" {
			return false
		}
		if value, is := strings.CutPrefix(arg, "--json"); is && (value == "" || value == "=true" || value == "=1") {
			return true
		}
	}
	return false
}
