package fitting

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/sparse"
)

// Streams tells whether every process takes the rows that it needs from their file.
func (f *RunFlags) Streams() bool { return f.memory != "" || f.ranks != nil }

// ShardsOf returns the number of shards of a run. Where the data say it, the flag does too
// from then on, for the receipt.
func (f *RunFlags) ShardsOf(cmd *cobra.Command, p *Prepared) (int, error) {
	if p.Streamed == nil || f.Shards > 0 {
		return f.Shards, nil
	}
	count := (&erm.Streamed{Rows: p.Streamed.Stream}).Shards()
	return count, cmd.Flags().Set("shards", strconv.Itoa(count))
}

// CheckStreamed refuses what a run cannot do whose rows stay in their file.
func (f *ProblemFlags) CheckStreamed(cmd *cobra.Command, run *RunFlags, name string, args []string) (err error) {
	if !run.Streams() {
		return nil
	}
	if run.Memory, err = ParseMemory("memory", run.memory); err != nil {
		return err
	}
	what := "--memory"
	if run.ranks != nil {
		what = "a run on several processes"
	}
	switch {
	case f.Data.Generate != "" || len(args) == 0 || args[0] == "-":
		return console.Usagef("%s streams the rows of a cache in a file: name one, as 'lanes convert' makes it", what)
	case f.multiclass || f.Path || f.Folds > 0:
		return console.Usagef("%s: --multiclass, --path and --cv need all rows in memory", what)
	case !Description(name).Accepts.Shards:
		return console.Usagef("%s: %s needs all rows in memory; newton reads them from the file in every sweep (--solver newton)", what, name)
	case run.Valid != "":
		return console.Usagef("%s: --valid needs its rows in memory; score the model by lanes eval, which streams them", what)
	}
	if err := console.RefuseIdle(cmd, "runs in memory; --memory is the limit here", "max-memory"); err != nil || f.Data.Repeated {
		return err
	}
	return console.RefuseIdle(cmd, "text", input.TextFlags...)
}

// prepareStreamed is Prepare for rows that stay in their file.
func (f *ProblemFlags) prepareStreamed(data *input.Dataset, run *RunFlags) (*Prepared, error) {
	s := data.Stream
	p := &Prepared{Data: data, Columns: s.Cols()}
	p.Loss, p.Delta, p.Lambda = f.Kind, f.huber, f.lambdaOf(s.Rows())
	if p.Columns == 0 && !f.Bias {
		return nil, console.BadData(fmt.Errorf("%s has no features: there is nothing to train on", data.Name))
	}
	if f.positive != "" {
		label, err := input.ParseLabel(f.positive)
		if err != nil {
			return nil, err
		}
		f.PositiveLabel = label
	}
	p.Streamed = &registry.Rows{Memory: run.Memory}
	ours := &shared{run.app, s}
	if err := f.streamedClasses(p, ours); err != nil {
		// What looks like other labels may be damage: the checksums tell.
		if damage := ours.damage(); damage != nil {
			err = damage
		}
		return nil, err
	}
	switch f.Normalize {
	case model.NormalizeUnit:
		s = s.NormalizeUnit()
	case model.NormalizeMinMax, model.NormalizeStd:
		scaler, err := ours.fitScaler(f.Normalize)
		if err == nil {
			s, err = s.Scaled(scaler)
		}
		if err != nil {
			return nil, console.BadData(fmt.Errorf("%s: %w", data.Name, err))
		}
		p.scaler = scaler
	}
	if p.Intercept = f.intercept; f.Bias || f.intercept {
		s = s.WithBias(1)
	}
	p.Streamed.Stream = s
	return p, nil
}

// mostLabels is the largest number of distinct labels of which some stand for two classes.
const mostLabels = 1 << 16

// streamedClasses is classes for rows that stay in their file.
func (f *ProblemFlags) streamedClasses(p *Prepared, ours *shared) error {
	list, all, err := ours.classes()
	if err != nil {
		return err
	}
	if p.Streamed.ClassWeights, err = f.twoClasses(p, list, all); err == nil && !p.Regression {
		p.Streamed.Labels = &p.labels
	}
	return err
}

// measureStreamed adds the metrics of the training rows.
func measureStreamed(ctx context.Context, r *Trained) error {
	p := r.Problem
	s := p.Streamed
	got, err := (&erm.Streamed{
		Rows: s.Stream, Labels: s.Labels, Loss: p.Loss, Delta: p.Delta, Lambda: p.Lambda,
	}).Measure(ctx, r.Weights, solvers.Settings{Shards: r.Used.Shards, Workers: r.Used.Workers, Ranks: r.Used.Ranks})
	switch {
	case err != nil && ctx.Err() != nil: // the run was interrupted, or is now
	case err != nil:
		return err
	case p.Regression:
		r.Metrics["train_mse"] = got.MeanSquare
	default:
		r.Metrics["train_accuracy"] = got.Accuracy
	}
	return nil
}

// refusedStream is refused for a run whose rows stay in their file.
func refusedStream(p *Prepared, err error) error {
	short := (*erm.MemoryError)(nil)
	format := (*sparse.FormatError)(nil)
	switch {
	case errors.As(err, &short):
		return console.BadFlag("memory", memory.Text(short.Limit), "the run needs %s at least", strings.ReplaceAll(memory.Text(short.Need), " ", ""))
	case errors.As(err, &format):
		return console.BadData(err)
	}
	return refused(err)
}
