package fuzz

import (
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// vectorKernels runs those of one layout on one vector; all numbers of results are in out.
func vectorKernels[I uint16 | uint32, V any](k rows.VectorOf[I, V], idx []I, val []V, c float64, w []float64) (out []float64) {
	truth := map[bool]float64{true: 1}
	sum, ok := k.Dot(idx, val, w)
	to := slices.Clone(w)
	okAdd := k.Add(to, c, idx, val)
	if !ok { // an undefined sum
		sum = 0
	}
	return append(to, truth[ok], truth[okAdd], sum)
}

// FuzzVector gives the kernels on one sparse vector indices in any order, repeated and
// out of range, of which some are the greatest there are.
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
		c, val, w := in.float(), in.floats(n), in.floats(d)
		val32 := singles(val)
		run := func(k *asm.Table) []float64 {
			v := &k.Rows.Vector
			return slices.Concat(
				vectorKernels(v.I32F64, idx32, val, c, w), vectorKernels(v.I32F32, idx32, val32, c, w), vectorKernels(v.I32Ones, idx32, nil, c, w),
				vectorKernels(v.I16F64, idx16, val, c, w), vectorKernels(v.I16F32, idx16, val32, c, w), vectorKernels(v.I16Ones, idx16, nil, c, w),
				[]float64{float64(v.MaxU32(idx32)), float64(v.MaxU16(idx16))})
		}
		want := run(asm.Generic)
		eachPath(func(k *asm.Table) { requireEqual(t, k.Path, run(k), want) })
	})
}
