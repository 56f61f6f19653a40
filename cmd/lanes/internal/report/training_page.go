package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/cmd/lanes/internal/plots"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/table"
)

//go:embed training.html
var trainingText string

// trainingTemplate is one file without any reference to another.
var trainingTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("training").Parse(trainingText)) })

// Limits of a page: what a reader looks through.
const (
	mostColumns   = 200 // of the table
	mostWeights   = 24  // of a model, or of each of few classes
	fewWeights    = 8   // of each of many classes
	manyClasses   = 4
	mostClasses   = 12  // whose weights are drawn
	mostFits      = 40  // lines of the table of fits, about
	mostClassRows = 200 // lines of the table of classes
)

// trainingPage is what a page of a training is made from.
type trainingPage struct {
	*fitting.Trained
	settings solvers.Settings
	seen     *Measured    // nil where nothing was measured
	table    *TableReport // of the table of the rows, nil where they were no table
}

// WriteTrainingPage writes the page of a training: what was read and what was made of it, the
// largest weights, how good the model is on the rows of seen, and how the run went. seen may be
// nil. args is the command line.
func WriteTrainingPage(w io.Writer, r *fitting.Trained, seen *Measured, args []string) error {
	p := &trainingPage{Trained: r, settings: r.Problem.Settings(), seen: seen}
	encoder, err := input.EncoderOf(r.Problem.Data.Name, r.Model)
	if err != nil {
		return err
	}
	if encoder != nil {
		p.table = NewTableReport("", "", encoder)
	}
	facts := trainingFacts(r, p.settings)
	hash := facts[len(facts)-1]
	page := map[string]any{
		"Style": plots.PageStyle(), "Title": p.title(), "Lead": p.lead(), "Warnings": p.warnings(), "Tiles": p.tiles(), "Result": facts[:len(facts)-1],
		"Table": p.columns(), "Weights": p.weights(), "Measured": p.measured(), "Choices": p.choices(),
		"Command": shellLine(append([]string{"lanes"}, args...)), "Facts": [][2]string{hash, machineFact(r.Workers), {"program", "lanes " + console.Version()}},
	}
	return trainingTemplate().Execute(w, page)
}

// machineFact names the machine and the path of its CPU.
func machineFact(workers int) [2]string {
	m := dispatch.Report()
	text := fmt.Sprintf("%s, %s/%s, %d cores, CPU path %s, %d workers", m.Name, m.OS, m.Arch, m.Cores, m.Path, workers)
	if peak := memory.Peak(); peak != nil {
		text += ", at most " + memory.Text(*peak) + " of memory"
	}
	return [2]string{"machine", text}
}

// title says what was trained.
func (p *trainingPage) title() string {
	if p.table != nil {
		for _, c := range p.table.Columns {
			if c.Kind == table.Target {
				return fmt.Sprintf("%s from %s", brief(c.Name), p.Problem.Data.Name)
			}
		}
	}
	return "A model of " + p.Problem.Data.Name
}

// lead says in a sentence or two what was trained, on what, and how it ended.
func (p *trainingPage) lead() string {
	n, columns, _, _ := p.Problem.Shape()
	kind := "A linear model with the " + p.Problem.LossName() + " loss"
	switch {
	case p.Problem.Network() != nil:
		kind = "A perceptron"
	case fitting.Special(p.Solver):
		kind = fmt.Sprintf("A linear model by %s", p.Solver)
	}
	text := fmt.Sprintf("%s, trained on %s rows of %s columns: %s.", kind, grouped(float64(n)), grouped(float64(columns)), p.Problem.LabelText())
	if p.Status == solvers.Converged && p.Gap-p.Gap == 0 && p.Related == nil {
		text += fmt.Sprintf(" Its objective is proven to be within %.2g of the least possible one.", p.Gap)
	}
	return text
}

// warnings says what a reader has to know first.
func (p *trainingPage) warnings() (list []string) {
	switch {
	case p.Unsolved > 0:
		list = append(list, fmt.Sprintf("%d of %d %s did not reach their tolerance.", p.Unsolved, p.Made, p.What))
	case p.Made == 0 && p.Result.Missed(&p.Used):
		list = append(list, fmt.Sprintf("The run ended above its tolerance: %s after %.4g passes, gap %.3g, gradient norm %.3g.", p.Status, p.Total.Passes, p.Gap, p.GradientNorm))
	}
	if p.AtEdge {
		list = append(list, "The best penalty is the first or the last one that was tried: a better one may lie beyond (--lambdas).")
	}
	return list
}

// tile is a number at the head of a page.
type tile struct{ Name, Value, Note string }

// tiles are the measures that a reader looks for.
func (p *trainingPage) tiles() (list []tile) {
	add := func(name string, v float64, note string) {
		if v-v == 0 {
			list = append(list, tile{name, fmt.Sprintf("%.4g", v), note})
		}
	}
	if seen := p.seen; seen != nil && seen.Report != nil {
		e := seen.Report
		add("AUC", e.AUROC, seen.Short())
		add("average precision", e.AveragePrecision, seen.Short())
		add("accuracy", e.Accuracy, seen.Short())
		add("macro F1", e.MacroF1, seen.Short())
		if p.Model.Logistic() { // else scores are no log odds
			add("log loss", e.LogLoss, seen.Short())
		}
		add("R2", e.R2, seen.Short())
		add("root mean squared error", math.Sqrt(e.MeanSquaredError), seen.Short())
	}
	for _, name := range sortedKeys(p.Metrics) {
		if metric, is := strings.CutPrefix(name, "cv_"); is && !strings.HasSuffix(name, "_standard_error") {
			add(strings.ReplaceAll(metric, "_", " "), p.Metrics[name], "mean over the folds")
		}
	}
	add("seconds of training", p.Seconds, fmt.Sprintf("%.4g passes over the data", p.Total.Passes))
	return list
}

// weightBar is a line of the chart of weights.
type weightBar struct {
	Name, Value, Share string
	Negative           bool
}

// weightChart is the chart of a model, or of a class.
type weightChart struct {
	Title, Note string
	Weights     []weightBar
}

// weightSection draws the largest weights; nil where weights are not of columns.
func (p *trainingPage) weights() any {
	m, linear := p.Model.(*model.Linear)
	if !linear {
		return nil
	}
	top, width := mostWeights, m.About().Width()
	if width > manyClasses {
		top = fewWeights
	}
	list := largestWeights(m, top, mostClasses)
	most := 0.0
	for _, c := range list {
		for _, w := range c.Weights {
			most = max(most, math.Abs(w.Weight))
		}
	}
	about := "A bar to the right raises the score, a bar to the left lowers it."
	switch {
	case p.table != nil:
		about += " Weights are of the encoded columns: a category's value counts 0 or 1, a scaled number in standard deviations."
	case p.Problem.Normalize() == model.NormalizeNone:
		about += " Weights are of the columns as they stand: compare columns of similar size."
	default:
		about += fmt.Sprintf(" Weights are of the columns after --normalize %s.", p.Problem.Normalize())
	}
	if len(list) < width {
		about += fmt.Sprintf(" The first %d of %d classes are shown.", len(list), width)
	}
	var charts []weightChart
	for _, c := range list {
		chart := weightChart{Note: fmt.Sprintf("%d of %s weights that are not 0", len(c.Weights), grouped(float64(c.NonZeros)))}
		if m.Bias != 0 {
			chart.Note += fmt.Sprintf("; constant %.4g", c.Constant)
		}
		switch {
		case c.Label != "" && width > 1:
			chart.Title = "For " + brief(c.Label)
		case c.Label != "":
			chart.Title = "Right: for " + brief(c.Label)
		}
		for _, w := range c.Weights {
			name := w.Name
			if name == "" {
				name = "column " + strconv.Itoa(w.Column)
			}
			chart.Weights = append(chart.Weights, weightBar{
				Name: brief(name), Value: fmt.Sprintf("%.4g", w.Weight), Negative: w.Weight < 0, Share: fmt.Sprintf("%.1f%%", 100*math.Abs(w.Weight)/most),
			})
		}
		charts = append(charts, chart)
	}
	return map[string]any{"About": about, "Classes": charts}
}

// choice is how a run went, or what it chose from.
type choice struct {
	ID, Title, More string
	Pictures        []plots.Inline
	Head            []choiceCell
	Rows            []choiceRow
}

type choiceRow struct {
	Cells  []choiceCell
	Chosen bool
}

type choiceCell struct {
	Text   string
	Number bool
}

// fill takes a table with its head. Of a long one it keeps some lines, evenly spaced, and the
// chosen one.
func (c *choice) fill(rows [][]string, chosen int) {
	numbers := make([]bool, len(rows[0]))
	for k := range numbers {
		numbers[k] = !slices.ContainsFunc(rows[1:], func(row []string) bool {
			_, err := strconv.ParseFloat(row[k], 64)
			return err != nil && row[k] != "-"
		})
	}
	cells := func(row []string) (list []choiceCell) {
		for k, text := range row {
			list = append(list, choiceCell{brief(text), numbers[k]})
		}
		return list
	}
	c.Head = cells(rows[0])
	stride := (len(rows) - 2 + mostFits) / mostFits
	for k, row := range rows[1:] {
		if k%stride == 0 || k == chosen || k == len(rows)-2 {
			c.Rows = append(c.Rows, choiceRow{cells(row), k == chosen})
		}
	}
	if len(c.Rows) < len(rows)-1 {
		c.More = fmt.Sprintf("%d of %d lines are shown; --json has all.", len(c.Rows), len(rows)-1)
	}
}

// choiceSections are classes, a path, folds or a search, and the run of the model.
func (p *trainingPage) choices() (list []choice) {
	add := func(related *fitting.RelatedReport, id, title string) {
		of := *p.Trained
		of.Related = related
		c := choice{ID: id, Title: title, Pictures: plots.InlineTraining(&of, p.settings)}
		if related != nil {
			c.fill(severalTable(related), p.chosen(related))
		}
		list = append(list, c)
	}
	if s := p.Related; s != nil {
		if s.CrossValidation != nil {
			add(&fitting.RelatedReport{CrossValidation: s.CrossValidation, Metric: s.Metric}, "folds", "Cross-validation: which penalty is best")
		}
		switch {
		case s.Wanted != nil:
			add(s, "tried", fmt.Sprintf("Ways to train for %s", s.Wanted.Metric))
		case s.Classes != nil:
			add(&fitting.RelatedReport{Classes: s.Classes}, "fits", "The fits of the classes")
		case s.Path != nil:
			add(s, "path", "Along the path")
		}
	}
	if len(p.Points) > 1 {
		add(nil, "run", "How the run went")
	}
	return list
}

// chosenRow is the line of the table that the model was made by.
func (p *trainingPage) chosen(related *fitting.RelatedReport) int {
	switch {
	case related.Wanted != nil:
		return related.Wanted.Chosen
	case related.CrossValidation != nil:
		for k, point := range related.CrossValidation.Points {
			if point.Lambda == related.CrossValidation.Chosen {
				return k
			}
		}
	case related.Path != nil:
		return p.Best
	}
	return -1
}

// longest is the number of characters of a name that a page shows.
const longest = 120

// brief is a name, shortened where nobody would read all of it.
func brief(name string) string {
	name = console.Printable(name, "")
	if letters := []rune(name); len(letters) > longest {
		return string(letters[:longest-3]) + "..."
	}
	return name
}

// grouped writes a number of rows with commas between thousands.
func grouped(v float64) string {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	whole, rest, _ := strings.Cut(text, ".")
	for k := len(whole) - 3; k > 0 && whole[k-1] != '-'; k -= 3 {
		whole = whole[:k] + "," + whole[k:]
	}
	if rest != "" {
		whole += "." + rest[:min(len(rest), 2)]
	}
	return whole
}

// shellLine writes arguments as a shell takes them.
func shellLine(args []string) string {
	var parts []string
	for _, arg := range args {
		if arg == "" || strings.ContainsFunc(arg, func(c rune) bool {
			return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_=+./:,@%", c))
		}) {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		parts = append(parts, arg)
	}
	return strings.Join(parts, " ")
}
