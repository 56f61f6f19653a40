package input

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/table"
)

// TestScoresOfBlocks: all blocks of a table count for its notes. Each row gets its own offset, but
// no offset if the table is to be scored without offsets.
func TestScoresOfBlocks(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	learn := "y,x,c,o\n"
	for i := range 40 {
		learn += fmt.Sprintf("%d,%d.5,%s,0\n", i%2, i*i%17, []string{"a", "b"}[i*i%7%2])
	}
	const n = 3*scoredRows + 5
	var text strings.Builder
	text.WriteString("x,c,o,y\n")
	missing, unseen := 0, 0
	for i := range n {
		x, c, y := "1.5", "a", "1"
		if i%10 == 0 {
			x, missing = "", missing+1
		}
		if i%7 == 3 {
			c, unseen = "z", unseen+1
		}
		if i%3 == 1 {
			y = ""
		}
		fmt.Fprintf(&text, "%s,%s,%d,%s\n", x, c, i%5-2, y)
	}
	path := write("rows.csv", text.String())
	var messages bytes.Buffer
	a := &console.App{Err: &messages, Out: &messages}
	learning, err := OpenTable(a, write("learn.csv", learn), &TableFlags{}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	defer learning.Close()
	e, err := learning.LearnBy(t.Context(), &TableFlags{Target: "y", offset: "o"})
	if err != nil {
		t.Fatal(err)
	}
	m := &model.Linear{SolverType: "L2R_LR", Weights: make([]float64, e.Width()), Card: model.Card{Features: e.Width(), Positive: 1, Meta: &model.Meta{Loss: "logistic"}}}
	for _, without := range []string{"", "none"} {
		messages.Reset()
		table, err := OpenTable(a, path, &TableFlags{noOffset: without}, e, false)
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for block, err := range table.Score(t.Context(), m, e, []string{"x", "c"}, false) {
			if err != nil {
				t.Fatal(err)
			}
			for i, score := range block.Scores {
				want := float64((at+i)%5 - 2)
				if without != "" {
					want = 0
				}
				if score != want {
					t.Fatalf("row %d has the score %v, want %v", at+i, score, want)
				}
			}
			at += len(block.Scores)
		}
		if at != n || table.Scored != n {
			t.Errorf("%d of %d rows, %d are counted", at, n, table.Scored)
		}
		if err := table.TellSeen(e); err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("lanes: note: column x: %s missing values\nlanes: note: column c: %s values were not seen in training\n", "2,459", "3,512")
		if missing != 2459 || unseen != 3512 || without == "" && messages.String() != want || without != "" && messages.Len() > 0 {
			t.Errorf("%d missing, %d unseen, told %q, want %q", missing, unseen, messages.String(), want)
		}
		if gone, new := table.Counts(e); fmt.Sprint(gone["x"], gone["c"], new["x"], new["c"], len(new)) != "2459 0 0 3512 1" {
			t.Errorf("counts are %v and %v", gone, new)
		}
		table.Close()
	}
}

// learned returns the encoder of a table with the target y, and writes another table.
func learned(t *testing.T, a *console.App, learn, rows string, f TableFlags) (e *table.Encoder, path string) {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{"learn.csv": learn, "rows.csv": rows} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	learning, err := OpenTable(a, filepath.Join(folder, "learn.csv"), &TableFlags{}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	defer learning.Close()
	f.Target = "y"
	if e, err = learning.LearnBy(t.Context(), &f); err != nil {
		t.Fatal(err)
	}
	return e, filepath.Join(folder, "rows.csv")
}

// TestOffsetsOfLabelledRows: the offset of a row that is measured counts once.
func TestOffsetsOfLabelledRows(t *testing.T) {
	a := &console.App{Err: new(bytes.Buffer), Quiet: true}
	text := "y,x,o\n" + strings.Repeat("0,1.5,1\n1,2.5,-2\n1,0.5,3\n0,2,0.5\n", 5)
	e, path := learned(t, a, text, text, TableFlags{offset: "o"})
	m := &model.Linear{SolverType: "L2R_LR", Weights: make([]float64, e.Width()), Card: model.Card{Features: e.Width(), Positive: 1}}
	rows, err := OpenTable(a, path, &TableFlags{}, e, false)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	scored := rows.Score(t.Context(), m, e, nil, true)
	r, err := lanes.EvaluateBlocks(m, func(yield func(model.Scored, error) bool) {
		for block, err := range scored {
			if !yield(block.Scored, err) {
				return
			}
		}
	}, lanes.EvaluateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	loss := func(y, score float64) float64 { return math.Log1p(math.Exp(-y * score)) }
	if want := (loss(-1, 1) + loss(1, -2) + loss(1, 3) + loss(-1, 0.5)) / 4; !(math.Abs(r.LogLoss-want) <= 1e-12) {
		t.Errorf("log loss %v, want %v", r.LogLoss, want)
	}
}

// TestInfiniteScoreOfTable: the row of a score that is infinite is counted in the whole table.
func TestInfiniteScoreOfTable(t *testing.T) {
	a := &console.App{Err: new(bytes.Buffer), Quiet: true}
	const bad = 90_001
	e, path := learned(t, a, "y,c,d\n"+strings.Repeat("0,a,a\n1,b,b\n", 10), "c,d\n"+strings.Repeat("a,a\n", bad-1)+"b,b\n"+strings.Repeat("a,a\n", 100), TableFlags{})
	m := &model.Linear{SolverType: "L2R_LR", Weights: make([]float64, e.Width()), Card: model.Card{Features: e.Width(), Positive: 1}}
	for j := range m.Weights {
		if strings.HasSuffix(e.Name(j), "=b") {
			m.Weights[j] = math.MaxFloat64
		}
	}
	rows, err := OpenTable(a, path, &TableFlags{}, e, false)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	blocks := 0
	for _, err = range rows.Score(t.Context(), m, e, nil, false) {
		blocks++
	}
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("the score of row %d is +Inf", bad)) || blocks < 2 {
		t.Errorf("%d blocks, then %v", blocks, err)
	}
}

// TestOffsetsOfClasses: an offset is added to all scores of its row.
func TestOffsetsOfClasses(t *testing.T) {
	for _, c := range []struct{ offset, scores, want []float64 }{
		{[]float64{1, -2}, []float64{1, 2, 3, 4, 5, 6}, []float64{2, 3, 4, 2, 3, 4}}, {[]float64{1, -2}, []float64{1, 2}, []float64{2, 0}}, {nil, []float64{1, 2}, []float64{1, 2}},
	} {
		block := model.Scored{Data: &sparse.Data{Y: make([]float64, 2), Offset: c.offset}, Scores: c.scores}
		if addOffsets(block); !slices.Equal(block.Scores, c.want) {
			t.Errorf("offsets %v: %v, want %v", c.offset, block.Scores, c.want)
		}
	}
}

// TestBeginsRows: labels with an entry are rows of LIBSVM text, labels alone say nothing.
func TestBeginsRows(t *testing.T) {
	for head, want := range map[string]bool{
		"1 3:0.5\n": true, "\ufeff1 3:0.5": true, "-1\n+1\n2.5 qid:7 1:1": true, "1,2 1:1": true, "a 1:1": true, "LANESCSR...": true, "PK\x03\x04": true, "1\t7:1": true,
		"": false, "1\n2\n": false, "a\n1 1:1": false, "x y\n1 1:1": false, "1 2\n1 1:1": false, "1 a:1": false, "1:1": false, "PK": false, "1 qid:7": false,
		"PAR1\n22.09.2016 19:00\n": false, "1;02.01.2016 15:04;3\n": false, "1,02.01.2016 15:04\n": false, "1 15:04;3\n": false, "1.5,2 1:1\n": true, "1 1:": true,
	} {
		if got := beginsRows([]byte(head)); got != want {
			t.Errorf("%q: %t", head, got)
		}
	}
	for want, names := range map[string][]string{
		": if these are several columns, name the character between them by --separator ('blank' for runs of blanks)": {"a b"},
		": if the first row names the columns, say --header":                                                          {"1", "2", "3"}, "": {"1", "b", "4"},
	} {
		if got := misread(names); got != want {
			t.Errorf("%q: %q, want %q", names, got, want)
		}
	}
}
