//go:build !purego

package asm

// pairsNEON has the logistic loss by way of the sigmoid, where the time goes.
var pairsNEON = PairKernels{
	Hinge:       pairHingeNEON,
	HingeAdd:    pairHingeAddNEON,
	Logistic:    pairLogisticFrom(elementNEON.Sigmoid),
	LogisticAdd: pairLogisticAddNEON,
}

var pairBlockNEON = PairBlockKernels{
	Hinge:         pairBlockHingeNEON,
	Logistic:      pairBlockLogisticNEON,
	Odds:          pairOddsNEON,
	Add:           pairBlockAddNEON,
	SigmoidAbove:  pairSigmoidAboveNEON,
	SoftplusAbove: pairSoftplusAboveNEON,
	SigmoidOne:    pairSigmoidOneNEON,
	SoftplusOne:   pairSoftplusOneNEON,
	SlopeAbove:    pairSlopeAboveNEON,
	SlopeOdds:     pairSlopeOddsNEON,
}

//go:noescape
func pairHingeNEON(l, s []float64, shift float64) float64

//go:noescape
func pairHingeAddNEON(c, l []float64, a float64) float64

//go:noescape
func pairLogisticAddNEON(c, l []float64, a float64) float64

//go:noescape
func pairBlockHingeNEON(part, value, slope, s, shift []float64)

//go:noescape
func pairBlockLogisticNEON(part, value, slope, s, center []float64, scale float64)

//go:noescape
func pairOddsNEON(part, value, slope, e, o []float64)

//go:noescape
func pairBlockAddNEON(c, part, a []float64)

//go:noescape
func pairSigmoidAboveNEON(count []int, sum, c, s, center, least []float64)

//go:noescape
func pairSoftplusAboveNEON(count []int, sum, s, center, least []float64)

//go:noescape
func pairSigmoidOneNEON(c, s []float64, center, least float64) (sum float64, count int)

//go:noescape
func pairSoftplusOneNEON(s []float64, center, least float64) (sum float64, count int)
