//go:build !purego

package dense

// Paths lists the kernels compiled into this binary, in the order of asm.Tables.
var Paths = []*Kernels{&Generic, &NEON}

// NEON holds the kernels of arm64.
var NEON = Kernels{
	Path:            "neon",
	Dot:             denseDotNEON,
	SquaredNorm:     denseSquaredNormNEON,
	SquaredDistance: denseSquaredDistanceNEON,
	Sum:             denseSumNEON,
	MaxAbs:          denseMaxAbsNEON,
	Axpy:            denseAxpyNEON,
	ScaleAdd:        denseScaleAddNEON,
	Scale:           denseScaleNEON,
	AddScalar:       denseAddScalarNEON,
	Mul:             denseMulNEON,
	SoftThreshold:   denseSoftThresholdNEON,
	Box:             denseBoxNEON,
	Adam:            denseAdamNEON,
	Momentum:        denseMomentumNEON,
}

//go:noescape
func denseDotNEON(x, y []float64) float64

//go:noescape
func denseSquaredNormNEON(x []float64) float64

//go:noescape
func denseSquaredDistanceNEON(x, y []float64) float64

//go:noescape
func denseSumNEON(x []float64) float64

//go:noescape
func denseMaxAbsNEON(x []float64) float64

//go:noescape
func denseAxpyNEON(a float64, x, y []float64)

//go:noescape
func denseScaleAddNEON(dst []float64, a float64, x []float64, b float64, y []float64)

//go:noescape
func denseScaleNEON(dst []float64, a float64, x []float64)

//go:noescape
func denseAddScalarNEON(dst []float64, a float64, x []float64)

//go:noescape
func denseMulNEON(dst, x, y []float64)

//go:noescape
func denseSoftThresholdNEON(dst, x []float64, t float64)

//go:noescape
func denseBoxNEON(dst, x []float64, lo, hi float64)

//go:noescape
func denseAdamNEON(w, m, v, g []float64, p Adam)

//go:noescape
func denseMomentumNEON(w, v, g []float64, rate, mu, lambda float64)
