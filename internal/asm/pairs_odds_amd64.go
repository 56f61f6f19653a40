//go:build !purego

package asm

//go:noescape
func pairOddsAVX2(part, value, slope, e, o []float64)
