//go:build !purego

package element

import "unsafe"

// Paths lists the kernels compiled into this binary, in the order of asm.Tables.
var Paths = []*Kernels{&Generic, &AVX2, &AVX512}

// elementMasks selects the first n lanes of eight from its element 8-n on, and
// so of four.
//
//lint:ignore U1000 the assembly reads it
var elementMasks = func() (masks [16]uint64) {
	for i := range 8 {
		masks[i] = 1<<64 - 1
	}
	return masks
}()

// mapOf makes a kernel for the table from one that the entry points jump to.
func mapOf(kernel func(dst, x *float64, n int)) func(dst, x []float64) {
	return func(dst, x []float64) { kernel(unsafe.SliceData(dst), unsafe.SliceData(x), len(x)) }
}

// A gradKernel is a kernel of losses that entry points jump to: weight may be nil, and without coef
// it keeps only the sum. What follows delta it does not read. A curvatureKernel is the like.
type (
	gradKernel      func(coef, z, y, weight *float64, n int, delta float64, loss Loss) float64
	curvatureKernel func(h, t, z, y, weight *float64, n int, delta float64)
)

func gradTo(kernel gradKernel) func(coef, z, y, weight []float64, delta float64) float64 {
	return func(coef, z, y, weight []float64, delta float64) float64 {
		return kernel(unsafe.SliceData(coef), unsafe.SliceData(z), unsafe.SliceData(y), unsafe.SliceData(weight), len(z), delta, 0)
	}
}

func sumTo(kernel gradKernel) func(z, y, weight []float64, delta float64) float64 {
	return func(z, y, weight []float64, delta float64) float64 {
		return kernel(nil, unsafe.SliceData(z), unsafe.SliceData(y), unsafe.SliceData(weight), len(z), delta, 0)
	}
}

func curvatureTo(kernel curvatureKernel) func(h, t, z, y, weight []float64, delta float64) {
	return func(h, t, z, y, weight []float64, delta float64) {
		kernel(unsafe.SliceData(h), unsafe.SliceData(t), unsafe.SliceData(z), unsafe.SliceData(y), unsafe.SliceData(weight), len(z), delta)
	}
}

func compressOf(kernel func(dst, s *float64, t float64, n, capacity int) int) func(dst, s []float64, t float64) int {
	return func(dst, s []float64, t float64) int {
		return kernel(unsafe.SliceData(dst), unsafe.SliceData(s), t, len(s), len(dst))
	}
}

// AVX2 holds the kernels that need AVX2 and FMA.
var AVX2 = Kernels{
	Path:     "avx2",
	Exp:      mapOf(expAVX2),
	Log:      mapOf(logAVX2),
	Log1p:    mapOf(log1pAVX2),
	Sigmoid:  mapOf(sigmoidAVX2),
	Softplus: mapOf(softplusAVX2),
	Tanh:     mapOf(tanhAVX2),
	ExpSum:   expSumAVX2,
	Grad: [Losses]func(coef, z, y, weight []float64, delta float64) float64{
		Logistic:     gradTo(logisticGradAVX2),
		Squared:      gradTo(squaredGradAVX2),
		SquaredHinge: gradTo(squaredHingeGradAVX2),
		Huber:        gradTo(huberGradAVX2),
	},
	Sum: [Losses]func(z, y, weight []float64, delta float64) float64{
		Logistic:     sumTo(logisticGradAVX2),
		Squared:      sumTo(squaredGradAVX2),
		SquaredHinge: sumTo(squaredHingeGradAVX2),
		Huber:        sumTo(huberGradAVX2),
	},
	Curvature: [Losses]func(h, t, z, y, weight []float64, delta float64){
		Logistic:     curvatureTo(logisticCurvatureAVX2),
		Squared:      curvatureTo(squaredCurvatureAVX2),
		SquaredHinge: curvatureTo(squaredHingeCurvatureAVX2),
		Huber:        curvatureTo(huberCurvatureAVX2),
	},
	PairBlock: pairBlockAVX2,
	Threshold: thresholdAVX2,
	Extreme:   extremeAVX2,
}

// AVX512 holds the kernels that need AVX-512 F, DQ, VL and BW, and the AVX2 kernels wherever
// AVX-512 was not measured to win.
var AVX512 = Kernels{
	Path:     "avx512",
	Exp:      mapOf(expAVX512),
	Log:      mapOf(logAVX512),
	Log1p:    mapOf(log1pAVX512),
	Sigmoid:  mapOf(sigmoidAVX512),
	Softplus: mapOf(softplusAVX512),
	Tanh:     mapOf(tanhAVX512),
	ExpSum:   expSumAVX512,
	Grad: [Losses]func(coef, z, y, weight []float64, delta float64) float64{
		Logistic:     gradTo(logisticGradAVX512),
		Squared:      gradTo(squaredGradAVX512),
		SquaredHinge: gradTo(squaredHingeGradAVX512),
		Huber:        gradTo(huberGradAVX512),
	},
	Sum: [Losses]func(z, y, weight []float64, delta float64) float64{
		Logistic:     sumTo(logisticGradAVX512),
		Squared:      sumTo(squaredGradAVX512),
		SquaredHinge: sumTo(squaredHingeGradAVX512),
		Huber:        sumTo(huberGradAVX512),
	},
	Curvature: [Losses]func(h, t, z, y, weight []float64, delta float64){
		Logistic:     curvatureTo(logisticCurvatureAVX512),
		Squared:      curvatureTo(squaredCurvatureAVX2),
		SquaredHinge: curvatureTo(squaredHingeCurvatureAVX512),
		Huber:        curvatureTo(huberCurvatureAVX512),
	},
	PairBlock: pairBlockAVX512,
	Threshold: thresholdAVX512,
	Extreme:   extremeAVX2,
}

//go:noescape
func expAVX2(dst, x *float64, n int)

//go:noescape
func logAVX2(dst, x *float64, n int)

//go:noescape
func log1pAVX2(dst, x *float64, n int)

//go:noescape
func sigmoidAVX2(dst, x *float64, n int)

//go:noescape
func softplusAVX2(dst, x *float64, n int)

//go:noescape
func tanhAVX2(dst, x *float64, n int)

//go:noescape
func expSumAVX2(dst, x []float64, shift float64) float64

//go:noescape
func logisticGradAVX2(coef, z, y, weight *float64, n int, delta float64, loss Loss) float64

//go:noescape
func squaredGradAVX2(coef, z, y, weight *float64, n int, delta float64, loss Loss) float64

//go:noescape
func squaredHingeGradAVX2(coef, z, y, weight *float64, n int, delta float64, loss Loss) float64

//go:noescape
func huberGradAVX2(coef, z, y, weight *float64, n int, delta float64, loss Loss) float64

//go:noescape
func logisticCurvatureAVX2(h, t, z, y, weight *float64, n int, delta float64)

//go:noescape
func squaredCurvatureAVX2(h, t, z, y, weight *float64, n int, delta float64)

//go:noescape
func squaredHingeCurvatureAVX2(h, t, z, y, weight *float64, n int, delta float64)

//go:noescape
func huberCurvatureAVX2(h, t, z, y, weight *float64, n int, delta float64)

//go:noescape
func expAVX512(dst, x *float64, n int)

//go:noescape
func logAVX512(dst, x *float64, n int)

//go:noescape
func log1pAVX512(dst, x *float64, n int)

//go:noescape
func sigmoidAVX512(dst, x *float64, n int)

//go:noescape
func softplusAVX512(dst, x *float64, n int)

//go:noescape
func tanhAVX512(dst, x *float64, n int)

//go:noescape
func expSumAVX512(dst, x []float64, shift float64) float64

//go:noescape
func logisticGradAVX512(coef, z, y, weight *float64, n int, delta float64, loss Loss) float64

//go:noescape
func squaredGradAVX512(coef, z, y, weight *float64, n int, delta float64, loss Loss) float64

//go:noescape
func squaredHingeGradAVX512(coef, z, y, weight *float64, n int, delta float64, loss Loss) float64

//go:noescape
func huberGradAVX512(coef, z, y, weight *float64, n int, delta float64, loss Loss) float64

//go:noescape
func logisticCurvatureAVX512(h, t, z, y, weight *float64, n int, delta float64)

//go:noescape
func squaredHingeCurvatureAVX512(h, t, z, y, weight *float64, n int, delta float64)

//go:noescape
func huberCurvatureAVX512(h, t, z, y, weight *float64, n int, delta float64)

var pairBlockAVX2 = PairBlockKernels{
	Hinge:         pairBlockHingeAVX2,
	Logistic:      pairBlockLogisticAVX2,
	Exponents:     exponentsTo(pairExponentsAVX2),
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
	Hinge:         pairBlockHingeAVX512,
	Logistic:      pairBlockLogisticAVX512,
	Exponents:     exponentsTo(pairExponentsAVX512),
	Odds:          pairOddsAVX512,
	Add:           pairBlockAddAVX512,
	SigmoidAbove:  pairSigmoidAboveAVX512,
	SoftplusAbove: pairSoftplusAboveAVX512,
	SigmoidOne:    pairSigmoidOneAVX512,
	SoftplusOne:   pairSoftplusOneAVX512,
	SlopeAbove:    pairSlopeAboveAVX512,
	SlopeOdds:     pairSlopeOddsAVX512,
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

//go:noescape
func pairOddsAVX2(part, value, slope, e, o []float64)

//go:noescape
func pairSlopeAboveAVX2(count []int, sum, c, s, center, least []float64, scale float64)

//go:noescape
func pairSlopeOddsAVX2(count []int, sum, c, s, center, least, e, o []float64)

// The kernels take four and eight elements at a time. The last group overlaps the group before.

func kthAVX2(s []float64, k int) float64 {
	if len(s) < 4 {
		return kthOfThree(s, k)
	}
	return thresholdKthAVX2(unsafe.SliceData(s), len(s), k)
}

func kthAVX512(s []float64, k int) float64 {
	if len(s) < 8 {
		return kthAVX2(s, k)
	}
	return thresholdKthAVX512(unsafe.SliceData(s), len(s), k)
}

var thresholdAVX2 = ThresholdKernels{
	Count: thresholdCountAVX2,
	Above: compressOf(thresholdAboveAVX2),
	Below: compressOf(thresholdBelowAVX2),
	Kth:   kthAVX2,
}

var thresholdAVX512 = ThresholdKernels{
	Count: thresholdCountAVX2,
	Above: compressOf(thresholdAboveAVX512),
	Below: compressOf(thresholdBelowAVX512),
	Kth:   kthAVX512,
}

// compressDoubles brings the elements of four that a mask selects to the front: row m lists
// them for the bits of m, as 32-bit halves for a permutation of eight.
//
//lint:ignore U1000 the assembly reads it
var compressDoubles = func() (list [16][8]uint32) {
	for m := range uint32(16) {
		n := 0
		for i := range uint32(4) {
			if m>>i&1 != 0 {
				list[m][2*n], list[m][2*n+1] = 2*i, 2*i+1
				n++
			}
		}
	}
	return list
}()

//go:noescape
func thresholdCountAVX2(s []float64, t float64) int

//go:noescape
func thresholdAboveAVX2(dst, s *float64, t float64, n, capacity int) (count int)

//go:noescape
func thresholdBelowAVX2(dst, s *float64, t float64, n, capacity int) (count int)

//go:noescape
func thresholdAboveAVX512(dst, s *float64, t float64, n, capacity int) (count int)

//go:noescape
func thresholdBelowAVX512(dst, s *float64, t float64, n, capacity int) (count int)

//go:noescape
func thresholdKthAVX2(s *float64, n, k int) float64

//go:noescape
func thresholdKthAVX512(s *float64, n, k int) float64

//go:noescape
func pairBlockHingeAVX512(part, value, slope, s, shift []float64)

//go:noescape
func pairSlopeAboveAVX512(count []int, sum, c, s, center, least []float64, scale float64)

//go:noescape
func pairSlopeOddsAVX512(count []int, sum, c, s, center, least, e, o []float64)

//go:noescape
func pairOddsAVX512(part, value, slope, e, o []float64)

//go:noescape
func pairBlockAddAVX512(c, part, a []float64)

func exponentsTo(kernel func(dst, x *float64, n int, middle, scale float64)) func(dst, x []float64, middle, scale float64) {
	return func(dst, x []float64, middle, scale float64) {
		kernel(unsafe.SliceData(dst), unsafe.SliceData(x), len(x), middle, scale)
	}
}

//go:noescape
func pairExponentsAVX2(dst, x *float64, n int, middle, scale float64)

//go:noescape
func pairExponentsAVX512(dst, x *float64, n int, middle, scale float64)
