package variants

import (
	"bytes"
	"cmp"
	csvfile "encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/command"
	"github.com/lanes-go/lanes/internal/testing/repeat"
)

func lanes(args ...string) (int, string, string) {
	var out, stderr bytes.Buffer
	status := command.Run(args, bytes.NewReader(nil), &out, &stderr)
	return status, out.String(), stderr.String()
}

// TestSample: a sample of the variants is read right, or something says how it was read. make
// variants takes all of them.
func TestSample(t *testing.T) {
	repeat.Skip(t)
	const seed = 1
	all := All()
	step := repeat.Size(2, 10)
	tally := Tally{}
	var bad bytes.Buffer
	judged := 0
	for k := seed % step; k < len(all); k += step {
		v := all[k]
		bad.Reset()
		r, err := tally.Try(&bad, lanes, v, seed, t.TempDir())
		if err != nil {
			t.Error(err)
		} else if !r.Verdict.Good() {
			t.Error(strings.TrimSpace(bad.String()))
		}
		judged++
	}
	if judged < 50 {
		t.Errorf("only %d variants were judged", judged)
	}
}

// TestAll: the names of variants differ, equal seeds make equal cases, and columns are equally long.
func TestAll(t *testing.T) {
	repeat.Skip(t)
	seen := map[string]bool{}
	for _, v := range All() {
		if seen[v.String()] {
			t.Errorf("two variants %v", v)
		}
		seen[v.String()] = true
		c := v.Case(1)
		if !reflect.DeepEqual(c, v.Case(1)) {
			t.Fatalf("%v: two cases of one seed differ", v)
		}
		if reflect.DeepEqual(c.Files, v.Case(2).Files) {
			t.Errorf("%v: cases of two seeds are equal", v)
		}
		for _, meant := range slices.Concat([]Table{c.Train}, c.Or) {
			for _, column := range meant.Columns {
				if len(column.Cells) != meant.rows() {
					t.Fatalf("%v: column %s has %d cells of %d rows", v, column.Name, len(column.Cells), meant.rows())
				}
			}
		}
		if len(c.Data) == 0 || len(c.Files) == 0 {
			t.Errorf("%v has no files", v)
		}
	}
	if len(seen) < 200 {
		t.Errorf("%d variants", len(seen))
	}
}

// TestWrongReader: a command that drops a column, or swaps two cells, is judged silent.
func TestWrongReader(t *testing.T) {
	change := func(change func(rows [][]string) [][]string) Run {
		return func(args ...string) (int, string, string) {
			args = slices.Clone(args)
			for k, arg := range args {
				if filepath.Base(arg) != "t.csv" {
					continue
				}
				content, err := os.ReadFile(arg)
				if err != nil {
					t.Fatal(err)
				}
				rows, err := csvfile.NewReader(bytes.NewReader(content)).ReadAll()
				if err != nil {
					t.Fatal(err)
				}
				var b bytes.Buffer
				if err := csvfile.NewWriter(&b).WriteAll(change(rows)); err != nil {
					t.Fatal(err)
				}
				args[k] = filepath.Join(t.TempDir(), "wrong.csv")
				if err := os.WriteFile(args[k], b.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			return lanes(args...)
		}
	}
	same := change(func(rows [][]string) [][]string { return rows })
	dropped := change(func(rows [][]string) [][]string {
		for k := range rows {
			rows[k] = rows[k][1:]
		}
		return rows
	})
	rounded := change(func(rows [][]string) [][]string {
		rows[7][0] = "1"
		return rows
	})
	shorter := change(func(rows [][]string) [][]string { return rows[:len(rows)-1] })
	category := change(func(rows [][]string) [][]string {
		for k := range rows[1:] {
			rows[k+1][1] += " m"
		}
		return rows
	})
	v := Chosen("plain/comma")[0]
	for name, c := range map[string]struct {
		run    Run
		want   Verdict
		naming string
	}{
		"same": {same, Right, ""}, "dropped": {dropped, Silent, `no column "x"`}, "rounded": {rounded, Silent, "score"},
		"shorter": {shorter, Silent, "rows"}, "category": {category, Silent, `"z" is a category`},
	} {
		r, err := Judge(c.run, v.Case(3), t.TempDir())
		if err != nil || r.Verdict != c.want || !strings.Contains(r.Seen, c.naming) {
			t.Errorf("%s: %+v, %v; want %s with %q", name, r, err, c.want, c.naming)
		}
	}
}

// said is what a fake command says.
type said struct {
	status  int
	message string
	kind    string
	notes   string
	score   float64
	only    string // the argument without which it fails
	garbled bool   // it prints no JSON
}

// fake returns a command that reads clean files as a number x, and other files as s says.
func fake(s said) Run {
	return func(args ...string) (int, string, string) {
		now, clean := s, strings.Contains(strings.Join(args, " "), "clean")
		if clean {
			now = said{kind: "number", score: 0.5}
		} else if s.only != "" && (args[0] != "info" || slices.Contains(args, s.only)) {
			now.status = 0
		}
		if now.status != 0 {
			return now.status, "", now.message
		}
		columns := []map[string]any{{"name": "x", "kind": cmp.Or(now.kind, "number")}, {"name": "y", "kind": "target"}}
		if clean {
			columns[0]["name"] = "k0"
		}
		out, err := json.Marshal(map[string]any{
			"columns": columns, "n": 50, "predictions": []float64{now.score},
			"notes": json.RawMessage(cmp.Or(now.notes, "[]")),
		})
		if err != nil {
			panic(err)
		}
		if now.garbled {
			out = out[1:]
		}
		return 0, string(out), ""
	}
}

// TestVerdicts: each verdict is reached by the command that it is for.
func TestVerdicts(t *testing.T) {
	plain := func(m *maker) Case {
		m.rows = 50
		table := m.table(m.small().as("x"))
		return one(table, "t.csv", dialect{}.text(table), "x")
	}
	note := func(kind, class, column string, count int, place string) string {
		return fmt.Sprintf(`[{"kind": %q, "class": %q, "column": %q, "count": %d, "example": "oops", "place": %q}]`, kind, class, column, count, place)
	}
	lost := func(column string, count int) string { return note("not-a-number", "lost", column, count, "") }
	expects := func(list ...Said) func(c *Case) { return func(c *Case) { c.Notes = list } }
	for name, c := range map[string]struct {
		said   said
		change func(c *Case)
		want   Verdict
	}{
		"right":                         {said{score: 0.5}, nil, Right},
		"within rounding":               {said{score: 0.5 + 1e-12}, nil, Right},
		"another score":                 {said{score: 0.51}, nil, Silent},
		"another kind":                  {said{kind: "category", score: 0.5}, nil, Silent},
		"another kind, told":            {said{kind: "category", score: 0.5, notes: lost("x", 3)}, nil, Told},
		"another kind, information":     {said{kind: "category", score: 0.5, notes: note("converted", "information", "x", 3, "")}, nil, Silent},
		"another kind, wrong column":    {said{kind: "category", score: 0.5, notes: lost("y", 3)}, nil, Silent},
		"expected note":                 {said{score: 0.5, notes: lost("x", 3)}, expects(notNumbers("x", 3)), Right},
		"expected note is absent":       {said{score: 0.5}, expects(notNumbers("x", 3)), Silent},
		"expected note, wrong count":    {said{score: 0.5, notes: lost("x", 2)}, expects(notNumbers("x", 3)), WrongNote},
		"expected note, wrong column":   {said{score: 0.5, notes: lost("y", 3)}, expects(notNumbers("x", 3)), WrongNote},
		"expected line is absent":       {said{score: 0.5}, expects(converted("x")), Unsaid},
		"expected note, wrong line":     {said{score: 0.5, notes: note("not-a-number", "lost", "x", 3, "line 4")}, expects(notNumbers("x", 3)), WrongNote},
		"a note about nothing":          {said{score: 0.5, notes: lost("x", 3)}, nil, Noise},
		"a line of information":         {said{score: 0.5, notes: note("converted", "information", "x", 3, "")}, nil, Right},
		"an error that helps":           {said{status: 3, message: "say --fix", only: "--fix", score: 0.5}, nil, Refused},
		"an error with a value":         {said{status: 2, message: "say --fix", only: "--fix=7", score: 0.5}, func(c *Case) { *c = c.answers("--fix", "6", "7") }, Refused},
		"an error that does not help":   {said{status: 3, message: "say --fix", score: 0.5}, nil, Helpless},
		"an error that helps wrongly":   {said{status: 3, message: "say --fix", only: "--fix", score: 0.6}, nil, Helpless},
		"an error without a flag":       {said{status: 3, message: "bad file"}, nil, Helpless},
		"an error of the right words":   {said{status: 3, message: "bad t.csv"}, func(c *Case) { *c = c.orRefuse("t.csv") }, Refused},
		"another program helps":         {said{status: 3, message: "jq -c '.[]' FILE"}, nil, Refused},
		"a crash":                       {said{status: 1, message: "panic"}, nil, Broken},
		"not JSON":                      {said{garbled: true}, nil, Broken},
		"must refuse":                   {said{status: 3, message: "t.csv:4"}, func(c *Case) { c.Refused = []string{"t.csv:4"} }, Refused},
		"must refuse, other words":      {said{status: 3, message: "bad"}, func(c *Case) { c.Refused = []string{"t.csv:4"} }, Helpless},
		"must refuse, does not":         {said{score: 0.5}, func(c *Case) { c.Refused = []string{"t.csv:4"} }, Silent},
		"must refuse, tells":            {said{score: 0.5, notes: lost("x", 3)}, func(c *Case) { c.Refused = []string{"t.csv:4"} }, Told},
		"another reading that is right": {said{kind: "category", score: 0.5}, func(c *Case) { c.Or = []Table{c.Train.of("x", "category")} }, Right},
	} {
		v := Variant{Family: "fake", Name: name, make: plain}
		made := v.Case(1)
		if c.change != nil {
			c.change(&made)
		}
		r, err := Judge(fake(c.said), made, t.TempDir())
		if err != nil || r.Verdict != c.want {
			t.Errorf("%s: %+v, %v; want %s", name, r, err, c.want)
		}
	}
}
