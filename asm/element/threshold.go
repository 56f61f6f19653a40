package element

import "math"

// ThresholdKernels look at the elements of a vector that are above a threshold,
// s[i] > t, or below it. NaN is neither, and nothing is above or below NaN; -0 and
// +0 are equal.
type ThresholdKernels struct {
	// Count returns how many s[i] > t.
	Count func(s []float64, t float64) int
	// Above and Below write the s[i] > t, or < t, to dst in increasing i and return
	// their number. dst is as long as s; it may be s, but may not overlap it in any
	// other way. What dst holds behind those elements is left undefined.
	Above, Below func(dst, s []float64, t float64) int
	// Kth returns the k-th largest element of s, for k from 1 to len(s): NaN where s
	// holds one, and a zero of either sign. It takes time that grows as len(s)^2.
	Kth func(s []float64, k int) float64
}

// kth counts for each element how many are above it: the k-th largest is the least of
// those with fewer than k.
func kth(s []float64, k int) float64 {
	least := math.Inf(1)
	for _, v := range s {
		if v != v {
			return v
		}
		above := 0
		for _, u := range s {
			if u > v {
				above++
			}
		}
		if above < k && v < least {
			least = v
		}
	}
	return least
}

// kthOfThree is kth for up to three elements, without a jump that data decide.
func kthOfThree(s []float64, k int) float64 {
	a, b, c := s[0], s[len(s)/2], s[len(s)-1]
	switch {
	case k == 1:
		return max(a, b, c)
	case k == len(s):
		return min(a, b, c)
	}
	return max(min(a, b), min(max(a, b), c))
}

var thresholdGeneric = ThresholdKernels{
	Kth: kth,
	Count: func(s []float64, t float64) int {
		n := 0
		for _, v := range s {
			if v > t {
				n++
			}
		}
		return n
	},
	Above: func(dst, s []float64, t float64) int {
		n := 0
		for _, v := range s {
			if v > t {
				dst[n] = v
				n++
			}
		}
		return n
	},
	Below: func(dst, s []float64, t float64) int {
		n := 0
		for _, v := range s {
			if v < t {
				dst[n] = v
				n++
			}
		}
		return n
	},
}
