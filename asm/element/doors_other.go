//go:build !amd64 || purego

package element

func MapExp(dst, x *float64, n, nx int) error { return expDoor(dst, x, n, nx) }

func MapLog(dst, x *float64, n, nx int) error { return logDoor(dst, x, n, nx) }

func MapLog1p(dst, x *float64, n, nx int) error { return log1pDoor(dst, x, n, nx) }

func MapSigmoid(dst, x *float64, n, nx int) error { return sigmoidDoor(dst, x, n, nx) }

func MapSoftplus(dst, x *float64, n, nx int) error { return softplusDoor(dst, x, n, nx) }

func MapTanh(dst, x *float64, n, nx int) error { return tanhDoor(dst, x, n, nx) }

// One number, bit for bit as the kernels.

func Exp(x float64) float64     { return exp(x) }
func Log(x float64) float64     { return log(x) }
func Log1p(x float64) float64   { return log1p(x) }
func Sigmoid(x float64) float64 { return sigmoid(x) }

// KthLargest is ThresholdKernels.Kth for few elements, or false for more than pay.
func KthLargest(s []float64, k int) (value float64, ok bool) {
	if len(s) < 4 {
		return kthOfThree(s, k), true
	}
	if len(s) > 16 {
		return 0, false
	}
	return kth(s, k), true
}

func LossGradient(coef, z, y, weight *float64, n int, delta float64, loss Loss) (sum float64, err error) {
	return lossGradient(coef, z, y, weight, n, delta, loss)
}

func LossSum(coef, z, y, weight *float64, n int, delta float64, loss Loss) (sum float64, err error) {
	return lossSum(coef, z, y, weight, n, delta, loss)
}

func LossCurvature(h, t, z, y, weight *float64, n int, delta float64, loss Loss) (err error) {
	return lossCurvature(h, t, z, y, weight, n, delta, loss)
}
