//go:build !purego

package rows

var fullAVX2 = FullKernels{
	Dot: func(out, x, w []float64) {
		if len(out) > 0 {
			_ = x[len(out)*len(w)-1]
			fullDot64AVX2(&out[0], &x[0], &w[0], len(out), len(w))
		}
	},
	Dot32: func(out []float64, x []float32, w []float64) {
		if len(out) > 0 {
			_ = x[len(out)*len(w)-1]
			fullDot32AVX2(&out[0], &x[0], &w[0], len(out), len(w))
		}
	},
	Add: func(w, x, c []float64) {
		if len(c) > 0 {
			_ = x[len(c)*len(w)-1]
			fullAdd64AVX2(&w[0], &x[0], &c[0], len(c), len(w))
		}
	},
	Add32: func(w []float64, x []float32, c []float64) {
		if len(c) > 0 {
			_ = x[len(c)*len(w)-1]
			fullAdd32AVX2(&w[0], &x[0], &c[0], len(c), len(w))
		}
	},
}

//go:noescape
func fullDot64AVX2(out, x, w *float64, rows, cols int)

//go:noescape
func fullDot32AVX2(out *float64, x *float32, w *float64, rows, cols int)

//go:noescape
func fullAdd64AVX2(w, x, c *float64, rows, cols int)

//go:noescape
func fullAdd32AVX2(w *float64, x *float32, c *float64, rows, cols int)
