package table

import (
	"context"
	"reflect"
	"testing"
	"time"
)

func TestDescribe(t *testing.T) {
	ctx := context.Background()
	s := sourceOf("y,a,b,w,i\n1,x,1,1,k\n,x,9,1,m\n0,z,2.5,1,k\n1,,oops,2,l\n0,z,?,1,k\n1,x,0,3,l\n", 2, 2)
	s.options.BadRows = 1
	passes := counted(s)
	r, err := Infer(ctx, s, Wanted{Target: "y", Weight: "w", IDs: []string{"i"}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Describe(ctx, s, r, 2)
	if err != nil || passes.Load() != 2 {
		t.Fatalf("%d passes: %v", passes.Load(), err)
	}
	want := []Description{
		{"y", 5, 0, 2, []string{"1", "0"}, []int64{3, 2}, 5, 0, 1},
		{"a", 5, 1, 2, []string{"x", "z"}, []int64{2, 2}, 0, 0, 0},
		{"b", 5, 2, 3, []string{"0", "1"}, []int64{1, 1}, 3, 0, 2.5},
		{"w", 5, 0, 3, []string{"1", "2"}, []int64{3, 1}, 5, 1, 3},
		{"i", 5, 0, 2, []string{"k", "l"}, []int64{3, 2}, 0, 0, 0},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
	r.survey = nil
	if again, err := Describe(ctx, s, r, 2); err != nil || !reflect.DeepEqual(again, want) {
		t.Errorf("without what Infer found: %v: %v", again, err)
	}
	wide := partsOf(wideNames, wideRows(12_000), 2, 1000)
	if r, err = Infer(ctx, wide, Wanted{Target: "y", Ignored: []string{"id"}, Numbers: []string{"weight"}}); err != nil {
		t.Fatal(err)
	}
	got, err = Describe(ctx, wide, r, 1)
	if err != nil || got[0].Distinct != -1 || got[0].Numbers != 12_000-got[0].Missing || got[8].Distinct != -1 || got[8].Numbers != 0 || got[10].Distinct != 5 {
		t.Errorf("%v: %v", got, err)
	}
}

// TestDescribeMany: a column has more than 10,000 distinct cells. Its cells that are no number
// count as missing.
func TestDescribeMany(t *testing.T) {
	cells := append(numbersAnd(10_500, 20, 1), "", "NA", "inf")
	_, s := learnedOf(t, cells, Wanted{}, Options{})
	r, err := Infer(t.Context(), s, Wanted{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	list, err := Describe(t.Context(), s, r, 3)
	if err != nil || list[0].Missing != 23 || list[0].Numbers != 10_500 || list[0].Distinct != -1 {
		t.Errorf("%+v %v", list, err)
	}
}

// TestDescribeTimes: a column has more than 10,000 distinct times, and cells without a time count as
// missing.
func TestDescribeTimes(t *testing.T) {
	var rows [][]string
	for i := range 10_504 {
		rows = append(rows, []string{time.Unix(1e9+int64(i)*3600, 0).UTC().Format(time.DateTime)})
	}
	rows[7][0], rows[9000][0], rows[11][0] = "NA", "NA", ""
	s := partsOf("d", rows, 2, 1000)
	r, err := Infer(t.Context(), s, Wanted{Times: []string{"d"}})
	if err != nil {
		t.Fatal(err)
	}
	if list, err := Describe(t.Context(), s, r, 3); err != nil || list[0].Missing != 3 || list[0].Distinct != -1 || list[0].Rows != 10_504 {
		t.Errorf("%+v %v", list, err)
	}
}

// TestDescribeWords: words for missing numbers are labels of a target of words and values of a
// category, and no values of numbers and times.
func TestDescribeWords(t *testing.T) {
	s := sourceOf("y,c,n,d\ngood,x,1,2020-01-02\nnone,none,none,none\nbad,z,2.5,2020-01-04\nnone,none,7,2020-02-04\n", 2, 3)
	r, err := Infer(t.Context(), s, Wanted{Target: "y", Categories: []string{"c"}, Numbers: []string{"n"}, Times: []string{"d"}})
	if err != nil {
		t.Fatal(err)
	}
	list, err := Describe(t.Context(), s, r, 5)
	if err != nil {
		t.Fatal(err)
	}
	if none, err := Describe(t.Context(), s, r, -1); err != nil || none[0].Common != nil || none[0].Distinct != 3 {
		t.Errorf("%+v %v", none, err)
	}
	for k, want := range []struct {
		missing  int64
		distinct int
	}{{0, 3}, {0, 3}, {1, 3}, {1, 3}} {
		if got := list[k]; got.Missing != want.missing || got.Distinct != want.distinct {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// TestDescribeVW: of VW text, the rows are counted.
func TestDescribeVW(t *testing.T) {
	s, err := Open(write(t, "t.vw", "1 |a b\n\n-1 |a c\n"), Options{Format: FormatVW})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, err := Infer(t.Context(), s, Wanted{})
	if err != nil {
		t.Fatal(err)
	}
	list, err := Describe(t.Context(), s, r, 3)
	if want := []Description{{Name: "line", Rows: 2, Distinct: -1, Numbers: -1}}; err != nil || !reflect.DeepEqual(list, want) {
		t.Errorf("%+v, want %+v: %v", list, want, err)
	}
	if _, err := Describe(t.Context(), nil, r, 3); err == nil || err.Error() != "table: Describe needs a source" {
		t.Error(err)
	}
}
