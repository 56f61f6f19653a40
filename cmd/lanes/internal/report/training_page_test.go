package report

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/cmd/lanes/internal/plots/plotstest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/table"
)

const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>`

// recipe is of a small table whose names and values are hostile.
func recipe() *table.Recipe {
	learned := func(l table.Learned) *table.Learned { l.Rows = 60; return &l }
	return &table.Recipe{Version: 1, Missing: []string{""}, Columns: []table.Column{
		{Name: "age", Kind: table.Number, Why: "all 60 values are numbers", Learned: learned(table.Learned{Missing: 3, Shift: 38.5, Width: 13.6, Mean: 38.5, Least: 17, Greatest: 90})},
		{Name: evil, Kind: table.Category, Why: evil, Learned: learned(table.Learned{Values: []string{"</style><script>", "<b>x</b>", "{{.}}"}, Counts: []int64{10, 20, 30}})},
		{Name: "who", Kind: table.ID, Learned: learned(table.Learned{})},
		{Name: "bad", Kind: table.Target, Learned: learned(table.Learned{Values: []string{"<svg/onload=alert(3)>", "\u202eyes"}, Counts: []int64{40, 20}})},
	}}
}

// trained trains on rows as the recipe would make them.
func trained(t *testing.T, columns int, y func(i int) float64, words []string, encoder *table.Encoder, o lanes.Options) *fitting.Trained {
	t.Helper()
	b := sparse.NewBuilder(sparse.BuilderOptions{Columns: columns})
	data := &sparse.Data{LabelNames: words}
	if encoder != nil {
		data.Encoding, _ = encoder.MarshalJSON()
	}
	for i := range 60 {
		if err := b.AddRow([]int{0, 1 + i%(columns-1)}, []float64{float64(i%7) - 3, 1}); err != nil {
			t.Fatal(err)
		}
		data.Y = append(data.Y, y(i))
	}
	var err error
	if data.X, err = b.Build(); err != nil {
		t.Fatal(err)
	}
	f, err := lanes.Train(context.Background(), data, o)
	if err != nil {
		t.Fatal(err)
	}
	return &fitting.Trained{Fitted: f, Result: f.Result, Problem: &fitting.Prepared{Problem: f.Problem, Data: &input.Dataset{Data: data, Name: evil + ".csv"}}}
}

func page(t *testing.T, r *fitting.Trained, seen *Measured) (string, plotstest.Page) {
	t.Helper()
	var out bytes.Buffer
	if err := WriteTrainingPage(&out, &console.App{Args: []string{"train", evil + ".csv", "--target", "bad"}}, r, seen); err != nil {
		t.Fatal(err)
	}
	if name := os.Getenv("PAGE"); name != "" {
		os.WriteFile(name, out.Bytes(), 0o600)
	}
	return out.String(), plotstest.ParsePage(t, out.String())
}

func measure(r *fitting.Trained, every int) *Measured {
	pool := sparse.NewPool(1)
	defer pool.Close()
	rows := r.Problem.Data.X.Rows()
	memory := int64(rowBytes+8*r.Model.About().Width()) * int64((rows+every-1)/every)
	return Measure(r.Model, r.Problem.Data.Name, trainingRows, rows, max(memory, 1), scored(r.Model, pool, r.Problem.Data.Data))
}

// TestPageOfTable: the columns of a table, what was made of each and what was missing stand on
// its page, as text.
func TestPageOfTable(t *testing.T) {
	encoder, err := table.ReadEncoder(mustJSON(t, recipe()))
	if err != nil {
		t.Fatal(err)
	}
	r := trained(t, encoder.Width(), func(i int) float64 { return float64(i * 7 / 3 % 2) }, []string{"<svg/onload=alert(3)>", "\u202eyes"}, encoder, lanes.Options{Intercept: lanes.FreeIntercept})
	seen := measure(r, 1)
	seen.Kind, seen.Missing, seen.Unseen = validationRows, []int64{6, 0, 0, 0}, []int64{0, 12, 0, 0}
	_, got := page(t, r, seen)
	if want := "result columns weights measures curves lift confusion calibration repeat"; strings.Join(got.IDs, " ") != want {
		t.Errorf("sections %q", got.IDs)
	}
	for _, want := range []string{
		"bad from " + evil, "all 60 values are numbers", "3 (5 %)", "6 (10 %)", "12 (20 %)", "17 to 90, scaled by mean 38.5 and deviation 13.6",
		evil + "=</style><script>", evil + "={{.}}", "{{.}} (30), <b>x</b> (20), </style><script> (10)", `<svg/onload=alert(3)>`, `\u202eyes`,
		"4 columns of 60 rows; the model uses 2", `lanes train '` + evil + ".csv' --target bad",
	} {
		if !strings.Contains(got.Text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	const head = "column kind missing missing, validation rows unseen, validation rows distinct encoded columns made of it, and why"
	if words := strings.Join(strings.Fields(got.Text), " "); !strings.Contains(strings.ReplaceAll(words, " ", ""), strings.ReplaceAll(head, " ", "")) {
		t.Errorf("the head of the columns is not %q", head)
	}
}

func mustJSON(t *testing.T, r *table.Recipe) []byte {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestNumbersOfPage: bars and decisions on a page are what the weights and the scores say.
func TestNumbersOfPage(t *testing.T) {
	r := trained(t, 9, func(i int) float64 { return float64(i * i % 7 % 2) }, nil, nil, lanes.Options{})
	seen := measure(r, 1)
	p := &modelPage{model: r.Model, seen: seen}
	charts := p.Weights().(map[string]any)["Classes"].([]weightChart)
	m := r.Model.(*model.Linear)
	largest := 0.0
	for _, w := range m.Weights {
		largest = max(largest, math.Abs(w))
	}
	for _, bar := range charts[0].Weights {
		var column int
		fmt.Sscanf(bar.Name, "column %d", &column)
		w := m.Weights[column-1]
		if bar.Negative != (w < 0) || bar.Value != fmt.Sprintf("%.4g", w) || bar.Share != fmt.Sprintf("%.1f%%", 100*math.Abs(w)/largest) {
			t.Errorf("bar %+v of weight %v", bar, w)
		}
	}
	pool := sparse.NewPool(1)
	defer pool.Close()
	scores, err := m.Scores(nil, pool, r.Problem.Data.X)
	if err != nil {
		t.Fatal(err)
	}
	var counts [2][2]int
	for i, y := range r.Problem.Data.Y {
		actual, predicted := 1, 1
		if y == 1 {
			actual = 0
		}
		if scores[i] > 0 {
			predicted = 0
		}
		counts[actual][predicted]++
	}
	for k, row := range p.Measured().Confusion.Rows {
		for j, cell := range row.Cells {
			if cell.Count != fmt.Sprint(counts[k][j]) || cell.Wrong != (k != j) {
				t.Errorf("actual %d, called %d: %+v, not %d", k, j, cell, counts[k][j])
			}
		}
	}
	if counts[0][1] == counts[0][0] || counts[1][0] == counts[1][1] {
		t.Errorf("the counts %v cannot tell right from wrong", counts)
	}
}

// TestWidePage: with many columns, classes and rows a page shows some of them, and says so.
func TestWidePage(t *testing.T) {
	wide := recipe()
	for k := range 3000 {
		wide.Columns = append(wide.Columns, table.Column{Name: fmt.Sprint("c", k, strings.Repeat("y", 1000)), Kind: table.Ignore})
	}
	encoder, err := table.ReadEncoder(mustJSON(t, wide))
	if err != nil {
		t.Fatal(err)
	}
	r := trained(t, encoder.Width(), func(i int) float64 { return float64(i % 2) }, []string{"no", "yes"}, encoder, lanes.Options{})
	text, got := page(t, r, measure(r, 1))
	if !strings.Contains(got.Text, "The first 200 of 3,004 columns are shown.") || len(text) > 400_000 {
		t.Errorf("%d bytes for 3004 columns", len(text))
	}
	r = trained(t, 100_000, func(i int) float64 { return float64(i % 30) }, nil, nil, lanes.Options{Kind: lanes.OneVsRest})
	text, got = page(t, r, measure(r, 1))
	if !strings.Contains(got.Text, "The first 12 of 30 classes are shown.") || len(text) > 400_000 {
		t.Errorf("%d bytes for 100000 columns and 30 classes", len(text))
	}
}

// TestMeasureSome: one of every few rows is measured where memory is short, whatever the blocks.
func TestMeasureSome(t *testing.T) {
	r := trained(t, 9, func(i int) float64 { return float64(i*i%11) + 0.5 }, nil, nil, lanes.Options{Kind: lanes.Regression, Loss: loss.Squared{}})
	pool := sparse.NewPool(1)
	defer pool.Close()
	scores, err := r.Model.Scores(nil, pool, r.Problem.Data.X)
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range []int{1, 7, 60} {
		seen := &Measured{Every: 4, model: r.Model}
		blocks := func(yield func(model.Scored, error) bool) {
			for i := 0; i < 60; i += block {
				end := min(i+block, 60)
				if !yield(model.Scored{Data: &sparse.Data{Y: r.Problem.Data.Y[i:end]}, Scores: scores[i:end]}, nil) {
					return
				}
			}
		}
		for range seen.some(blocks, 1) {
		}
		if len(seen.targets) != 15 {
			t.Fatalf("%d rows of blocks of %d", len(seen.targets), block)
		}
		for k, y := range seen.targets {
			if y != r.Problem.Data.Y[4*k] || seen.predictions[k] != scores[4*k] {
				t.Errorf("blocks of %d: row %d is not row %d of the data", block, k, 4*k)
			}
		}
	}
}
