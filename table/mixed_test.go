package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/notes"
)

// TestMixed: words that are numbers or dates in several ways of writing have a note, few values or
// many; codes, and words that only resemble numbers, have none.
func TestMixed(t *testing.T) {
	repeat.Skip(t)
	each := func(forms ...string) func(k int) string {
		return func(k int) string {
			form := forms[k%len(forms)]
			values := []any{1 + k%9, 100 + k/9%900, 10 + k%89, 1 + k%12, 13 + k%15, 2000 + k%20}
			for n, v := range values {
				form = strings.ReplaceAll(form, string(rune('A'+n)), fmt.Sprint(v))
			}
			return form
		}
	}
	for name, c := range map[string]struct {
		cell func(k int) string
		want string
	}{
		"marks of two countries": {each("A,B.C", "A.B,C"), "numbers whose marks differ, kept as words; {Ignored=k} leaves"},
		"marks of one country":   {each("A,B.C", "A.B,C", "A.B,CD"), "numbers whose marks differ, kept as words; {Numbers=k} reads"},
		"dates of two countries": {each("D/E/F", "E/D/F"), "dates with the month behind other numbers, kept as words; {Times=k=mdy}"},
		"ranges":                 {each("B-C"), ""},
		"versions":               {each("A.B.C"), ""},
		"telephones":             {each("C B BA", "B-BC"), ""},
		"times of day":           {each("D:C"), ""},
		"words":                  {each("bA", "cB"), ""},
	} {
		for _, n := range []int{240, 24000} {
			var cells []string
			for k := range n {
				cells = append(cells, c.cell(k), c.cell(k))
			}
			e, s := learnedOf(t, cells, Wanted{Hash: 10}, Options{Workers: 2})
			told := noteAbout(t, s.Notes(), notes.Mixed, "k")
			if text := told.Then + "; " + told.WayOut; c.want != "" && !strings.HasPrefix(text, c.want) || c.want == "" && told.Kind != "" {
				t.Errorf("%s, %d cells: %s, %q", name, n, e.recipe.Columns[0].Kind, text)
			}
			if c.want != "" && (e.recipe.Columns[0].Kind != Category || told.Count == 0 || told.Example == "") {
				t.Errorf("%s, %d cells: %s, %v", name, n, e.recipe.Columns[0].Kind, told)
			}
		}
	}
}

// TestMinusBehind: a minus behind a number, or behind it and its unit, is its sign.
func TestMinusBehind(t *testing.T) {
	e, s := learnedOf(t, []string{"57-", "3", "1,200.50-", "2 -", "12 EUR-", "8"}, Wanted{}, Options{})
	if c := &e.recipe.Columns[0]; c.Kind != Number || c.Learned.Least != -1200.5 || c.Learned.Greatest != 8 || c.Learned.Missing != 0 || noteAbout(t, s.Notes(), notes.Converted, "k").Count != 4 {
		t.Errorf("%s, %+v, %v", c.Kind, c.Learned, s.Notes())
	}
	for _, cell := range []string{"-57-", "(57-)", "57--", "57-3", "-"} {
		m := Marks{Units: []string{"EUR"}}
		if v, ok := m.number(padded(cell)); ok {
			t.Errorf("%q is %v", cell, v)
		}
	}
}

// TestStrayLabel: one word among many labels that are numbers has a note, and few labels have none.
func TestStrayLabel(t *testing.T) {
	for _, c := range []struct{ numbers, words, want int }{{30, 1, 1}, {21, 2, 2}, {20, 1, 0}, {3, 1, 0}, {30, 0, 0}, {30, 31, 0}} {
		var rows [][]string
		for k := range c.numbers + c.words {
			label := fmt.Sprint(k)
			if k >= c.numbers {
				label = "w" + label
			}
			rows = append(rows, []string{fmt.Sprint(k % 7), label})
		}
		s := cellsSource([]string{"x", "y"}, rows, 9, Options{})
		if _, err := Infer(t.Context(), s, Wanted{Target: "y"}); err != nil {
			t.Fatal(err)
		}
		if n := noteAbout(t, s.Notes(), notes.NotNumber, "y"); n.Count != int64(c.want) || c.want > 0 && n.WayOut != fmt.Sprintf("{Missing=w%d} leaves such rows out", c.numbers) {
			t.Errorf("%+v: %v", c, s.Notes())
		}
	}
}

// TestNamedGroups: a group of fields stands for its columns where they are ignored, and the longest
// name counts before a format.
func TestNamedGroups(t *testing.T) {
	names := []string{"a.b", "a.c", "ab", "c", "c.d", "x=y", "x"}
	if got, want := FieldsOf([]string{"a", "c", "d", "ab"}, names), []string{"a.b", "a.c", "c", "d", "ab"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for text, want := range map[string][2]string{"x": {"x", ""}, "x=y": {"x=y", ""}, "x=y=z": {"x=y", "z"}, "x=z": {"x", "z"}, "q=z": {"q=z", ""}, "x=": {"x", ""}, "c=%d=%m": {"c", "%d=%m"}} {
		if column, format := CutFormat(text, names); column != want[0] || format != want[1] {
			t.Errorf("%q is %q and %q", text, column, format)
		}
	}
}
