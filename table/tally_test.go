package table

import (
	"context"
	"slices"
	"strings"
	"testing"
)

func TestMergedStats(t *testing.T) {
	v := new(survey)
	words := func() *keyCounter { return newCounter(v.newWords("c", false), 1) }
	a, b := &stats{odd: 2, oddPlace: 9, oddText: "nine", words: words()}, &stats{odd: 1, oddPlace: 4, oddText: "four"}
	a.merge(b)
	if a.odd != 3 || a.oddPlace != 4 || a.oddText != "four" {
		t.Errorf("the first odd value is %q in place %d", a.oddText, a.oddPlace)
	}
	if a.words != nil {
		t.Error("words are known that one worker did not count")
	}
	a.merge(&stats{odd: 1, oddPlace: 6, oddText: "six"})
	if a.oddText != "four" {
		t.Errorf("the first odd value is %q", a.oddText)
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
