//lint:file-ignore U1000 the assembly of amd64 calls some of these functions

package rows

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/lanes-go/lanes/internal/arguments"
)

// The doors of package kernels to VectorKernels. They check lengths, overlaps and indices.
//
// Those that only read, in vector_dot.go, do a few entries in Go, because
// Go passes arguments in registers and assembly takes them from the stack: with less than
// nine entries a lane has one at most, and the sum of the lanes needs no kernel. What they
// take of a slice is what fits in registers. More entries go to the kernel of the path.
//
// Those that write are assembly, which needs no look at the CPU to fuse a multiplication
// with an addition.

// few is how many entries the doors do in Go, and some of them twice as many.
const few = 8

// LayoutOf has a size that tells the layout of indices I and values V, for which the
// compiler takes one constant.
type LayoutOf[I, V any] struct {
	_ V
	_ [7]I
}

const (
	SizeI32F64  = unsafe.Sizeof(LayoutOf[uint32, float64]{})
	SizeI16F64  = unsafe.Sizeof(LayoutOf[uint16, float64]{})
	SizeI32F32  = unsafe.Sizeof(LayoutOf[uint32, float32]{})
	SizeI16F32  = unsafe.Sizeof(LayoutOf[uint16, float32]{})
	sizeI32Ones = unsafe.Sizeof(LayoutOf[uint32, struct{}]{})
	sizeI32     = unsafe.Sizeof(uint32(0)) // of indices without values
)

// IndexError makes the error of an index that is not below n. Package kernels sets it.
var IndexError = func(kernel string, position, index, n int) error {
	return fmt.Errorf("kernels.%s: index %d at position %d is not below %d", kernel, index, position, n)
}

// path is the index in Paths of the kernels that the doors call. The assembly reads it.
var path atomic.Uint32

// Use makes Paths[i] the kernels that the doors call, from their next call on.
func Use(i int) { path.Store(uint32(i)) }

// The doors to Add where the assembly has none, or refuses.

func addI32F64(w *float64, c float64, idx, val unsafe.Pointer, n, nw int) error {
	return addDoor(slice[float64](unsafe.Pointer(w), nw), c, slice[uint32](idx, n), slice[float64](val, n))
}

func addI16F64(w *float64, c float64, idx, val unsafe.Pointer, n, nw int) error {
	return addDoor(slice[float64](unsafe.Pointer(w), nw), c, slice[uint16](idx, n), slice[float64](val, n))
}

func addI32F32(w *float64, c float64, idx, val unsafe.Pointer, n, nw int) error {
	return addDoor(slice[float64](unsafe.Pointer(w), nw), c, slice[uint32](idx, n), slice[float32](val, n))
}

func addI16F32(w *float64, c float64, idx, val unsafe.Pointer, n, nw int) error {
	return addDoor(slice[float64](unsafe.Pointer(w), nw), c, slice[uint16](idx, n), slice[float32](val, n))
}

func sparseAddOnes(size uintptr, w *float64, c float64, idx unsafe.Pointer, n, nw int) error {
	if to := slice[float64](unsafe.Pointer(w), nw); size == sizeI32 {
		return addDoor(to, c, slice[uint32](idx, n), make([]struct{}, n))
	} else {
		return addDoor(to, c, slice[uint16](idx, n), make([]struct{}, n))
	}
}

func slice[T any](p unsafe.Pointer, n int) []T { return unsafe.Slice(arguments.Unseen((*T)(p)), n) }

// kernelsOf are the kernels of a layout that the doors in Go call.
func kernelsOf[I index, V any]() *VectorOf[I, V] {
	all := behindDoors()
	k := unsafe.Pointer(&all.I16Ones)
	switch unsafe.Sizeof(LayoutOf[I, V]{}) {
	case SizeI32F64:
		k = unsafe.Pointer(&all.I32F64)
	case SizeI32F32:
		k = unsafe.Pointer(&all.I32F32)
	case sizeI32Ones:
		k = unsafe.Pointer(&all.I32Ones)
	case SizeI16F64:
		k = unsafe.Pointer(&all.I16F64)
	case SizeI16F32:
		k = unsafe.Pointer(&all.I16F32)
	}
	return (*VectorOf[I, V])(k)
}

func addDoor[I index, V any](w []float64, c float64, idx []I, val []V) error {
	const name = "SparseAdd"
	ones := unsafe.Sizeof(*new(V)) == 0
	if arguments.Overlap(w, val) || arguments.Overlap(w, idx) {
		return fmt.Errorf("kernels.%s: w overlaps the sparse vector", nameOf(name, ones))
	}
	if !kernelsOf[I, V]().Add(w, c, idx, val) {
		return indexError(name, ones, idx, len(w))
	}
	return nil
}

func nameOf(kernel string, ones bool) string {
	if ones {
		return kernel + "Ones"
	}
	return kernel
}

// indexError finds the index that a kernel refused.
//
//go:noinline
func indexError[I index](kernel string, ones bool, idx []I, n int) error {
	kernel = nameOf(kernel, ones)
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
