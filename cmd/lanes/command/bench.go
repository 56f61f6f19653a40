package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/bench"
	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
)

// benchFlags are what lanes bench was told.
type benchFlags struct {
	options                             bench.Options
	filter, from, against, html, format string
	list                                bool
}

func benchCommand(a *console.App) *cli.Command {
	var f benchFlags
	cmd := &cli.Command{
		Use:   "bench [flags]",
		Short: "Measure this machine, and every kernel against its limits",
		Long: `bench measures this machine: bandwidth of every cache and of memory, arithmetic, gathers and
calls. Then it measures every kernel on every CPU path, over lengths and layouts. It reports the
time, the bytes a second, and the share: the least time that the machine needs for the
kernel's work, in per cent of the measured time, and which limit binds. docs/bench.md explains
the report.

bench stays on one core if the system allows it, and takes samples in several rounds. It warns
if the machine is noisy or its clock changes. A full run takes some minutes, --quick less
than 20 seconds. Results of a busy machine are worth little.

--json prints everything, samples included; --from shows such a file in any format without
measuring, and --against shows what changed by more than the noise of both runs. --html writes
a page that needs no network, with the roofline and curves. benchstat reads --format go.`,
		Example: `  lanes bench --quick
  lanes bench --html bench.html --json > bench.json
  lanes bench --filter 'dense\.(Dot|Axpy)' --lengths 8,64,1024
  lanes bench --quick --against bench.json
  lanes bench --format go > new.txt && benchstat old.txt new.txt`,
		Args: cli.NoArgs,
		Run:  func(*cli.Command, []string) error { return measure(a, &f) },
	}
	const measured, shown = "Measurement", "Output"
	nothing := map[string]string{"from": "", "list": ""} // is measured
	console.Declare(cmd,
		console.Flag{Name: "quick", Value: &f.options.Quick, Group: measured, Excludes: nothing, Help: "take fewer lengths and samples: less than a minute"},
		console.Flag{Name: "filter", Value: &f.filter, Group: measured, Excludes: map[string]string{"from": ""}, Help: "only kernels whose names match the regular expression `REGEXP`"},
		console.Flag{Name: "paths", Value: &f.options.Paths, Group: measured, Excludes: nothing, Help: "only the CPU paths `NAMES`; 'lanes cpu' shows the paths of this machine"},
		console.Flag{Name: "lengths", Value: &f.options.Lengths, Group: measured, Excludes: nothing, Help: "`LENGTHS` in place of the usual ones, as in 8,64,1024"},
		console.Flag{Name: "core", Value: &f.options.Core, Group: measured, Default: "-1", Excludes: nothing,
			Range: console.Range{Holds: func(v float64) bool { return v >= -1 }, Want: "give the number of a core, from 0 on, or -1"},
			Help:  "stay on core `N`; -1 is the last of the fastest"},
		console.Flag{Name: "list", Value: &f.list, Group: shown, Help: "only list the kernels"},
		console.Flag{Name: "from", Value: &f.from, Group: shown, Excludes: map[string]string{"list": ""}, Help: "show `FILE`, an earlier output of --json; measure nothing"},
		console.Flag{Name: "against", Value: &f.against, Group: shown, Excludes: map[string]string{"list": ""}, Help: "show what changed since `FILE`, an output of --json on this machine"},
		console.Flag{Name: "html", Value: &f.html, Group: shown, Excludes: map[string]string{"list": ""}, Help: "write a page with the roofline and curves to `FILE`"},
		console.Flag{Name: "format", Value: &f.format, Group: shown, Default: "table", Choices: []string{"table", "go"}, Excludes: map[string]string{"json": "", "list": ""},
			Help: "`FORMAT`: table, or go for the format of Go's benchmarks"})
	return cmd
}

// check refuses flags that are wrong, before anything is read or measured.
func (f *benchFlags) check(a *console.App) (err error) {
	if f.filter != "" {
		if f.options.Filter, err = regexp.Compile("(?i:" + f.filter + ")"); err != nil {
			return console.BadFlag("filter", f.filter, "it is no regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
		if len(f.kernels()) == 0 {
			return console.BadFlag("filter", f.filter, "no kernel has this in its name, which is like dense.Dot or rows.Dot/i16f32; --list shows all")
		}
	}
	var inputs []string
	for _, path := range []string{f.from, f.against} {
		if path != "" {
			inputs = append(inputs, path)
		}
	}
	return console.Outputs{"html": f.html}.Check(a.In, inputs...)
}

// readReport reads the report that a flag names; nil where it names none.
func readReport(flag, path string) (*bench.Report, error) {
	if path == "" {
		return nil, nil
	}
	r, err := bench.ReadFile(path)
	if err != nil {
		return nil, console.BadData(fmt.Errorf("--%s: %w", flag, console.FileTrouble(err, path)))
	}
	return r, nil
}

// kernels returns the names of the kernels that match the filter.
func (f *benchFlags) kernels() (names []string) {
	for _, name := range bench.Kernels() {
		if f.options.Filter == nil || f.options.Filter.MatchString(name) {
			names = append(names, name)
		}
	}
	return names
}

func measure(a *console.App, f *benchFlags) error {
	if err := f.check(a); err != nil {
		return err
	}
	switch {
	case f.list && a.JSON:
		return a.PrintJSON(map[string]any{"kernels": f.kernels()})
	case f.list:
		return a.Print("%s\n", strings.Join(f.kernels(), "\n"))
	}
	old, err := readReport("against", f.against)
	if err != nil {
		return err
	}
	r, err := readReport("from", f.from)
	if err != nil {
		return err
	}
	if old != nil {
		machine := bench.ThisMachine()
		if r != nil {
			machine = r.Machine
		}
		if err := old.Comparable(machine); err != nil {
			return console.BadData(fmt.Errorf("--against %s: it was %w", f.against, err))
		}
		f.options.Wanted = old.Wants()
	}
	if r == nil {
		if r, err = f.run(a); err != nil {
			return err
		}
	}
	if old != nil {
		r.Compare(old, f.against)
	}
	if f.html != "" {
		if err := a.Write("page", f.html, r.WritePage); err != nil {
			return err
		}
	}
	var out bytes.Buffer
	switch {
	case a.JSON:
		return a.PrintJSON(r)
	case f.format == "go":
		for _, warning := range r.Warnings {
			a.Note("%s", warning)
		}
		err = r.WriteGo(&out)
	default:
		err = r.WriteTable(&out)
	}
	if err != nil {
		return err
	}
	return a.Print("%s", out.String())
}

// run measures and shows how far it is.
func (f *benchFlags) run(a *console.App) (*bench.Report, error) {
	ctx, begun, stop := a.Interruptible(0, false)
	defer stop()
	begun()
	var mu sync.Mutex
	what, done, start := "the machine", 0.0, time.Now()
	f.options.Progress = func(now string, share float64) {
		mu.Lock()
		defer mu.Unlock()
		what, done = now, share
	}
	d := a.Show(func(width int) string {
		mu.Lock()
		defer mu.Unlock()
		elapsed, left := time.Since(start), math.Inf(1)
		if done > 0 {
			left = float64(elapsed) * (1 - done) / done
		}
		return console.Fitted(width, []console.Phrase{console.NewPhrase(0, fmt.Sprintf("%.0f %% measured", 100*done)),
			console.NewPhrase(3, what), console.NewPhrase(2, console.Short(elapsed)), console.Remaining(1, left)})
	})
	r, err := bench.Run(ctx, f.options)
	d.Stop()
	var bad *bench.OptionError
	switch {
	case errors.As(err, &bad):
		return nil, console.BadFlag(bad.Option, bad.Value, "%s", bad.Expected)
	case errors.Is(err, bench.ErrNothing) && f.against != "":
		return nil, console.BadData(fmt.Errorf("--against %s: it has no result of what would be measured here", f.against))
	case errors.Is(err, bench.ErrNothing):
		return nil, console.Usagef("these kernels have none of these lengths")
	case errors.Is(err, context.Canceled):
		return nil, errors.New("interrupted; nothing was written")
	case err != nil:
		return nil, err
	}
	r.Version = console.Version()
	return r, nil
}
