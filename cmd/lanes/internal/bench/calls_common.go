package bench

import (
	"strings"

	"github.com/lanes-go/lanes/asm/rows"
)

// Of an index of either vector: values are read where both have it, which is seldom.
var commonWork = map[string]work{
	"rows.Common":          {operations: 1},
	"rows.Common.Count32":  {operations: 1},
	"rows.Common.Count16":  {operations: 1},
	"rows.Common.Rising32": {operations: 1},
	"rows.Common.Rising16": {operations: 1},
}

// commonSizes are those of two rows as long as each other.
func commonSizes(o *Options, w work, most int) []Size {
	sizes := sparseSizes(o, w, most)
	for k := range sizes {
		sizes[k].NonZeros *= 2
	}
	return sizes
}

func commonDemand(kernel, layout string, w work, s Size) demand {
	d := vectorDemand(w, float64(s.NonZeros))
	index := 4.0
	if strings.HasSuffix(kernel, "16") || strings.HasPrefix(layout, "i16") {
		index = 2
	}
	d.read = index * d.elements
	if strings.Contains(kernel, "Rising") { // of one vector
		d.read, d.elements, d.operations = d.read/2, d.elements/2, d.operations/2
	}
	d.streamed = d.read
	return d
}

// commonCall takes the first two rows.
func commonCall(_, layout string, f any, in *operands) func(n int) {
	wide, narrow := in.of("i32f64"), in.of("i16f64")
	idx32, idx16 := wide.Idx32, []uint16(nil)
	if narrow != nil {
		idx16 = narrow.Idx16
	}
	small := in.of("i32f32").Val32
	switch f := f.(type) {
	case rows.CommonOf[uint32, float64]:
		return commonCallOf(f, idx32, wide.Val64)
	case rows.CommonOf[uint32, float32]:
		return commonCallOf(f, idx32, small)
	case rows.CommonOf[uint16, float64]:
		return commonCallOf(f, idx16, wide.Val64)
	case rows.CommonOf[uint16, float32]:
		return commonCallOf(f, idx16, small)
	case func(idx1 []uint32, val1 []float64, idx2 []uint32, val2 []float64) (float64, error):
		return commonDoorOf(f, idx32, wide.Val64)
	case func(idx1 []uint32, val1 []float32, idx2 []uint32, val2 []float32) (float64, error):
		return commonDoorOf(f, idx32, small)
	case func(idx1 []uint16, val1 []float64, idx2 []uint16, val2 []float64) (float64, error):
		return commonDoorOf(f, idx16, wide.Val64)
	case func(idx1 []uint16, val1 []float32, idx2 []uint16, val2 []float32) (float64, error):
		return commonDoorOf(f, idx16, small)
	case func(idx1, idx2 []uint32) int:
		return countCallOf(f, idx32)
	case func(idx1, idx2 []uint16) int:
		return countCallOf(f, idx16)
	case func(idx1, idx2 []uint32) (int, error):
		return countCallOf(func(idx1, idx2 []uint32) (n int) {
			n, sinkError = f(idx1, idx2)
			return n
		}, idx32)
	case func(idx []uint32) bool:
		return risingCallOf(f, idx32)
	case func(idx []uint16) bool:
		return risingCallOf(f, idx16)
	}
	return nil
}

func commonCallOf[I uint16 | uint32, V float32 | float64](f rows.CommonOf[I, V], idx []I, val []V) func(n int) {
	half := len(idx) / 2
	return func(n int) {
		for range n {
			sink = f(idx[:half], val[:half], idx[half:], val[half:])
		}
	}
}

func commonDoorOf[I uint16 | uint32, V float32 | float64](f func([]I, []V, []I, []V) (float64, error), idx []I, val []V) func(n int) {
	half := len(idx) / 2
	return func(n int) {
		for range n {
			sink, sinkError = f(idx[:half], val[:half], idx[half:], val[half:])
		}
	}
}

func countCallOf[I uint16 | uint32](f func([]I, []I) int, idx []I) func(n int) {
	half := len(idx) / 2
	return func(n int) {
		for range n {
			sinkInt = f(idx[:half], idx[half:])
		}
	}
}

func risingCallOf[I uint16 | uint32](f func([]I) bool, idx []I) func(n int) {
	idx = idx[:len(idx)/2]
	return func(n int) {
		for range n {
			sinkTrue = f(idx)
		}
	}
}
