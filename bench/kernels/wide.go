package main

import (
	"fmt"
	"os"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/bench/contest"
)

func plainWideMul[I uint16 | uint32](out []float64, ptr []int64, idx []I, val64 []float64, w []float64, width int) {
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

func plainWideAdd[I uint16 | uint32](w []float64, ptr []int64, idx []I, val64 []float64, c []float64, width int) {
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
func wideTables() {
	k := asm.Active()
	names := []string{"lanes", "plain Go", "a column at a time"}
	mul := contest.NewTable(os.Stdout, "Rows times a dense matrix (X W)", "a non-zero", names...)
	wideTable(mul, func(m *matrix, stored *rows.Matrix, width int) [3]func() {
		out, w := randomVector(m.rows*width), randomVector(m.cols*width)
		one, column := make([]float64, m.rows), randomVector(m.cols)
		return [3]func(){
			func() {
				clear(out)
				k.Rows.Wide.MulRows[stored.Layout](out, stored, nil, 0, width, w)
			},
			func() {
				if stored.Idx16 != nil {
					plainWideMul(out, m.ptr, stored.Idx16, stored.Val64, w, width)
				} else {
					plainWideMul(out, m.ptr, stored.Idx32, stored.Val64, w, width)
				}
			},
			func() {
				for range width {
					k.Rows.Dot[stored.Layout](one, stored, nil, 0, column)
				}
			},
		}
	})
	add := contest.NewTable(os.Stdout, "Its transpose (W += X'C)", "a non-zero", names...)
	wideTable(add, func(m *matrix, stored *rows.Matrix, width int) [3]func() {
		c, w := randomVector(m.rows*width), randomVector(m.cols*width)
		one, column := randomVector(m.rows), randomVector(m.cols)
		return [3]func(){
			func() { k.Rows.Wide.AddRows[stored.Layout](w, stored, nil, 0, width, c) },
			func() {
				if stored.Idx16 != nil {
					plainWideAdd(w, m.ptr, stored.Idx16, stored.Val64, c, width)
				} else {
					plainWideAdd(w, m.ptr, stored.Idx32, stored.Val64, c, width)
				}
			},
			func() {
				for range width {
					k.Rows.Add[stored.Layout](column, stored, nil, 0, one)
				}
			},
		}
	})
}

func wideTable(table *contest.Table, contenders func(m *matrix, stored *rows.Matrix, width int) [3]func()) {
	for _, c := range []struct {
		shape  shape
		layout rows.Layout
	}{
		{shapes[0], rows.I16Ones},
		{shape{"76 a row, 4,000 columns", 1024, 76, 4000}, rows.I16F64},
		{shape{"76 a row, 47,236 columns", 1024, 76, 47236}, rows.I16F64},
	} {
		m := newMatrix(c.shape)
		for _, width := range []int{4, 20, 105} {
			run := contenders(m, m.layouts[c.layout], width)
			table.Row(fmt.Sprintf("%s, %s, K = %d", m.name, layoutNames[c.layout], width), int(m.ptr[m.rows]), contest.Run(
				contest.Contender{Name: "lanes", Run: run[0]},
				contest.Contender{Name: "plain Go", Run: run[1]},
				contest.Contender{Name: "a column at a time", Run: run[2]},
			))
		}
	}
}
