//go:build !purego

package rows

var fullAVX2 = FullKernels{
	Dot: fullDot64AVX2, Dot32: fullDot32AVX2,
	Add: fullAdd64AVX2, Add32: fullAdd32AVX2,
	Squares: fullSquares64AVX2, Squares32: fullSquares32AVX2,
}

//go:noescape
func fullDot64AVX2(out, x, w []float64)

//go:noescape
func fullDot32AVX2(out []float64, x []float32, w []float64)

//go:noescape
func fullAdd64AVX2(w, x, c []float64)

//go:noescape
func fullAdd32AVX2(w []float64, x []float32, c []float64)

//go:noescape
func fullSquares64AVX2(w, x, c []float64)

//go:noescape
func fullSquares32AVX2(w []float64, x []float32, c []float64)
