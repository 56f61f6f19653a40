//go:build !purego

package dense

//go:noescape
func Dot(x []float64, y *float64) float64

//go:noescape
func SquaredDistance(x []float64, y *float64) float64

//go:noescape
func SquaredNorm(x []float64) float64

//go:noescape
func Sum(x []float64) float64

//go:noescape
func MaxAbs(x []float64) float64

//go:noescape
func Axpy(a float64, x, y *float64, n, ny int) (err error)

//go:noescape
func ScaleAdd(dst, x, y *float64, a, b float64, n, nx, ny int) (err error)

//go:noescape
func Scale(dst, x *float64, a float64, n, nx int) (err error)

//go:noescape
func AddScalar(dst, x *float64, a float64, n, nx int) (err error)

//go:noescape
func Mul(dst, x, y *float64, n, nx, ny int) (err error)

//go:noescape
func SoftThreshold(dst, x *float64, t float64, n, nx int) (err error)

//go:noescape
func Box(dst, x *float64, lo, hi float64, n, nx int) (err error)

//go:noescape
func AdamStep(w, m, v, grad *float64, n int, beta1, rest1, beta2, rest2, rate, epsilon, lambda float64)

//go:noescape
func MomentumStep(w, v, grad *float64, n int, rate, mu, lambda float64)
