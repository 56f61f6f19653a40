package vector

import "math"

func sum(x []float32) float32 {
	var l [64]float32
	for i, v := range x {
		l[i%64] += v
	}
	return sum64(&l)
}

// least is a if a < b, NaN if one is NaN, and -0 if both are zeros and one is -0.
func least(a, b float32) float32 {
	switch {
	case a != a || b != b:
		return float32(math.NaN())
	case a == b: // which differ in the sign of a zero at most
		return math.Float32frombits(math.Float32bits(a) | math.Float32bits(b))
	}
	return lesser(a, b)
}

func minimum(x []float32) float32 {
	if len(x) == 0 {
		return 0
	}
	m := x[0]
	for _, v := range x {
		m = least(m, v)
	}
	return m
}

func maximum(x []float32) float32 {
	if len(x) == 0 {
		return 0
	}
	m := -x[0]
	for _, v := range x {
		m = least(m, -v)
	}
	return -m
}

func argMin(x []float32) int { return place(x, minimum(x)) }

func argMax(x []float32) int { return place(x, maximum(x)) }

// place is the first place of m, which may be NaN, or -1.
func place(x []float32, m float32) int {
	for i, v := range x {
		if v == m || v != v && m != m {
			return i
		}
	}
	return -1
}
