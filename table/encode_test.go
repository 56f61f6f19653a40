package table

import (
	"context"
	"io"
	"slices"
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
		{"x", "b", "?", "green", "maybe", "1970-01-02 11:30", "Rome", "2.5", "ham", "1", "0", "8"},
	}
	data, err := e.Encode(context.Background(), cellsSource(names, rows, 1, Options{}))
	if err != nil {
		t.Fatal(err)
	}
	if e.Width() != 2+2+2+4+3+16 {
		t.Errorf("%d columns", e.Width())
	}
	var got [][]string
	for i := range data.X.Rows() {
		var row []string
		for j, v := range data.X.Row(i) {
			row = append(row, e.Name(j))
			_ = v
		}
		got = append(got, row)
	}
	t.Log(got, data.Y, data.Weight, data.Offset, data.Query, data.LabelNames)
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
