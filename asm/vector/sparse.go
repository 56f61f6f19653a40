package vector

import "math"

// below tells whether all indices are below n.
func below[I uint16 | uint32](idx []I, n int) bool {
	for _, j := range idx {
		if uint64(j) >= uint64(n) {
			return false
		}
	}
	return true
}

func sparseAxpy[I uint16 | uint32, V float32 | float64](a float64, idx []I, val []V, y []float64) bool {
	if !below(idx, len(y)) {
		return false
	}
	for e, j := range idx {
		y[j] = math.FMA(a, float64(val[e]), y[j])
	}
	return true
}

func sparseAxpy32[I uint16 | uint32](a float32, idx []I, val, y []float32) bool {
	if !below(idx, len(y)) {
		return false
	}
	for e, j := range idx {
		y[j] = fma(a, val[e], y[j])
	}
	return true
}

func sparseAxpyOnes[I uint16 | uint32, V float32 | float64](a V, idx []I, y []V) bool {
	if !below(idx, len(y)) {
		return false
	}
	for _, j := range idx {
		y[j] += a
	}
	return true
}
