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
	"github.com/lanes-go/lanes/notes"
)

func TestInferErrors(t *testing.T) {
	repeat.Skip(t)
	var many, words strings.Builder
	many.WriteString("y,c\n")
	words.WriteString("y,c\n")
	for i := range 10_001 {
		fmt.Fprintf(&many, "t%d,1\n", i)
		fmt.Fprintf(&words, "%d,a%d b%d c%d d%d e%d f%d long text\n", i%2, i, i, i, i, i, i)
	}
	for _, c := range []struct {
		text string
		w    Wanted
		want string
	}{
		{small, Wanted{Target: "yy", IDs: []string{"idd", "qqqq"}, Crosses: [][2]string{{"age", "Cities"}}},
			`table: the table has no column "yy" (did you mean y?), "idd" (did you mean id?), "qqqq", "Cities"`},
		{small, Wanted{Target: "y", Categories: []string{"y"}}, `table: the column "y" is named as target and as category; name it once`},
		{small, Wanted{Crosses: [][2]string{{"age", "note"}}, Texts: []string{"note"}, Hash: 4}, `table: the cross "age*note" needs the column "note" as a category or number`},
		{small, Wanted{Scale: "max"}, `table: column "id": unknown scale "max": want std, none, minmax or log1p`},
		{small, Wanted{Hash: 31}, `table: the recipe has a hash of 31 bits; it may have 1 to 30`},
		{small, Wanted{Numbers: []string{"id"}}, `table: column "id": half of the values or more are not numbers, as "a1" in line 1`},
		{"y,x\n0,1\n1,2\n0,a\n1,b\n", Wanted{Target: "y", Numbers: []string{"x"}}, `table: column "x": half of the values or more are not numbers, as "a" in line 3`},
		{"a,y\n1,\n2,\n", Wanted{Target: "y"}, `table: no row has a target: every cell of its column is missing`},
		{small, Wanted{Weight: "age"}, `table.csv:3: column "age": the weight is missing`},
		{"a,b\n", Wanted{}, "table: the table has no rows"},
		{many.String(), Wanted{Target: "y"}, `table: column "y": the target has more than 10,000 values, and "t0" in line 1 is not a number: a target is numbers, or up to 10,000 words`},
		{many.String(), Wanted{Target: "c", Categories: []string{"y"}, MaxMemory: 100_000}, `table: column "y" has at least 2,7`},
		{words.String(), Wanted{Target: "y", Texts: []string{"c"}, MaxMemory: 1_000_000}, `table: column "c" has at least 27,`},
		{words.String(), Wanted{Target: "y", MaxMemory: 1_000_000}, `table: column "c" has at least 27,`},
	} {
		for _, workers := range []int{1, 3} {
			s := sourceOf(c.text, workers, 1000)
			r, err := Infer(context.Background(), s, c.w)
			if err == nil {
				_, err = Fit(context.Background(), s, r)
			}
			if err == nil || !strings.HasPrefix(strings.TrimPrefix(err.Error(), "table: "), strings.TrimPrefix(c.want, "table: ")) {
				t.Errorf("%+v: %v; want %s", c.w, err, c.want)
			} else if c.w.MaxMemory > 0 && (!strings.Contains(err.Error(), "--hash") || !strings.Contains(err.Error(), "Wanted.Hash")) {
				t.Errorf("no way out: %v", err)
			}
		}
	}
	w := Wanted{Target: "y", Hash: 9, MaxMemory: 3_000_000}
	r, err := Infer(context.Background(), sourceOf(words.String(), 2, 1000), w)
	if err != nil || !r.Columns[1].Hashed || r.Hash != 9 || r.Columns[1].Why != "values have 44 bytes on average, and most have blanks, and it has more than 10,000 words" {
		t.Errorf("%+v: %v", r, err)
	}
}

func TestRefusedRowsAreLeftOut(t *testing.T) {
	text := "y,w,x,when\n1,1,2,2020-01-01\n,1,100,2020-01-01\n0,-1,100,2020-01-01\n0,1,abc,2020-01-01\n1,x,100,2020-01-01\n0,2,4,2021-01-02\n1,1,3,\n0,1,3,soon\n"
	var skipped []string
	s := sourceOf(text, 2, 3)
	s.options.BadRows, s.options.Skipped = 3, func(err error) { skipped = append(skipped, err.Error()) }
	w := Wanted{Target: "y", Weight: "w", Numbers: []string{"x"}, Times: []string{"when"}}
	r, err := Infer(context.Background(), s, w)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Fit(context.Background(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`table.csv:3: column "w": the weight "-1" is negative`, `table.csv:5: column "w": the weight "x" is not a number`,
	}
	if !slices.Equal(skipped, want) {
		t.Errorf("skipped %q, want %q", skipped, want)
	}
	if l := e.recipe.Columns[2].Learned; l.Rows != 5 || l.Missing != 1 || l.Mean != 3 || l.Greatest != 4 {
		t.Errorf("learned %+v of x", l)
	}
	skipped = nil
	data, err := e.Encode(context.Background(), s)
	if err != nil || data.X.Rows() != 5 || !slices.Equal(skipped, want) {
		t.Errorf("Encode skips %q: %v", skipped, err)
	}
	for _, kind := range []notes.Kind{notes.NoTarget, notes.Malformed} {
		k := slices.IndexFunc(s.Notes(), func(n notes.Note) bool { return n.Kind == kind })
		want := map[notes.Kind]string{notes.NoTarget: "1 row has no target (line 2): left out", notes.Malformed: `2 of 8 rows are malformed: left out, the first one: table.csv:3: column "w": the weight "-1" is negative`}[kind]
		if k < 0 || s.Notes()[k].String() != want {
			t.Errorf("%v, want %s", s.Notes(), want)
		}
	}
}

// A share of malformed rows is left out; more are an error that counts them. Rows that cannot be cut
// into cells count too.
func TestShareOfBadRows(t *testing.T) {
	text := "y,w,x\n"
	for i := range 200 {
		switch {
		case i%50 == 7:
			text += fmt.Sprintf("%d,-1,%d\n", i%2, i)
		case i%100 == 9:
			text += "1,2\n"
		default:
			text += fmt.Sprintf("%d,1,%d\n", i%2, i)
		}
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for share, good := range map[string]bool{"2.9%": false, "3%": true, "100%": true, "5": false, "6": true} {
		for _, workers := range []int{1, 3} {
			rows, part, err := ParseBadRows(share)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Open(path, Options{BadRows: rows, BadShare: part, Workers: workers, part: 100})
			if err != nil {
				t.Fatal(err)
			}
			r, err := Infer(context.Background(), s, Wanted{Target: "y", Weight: "w"})
			if good {
				e, fitted := Fit(context.Background(), s, r)
				if err != nil || fitted != nil {
					t.Fatalf("%s: %v, %v", share, err, fitted)
				}
				if data, err := e.Encode(context.Background(), s); err != nil || data.X.Rows() != 194 || !strings.Contains(fmt.Sprint(data.Notes), "6 of 200 rows are malformed") {
					t.Errorf("%s: %v", share, err)
				}
			} else if err == nil || strings.HasSuffix(share, "%") && !strings.Contains(err.Error(), `6 of 200 rows are malformed, more than 2.9 %; the first one: `+path+`:9: column "w"`) {
				t.Errorf("%s: %v", share, err)
			}
			s.Close()
		}
	}
	for _, text := range []string{"", "x", "-1", "-1%", "101%", "1.5", "%", "NaN%"} {
		if _, _, err := ParseBadRows(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
