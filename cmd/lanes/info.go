package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

func (a *app) infoCommand() *cobra.Command {
	var f problemFlags
	var lipschitz bool
	cmd := &cobra.Command{
		Use:   "info [flags] DATA|MODEL",
		Short: "Describe a data set, or a model",
		Long: `info prints the size of a data set, its classes, and how it is held in memory. With
--lipschitz it adds the smoothness constant L of the objective, for the
logistic loss lambda_max(X'X/n)/4 + lambda; --normalize, --bias, --lambda, --C, --loss and
--class-weight count. Without DATA, name generated data with --generate.

Of a model, ours or LIBLINEAR's, it prints where it comes from, what it predicts, how rows
are prepared for it, and how it is used.`,
		Example: `  lanes info a9a.xz
  lanes info a9a.model
  lanes info --lipschitz --normalize unit --bias a1a.xz`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && f.data.generate == "" {
				return usagef("name the DATA to describe, or --generate SHAPE")
			}
			if len(args) == 1 && f.data.generate == "" && isModel(args[0]) {
				var given []use
				cmd.LocalNonPersistentFlags().VisitAll(func(flag *pflag.Flag) { given = append(given, use{flag.Name, false, "DATA; this is a model"}) })
				if err := refuseIdle(cmd, given...); err != nil {
					return err
				}
				return a.modelInfo(args[0])
			}
			if err := f.check(cmd); err != nil {
				return err
			}
			for _, flag := range []string{"loss", "lambda", "C", "bias", "normalize", "class-weight", "max-memory"} {
				if err := refuseIdle(cmd, use{flag, lipschitz, "--lipschitz"}); err != nil {
					return err
				}
			}
			if err := refuseIdle(cmd, use{"huber", lipschitz && f.kind == kernels.Huber, "--lipschitz and --loss huber"}); err != nil {
				return err
			}
			data, err := a.load(args, &f.data, sparse.ReadOptions{})
			if err != nil {
				return err
			}
			if err := f.findPositive(data); err != nil {
				return err
			}
			return a.info(data, &f, lipschitz)
		},
	}
	f.register(cmd)
	cmd.Flags().BoolVar(&lipschitz, "lipschitz", false, "compute the smoothness constant L of the objective")
	return cmd
}

func (a *app) info(data *dataset, f *problemFlags, lipschitz bool) error {
	about := data.X.Describe()
	classes := sparse.CountClasses(data.Y)
	var positives *int
	if f.positiveLabel != nil || len(classes) == 2 {
		signs, _, err := sparse.BinaryLabels(data.Y, f.positiveLabel)
		if err != nil {
			return dataError{fmt.Errorf("%s: %w", data.name, err)}
		}
		count := 0
		for _, s := range signs {
			if s > 0 {
				count++
			}
		}
		positives = &count
	}
	var smoothness *float64
	lambda := 0.0
	if lipschitz {
		if positives == nil && f.classWeight == "" {
			// L does not depend on the labels: any will do.
			f.kind = map[bool]kernels.Loss{true: kernels.Logistic, false: kernels.Squared}[f.kind == kernels.Logistic]
			data.Y = make([]float64, about.Rows)
			for i := range data.Y {
				data.Y[i] = float64(i&1)*2 - 1
			}
			if about.Rows == 1 {
				f.kind = kernels.Squared
			}
		}
		p, err := f.prepare(data)
		if err != nil {
			return err
		}
		l, err := erm.Smoothness(&p.Problem, a.workers)
		if err != nil {
			return plain(err)
		}
		smoothness, lambda = finite(l), p.Lambda
	}
	if a.json {
		object := map[string]any{
			"data": data.name, "n": about.Rows, "d": about.Columns, "nnz": about.NonZeros,
			"classes": len(classes), "positives": positives, "rows_without_features": about.EmptyRows,
			"longest_row": about.LongestRow, "used_columns": about.UsedColumns,
			"layout": about.Layout, "bytes_per_nnz": finite(about.BytesPerNonZero), "load_seconds": data.seconds,
		}
		if lipschitz {
			object["lipschitz"], object["lambda"] = smoothness, lambda
		}
		return a.printJSON(object)
	}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	row := func(name, format string, values ...any) {
		fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(format, values...))
	}
	row("data", "%s, loaded in %.3g s", data.name, data.seconds)
	row("rows n", "%d (%d without features)", about.Rows, about.EmptyRows)
	row("columns d", "%d (%d used)", about.Columns, about.UsedColumns)
	row("non-zeros", "%d (%.4g a row, at most %d)", about.NonZeros, float64(about.NonZeros)/float64(max(about.Rows, 1)), about.LongestRow)
	row("values", "%.6g to %.6g", about.Least, about.Greatest)
	row("classes", "%s", listClasses(data, classes))
	if positives != nil {
		row("positives", "%d (%.3g %%)", *positives, 100*float64(*positives)/float64(about.Rows))
	}
	row("layout", "%s, %.3g bytes a non-zero", about.Layout, about.BytesPerNonZero)
	if smoothness != nil {
		row("smoothness L", "%.9g (%s loss, lambda %.6g)", *smoothness, f.loss, lambda)
	}
	w.Flush()
	return a.print("%s", text.String())
}

func listClasses(data *dataset, classes []sparse.Class) string {
	const most = 8
	var parts []string
	for _, c := range classes[:min(len(classes), most)] {
		parts = append(parts, fmt.Sprintf("%s (%d rows)", data.word(c.Label), c.Count))
	}
	if len(classes) > most {
		parts = append(parts, "...")
	}
	return fmt.Sprintf("%d: %s", len(classes), strings.Join(parts, ", "))
}
