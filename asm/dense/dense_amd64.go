//go:build !purego

package dense

import "unsafe"

// Paths lists the kernels compiled into this binary, in the order of asm.Tables.
var Paths = []*Kernels{&Generic, &AVX2, &AVX512}

// AVX2 holds the kernels that need AVX2 and FMA.
var AVX2 = Kernels{
	Path:        "avx2",
	Dot:         func(x, y []float64) float64 { return denseDotAVX2(x, unsafe.SliceData(y)) },
	SquaredNorm: denseSquaredNormAVX2,
	SquaredDistance: func(x, y []float64) float64 {
		return denseSquaredDistanceAVX2(x, unsafe.SliceData(y))
	},
	Sum:    denseSumAVX2,
	MaxAbs: denseMaxAbsAVX2,
	Axpy:   func(a float64, x, y []float64) { denseAxpyAVX2(a, unsafe.SliceData(x), unsafe.SliceData(y), len(x)) },
	ScaleAdd: func(dst []float64, a float64, x []float64, b float64, y []float64) {
		denseScaleAddAVX2(unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(y), a, b, len(dst))
	},
	Scale: func(dst []float64, a float64, x []float64) {
		denseScaleAVX2(unsafe.SliceData(dst), unsafe.SliceData(x), a, len(dst))
	},
	AddScalar: func(dst []float64, a float64, x []float64) {
		denseAddScalarAVX2(unsafe.SliceData(dst), unsafe.SliceData(x), a, len(dst))
	},
	Mul: func(dst, x, y []float64) {
		denseMulAVX2(unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(y), len(dst))
	},
	SoftThreshold: func(dst, x []float64, t float64) {
		denseSoftThresholdAVX2(unsafe.SliceData(dst), unsafe.SliceData(x), t, len(dst))
	},
	Box: func(dst, x []float64, lo, hi float64) {
		denseBoxAVX2(unsafe.SliceData(dst), unsafe.SliceData(x), lo, hi, len(dst))
	},
	Adam: func(w, m, v, g []float64, p Adam) {
		denseAdamAVX2(unsafe.SliceData(w), unsafe.SliceData(m), unsafe.SliceData(v), unsafe.SliceData(g), len(w),
			p.Beta1, p.Rest1, p.Beta2, p.Rest2, p.Rate, p.Epsilon, p.Lambda)
	},
	Momentum: func(w, v, g []float64, rate, mu, lambda float64) {
		denseMomentumAVX2(unsafe.SliceData(w), unsafe.SliceData(v), unsafe.SliceData(g), len(w), rate, mu, lambda)
	},
}

// AVX512 holds the kernels that need AVX-512 F, DQ, VL and BW.
var AVX512 = Kernels{
	Path:        "avx512",
	Dot:         func(x, y []float64) float64 { return denseDotAVX512(x, unsafe.SliceData(y)) },
	SquaredNorm: denseSquaredNormAVX512,
	SquaredDistance: func(x, y []float64) float64 {
		return denseSquaredDistanceAVX512(x, unsafe.SliceData(y))
	},
	Sum:    denseSumAVX512,
	MaxAbs: denseMaxAbsAVX512,
	Axpy:   func(a float64, x, y []float64) { denseAxpyAVX512(a, unsafe.SliceData(x), unsafe.SliceData(y), len(x)) },
	ScaleAdd: func(dst []float64, a float64, x []float64, b float64, y []float64) {
		denseScaleAddAVX512(unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(y), a, b, len(dst))
	},
	Scale: func(dst []float64, a float64, x []float64) {
		denseScaleAVX512(unsafe.SliceData(dst), unsafe.SliceData(x), a, len(dst))
	},
	AddScalar: func(dst []float64, a float64, x []float64) {
		denseAddScalarAVX512(unsafe.SliceData(dst), unsafe.SliceData(x), a, len(dst))
	},
	Mul: func(dst, x, y []float64) {
		denseMulAVX512(unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(y), len(dst))
	},
	SoftThreshold: func(dst, x []float64, t float64) {
		denseSoftThresholdAVX512(unsafe.SliceData(dst), unsafe.SliceData(x), t, len(dst))
	},
	Box: func(dst, x []float64, lo, hi float64) {
		denseBoxAVX512(unsafe.SliceData(dst), unsafe.SliceData(x), lo, hi, len(dst))
	},
	Adam: func(w, m, v, g []float64, p Adam) {
		denseAdamAVX512(unsafe.SliceData(w), unsafe.SliceData(m), unsafe.SliceData(v), unsafe.SliceData(g), len(w),
			p.Beta1, p.Rest1, p.Beta2, p.Rest2, p.Rate, p.Epsilon, p.Lambda)
	},
	Momentum: func(w, v, g []float64, rate, mu, lambda float64) {
		denseMomentumAVX512(unsafe.SliceData(w), unsafe.SliceData(v), unsafe.SliceData(g), len(w), rate, mu, lambda)
	},
}

// The arguments begin as the arguments of the entry points, which jump here: for each vector of n
// elements a pointer to its first. Dot and SquaredDistance take x as a slice so that the public
// functions are inlined.

//go:noescape
func denseDotAVX2(x []float64, y *float64) float64

//go:noescape
func denseSquaredNormAVX2(x []float64) float64

//go:noescape
func denseSquaredDistanceAVX2(x []float64, y *float64) float64

//go:noescape
func denseSumAVX2(x []float64) float64

//go:noescape
func denseMaxAbsAVX2(x []float64) float64

//go:noescape
func denseAxpyAVX2(a float64, x, y *float64, n int)

//go:noescape
func denseScaleAddAVX2(dst, x, y *float64, a, b float64, n int)

//go:noescape
func denseScaleAVX2(dst, x *float64, a float64, n int)

//go:noescape
func denseAddScalarAVX2(dst, x *float64, a float64, n int)

//go:noescape
func denseMulAVX2(dst, x, y *float64, n int)

//go:noescape
func denseSoftThresholdAVX2(dst, x *float64, t float64, n int)

//go:noescape
func denseBoxAVX2(dst, x *float64, lo, hi float64, n int)

//go:noescape
func denseAdamAVX2(w, m, v, grad *float64, n int, beta1, rest1, beta2, rest2, rate, epsilon, lambda float64)

//go:noescape
func denseMomentumAVX2(w, v, grad *float64, n int, rate, mu, lambda float64)

//go:noescape
func denseDotAVX512(x []float64, y *float64) float64

//go:noescape
func denseSquaredNormAVX512(x []float64) float64

//go:noescape
func denseSquaredDistanceAVX512(x []float64, y *float64) float64

//go:noescape
func denseSumAVX512(x []float64) float64

//go:noescape
func denseMaxAbsAVX512(x []float64) float64

//go:noescape
func denseAxpyAVX512(a float64, x, y *float64, n int)

//go:noescape
func denseScaleAddAVX512(dst, x, y *float64, a, b float64, n int)

//go:noescape
func denseScaleAVX512(dst, x *float64, a float64, n int)

//go:noescape
func denseAddScalarAVX512(dst, x *float64, a float64, n int)

//go:noescape
func denseMulAVX512(dst, x, y *float64, n int)

//go:noescape
func denseSoftThresholdAVX512(dst, x *float64, t float64, n int)

//go:noescape
func denseBoxAVX512(dst, x *float64, lo, hi float64, n int)

//go:noescape
func denseAdamAVX512(w, m, v, grad *float64, n int, beta1, rest1, beta2, rest2, rate, epsilon, lambda float64)

//go:noescape
func denseMomentumAVX512(w, v, grad *float64, n int, rate, mu, lambda float64)
