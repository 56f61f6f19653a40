package matrix

import "github.com/lanes-go/lanes/asm/rows"

// writeColumnValues writes the values of a mixed matrix to its columns, whose entries are ones.
func writeColumnValues(to *rows.Matrix, x *rows.Mix) {
	for s, j := range x.Columns {
		for e := to.Begin[j]; e < to.End[j]; e++ {
			if at := to.Column(e)*x.Stride + s; x.Val64 != nil {
				to.Val64[e] = x.Val64[at]
			} else {
				to.Val32[e] = x.Val32[at]
			}
		}
	}
}

// pickMixed gives rows the values of the columns that have a place in them, which begins at 1. Rows
// that have no such column are ones.
func pickMixed(to *rows.Matrix, x *rows.Mix, place []uint32) {
	picked := &rows.Mix{}
	var slots []int
	for s, j := range x.Columns {
		if place[j] > 0 {
			picked.Columns, slots = append(picked.Columns, place[j]-1), append(slots, s)
		}
	}
	if len(slots) == 0 {
		if to.Layout = rows.I32Ones; to.Idx16 != nil {
			to.Layout = rows.I16Ones
		}
		return
	}
	picked.Stride = len(slots)
	picked.Val32 = pickSlots(x.Val32, x.Stride, slots, len(to.Begin))
	picked.Val64 = pickSlots(x.Val64, x.Stride, slots, len(to.Begin))
	plan(to, picked)
	to.Mix = mixOf(to, picked)
}

func pickSlots[V float32 | float64](from []V, stride int, slots []int, n int) []V {
	if from == nil {
		return nil
	}
	to := make([]V, 0, n*len(slots)+rows.MixPad)
	for i := range n {
		for _, s := range slots {
			to = append(to, from[i*stride+s])
		}
	}
	return to[:len(to)+rows.MixPad]
}
