package bench

import (
	"reflect"
	"slices"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/asm/vector"
)

// described returns the works of the kernels of asm/vector with a shape, from vector.List.
func described(shape vector.Shape) map[string]work {
	works := map[string]work{}
	for _, k := range vector.List {
		if k.Shape != shape {
			continue
		}
		field, _ := reflect.TypeFor[vector.Kernels]().FieldByName(k.Name)
		w := work{fused: k.Fused}
		width := 0.0 // of what is computed with, as a part of 64 bits
		for i := range field.Type.NumIn() {
			in := field.Type.In(i)
			if in.Kind() != reflect.Slice {
				continue
			}
			part := float64(in.Elem().Size()) / 8
			if shape == vector.Sparse && i == field.Type.NumIn()-1 {
				w.stores, width = 1, part
				continue
			}
			if field.Type.NumOut() == 0 && i == 0 {
				w.writes = part
				continue
			}
			w.reads += part
			width = max(part, 1./4) // bytes are computed with in 16 bits
			if shape == vector.Batch {
				break // the query stays in a cache, and rows have as many bytes
			}
		}
		w.operations, w.divisions = width*k.Operations, width*k.Divisions
		if field.Type.NumOut() > 0 && k.Fused && shape != vector.Sparse {
			w.sums = 64
		}
		works["vector."+k.Name] = w
	}
	return works
}

// batchSizes are of rows that lie in the second cache, and in memory.
func batchSizes(o *Options, _ work, most int) (sizes []Size) {
	for _, n := range o.lengths([]int{96, 768}, []int{16, 96, 384, 768, 1536}) {
		for _, elements := range []int{min(more, most), most} {
			if size := (Size{Length: n, NonZeros: elements / n * n}); n <= most && !slices.Contains(sizes, size) {
				sizes = append(sizes, size)
			}
		}
	}
	return sizes
}

func batchDemand(_, _ string, w work, s Size) demand {
	d := vectorDemand(w, float64(s.NonZeros))
	d.write = 4 * float64(s.NonZeros/s.Length)
	d.streamed = d.read + d.write
	return d
}

// batchCall is vectorCall for the kernels on rows.
func batchCall(_, _ string, f any, in *operands) func(n int) {
	switch f := f.(type) {
	case func(dst, query, rows []float32, stride int, list []uint32):
		return func(n int) {
			for range n {
				f(in.scores, in.y32, in.x32, len(in.y32), nil)
			}
		}
	case func(dst []int32, query, rows []int8, stride int, list []uint32):
		return func(n int) {
			for range n {
				f(in.counts, in.y8, in.x8, len(in.y8), nil)
			}
		}
	case func(dst []int32, query, rows []uint64, stride int, list []uint32):
		return func(n int) {
			for range n {
				f(in.counts, in.yb, in.xb, len(in.yb), nil)
			}
		}
	case func(dst []float32, query, rows []uint64, stride int, list []uint32):
		return func(n int) {
			for range n {
				f(in.scores, in.yb, in.xb, len(in.yb), nil)
			}
		}
	}
	return nil
}

// addedDemand is of a sparse vector that is read, and elements of another one that are changed.
func addedDemand(_, _ string, w work, s Size) demand {
	d := vectorDemand(w, float64(s.NonZeros))
	d.streamed = d.read
	d.stores, d.scattered = d.elements*w.stores, 8*float64(s.Columns)
	return d
}

// addedCall is vectorCall for the kernels that add a sparse vector.
func addedCall(_, _ string, f any, in *operands) func(n int) {
	m, narrow := in.matrix[rows.I32F64], in.matrix[rows.I16F32].Idx16
	x32, y, y32 := in.matrix[rows.I32F32].Val32, in.w, make([]float32, len(in.w))
	switch f := f.(type) {
	case func(a float64, idx []uint32, val, y []float64) bool:
		return added(f, m.Idx32, m.Val64, y)
	case func(a float64, idx []uint32, val []float32, y []float64) bool:
		return added(f, m.Idx32, x32, y)
	case func(a float64, idx []uint16, val, y []float64) bool:
		return added(f, narrow, m.Val64, y)
	case func(a float64, idx []uint16, val []float32, y []float64) bool:
		return added(f, narrow, x32, y)
	case func(a float64, idx []uint32, y []float64) bool:
		return addedOnes(f, m.Idx32, y)
	case func(a float64, idx []uint16, y []float64) bool:
		return addedOnes(f, narrow, y)
	case func(a float32, idx []uint32, val, y []float32) bool:
		return added(f, m.Idx32, x32, y32)
	case func(a float32, idx []uint16, val, y []float32) bool:
		return added(f, narrow, x32, y32)
	case func(a float32, idx []uint32, y []float32) bool:
		return addedOnes(f, m.Idx32, y32)
	case func(a float32, idx []uint16, y []float32) bool:
		return addedOnes(f, narrow, y32)
	}
	return nil
}

func added[I uint16 | uint32, V, Y float32 | float64](f func(a Y, idx []I, val []V, y []Y) bool, idx []I, val []V, y []Y) func(n int) {
	return func(n int) {
		for range n {
			sinkTrue = f(small, idx, val, y)
		}
	}
}

func addedOnes[I uint16 | uint32, Y float32 | float64](f func(a Y, idx []I, y []Y) bool, idx []I, y []Y) func(n int) {
	return func(n int) {
		for range n {
			sinkTrue = f(small, idx, y)
		}
	}
}
