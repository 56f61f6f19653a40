package input

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/sparse"
)

// endless is text that is read count times.
type endless struct {
	text        string
	count, left int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		if e.count == 0 {
			return 0, io.EOF
		}
		e.left, e.count = len(e.text), e.count-1
	}
	n := copy(p, e.text[len(e.text)-e.left:])
	e.left -= n
	return n, nil
}

// TestScoresInTheMemoryOfABlock: 32 MiB of text are scored in the memory of a few blocks.
func TestScoresInTheMemoryOfABlock(t *testing.T) {
	m := &model.Linear{Card: model.Card{Features: 40, Positive: 1, Negative: -1}, SolverType: "L2R_LR", Weights: make([]float64, 40)}
	text := strings.Repeat("1 1:0.5 7:0.25 40:0.1\n-1 2:0.3 39:1e-3\n", 2000)
	const size = 32 << 20
	in := &endless{text: text, count: size/len(text) + 1}
	rows, most := 0, uint64(0)
	f := &DataFlags{}
	for block, err := range ScoreRows(&console.App{In: in, Err: new(bytes.Buffer), Quiet: true}, m, "-", f, Scoring{}) {
		if err != nil {
			t.Fatal(err)
		}
		rows += len(block.Scores)
		runtime.GC()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		most = max(most, memory.HeapAlloc)
	}
	if rows != 4000*(size/len(text)+1) {
		t.Fatalf("%d rows", rows)
	}
	if most > 3*blockText {
		t.Errorf("%d bytes of memory were in use", most)
	}
}

// scoringError returns the error of scoring a text.
func scoringError(m model.Model, text string) (last error) {
	for _, err := range ScoreRows(&console.App{In: strings.NewReader(text), Quiet: true}, m, "-", new(DataFlags), Scoring{}) {
		last = err
	}
	return last
}

// TestRowsThatOverflow: the row is counted in all of the data.
func TestRowsThatOverflow(t *testing.T) {
	tiny := &sparse.Scaler{Shift: []float64{0}, Width: []float64{1e-300}}
	for says, meta := range map[string]*model.Meta{"row 61: the value of column 1 is too large": {Normalize: model.NormalizeMinMax, Scaler: tiny}, "the score of row 61 is +Inf": nil} {
		m := &model.Linear{Card: model.Card{Features: 1, Positive: 1, Negative: -1, Meta: meta}, SolverType: "L2R_LR", Weights: []float64{math.MaxFloat64}}
		if meta != nil {
			m.Weights[0] = 1
		}
		err := scoringError(m, strings.Repeat("1 1:1\n1 1:0.5\n", 30)+"1 1:1e100\n")
		if err == nil || !strings.Contains(err.Error(), "standard input: "+says) || console.ExitStatus(err) != 3 {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// TestRowOfClassesThatOverflows: a row has a score a class.
func TestRowOfClassesThatOverflows(t *testing.T) {
	m := &model.Linear{Card: model.Card{Features: 1, Classes: []float64{1, 2, 3}}, SolverType: "L2R_LR", Weights: []float64{1, math.MaxFloat64, 1}}
	err := scoringError(m, "1 1:1\n1 1:0.5\n1 1:1e100\n")
	if err == nil || !strings.Contains(err.Error(), "the score of row 3 is +Inf") {
		t.Errorf("error %v", err)
	}
}

// TestDroppedOfAllBlocks: entries that a model does not know are counted in all blocks of rows.
func TestDroppedOfAllBlocks(t *testing.T) {
	const lines = 3 * blockText / len("1 1:1 7:1 9:1\n")
	m := &model.Linear{Card: model.Card{Features: 2, Positive: 1, Negative: -1}, SolverType: "L2R_LR", Weights: make([]float64, 2)}
	var messages bytes.Buffer
	blocks, rows := 0, 0
	for block, err := range ScoreRows(&console.App{In: strings.NewReader(strings.Repeat("1 1:1 7:1 9:1\n", lines)), Err: &messages}, m, "-", new(DataFlags), Scoring{}) {
		if err != nil {
			t.Fatal(err)
		}
		blocks, rows = blocks+1, rows+len(block.Scores)
	}
	if want := fmt.Sprintf("standard input has %d entries in columns beyond the 2 of the model: they are ignored\n", 2*lines); blocks < 2 || rows != lines || !strings.HasSuffix(messages.String(), want) {
		t.Errorf("%d blocks, %d rows, told %q, want %q", blocks, rows, messages.String(), want)
	}
}
