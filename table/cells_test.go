package table

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// cellCase is a cell of a column with what docs/tables.md makes of it.
type cellCase struct {
	cell    string
	entries string // names and values of the encoded columns
	missing int64
	unseen  int64
	refused string // part of the error, "" for none
}

// cellOf encodes one cell of a column k beside a number that is 1.
func cellOf(t *testing.T, c Column, cell string) (got cellCase) {
	t.Helper()
	e, err := newEncoder(&Recipe{Version: 1, Hash: 8, Missing: []string{"", "?", "NA"}, Columns: []Column{
		{Name: "one", Kind: Number, Scale: ScaleNone, Learned: &Learned{Rows: 5, Width: 1}}, c,
	}})
	if err != nil {
		t.Fatal(err)
	}
	got.cell = cell
	s := cellsSource([]string{"one", "k"}, [][]string{{"1", cell}}, 1, Options{})
	for rows, err := range e.Blocks(context.Background(), s, BlockOptions{}) {
		if err != nil {
			got.refused = err.Error()
			return got
		}
		if list := s.Notes(); rows.X.Rows() == 0 && len(list) == 1 && rows.Skipped == 0 {
			got.refused = list[0].String()
			return got
		}
		got.missing, got.unseen = rows.Missing[1], rows.Unseen[1]
		var entries []string
		for j, v := range rows.X.Row(0) {
			if e.Name(j) != "one" {
				entries = append(entries, fmt.Sprintf("%s:%v", e.Name(j), v))
			}
		}
		switch c.Kind {
		case Target:
			entries = append(entries, fmt.Sprint("label ", rows.Y[0]))
		case Weight:
			entries = append(entries, fmt.Sprint("weight ", rows.Weight[0]))
		case Offset, Exposure:
			entries = append(entries, fmt.Sprint("offset ", rows.Offset[0]))
		}
		got.entries = strings.Join(entries, " ")
	}
	return got
}

// Each cell becomes what the documentation says. No entry is a stored 0.
func TestCellsByHand(t *testing.T) {
	place := func(text, column string) string {
		return fmt.Sprintf("k#%d:1", murmur3([]byte(text), murmur3([]byte(column), 0))&255)
	}
	nothing := place("", "k")
	for name, c := range map[string]struct {
		column Column
		cells  []cellCase
	}{
		"category": {Column{Kind: Category, Learned: &Learned{Rows: 9, Missing: 1, Values: []string{"NAN", "blue", "red", "\ufffd"}}}, []cellCase{
			{cell: "red", entries: "k=red:1"}, {cell: "NAN", entries: "k=NAN:1"}, {cell: "\xff", unseen: 1}, {cell: "green", unseen: 1}, {cell: "Red", unseen: 1},
			{cell: "", entries: "k=:1", missing: 1}, {cell: "?", entries: "k=:1", missing: 1}, {cell: "NA", entries: "k=:1", missing: 1}, {cell: "N", unseen: 1}, {cell: "??", unseen: 1}, {cell: "null", unseen: 1}, {cell: "NaN", unseen: 1},
		}},
		"category without missing values": {Column{Kind: Category, Learned: &Learned{Rows: 9, Values: []string{"red"}}}, []cellCase{
			{cell: "?", missing: 1}, {cell: "red", entries: "k=red:1"},
		}},
		"rare values": {Column{Kind: Category, MinCount: 3, Learned: &Learned{Rows: 9, Missing: 1, Rare: 2, Values: []string{"red"}}}, []cellCase{
			{cell: "green", entries: "k=(rare):1"}, {cell: "red", entries: "k=red:1"}, {cell: "NA", entries: "k=:1", missing: 1},
		}},
		// A missing value is hashed as an empty one, whatever stands for it.
		"hashed category": {Column{Kind: Category, Hashed: true, Learned: &Learned{Rows: 9}}, []cellCase{
			{cell: "red", entries: place("red", "k")}, {cell: "", entries: nothing, missing: 1}, {cell: "?", entries: nothing, missing: 1}, {cell: "NA", entries: nothing, missing: 1},
			{cell: "NAN", entries: place("NAN", "k")},
		}},
		"standardised": {Column{Kind: Number, Learned: &Learned{Rows: 9, Missing: 1, Shift: 3, Width: 2, Mean: 3}}, []cellCase{
			{cell: "5", entries: "k:1"}, {cell: "3"}, {cell: "3.0"}, {cell: "?", entries: "k=:1", missing: 1}, {cell: "3.0000000000000004", entries: "k:2.220446049250313e-16"},
			{cell: "1e60", refused: "too large"}, {cell: "x", entries: "k=:1", missing: 1}, {cell: "-1e39", refused: "too large"}, {cell: "inf", entries: "k=:1", missing: 1},
		}},
		// 1/10 is rounded to a float32 after it was scaled.
		"rounded": {Column{Kind: Number, Scale: ScaleNone, Learned: &Learned{Rows: 9, Width: 1}}, []cellCase{
			{cell: "0.1", entries: "k:0.10000000149011612"}, {cell: "-0"}, {cell: "1e-50"}, {cell: "16777217", entries: "k:1.6777216e+07"},
		}},
		"scaled, then rounded": {Column{Kind: Number, Learned: &Learned{Rows: 9, Shift: 16777216, Width: 1}}, []cellCase{{cell: "16777217", entries: "k:1"}}},
		"minmax": {Column{Kind: Number, Scale: ScaleMinMax, Learned: &Learned{Rows: 9, Missing: 2, Shift: 2, Width: 8, Mean: 4, Least: 2, Greatest: 10}}, []cellCase{
			{cell: "2"}, {cell: "10", entries: "k:1"}, {cell: "12", entries: "k:1.25"}, {cell: "", entries: "k:0.25 k=:1", missing: 1},
		}},
		"log1p": {Column{Kind: Number, Scale: ScaleLog1p, Learned: &Learned{Rows: 9, Missing: 2, Width: 0.5, Mean: 2}}, []cellCase{
			{cell: "0"}, {cell: "-0"}, {cell: "1.718281828459045", entries: "k:2"}, {cell: "-1.718281828459045", entries: "k:-2"}, {cell: "?", entries: "k:4 k=:1", missing: 1},
		}},
		"equal values": {Column{Kind: Number, Learned: &Learned{Rows: 9, Missing: 1, Shift: 7, Mean: 7}}, []cellCase{
			{cell: "7"}, {cell: "9"}, {cell: "NA", entries: "k=:1", missing: 1}, {cell: "x", entries: "k=:1", missing: 1},
		}},
		"bins": {Column{Kind: Number, Bins: 3, Learned: &Learned{Rows: 9, Missing: 1, Edges: []float64{1, 2.5}}}, []cellCase{
			{cell: "-9", entries: "k=..1:1"}, {cell: "1", entries: "k=..1:1"}, {cell: "1.0000000001", entries: "k=1..2.5:1"}, {cell: "2.5", entries: "k=1..2.5:1"},
			{cell: "3", entries: "k=2.5..:1"}, {cell: "1e300", entries: "k=2.5..:1"}, {cell: "", entries: "k=:1", missing: 1},
		}},
		// A text with no word is neither missing nor unseen; a text of unknown words is unseen.
		"text": {Column{Kind: Text, Words: &Words{Counts: true}, Learned: &Learned{Rows: 9, Missing: 1, Values: []string{"no", "yes"}, Counts: []int64{1, 2}}}, []cellCase{
			{cell: "Yes, yes: NO", entries: "k~no:1 k~yes:2"}, {cell: "maybe", unseen: 1}, {cell: "maybe no", entries: "k~no:1"},
			{cell: "! - x"}, {cell: " "}, {cell: "", missing: 1}, {cell: "?", missing: 1}, {cell: "??"},
		}},
		"weights of words": {Column{Kind: Text, Learned: &Learned{Rows: 3, Values: []string{"no", "yes"}, Counts: []int64{3, 3}}}, []cellCase{
			{cell: "yes yes yes no no no no", entries: "k~no:0.800000011920929 k~yes:0.6000000238418579"}, {cell: "yes", entries: "k~yes:1"}, {cell: "."},
		}},
		"hashed text": {Column{Kind: Text, Hashed: true, Words: &Words{Counts: true}, Learned: &Learned{Rows: 9}}, []cellCase{
			{cell: "red", entries: place("red", "k")}, {cell: "x !"}, {cell: "NA", missing: 1},
		}},
		"pairs of words": {Column{Kind: Text, Words: &Words{NGrams: 2, Counts: true}, Learned: &Learned{Rows: 9, Values: []string{"a b", "aa", "aa bb", "bb aa"}, Counts: []int64{1, 1, 1, 1}}}, []cellCase{
			{cell: "aa bb aa", entries: "k~aa:2 k~aa bb:1 k~bb aa:1"}, {cell: "aa a bb", entries: "k~aa:1 k~aa bb:1"}, {cell: "bb", unseen: 1},
		}},
		"time": {Column{Kind: Time, Scale: ScaleNone, Learned: &Learned{Rows: 9, Missing: 1, Shift: 10, Width: 2, Mean: 60, Values: []string{"hour=09", "weekday=Thu"}}}, []cellCase{
			{cell: "1970-01-01 09:00", entries: "k.hour=09:1 k.weekday=Thu:1 k:16195"}, {cell: "1970-01-01", entries: "k.weekday=Thu:1 k:-5", unseen: 1}, {cell: "10", entries: "k.weekday=Thu:1", unseen: 1},
			{cell: "1970-01-02T10:00Z", entries: "k:61195", unseen: 1}, {cell: "?", entries: "k:25 k=:1", missing: 1}, {cell: "noon", entries: "k:25 k=:1", missing: 1},
		}},
		"weight": {Column{Kind: Weight}, []cellCase{
			{cell: "2.5", entries: "weight 2.5"}, {cell: "0", entries: "weight 0"}, {cell: "-0.5", refused: `the weight "-0.5" is negative`}, {cell: "-1e-300", refused: "is negative"},
			{cell: "", refused: "the weight is missing"}, {cell: "x", refused: `the weight "x" is not a number`}, {cell: "1e400", refused: "is not a number"},
		}},
		"offset": {Column{Kind: Offset}, []cellCase{
			{cell: "-2.5", entries: "offset -2.5"}, {cell: "0.1", entries: "offset 0.1"}, {cell: "?", refused: "the offset is missing"}, {cell: "x", refused: `the offset "x" is not a number`},
		}},
		"exposure": {Column{Kind: Exposure}, []cellCase{
			{cell: "1", entries: "offset 0"}, {cell: "2", entries: "offset 0.6931471805599453"}, {cell: "1e-300", entries: "offset -690.7755278982137"},
			{cell: "0", refused: `the exposure "0" is not above 0`}, {cell: "-1", refused: `the exposure "-1" is not above 0`},
			{cell: "", refused: "the exposure is missing"}, {cell: "x", refused: `the exposure "x" is not a number`},
		}},
		"target": {Column{Kind: Target, Learned: &Learned{Rows: 9}}, []cellCase{
			{cell: "-2.5", entries: "label -2.5"}, {cell: "NA", refused: "1 row has no target (line 1): left out"}, {cell: "x", refused: `the target "x" is not a number`},
		}},
		"target of words": {Column{Kind: Target, Learned: &Learned{Rows: 9, Values: []string{"1", "ham", "spam"}}}, []cellCase{
			{cell: "spam", entries: "label 2"}, {cell: "1", entries: "label 0"}, {cell: "?", refused: "1 row has no target (line 1): left out"}, {cell: "0", refused: `"0" was not seen in training, which had "1", "ham", "spam"`},
		}},
		"line of VW": {Column{Kind: VW}, []cellCase{
			{cell: "1 |n a:1 a:-1 b:2", entries: fmt.Sprintf("k#%d:2", vwHash([]byte("b"), vwHash([]byte("n"), 0))&255)}, {cell: "1 |n:0 a b"}, {cell: "1 -1 |n a", refused: "the importance is -1"},
		}},
	} {
		c.column.Name = "k"
		for _, want := range c.cells {
			got := cellOf(t, c.column, want.cell)
			if want.refused != "" && strings.Contains(got.refused, want.refused) {
				continue
			}
			if want != got {
				t.Errorf("%s, %q:\n got %+v\nwant %+v", name, want.cell, got, want)
			}
		}
	}
}

// A missing value in a cross is an empty text, whatever stands for it.
func TestCrossesOfMissingValues(t *testing.T) {
	e, err := newEncoder(&Recipe{Version: 1, Hash: 20, Missing: []string{"", "?"}, Crosses: [][2]string{{"c", "n"}}, Columns: []Column{
		{Name: "c", Kind: Category, Learned: &Learned{Rows: 9, Values: []string{"a"}}}, {Name: "n", Kind: Number, Learned: &Learned{Rows: 9}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	data, err := e.Encode(context.Background(), cellsSource([]string{"c", "n"}, [][]string{{"?", "7"}, {"", "7"}, {"a", "?"}, {"a", ""}, {"a", "7"}, {"a", "7.0"}}, 9, Options{}))
	if err != nil {
		t.Fatal(err)
	}
	crossed := func(i int) (place int) {
		for j := range data.X.Row(i) {
			place = j
		}
		return place
	}
	if crossed(0) != crossed(1) || crossed(2) != crossed(3) || crossed(4) != crossed(5) || crossed(0) == crossed(2) || crossed(0) == crossed(4) || crossed(2) == crossed(4) {
		t.Errorf("places %v, %v, %v, %v, %v, %v", crossed(0), crossed(1), crossed(2), crossed(3), crossed(4), crossed(5))
	}
}

// A set of cells has the cells of its list alone.
func TestMissingIsASet(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	cell := func() string {
		n := []int{0, 1, 2, 3, 31, 32, 62, 63, 64, 65, 127, 128, 200}[random.IntN(13)]
		text := []byte(strings.Repeat("a", n))
		if n > 0 {
			text[0] = []byte{'a', 'b', 0, 63, 64, 127, 128, 191, 192, 255}[random.IntN(10)]
			text[n-1] = []byte("ab")[random.IntN(2)]
		}
		return string(text)
	}
	for range 400 {
		var list []string
		for range random.IntN(12) {
			list = append(list, cell())
		}
		set := newMissing(list)
		check := func(text string) {
			if got, want := set.has([]byte(text)), slices.Contains(list, text); got != want {
				t.Fatalf("%q has %q: %v", list, text, got)
			}
		}
		for _, text := range list {
			check(text)
		}
		for range 60 {
			check(cell())
		}
	}
}

// A value of a map is its shortest decimal of its own type, in a number and in a category.
func TestDecimalsOfMaps(t *testing.T) {
	e, err := newEncoder(&Recipe{Version: 1, Hash: 20, Missing: []string{""}, Columns: []Column{
		{Name: "n", Kind: Number, Learned: &Learned{Rows: 1, Shift: 0.1, Width: 1e-7}},
		{Name: "c", Kind: Category, Hashed: true, Learned: &Learned{Rows: 1}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	m := linearOf(e)
	s := e.Scorer(m)
	for _, c := range []struct {
		value any
		text  string
	}{
		{float32(0.1), "0.1"}, {0.1, "0.1"}, {float32(0.3), "0.3"}, {float64(float32(0.3)), "0.30000001192092896"}, {float32(16777216), "16777216"}, {float32(123456789), "123456790"},
		{float32(1e-7), "1e-07"}, {float32(2e-6), "0.000002"}, {1e-6, "0.000001"}, {9.5e-7, "9.5e-07"}, {-1e20, "-100000000000000000000"}, {float32(1e21), "1e+21"},
		{0.0, "0"}, {1 / 3.0, "0.3333333333333333"}, {float32(1) / 3, "0.33333334"}, {int64(-1 << 63), "-9223372036854775808"}, {uint64(1<<64 - 1), "18446744073709551615"},
	} {
		got, err := s.ScoreMap(map[string]any{"n": c.value, "c": c.value})
		want, wrong := s.Score([]string{c.text, c.text})
		if (err == nil) != (wrong == nil) || err == nil && got != want {
			t.Errorf("%T %v: score %v (%v), as %s %v (%v)", c.value, c.value, got, err, c.text, want, wrong)
		}
		other, err := s.ScoreMap(map[string]any{"n": c.text, "c": c.value})
		if (err == nil) != (wrong == nil) || err == nil && other != want {
			t.Errorf("%T %v: the number as text: score %v, want %v", c.value, c.value, other, want)
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		single := float32(random.NormFloat64())
		row, cells := map[string]any{"n": single, "c": 1}, []string{strconv.FormatFloat(float64(single), 'g', -1, 32), "1"}
		data, err := e.Encode(context.Background(), cellsSource([]string{"n", "c"}, [][]string{cells}, 1, Options{}))
		if err != nil {
			t.Fatal(err)
		}
		scores, err := m.Scores(nil, nil, data.X)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.ScoreMap(row); err != nil || got != scores[0] {
			t.Fatalf("%v: score %v, in the table %v: %v", single, got, scores[0], err)
		}
	}
}

// TestHashedWholeNumbers: a whole number has one place, with and without a point and zeros behind it.
func TestHashedWholeNumbers(t *testing.T) {
	e, err := newEncoder(&Recipe{Version: 2, Hash: 20, Missing: []string{""}, Columns: []Column{
		{Name: "k", Kind: Category, Hashed: true, Learned: &Learned{Rows: 9}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	data, err := e.Encode(t.Context(), cellsSource([]string{"k"}, [][]string{{"17"}, {"17.0"}, {"17.5"}}, 9, Options{}))
	if err != nil {
		t.Fatal(err)
	}
	var places []int
	for i := range 3 {
		for j := range data.X.Row(i) {
			places = append(places, j)
		}
	}
	if len(places) != 3 || places[0] != places[1] || places[0] == places[2] {
		t.Errorf("17, 17.0 and 17.5 have the places %v", places)
	}
}
