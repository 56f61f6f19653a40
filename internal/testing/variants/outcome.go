package variants

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/table"
)

// Run runs the command lanes with arguments, and returns its exit status and what it printed.
type Run func(args ...string) (status int, out, stderr string)

// note is a note as the command's JSON has it.
type note struct {
	Kind                 notes.Kind
	Class                notes.Class
	Column               string
	Count                int64
	Example, Place, Text string
}

func (n note) grave() bool { return n.Class != notes.Information }

// column is a column as info describes it.
type column struct {
	Name, Kind string
	Missing    int
}

// outcome is what info, train and predict made of files.
type outcome struct {
	step    string // the step that failed, "" for none
	status  int    // of that step
	message string // of that step
	columns []column
	broken  bool // info shows the character that replaces bytes that are no UTF-8
	rows    int
	scores  []float64
	// said are the notes of train, newSaid the notes of predict.
	said, newSaid []note
}

// call is one reading of files: the arguments of info, train and predict.
type call struct {
	data           []string
	scored, target string
	flags          []string // of info and train
	trainFlags     []string
	newFlags       []string
}

// take runs a command as the next step of an outcome, and puts its JSON into into. It returns whether
// the command succeeded.
func (o *outcome) take(run Run, name string, into any, args ...string) bool {
	status, out, stderr := run(append(append([]string{name}, args...), "--json", "--workers", "1")...)
	o.broken = o.broken || name == "info" && strings.Contains(strings.ReplaceAll(out, "\ufffd", `\ufffd`), `\ufffd`)
	if status == 0 {
		if err := json.Unmarshal([]byte(out), into); err != nil {
			status, stderr = -1, fmt.Sprintf("%v in %.200q", err, out)
		}
	}
	if status != 0 {
		o.step, o.status, o.message = name, status, strings.TrimSpace(stderr)
	}
	return status == 0
}

// run runs info, train and predict; the model is written to model.
func (c call) run(run Run, model string) outcome {
	var o outcome
	flags := append([]string{"--target", c.target}, c.flags...)
	var info struct{ Columns []column }
	if !o.take(run, "info", &info, slices.Concat(c.data, flags)...) {
		return o
	}
	o.columns = info.Columns
	if !c.train(run, &o, model) {
		return o
	}
	var predict struct {
		Predictions []any
		Notes       []note
	}
	if !o.take(run, "predict", &predict, slices.Concat([]string{model, c.scored}, c.newFlags)...) {
		return o
	}
	o.newSaid = predict.Notes
	for _, p := range predict.Predictions {
		switch p := p.(type) {
		case float64:
			o.scores = append(o.scores, p)
		case []any:
			for _, v := range p {
				o.scores = append(o.scores, v.(float64))
			}
		}
	}
	return o
}

// train is the step train of an outcome.
func (c call) train(run Run, o *outcome, model string) bool {
	var train struct {
		N     int
		Notes []note
	}
	done := o.take(run, "train", &train, slices.Concat(c.data, []string{"--target", c.target}, c.flags, c.trainFlags, []string{"--model", model})...)
	o.rows, o.said = train.N, train.Notes
	return done
}

// loss returns the flags of train that a regression needs.
func (c Case) loss() []string {
	if c.Numeric {
		return []string{"--loss", "squared"}
	}
	return nil
}

// call is how the command reads the files of a case, which stand in dir.
func (c Case) call(dir string) call {
	var data []string
	for _, name := range c.Data {
		data = append(data, filepath.Join(dir, name))
	}
	scored := data[0]
	if c.New != "" {
		scored = filepath.Join(dir, c.New)
	}
	return call{data, scored, c.Train.Target, c.Flags, slices.Concat(c.loss(), c.TrainFlags), c.NewFlags}
}

// read runs the command on the files of a case, which stand in dir.
func (c Case) read(run Run, dir string) outcome {
	return c.call(dir).run(run, filepath.Join(dir, "model"))
}

// truth writes a plain rendering of what the files mean and runs the command on it, with the kind
// of each column named. Columns are called k0, k1, and so on there: names change no score.
func (c Case) truth(run Run, dir string, train, score Table) (outcome, error) {
	var d dialect
	flags := []string{"--header", "--separator", ",", "--missing=none"}
	target := ""
	for k, column := range train.Columns {
		name := fmt.Sprintf("k%d", k)
		d.names = append(d.names, name)
		switch column.Kind {
		case table.Target:
			target = name
		case table.Time:
			flags = append(flags, "--times", name)
		default:
			flags = append(flags, "--"+string(column.Kind), name)
		}
	}
	data, scored := filepath.Join(dir, "clean.csv"), filepath.Join(dir, "clean-new.csv")
	for name, t := range map[string]Table{data: train, scored: score} {
		if err := os.WriteFile(name, d.text(t), 0o666); err != nil {
			return outcome{}, err
		}
	}
	o := call{[]string{data}, scored, target, flags, c.loss(), nil}.run(run, filepath.Join(dir, "clean-model"))
	if o.step != "" {
		return o, fmt.Errorf("%s of the clean table: exit status %d: %s", o.step, o.status, o.message)
	}
	return o, nil
}

// difference is a way in which files were read otherwise than they mean.
type difference struct{ column, text string }

// differences compares an outcome with the outcome of the plain rendering of what was meant.
func (o outcome) differences(c Case, meant Table, truth outcome) []difference {
	var list []difference
	add := func(column, format string, args ...any) {
		list = append(list, difference{column, fmt.Sprintf(format, args...)})
	}
	if o.broken && !truth.broken {
		add("", "letters became \\ufffd")
	}
	seen := map[string]bool{}
	for k, want := range meant.Columns {
		at := slices.IndexFunc(o.columns, func(c column) bool { return c.Name == want.Name })
		if want.Unnamed {
			at = min(k, len(o.columns)-1)
		}
		if at < 0 {
			if want.Kind != table.Ignore {
				add(want.Name, "no column %q", want.Name)
			}
			continue
		}
		got := o.columns[at]
		seen[got.Name] = true
		if slices.Contains(c.Unsure, want.Name) {
			continue
		}
		if got.Kind != string(want.Kind) && !(want.Kind == table.Ignore && got.Kind == string(table.ID)) {
			add(want.Name, "column %q is a %s, want %s", got.Name, got.Kind, want.Kind)
		} else if got.Missing != want.missing() && want.Kind != table.Target && want.Kind != table.Ignore {
			add(want.Name, "column %q has %d missing values, want %d", got.Name, got.Missing, want.missing())
		}
	}
	for _, got := range o.columns {
		if !seen[got.Name] && got.Kind != string(table.Ignore) && got.Kind != string(table.ID) {
			add(got.Name, "a further column %q is a %s", got.Name, got.Kind)
		}
	}
	if o.rows != truth.rows {
		add("", "trained on %d rows, want %d", o.rows, truth.rows)
	}
	if len(o.scores) != len(truth.scores) {
		return append(list, difference{"", fmt.Sprintf("%d scores, want %d", len(o.scores), len(truth.scores))})
	}
	for i, v := range o.scores {
		if !(math.Abs(v-truth.scores[i]) <= 1e-9*(1+math.Abs(truth.scores[i]))) {
			add("", "score %d is %g, want %g", i+1, v, truth.scores[i])
			break
		}
	}
	return list
}
