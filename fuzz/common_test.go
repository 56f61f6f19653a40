package fuzz

import (
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/kernels"
)

// FuzzCommon compares the kernels of two sparse vectors of every path with the portable
// twin, and gives the public functions indices in any order.
func FuzzCommon(f *testing.F) {
	seedBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		step := 1 + in.below(6) // how far apart indices are
		ends := in.byte()%4 == 0
		vector := func() (idx []uint32, val []float64) {
			idx = make([]uint32, in.below(80))
			for e := range idx {
				idx[e] = uint32(1 + in.below(step))
				if e > 0 {
					idx[e] += idx[e-1]
				}
			}
			if n := len(idx); n > 0 && ends {
				idx[0], idx[n-1] = 0, 1<<32-1
				idx = slices.Compact(idx)
			}
			return idx, in.floats(len(idx))
		}
		idx1, val1 := vector()
		idx2, val2 := vector()
		narrow := func(idx []uint32) []uint16 {
			out := make([]uint16, len(idx))
			for e, j := range idx {
				out[e] = uint16(min(j, 1<<16-1))
			}
			return out
		}
		n1, n2, s1, s2 := narrow(idx1), narrow(idx2), singles(val1), singles(val2)
		// In any order, or not.
		any1 := make([]uint32, in.below(40))
		for e := range any1 {
			any1[e] = uint32(in.uint64())
		}
		if in.byte()%2 == 0 {
			slices.Sort(any1)
		}
		any2 := narrow(any1)
		run := func(k *asm.Table) []float64 {
			c := &k.Rows.Common
			truth := map[bool]float64{true: 1}
			return []float64{
				truth[c.Rising32(any1)], truth[c.Rising16(any2)], truth[c.Rising32(idx1)], truth[c.Rising16(n1)],
				c.I32F64(idx1, val1, idx2, val2), c.I32F32(idx1, s1, idx2, s2), c.I16F64(n1, val1, n2, val2), c.I16F32(n1, s1, n2, s2),
				float64(c.Count32(idx1, idx2)), float64(c.Count16(n1, n2)),
			}
		}
		want := run(asm.Generic)
		eachPath(func(k *asm.Table) { requireEqual(t, k.Path, run(k), want) })

		// The public functions take what rises, and refuse the rest, on every path.
		rises := true
		for e := 1; e < len(any1); e++ {
			rises = rises && any1[e] > any1[e-1]
		}
		defer asm.Use(asm.Active())
		refuses := func(k *asm.Table) {
			asm.Use(k)
			if _, err := kernels.CommonIndices(any1, idx2); (err == nil) != rises {
				t.Fatalf("%s: %v: %v", k.Path, any1, err)
			}
		}
		refuses(asm.Generic)
		eachTable(refuses)
	})
}
