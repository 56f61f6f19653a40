package table

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/notes"
)

// crossTable is a table of 500 rows, with the pair that a reader makes of each row by hand.
func crossTable() (text string, cells [][]string) {
	r := rand.New(rand.NewPCG(3, 8))
	text = "hour,day,size,at,y\n"
	for i := range 500 {
		row := []string{
			fmt.Sprint(r.IntN(9)), []string{"mo", "tu", "w*d=2", ""}[r.IntN(4)], fmt.Sprint(10 * r.IntN(5)),
			fmt.Sprintf("2024-02-0%d 1%d:00", 1+r.IntN(9), r.IntN(4)), fmt.Sprint(r.IntN(2)),
		}
		if i%7 == 0 {
			row[0], row[1] = "8", "mo" // whose other pairs stay rare
		}
		if row[0] == "3" && row[1] == "tu" {
			row[1] = "mo" // a pair that no row has
		}
		if i%11 == 0 {
			row[3] = "" // a time without parts
		}
		cells = append(cells, row)
		text += strings.Join(row, ",") + "\n"
	}
	return text, cells
}

// crossedFit fits the recipe of w to text, cut into small parts for some workers.
func crossedFit(t *testing.T, text string, workers int, w Wanted) (*Source, *Encoder, error) {
	t.Helper()
	s, err := Open(write(t, "table.csv", text), Options{Workers: workers, part: 512})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Infer(context.Background(), s, w)
	if err != nil {
		return s, nil, err
	}
	e, err := Fit(context.Background(), s, r)
	return s, e, err
}

// TestCross holds the columns of crosses against one-hot columns of pairs that the test makes of the cells:
// of categories, missing values, bins and parts of times, pooled by min-count or not.
func TestCross(t *testing.T) {
	t.Parallel()
	text, cells := crossTable()
	weekdays := []string{"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed", "Thu", "Fri"} // of 2024-02-01 on
	bins := map[string]string{"0": "..0", "10": "0..10", "20": "10..20", "30": "20..30", "40": "30.."}
	made := map[string]func(row []string) string{
		"hour*day":  func(row []string) string { return "hour=" + row[0] + "*day=" + row[1] },
		"size*hour": func(row []string) string { return "size=" + bins[row[2]] + "*hour=" + row[0] },
		"at.hour*day": func(row []string) string {
			if row[3] == "" {
				return "at=*day=" + row[1]
			}
			return "at.hour=" + row[3][11:13] + "*day=" + row[1]
		},
		"at.weekday*at.hour": func(row []string) string {
			if row[3] == "" {
				return "at=*at="
			}
			return "at.weekday=" + weekdays[row[3][9]-'1'] + "*at.hour=" + row[3][11:13]
		},
	}
	for _, least := range []int{0, 9} {
		w := Wanted{Target: "y", Categories: []string{"hour", "day"}, Times: []string{"at"}, Numbers: []string{"size"}, Bins: 5, MinCount: least}
		for name := range made {
			a, b, _ := strings.Cut(name, "*")
			w.Crosses = append(w.Crosses, [2]string{a, b})
		}
		slices.SortFunc(w.Crosses, func(a, b [2]string) int { return strings.Compare(pairName(a), pairName(b)) })
		var before []byte
		for _, workers := range []int{1, 3} {
			s, e, err := crossedFit(t, text, workers, w)
			if err != nil {
				t.Fatal(err)
			}
			written, _ := json.Marshal(e)
			if before != nil && string(before) != string(written) {
				t.Fatal("another encoder by 3 workers")
			}
			before = written
			if e, err = ReadEncoder(written); err != nil {
				t.Fatal(err)
			}
			checkCross(t, s, e, cells, made, least)
		}
	}
}

// checkCross holds every row, and every name of a column of a cross, against the pairs made by hand.
func checkCross(t *testing.T, s *Source, e *Encoder, cells [][]string, made map[string]func([]string) string, least int) {
	t.Helper()
	data, err := e.Encode(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	for name, pair := range made {
		count := map[string]int{}
		for _, row := range cells {
			count[pair(row)]++
		}
		call := func(row []string) string {
			if count[pair(row)] < least {
				return name + "=(rare)"
			}
			return pair(row)
		}
		want := map[string]bool{}
		for i, row := range cells {
			var got []string
			for j, v := range data.X.Row(i) {
				if e.Column(j) == name {
					if v != 1 {
						t.Fatalf("row %q: %s is %v", row, e.Name(j), v)
					}
					got = append(got, e.Name(j))
				}
			}
			if want[call(row)] = true; !slices.Equal(got, []string{call(row)}) {
				t.Fatalf("least %d, row %q: %q, not %s", least, row, got, call(row))
			}
		}
		columns := 0
		for j := range e.Width() {
			if e.Column(j) == name {
				if columns++; !want[e.Name(j)] {
					t.Errorf("no row has the column %s", e.Name(j))
				}
				if value := e.Value(j); value != e.Name(j) && value != "(rare)" {
					t.Errorf("%s has the value %q", e.Name(j), value)
				}
			}
		}
		if columns != len(want) || least > 0 && name == "hour*day" && !want[name+"=(rare)"] {
			t.Errorf("%s, least %d: %d columns for %d pairs", name, least, columns, len(want))
		}
	}
}

// TestCrossUnseen: a pair that the training does not have is counted, as an unseen value is.
func TestCrossUnseen(t *testing.T) {
	t.Parallel()
	text, _ := crossTable()
	w := Wanted{Target: "y", Categories: []string{"hour", "day"}, Crosses: [][2]string{{"hour", "day"}}, Ignored: []string{"at"}}
	_, e, err := crossedFit(t, text, 2, w)
	if err != nil {
		t.Fatal(err)
	}
	other, err := Open(write(t, "other.csv", "hour,day,size,y\n3,tu,1,0\n3,mo,1,1\n3,tu,0,1\n99,mo,0,0\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for rows, err := range e.Blocks(context.Background(), other, BlockOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		list := e.SeenNotes(rows.Missing, rows.Unseen)
		if want := []notes.Note{{Kind: notes.Unseen, Column: "hour", Count: 1}, {Kind: notes.Unseen, Column: "hour*day", Count: 3}}; !slices.Equal(list, want) {
			t.Errorf("%+v, not %+v", list, want)
		}
		for i := range 4 {
			pairs := 0
			for j := range rows.X.Row(i) {
				if e.Column(j) == "hour*day" {
					pairs++
				}
			}
			if pairs != map[bool]int{true: 1}[i == 1] {
				t.Errorf("row %d is in %d pairs", i, pairs)
			}
		}
	}
}

// TestCrossRefused: columns without values of their own, and too many pairs, are refused with the way out.
func TestCrossRefused(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	many.WriteString("a,b,size,at,word,one,y\n")
	for i := range 12000 {
		fmt.Fprintf(&many, "a%d,b%d,%d,2024-01-0%d 10:00,w%d,1,%d\n", i%120, i%7001, i%50, 1+i%7, i%11000, i%2)
	}
	cross := func(list ...string) (crosses [][2]string) {
		for _, text := range list {
			a, b, _ := strings.Cut(text, "*")
			crosses = append(crosses, [2]string{a, b})
		}
		return crosses
	}
	for want, w := range map[string]Wanted{
		`"size" is a number without bins: name it with --category`: {Crosses: cross("a*size")},
		`"at" is a time: name a part of it, as at.hour`:            {Crosses: cross("at*a")},
		`all rows have one hour`:                                   {Crosses: cross("a*at.hour")},
		`"a" is a category, and has no hour`:                       {Crosses: cross("a.hour*b")},
		`no column ""`:                                             {Crosses: cross("a*"), Categories: []string{"a"}},
		`no column "nothing.hour"`:                                 {Crosses: cross("a*nothing.hour")},
		`names one column twice`:                                   {Crosses: cross("a*a")},
		`two columns "a*b"`:                                        {Crosses: cross("a*b", "a*b")},
		`the crosses "b*a" and "a*b" are the same`:                 {Crosses: cross("a*b", "b*a")},
		`the values of "word" are hashed`:                          {Crosses: cross("a*word")},
		`"one" is no category (ignore: every value is "1")`:        {Crosses: cross("a*one")},
		`"size" is monotone (up), and the cross "a*size"`:          {Crosses: cross("a*size"), Monotone: []string{"size=up"}, Bins: 3},
		`column "a*b" has at least`:                                {Crosses: cross("a*b"), MaxMemory: 400_000},
		`vocabularies may take`:                                    {Crosses: cross("a*b"), MaxMemory: 400_000},
		`hash them with --hash 22`:                                 {Crosses: cross("a*b"), MaxMemory: 400_000},
	} {
		w.Target = "y"
		_, _, err := crossedFit(t, many.String(), 2, w)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if _, e, err := crossedFit(t, many.String(), 2, Wanted{Target: "y", Crosses: cross("a*b", "b*word"), Hash: 6}); err != nil || e.Width()-e.Places() != 64 {
		t.Error("not hashed:", err)
	}
}

// TestCrossLearned: encoders with pairs that no training learns are refused.
func TestCrossLearned(t *testing.T) {
	t.Parallel()
	_, e, err := crossedFit(t, "a,b,y\nx,p,0\nx,q,1\nz,p,1\nz,q,0\n", 1, Wanted{Target: "y", Categories: []string{"a", "b"}, Crosses: [][2]string{{"a", "b"}}})
	if err != nil {
		t.Fatal(err)
	}
	written, _ := json.Marshal(e)
	good := `"pairs":[[0,0],[0,1],[1,0],[1,1]]`
	if !strings.Contains(string(written), good) {
		t.Fatalf("%s", written)
	}
	for _, bad := range []string{`"pairs":[[0,0],[0,1],[1,0],[1,2]]`, `"pairs":[[0,0],[0,1],[2,0],[2,1]]`, `"pairs":[[0,0],[1,0],[0,1],[1,1]]`, `"pairs":[[0,0],[0,0],[1,0],[1,1]]`, `"pairs":[[0,0]]`} {
		if _, err := ReadEncoder([]byte(strings.Replace(string(written), good, bad, 1))); err == nil || !strings.Contains(err.Error(), `column "a*b"`) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
