package main

import (
	"bufio"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/model"
)

func predictCommand(a *console.App) *cobra.Command {
	var f input.DataFlags
	var path string
	var labels, probability bool
	cmd := &cobra.Command{
		Use:   "predict --model FILE [flags] DATA",
		Short: "Print the score, the label or the probability of every row",
		Long: `predict prints one line a row: the score w'x, which is above 0 for the positive class;
with --labels the label, with --probability the probability of the positive class.
For a model of several classes it prints one score or probability for each, in the
order of the model's labels, which a note gives; the largest score decides.
The labels in DATA are not used. With --json it prints one object with an array.

Rows are normalised as those of the training were. Columns that the model does not
know are ignored, with a note.`,
		Example: `  lanes predict --model a9a.model a9a.t.xz > scores
  zcat rows.gz | lanes predict --model a9a.model --labels -`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if labels && probability {
				return console.Usagef("give --labels or --probability, not both")
			}
			m, err := input.ReadModel(path)
			if err != nil {
				return err
			}
			if probability && !m.Logistic() {
				return console.Usagef("--probability needs a model of the logistic loss; %s was trained with another", path)
			}
			about := m.About()
			data, scores, err := input.Score(a, m, args[0], &f)
			if err != nil {
				return err
			}
			switch {
			case probability:
				if err := m.Probabilities(scores); err != nil {
					return err
				}
			case labels:
				width := about.Width()
				for i := range data.Y {
					scores[i] = m.Label(scores[i*width : (i+1)*width]...)
				}
				scores = scores[:len(data.Y)]
			}
			width := len(scores) / len(data.Y)
			words := about.Words()
			if a.JSON {
				object := predictions(about, scores, width)
				if labels && words != nil {
					predicted := make([]string, len(scores))
					for i, label := range scores {
						predicted[i] = about.Word(label)
					}
					object["predictions"] = predicted
				}
				return a.PrintJSON(object)
			}
			if width > 1 && words != nil {
				a.Note("the columns are of the labels %s", strings.Join(words, " "))
			} else if width > 1 {
				a.Note("the columns are of the labels %v", about.Classes)
			}
			out := bufio.NewWriterSize(a.Out, 1<<16)
			var line []byte
			for ; len(scores) > 0; scores = scores[width:] {
				line = line[:0]
				for _, s := range scores[:width] {
					if labels && words != nil {
						line = append(append(line, about.Word(s)...), ' ')
						continue
					}
					line = append(strconv.AppendFloat(line, s, 'g', -1, 64), ' ')
				}
				line[len(line)-1] = '\n'
				out.Write(line)
			}
			if err := out.Flush(); err != nil {
				return fmt.Errorf("writing the predictions: %w", console.WriteTrouble(err))
			}
			return nil
		},
	}
	f.Register(cmd, false)
	flags := cmd.Flags()
	flags.StringVar(&path, "model", "", "model to use")
	flags.BoolVar(&labels, "labels", false, "print labels")
	flags.BoolVar(&probability, "probability", false, "print probabilities of the positive class, or of all classes (logistic loss)")
	return cmd
}

// predictions is what --json prints: one number a row, or an array of width numbers
// and the labels that they are of.
func predictions(about *model.Card, scores []float64, width int) map[string]any {
	object := map[string]any{"n": len(scores) / width, "predictions": scores}
	if width > 1 {
		object["predictions"], object["labels"] = slices.Collect(slices.Chunk(scores, width)), about.Classes
		if words := about.Words(); words != nil {
			object["labels"] = words
		}
	}
	return object
}
