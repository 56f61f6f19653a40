// Package lanes adds up the lanes of a sum, in the one order that all kernels keep.
package lanes

// Sum8 adds eight lanes.
func Sum8(l *[8]float64) float64 {
	return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
}

// Sum32 adds 32 lanes.
func Sum32(l *[32]float64) float64 {
	var h [8]float64
	for i := range h {
		h[i] = (l[i] + l[i+16]) + (l[i+8] + l[i+24])
	}
	return Sum8(&h)
}
