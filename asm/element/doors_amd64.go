//go:build !purego

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

//go:noescape
func Tanh(x float64) float64
