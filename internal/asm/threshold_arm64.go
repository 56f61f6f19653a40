//go:build !purego

package asm

var thresholdNEON = ThresholdKernels{
	Count:     thresholdCountNEON,
	Sum:       thresholdSumNEON,
	Above:     thresholdAboveNEON,
	Below:     thresholdBelowNEON,
	Positions: thresholdPositionsNEON,
}

//go:noescape
func thresholdCountNEON(s []float64, t float64) int

//go:noescape
func thresholdSumNEON(s []float64, t float64) (sum float64, count int)

//go:noescape
func thresholdAboveNEON(dst, s []float64, t float64) int

//go:noescape
func thresholdBelowNEON(dst, s []float64, t float64) int

//go:noescape
func thresholdPositionsNEON(dst []uint32, s []float64, t float64) int
