// Package caller calls the doors that have to be inlined, each in a function of its own:
// what is inlined into a large one is less. TestDoorsAreInlined compiles it.
package caller

import "github.com/lanes-go/lanes/kernels"

func Dot(x, y []float64) (float64, error)             { return kernels.Dot(x, y) }
func SquaredNorm(x []float64) float64                 { return kernels.SquaredNorm(x) }
func SquaredDistance(x, y []float64) (float64, error) { return kernels.SquaredDistance(x, y) }
func Sum(x []float64) float64                         { return kernels.Sum(x) }
func Dot32(x, y []float32) (float64, error)           { return kernels.Dot32(x, y) }
func SquaredNorm32(x []float32) float64               { return kernels.SquaredNorm32(x) }
func Sum32(x []float32) float64                       { return kernels.Sum32(x) }
func MaxAbs(x []float64) float64                      { return kernels.MaxAbs(x) }
func Axpy(x, y []float64) error                       { return kernels.Axpy(2, x, y) }
func ScaleAdd(d, x, y []float64) error                { return kernels.ScaleAdd(d, 2, x, 3, y) }
func Scale(d, x []float64) error                      { return kernels.Scale(d, 2, x) }
func AddScalar(d, x []float64) error                  { return kernels.AddScalar(d, 2, x) }
func Mul(d, x, y []float64) error                     { return kernels.Mul(d, x, y) }
func SoftThreshold(d, x []float64) error              { return kernels.SoftThreshold(d, x, 1) }
func Box(d, x []float64) error                        { return kernels.Box(d, x, 0, 1) }

func SparseDot(idx []uint32, val, w []float64) (float64, error) {
	return kernels.SparseDot(idx, val, w)
}

func SparseDotOnes(idx []uint32, w []float64) (float64, error) {
	return kernels.SparseDotOnes(idx, w)
}

func ArgMax(x []float64) int   { return kernels.ArgMax(x) }
func Exp(d, x []float64) error { return kernels.Exp(d, x) }

func LossGradient(c, z, y []float64) (float64, error) {
	return kernels.LossGradient(kernels.Squared, c, z, y, nil, 0)
}

func LossSum(z, y []float64) (float64, error) {
	return kernels.LossSum(kernels.Squared, z, y, nil, 0)
}

func LossCurvature(h, t, z, y []float64) error {
	return kernels.LossCurvature(kernels.Squared, h, t, z, y, nil, 0)
}

func AddMatMul(d, a, w []float64) error { return kernels.AddMatMul(d, a, w, 1, 1) }
func AddMatTransMul(w, a, c []float64) error {
	return kernels.AddMatTransMul(w, a, c, 1, 1)
}
func SigmoidOf(x float64) float64 { return kernels.SigmoidOf(x) }
func LogOf(x float64) float64     { return kernels.LogOf(x) }
