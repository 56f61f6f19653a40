package main

import (
	"bufio"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// readModel reads the file of --model.
func readModel(path string) (*solvers.Model, error) {
	if path == "" {
		return nil, usagef("--model FILE is needed: the model that 'lanes train --model FILE' wrote, or one of LIBLINEAR's")
	}
	m, err := solvers.ReadModelFile(path)
	if err != nil {
		return nil, dataError{fmt.Errorf("the model cannot be read: %w", fileTrouble(err, path))}
	}
	return m, nil
}

// score reads data and scores their rows by a model.
func (a *app) score(m *solvers.Model, path string, f *dataFlags) (*dataset, []float64, error) {
	data, err := a.read(path, f, sparse.ReadOptions{Columns: m.Features})
	if err != nil {
		return nil, nil, err
	}
	if err := a.fit(data, m.Features); err != nil {
		return nil, nil, err
	}
	pool := sparse.NewPool(a.workers)
	defer pool.Close()
	scores, err := m.Scores(pool, data.X)
	if err != nil {
		return nil, nil, dataError{fmt.Errorf("%s: %w", data.name, plain(err))}
	}
	for i, s := range scores {
		if s-s != 0 {
			return nil, nil, dataError{fmt.Errorf("%s: the score of row %d is %v: its values are too large for this model", data.name, i+1, s)}
		}
	}
	return data, scores, nil
}

func (a *app) predictCommand() *cobra.Command {
	var f dataFlags
	var path string
	var labels, probability bool
	cmd := &cobra.Command{
		Use:   "predict --model FILE [flags] DATA",
		Short: "Print the score, the label or the probability of every row",
		Long: `predict prints one line a row: the score w'x, which is above 0 for the positive class;
with --labels the label, with --probability the probability of the positive class.
The labels in DATA are not used. With --json it prints one object with an array.

Rows are normalised as those of the training were. Columns that the model does not
know are ignored, with a note.`,
		Example: `  lanes predict --model a9a.model a9a.t.xz > scores
  zcat rows.gz | lanes predict --model a9a.model --labels -`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if labels && probability {
				return usagef("give --labels or --probability, not both")
			}
			m, err := readModel(path)
			if err != nil {
				return err
			}
			if probability && !m.Logistic() {
				return usagef("--probability needs a model of the logistic loss; %s was trained with another", path)
			}
			_, scores, err := a.score(m, args[0], &f)
			if err != nil {
				return err
			}
			switch {
			case probability:
				if err := kernels.Sigmoid(scores, scores); err != nil {
					return err
				}
			case labels:
				for i, s := range scores {
					scores[i] = m.Label(s)
				}
			}
			if a.json {
				return a.printJSON(map[string]any{"n": len(scores), "predictions": scores})
			}
			out := bufio.NewWriterSize(a.out, 1<<16)
			var line []byte
			for _, s := range scores {
				line = append(strconv.AppendFloat(line[:0], s, 'g', -1, 64), '\n')
				out.Write(line)
			}
			if err := out.Flush(); err != nil {
				return fmt.Errorf("writing the predictions: %w", writeTrouble(err))
			}
			return nil
		},
	}
	f.register(cmd, false)
	flags := cmd.Flags()
	flags.StringVar(&path, "model", "", "model to use")
	flags.BoolVar(&labels, "labels", false, "print labels")
	flags.BoolVar(&probability, "probability", false, "print probabilities of the positive class (logistic loss)")
	return cmd
}
