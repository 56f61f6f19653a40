//go:build !purego

package asm

// elementMasks selects the first n lanes of eight from its element 8-n on, and
// so of four.
var elementMasks = func() (masks [16]uint64) {
	for i := range 8 {
		masks[i] = 1<<64 - 1
	}
	return masks
}()

var elementAVX2 = ElementKernels{
	Exp:      expAVX2,
	Log:      logAVX2,
	Log1p:    log1pAVX2,
	Sigmoid:  sigmoidAVX2,
	Softplus: softplusAVX2,
	Grad: [Losses]func(coef, z, y, weight []float64, delta float64) float64{
		Logistic:     logisticGradAVX2,
		Squared:      squaredGradAVX2,
		SquaredHinge: squaredHingeGradAVX2,
		Huber:        huberGradAVX2,
	},
	Sum: [Losses]func(z, y, weight []float64, delta float64) float64{
		Logistic:     sumFrom(logisticGradAVX2),
		Squared:      sumFrom(squaredGradAVX2),
		SquaredHinge: sumFrom(squaredHingeGradAVX2),
		Huber:        sumFrom(huberGradAVX2),
	},
	Curvature: [Losses]func(h, t, z, y, weight []float64, delta float64){
		Logistic:     logisticCurvatureAVX2,
		Squared:      squaredCurvatureCopy,
		SquaredHinge: squaredHingeCurvatureAVX2,
		Huber:        huberCurvatureAVX2,
	},
}

var elementAVX512 = ElementKernels{
	Exp:      expAVX512,
	Log:      logAVX512,
	Log1p:    log1pAVX512,
	Sigmoid:  sigmoidAVX512,
	Softplus: softplusAVX512,
	Grad: [Losses]func(coef, z, y, weight []float64, delta float64) float64{
		Logistic:     logisticGradAVX512,
		Squared:      squaredGradAVX512,
		SquaredHinge: squaredHingeGradAVX512,
		Huber:        huberGradAVX512,
	},
	Sum: [Losses]func(z, y, weight []float64, delta float64) float64{
		Logistic:     sumFrom(logisticGradAVX512),
		Squared:      sumFrom(squaredGradAVX512),
		SquaredHinge: sumFrom(squaredHingeGradAVX512),
		Huber:        sumFrom(huberGradAVX512),
	},
	Curvature: [Losses]func(h, t, z, y, weight []float64, delta float64){
		Logistic:     logisticCurvatureAVX512,
		Squared:      squaredCurvatureCopy,
		SquaredHinge: squaredHingeCurvatureAVX512,
		Huber:        huberCurvatureAVX512,
	},
}

//go:noescape
func expAVX2(dst, x []float64)

//go:noescape
func logAVX2(dst, x []float64)

//go:noescape
func log1pAVX2(dst, x []float64)

//go:noescape
func sigmoidAVX2(dst, x []float64)

//go:noescape
func softplusAVX2(dst, x []float64)

//go:noescape
func logisticGradAVX2(coef, z, y, weight []float64, delta float64) float64

//go:noescape
func squaredGradAVX2(coef, z, y, weight []float64, delta float64) float64

//go:noescape
func squaredHingeGradAVX2(coef, z, y, weight []float64, delta float64) float64

//go:noescape
func huberGradAVX2(coef, z, y, weight []float64, delta float64) float64

//go:noescape
func logisticCurvatureAVX2(h, t, z, y, weight []float64, delta float64)

//go:noescape
func squaredHingeCurvatureAVX2(h, t, z, y, weight []float64, delta float64)

//go:noescape
func huberCurvatureAVX2(h, t, z, y, weight []float64, delta float64)

//go:noescape
func expAVX512(dst, x []float64)

//go:noescape
func logAVX512(dst, x []float64)

//go:noescape
func log1pAVX512(dst, x []float64)

//go:noescape
func sigmoidAVX512(dst, x []float64)

//go:noescape
func softplusAVX512(dst, x []float64)

//go:noescape
func logisticGradAVX512(coef, z, y, weight []float64, delta float64) float64

//go:noescape
func squaredGradAVX512(coef, z, y, weight []float64, delta float64) float64

//go:noescape
func squaredHingeGradAVX512(coef, z, y, weight []float64, delta float64) float64

//go:noescape
func huberGradAVX512(coef, z, y, weight []float64, delta float64) float64

//go:noescape
func logisticCurvatureAVX512(h, t, z, y, weight []float64, delta float64)

//go:noescape
func squaredHingeCurvatureAVX512(h, t, z, y, weight []float64, delta float64)

//go:noescape
func huberCurvatureAVX512(h, t, z, y, weight []float64, delta float64)
