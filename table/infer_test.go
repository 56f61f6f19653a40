package table

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// small has a column of every kind.
const small = `id,age,city,when,note,same,none,y,tag
a1,23,Paris,2020-01-01 10:00,"the quick brown fox jumps over a dog",5,,yes,p
a2,41.5,Rome,2020-02-03 11:30,"pack my box with five dozen liquor jugs",5,NA,no,q
a3,,Paris,2020-01-05 10:15,"how vexingly quick daft zebras jump today",5,,yes,
a4,7,?,2021-12-31,"the five boxing wizards jump quickly now",5,?,no,p
`

func TestInferSmall(t *testing.T) {
	ctx := context.Background()
	r, err := Infer(ctx, sourceOf(small, 2, 1), Wanted{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range r.Columns {
		got = append(got, fmt.Sprintf("%s %s: %s", c.Name, c.Kind, c.Why))
	}
	want := `id ignore: every row has a value of its own
age number: every value is a number
city category: no value is a number
when time: every value is a date or time
note text: values have 39 bytes on average, and most have blanks
same ignore: every value is "5"
none ignore: every value is missing
y target: named
tag category: no value is a number`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	e, err := Fit(ctx, sourceOf(small, 1, 2), r)
	if err != nil {
		t.Fatal(err)
	}
	if e.Width() == 0 {
		t.Error("rows have no columns")
	}
}
