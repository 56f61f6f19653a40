package fuzz

import (
	"testing"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/kernels"
)

// FuzzSparseVector gives the public sparse kernels indices in any order, repeated
// and out of range: on every path they either refuse them, or compute what
// the twin computes.
func FuzzSparseVector(f *testing.F) {
	seedBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		n, d := in.below(90), in.below(60)
		wide := in.byte()%4 == 0 // indices of any size
		idx32, idx16 := make([]uint32, n), make([]uint16, n)
		valid := true
		for e := range idx32 {
			if idx32[e] = uint32(in.below(61)); wide {
				idx32[e] = uint32(in.uint64())
			}
			idx16[e] = uint16(idx32[e])
			valid = valid && uint64(idx32[e]) < uint64(d)
		}
		_, val := in.float(), in.floats(n) // kept inputs have a number here
		val32 := singles(val)
		w := in.floats(d)
		twins := &asm.Generic.Rows.Vector
		defer asm.Use(asm.Active())
		run := func(k *asm.Table) {
			asm.Use(k)
			sparseVector(t, twins.Dot.I32F64, twins.Dot.I32Ones, idx32, val, valid, w)
			sparseVector(t, twins.Dot.I32F32, twins.Dot.I32Ones, idx32, val32, valid, w)
			if !wide {
				sparseVector(t, twins.Dot.I16F64, twins.Dot.I16Ones, idx16, val, valid, w)
				sparseVector(t, twins.Dot.I16F32, twins.Dot.I16Ones, idx16, val32, valid, w)
			}
		}
		run(asm.Generic)
		eachTable(run)
	})
}

func sparseVector[I uint16 | uint32, V float32 | float64](t *testing.T, twin rows.VectorDot[I, V], onesTwin rows.VectorDot[I, struct{}], idx []I, val []V, valid bool, w []float64) {
	t.Helper()
	dot, err1 := kernels.SparseDot(idx, val, w)
	ones, err2 := kernels.SparseDotOnes(idx, w)
	for i, err := range []error{err1, err2} {
		if (err == nil) != valid {
			t.Fatalf("kernel %d: error %v, but the indices are valid: %v", i, err, valid)
		}
	}
	if valid {
		want, _ := twin(idx, val, w)
		wantOnes, _ := onesTwin(idx, nil, w)
		requireEqual(t, "sums", []float64{dot, ones}, []float64{want, wantOnes})
	}
}
