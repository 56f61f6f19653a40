package main

import (
	"fmt"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

func plainWideMul(out []float64, ptr []int64, idx []uint16, val64 []float64, w []float64, width int) {
	for i := range len(ptr) - 1 {
		dst := out[i*width : (i+1)*width]
		clear(dst)
		for e := ptr[i]; e < ptr[i+1]; e++ {
			x := 1.0
			if val64 != nil {
				x = val64[e]
			}
			at := int(idx[e]) * width
			for j, v := range w[at : at+width] {
				dst[j] += x * v
			}
		}
	}
}

func plainWideAdd(w []float64, ptr []int64, idx []uint16, val64 []float64, c []float64, width int) {
	for i := range len(ptr) - 1 {
		row := c[i*width : (i+1)*width]
		for e := ptr[i]; e < ptr[i+1]; e++ {
			x := 1.0
			if val64 != nil {
				x = val64[e]
			}
			at := int(idx[e]) * width
			to := w[at : at+width]
			for j, v := range row {
				to[j] += x * v
			}
		}
	}
}

// wideTables time the products of rows with a matrix of several columns: all at once,
// by the loop of a Go program, and a column at a time by the kernels for vectors.
func wideTables() []table {
	type product struct {
		shape
		rows.Layout
		width int
	}
	var products []product
	var sizes []size
	for _, p := range []product{
		{shape: shapes[0], Layout: rows.I16Ones},
		{shape: shape{"76 a row, 4,000 columns", 1024, 76, 4000}, Layout: rows.I16F64},
		{shape: shape{"76 a row, 47,236 columns", 1024, 76, 47236}, Layout: rows.I16F64},
	} {
		for _, p.width = range []int{4, 20, 105} {
			sizes = append(sizes, size{fmt.Sprintf("%s, %s, K = %d", p.name, layoutNames[p.Layout], p.width), len(products), p.rows * p.row})
			products = append(products, p)
		}
	}
	mul := func(n int) []way {
		p := products[n]
		m, width := matrixOf(p.shape), p.width
		stored, out, w := m.layouts[p.Layout], vector(p.rows*width), vector(p.cols*width)
		one, column := make([]float64, p.rows), vector(p.cols)
		return []way{
			{"lanes", once(func() {
				clear(out)
				asm.Active().Rows.Wide.MulRows(out, stored, nil, 0, width, w)
			})},
			{"plain", once(func() { plainWideMul(out, m.ptr, stored.Idx16, stored.Val64, w, width) })},
			{"lanes, a column at a time", once(func() {
				for range width {
					asm.Active().Rows.Dot(one, stored, nil, 0, column)
				}
			})},
		}
	}
	add := func(n int) []way {
		p := products[n]
		m, width := matrixOf(p.shape), p.width
		stored, c, w := m.layouts[p.Layout], vector(p.rows*width), vector(p.cols*width)
		one, column := vector(p.rows), vector(p.cols)
		return []way{
			{"lanes", once(func() { asm.Active().Rows.Wide.AddRows(w, stored, nil, 0, width, c) })},
			{"plain", once(func() { plainWideAdd(w, m.ptr, stored.Idx16, stored.Val64, c, width) })},
			{"lanes, a column at a time", once(func() {
				for range width {
					asm.Active().Rows.Add(column, stored, nil, 0, one)
				}
			})},
		}
	}
	return []table{
		{task{"Rows times a dense matrix (X W)", 0, mul}, "a non-zero", sizes},
		{task{"Its transpose (W += X'C)", 0, add}, "a non-zero", sizes},
	}
}
