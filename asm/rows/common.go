package rows

import "math"

// CommonKernels take two sparse vectors whose indices increase strictly. idx and val of
// a vector have one length.
type CommonKernels struct {
	I32F64 CommonOf[uint32, float64]
	I32F32 CommonOf[uint32, float32]
	I16F64 CommonOf[uint16, float64]
	I16F32 CommonOf[uint16, float32]

	// Count32 and Count16 return how many indices both vectors have.
	Count32 func(idx1, idx2 []uint32) int
	Count16 func(idx1, idx2 []uint16) int
	// Rising32 and Rising16 tell whether indices increase strictly.
	Rising32 func(idx []uint32) bool
	Rising16 func(idx []uint16) bool
}

// CommonOf is the kernel of one layout: acc = fma(val1, val2, acc) for the entries whose
// indices both vectors have, in increasing index from +0. A float32 stands for the
// float64 it converts to.
type CommonOf[I index, V value] func(idx1 []I, val1 []V, idx2 []I, val2 []V) float64

var commonGeneric = CommonKernels{
	I32F64: commonDot[uint32, float64], I32F32: commonDot[uint32, float32],
	I16F64: commonDot[uint16, float64], I16F32: commonDot[uint16, float32],
	Count32: commonCount[uint32], Count16: commonCount[uint16],
	Rising32: rising[uint32], Rising16: rising[uint16],
}

// The loops leave which of the indices is the lower to conditional moves, as nobody can
// foresee it.
func commonDot[I index, V value](idx1 []I, val1 []V, idx2 []I, val2 []V) float64 {
	sum := 0.0
	for i, j := 0, 0; i < len(idx1) && j < len(idx2); {
		a, b := idx1[i], idx2[j]
		if a == b {
			sum = math.FMA(float64(val1[i]), float64(val2[j]), sum)
		}
		if a <= b {
			i++
		}
		if b <= a {
			j++
		}
	}
	return sum
}

func commonCount[I index](idx1, idx2 []I) int {
	count := 0
	for i, j := 0, 0; i < len(idx1) && j < len(idx2); {
		a, b := idx1[i], idx2[j]
		if a == b {
			count++
		}
		if a <= b {
			i++
		}
		if b <= a {
			j++
		}
	}
	return count
}

func rising[I index](idx []I) bool {
	for e := 1; e < len(idx); e++ {
		if idx[e] <= idx[e-1] {
			return false
		}
	}
	return true
}
