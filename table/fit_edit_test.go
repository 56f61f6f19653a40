package table

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// fitBoth fits a recipe with what Infer found, and as it comes from JSON, and compares. It returns
// the number of passes of the first fit, and the encoder.
func fitBoth(t *testing.T, s *Source, r *Recipe) (int64, *Encoder, error) {
	t.Helper()
	passes := counted(s)
	e, err := Fit(context.Background(), s, r)
	n := passes.Load()
	text, _ := json.Marshal(r)
	var plain Recipe
	if err := json.Unmarshal(text, &plain); err != nil {
		t.Fatal(err)
	}
	again, wrong := Fit(context.Background(), s, &plain)
	if fmt.Sprint(err) != fmt.Sprint(wrong) {
		t.Fatalf("%s\nafter Infer: %v; from JSON: %v", text, err, wrong)
	}
	if err == nil {
		one, _ := e.MarshalJSON()
		two, _ := again.MarshalJSON()
		if string(one) != string(two) {
			t.Fatalf("after Infer:\n%.3000s\nfrom JSON:\n%.3000s", one, two)
		}
	}
	return n, e, err
}

func TestFitReadsNoMoreThanEditsNeed(t *testing.T) {
	repeat.Skip(t)
	rows := wideRows(12_000)
	for _, c := range []struct {
		name   string
		edit   func(r *Recipe, column func(string) *Column)
		passes int64
	}{
		{"nothing", func(*Recipe, func(string) *Column) {}, 0},
		{"ignore", func(_ *Recipe, c func(string) *Column) { c("text").Kind, c("text").Words = Ignore, nil }, 0},
		{"few values as text", func(_ *Recipe, c func(string) *Column) { *c("few") = Column{Name: "few", Kind: Text} }, 0},
		{"a target without missing values", func(_ *Recipe, c func(string) *Column) {
			c("y").Kind = Ignore
			*c("weight") = Column{Name: "weight", Kind: Target}
		}, 0},
		{"min_count", func(_ *Recipe, c func(string) *Column) { c("named").MinCount = 9 }, 0},
		{"min_df", func(_ *Recipe, c func(string) *Column) { c("text").Words.MinDF = 7 }, 0},
		{"n-grams", func(_ *Recipe, c func(string) *Column) { c("text").Words.NGrams = 1 }, 1},
		{"hashed words", func(r *Recipe, c func(string) *Column) { c("text").Hashed = true; r.Hash = 5 }, 0},
		{"scale", func(_ *Recipe, c func(string) *Column) { c("number").Scale = ScaleMinMax }, 0},
		{"bins", func(_ *Recipe, c func(string) *Column) { c("number").Bins = 8 }, 1},
		{"a vocabulary in place of a hash", func(_ *Recipe, c func(string) *Column) { c("hashed").Hashed = false }, 1},
		{"missing", func(r *Recipe, _ func(string) *Column) { r.Missing = append(r.Missing, "-") }, 1},
		{"weights as numbers", func(_ *Recipe, c func(string) *Column) { *c("weight") = Column{Name: "weight", Kind: Number} }, 0},
	} {
		s := partsOf(wideNames, rows, 2, 1000)
		w := wideWanted
		w.Texts, w.Ignored = []string{"text"}, []string{"late"}
		r, err := Infer(context.Background(), s, w)
		if err != nil {
			t.Fatal(err)
		}
		c.edit(r, func(name string) *Column {
			return &r.Columns[slices.IndexFunc(r.Columns, func(c Column) bool { return c.Name == name })]
		})
		if passes, _, err := fitBoth(t, s, r); err != nil || passes != c.passes {
			t.Errorf("%s: %d passes, want %d: %v", c.name, passes, c.passes, err)
		}
	}
}

// TestFitOfGapsByHand: a column of numbers that becomes a target, weight or offset refuses its rows
// without a number.
func TestFitOfGapsByHand(t *testing.T) {
	for _, cell := range []string{"NA", "", "bad", "-0.5"} {
		for _, kind := range []Kind{Target, Weight, Offset} {
			s := partsOf("x,k", [][]string{{"2", "0"}, {"4", "1"}, {"33", cell}, {"6", "2"}, {"3", "0.5"}}, 2, 2)
			s.options.BadRows = 1
			r, err := Infer(t.Context(), s, Wanted{Numbers: []string{"x", "k"}})
			if err != nil {
				t.Fatal(err)
			}
			r.Columns[1] = Column{Name: "k", Kind: kind}
			rows, mean := int64(4), 3.75
			if kind == Target && cell == "bad" || kind != Weight && cell == "-0.5" { // a target of words, a number
				rows, mean = 5, 9.6
			}
			_, e, err := fitBoth(t, s, r)
			if err != nil {
				t.Fatalf("%s %q: %v", kind, cell, err)
			}
			if x := e.recipe.Columns[0].Learned; x.Rows != rows || x.Mean != mean {
				t.Errorf("%s %q: %+v", kind, cell, x)
			}
		}
	}
}

// TestFitOfMarksByHand: a weight whose marks are taken out of the recipe refuses the rows that need them.
func TestFitOfMarksByHand(t *testing.T) {
	s := partsOf("x,k", [][]string{{"2", "1,5"}, {"4", "3"}, {"33", "2,5"}, {"6", "4"}, {"3", "0,5"}}, 2, 2)
	s.options.BadRows = 4
	r, err := Infer(t.Context(), s, Wanted{Numbers: []string{"x"}, Weight: "k"})
	if err != nil || r.Columns[1].Marks == nil {
		t.Fatal(r, err)
	}
	for _, rows := range []int64{5, 2} {
		_, e, err := fitBoth(t, s, r)
		if err != nil || e.recipe.Columns[0].Learned.Rows != rows {
			t.Errorf("want %d rows: %+v, %v", rows, e, err)
		}
		r.Columns[1].Marks = nil
	}
}

func TestFitOfRandomEdits(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 22))
	cells := []string{"1", "2.5", "-3", "", "?", "NA", "1.0", "-", "a", "b c", "2020-01-02", "2021-11-30 12:00", "1e308", "-1e308", "long words stand in this cell of the table"}
	kinds := []Kind{Number, Category, Text, Time, Target, Weight, Offset, Ignore, ID, Group}
	done := 0
	for range 600 {
		names, n := []string{"a", "b", "c", "d"}, 1+random.IntN(12)
		rows := make([][]string, n)
		for i := range rows {
			for k := range names {
				few := 1 + (k+random.IntN(3))*3
				rows[i] = append(rows[i], cells[random.IntN(min(few, len(cells)))])
			}
		}
		s := partsOf(strings.Join(names, ","), rows, 1+random.IntN(3), 1+random.IntN(4))
		s.options.BadRows = 1 << 30
		w := Wanted{Target: names[random.IntN(4)], Hash: random.IntN(2) * 6, Bins: random.IntN(3) * 2}
		if random.IntN(2) == 0 {
			w.Numbers = []string{names[random.IntN(4)]}
		}
		r, err := Infer(context.Background(), s, w)
		if err != nil {
			continue
		}
		for range random.IntN(4) {
			c := &r.Columns[random.IntN(4)]
			*c = Column{Name: c.Name, Kind: kinds[random.IntN(len(kinds))]}
			switch c.Kind {
			case Number:
				c.Bins, c.Scale = random.IntN(2)*3, []string{"", ScaleNone, ScaleMinMax, ScaleLog1p}[random.IntN(4)]
			case Category:
				c.MinCount = random.IntN(3)
			}
		}
		switch random.IntN(12) {
		case 0:
			r.Missing = append(r.Missing, []string{"1", "a", "none"}[random.IntN(3)])
		case 1:
			r.Version = 1
		}
		if _, _, err := fitBoth(t, s, r); err == nil {
			done++
		}
	}
	if done < 100 {
		t.Errorf("%d fits went well", done)
	}
}
