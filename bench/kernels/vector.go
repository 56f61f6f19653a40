package main

import (
	"os"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/kernels"
)

// vectorTable shows what checking the indices of raw slices costs: the public
// function on one vector after the other, against the kernel that takes the rows
// of a matrix, which were checked when it was built, one row a call.
func vectorTable() {
	k := asm.Active()
	table := contest.NewTable(os.Stdout, "One sparse vector a call, indices checked", "a non-zero", "checked", "unchecked", "plain Go")
	for _, s := range shapes {
		m := newMatrix(s)
		stored, w, out := m.layouts[rows.I32F64], randomVector(m.cols), make([]float64, m.rows)
		table.Row(s.name, int(m.ptr[m.rows]), contest.Run(
			contest.Contender{Name: "checked", Run: func() {
				for i := range out {
					begin, end := m.ptr[i], m.ptr[i+1]
					out[i], _ = kernels.SparseDot(stored.Idx32[begin:end], stored.Val64[begin:end], w)
				}
			}},
			contest.Contender{Name: "unchecked", Run: func() {
				for i := range out {
					k.Rows.Dot[rows.I32F64](out[i:i+1], stored, nil, i, w)
				}
			}},
			contest.Contender{Name: "plain Go", Run: func() { plainDot(out, m.ptr, stored.Idx32, stored.Val64, nil, w) }},
		))
	}
}
