package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/notes"
)

// writtenColumn is a column of cells, and what is to be read of them.
type writtenColumn struct {
	cells string // between blanks; a bar is a blank
	// want is the least and the greatest number, or "words" for a column that is no number.
	want   string
	doubts int64  // cells that a note of marks counts
	then   string // how a note of marks, or of a conversion, goes on
}

// TestMarksByHand: marks are decided by all cells of a column, and where these leave a doubt by the
// decimal marks of the other columns. A note says what can be read in two ways, and how.
func TestMarksByHand(t *testing.T) {
	const points, commas = "0.25 0.5 1.75", "0,25 0,5 1,75"
	for name, c := range map[string]struct {
		columns   []writtenColumn
		separator byte
		wanted    Wanted
	}{
		"thousands beside small numbers":  {[]writtenColumn{{"56,993 988 1,204", "988 56993", 2, "read as 56993, not as 56.993"}}, ';', Wanted{}},
		"whole numbers of four digits":    {[]writtenColumn{{"56,993 9881 1,204", "1.204 9881", 2, "read as 56.993, not as 56993"}}, ';', Wanted{}},
		"typographic apostrophe":          {[]writtenColumn{{"1’234.5 988 7", "7 1234.5", 0, `read as 1234.5: "'" between thousands`}}, ';', Wanted{}},
		"money has no third place":        {[]writtenColumn{{"$1,250 $988 $3,100", "988 3100", 0, `read as 1250: "," between thousands, without $`}}, ';', Wanted{}},
		"money beside plain doubts":       {[]writtenColumn{{"$1,250 1,988 $3,100", "1.25 3.1", 3, "read as 1.25, not as 1250"}}, ';', Wanted{}},
		"per cent has third places":       {[]writtenColumn{{"1,250% 3,100%", "1.25 3.1", 2, "read as 1.25, not as 1250"}}, ';', Wanted{}},
		"thousands with decimals":         {[]writtenColumn{{"1,234.50 12 7,000", "12 7000", 0, `read as 1234.5: "," between thousands`}}, ';', Wanted{}},
		"decimals of other lengths":       {[]writtenColumn{{"1,5 12 7,25", "1.5 12", 0, "read as 1.5: a decimal comma"}}, ';', Wanted{}},
		"neighbours with commas":          {[]writtenColumn{{"1.101 2.202 17", "17 2202", 0, `read as 1101: a decimal comma, "." between thousands`}, {commas, "0.25 1.75", 0, ""}}, ';', Wanted{}},
		"neighbours with points":          {[]writtenColumn{{"1,101 2,202 17000", "1101 17000", 0, `read as 1101: "," between thousands`}, {points, "0.25 1.75", 0, ""}}, ';', Wanted{}},
		"neighbours agree, long numbers":  {[]writtenColumn{{"1.101 2.202 17000", "1.101 17000", 0, ""}, {points, "0.25 1.75", 0, ""}}, ';', Wanted{}},
		"neighbours agree, short ones":    {[]writtenColumn{{"1,101 2,202 17", "1.101 17", 2, "read as 1.101, not as 1101"}, {commas, "0.25 1.75", 0, ""}}, ';', Wanted{}},
		"two against one":                 {[]writtenColumn{{"1.101 2.202 17", "17 2202", 0, ""}, {commas, "0.25 1.75", 0, ""}, {commas, "0.25 1.75", 0, ""}, {points, "0.25 1.75", 0, ""}}, ';', Wanted{}},
		"as many as against":              {[]writtenColumn{{"1.101 2.202 17", "17 2202", 2, "read as 1101, not as 1.101"}, {commas, "0.25 1.75", 0, ""}, {points, "0.25 1.75", 0, ""}}, ';', Wanted{}},
		"words have no vote":              {[]writtenColumn{{"1.101 2.202 17", "17 2202", 2, "read as 1101, not as 1.101"}, {"0,25 a b c d", "words", 0, ""}}, ';', Wanted{}},
		"19 of 20 have a vote":            {[]writtenColumn{{"1,101 2,202 17", "1.101 17", 2, ""}, {strings.Repeat("0,25 0,5 ", 9) + "0,25 a", "0.25 0.5", 0, ""}}, ';', Wanted{}},
		"18 of 19 have none":              {[]writtenColumn{{"1,101 2,202 17", "17 2202", 2, ""}, {strings.Repeat("0,25 0,5 ", 9) + "a", "0.25 0.5", 0, ""}}, ';', Wanted{}},
		"some per cent":                   {[]writtenColumn{{"57% 12 3%", "3 57", 2, "some cells have %, others do not: 57% is read as 57"}}, ';', Wanted{}},
		"all per cent":                    {[]writtenColumn{{"57% NA 3%", "3 57", 0, "read as 57: without %"}}, ';', Wanted{}},
		"all numbers per cent":            {[]writtenColumn{{strings.Repeat("57% 3% ", 10) + "bad", "3 57", 0, "read as 57: without %"}}, ';', Wanted{}},
		"several units":                   {[]writtenColumn{{"57$ 12€ 3", "3 57", 2, "units are left out, whichever they are: $, €"}}, ';', Wanted{}},
		"commas cut cells":                {[]writtenColumn{{"1.101 2.202 17", "1.101 17", 0, ""}}, ',', Wanted{}},
		"long numbers without neighbours": {[]writtenColumn{{"1.234 12345 5.678 23456", "1.234 23456", 0, ""}}, ';', Wanted{}},
		"four digits without neighbours":  {[]writtenColumn{{"1.234 1234 5.678", "1.234 1234", 0, ""}}, ';', Wanted{}},
		"three digits without neighbours": {[]writtenColumn{{"1.234 123 5.678", "123 5678", 2, "read as 1234, not as 1.234"}}, ';', Wanted{}},
		"long numbers and commas, tabs":   {[]writtenColumn{{"1,234 12345 5,678", "1.234 12345", 2, "read as 1.234, not as 1234"}}, '\t', Wanted{}},
		"commas alone, tabs":              {[]writtenColumn{{"1,234 5,678", "1234 5678", 2, "read as 1234, not as 1.234"}}, '\t', Wanted{}},
		"commas alone, semicolons":        {[]writtenColumn{{"1,234 5,678", "1.234 5.678", 2, "read as 1.234, not as 1234"}}, ';', Wanted{}},
		"one digit in parentheses":        {[]writtenColumn{{"(1) 2 (9)", "-9 2", 0, "read as -1"}}, ';', Wanted{}},
		"a comma behind":                  {[]writtenColumn{{"5, 1,5 2", "1.5 5", 0, "read as 5: a decimal comma"}}, ';', Wanted{}},
		"points alone, tabs":              {[]writtenColumn{{"1.234 5.678", "1.234 5.678", 2, "read as 1.234, not as 1234"}}, '\t', Wanted{}},
		"points alone, semicolons":        {[]writtenColumn{{"1.234 5.678", "1.234 5.678", 2, "read as 1.234, not as 1234"}}, ';', Wanted{}},
		"points alone, no separator":      {[]writtenColumn{{"1.234 123", "1.234 123", 0, ""}}, 0, Wanted{}},
		"groups of six":                   {[]writtenColumn{{"123.456 12 -345.678", "-345678 123456", 2, "read as 123456, not as 123.456"}}, ';', Wanted{}},
		"four digits before a point":      {[]writtenColumn{{"1234.567 12 2345.678", "12 2345.678", 0, ""}}, ';', Wanted{}},
		"a decimal comma is missing":      {[]writtenColumn{{"-200,0 1,5 2,25", "1.5 2.25", 0, "read as 1.5: a decimal comma"}}, ';', Wanted{Missing: []string{"-200"}}},
		"a missing decimal comma":         {[]writtenColumn{{"-200.5 1.5 2.25", "1.5 2.25", 0, ""}}, ';', Wanted{Missing: []string{"-200,5"}}},
	} {
		var names []string
		var rows [][]string
		for k, column := range c.columns {
			names = append(names, fmt.Sprint("k", k))
			for i, cell := range strings.Fields(column.cells) {
				if i == len(rows) {
					rows = append(rows, make([]string, len(c.columns)+1))
				}
				rows[i][k] = cell
			}
		}
		for i, row := range rows {
			row[len(c.columns)] = fmt.Sprint(i % 2)
		}
		c.wanted.Target = "y"
		s := cellsSource(append(slices.Clone(names), "y"), rows, 2, Options{})
		s.separator = c.separator
		r, err := Infer(t.Context(), s, c.wanted)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		e, err := Fit(t.Context(), s, r)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for k, column := range c.columns {
			got := &e.recipe.Columns[k]
			seen := "words"
			if got.Kind == Number {
				seen = fmt.Sprint(got.Learned.Least, got.Learned.Greatest)
			}
			n := noteAbout(t, s.Notes(), notes.Marks, names[k])
			then := n.Then
			if n.Kind == "" {
				then = noteAbout(t, s.Notes(), notes.Converted, names[k]).Then
			}
			if seen != column.want || n.Count != column.doubts || column.then != "" && then != column.then {
				t.Errorf("%s, column %d: %s, want %s; %d doubts, want %d; %q, want %q", name, k, seen, column.want, n.Count, column.doubts, then, column.then)
			}
		}
	}
}

// TestManyMarks: behind 10,000 distinct cells, marks that read less than 95 % of the distinct cells are
// undone.
func TestManyMarks(t *testing.T) {
	for _, c := range []struct {
		words int
		kind  Kind
	}{{300, Number}, {1500, Category}} {
		cells := append(numbersAnd(0, c.words, 1), "1,100")
		for k := range 12000 {
			cells = append(cells, fmt.Sprintf("%d,%03d", 1+k/900, 100+k%900))
		}
		e, s := learnedOf(t, cells, Wanted{Hash: 10}, Options{})
		column := &e.recipe.Columns[0]
		if column.Kind != c.kind || (column.Marks == nil) != (c.kind == Category) || (noteAbout(t, s.Notes(), notes.NotNumber, "k").Count == int64(c.words)) != (c.kind == Number) {
			t.Errorf("%d words: %s, %+v, %v", c.words, column.Kind, column.Marks, s.Notes())
		}
	}
}

// TestUnitsOfTraining: rows are read by the units that the training had. A number with another unit is
// no number.
func TestUnitsOfTraining(t *testing.T) {
	train := write(t, "train.csv", "price,y\n$5,0\n$7.50,1\n$12,0\n$8,1\n9,0\n")
	s, err := Open(train, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, err := Infer(t.Context(), s, Wanted{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := Fit(t.Context(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	later, err := Open(write(t, "later.csv", "price\n$5\n5%\n5 EUR\n5\n€5\n"), e.Suit(Options{}))
	if err != nil {
		t.Fatal(err)
	}
	defer later.Close()
	read := 0
	for rows, err := range e.Blocks(t.Context(), later, BlockOptions{NoTarget: true}) {
		if err != nil {
			t.Fatal(err)
		}
		read += len(rows.Y)
		if rows.Missing[0] != 3 {
			t.Errorf("%d cells are missing, want 3", rows.Missing[0])
		}
	}
	if n := noteAbout(t, later.Notes(), notes.NotNumber, "price"); read != 5 || n.Count != 3 || n.Of != 5 || n.Example != "5%" || n.Place != "line 3" {
		t.Errorf("%d rows, note %v", read, n)
	}
}
