package fuzz

import (
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// vectorSum runs the kernel of one layout on one vector.
func vectorSum[I uint16 | uint32, V any](dot rows.VectorDot[I, V], idx []I, val []V, w []float64) []float64 {
	sum, ok := dot(idx, val, w)
	if !ok {
		return []float64{0, 0} // the sum is undefined
	}
	return []float64{1, sum}
}

// FuzzVector gives the kernels on one sparse vector indices in any order, repeated and out of
// range. Some are the greatest possible.
func FuzzVector(f *testing.F) {
	seedBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		n, d, wide := in.below(90), in.below(80), in.byte()%4 == 0
		idx32, idx16 := make([]uint32, n), make([]uint16, n)
		for e := range idx32 {
			if idx32[e] = uint32(in.below(max(1, d))); wide && in.byte()%16 == 0 {
				idx32[e] = uint32(in.uint64())
			}
			idx16[e] = uint16(idx32[e])
		}
		_, val, w := in.float(), in.floats(n), in.floats(d) // kept inputs have a number here
		val32 := singles(val)
		run := func(k *asm.Table) []float64 {
			v := &k.Rows.Vector
			return slices.Concat(
				vectorSum(v.Dot.I32F64, idx32, val, w), vectorSum(v.Dot.I32F32, idx32, val32, w), vectorSum(v.Dot.I32Ones, idx32, nil, w),
				vectorSum(v.Dot.I16F64, idx16, val, w), vectorSum(v.Dot.I16F32, idx16, val32, w), vectorSum(v.Dot.I16Ones, idx16, nil, w))
		}
		want := run(asm.Generic)
		eachPath(func(k *asm.Table) { requireEqual(t, k.Path, run(k), want) })
	})
}
