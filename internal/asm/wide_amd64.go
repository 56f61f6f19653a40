//go:build !purego

package asm

var wideAVX2 = WideKernels{Mul: wideMulAVX2, Add: wideAddAVX2}

//go:noescape
func wideMulAVX2(dst []float64, idx []uint32, val, w []float64)

//go:noescape
func wideAddAVX2(w []float64, idx []uint32, val, c []float64)
