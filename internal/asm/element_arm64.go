//go:build !purego

package asm

var elementNEON = ElementKernels{
	Exp:      expNEON,
	Log:      logNEON,
	Log1p:    log1pNEON,
	Sigmoid:  sigmoidNEON,
	Softplus: softplusNEON,
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
