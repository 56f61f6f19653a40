// Command lanes trains linear models on sparse data, applies and measures them,
// and compares solvers. Run lanes --help.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/sparse"
)

// The exit statuses that scripts can rely on.
const (
	exitDone  = 0
	exitRun   = 1 // a run that failed or did not finish
	exitUsage = 2
	exitData  = 3
)

// usageError says that the command line was wrong, dataError that something that
// was read was.
type (
	usageError struct{ error }
	dataError  struct{ error }
)

func (e usageError) Unwrap() error { return e.error }
func (e dataError) Unwrap() error  { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// app holds the streams and what is common to all commands.
type app struct {
	in       io.Reader
	out, err io.Writer
	json     bool
	quiet    bool
	seed     uint64
	workers  int
	printed  bool // a JSON object went out
	start    time.Time
	points   int // of a run that its outputs need, at most

	verifying *verification // nil but for the run that lanes verify makes

	telling sync.Mutex // held by who writes to err
	shown   int        // width of the line of progress on the terminal
}

// note tells people something on stderr.
func (a *app) note(format string, args ...any) {
	if !a.quiet {
		a.tell(fmt.Sprintf("lanes: "+format, args...))
	}
}

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func run(args []string, in io.Reader, out, stderr io.Writer) int {
	a := &app{in: in, out: out, err: stderr, start: time.Now()}
	root := a.root()
	root.SetArgs(args)
	started := false
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		started = true
		return a.begin(cmd)
	}
	cmd, err := root.ExecuteC()
	if err == nil {
		return exitDone
	}
	status := exitRun
	var usage usageError
	var data dataError
	var format *sparse.FormatError
	switch {
	case !started || errors.As(err, &usage):
		status = exitUsage
	case errors.As(err, &data) || errors.As(err, &format):
		status = exitData
	}
	if !started {
		a.json = a.json || givenJSON(args)
	}
	a.fail(err, status)
	if !started {
		fmt.Fprintf(stderr, "Run '%s --help' for the usage.\n", cmd.CommandPath())
	}
	return status
}

// fail says what went wrong, to people and, with --json, to programs.
func (a *app) fail(err error, status int) {
	a.tell(fmt.Sprintf("lanes: %v", err))
	if a.json && !a.printed {
		a.printJSON(map[string]any{"status": "error", "error": err.Error(), "exit_status": status})
	}
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "lanes",
		Short: "Fast sparse linear models with the same bits on every CPU",
		Long: `lanes trains linear models on sparse data, applies and measures them, and
compares solvers.

DATA is a file or - for standard input: LIBSVM text, plain or compressed by gzip,
bzip2, xz or zstd, or a cache that 'lanes convert' made; the content decides, not
the name. Without DATA, train and compare use a generated data set.

Results go to standard output, progress and messages to standard error.
Exit status: 0 success, 1 a run that failed or did not finish, 2 wrong usage,
3 bad data. The environment variable LANES_CPU forces a CPU path (see lanes cpu).`,
		Example: `  lanes train a9a.xz --model a9a.model
  lanes train --generate text --solver svrg --gap 1e-6 --plot curves.png
  lanes predict --model a9a.model a9a.t.xz --probability > scores
  lanes eval --model a9a.model a9a.t.xz
  lanes compare a9a.xz --solvers ai-sarah,svrg,sarah --html report.html`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("lanes {{.Version}}\n")
	flags := root.PersistentFlags()
	flags.BoolVar(&a.json, "json", false, "print exactly one JSON object on standard output")
	flags.BoolVar(&a.quiet, "quiet", false, "no progress and no notes, only errors")
	flags.Uint64Var(&a.seed, "seed", 1, "seed of every random choice")
	flags.IntVar(&a.workers, "workers", 0, "number of threads, 0 for all cores; never changes the result")
	root.AddCommand(a.trainCommand(), a.verifyCommand(), a.predictCommand(), a.evalCommand(), a.infoCommand(),
		a.compareCommand(), a.convertCommand(), a.portfolioCommand(), a.cpuCommand(), a.versionCommand(), a.manualCommand())
	root.SetHelpCommand(helpCommand(root))
	root.SetIn(a.in)
	root.SetOut(a.out) // before the completion command, which keeps it
	root.SetErr(a.err)
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.Args = cobra.ArbitraryArgs
			cmd.RunE = func(cmd *cobra.Command, args []string) error {
				if len(args) > 0 {
					return usagef("there is no completion for %q, only for bash, fish, powershell and zsh", args[0])
				}
				return cmd.Help()
			}
		}
	}
	return root
}

// helpCommand shows the help of the command that its arguments name.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Show the help of a command",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return usagef("there is no command %q; 'lanes help' lists them", strings.Join(args, " "))
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}

// begin checks what all commands need.
func (a *app) begin(cmd *cobra.Command) error {
	if a.workers < 0 || a.workers > 1<<16 {
		return usagef("--workers %d: there may be 0 (all cores) to %d", a.workers, 1<<16)
	}
	if err := dispatch.Err(); err != nil && cmd.Name() != "cpu" {
		return usagef("%w; unset %s, or see 'lanes cpu' for the paths of this machine", err, dispatch.Env)
	}
	return nil
}

// printJSON writes the one object of --json.
func (a *app) printJSON(object any) error {
	a.printed = true
	text, err := json.MarshalIndent(object, "", "  ")
	if err != nil {
		return err
	}
	return a.print("%s\n", text)
}

func (a *app) print(format string, args ...any) error {
	if _, err := fmt.Fprintf(a.out, format, args...); err != nil {
		return fmt.Errorf("writing the result: %w", bare(err))
	}
	return nil
}

// finite is null in JSON where there is no finite number.
func finite(v float64) *float64 {
	if v-v != 0 {
		return nil
	}
	return &v
}

// bare drops the name that the system gives a failed file operation, for
// messages that name the file themselves.
func bare(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
