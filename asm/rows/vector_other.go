//go:build !amd64 || purego

package rows

import (
	"unsafe"

	"github.com/lanes-go/lanes/internal/base/arguments"
)

const assembled = false

func behindDoors() *VectorKernels { return &Paths[path.Load()].Vector }

// Nobody calls these where nothing is assembled.

func longDot(uintptr, unsafe.Pointer, unsafe.Pointer, *float64, int, int) (sum float64, ok bool) {
	return
}

func longDotOnes(uintptr, unsafe.Pointer, *float64, int, int) (sum float64, ok bool) {
	return
}

func MaxIndex(size uintptr, idx unsafe.Pointer, n int) (most int) {
	if k := behindDoors(); size == sizeI32 {
		return int(k.MaxU32(slice[uint32](idx, n)))
	} else {
		return int(k.MaxU16(slice[uint16](idx, n)))
	}
}

func slice[T any](p unsafe.Pointer, n int) []T { return unsafe.Slice(arguments.Unseen((*T)(p)), n) }
