//go:build !purego

package asm

var thresholdAVX2 = ThresholdKernels{
	Count:     thresholdCountAVX2,
	Sum:       thresholdSumAVX2,
	Above:     thresholdAboveAVX2,
	Below:     thresholdBelowAVX2,
	Positions: thresholdPositionsAVX2,
}

var thresholdAVX512 = ThresholdKernels{
	Count:     thresholdCountAVX2,
	Sum:       thresholdSumAVX2,
	Above:     thresholdAboveAVX512,
	Below:     thresholdBelowAVX512,
	Positions: thresholdPositionsAVX512,
}

// compressDoubles and compressWords bring the elements of four that a mask selects
// to the front: row m lists them for the bits of m, as 32-bit halves for a permutation
// of eight, and as elements for one of four.
var (
	compressDoubles [16][8]uint32
	compressWords   [16][4]uint32
)

func init() {
	for m := range uint32(16) {
		n := 0
		for i := range uint32(4) {
			if m>>i&1 != 0 {
				compressDoubles[m][2*n], compressDoubles[m][2*n+1] = 2*i, 2*i+1
				compressWords[m][n] = i
				n++
			}
		}
	}
}

//go:noescape
func thresholdCountAVX2(s []float64, t float64) int

//go:noescape
func thresholdSumAVX2(s []float64, t float64) (sum float64, count int)

//go:noescape
func thresholdAboveAVX2(dst, s []float64, t float64) int

//go:noescape
func thresholdBelowAVX2(dst, s []float64, t float64) int

//go:noescape
func thresholdPositionsAVX2(dst []uint32, s []float64, t float64) int

//go:noescape
func thresholdAboveAVX512(dst, s []float64, t float64) int

//go:noescape
func thresholdBelowAVX512(dst, s []float64, t float64) int

//go:noescape
func thresholdPositionsAVX512(dst []uint32, s []float64, t float64) int
