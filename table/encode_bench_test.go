package table

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/sparse/synthetic"
)

// clickRows is the number of rows that benchmarks encode.
const clickRows = 200_000

// clickRecipe is a recipe for clicks, hashed or with vocabularies of the values in the source.
func clickRecipe(b *testing.B, s *Source, hashed bool) *Recipe {
	r := &Recipe{Version: 1, Missing: []string{"", "NA", "NaN", "null", "?"}, Hash: 20}
	for k, name := range s.Names() {
		c := Column{Name: name, Kind: Category, Hashed: hashed, Learned: &Learned{Rows: clickRows, Missing: 1}}
		switch {
		case k == 0:
			c.Kind, c.Hashed, c.Learned = Target, false, &Learned{Rows: clickRows}
		case k <= 13:
			c.Kind, c.Hashed, c.Learned = Number, false, &Learned{Rows: clickRows, Missing: 1, Shift: 1.5, Width: 3.7}
		case !hashed:
			if values := valuesOf(b, s, k); len(values) <= 10_000 {
				c.Learned.Values = values
			} else {
				c.Hashed = true
			}
		}
		r.Columns = append(r.Columns, c)
	}
	return r
}

func valuesOf(b *testing.B, s *Source, column int) []string {
	own, err := scan(context.Background(), s, []int{column}, func(d *dictionary, b *block) error {
		for row := range b.rows {
			d.add(b.cell(row, 0))
		}
		return nil
	}, nil)
	if err != nil {
		b.Fatal(err)
	}
	var values []string
	for _, d := range own {
		for k := range d.len() {
			values = append(values, string(d.key(k)))
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

func BenchmarkEncodeClicks(b *testing.B) {
	path := filepath.Join(b.TempDir(), "clicks.csv")
	if _, err := (&synthetic.Clicks{Rows: clickRows, Share: 0.1}).WriteCSVFile(context.Background(), path, synthetic.ClickOptions{}); err != nil {
		b.Fatal(err)
	}
	s, err := Open(path, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for _, hashed := range []bool{true, false} {
		e, err := newEncoder(clickRecipe(b, s, hashed))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("hashed=%v", hashed), func(b *testing.B) {
			for b.Loop() {
				if _, err := e.Encode(context.Background(), s); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(clickRows*b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
	b.Run("cells", func(b *testing.B) {
		columns := make([]int, len(s.Names()))
		for k := range columns {
			columns[k] = k
		}
		for b.Loop() {
			if _, err := scan(context.Background(), s, columns, func(*int, *block) error { return nil }, nil); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(clickRows*b.N)/b.Elapsed().Seconds(), "rows/s")
	})
}
