//go:build !purego

package dense

func init() { Paths = append(Paths, &AVX2, &AVX512) }

// AVX2 holds the kernels that need AVX2 and FMA.
var AVX2 = Kernels{
	Path:            "avx2",
	Dot:             denseDotAVX2,
	SquaredNorm:     denseSquaredNormAVX2,
	SquaredDistance: denseSquaredDistanceAVX2,
	Sum:             denseSumAVX2,
	MaxAbs:          denseMaxAbsAVX2,
	Axpy:            denseAxpyAVX2,
	ScaleAdd:        denseScaleAddAVX2,
	Scale:           denseScaleAVX2,
	AddScalar:       denseAddScalarAVX2,
	Mul:             denseMulAVX2,
	SoftThreshold:   denseSoftThresholdAVX2,
	Box:             denseBoxAVX2,
	Adam:            denseAdamAVX2,
	Momentum:        denseMomentumAVX2,
}

// AVX512 holds the kernels that need AVX-512 F, DQ, VL and BW.
var AVX512 = Kernels{
	Path:            "avx512",
	Dot:             denseDotAVX512,
	SquaredNorm:     denseSquaredNormAVX512,
	SquaredDistance: denseSquaredDistanceAVX512,
	Sum:             denseSumAVX512,
	MaxAbs:          denseMaxAbsAVX512,
	Axpy:            denseAxpyAVX512,
	ScaleAdd:        denseScaleAddAVX512,
	Scale:           denseScaleAVX512,
	AddScalar:       denseAddScalarAVX512,
	Mul:             denseMulAVX512,
	SoftThreshold:   denseSoftThresholdAVX512,
	Box:             denseBoxAVX512,
	Adam:            denseAdamAVX512,
	Momentum:        denseMomentumAVX512,
}

//go:noescape
func denseDotAVX2(x, y []float64) float64

//go:noescape
func denseSquaredNormAVX2(x []float64) float64

//go:noescape
func denseSquaredDistanceAVX2(x, y []float64) float64

//go:noescape
func denseSumAVX2(x []float64) float64

//go:noescape
func denseMaxAbsAVX2(x []float64) float64

//go:noescape
func denseAxpyAVX2(a float64, x, y []float64)

//go:noescape
func denseScaleAddAVX2(dst []float64, a float64, x []float64, b float64, y []float64)

//go:noescape
func denseScaleAVX2(dst []float64, a float64, x []float64)

//go:noescape
func denseAddScalarAVX2(dst []float64, a float64, x []float64)

//go:noescape
func denseMulAVX2(dst, x, y []float64)

//go:noescape
func denseSoftThresholdAVX2(dst, x []float64, t float64)

//go:noescape
func denseBoxAVX2(dst, x []float64, lo, hi float64)

//go:noescape
func denseAdamAVX2(w, m, v, g []float64, p Adam)

//go:noescape
func denseMomentumAVX2(w, v, g []float64, rate, mu, lambda float64)

//go:noescape
func denseDotAVX512(x, y []float64) float64

//go:noescape
func denseSquaredNormAVX512(x []float64) float64

//go:noescape
func denseSquaredDistanceAVX512(x, y []float64) float64

//go:noescape
func denseSumAVX512(x []float64) float64

//go:noescape
func denseMaxAbsAVX512(x []float64) float64

//go:noescape
func denseAxpyAVX512(a float64, x, y []float64)

//go:noescape
func denseScaleAddAVX512(dst []float64, a float64, x []float64, b float64, y []float64)

//go:noescape
func denseScaleAVX512(dst []float64, a float64, x []float64)

//go:noescape
func denseAddScalarAVX512(dst []float64, a float64, x []float64)

//go:noescape
func denseMulAVX512(dst, x, y []float64)

//go:noescape
func denseSoftThresholdAVX512(dst, x []float64, t float64)

//go:noescape
func denseBoxAVX512(dst, x []float64, lo, hi float64)

//go:noescape
func denseAdamAVX512(w, m, v, g []float64, p Adam)

//go:noescape
func denseMomentumAVX512(w, v, g []float64, rate, mu, lambda float64)
