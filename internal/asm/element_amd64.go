//go:build !purego

package asm

// elementMasks selects the first n lanes of four from its element 4-n on.
var elementMasks = [8]uint64{1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1}

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
