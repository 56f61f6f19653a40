package fuzz

import (
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm"
)

// FuzzWide compares the products with matrices of every path with the portable twin.
func FuzzWide(f *testing.F) {
	seedBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		rows, width := 1+in.below(6), in.below(80)
		idx := make([]uint32, in.below(9))
		for e := range idx {
			idx[e] = uint32(in.below(rows))
		}
		val, w, c := in.floats(len(idx)), in.floats(rows*width), in.floats(width)
		run := func(k *asm.Table) (mul, add []float64) {
			mul, add = slices.Clone(c), slices.Clone(w)
			k.Rows.Wide.Mul(mul, idx, val, w)
			k.Rows.Wide.Add(add, idx, val, c)
			return mul, add
		}
		mul, add := run(asm.Generic)
		eachPath(func(k *asm.Table) {
			gotMul, gotAdd := run(k)
			requireEqual(t, k.Path+" Mul", gotMul, mul)
			requireEqual(t, k.Path+" Add", gotAdd, add)
		})
	})
}
