//go:build !purego

package asm

//go:noescape
func pairSlopeAboveAVX2(count []int, sum, c, s, center, least []float64, scale float64)

//go:noescape
func pairSlopeOddsAVX2(count []int, sum, c, s, center, least, e, o []float64)
