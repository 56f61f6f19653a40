package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/cmd/lanes/internal/receipt"
	"github.com/lanes-go/lanes/internal/base/stamp"
)

func verifyCommand(a *console.App) *cli.Command {
	var data input.DataFlags
	var valid, initial, maxMemory, most string
	cmd := &cli.Command{
		Use:   "verify [flags] RECEIPT [DATA]",
		Short: "Repeat the run of a receipt and compare the bits",
		Long: `verify reads a receipt that 'lanes train --receipt' wrote. It checks that DATA are the data of
that run, and trains again with the settings of the receipt. It reports whether the weights, and
all numbers computed from them, have the same bits. It compares data by their rows: text or cache,
compressed or not, under any name. The machine, the CPU path and the number of threads may
differ. A run on generated data needs no DATA. A run with --valid needs those data too, a run with
--initial the model, and a run with --labels the file: verify opens no file that only the receipt
names.

Exit status: 0 if all bits agree; 1 if they do not or the run was interrupted; 3 if the data
differ, the receipt is damaged, or its settings do not repeat its run. A run that was resumed,
interrupted, or ended by --time cannot be repeated.`,
		Example: `  lanes train a9a.xz --model a9a.model --receipt a9a.json
  lanes verify a9a.json a9a.xz
  LANES_CPU=generic lanes verify --workers 1 a9a.json a9a.xz`,
		Args: cli.Between(1, 2),
		Run: func(cmd *cli.Command, args []string) error {
			if err := console.RefuseIdle(cmd, "train; a run is repeated with the seed of its receipt", "seed"); err != nil {
				return err
			}
			for flag, size := range map[string]string{"max-memory": maxMemory, "memory": most} {
				if _, err := fitting.ParseMemory(flag, size); err != nil {
					return err
				}
			}
			return verify(a, cmd, args)
		},
	}
	console.Declare(cmd, append(data.Flags(false),
		console.Flag{Name: "valid", Value: &valid, Group: console.DataGroup, Help: "validation `DATA` of the run"},
		console.Flag{Name: "initial", Value: &initial, Group: console.DataGroup, Help: "initial `MODEL` of the run"},
		console.Flag{Name: "memory", Value: &most, Group: "Resources", Help: "stream rows in every epoch within `SIZE`, as in 2GB (runs by shards)"},
		console.Flag{Name: "max-memory", Value: &maxMemory, Group: "Resources", Help: "largest memory `SIZE` of a run with its rows in memory, as in 8GB"})...)
	return cmd
}

func verify(a *console.App, cmd *cli.Command, args []string) error {
	path := args[0]
	file, err := stamp.OpenNow(path)
	if err != nil {
		return console.BadData(fmt.Errorf("the receipt cannot be read: %w", console.FileTrouble(err, path)))
	}
	defer file.Close()
	r, err := receipt.Read(file)
	if err != nil {
		return console.BadData(fmt.Errorf("%s: %w", path, err))
	}
	switch changed := cmd.Flags().Changed; {
	case !r.Repeatable:
		return console.BadData(fmt.Errorf("%s: this run cannot be repeated by its settings (%q)", path, r.Reason))
	case r.Generated() && len(args) == 2:
		return console.Usagef("the run of %s was on generated data (%s): give no DATA", path, r.Data.Name)
	case !r.Generated() && len(args) == 1:
		return console.Usagef("the run of %s was on data from a file, %q: name it after the receipt", path, r.Data.Name)
	case r.Generated() && (changed("merge") || changed("float32") || changed("zero-based")):
		return console.Usagef("--merge, --float32 and --zero-based would have no effect here: they go with DATA, not with generated data")
	case r.Valid != nil && !changed("valid"):
		return console.Usagef("the run of %s was measured on other data, %q: name them by --valid", path, r.Valid.Name)
	case r.Valid == nil && changed("valid"):
		return console.Usagef("--valid: the run of %s had none", path)
	case r.Initial != nil && !changed("initial"):
		return console.Usagef("the run of %s began at a model, %q: name it by --initial", path, r.Initial.Name)
	case r.Initial == nil && changed("initial"):
		return console.Usagef("--initial: the run of %s began at no model", path)
	case r.Labels() != "" && !changed("labels"):
		return console.Usagef("the run of %s took its labels from a file, %q: name it by --labels", path, r.Labels())
	case r.Labels() == "" && changed("labels"):
		return console.Usagef("--labels: the run of %s took its labels from its data", path)
	}
	here, err := repeat(a, cmd, r, args[1:])
	if err != nil {
		return err
	}
	return printVerified(a, path, r, here)
}

// repeat makes the run of a receipt through the train command.
func repeat(a *console.App, cmd *cli.Command, r *receipt.Receipt, data []string) (*receipt.Receipt, error) {
	again := &receipt.Verification{Receipt: r}
	own := &console.App{In: a.In, Out: io.Discard, Err: a.Err, Start: a.Start}
	defer own.End()
	train := trainCommand(own, again)
	root := rootOf(own, train)
	args := append([]string{"train"}, r.Arguments(train.Flags())...)
	args = append(args, fmt.Sprintf("--workers=%d", a.Workers), fmt.Sprintf("--quiet=%t", a.Quiet))
	cmd.OwnFlags().VisitAll(func(flag *cli.Flag) {
		if flag.Changed {
			args = append(args, "--"+flag.Name+"="+flag.Value.String())
		}
	})
	parsed := false
	root.Before = func(*cli.Command, []string) error { parsed = true; return nil }
	_, err := root.Execute(append(append(args, "--"), data...))
	if err != nil && (!parsed || console.ExitStatus(err) == console.ExitUsage) {
		return nil, console.BadData(fmt.Errorf("the settings of the receipt cannot be used: %s", err))
	}
	return again.Again, err
}

// printVerified reports in what a repeated run differs from its receipt r; where results
// differ, it returns an error.
func printVerified(a *console.App, path string, r, here *receipt.Receipt) error {
	results, circumstances := r.Differences(here)
	var err error
	if a.JSON {
		err = a.PrintJSON(map[string]any{
			"receipt": path, "data": here.Data, "same_bits": len(results) == 0, "weights_sha256": here.Result.Weights,
			"differences": append([]receipt.Difference{}, results...), "circumstances": append([]receipt.Difference{}, circumstances...),
		})
	} else {
		text := console.NewText()
		fmt.Fprintf(text, "data\tthe data of the receipt: %d x %d, %d non-zeros\n", here.Data.Rows, here.Data.Columns, here.Data.NonZeros)
		fmt.Fprintf(text, "run\t%s, %s after %.4g epochs\n", here.Used.Solver, here.Result.Status, here.Result.Passes)
		fmt.Fprintf(text, "weights sha256\t%s\n", here.Result.Weights)
		fmt.Fprintf(text, "same bits\t%s\n", map[bool]string{true: "yes", false: "no"}[len(results) == 0])
		for _, d := range append(results, circumstances...) {
			fmt.Fprintf(text, "%s\t%s here, %q in the receipt\n", strings.ReplaceAll(d.What, "_", " "), d.Here, d.Receipt)
		}
		err = a.PrintText(text)
	}
	if err != nil || len(results) == 0 {
		return err
	}
	var names []string
	for _, d := range results {
		names = append(names, d.What)
	}
	explained := ""
	if r.By.Version != here.By.Version {
		explained = fmt.Sprintf("; the receipt is of version %q, and another version may have other bits", r.By.Version)
	}
	return fmt.Errorf("the run differs from the receipt: %s differ%s", strings.Join(names, ", "), explained)
}
