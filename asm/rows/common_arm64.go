//go:build !purego

package rows

var commonNEON = CommonKernels{
	I32F64: commonDotI32F64NEON, I32F32: commonDotI32F32NEON,
	I16F64: commonDotI16F64NEON, I16F32: commonDotI16F32NEON,
	Count32: commonCountI32NEON, Count16: commonCountI16NEON,
	Rising32: risingI32NEON, Rising16: risingI16NEON,
}

//go:noescape
func commonDotI32F64NEON(idx1 []uint32, val1 []float64, idx2 []uint32, val2 []float64) float64

//go:noescape
func commonDotI32F32NEON(idx1 []uint32, val1 []float32, idx2 []uint32, val2 []float32) float64

//go:noescape
func commonDotI16F64NEON(idx1 []uint16, val1 []float64, idx2 []uint16, val2 []float64) float64

//go:noescape
func commonDotI16F32NEON(idx1 []uint16, val1 []float32, idx2 []uint16, val2 []float32) float64

//go:noescape
func commonCountI32NEON(idx1, idx2 []uint32) int

//go:noescape
func commonCountI16NEON(idx1, idx2 []uint16) int

//go:noescape
func risingI32NEON(idx []uint32) bool

//go:noescape
func risingI16NEON(idx []uint16) bool
