package command

import (
	"context"
	"slices"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/cmd/lanes/internal/report"
	"github.com/lanes-go/lanes/inference"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/sparse"
)

func infoCommand(a *console.App) *cli.Command {
	var f fitting.ProblemFlags
	var lipschitz, recipe bool
	var path, plan string
	var top int
	var rows, coefficients string
	var errors inference.Options
	cmd := &cli.Command{
		Use:   "info [flags] DATA|TABLE|MODEL",
		Short: "Describe a data set, a table, or a model",
		Long: `info prints the size of a data set, its classes, and its layout in memory. --lipschitz adds
the smoothness constant L of the objective (logistic loss: lambda_max(X'X/n)/4 + lambda), which
depends on --normalize, --bias, --lambda, --C, --loss and --class-weight. Without DATA, name
generated data with --generate.

For a table, info prints each column: type, missing values, distinct values, range, commonest
values, and how train would encode it. The flags of tables change the encoding. --recipe
prints the encoding as JSON; edit it and give it to train --recipe.

For a model, of lanes or of LIBLINEAR, info prints its origin, its target, how it prepares
rows, and how to use it. --top K adds the K weights of largest magnitude per class,
with column names if the model has them. For a model of a table it prints the columns too.
--inference DATA adds standard errors to the weights of a model that has no penalty, by the
rows of its training.`,
		Example: `  lanes info a9a.xz
  lanes info adult.csv
  lanes info adult.csv --target income-per-year --recipe > adult.json
  lanes info a9a.model
  lanes info --model a9a.model --top 20
  lanes info clicks.lanes --plan 64GB,8x2
  lanes info --lipschitz --normalize unit --bias a1a.xz`,
		Args: cli.Between(0, 1),
		Run: func(cmd *cli.Command, args []string) error {
			switch {
			case path != "" && len(args) > 0:
				return console.Usagef("name a model by --model, or DATA, not both: %s and %s", path, args[0])
			case path != "":
				args = []string{path}
			default:
				args = input.OrStdin(a, args, &f.Data)
			}
			if len(args) == 0 && f.Data.Generate == "" {
				return console.Usagef("name the DATA to describe, or --generate SHAPE")
			}
			isModel := path != ""
			if len(args) == 1 && !isModel && f.Data.Generate == "" && !f.Data.Table.Given() {
				var err error
				if isModel, err = input.IsModel(args[0]); err != nil {
					return err
				}
			}
			if isModel {
				own := []string{"top", "model", "inference"}
				if rows != "" {
					own = append(slices.Concat([]string{"model", "inference", "covariance", "level", "coefficients"}, input.ReadFlags), input.TextFlags...)
				}
				if err := console.RefuseOthers(cmd, "DATA; this is a model", own...); err != nil {
					return err
				}
				if rows != "" {
					return infoInference(a, cmd, args[0], rows, &f.Data, errors, coefficients)
				}
				return report.PrintModel(a, args[0], top)
			}
			if err := console.RefuseIdle(cmd, "a model, which DATA are not", "top", "inference"); err != nil {
				return err
			}
			if plan != "" {
				return infoPlan(a, cmd, args, plan)
			}
			if err := f.Check(); err != nil {
				return err
			}
			isTable := f.Data.Table.Given()
			if len(args) == 1 && f.Data.Generate == "" && !isTable {
				isRows, err := input.IsRows(args[0])
				if err != nil {
					return err
				}
				isTable = !isRows && input.IsTable(args[0])
			}
			if len(args) == 1 && f.Data.Generate == "" && isTable {
				return infoTable(a, cmd, args[0], &f.Data.Table, recipe)
			}
			if err := console.RefuseIdle(cmd, "a table, which DATA are not", slices.Concat(input.ReadFlags, input.ColumnFlags, []string{"recipe"})...); err != nil {
				return err
			}
			if !lipschitz {
				if err := console.RefuseIdle(cmd, "--lipschitz", "loss", "huber", "lambda", "C", "bias", "normalize", "class-weight", "max-memory"); err != nil {
					return err
				}
			}
			if !loss.TakesDelta(f.Loss) {
				if err := console.RefuseIdle(cmd, "--lipschitz and --loss huber", "huber"); err != nil {
					return err
				}
			}
			data, err := input.Load(a, args, &f.Data, sparse.ReadOptions{})
			if err != nil {
				return err
			}
			if err := f.FindPositive(data); err != nil {
				return err
			}
			return report.PrintData(a, data, &f, lipschitz)
		},
	}
	const model = console.ModelGroup
	list := append(fitting.Flags(&f, &fitting.RunFlags{}, 0),
		console.Flag{Name: "recipe", Value: &recipe, Group: input.TableGroup, Help: "print the encoding of a table, as JSON to edit for train --recipe"},
		console.Flag{Name: "lipschitz", Value: &lipschitz, Group: console.OutputGroup, Help: "compute the smoothness constant L of the objective"},
		console.Flag{Name: "plan", Value: &plan, Group: console.ResourcesGroup, Form: console.Form{Holds: isJob, Want: jobForm},
			Help: "plan newton on a cache, for a `JOB` as 64GB,8x2 (machines x cores)"},
		console.Flag{Name: "model", Value: &path, Group: model, Help: "model in `FILE` to describe"},
		console.Flag{Name: "top", Value: &top, Group: model, Range: console.Range{Holds: console.Positive.Holds, Want: "it must be a whole number above 0"},
			Help: "list the `K` weights of largest magnitude per class"},
		console.Flag{Name: "inference", Value: &rows, Group: model, Topic: "inference", Help: "standard errors and intervals of the weights, by the `DATA` of the training"})
	console.Declare(cmd, append(list, console.Group(model, fitting.InferenceFlags(&errors, &coefficients, "info")...)...)...)
	return cmd
}

// infoTable describes a table, or prints the recipe that train would use.
func infoTable(a *console.App, cmd *cli.Command, path string, f *input.TableFlags, recipe bool) error {
	if err := console.RefuseOthers(cmd, "rows; this is a table", slices.Concat(input.ReadFlags, input.ColumnFlags, []string{"recipe"})...); err != nil {
		return err
	}
	t, err := input.OpenTable(a, path, f, nil, false)
	if err != nil {
		return err
	}
	defer t.Close()
	ctx := context.Background()
	r, err := t.Recipe(ctx, f)
	if err != nil {
		return err
	}
	if recipe {
		return a.PrintDocument(r)
	}
	e, err := t.Learn(ctx, r)
	if err != nil {
		return err
	}
	described, err := t.Describe(ctx, r)
	if err != nil {
		return err
	}
	of := report.NewTableReport(t.Name, t.Format(), e)
	of.Describe(described)
	return of.Print(a)
}
