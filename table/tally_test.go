package table

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// statsOf are stats of cells that are no numbers.
func statsOf(count, place int64, text string) *stats {
	s := new(stats)
	s.seen[odd] = example{count, text, place}
	return s
}

func TestMergedStats(t *testing.T) {
	v := new(survey)
	words := func() *keyCounter { return newCounter(v.newWords("c", false), 1) }
	a, b := statsOf(2, 9, "nine"), statsOf(1, 4, "four")
	a.words = words()
	a.merge(b)
	if a.seen[odd].count != 3 || a.seen[odd].place != 4 || a.seen[odd].text != "four" {
		t.Errorf("the first odd value is %q in place %d", a.seen[odd].text, a.seen[odd].place)
	}
	if a.words != nil {
		t.Error("words are known that one worker did not count")
	}
	a.merge(statsOf(1, 6, "six"))
	if a.seen[odd].text != "four" {
		t.Errorf("the first odd value is %q", a.seen[odd].text)
	}
}

func TestLogsThatInferLacks(t *testing.T) {
	s := partsOf(wideNames, wideRows(12_000), 2, 1000)
	r, err := Infer(context.Background(), s, Wanted{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	r.Columns[0].Scale = ScaleLog1p
	if passes, _, err := fitBoth(t, s, r); passes != 1 || err != nil {
		t.Errorf("%d passes: %v", passes, err)
	}
}

func TestPartsOfDates(t *testing.T) {
	s := sourceOf("y,when\n1,2020-01-01\n0,2020-01-02\n1,2021-02-01\n", 1, 9)
	r, err := Infer(context.Background(), s, Wanted{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := Fit(context.Background(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	values := e.recipe.Columns[1].Learned.Values
	if slices.ContainsFunc(values, func(v string) bool { return strings.HasPrefix(v, "hour=") }) || !slices.Contains(values, "month=02") {
		t.Errorf("parts %q of dates", values)
	}
}
