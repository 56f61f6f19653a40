package fuzz

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/sparse"
)

// FuzzBuilder adds hostile rows and compares what is built with a plain
// map-based model of the accepted ones.
func FuzzBuilder(f *testing.F) {
	f.Add([]byte{0, 3, 5, 100, 8, 2, 100, 16, 5, 100, 24})
	f.Add([]byte{1, 40, 9, 100, 8, 9, 100, 8, 9, 6, 9, 4})
	f.Add([]byte{6, 2, 1, 7, 0, 7, 8})
	f.Add([]byte{128, 3, 5, 100, 8, 1, 100, 16, 5, 100, 24})
	f.Add([]byte{192, 3, 5, 100, 8, 1, 2, 3, 4, 5})
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		kind := in.byte()
		options := sparse.BuilderOptions{Merge: kind&1 != 0}
		options.Storage = sparse.Storage{Float32: kind&2 != 0, Values: sparse.Values(kind >> 3 & 3)}
		if kind&32 != 0 {
			options.Columns = in.below(256) - 8
		}
		b := sparse.NewBuilder(options)
		var model []map[int]float64
		for len(in.data) > 0 && len(model) < 64 {
			columns := make([]int, in.below(24))
			for e := range columns {
				columns[e] = in.below(256) - 2
				if columns[e] == 250 {
					columns[e] = int(uint32(in.uint64()) >> 1)
				}
			}
			var values []float64
			if in.byte()&1 != 0 {
				values = in.floats(len(columns))
			}
			row := modelRow(columns, values, options)
			if err := b.AddRow(columns, values); (err == nil) != (row != nil) {
				t.Fatalf("columns %v, values %v, %+v: error %v", columns, values, options, err)
			}
			if row != nil {
				model = append(model, row)
			}
		}
		m, err := b.Build()
		if options.Columns < 0 {
			if err == nil {
				t.Fatal("a negative number of columns was accepted")
			}
			return
		}
		if err != nil || m.Rows() != len(model) {
			t.Fatalf("%v: %d rows", err, len(model))
		}
		for i, row := range model {
			last, count := -1, 0
			for j, x := range m.Row(i) {
				want, known := row[j]
				if options.Storage.Float32 {
					want = float64(float32(want))
				}
				if !known || math.Float64bits(x) != math.Float64bits(want) || j <= last || j >= m.Cols() {
					t.Fatalf("row %d, column %d after %d: %v, want %v", i, j, last, x, want)
				}
				last = j
				count++
			}
			if count != len(row) {
				t.Fatalf("row %d: %d entries, want %d", i, count, len(row))
			}
		}
	})
}

// modelRow is the row as it should be stored, nil where it should be refused.
func modelRow(columns []int, values []float64, options sparse.BuilderOptions) map[int]float64 {
	limit := options.Columns
	if limit < 0 {
		return nil
	}
	if limit == 0 {
		limit = sparse.MaxColumns
	}
	row := map[int]float64{}
	for e, j := range columns {
		v := 1.0
		if values != nil {
			v = values[e]
		}
		former, repeated := row[j]
		if j < 0 || j >= limit || v-v != 0 || repeated && !options.Merge {
			return nil
		}
		if repeated {
			v = former + v
		}
		row[j] = v
	}
	for _, v := range row {
		if v-v != 0 || options.Storage.Float32 && math.IsInf(float64(float32(v)), 0) {
			return nil
		}
	}
	return row
}
