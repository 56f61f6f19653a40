//go:build !purego

package element

// Paths lists the kernels compiled into this binary, in the order of asm.Tables.
var Paths = []*Kernels{&Generic, &NEON}

// NEON holds the kernels of arm64.
var NEON = Kernels{
	Path:     "neon",
	Exp:      expNEON,
	Log:      logNEON,
	Log1p:    log1pNEON,
	Sigmoid:  sigmoidNEON,
	Softplus: softplusNEON,
	Tanh:     tanhNEON,
	ExpSum:   expSumNEON,
	Grad: [Losses]func(coef, z, y, weight []float64, delta float64) float64{
		Logistic:     logisticGradNEON,
		Squared:      squaredGradNEON,
		SquaredHinge: squaredHingeGradNEON,
		Huber:        huberGradNEON,
	},
	Sum: [Losses]func(z, y, weight []float64, delta float64) float64{
		Logistic:     sumFrom(logisticGradNEON),
		Squared:      sumFrom(squaredGradNEON),
		SquaredHinge: sumFrom(squaredHingeGradNEON),
		Huber:        sumFrom(huberGradNEON),
	},
	Curvature: [Losses]func(h, t, z, y, weight []float64, delta float64){
		Logistic:     logisticCurvatureNEON,
		Squared:      squaredCurvatureCopy,
		SquaredHinge: squaredHingeCurvatureNEON,
		Huber:        huberCurvatureNEON,
	},
	PairBlock: pairBlockNEON,
	Threshold: thresholdNEON,
	Extreme:   extremeNEON,
}

//go:noescape
func expNEON(dst, x []float64)

//go:noescape
func logNEON(dst, x []float64)

//go:noescape
func log1pNEON(dst, x []float64)

//go:noescape
func sigmoidNEON(dst, x []float64)

//go:noescape
func softplusNEON(dst, x []float64)

//go:noescape
func tanhNEON(dst, x []float64)

//go:noescape
func expSumNEON(dst, x []float64, shift float64) float64

//go:noescape
func logisticGradNEON(coef, z, y, weight []float64, delta float64) float64

//go:noescape
func squaredGradNEON(coef, z, y, weight []float64, delta float64) float64

//go:noescape
func squaredHingeGradNEON(coef, z, y, weight []float64, delta float64) float64

//go:noescape
func huberGradNEON(coef, z, y, weight []float64, delta float64) float64

//go:noescape
func logisticCurvatureNEON(h, t, z, y, weight []float64, delta float64)

//go:noescape
func squaredHingeCurvatureNEON(h, t, z, y, weight []float64, delta float64)

//go:noescape
func huberCurvatureNEON(h, t, z, y, weight []float64, delta float64)

var pairBlockNEON = PairBlockKernels{
	Hinge:         pairBlockHingeNEON,
	Logistic:      pairBlockLogisticNEON,
	Exponents:     pairExponentsFrom(expNEON),
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

//go:noescape
func pairSlopeAboveNEON(count []int, sum, c, s, center, least []float64, scale float64)

//go:noescape
func pairSlopeOddsNEON(count []int, sum, c, s, center, least, e, o []float64)

var thresholdNEON = ThresholdKernels{
	Count: thresholdCountNEON,
	Above: thresholdAboveNEON,
	Below: thresholdBelowNEON,
	Kth:   kth,
}

//go:noescape
func thresholdCountNEON(s []float64, t float64) int

//go:noescape
func thresholdAboveNEON(dst, s []float64, t float64) int

//go:noescape
func thresholdBelowNEON(dst, s []float64, t float64) int

// sumFrom makes a loss sum of a gradient kernel, which stores nothing and
// leaves out what only the coefficients need where coef is nil.
func sumFrom(grad func(coef, z, y, weight []float64, delta float64) float64) func(z, y, weight []float64, delta float64) float64 {
	return func(z, y, weight []float64, delta float64) float64 {
		return grad(nil, z, y, weight, delta)
	}
}

// squaredCurvatureCopy needs no arithmetic: h = weight and t = 0. (A weight that
// is NaN or infinite makes t NaN in the definition, hence the product.)
func squaredCurvatureCopy(h, t, _, _, weight []float64, _ float64) {
	if weight == nil {
		clear(t)
		for i := range h {
			h[i] = 1
		}
		return
	}
	for i, w := range weight {
		h[i], t[i] = w, float64(w*0)
	}
}
