//go:build !purego

package asm

var pairBlockAVX2 = PairBlockKernels{
	Hinge:         pairBlockHingeAVX2,
	Logistic:      pairBlockLogisticAVX2,
	Odds:          pairOddsAVX2,
	Add:           pairBlockAddAVX2,
	SigmoidAbove:  pairSigmoidAboveAVX2,
	SoftplusAbove: pairSoftplusAboveAVX2,
	SigmoidOne:    pairSigmoidOneAVX2,
	SoftplusOne:   pairSoftplusOneAVX2,
	SlopeAbove:    pairSlopeAboveAVX2,
	SlopeOdds:     pairSlopeOddsAVX2,
}

var pairBlockAVX512 = PairBlockKernels{
	Hinge:         pairBlockHingeAVX2,
	Logistic:      pairBlockLogisticAVX512,
	Odds:          pairOddsAVX2,
	Add:           pairBlockAddAVX2,
	SigmoidAbove:  pairSigmoidAboveAVX512,
	SoftplusAbove: pairSoftplusAboveAVX512,
	SigmoidOne:    pairSigmoidOneAVX512,
	SoftplusOne:   pairSoftplusOneAVX512,
	SlopeAbove:    pairSlopeAboveAVX2,
	SlopeOdds:     pairSlopeOddsAVX2,
}

//go:noescape
func pairBlockHingeAVX2(part, value, slope, s, shift []float64)

//go:noescape
func pairBlockLogisticAVX2(part, value, slope, s, center []float64, scale float64)

//go:noescape
func pairBlockAddAVX2(c, part, a []float64)

//go:noescape
func pairSigmoidAboveAVX2(count []int, sum, c, s, center, least []float64)

//go:noescape
func pairSoftplusAboveAVX2(count []int, sum, s, center, least []float64)

//go:noescape
func pairBlockLogisticAVX512(part, value, slope, s, center []float64, scale float64)

//go:noescape
func pairSigmoidAboveAVX512(count []int, sum, c, s, center, least []float64)

//go:noescape
func pairSoftplusAboveAVX512(count []int, sum, s, center, least []float64)

//go:noescape
func pairSigmoidOneAVX2(c, s []float64, center, least float64) (sum float64, count int)

//go:noescape
func pairSoftplusOneAVX2(s []float64, center, least float64) (sum float64, count int)

//go:noescape
func pairSigmoidOneAVX512(c, s []float64, center, least float64) (sum float64, count int)

//go:noescape
func pairSoftplusOneAVX512(s []float64, center, least float64) (sum float64, count int)
