package table

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// Malformed rows are reported by file and line, in their order, whatever refuses them: the reader, the column or
// the target. Quoted line breaks and empty lines count as lines.
func TestPlacesOfBadRows(t *testing.T) {
	folder := t.TempDir()
	first := "n,s,y\n1,a,0\n\n2,\"b\nb\",1\nx,c,0\n3,c\n4,\"d\n\nd\",1\ny,c,0\n5,e,0\n6,e,1,1\n"
	second := "n,s,y\n7,\"a\na\",0\n\n8,b,1\nz,b,1\n9\n10,b,0\n"
	for name, text := range map[string]string{"1.csv": first, "2.csv": second} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{`1.csv:6: column "n": the weight "x" is not`, `1.csv:7: the row has 2 cells`, `1.csv:11: column "n": the weight "y" is not`, `1.csv:13: the row has 4 cells`, `2.csv:6: column "n": the weight "z" is not`, `2.csv:7: the row has 1 cells`}
	for _, o := range []Options{{Workers: 1}, {Workers: 3, part: 1}, {Workers: 2, part: 30}, {Workers: 1, part: 50}} {
		for allowed := range len(want) + 1 {
			var got []string
			o.BadRows, o.Skipped = allowed, func(err error) { got = append(got, err.Error()) }
			s, err := Open(filepath.Join(folder, "*.csv"), o)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Infer(context.Background(), s, Wanted{Target: "y", Weight: "n"})
			if err != nil {
				got = append(got, err.Error())
			}
			for k, w := range want[:min(allowed+1, len(want))] {
				if k >= len(got) || !strings.Contains(got[k], w) {
					t.Fatalf("parts of %d, %d bad rows: %q, want %q", o.part, allowed, got, want)
				}
			}
			if (err == nil) != (allowed == len(want)) || len(got) != min(allowed+1, len(want)) {
				t.Fatalf("parts of %d, %d bad rows: %q, %v", o.part, allowed, got, err)
			}
			if err == nil {
				e, err := Fit(context.Background(), s, r)
				if err != nil {
					t.Fatal(err)
				}
				if data, err := e.Encode(context.Background(), s); err != nil || !slices.Equal(data.Y, []float64{0, 1, 1, 0, 0, 1, 0}) {
					t.Errorf("rows %v: %v", data, err)
				}
			}
			s.Close()
		}
	}
	rows := cellsSource([]string{"n", "y"}, [][]string{{"1", "0"}, {"2", "1"}, {"x", "1"}}, 2, Options{})
	rows.lines = false // as in Parquet
	if _, err := Infer(context.Background(), rows, Wanted{Target: "y", Weight: "n"}); err == nil || !strings.Contains(err.Error(), `cells: row 3: column "n"`) {
		t.Error(err)
	}
}

// inferred returns the kind that a column of cells has, and the number of its encoded columns.
func inferred(t *testing.T, cells []string, w Wanted) (Kind, int) {
	t.Helper()
	var rows [][]string
	for i, cell := range cells {
		rows = append(rows, []string{cell, fmt.Sprint(i % 2)})
	}
	w.Target = "y"
	e, _ := madeOf(t, cellsSource([]string{"k", "y"}, rows, 7, Options{}), w)
	return e.recipe.Columns[0].Kind, e.Width()
}

// Kinds of columns at the borders of the rules of docs/tables.md.
func TestKindsAtBorders(t *testing.T) {
	repeated := func(n int, cells ...string) (list []string) {
		for i := range n {
			list = append(list, strings.ReplaceAll(cells[i%len(cells)], "#", fmt.Sprint(i)))
		}
		return list
	}
	long := "some words of a text that is long"
	for name, c := range map[string]struct {
		cells []string
		w     Wanted
		kind  Kind
		width int
	}{
		"all equal":                           {repeated(20, "x"), Wanted{}, Ignore, 0},
		"all equal numbers":                   {repeated(20, "7"), Wanted{}, Ignore, 0},
		"all equal, or missing":               {repeated(20, "x", "?"), Wanted{}, Category, 2},
		"all missing":                         {repeated(20, "?", ""), Wanted{}, Ignore, 0},
		"named numbers, all equal":            {repeated(20, "7"), Wanted{Numbers: []string{"k"}}, Number, 0},
		"named numbers, equal and missing":    {repeated(20, "7", "?"), Wanted{Numbers: []string{"k"}}, Number, 1},
		"named category, all equal":           {repeated(20, "7"), Wanted{Categories: []string{"k"}}, Category, 1},
		"numbers, one is none":                {append(repeated(19, "#"), "x"), Wanted{}, Number, 2},
		"numbers twice, one is none":          {append(repeated(18, "1", "2", "3"), "x", "1"), Wanted{}, Number, 2},
		"every value once":                    {repeated(20, "v#"), Wanted{}, Ignore, 0},
		"every value once, or missing":        {repeated(20, "v#", "?"), Wanted{}, Category, 11},
		"times":                               {repeated(20, "2020-01-01", "2020-01-01 10:00"), Wanted{}, Time, 3},
		"times and a word":                    {append(repeated(19, "2020-01-01", "2020-01-02"), "soon"), Wanted{}, Time, 4},
		"as many words as times":              {repeated(20, "2020-01-01", "soon", "2020-01-02", "late"), Wanted{}, Category, 4},
		"long texts":                          {repeated(20, long+" #"), Wanted{}, Text, 17},
		"long texts, half of them distinct":   {repeated(20, long+" #", long), Wanted{}, Text, 12},
		"long texts, two rows of three empty": {repeated(30, long+" #", "", ""), Wanted{}, Text, 13},
		"long texts, few distinct":            {repeated(20, long, long+" a", long+" b"), Wanted{}, Category, 3},
		"long words":                          {repeated(20, strings.ReplaceAll(long, " ", "_")+"#", "a b"), Wanted{}, Category, 11},
		"rare values":                         {append(repeated(18, "a", "b", "c"), "d", "e"), Wanted{MinCount: 2}, Category, 4},
	} {
		if kind, width := inferred(t, c.cells, c.w); kind != c.kind || width != c.width {
			t.Errorf("%s: %s with %d columns, want %s with %d", name, kind, width, c.kind, c.width)
		}
	}
}

// Equal words are equal groups, and numbers are themselves; other words are other groups.
func TestGroupsOfCells(t *testing.T) {
	repeat.Skip(t)
	for text, want := range map[string]int64{"0": 0, "17": 17, "-5": -5, "12345678": 12345678, "1234567890123456789": 1234567890123456789} {
		if got := groupOf([]byte(text)); got != want {
			t.Errorf("%q is the group %d", text, got)
		}
	}
	seen := map[int64]string{}
	for i := range 400_000 {
		text := fmt.Sprintf("user %d", i)
		g := groupOf([]byte(text))
		if other, twice := seen[g]; twice {
			t.Fatalf("%q and %q are one group", text, other)
		}
		seen[g] = text
	}
}

// Of workers that saw the same odd value, the least place counts.
func TestPlaceOfOddValues(t *testing.T) {
	for _, places := range [][2]int64{{9, 4}, {4, 9}} {
		l := learner{none: new(missing)}
		var tallies [2]tally
		w := &need{}
		for k := range tallies {
			l.add(&tallies[k], w, append([]byte("1"), make([]byte, pad)...)[:1], 1, places[k]-1)
			l.add(&tallies[k], w, append([]byte("odd"), make([]byte, pad)...)[:3], 1, places[k])
		}
		l.merge(&tallies[0], w, &tallies[1])
		if s := l.stats(&tallies[0], w); s.seen[odd].place != 4 || s.seen[odd].count != 2 || s.seen[odd].text != "odd" || s.numbers.count != 2 {
			t.Errorf("places %v: %d odd values, %q at %d", places, s.seen[odd].count, s.seen[odd].text, s.seen[odd].place)
		}
	}
}

// Numbers that are times are read with the decimal comma of the table, in fits and in rows.
func TestTimesWithCommas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "commas.csv")
	if err := os.WriteFile(path, []byte("k;n;y\n1500000000,5;1,5;0\n1500000001,5;2;1\n1500000002,5;3;0\n1500000004,5;7;1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	e, data := madeOf(t, s, Wanted{Target: "y", Times: []string{"k"}})
	l := e.recipe.Columns[0].Learned
	if l.Mean != 1500000002.25 || l.Least != 1500000000.5 || l.Greatest != 1500000004.5 || e.recipe.Columns[1].Learned.Mean != 3.375 || data.X.Rows() != 4 {
		t.Errorf("%+v, %+v", l, e.recipe.Columns[1].Learned)
	}
}

// Scores of a row with an offset are appended to what is there.
func TestScorerAppends(t *testing.T) {
	e := handmade(t)
	s := e.Scorer(linearOf(e))
	cells := []string{"6", "red", "yes", "1970-01-01", "Rome", "1", "2.5"}
	want, err := s.Score(cells)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.RowScores([]float64{7, 8}, cells); err != nil || !slices.Equal(got, []float64{7, 8, want}) {
		t.Errorf("%v, want 7, 8 and %v: %v", got, want, err)
	}
	cells[6] = ""
	if v, err := s.Score(cells); err == nil || !strings.Contains(err.Error(), `"from": the offset is missing`) {
		t.Errorf("%v without an offset: %v", v, err)
	}
	alone := s.WithoutOffset()
	if without, err := alone.Score(cells[:6]); err != nil || without+2.5 != want || slices.Contains(alone.Columns(), "from") {
		t.Errorf("%v without the offset 2.5, %v with it: %v", without, want, err)
	}
}
