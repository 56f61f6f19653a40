//go:build !amd64 || purego

package rows

import "unsafe"

const assembled = false

func behindDoors() *VectorKernels { return &Paths[path.Load()].Vector }

// Nobody calls these where nothing is assembled.

func longDot(uintptr, unsafe.Pointer, unsafe.Pointer, *float64, int, int) (sum float64, ok bool) {
	return
}

func longDotOnes(uintptr, unsafe.Pointer, *float64, int, int) (sum float64, ok bool) {
	return
}
