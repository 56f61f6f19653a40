package main

import (
	"slices"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/bench/cpeer"
	inside "github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// numberedTable times the dot of rows over a million columns that are numbered as
// sparse.Matrix.Renumber does it, in the order in which a reader meets them, and as they
// came, against gcc's loop over the columns as they came.
func numberedTable() table {
	layouts := []rows.Layout{rows.I32F64, rows.I32Ones}
	sizes := []size{{layoutNames[layouts[0]], 0, 1}, {layoutNames[layouts[1]], 1, 1}}
	return table{task{"Row-batch sparse dot of wide:n=10000, columns numbered by frequency", 0, func(n int) []way {
		given := must(must(synthetic.ParseShape("wide:n=10000", 1)).Generate(nil)).X
		frequent, _ := (*inside.Matrix)(given).Renumber(nil)
		number := make([]uint32, given.Cols()) // by first appearance, from 1 on
		met := uint32(0)
		for i := range given.Rows() {
			for j := range given.Row(i) {
				if number[j] == 0 {
					met++
					number[j] = met
				}
			}
		}
		same := func(j int) uint32 { return uint32(j) }
		a, b, c := flatten(given, same), flatten((*sparse.Matrix)(frequent), same), flatten(given, func(j int) uint32 { return number[j] - 1 })
		layout, w, out := layouts[n], vector(given.Cols()), make([]float64, given.Rows())
		lanes := func(m *matrix) func(times int) {
			return once(func() { asm.Active().Rows.Dot(out, m.layouts[layout], nil, 0, w) })
		}
		gcc := func(m *matrix) func(times int) {
			return once(func() { cpeer.Dot(out, m.ptr, m.layouts[layout], w, false) })
		}
		return withC([]way{
			{"lanes", lanes(b)}, {"lanes, by first appearance", lanes(c)}, {"lanes, as given", lanes(a)},
			{"lanes, numbering", once(func() { (*inside.Matrix)(given).Renumber(nil) })},
		}, way{"gcc -O3, by frequency", gcc(b)}, way{"gcc -O3, as given", gcc(a)})
	}}, "a product", sizes}
}

// flatten gives the rows of m in full and without values, in ascending numbers of the columns.
func flatten(m *sparse.Matrix, number func(j int) uint32) *matrix {
	type entry struct {
		column uint32
		value  float64
	}
	f := &matrix{shape: shape{rows: m.Rows(), cols: m.Cols()}, ptr: []int64{0}, layouts: map[rows.Layout]*rows.Matrix{}}
	idx, val := make([]uint32, 0, m.NNZ()), make([]float64, 0, m.NNZ())
	var row []entry
	for i := range m.Rows() {
		row = row[:0]
		for j, x := range m.Row(i) {
			row = append(row, entry{number(j), x})
		}
		slices.SortFunc(row, func(a, b entry) int { return int(a.column) - int(b.column) })
		for _, e := range row {
			idx, val = append(idx, e.column), append(val, e.value)
		}
		f.ptr = append(f.ptr, int64(len(idx)))
	}
	whole := rows.Matrix{Begin: f.ptr[:m.Rows()], End: f.ptr[1:], Idx32: idx, Layout: rows.I32Ones}
	ones := whole
	f.layouts[rows.I32Ones] = &ones
	whole.Layout, whole.Val64 = rows.I32F64, val
	f.layouts[rows.I32F64] = &whole
	return f
}
