package vector_test

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/kernels/vector"
)

// TestRanges: an invalid scale or range is an error, and nothing is written.
func TestRanges(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	x, dst, small := []float32{1, -3}, []float32{5, 5}, []int8{7, 7}
	for _, scale := range []float32{0, -1, nan, inf, -inf} {
		err1, err2 := vector.Quantise(small, x, scale, 0), vector.Dequantise(dst, small, scale, 0)
		for _, err := range []error{err1, err2} {
			if err == nil || !strings.Contains(err.Error(), "scale is ") {
				t.Errorf("scale %v: %v", scale, err)
			}
		}
	}
	for _, r := range [][2]float32{{1, 0}, {nan, 0}, {0, nan}} {
		if err := vector.Clamp(dst, x, r[0], r[1]); err == nil || !strings.Contains(err.Error(), "lo <= hi must hold") {
			t.Errorf("%v: %v", r, err)
		}
	}
	if dst[0] != 5 || dst[1] != 5 || small[0] != 7 || small[1] != 7 {
		t.Errorf("a refused call writes: %v, %v", dst, small)
	}
	if err := vector.Clamp(dst, x, -inf, 0); err != nil || dst[0] != 0 || dst[1] != -3 {
		t.Errorf("up to 0: %v, %v", dst, err)
	}
}

// TestOverlaps gives a destination that lies before or behind an operand, and one that touches it.
func TestOverlaps(t *testing.T) {
	array, bytes, halves := make([]float32, 16), make([]int8, 64), make([]uint16, 32)
	for i := range array {
		array[i] = 1
	}
	apart := make([]float32, 4)
	for at := range 9 {
		dst, x := array[at:][:4], array[4:8]
		clean := at == 0 || at == 8
		for name, err := range map[string]error{
			"Exp": vector.Exp(dst, x), "x of Add": vector.Add(dst, x, apart), "y of Add": vector.Add(dst, apart, x), "z of MulAdd": vector.MulAdd(dst, apart, apart, x),
		} {
			if (err == nil) != (clean || at == 4) {
				t.Errorf("%s, dst at %d: %v", name, at, err)
			}
		}
	}
	// The same memory as numbers of less width: the four elements are bytes 16 to 31.
	small := unsafe.Slice((*int8)(unsafe.Pointer(&array[0])), 64)
	short := unsafe.Slice((*uint16)(unsafe.Pointer(&array[0])), 32)
	for at := range 48 {
		if err := vector.Quantise(small[at:][:4], array[4:8], 1, 0); (err == nil) != (at <= 12 || at >= 32) {
			t.Errorf("Quantise to byte %d: %v", at, err)
		}
		if err := vector.Dequantise(array[4:8], small[at:][:4], 1, 0); (err == nil) != (at <= 12 || at >= 32) {
			t.Errorf("Dequantise of byte %d: %v", at, err)
		}
	}
	for at := range 24 {
		if err := vector.ToBFloat16(short[at:][:4], array[4:8]); (err == nil) != (at <= 4 || at >= 16) {
			t.Errorf("ToBFloat16 to half %d: %v", at, err)
		}
	}
	if err := vector.Quantise(bytes[:0], nil, 1, 0); err != nil {
		t.Error(err)
	}
	if err := vector.FromFloat16(array[:0], halves[:0]); err != nil {
		t.Error(err)
	}
}

// TestFunctionsAllocateNothing has operands on the stack, which functions must leave there.
func TestFunctionsAllocateNothing(t *testing.T) {
	n := allocations.Count(10, func() {
		var x, dst [40]float32
		var small [40]int8
		var halves [40]uint16
		if err := cmp.Or(vector.Clamp(dst[:], x[:], 0, 1), vector.Exp(dst[:], x[:]), vector.Log(dst[:], x[:]), vector.Sigmoid(dst[:], x[:]),
			vector.Tanh(dst[:], x[:]), vector.Quantise(small[:], x[:], 1, 0), vector.Dequantise(dst[:], small[:], 1, 0),
			vector.ToFloat16(halves[:], x[:]), vector.FromFloat16(dst[:], halves[:]), vector.ToBFloat16(halves[:], x[:]),
			vector.FromBFloat16(dst[:], halves[:])); err != nil {
			t.Error(err)
		}
	})
	if n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestConversionsApart: numbers that are converted onto a byte of one another are refused, and nothing is
// written; those beside one another are taken.
func TestConversionsApart(t *testing.T) {
	conversionsApart(t, "Quantise", func(dst []int8, x []float32) error { return vector.Quantise(dst, x, 1, 0) })
	conversionsApart(t, "Dequantise", func(dst []float32, x []int8) error { return vector.Dequantise(dst, x, 1, 0) })
	conversionsApart(t, "ToFloat16", vector.ToFloat16)
	conversionsApart(t, "FromFloat16", vector.FromFloat16)
	conversionsApart(t, "ToBFloat16", vector.ToBFloat16)
	conversionsApart(t, "FromBFloat16", vector.FromBFloat16)
}

func conversionsApart[D, X any](t *testing.T, name string, convert func(dst []D, x []X) error) {
	t.Helper()
	const n, all = 5, 15 // elements, and words of four bytes
	words := make([]float32, all)
	writes, reads := int(unsafe.Sizeof(*new(D))), int(unsafe.Sizeof(*new(X)))
	for to := 0; to <= 4*all-n*writes; to += writes {
		for from := 0; from <= 4*all-n*reads; from += reads {
			for i := range words {
				words[i] = 1 + 0x1p-7
			}
			start := unsafe.Pointer(&words[0])
			dst, x := unsafe.Slice((*D)(unsafe.Add(start, to)), n), unsafe.Slice((*X)(unsafe.Add(start, from)), n)
			err, apart := convert(dst, x), to+n*writes <= from || from+n*reads <= to
			written := slices.ContainsFunc(words, func(v float32) bool { return v != 1+0x1p-7 })
			if (err == nil) != apart || written != apart {
				t.Fatalf("%s of %d elements from byte %d on to byte %d: error %v, words %v", name, n, from, to, err, words)
			}
		}
	}
}
