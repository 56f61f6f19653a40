package command

import (
	"bufio"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/table"
)

func predictCommand(a *console.App) *cli.Command {
	var f input.DataFlags
	var path, out, cost string
	var labels, probability bool
	cmd := &cli.Command{
		Use:   "predict [flags] MODEL DATA",
		Short: "Print the score, the label or the probability of every row",
		Long: `predict prints one line per row: the score w'x, which is above 0 for the positive class. For a
regression it prints the prediction, which is exp(score) for --loss poisson and its like. With
--labels it prints the label, with --probability the probability of the positive class. For a
model of several classes it prints one score or probability per class, in the order of the
model's labels, which a note shows; the largest score decides. With --json it prints one
object with an array. It ignores the labels in DATA, and columns that the model does not know,
with a note. Rows are scaled as in the training.

--cost fp=1,fn=5 decides labels by what wrong ones cost: positive where the odds are above 1/5.

For a model of a table, DATA is a table with the same columns: see 'lanes help predictions'.

predict reads, scores and prints rows block by block, so DATA may be larger than memory. Bad
data end it with exit status 3 after the lines of the earlier blocks; a file that --out names
is written whole or not at all.`,
		Example: `  lanes predict a9a.model a9a.t.xz > scores
  lanes predict adult.model new.csv --out scored.csv
  zcat rows.gz | lanes predict --model a9a.model --labels -`,
		Args: cli.Between(0, 2),
		Run: func(cmd *cli.Command, args []string) error {
			path, data, err := input.ModelAndData(cmd, path, args)
			if err != nil {
				return err
			}
			m, err := input.ReadModel(path)
			if err != nil {
				return err
			}
			if probability && !m.Logistic() {
				return console.Usagef("--probability needs a model of the logistic loss; %s was trained with another", path)
			}
			p := &prediction{a: a, m: m, about: m.About(), labels: labels, probability: probability}
			if err := p.decideBy(cost, path); err != nil {
				return err
			}
			if err := (console.Outputs{"out": out}).Check(a.In, path, data); err != nil {
				return err
			}
			if out != "" {
				defer a.EndBySignal(out)()
			}
			if p.encoder, err = input.EncoderFor(a, cmd, path, data, m); err != nil {
				return err
			}
			if p.encoder != nil {
				if err := console.RefuseIdle(cmd, "rows, not with a table", "merge", "float32", "zero-based"); err != nil {
					return err
				}
			}
			if p.encoder != nil && !labels && !probability && (!a.JSON || out != "") {
				return p.runTable(data, &f, out)
			}
			if err := console.RefuseIdle(cmd, "CSV; beside --json give --out FILE", "id"); err != nil {
				return err
			}
			if cost != "" && !labels {
				return console.Usagef("--cost decides labels: give --labels too, or a table, whose CSV has them")
			}
			return p.run(data, &f, out)
		},
	}
	console.Declare(cmd, append(f.Flags(false),
		console.Flag{Name: "model", Value: &path, Group: console.DataGroup, Help: "model in `FILE`, in place of MODEL"},
		console.Flag{Name: "out", Value: &out, Group: console.OutputGroup, Help: "write the lines to `FILE`, whole or not at all"},
		console.Flag{Name: "cost", Value: &cost, Group: console.OutputGroup, Help: "decide labels by `COSTS` of wrong ones, as fp=1,fn=5 (needs probabilities)"},
		console.Flag{Name: "labels", Value: &labels, Group: console.OutputGroup, Excludes: map[string]string{"probability": "", "id": labelsAlone}, Help: "print labels in place of scores"},
		console.Flag{Name: "probability", Value: &probability, Group: console.OutputGroup, Excludes: map[string]string{"id": labelsAlone}, Help: "print the probability of the positive class, or of every class (logistic loss)"})...)
	return cmd
}

// labelsAlone is the error of flags that print lines without the cells of a table.
const labelsAlone = "--labels and --probability print lines without columns of the table: leave --id out, or them"

// prediction turns blocks of scores into what is printed.
type prediction struct {
	a                   *console.App
	m                   model.Model
	about               *model.Card
	labels, probability bool
	encoder             *table.Encoder // of a table, nil for rows

	// threshold is the odds above which labels are positive, 0 without costs.
	threshold float64

	rows   int
	values []float64 // of all rows, for one JSON object
}

// decideBy takes the costs of wrong decisions, "" for none.
func (p *prediction) decideBy(cost, path string) error {
	if cost == "" {
		return nil
	}
	costs, err := fitting.ParseCosts("cost", cost)
	switch {
	case err != nil:
		return err
	case p.about.Regression || p.about.Classes != nil:
		return console.BadFlag("cost", cost, "it goes with two classes")
	case !p.m.Logistic():
		return console.BadFlag("cost", cost, "it needs probabilities, which %s has not: train it with --calibrate", path)
	}
	p.threshold = costs.Odds()
	return nil
}

// label returns the label of a row by its scores.
func (p *prediction) label(scores []float64) float64 {
	if p.threshold == 0 {
		return p.m.Label(scores...)
	}
	if p.about.Odds(scores[0]) > p.threshold {
		return p.about.Positive
	}
	return p.about.Negative
}

func (p *prediction) run(data string, f *input.DataFlags, out string) error {
	a := p.a
	if a.JSON && out == "" {
		for block, err := range input.ScoreRows(a, p.m, data, f, input.Scoring{Encoder: p.encoder}) {
			if err == nil {
				block.Scores, err = p.predict(block)
			}
			if err != nil {
				return err
			}
			p.values = append(p.values, block.Scores...)
		}
		return a.PrintJSON(p.object())
	}
	if words := p.about.Words(); p.width() > 1 && words != nil {
		a.Note("the columns are of the labels %s", strings.Join(words, " "))
	} else if p.width() > 1 {
		a.Note("the columns are of the labels %v", p.about.Classes)
	}
	if out == "" {
		return p.print(a.Output(), data, f)
	}
	err := a.Write("file of predictions", out, func(w io.Writer) error { return p.print(w, data, f) })
	if err == nil && a.JSON {
		err = a.PrintJSON(map[string]any{"n": p.rows, "out": out})
	}
	return err
}

// width is the number of values of a row.
func (p *prediction) width() int {
	if p.labels {
		return 1
	}
	return p.about.Width()
}

// predict turns the scores of a block into what is asked for, in their place.
func (p *prediction) predict(block model.Scored) ([]float64, error) {
	values := block.Scores
	p.rows += len(block.Y)
	switch width := p.about.Width(); {
	case p.probability:
		if err := p.m.Probabilities(values); err != nil {
			return nil, err
		}
	case p.labels:
		for i := range block.Y {
			values[i] = p.label(values[i*width : (i+1)*width])
		}
		values = values[:len(block.Y)]
	default:
		p.about.Means(values)
	}
	return values, nil
}

// print writes a line a row, block after block.
func (p *prediction) print(w io.Writer, data string, f *input.DataFlags) error {
	out := bufio.NewWriterSize(w, 1<<16)
	width, words := p.width(), p.labels && p.about.Words() != nil
	var line []byte
	for block, err := range input.ScoreRows(p.a, p.m, data, f, input.Scoring{Encoder: p.encoder, Printing: true}) {
		if err == nil {
			block.Scores, err = p.predict(block)
		}
		if err != nil {
			return err
		}
		for row := range slices.Chunk(block.Scores, width) {
			line = line[:0]
			for _, s := range row {
				if words {
					line = append(append(line, p.about.Word(s)...), ' ')
					continue
				}
				line = append(strconv.AppendFloat(line, s, 'g', -1, 64), ' ')
			}
			line[len(line)-1] = '\n'
			out.Write(line)
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// object is what --json prints: one value a row, or an array of one for each label and the
// labels that they are of.
func (p *prediction) object() map[string]any {
	about, object := p.about, map[string]any{"n": p.rows, "predictions": p.values}
	words := about.Words()
	switch width := p.width(); {
	case width > 1:
		object["predictions"], object["labels"] = slices.Collect(slices.Chunk(p.values, width)), about.Classes
		if words != nil {
			object["labels"] = words
		}
	case p.labels && words != nil:
		predicted := make([]string, len(p.values))
		for i, label := range p.values {
			predicted[i] = about.Word(label)
		}
		object["predictions"] = predicted
	}
	return object
}
