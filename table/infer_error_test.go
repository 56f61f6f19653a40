package table

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestInferErrors(t *testing.T) {
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
		{small, Wanted{Crosses: [][2]string{{"age", "note"}}, Texts: []string{"note"}}, `table: the cross "age*note" needs the column "note" as a category or number`},
		{small, Wanted{Scale: "max"}, `table: column "id": unknown scale "max": want std, none, minmax or log1p`},
		{small, Wanted{Hash: 31}, `table: the recipe has a hash of 31 bits; it may have 1 to 30`},
		{small, Wanted{Numbers: []string{"id"}}, `table.csv:1: column "id": "a1" is not a number`},
		{small, Wanted{Target: "tag"}, `table.csv:3: column "tag": the target is missing`},
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
	s.options.BadRows, s.options.Skipped = 5, func(err error) { skipped = append(skipped, err.Error()) }
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
		`table.csv:2: column "y": the target is missing`, `table.csv:3: column "w": the weight "-1" is negative`,
		`table.csv:4: column "x": "abc" is not a number`, `table.csv:5: column "w": the weight "x" is not a number`,
	}
	if !slices.Equal(skipped, want) {
		t.Errorf("skipped %q, want %q", skipped, want)
	}
	if l := e.recipe.Columns[2].Learned; l.Rows != 4 || l.Mean != 3 || l.Greatest != 4 {
		t.Errorf("learned %+v of x", l)
	}
	skipped = nil
	data, err := e.Encode(context.Background(), s)
	if err != nil || data.X.Rows() != 4 || !slices.Equal(skipped, want) {
		t.Errorf("Encode skips %q: %v", skipped, err)
	}
}
