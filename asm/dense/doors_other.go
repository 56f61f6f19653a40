//go:build !amd64 || purego

package dense

func Dot(x []float64, y *float64) float64             { return dot(x, y) }
func SquaredDistance(x []float64, y *float64) float64 { return squaredDistance(x, y) }
func SquaredNorm(x []float64) float64                 { return squaredNorm(x) }
func Sum(x []float64) float64                         { return sum(x) }
func MaxAbs(x []float64) float64                      { return maxAbs(x) }

func Axpy(a float64, x, y *float64, n, ny int) error { return axpy(a, x, y, n, ny) }

func ScaleAdd(dst, x, y *float64, a, b float64, n, nx, ny int) error {
	return scaleAdd(dst, x, y, a, b, n, nx, ny)
}

func Scale(dst, x *float64, a float64, n, nx int) error { return scale(dst, x, a, n, nx) }

func AddScalar(dst, x *float64, a float64, n, nx int) error { return addScalar(dst, x, a, n, nx) }

func Mul(dst, x, y *float64, n, nx, ny int) error { return mul(dst, x, y, n, nx, ny) }

func SoftThreshold(dst, x *float64, t float64, n, nx int) error {
	return softThreshold(dst, x, t, n, nx)
}

func Box(dst, x *float64, lo, hi float64, n, nx int) error { return box(dst, x, lo, hi, n, nx) }

func AdamStep(w, m, v, grad *float64, n int, beta1, rest1, beta2, rest2, rate, epsilon, lambda float64) {
	adamStep(w, m, v, grad, n, beta1, rest1, beta2, rest2, rate, epsilon, lambda)
}

func MomentumStep(w, v, grad *float64, n int, rate, mu, lambda float64) {
	momentumStep(w, v, grad, n, rate, mu, lambda)
}
