//go:build !purego

package asm

//go:noescape
func pairSlopeAboveNEON(count []int, sum, c, s, center, least []float64, scale float64)

//go:noescape
func pairSlopeOddsNEON(count []int, sum, c, s, center, least, e, o []float64)
