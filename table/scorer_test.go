package table

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/sparse"
)

// handRows are rows of the columns of handmade, some of them odd.
func handRows(n int) (names []string, rows [][]string) {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	for range n {
		rows = append(rows, []string{
			pick("6", "?", "", "-1e3", "0.1", "2"), pick("red", "blue", "green", "", "\xff"), pick("yes", "no yes NO", "", "maybe", "\xfeyes\xff"),
			pick("1970-01-01", "1970-01-01T09:00", "2020-02-29 10:00:01.5Z", "", "12"), pick("Rome", "", "Bonn", "\x00"), pick("1", "0.5", "2", "7", ""),
			"id", pick("ham", "spam"), pick("1", "2.5"), pick("0", "-0.25", "-1"), pick("1", "2"),
		})
	}
	return []string{"age", "colour", "note", "when", "city", "bins", "who", "label", "times", "from", "ask"}, rows
}

// linearOf is a model with a weight for each column of e.
func linearOf(e *Encoder) *model.Linear {
	r := rand.New(rand.NewPCG(3, 4))
	m := &model.Linear{Card: model.Card{Features: e.Width(), Positive: 1, Meta: &model.Meta{Loss: "logistic", Normalize: model.NormalizeNone}}, SolverType: "L2R_LR", Weights: make([]float64, e.Width())}
	for j := range m.Weights {
		m.Weights[j] = r.NormFloat64()
	}
	return m
}

// sameSingly compares the scores of rows in a table with the scores of the same rows by themselves.
func sameSingly(t *testing.T, e *Encoder, names []string, rows [][]string, data *sparse.Data) {
	t.Helper()
	m := linearOf(e)
	scores, err := m.Scores(nil, nil, data.X)
	if err != nil {
		t.Fatal(err)
	}
	s := e.Scorer(m)
	cells, asMap := make([]string, len(s.Columns())), make(map[string]any)
	for i, row := range rows {
		for k, name := range s.Columns() {
			for j := range names {
				if names[j] == name {
					cells[k], asMap[name] = row[j], row[j]
				}
			}
		}
		want := scores[i]
		if data.Offset != nil {
			want += data.Offset[i]
		}
		got, err := s.Score(cells)
		if err != nil || math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("row %d %q: score %v, in the table %v: %v", i, row, got, want, err)
		}
		if got, err = s.ScoreMap(asMap); err != nil || math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("row %d %q: score of the map %v, in the table %v: %v", i, row, got, want, err)
		}
		p := []float64{want}
		m.Probabilities(p)
		if got, err = s.Probability(cells); err != nil || got != p[0] {
			t.Fatalf("row %d: probability %v, want %v: %v", i, got, p[0], err)
		}
		if got, err = s.PredictMap(asMap); err != nil || got != m.Label(want) {
			t.Fatalf("row %d: label %v, want %v: %v", i, got, m.Label(want), err)
		}
		if all, err := s.RowScores(nil, cells); err != nil || len(all) != 1 || all[0] != want {
			t.Fatalf("row %d: scores %v, want %v: %v", i, all, want, err)
		}
	}
}

func TestRowAloneHasBitsOfTable(t *testing.T) {
	e := handmade(t)
	names, rows := handRows(500)
	data, err := e.Encode(context.Background(), cellsSource(names, rows, 7, Options{}))
	if err != nil {
		t.Fatal(err)
	}
	sameSingly(t, e, names, rows, data)
}

// Values of a map are what their text is, whatever their type.
func TestScorerMaps(t *testing.T) {
	e, err := newEncoder(&Recipe{Version: 1, Hash: 20, Missing: []string{""}, Columns: []Column{
		{Name: "n", Kind: Number, Scale: ScaleNone, Learned: &Learned{Rows: 1, Width: 1}},
		{Name: "c", Kind: Category, Hashed: true, Learned: &Learned{Rows: 1}},
		{Name: "t", Kind: Time, Scale: ScaleNone, Learned: &Learned{Rows: 1, Shift: 1.58e9, Width: 1, Values: []string{"hour=09", "hour=10"}}},
		{Name: "o", Kind: Offset},
	}})
	if err != nil {
		t.Fatal(err)
	}
	s := e.Scorer(linearOf(e))
	score := func(cells ...string) float64 {
		v, err := s.Score(cells)
		if err != nil {
			t.Fatalf("%q: %v", cells, err)
		}
		return v
	}
	at := time.Date(2020, 2, 3, 9, 8, 7, 250e6, time.FixedZone("", -5400))
	for _, c := range []struct {
		row   map[string]any
		cells []string
	}{
		{map[string]any{"n": 0.1, "c": 1e21, "t": at, "more": 3, "o": 0}, []string{"0.1", "1e+21", "2020-02-03T09:08:07.25-01:30", "0"}},
		{map[string]any{"n": float32(0.1), "c": 100000.0, "t": "2020-02-03", "o": 2}, []string{"0.1", "100000", "2020-02-03", "2"}},
		{map[string]any{"n": nil, "c": true, "t": nil, "o": 0.5}, []string{"", "true", "", "0.5"}},
		{map[string]any{"n": 7, "c": -1e-7, "t": int64(1234567891), "o": int8(-17)}, []string{"7", "-1e-07", "1234567891", "-17"}},
		{map[string]any{"n": int16(-117), "c": -5.5, "t": uint32(1234567891), "o": int32(-118)}, []string{"-117", "-5.5", "1234567891", "-118"}},
		{map[string]any{"n": uint8(119), "c": 1e-6, "t": uint64(1234567891), "o": uint16(120)}, []string{"119", "0.000001", "1234567891", "120"}},
		{map[string]any{"n": uint(121), "c": -1e21, "t": 1234567891, "o": 0.0}, []string{"121", "-1e+21", "1234567891", "0"}},
		{map[string]any{"n": uint(121), "c": 999999999999999868928.0, "t": nil, "o": 0.0}, []string{"121", "999999999999999900000", "", "0"}},
		{map[string]any{"n": uint8(7), "c": int64(-3), "t": json.Number("5"), "o": json.Number("1.5")}, []string{"7", "-3", "5", "1.5"}},
		{map[string]any{"n": int8(-1), "c": int16(2), "t": int32(3), "o": uint(4)}, []string{"-1", "2", "3", "4"}},
		{map[string]any{"n": uint16(1), "c": uint32(2), "t": uint64(3), "o": []byte("4")}, []string{"1", "2", "3", "4"}},
	} {
		got, err := s.ScoreMap(c.row)
		if want := score(c.cells...); err != nil || got != want {
			t.Errorf("%v: %v, want %v: %v", c.row, got, want, err)
		}
	}
	for row, want := range map[*map[string]any]string{
		{"n": 1, "t": nil, "o": 0}:                    `table: the row lacks the column "c"; nil stands for a missing value`,
		nil:                                           `lacks the columns "n", "c", "t", "o"`,
		{"n": 1, "c": 1, "t": 1}:                      `lacks the column "o"`,
		{"n": 1, "c": 1, "t": 1, "o": nil}:            `column "o": the offset is missing`,
		{"n": "x", "c": "", "t": nil, "o": 0}:         `table: column "n": "x" is not a number`,
		{"n": math.NaN(), "c": "", "t": nil, "o": 0}:  `column "n": "NaN" is not a number`,
		{"n": math.Inf(1), "c": "", "t": nil, "o": 0}: `column "n": "+Inf" is not a number`,
		{"n": 1e300, "c": "", "t": nil, "o": 0}:       `too large`,
		{"n": 1, "c": struct{}{}, "t": nil, "o": 0}:   `table: column "c": a value of type struct {}; give a string, a bool, a number, a time, or nil for a missing value`,
		{"n": 1, "c": 1, "t": 1, "o": "x"}:            `column "o": the offset "x" is not a number`,
	} {
		m := map[string]any(nil)
		if row != nil {
			m = *row
		}
		if v, err := s.ScoreMap(m); err == nil || !strings.Contains(err.Error(), want) || v == v {
			t.Errorf("%v: %v, want %s", row, err, want)
		}
	}
	if _, err := s.Score([]string{"1"}); err == nil || err.Error() != `table: 1 cells; a row has 4: the columns "n", "c", "t", "o"` {
		t.Error(err)
	}
	bare := s.WithoutOffset().WithoutOffset()
	if got, err := bare.Score([]string{"1", "2", ""}); err != nil || got != score("1", "2", "", "0") || fmt.Sprint(bare.Columns()) != "[n c t]" {
		t.Errorf("without the offset of %v: %v, %v", bare.Columns(), got, err)
	}
	for _, none := range []*Scorer{e.Scorer(nil), (*Encoder)(nil).Scorer(linearOf(e))} {
		if _, err := none.Score(nil); err == nil || err.Error() != "table: Scorer: there is no encoder or no model" {
			t.Error(err)
		}
	}
	other := linearOf(e)
	other.Features--
	want := fmt.Sprintf("table: Scorer: the model has %d columns, and the rows have %d: the model was trained on other rows", e.Width()-1, e.Width())
	for _, s := range []*Scorer{e.Scorer(other), e.Scorer(other).WithoutOffset()} {
		if _, err := s.Score(make([]string, len(s.Columns()))); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestScorerAllocatesNothing(t *testing.T) {
	e := handmade(t)
	names, rows := handRows(1)
	s := e.Scorer(linearOf(e))
	row := map[string]any{"age": 3.5, "colour": "red", "note": "Yes or no, ÄÖ", "when": time.Unix(1e9, 5).UTC(), "city": 12345, "bins": json.Number("2"), "from": 0.5}
	var cells []string
	for _, name := range s.Columns() {
		for k := range names {
			if names[k] == name {
				cells = append(cells, rows[0][k])
			}
		}
	}
	if n := allocations.Count(5, func() {
		for range 100 {
			s.Score(cells)
			s.Predict(cells)
			s.Probability(cells)
			s.ProbabilityMap(row)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestFromModel(t *testing.T) {
	e := handmade(t)
	if none, err := FromModel(nil); none != nil || err == nil || err.Error() != "table: FromModel: there is no model" {
		t.Error(none, err)
	}
	m := linearOf(e)
	if none, err := FromModel(m); none != nil || err != nil {
		t.Error(none, err)
	}
	m.Meta.Table, _ = e.MarshalJSON()
	again, err := FromModel(m)
	if err != nil || fmt.Sprint(again.Recipe().Columns[1].Learned) != fmt.Sprint(e.Recipe().Columns[1].Learned) {
		t.Error(again, err)
	}
	m.Meta.Table = json.RawMessage(`{"version":3}`)
	if _, err := FromModel(m); err == nil || !strings.Contains(err.Error(), "version 3") {
		t.Error(err)
	}
}

func BenchmarkScorer(b *testing.B) {
	var r Recipe
	r.Version, r.Missing = 1, []string{"", "?"}
	row, cells := make(map[string]any), []string{}
	for k := range 14 {
		c := Column{Name: fmt.Sprintf("column%d", k), Kind: Number, Learned: &Learned{Rows: 100, Missing: 1, Shift: 3, Width: 2}}
		cells = append(cells, fmt.Sprint(k*1013))
		row[c.Name] = float64(k * 1013)
		if k >= 6 {
			values := []string{}
			for v := range 40 {
				values = append(values, fmt.Sprintf("Some-value-%02d", v))
			}
			c.Kind, c.Learned = Category, &Learned{Rows: 100, Values: values}
			cells[k], row[c.Name] = values[k], values[k]
		}
		r.Columns = append(r.Columns, c)
	}
	e, err := newEncoder(&r)
	if err != nil {
		b.Fatal(err)
	}
	s := e.Scorer(linearOf(e))
	b.Run("cells", func(b *testing.B) {
		for b.Loop() {
			s.Probability(cells)
		}
	})
	b.Run("map", func(b *testing.B) {
		for b.Loop() {
			s.ProbabilityMap(row)
		}
	})
}

// Rows of more columns than 16 bits can name, some with small columns alone, keep all columns.
func TestWideRows(t *testing.T) {
	e, err := newEncoder(&Recipe{Version: 1, Hash: 22, Missing: []string{"?"}, Columns: []Column{
		{Name: "n", Kind: Number, Scale: ScaleNone, Learned: &Learned{Rows: 1, Width: 1}},
		{Name: "c", Kind: Text, Hashed: true, Words: &Words{Counts: true}, Learned: &Learned{Rows: 1}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	names, rows := []string{"n", "c"}, [][]string{{"1", "one two three"}, {"2", ""}, {"0", strings.Repeat("many words here ", 100)}, {"3", "x"}}
	data, err := e.Encode(context.Background(), cellsSource(names, rows, 4, Options{}))
	if err != nil {
		t.Fatal(err)
	}
	sameSingly(t, e, names, rows, data)
	seen := 0
	for j, v := range data.X.Row(2) {
		if seen++; j < 1<<16 || v != 100 {
			t.Errorf("column %d holds %v", j, v)
		}
	}
	if seen != 3 {
		t.Errorf("%d words", seen)
	}
}

// A model of several classes has a score a class, and a label.
func TestScorerOfClasses(t *testing.T) {
	e := handmade(t)
	m := linearOf(e)
	m.Classes, m.Weights = []float64{1, 2, 3}, slices.Concat(m.Weights, m.Weights, m.Weights)
	for j := range m.Weights {
		m.Weights[j] *= float64(j % 7)
	}
	s := e.Scorer(m)
	names, rows := handRows(50)
	data, err := e.Encode(context.Background(), cellsSource(names, rows, 7, Options{}))
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Scores(nil, nil, data.X)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		cells := slices.Concat(row[:6], row[9:10])
		got, err := s.RowScores([]float64{5}, cells)
		if err != nil || !slices.Equal(got, append([]float64{5}, want[3*i:3*i+3]...)) {
			t.Fatalf("row %d: %v, want %v: %v", i, got, want[3*i:3*i+3], err)
		}
		if label, err := s.Predict(cells); err != nil || label != m.Label(want[3*i:3*i+3]...) {
			t.Fatalf("row %d: label %v: %v", i, label, err)
		}
		if _, err := s.Score(cells); err == nil {
			t.Fatal("one score of three classes")
		}
	}
}

// FuzzCells: whatever the cells of a row hold, the row is refused, or has the same bits in a table,
// beside another one, and alone.
func FuzzCells(f *testing.F) {
	_, rows := handRows(20)
	for _, row := range rows {
		f.Add(row[0], row[1], row[2], row[3], row[4], row[5], row[9])
	}
	f.Add("1e309", "\x00", "\xff\xfe ab", "9999-12-31T23:59:59.999999999-23:59", "\xf0\x28", "-0", "0x1")
	e := handmade(f)
	m := linearOf(e)
	s := e.Scorer(m)
	f.Fuzz(func(t *testing.T, age, colour, note, when, city, bins, from string) {
		cells := []string{age, colour, note, when, city, bins, from}
		score, err := s.Score(cells)
		other := []string{"1", "red", "yes", "2020-01-01", "Rome", "1", "0"}
		for block, wrong := range e.Blocks(context.Background(), cellsSource(s.Columns(), [][]string{other, cells, other}, 2, Options{BadRows: 3}), BlockOptions{NoTarget: true}) {
			if wrong != nil {
				t.Fatal(wrong)
			}
			if err != nil {
				if block.Skipped != 1 {
					t.Fatalf("%q: %v, and the table takes it", cells, err)
				}
				return
			}
			scores, wrong := m.Scores(nil, nil, block.X)
			if wrong != nil || len(scores) != 3 {
				t.Fatalf("%q: %v, %v; alone %v", cells, scores, wrong, score)
			}
			if want := scores[1] + block.Offset[1]; math.Float64bits(want) != math.Float64bits(score) {
				t.Fatalf("%q: %v, alone %v", cells, want, score)
			}
		}
	})
}
