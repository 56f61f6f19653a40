package table

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/notes"
)

// numbersAnd are cells of a number of distinct numbers, in no order, and of distinct words. Each word
// stands in the column as often as repeats says.
func numbersAnd(numbers, words, repeats int) (cells []string) {
	r := rand.New(rand.NewPCG(uint64(numbers), uint64(words)))
	for i := range numbers {
		cells = append(cells, strconv.FormatFloat(float64(i)*1.75-9.5, 'f', -1, 64))
	}
	for i := range words * repeats {
		cells = append(cells, fmt.Sprintf("word %d", i%words))
	}
	r.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	return cells
}

// learnedOf returns the encoder, the rows' source and the labels of a column k beside the target.
func learnedOf(t *testing.T, cells []string, w Wanted, o Options) (*Encoder, *Source) {
	t.Helper()
	var rows [][]string
	for i, cell := range cells {
		rows = append(rows, []string{cell, fmt.Sprint(i % 2)})
	}
	w.Target = "y"
	s := cellsSource([]string{"k", "y"}, rows, 9, o)
	e, _ := madeOf(t, s, w)
	return e, s
}

// TestNearlyAllNumbers: a column is a number if at least 95 % of its distinct cells are numbers. It
// is one too if at most 20 cells are not, and they are fewer than half. Missing cells do not count.
func TestNearlyAllNumbers(t *testing.T) {
	for _, words := range []int{1, 2, 5, 19, 20, 21, 22, 40} {
		for _, numbers := range []int{1, words - 1, words, words + 1, 2*words + 1, 19*words - 1, 19 * words, 19*words + 1} {
			if numbers < 1 {
				continue
			}
			for _, repeats := range []int{1, 3} {
				cells := numbersAnd(numbers, words, repeats)
				is := words*100 <= 5*(words+numbers) || words <= 20 && words < numbers
				e, s := learnedOf(t, append(slices.Clone(cells), "NA", "", "-"), Wanted{}, Options{Workers: 2})
				c := &e.recipe.Columns[0]
				n := noteAbout(t, s.Notes(), notes.NotNumber, "k")
				if (c.Kind == Number) != is || (n.Kind != "") != is {
					t.Errorf("%d numbers, %d words %d times: %s (%s), note %v", numbers, words, repeats, c.Kind, c.Why, n)
					continue
				}
				if !is {
					continue
				}
				first := slices.IndexFunc(cells, func(c string) bool { return strings.HasPrefix(c, "word") })
				if n.Count != int64(words*repeats) || n.Of != int64(len(cells)+3) || n.Example != cells[first] || n.Place != "line "+notes.Grouped(int64(first+1)) || n.WayOut != "{Categories=k} keeps them as words" {
					t.Errorf("%d numbers, %d words: %v; the first is %q in line %d", numbers, words, n, cells[first], first+1)
				}
				if c.Learned.Missing != int64(words*repeats+3) || !strings.Contains(c.Why, "nearly every value") {
					t.Errorf("%d numbers, %d words: %d missing, %s", numbers, words, c.Learned.Missing, c.Why)
				}
			}
		}
	}
}

// TestManyNumbersAndWords: behind 10,000 distinct cells, 500 words never hide a column of numbers, and
// of more the share decides.
func TestManyNumbersAndWords(t *testing.T) {
	repeat.Skip(t)
	for _, c := range []struct {
		numbers, words int
		kind           Kind
	}{{9_501, 500, Number}, {12_000, 1, Number}, {12_000, 500, Number}, {40_000, 700, Number}, {12_000, 2_500, Category}, {12_000, 9_000, Category}, {0, 11_000, Category}} {
		cells := append(numbersAnd(c.numbers, c.words, 2), "", "NA", "inf")
		for _, workers := range []int{1, 3} {
			e, s := learnedOf(t, cells, Wanted{Hash: 10}, Options{Workers: workers})
			column := &e.recipe.Columns[0]
			if column.Kind != c.kind {
				t.Errorf("%d numbers, %d words: %s, %s", c.numbers, c.words, column.Kind, column.Why)
				continue
			}
			n, infinite := noteAbout(t, s.Notes(), notes.NotNumber, "k"), noteAbout(t, s.Notes(), notes.Infinite, "k")
			first := slices.IndexFunc(cells, func(c string) bool { return strings.HasPrefix(c, "word") })
			if c.kind == Number && (n.Count != int64(2*c.words) || n.Of != int64(len(cells)) || n.Example != cells[first] || n.Place != "line "+notes.Grouped(int64(first+1)) || infinite.Count != 1 || column.Learned.Missing != int64(2*c.words+3)) {
				t.Errorf("%d numbers, %d words, %d workers: %v, %v, %d missing", c.numbers, c.words, workers, n, infinite, column.Learned.Missing)
			}
			if c.kind != Number && (n.Kind != "" || infinite.Kind != "") {
				t.Errorf("%d numbers, %d words: notes %v", c.numbers, c.words, s.Notes())
			}
		}
	}
}

// TestInfinitiesAreNoWords: infinite cells do not make a column of words, and are missing with a note.
func TestInfinitiesAreNoWords(t *testing.T) {
	cells := []string{"Inf", "2", "3.5", "-infinity", "+INF", "1e400", "-1E400", "7", "-Inf"}
	e, s := learnedOf(t, cells, Wanted{}, Options{})
	n := noteAbout(t, s.Notes(), notes.Infinite, "k")
	if c := &e.recipe.Columns[0]; c.Kind != Number || c.Learned.Missing != 6 || !close9(c.Learned.Shift, 12.5/3) || n.Count != 6 || n.Of != 9 || n.Example != "Inf" || n.Place != "line 1" || noteAbout(t, s.Notes(), notes.NotNumber, "k").Kind != "" {
		t.Errorf("%s, %+v, %v", c.Kind, c.Learned, s.Notes())
	}
	if e, _ := learnedOf(t, []string{"1", "inf", "word", "1"}, Wanted{}, Options{}); e.recipe.Columns[0].Kind != Number {
		t.Errorf("a number, an infinite one and a word: %s", e.recipe.Columns[0].Why)
	}
	if e, _ := learnedOf(t, []string{"inf", "info", "x", "x", "in"}, Wanted{}, Options{}); e.recipe.Columns[0].Kind != Category {
		t.Errorf("words: %s", e.recipe.Columns[0].Why)
	}
}

// TestMissingWords: the usual words are missing in columns of numbers, in letters of any case and with
// blanks around them; in categories they are values. "none" leaves only empty cells missing.
func TestMissingWords(t *testing.T) {
	for _, word := range []string{"NA", "na", "N/A", "n/A", "#N/A", "#n/a", "NaN", "nan", "NULL", "null", "None", "NONE", "<NA>", "<na>", "-", ".", "?", " NA ", "\tnull", "", " ", "\u00a0NA"} {
		numbers := []string{"4", word, "2.5", "-1", word, "4"}
		e, s := learnedOf(t, numbers, Wanted{}, Options{})
		if c := &e.recipe.Columns[0]; c.Kind != Number || c.Learned.Missing != 2 || len(s.Notes()) > 0 {
			t.Errorf("%q: %s, %+v, %v", word, c.Kind, c.Learned, s.Notes())
		}
		e, _ = learnedOf(t, []string{"a", word, "b", "a", word, "b"}, Wanted{}, Options{})
		values, missing := []string{"a", "b", word}, int64(0)
		if slices.Sort(values); word == "" {
			values, missing = []string{"a", "b"}, 2
		}
		if c := &e.recipe.Columns[0]; c.Kind != Category || !slices.Equal(c.Learned.Values, values) || c.Learned.Missing != missing {
			t.Errorf("%q among words: %s, %+v", word, c.Kind, c.Learned)
		}
		e, s = learnedOf(t, numbers, Wanted{Missing: []string{"none"}}, Options{})
		n := noteAbout(t, s.Notes(), notes.NotNumber, "k")
		blank := strings.TrimSpace(word) == ""
		if c := &e.recipe.Columns[0]; c.Kind != Number || c.Learned.Missing != 2 || (n.Count == 2) == blank || (n.Kind == "") != blank {
			t.Errorf("%q without words: %s, %+v, %v", word, c.Kind, c.Learned, n)
		}
	}
	for _, word := range []string{"n.a.", "missing", "--", "nil", "N A", "nano", "<NA", "..", "??", "#NA"} {
		if e, s := learnedOf(t, []string{"4", word, "2.5", "-1"}, Wanted{}, Options{}); e.recipe.Columns[0].Kind != Number || noteAbout(t, s.Notes(), notes.NotNumber, "k").Count != 1 {
			t.Errorf("%q is taken for missing: %v", word, s.Notes())
		}
	}
}

// TestMissingNumbers: in a column of numbers and in a target, a number among the missing cells
// stands for all cells of its value. In a category it stands for its text.
func TestMissingNumbers(t *testing.T) {
	same := []string{"-200", "-200.0", "-2e2", " -200", "-0200.00"}
	cells := append(slices.Clone(same), "1.5", "3.5", "-199", "200", "-20")
	e, s := learnedOf(t, cells, Wanted{Missing: []string{"-200"}}, Options{})
	if c := &e.recipe.Columns[0]; c.Kind != Number || c.Learned.Missing != int64(len(same)) || c.Learned.Least != -199 {
		t.Errorf("%s, %+v, %v", c.Kind, c.Learned, s.Notes())
	}
	commas := append([]string{"1,5", "3,5", "-200,0", "-199,5"}, "-200")
	if e, _ := learnedOf(t, commas, Wanted{Missing: []string{"-200"}}, Options{}); e.recipe.Columns[0].Kind != Number || e.recipe.Columns[0].Learned.Missing != 2 || e.recipe.Columns[0].Learned.Least != -199.5 {
		t.Errorf("decimal commas: %+v", e.recipe.Columns[0])
	}
	words := []string{"-200", "-200,0", "a", "b", "a", "b", "c"}
	if e, _ := learnedOf(t, words, Wanted{Missing: []string{"-200"}, Categories: []string{"k"}}, Options{}); e.recipe.Columns[0].Learned.Missing != 1 || !slices.Contains(e.recipe.Columns[0].Learned.Values, "-200,0") {
		t.Errorf("a category: %+v", e.recipe.Columns[0].Learned)
	}
	rows := [][]string{{"1", "-200"}, {"2", "3.5"}, {"4", "-200.00"}, {"4", "NA"}, {"7", "1"}}
	target := cellsSource([]string{"x", "y"}, rows, 2, Options{})
	_, data := madeOf(t, target, Wanted{Target: "y", Missing: []string{"-200"}})
	if n := noteAbout(t, target.Notes(), notes.NoTarget, ""); !slices.Equal(data.Y, []float64{3.5, 1}) || n.Count != 3 || n.Place != "line 1" {
		t.Errorf("target: %v, %v", data.Y, target.Notes())
	}
}

// TestCodes: whole numbers that begin with a 0, or that a float64 does not keep, are codes, and their
// column is words.
func TestCodes(t *testing.T) {
	for _, c := range []struct {
		cells []string
		kind  Kind
	}{
		{[]string{"02134", "10001", "02134", "94105"}, Category}, {[]string{"00", "1", "2", "1"}, Category}, {[]string{"0", "1", "2", "0"}, Number},
		{[]string{"0.5", "0", "10", "0.25"}, Number}, {[]string{"10", "20", "007", "10"}, Category}, {[]string{"0e5", "1", "2", "2"}, Number},
		{append(numbersAnd(300, 1, 1), "0123"), Category},
		{[]string{"9999999999999901", "9999999999999903", "9999999999999905", "9999999999999901"}, Category},
		{[]string{"9007199254740992", "9007199254740991", "1000000000000000", "9007199254740992"}, Number},
	} {
		for _, workers := range []int{1, 2} {
			if e, _ := learnedOf(t, append(c.cells, ""), Wanted{}, Options{Workers: workers}); e.recipe.Columns[0].Kind != c.kind {
				t.Errorf("%.60q: %s, %s", c.cells, e.recipe.Columns[0].Kind, e.recipe.Columns[0].Why)
			}
		}
	}
	many := append(numbersAnd(12_000, 0, 0), "0123", "0123")
	if e, _ := learnedOf(t, many, Wanted{}, Options{}); e.recipe.Columns[0].Kind == Number {
		t.Error("a code among many numbers is a number")
	}
}

// TestNotesOfColumnsLeftOut: a column of one value, and one with a value of its own in each row, are
// left out with a note; a column of missing cells, too.
func TestNotesOfColumnsLeftOut(t *testing.T) {
	for _, c := range []struct {
		cells      []string
		kind       notes.Kind
		then, away string
	}{
		{[]string{"7", "7", "7"}, notes.Constant, `every value is "7"`, ""}, {[]string{"a", "a", "a"}, notes.Constant, `every value is "a"`, ""},
		{[]string{"", "", ""}, notes.Constant, "every value is missing", ""}, {[]string{"a", "b", "c"}, notes.LeftOut, "every row has a value of its own", "{Categories=k} takes it"},
	} {
		e, s := learnedOf(t, c.cells, Wanted{}, Options{})
		if n := noteAbout(t, s.Notes(), c.kind, "k"); e.recipe.Columns[0].Kind != Ignore || n.Then != c.then || n.WayOut != c.away || len(s.Notes()) != 1 {
			t.Errorf("%q: %s, %v", c.cells, e.recipe.Columns[0].Kind, s.Notes())
		}
		named, s := learnedOf(t, c.cells, Wanted{Categories: []string{"k"}}, Options{})
		if named.recipe.Columns[0].Kind != Category || len(s.Notes()) != 0 {
			t.Errorf("%q, named: %s, %v", c.cells, named.recipe.Columns[0].Kind, s.Notes())
		}
	}
}

// TestFirstVersion: a recipe of version 1 takes its list of missing cells as text, and knows no words.
func TestFirstVersion(t *testing.T) {
	recipe := func(version int) *Encoder {
		e, err := newEncoder(&Recipe{Version: version, Missing: []string{"", "-200"}, Columns: []Column{
			{Name: "k", Kind: Number, Scale: ScaleNone, Learned: &Learned{Rows: 5, Missing: 1, Width: 1, Mean: 50}},
		}})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	cells := []string{"-200", "-200.0", "", "NA", "3"}
	for version, want := range map[int][]float64{1: {50, -200, 50, 50, 3}, 2: {50, 50, 50, 50, 3}} {
		var rows [][]string
		for _, cell := range cells {
			rows = append(rows, []string{cell})
		}
		s := cellsSource([]string{"k"}, rows, 2, Options{})
		data, err := recipe(version).Encode(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range want {
			if got := valueAt(data.X.Row(i), 0); !(math.Abs(got-v) <= 0) {
				t.Errorf("version %d, %q: %v, want %v", version, cells[i], got, v)
			}
		}
		if n := noteAbout(t, s.Notes(), notes.NotNumber, "k"); (n.Count == 1 && n.Example == "NA" && n.Place == "line 4") != (version == 1) {
			t.Errorf("version %d: %v", version, s.Notes())
		}
	}
}
