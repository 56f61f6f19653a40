//go:build !purego

//lint:file-ignore U1000 the assembly of the doors jumps to some of these functions

package element

//go:noescape
func MapExp(dst, x *float64, n, nx int) (err error)

//go:noescape
func MapLog(dst, x *float64, n, nx int) (err error)

//go:noescape
func MapLog1p(dst, x *float64, n, nx int) (err error)

//go:noescape
func MapSigmoid(dst, x *float64, n, nx int) (err error)

//go:noescape
func MapSoftplus(dst, x *float64, n, nx int) (err error)

//go:noescape
func MapTanh(dst, x *float64, n, nx int) (err error)

// One number, bit for bit as the kernels.

//go:noescape
func Exp(x float64) float64

//go:noescape
func Log(x float64) float64

//go:noescape
func Log1p(x float64) float64

//go:noescape
func Sigmoid(x float64) float64

// kthMost is up to how many elements Kth is quicker than a search with pivots.
const kthMost = 128

// KthLargest is ThresholdKernels.Kth for few elements, or false for more than pay.
func KthLargest(s []float64, k int) (value float64, ok bool) {
	if len(s) < 4 {
		return kthOfThree(s, k), true
	}
	if len(s) > kthMost {
		return 0, false
	}
	switch path.Load() {
	case 1:
		return kthAVX2(s, k), true
	case 2:
		return kthAVX512(s, k), true
	}
	if len(s) > kthMost/8 {
		return 0, false
	}
	return kth(s, k), true
}

//go:noescape
func LossGradient(coef, z, y, weight *float64, n int, delta float64, loss Loss) (sum float64, err error)

//go:noescape
func LossSum(coef, z, y, weight *float64, n int, delta float64, loss Loss) (sum float64, err error)

//go:noescape
func LossCurvature(h, t, z, y, weight *float64, n int, delta float64, loss Loss) (err error)
