package table

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
)

// cellsFormat is a table in memory, of which take gives some rows at a time.
type cellsFormat struct {
	rows    [][]string
	columns []int
	next    int
	size    int
}

func (f *cellsFormat) take(p *part) error {
	if f.next == len(f.rows) {
		return io.EOF
	}
	p.first, p.last = int64(f.next), int64(min(f.next+f.size, len(f.rows)))
	p.places, f.next = p.last-p.first, int(p.last)
	return nil
}

func (f *cellsFormat) cells(p *part, b *block) error {
	b.width, b.text = len(f.columns), b.text[:0]
	for i := p.first; i < p.last; i++ {
		for _, k := range f.columns {
			from := len(b.text)
			b.text = append(b.text, f.rows[i][k]...)
			b.at = append(b.at, uint32(from), uint32(len(b.text)))
		}
		b.places = append(b.places, uint32(i-p.first))
		b.rows++
	}
	b.text = append(b.text, make([]byte, pad)...)
	return nil
}

func (f *cellsFormat) close() error { return nil }

// cellsSource is a source of cells in memory, whose parts have size rows.
func cellsSource(names []string, rows [][]string, size int, options Options) *Source {
	return &Source{files: []file{{name: "cells"}}, names: names, options: options, lines: true, begin: func(_ context.Context, _ int, columns []int) (format, error) {
		return &cellsFormat{rows: rows, columns: columns, size: size}, nil
	}}
}

// handmade is an encoder with a column of each kind.
func handmade(t testing.TB) *Encoder {
	e, err := newEncoder(&Recipe{
		Version: 1, Hash: 4, Missing: []string{"", "?"}, Crosses: [][2]string{{"colour", "age"}},
		Columns: []Column{
			{Name: "age", Kind: Number, Learned: &Learned{Rows: 10, Missing: 1, Shift: 2, Width: 4, Mean: 2}},
			{Name: "colour", Kind: Category, Learned: &Learned{Rows: 10, Values: []string{"blue", "red"}, Counts: []int64{3, 7}}},
			{Name: "note", Kind: Text, Learned: &Learned{Rows: 3, Values: []string{"no", "yes"}, Counts: []int64{1, 3}}},
			{Name: "when", Kind: Time, Learned: &Learned{Rows: 10, Width: 86400, Values: []string{"hour=09", "hour=10", "weekday=Thu"}}},
			{Name: "city", Kind: Category, Hashed: true, Learned: &Learned{Rows: 10}},
			{Name: "bins", Kind: Number, Bins: 3, Learned: &Learned{Rows: 10, Edges: []float64{1, 2}}},
			{Name: "who", Kind: ID},
			{Name: "label", Kind: Target, Learned: &Learned{Rows: 10, Values: []string{"ham", "spam"}}},
			{Name: "times", Kind: Weight},
			{Name: "from", Kind: Offset},
			{Name: "ask", Kind: Group},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestEncodeByHand(t *testing.T) {
	e := handmade(t)
	names := []string{"extra", "who", "age", "colour", "note", "when", "city", "bins", "label", "times", "from", "ask"}
	rows := [][]string{
		{"x", "a", "6", "red", "Yes, yes: NO", "1970-01-02 10:30", "Rome", "1", "spam", "2", "-1", "7"},
		{"x", "b", "?", "green", "maybe", "1970-01-02 11:30", "Bonn", "2.5", "ham", "1", "0", "8"},
	}
	data, err := e.Encode(context.Background(), cellsSource(names, rows, 1, Options{}))
	if err != nil {
		t.Fatal(err)
	}
	if e.Width() != 2+2+2+4+3+16 {
		t.Errorf("%d columns", e.Width())
	}
	place := func(hash uint32) string { return fmt.Sprintf("#%d 1", hash&15) }
	seeded := func(column, value string) uint32 { return murmur3([]byte(value), murmur3([]byte(column), 0)) }
	for i, want := range [][]string{{
		"age 1", "colour=red 1", "note~no 0.646", "note~yes 0.763", "when.hour=10 1", "when 1.437", "bins=..1 1", // yes twice: 1 (1 + ln(4/4)), no: 1 + ln(4/2)
		place(seeded("city", "Rome")), place(crossed(seeded("colour", "red"), seeded("age", "6"))),
	}, {"age= 1", "when 1.479", "bins=2.. 1", place(seeded("city", "Bonn")), place(crossed(seeded("colour", "green"), seeded("age", "")))}} { // as an empty cell
		var got []string
		for j, v := range data.X.Row(i) {
			got = append(got, fmt.Sprintf("%s %.4g", e.Name(j), math.Trunc(1000*v)/1000))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("row %d: %q, want %q", i, got, want)
		}
	}
	if !slices.Equal(data.Y, []float64{1, 0}) || !slices.Equal(data.LabelNames, []string{"ham", "spam"}) ||
		!slices.Equal(data.Weight, []float64{2, 1}) || !slices.Equal(data.Offset, []float64{-1, 0}) || !slices.Equal(data.Query, []int64{7, 8}) {
		t.Error(data.Y, data.LabelNames, data.Weight, data.Offset, data.Query)
	}
	again, err := ReadEncoder(data.Encoding)
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := again.MarshalJSON(); string(text) != string(data.Encoding) {
		t.Error("read again, the encoder is another one")
	}
}

// TestSeenNotes: columns with unseen or missing values have notes and names; a target may be missing.
// Counts may be short, or too long.
func TestSeenNotes(t *testing.T) {
	e := handmade(t)
	missing, unseen := make([]int64, 12), make([]int64, 12)
	missing[3], missing[0], missing[1], missing[7], unseen[1], unseen[2], missing[11], unseen[11] = 1, 1234, 2, 5, 3, 1, 9, 9
	for _, c := range []struct {
		missing, unseen []int64
		want            string
	}{
		{missing, unseen, "[column age: 1,234 missing values column colour: 3 values were not seen in training column colour: 2 missing values column note: 1 value was not seen in training column when: 1 missing value]"},
		{missing[:1], unseen[:2], "[column age: 1,234 missing values column colour: 3 values were not seen in training]"},
		{missing[:2], nil, "[column age: 1,234 missing values column colour: 2 missing values]"},
		{nil, nil, "[]"},
	} {
		if got := fmt.Sprint(e.SeenNotes(c.missing, c.unseen)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	for _, c := range []struct {
		counts []int64
		want   map[string]int64
	}{{missing, map[string]int64{"age": 1234, "colour": 2, "when": 1, "label": 5}}, {missing[:1], map[string]int64{"age": 1234}}, {unseen, map[string]int64{"colour": 3, "note": 1}}, {nil, nil}} {
		if got := e.ByColumn(c.counts); !maps.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}

// TestKeptCells: cells that are kept stand beside their rows, in the order that is asked for. No
// cells are kept beyond the rows.
func TestKeptCells(t *testing.T) {
	names, rows := handRows(20)
	for _, keep := range [][]string{{"who", "colour"}, {"note"}, nil} {
		at := 0
		for block, err := range handmade(t).Blocks(t.Context(), cellsSource(names, rows, 7, Options{}), BlockOptions{Rows: 6, Keep: keep}) {
			if err != nil {
				t.Fatal(err)
			}
			n := len(block.Y)
			for i := -1; i <= n; i++ {
				var want []string
				for _, name := range keep {
					if i >= 0 && i < n {
						want = append(want, rows[at+i][slices.Index(names, name)])
					}
				}
				if got := block.Kept(i); !slices.Equal(got, want) {
					t.Errorf("row %d of block at %d: %q, want %q", i, at, got, want)
				}
			}
			at += n
		}
		if at != len(rows) {
			t.Errorf("%d rows", at)
		}
	}
}

// TestRecipeIsCopied: what is changed in a recipe that an encoder gave does not change the encoder.
func TestRecipeIsCopied(t *testing.T) {
	var e Encoder
	const text = `{"version":2,"columns":[{"name":"<a>","kind":"category","learned":{"rows":3,"missing":0,"values":["a<b","c"],"counts":[1,2]}},` +
		`{"name":"b","kind":"number","bins":2,"learned":{"rows":3,"missing":0,"edges":[1.5]}},{"name":"t","kind":"text","words":{"ngrams":2},"learned":{"rows":3,"missing":0,"values":["x"],"counts":[1]}}],` +
		`"crosses":[["<a>","b"]],"missing":["?"],"hash":4,"reading":{"encoding":"latin1"}}`
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		t.Fatal(err)
	}
	r := e.Recipe()
	r.Columns[0].Name, r.Columns[0].Learned.Values[0], r.Columns[0].Learned.Counts[0], r.Columns[0].Learned.Rows = "z", "z", 9, 9
	r.Columns[1].Learned.Edges[0], r.Columns[2].Words.NGrams, r.Crosses[0], r.Missing[0], r.Reading.Encoding = 9, 9, [2]string{"z", "z"}, "z", "z"
	if got, err := e.MarshalJSON(); err != nil || string(got) != text {
		t.Errorf("%s, want %s: %v", got, text, err)
	}
	var names []string
	for j := -1; j <= e.Width(); j++ {
		names = append(names, e.Name(j))
	}
	if want := []string{"", "<a>=a<b", "<a>=c", "b=..1.5", "b=1.5..", "t~x", "<a>*b#0"}; !slices.Equal(names[:len(want)], want) || names[len(names)-1] != "" {
		t.Errorf("%q, want %q", names, want)
	}
	for k, want := range [][2]int{{0, 2}, {2, 4}, {4, 5}, {0, 0}} {
		if first, end := e.Span(k); first != want[0] || end != want[1] {
			t.Errorf("column %d: %d to %d, want %v", k, first, end, want)
		}
	}
	if e.Places() != 5 || e.Width() != 5+16 {
		t.Errorf("%d places of %d columns", e.Places(), e.Width())
	}
	hash := func(r *Recipe, columns ...int) {
		r.Crosses = nil
		for _, k := range columns {
			c := &r.Columns[k]
			c.Hashed, c.Learned.Values, c.Learned.Counts = true, nil, nil
		}
	}
	for want, edit := range map[string]func(*Recipe){
		"":  func(r *Recipe) { r.Crosses = [][2]string{{"<a>", "b"}, {"b", "<a>"}} },
		"t": func(r *Recipe) { hash(r, 2) },
		" ": func(r *Recipe) { hash(r, 0, 2) },
	} {
		r := e.Recipe()
		edit(r)
		if other, err := newEncoder(r); err != nil || other.Name(other.Places()+3) != strings.TrimSpace(want)+"#3" {
			t.Errorf("%q: %v", want, err)
		}
	}
	before := e.Width()
	if err := json.Unmarshal([]byte(`{"version":3}`), &e); err == nil || e.Width() != before {
		t.Errorf("%v: %d columns", err, e.Width())
	}
	if _, err := ReadEncoder([]byte(text + "1")); err == nil || err.Error() != "table: the encoder cannot be read: more text follows its JSON" {
		t.Error(err)
	}
}
