package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// verification is a run that is made again.
type verification struct {
	receipt *receipt
	again   *receipt // of the run made here, nil before its end
}

func (a *app) verifyCommand() *cobra.Command {
	var data dataFlags
	var valid, maxMemory string
	cmd := &cobra.Command{
		Use:   "verify [flags] RECEIPT [DATA]",
		Short: "Repeat the run of a receipt and compare the bits",
		Long: `verify reads a receipt that 'lanes train --receipt' wrote, looks whether DATA are the
data of that run, trains again with the settings of the receipt and says whether the
weights, and what was computed with them, have the same bits. The data are compared by
their rows: text or cache, packed or not, they may have any name. The machine, the CPU
path and the number of threads may be others. A run on generated data needs no DATA, one
with --valid needs those data too.

Exit status: 0 where all bits agree, 1 where they do not, or the run was interrupted,
3 where the data are others or the receipt is damaged or of a run that its settings do
not repeat: one that was resumed, interrupted, or ended by --time.`,
		Example: `  lanes train a9a.xz --model a9a.model --receipt a9a.json
  lanes verify a9a.json a9a.xz
  LANES_CPU=generic lanes verify --workers 1 a9a.json a9a.xz`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := refuseIdle(cmd, use{"seed", false, "train; a run is repeated with the seed of its receipt"}); err != nil {
				return err
			}
			if _, err := parseMemory(maxMemory); err != nil {
				return err
			}
			return a.verify(cmd, args)
		},
	}
	data.register(cmd, false)
	flags := cmd.Flags()
	flags.StringVar(&valid, "valid", "", "the data that --valid named in the run")
	flags.StringVar(&maxMemory, "max-memory", "", "memory that the run may take, as in train")
	return cmd
}

func (a *app) verify(cmd *cobra.Command, args []string) error {
	path := args[0]
	file, err := os.Open(path)
	if err != nil {
		return dataError{fmt.Errorf("the receipt cannot be read: %w", fileTrouble(err, path))}
	}
	defer file.Close()
	r, err := readReceipt(file)
	if err != nil {
		return dataError{fmt.Errorf("%s: %w", path, err)}
	}
	switch changed := cmd.Flags().Changed; {
	case !r.Repeatable:
		return dataError{fmt.Errorf("%s: this run cannot be repeated by its settings (%q)", path, r.Reason)}
	case r.generated() && len(args) == 2:
		return usagef("the run of %s was on generated data (%s): give no DATA", path, r.Data.Name)
	case !r.generated() && len(args) == 1:
		return usagef("the run of %s was on data from a file, %q: name it after the receipt", path, r.Data.Name)
	case r.generated() && (changed("merge") || changed("float32") || changed("zero-based")):
		return usagef("--merge, --float32 and --zero-based would have no effect here: they go with DATA, not with generated data")
	case r.Valid != nil && !changed("valid"):
		return usagef("the run of %s was measured on other data, %q: name them by --valid", path, r.Valid.Name)
	case r.Valid == nil && changed("valid"):
		return usagef("--valid: the run of %s had none", path)
	}
	here, err := a.repeat(cmd, r, args[1:])
	if err != nil {
		return err
	}
	return a.reportVerified(path, r, here)
}

// repeat makes the run of a receipt through the train command.
func (a *app) repeat(cmd *cobra.Command, r *receipt, data []string) (*receipt, error) {
	again := &app{in: a.in, out: io.Discard, err: a.err, start: a.start, verifying: &verification{receipt: r}}
	root := again.root()
	train, _, err := root.Find([]string{"train"})
	if err != nil {
		return nil, err
	}
	train.InheritedFlags() // makes the flags of all commands known to it
	args := append([]string{"train"}, r.arguments(train.Flags())...)
	args = append(args, fmt.Sprintf("--workers=%d", a.workers), fmt.Sprintf("--quiet=%t", a.quiet))
	cmd.LocalNonPersistentFlags().VisitAll(func(flag *pflag.Flag) {
		if flag.Changed {
			args = append(args, "--"+flag.Name+"="+flag.Value.String())
		}
	})
	root.SetArgs(append(append(args, "--"), data...))
	parsed := false
	root.PersistentPreRun = func(*cobra.Command, []string) { parsed = true }
	var usage usageError
	err = root.Execute()
	if err != nil && (!parsed || errors.As(err, &usage)) {
		return nil, dataError{fmt.Errorf("the settings of the receipt cannot be used: %s", err)}
	}
	return again.verifying.again, err
}

func (a *app) reportVerified(path string, r, here *receipt) error {
	results, circumstances := r.differences(here)
	var err error
	if a.json {
		err = a.printJSON(map[string]any{
			"receipt": path, "data": here.Data, "same_bits": len(results) == 0, "weights_sha256": here.Result.Weights,
			"differences": append([]difference{}, results...), "circumstances": append([]difference{}, circumstances...),
		})
	} else {
		var text strings.Builder
		w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
		fmt.Fprintf(w, "data\tthose of the receipt: %d x %d, %d non-zeros\n", here.Data.Rows, here.Data.Columns, here.Data.NonZeros)
		fmt.Fprintf(w, "run\t%s, %s after %.4g passes\n", here.Used.Solver, here.Result.Status, here.Result.Passes)
		fmt.Fprintf(w, "weights sha256\t%s\n", here.Result.Weights)
		fmt.Fprintf(w, "same bits\t%s\n", map[bool]string{true: "yes", false: "no"}[len(results) == 0])
		for _, d := range append(results, circumstances...) {
			fmt.Fprintf(w, "%s\t%s here, %q in the receipt\n", strings.ReplaceAll(d.What, "_", " "), d.Here, d.Receipt)
		}
		w.Flush()
		err = a.print("%s", text.String())
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
	return fmt.Errorf("the run is not that of the receipt: %s differ%s", strings.Join(names, ", "), explained)
}
