//go:build !purego

package asm

var wideNEON = WideKernels{Mul: wideMulNEON, Add: wideAddNEON}

//go:noescape
func wideMulNEON(dst []float64, idx []uint32, val, w []float64)

//go:noescape
func wideAddNEON(w []float64, idx []uint32, val, c []float64)
