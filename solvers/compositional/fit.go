package compositional

import (
	"math"
)

// fits tells whether a method of a composition can serve its arguments: dst and what it
// is made of have the lengths that they should, and no number of the sample is too
// large. Otherwise it makes dst NaN, which ends runs: these methods return no error.
func fits(dst []float64, length int, x []float64, columns int, sample []uint32, most int) bool {
	if len(dst) == length && len(x) == columns && within(sample, most) {
		return true
	}
	for i := range dst {
		dst[i] = math.NaN()
	}
	return false
}

// within tells whether all numbers of a sample are below most.
func within(sample []uint32, most int) bool {
	for _, i := range sample {
		if int64(i) >= int64(most) {
			return false
		}
	}
	return true
}
