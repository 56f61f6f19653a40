package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/cmd/lanes/internal/plots"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/table"
)

//go:embed model.html
var modelText string

// modelTemplate is one file without any reference to another.
var modelTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("model").Parse(modelText)) })

// Limits of a page: what a reader looks through.
const (
	mostColumns   = 200 // of the table
	mostWeights   = 24  // of a model, or of each of few classes
	fewWeights    = 8   // of each of many classes
	manyClasses   = 4
	mostClasses   = 12  // whose weights are drawn
	mostIntervals = 200 // of weights with their errors
	mostNotes     = 20  // of each class
	mostFits      = 40  // lines of the table of fits, about
	mostClassRows = 200 // lines of the table of classes
)

// modelPage is what a page of a model shows, whether it was trained or measured.
type modelPage struct {
	model model.Model  // nil where scores alone are known
	table *TableReport // of the table that the model was trained on, nil where it was none
	seen  *Measured    // nil where nothing was measured

	Title, Lead string
	Warnings    []string // what is lost or ambiguous, and how the run ended
	Notes       []string // what was converted
	Tiles       []tile
	Result      [][2]string
	Choices     []choice
	Inference   *intervals // nil without errors of weights
	Command     string
	Facts       [][2]string
}

// newModelPage begins the page of a model at path, with the notes that were told.
func newModelPage(a *console.App, m model.Model, path string, seen *Measured) (*modelPage, error) {
	p := &modelPage{model: m, seen: seen, Command: console.Printable(shellLine(append([]string{"lanes"}, a.Args...)), "")}
	p.Facts = [][2]string{machineFact(), {"program", "lanes " + console.Version()}}
	p.addNotes(a.Notes())
	p.measureTiles()
	if m == nil {
		return p, nil
	}
	encoder, err := input.EncoderOf(path, m)
	if encoder != nil {
		p.table = NewTableReport("", "", encoder)
	}
	return p, err
}

// addNotes adds the notes, of each class up to mostNotes and how many more there are.
func (p *modelPage) addNotes(list []notes.Note) {
	var grave, plain []string
	for _, n := range list {
		of := &grave
		if n.Class() == notes.Information {
			of = &plain
		}
		*of = append(*of, console.Printable(n.In(console.NoteFlag), ""))
	}
	few := func(list []string) []string {
		if more := len(list) - mostNotes; more > 0 {
			return append(list[:mostNotes:mostNotes], fmt.Sprintf("%d more notes: --json lists them.", more))
		}
		return list
	}
	p.Warnings, p.Notes = few(grave), few(plain)
}

func (p *modelPage) write(w io.Writer) error { return modelTemplate().Execute(w, p) }

// Style is the style of the page.
func (p *modelPage) Style() template.CSS { return plots.PageStyle() }

// machineFact names the machine and the path of its CPU.
func machineFact() [2]string {
	m := dispatch.Report()
	text := fmt.Sprintf("%s, %s/%s, %d cores, CPU path %s", m.Name, m.OS, m.Arch, m.Cores, m.Path)
	if peak := memory.Peak(); peak != nil {
		text += ", at most " + memory.Text(*peak) + " of memory"
	}
	return [2]string{"machine", text}
}

// target is the name of the column that the model predicts, "" where it was no table.
func (p *modelPage) target() string {
	if p.table != nil {
		for _, c := range p.table.Columns {
			if c.Kind == table.Target {
				return brief(c.Name)
			}
		}
	}
	return ""
}

// tile is a number at the head of a page.
type tile struct{ Name, Value, Note string }

// addTile adds a tile, unless there is no such number.
func (p *modelPage) addTile(name string, v float64, note string) {
	if v-v == 0 {
		p.Tiles = append(p.Tiles, tile{name, fmt.Sprintf("%.4g", v), note})
	}
}

// measureTiles adds the measures that a reader looks for.
func (p *modelPage) measureTiles() {
	if p.seen == nil || p.seen.Report == nil {
		return
	}
	e, note := p.seen.Report, "on "+p.seen.Kind
	p.addTile("AUC", e.AUROC, note)
	p.addTile("average precision", e.AveragePrecision, note)
	p.addTile("accuracy", e.Accuracy, note)
	p.addTile("macro F1", e.MacroF1, note)
	p.addTile("log loss", e.LogLoss, note)
	p.addTile("R2", e.R2, note)
	p.addTile("root mean squared error", math.Sqrt(e.MeanSquaredError), note)
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

// Weights draws the largest weights; nil where weights are not of columns.
func (p *modelPage) Weights() any {
	m, linear := p.model.(*model.Linear)
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
	case m.Meta != nil && m.Meta.Normalize != model.NormalizeNone:
		about += fmt.Sprintf(" Weights are of the columns after --normalize %s.", m.Meta.Normalize)
	default:
		about += " Weights are of the columns as they stand: compare columns of similar size."
	}
	if len(list) < width {
		about += fmt.Sprintf(" The first %d of %d classes are shown.", len(list), width)
	}
	var charts []weightChart
	for _, c := range list {
		chart := weightChart{Note: fmt.Sprintf("%d of %s non-zero weights", len(c.Weights), grouped(float64(c.NonZeros)))}
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
