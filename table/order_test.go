package table

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestOrderOfRows: the numbers and times of a column, for rows of any number of blocks and workers.
func TestOrderOfRows(t *testing.T) {
	nan := math.NaN()
	same := func(a, b float64) bool { return a == b || a != a && b != b }
	tried := 0
	for name, c := range map[string]struct {
		cells []string
		want  []float64 // seconds from the first for times
		times bool
		wrong string
	}{
		"numbers":         {[]string{"3", "-1.5", "", "7"}, []float64{3, -1.5, nan, 7}, false, ""},
		"ISO":             {[]string{"2024-01-02", "2024-01-01 00:00:10", "", "2024-01-02 00:01:00"}, []float64{0, -86390, nan, 60}, true, ""},
		"the day first":   {[]string{"02.01.2024", "13.01.2024", "01.02.2024", "31.01.2024"}, []float64{0, 11 * 86400, 30 * 86400, 29 * 86400}, true, ""},
		"the month first": {[]string{"1/2/2024", "1/13/2024", "2/1/2024", "1/31/2024"}, []float64{0, 11 * 86400, 30 * 86400, 29 * 86400}, true, ""},
		"either":          {[]string{"1/2/2024", "2/3/2024", "3/1/2024", "4/5/2024"}, nil, true, "two ways"},
		"words":           {[]string{"a", "b", "c", "d"}, []float64{nan, nan, nan, nan}, false, ""},
	} {
		for _, ignored := range []bool{true, false} {
			for _, workers := range []int{1, 3} {
				if !ignored && (name == "either" || name == "words") { // which the recipe decides
					continue
				}
				var rows [][]string
				for range 5 {
					for i, cell := range c.cells {
						rows = append(rows, []string{cell, []string{"0", "1"}[i%2], []string{"4", "5", "6"}[i%3]})
					}
				}
				s := cellsSource([]string{"o", "y", "x"}, rows, 3, Options{Workers: workers})
				w := Wanted{Target: "y"}
				switch {
				case ignored:
					w.Ignored = []string{"o"}
				case c.times:
					w.Times = []string{"o"}
				default:
					w.Numbers = []string{"o"}
				}
				r, err := Infer(t.Context(), s, w)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				e, err := Fit(t.Context(), s, r)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				var got []float64
				err = nil
				for rows, wrong := range e.Blocks(t.Context(), s, BlockOptions{Order: "o"}) {
					if err = wrong; err == nil {
						got = append(got, rows.Order...)
					}
				}
				if tried++; c.wrong != "" {
					if err == nil || !strings.Contains(err.Error(), c.wrong) {
						t.Errorf("%s: %v, %v", name, got, err)
					}
					continue
				}
				if err != nil {
					t.Errorf("%s, ignored %v: %v", name, ignored, err)
					continue
				}
				first := 0.0
				if c.times {
					first = got[0]
				}
				for i := range got {
					got[i] -= first
				}
				if want := slices.Repeat(c.want, 5); !slices.EqualFunc(got, want, same) {
					t.Errorf("%s, ignored %v: %v, want %v", name, ignored, got, want)
				}
			}
		}
	}
	if tried != 2*(2*4+2) {
		t.Errorf("%d tables were tried", tried)
	}
}

// TestOrderOfMissingRows: cells that stand for a missing value have no place in an order, whatever
// number or time they are.
func TestOrderOfMissingRows(t *testing.T) {
	rows := [][]string{{"3", "2024-01-02", "0"}, {"9999", "9999-12-31", "1"}, {"7", "2024-01-03", "0"}, {"", "", "1"}}
	for _, name := range []string{"n", "d"} {
		for _, ignored := range [][]string{nil, {name}} {
			s := cellsSource([]string{"n", "d", "y"}, rows, 2, Options{})
			w := Wanted{Target: "y", Missing: []string{"9999", "9999-12-31"}, Ignored: ignored}
			if ignored == nil {
				w.Numbers, w.Times = []string{"n"}, []string{"d"}
			}
			r, err := Infer(t.Context(), s, w)
			if err != nil {
				t.Fatal(err)
			}
			e, err := Fit(t.Context(), s, r)
			if err != nil {
				t.Fatal(err)
			}
			blocks := 0
			for rows, err := range e.Blocks(t.Context(), s, BlockOptions{Order: name}) {
				if err != nil || len(rows.Order) != 4 || !math.IsNaN(rows.Order[1]) || !math.IsNaN(rows.Order[3]) || !(rows.Order[0] < rows.Order[2]) {
					t.Errorf("%s, ignored %q: %v, %v", name, ignored, rows, err)
				}
				blocks++
			}
			if blocks != 1 {
				t.Errorf("%s, ignored %q: %d blocks", name, ignored, blocks)
			}
		}
	}
}

// TestOrderOfMarkedNumbers: an order reads numbers as the recipe does, with their marks, and 9999.0 is
// missing where 9999 stands for a missing value.
func TestOrderOfMarkedNumbers(t *testing.T) {
	rows := [][]string{{"988", "0"}, {"1,001", "1"}, {"9999.0", "0"}, {"$12,345", "1"}, {"(5)", "0"}}
	s := cellsSource([]string{"n", "y"}, rows, 2, Options{})
	r, err := Infer(t.Context(), s, Wanted{Target: "y", Missing: []string{"9999"}, Numbers: []string{"n"}, Thousands: []string{","}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := Fit(t.Context(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	var got []float64
	for rows, err := range e.Blocks(t.Context(), s, BlockOptions{Order: "n"}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, rows.Order...)
	}
	same := func(a, b float64) bool { return a == b || a != a && b != b }
	if want := []float64{988, 1001, math.NaN(), 12345, -5}; !slices.EqualFunc(got, want, same) {
		t.Errorf("%v, want %v", got, want)
	}
}
