package fuzz

import (
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/kernels"
)

// FuzzSparseVector gives the public sparse kernels indices in any order, repeated
// and out of range: on every path they either refuse them and touch nothing, or
// compute what the definition says.
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
		c, val := in.float(), in.floats(n)
		val32 := singles(val)
		w := in.floats(d)
		run := func() [][]float64 {
			out := sparseVector(t, idx32, val, valid, c, w)
			out = append(out, sparseVector(t, idx32, val32, valid, c, w)...)
			if !wide {
				out = append(out, sparseVector(t, idx16, val, valid, c, w)...)
				out = append(out, sparseVector(t, idx16, val32, valid, c, w)...)
			}
			return out
		}
		former := asm.Active()
		defer asm.Use(former)
		asm.Use(asm.Generic)
		want := run()
		eachTable(func(k *asm.Table) {
			asm.Use(k)
			for i, got := range run() {
				requireEqual(t, k.Path, got, want[i])
			}
		})
	})
}

func sparseVector[I uint16 | uint32, V float32 | float64](t *testing.T, idx []I, val []V, valid bool, c float64, w []float64) [][]float64 {
	t.Helper()
	added, addedOnes := slices.Clone(w), slices.Clone(w)
	dot, err1 := kernels.SparseDot(idx, val, w)
	ones, err2 := kernels.SparseDotOnes(idx, w)
	err3 := kernels.SparseAdd(added, c, idx, val)
	err4 := kernels.SparseAddOnes(addedOnes, c, idx)
	for i, err := range []error{err1, err2, err3, err4} {
		if (err == nil) != valid {
			t.Fatalf("kernel %d: error %v, but the indices are valid: %v", i, err, valid)
		}
	}
	if !valid {
		requireEqual(t, "a refused SparseAdd", added, w)
		requireEqual(t, "a refused SparseAddOnes", addedOnes, w)
	}
	largest := I(0)
	for _, j := range idx {
		largest = max(largest, j)
	}
	if got := kernels.MaxIndex(idx); got != largest {
		t.Fatalf("MaxIndex gives %d of %d", got, largest)
	}
	sums := []float64{dot, ones}
	if valid {
		want := slices.Clone(w)
		for e, j := range idx {
			want[j] = math.FMA(c, float64(val[e]), want[j])
		}
		requireEqual(t, "SparseAdd", added, want)
		// The doors do a few entries themselves on every path, and are no twin of themselves.
		twin, onesTwin := twins[I, V]()
		dot, _ := twin.Dot(idx, val, w)
		sum, _ := onesTwin.Dot(idx, nil, w)
		requireEqual(t, "sums", sums, []float64{dot, sum})
	}
	return [][]float64{sums, added, addedOnes}
}

// twins are the portable kernels of a layout and of its indices without values.
func twins[I uint16 | uint32, V float32 | float64]() (twin *rows.VectorOf[I, V], ones *rows.VectorOf[I, struct{}]) {
	k := &asm.Generic.Rows.Vector
	for _, each := range []any{&k.I32F64, &k.I32F32, &k.I32Ones, &k.I16F64, &k.I16F32, &k.I16Ones} {
		switch of := each.(type) {
		case *rows.VectorOf[I, V]:
			twin = of
		case *rows.VectorOf[I, struct{}]:
			ones = of
		}
	}
	return twin, ones
}
