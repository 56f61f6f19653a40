package table

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/notes"
)

// TestMergedTallies: two workers that saw parts of a column of many values know together what one
// worker knows that saw all of it.
func TestMergedTallies(t *testing.T) {
	none := (&Recipe{Version: 2}).missing()
	w := &need{open: true}
	cells := []string{"12", "1.234", "$5", "12345", "7%", "-3-", "1,5", "03.04.2020", "05.06.21", "2020-01-02", "two words", "word", "x y", "1e999", "NA", "007", "$1,234"}
	tallied := func(from, to int) *tally {
		l := &learner{workers: 1, none: &none}
		c := &tally{many: new(stats), missing: int64(to - from), plain: to == len(cells)}
		for k := from; k < to; k++ {
			l.add(c, w, l.pad([]byte(cells[k])), int64(k+1), int64(k))
		}
		return c
	}
	facts := func(c *tally) string {
		s, d := c.many, &c.many.dates
		shapes := slices.Clone(s.shapes)
		slices.SortFunc(shapes, func(a, b shape) int { return cmp.Compare(a.fit, b.fit) })
		text := fmt.Sprint(c.missing, c.plain, s.count, s.gaps, s.numbers.count, s.seen, s.odds.len(), s.length, s.blanks,
			shapes, s.short, s.long, s.units, s.doubtful, s.money, s.decorated, d.loose, d.short, d.numbers, d.points, d.ordered)
		for _, by := range d.by {
			text += fmt.Sprint(" ", by.count, by.parts, by.odd)
		}
		return text
	}
	want := facts(tallied(0, len(cells)))
	for cut := range cells {
		got := tallied(0, cut)
		(&learner{workers: 1, none: &none}).merge(got, w, tallied(cut, len(cells)))
		if facts(got) != want {
			t.Errorf("cut at %d: %s, want %s", cut, facts(got), want)
		}
	}
}

// TestRowsWithoutTargetOfWorkers: the rows without a target are counted over all workers.
func TestRowsWithoutTargetOfWorkers(t *testing.T) {
	var rows [][]string
	for i := range 3000 {
		rows = append(rows, []string{fmt.Sprint(i % 7), []string{"", "0", "1"}[i%3]})
	}
	s := cellsSource([]string{"a", "y"}, rows, 3, Options{Workers: 4})
	if _, err := Infer(t.Context(), s, Wanted{Target: "y"}); err != nil {
		t.Fatal(err)
	}
	told := s.Notes()
	if len(told) != 1 || told[0].Kind != notes.NoTarget || told[0].Count != 1000 || told[0].Place != "line 1" {
		t.Errorf("%v", told)
	}
}

// TestCountersAtBorders: a column counts the rows of ten at least, of each file or of all.
func TestCountersAtBorders(t *testing.T) {
	file := func(first, n int) string {
		text := "n,y\n"
		for i := range n {
			text += fmt.Sprintf("%d,%d\n", first+i, i%2)
		}
		return text
	}
	for name, c := range map[string]struct {
		files   []string
		counter bool
	}{
		"9 rows":      {[]string{file(0, 9)}, false},
		"10 rows":     {[]string{file(0, 10)}, true},
		"from 1":      {[]string{file(1, 10)}, true},
		"from 2":      {[]string{file(2, 10)}, false},
		"each file":   {[]string{file(1, 6), file(1, 6)}, true},
		"all files":   {[]string{file(1, 6), file(7, 6)}, true},
		"three files": {[]string{file(0, 6), file(6, 1), file(7, 6)}, true},
		"a gap":       {[]string{file(1, 6), file(8, 6)}, false},
		"both ways":   {[]string{file(1, 6), file(7, 6), file(1, 6)}, false},
		"differently": {[]string{file(1, 6), file(0, 6)}, false},
	} {
		s, err := Open(folder(t, c.files...), Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Infer(t.Context(), s, Wanted{Target: "y"})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Columns[0].Kind == Ignore && r.Columns[0].Why == "it counts the rows"; got != c.counter {
			t.Errorf("%s: %+v", name, r.Columns[0])
		}
		s.Close()
	}
}

// TestQuotedNumberHasItsLine: a number in quotes that an earlier block has without quotes has its own
// line in the note.
func TestQuotedNumberHasItsLine(t *testing.T) {
	text := ""
	for i := range 40 {
		text += fmt.Sprintf("{\"a\":%d,\"y\":%d}\n", i%4, i%2)
	}
	for i := range 80 {
		text += fmt.Sprintf("{\"a\":\"%d\",\"y\":%d}\n", i%4, i%2)
	}
	s, err := Open(write(t, "rows.json", text), Options{Workers: 1, part: 64})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := Infer(t.Context(), s, Wanted{Target: "y"}); err != nil {
		t.Fatal(err)
	}
	told := s.Notes()
	if len(told) != 1 || told[0].Column != "a" || told[0].Count != 80 || told[0].Place != "line 41" {
		t.Errorf("%v", told)
	}
}

// TestWholeNumbersAsCategories: a whole number with a point and zeros is in the category of the same
// number without them.
func TestWholeNumbersAsCategories(t *testing.T) {
	none := (&Recipe{Version: 2}).missing()
	for cell, want := range map[string]string{
		"1.0": "1", "10.00": "10", "0.0": "0", "-0.0": "-0", "-7.0": "-7", "00.0": "00.0", "01.0": "01.0", "1.50": "1.50", "1.": "1.",
		".0": ".0", "-.0": "-.0", "a.0": "a.0", "1.0.0": "1.0.0", "100": "100",
	} {
		if got := string(none.category([]byte(cell))); got != want {
			t.Errorf("%s is the category %s, want %s", cell, got, want)
		}
	}
}

// TestGroupsOfDigits: marks between thousands stand where they can be no other marks.
func TestGroupsOfDigits(t *testing.T) {
	for text, want := range map[string]bool{
		"1,234": true, "12,345": true, "123,456.7": true, "1,23,456": true, "0,123": false, "01,234": false, "1,23": false, "1234,567": false,
		",123": false, "1,234,56": false, "1,2345": false, "1,234e5": false,
	} {
		if got := readings[commaThousands].fits([]byte(text)); got != want {
			t.Errorf("%s is a number: %t", text, got)
		}
	}
}
