//lint:file-ignore U1000 the assembly of amd64 calls these functions

package rows

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/lanes-go/lanes/internal/arguments"
)

// The doors of package kernels to VectorKernels, as those of package dense: they check,
// and call the kernels of the path in use. Indices and values are pointers, whose types
// the layout tells; it comes first, and the lengths at the end.

// LayoutOf has a size that tells the layout of indices I and values V, for which the
// compiler takes one constant.
type LayoutOf[I, V any] struct {
	_ V
	_ [7]I
}

const (
	sizeI32F64 = unsafe.Sizeof(LayoutOf[uint32, float64]{})
	sizeI16F64 = unsafe.Sizeof(LayoutOf[uint16, float64]{})
	sizeI32F32 = unsafe.Sizeof(LayoutOf[uint32, float32]{})
	sizeI16F32 = unsafe.Sizeof(LayoutOf[uint16, float32]{})
	sizeI32    = unsafe.Sizeof(uint32(0)) // without values
)

// IndexError makes the error of an index that is not below n. Package kernels sets it.
var IndexError = func(kernel string, position, index, n int) error {
	return fmt.Errorf("kernels.%s: index %d at position %d is not below %d", kernel, index, position, n)
}

// path is the index in Paths of the kernels that the doors call. The assembly reads it.
var path atomic.Uint32

// Use makes Paths[i] the kernels that the doors call, from their next call on.
func Use(i int) { path.Store(uint32(i)) }

func sparseDot(layout uintptr, idx, val unsafe.Pointer, w []float64, n, nv int) (sum float64, err error) {
	switch k := behindDoors(); layout {
	case sizeI32F64:
		return dotDoor(&k.I32F64, "SparseDot", slice[uint32](idx, n), slice[float64](val, nv), w)
	case sizeI16F64:
		return dotDoor(&k.I16F64, "SparseDot", slice[uint16](idx, n), slice[float64](val, nv), w)
	case sizeI32F32:
		return dotDoor(&k.I32F32, "SparseDot", slice[uint32](idx, n), slice[float32](val, nv), w)
	default:
		return dotDoor(&k.I16F32, "SparseDot", slice[uint16](idx, n), slice[float32](val, nv), w)
	}
}

func sparseDotOnes(size uintptr, idx unsafe.Pointer, w *float64, n, nw int) (sum float64, err error) {
	ws, ones := unsafe.Slice(w, nw), make([]struct{}, n)
	if k := behindDoors(); size == sizeI32 {
		return dotDoor(&k.I32Ones, "SparseDotOnes", slice[uint32](idx, n), ones, ws)
	} else {
		return dotDoor(&k.I16Ones, "SparseDotOnes", slice[uint16](idx, n), ones, ws)
	}
}

func sparseDot2(layout uintptr, idx, val unsafe.Pointer, w1, w2 *float64, n, nv, n1, n2 int) (sum1, sum2 float64, err error) {
	ws1, ws2 := unsafe.Slice(w1, n1), unsafe.Slice(w2, n2)
	switch k := behindDoors(); layout {
	case sizeI32F64:
		return dot2Door(&k.I32F64, "SparseDot2", slice[uint32](idx, n), slice[float64](val, nv), ws1, ws2)
	case sizeI16F64:
		return dot2Door(&k.I16F64, "SparseDot2", slice[uint16](idx, n), slice[float64](val, nv), ws1, ws2)
	case sizeI32F32:
		return dot2Door(&k.I32F32, "SparseDot2", slice[uint32](idx, n), slice[float32](val, nv), ws1, ws2)
	default:
		return dot2Door(&k.I16F32, "SparseDot2", slice[uint16](idx, n), slice[float32](val, nv), ws1, ws2)
	}
}

func sparseDot2Ones(size uintptr, idx unsafe.Pointer, w1, w2 *float64, n, n1, n2 int) (sum1, sum2 float64, err error) {
	ws1, ws2, ones := unsafe.Slice(w1, n1), unsafe.Slice(w2, n2), make([]struct{}, n)
	if k := behindDoors(); size == sizeI32 {
		return dot2Door(&k.I32Ones, "SparseDot2Ones", slice[uint32](idx, n), ones, ws1, ws2)
	} else {
		return dot2Door(&k.I16Ones, "SparseDot2Ones", slice[uint16](idx, n), ones, ws1, ws2)
	}
}

func sparseAdd(layout uintptr, w []float64, c float64, idx, val unsafe.Pointer, n, nv int) (err error) {
	switch k := behindDoors(); layout {
	case sizeI32F64:
		return addDoor(&k.I32F64, "SparseAdd", w, c, slice[uint32](idx, n), slice[float64](val, nv))
	case sizeI16F64:
		return addDoor(&k.I16F64, "SparseAdd", w, c, slice[uint16](idx, n), slice[float64](val, nv))
	case sizeI32F32:
		return addDoor(&k.I32F32, "SparseAdd", w, c, slice[uint32](idx, n), slice[float32](val, nv))
	default:
		return addDoor(&k.I16F32, "SparseAdd", w, c, slice[uint16](idx, n), slice[float32](val, nv))
	}
}

func sparseAddOnes(size uintptr, w *float64, c float64, idx unsafe.Pointer, n, nw int) (err error) {
	ws, ones := unsafe.Slice(w, nw), make([]struct{}, n)
	if k := behindDoors(); size == sizeI32 {
		return addDoor(&k.I32Ones, "SparseAddOnes", ws, c, slice[uint32](idx, n), ones)
	} else {
		return addDoor(&k.I16Ones, "SparseAddOnes", ws, c, slice[uint16](idx, n), ones)
	}
}

func slice[T any](p unsafe.Pointer, n int) []T { return unsafe.Slice((*T)(p), n) }

func dotDoor[I index, V any](k *VectorOf[I, V], name string, idx []I, val []V, w []float64) (float64, error) {
	if len(idx) != len(val) {
		return 0, arguments.Lengths(name, "idx", len(idx), "val", len(val))
	}
	sum, ok := k.Dot(idx, val, w)
	if !ok {
		return 0, indexError(name, idx, len(w))
	}
	return sum, nil
}

func dot2Door[I index, V any](k *VectorOf[I, V], name string, idx []I, val []V, w1, w2 []float64) (float64, float64, error) {
	if len(idx) != len(val) {
		return 0, 0, arguments.Lengths(name, "idx", len(idx), "val", len(val))
	}
	if len(w1) != len(w2) {
		return 0, 0, arguments.Lengths(name, "w1", len(w1), "w2", len(w2))
	}
	sum1, sum2, ok := k.Dot2(idx, val, w1, w2)
	if !ok {
		return 0, 0, indexError(name, idx, len(w1))
	}
	return sum1, sum2, nil
}

func addDoor[I index, V any](k *VectorOf[I, V], name string, w []float64, c float64, idx []I, val []V) error {
	if len(idx) != len(val) {
		return arguments.Lengths(name, "idx", len(idx), "val", len(val))
	}
	if arguments.Overlap(w, val) || arguments.Overlap(w, idx) {
		return fmt.Errorf("kernels.%s: w overlaps the sparse vector", name)
	}
	if !k.Add(w, c, idx, val) {
		return indexError(name, idx, len(w))
	}
	return nil
}

// indexError finds the index that a kernel refused.
func indexError[I index](kernel string, idx []I, n int) error {
	at := slices.IndexFunc(idx, func(j I) bool { return uint64(j) >= uint64(n) })
	if at < 0 {
		return errors.New("kernels." + kernel + ": the indices changed during the call")
	}
	return IndexError(kernel, at, int(idx[at]), n)
}

func maxIndexOf(size uintptr, idx unsafe.Pointer, n int) (most int) {
	if k := behindDoors(); size == sizeI32 {
		return int(k.MaxU32(slice[uint32](idx, n)))
	} else {
		return int(k.MaxU16(slice[uint16](idx, n)))
	}
}
