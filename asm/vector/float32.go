package vector

import "math"

// fma returns x*y + z, rounded once. The product is exact in float64. The sum is rounded to odd
// there: where it is not exact, the last bit becomes 1, so that the second rounding sees on which
// side of a tie the sum lies.
func fma(x, y, z float32) float32 {
	p, c := float64(float64(x)*float64(y)), float64(z)
	s := p + c
	b := s - p
	if e := (p - (s - b)) + (c - b); e != 0 && math.Abs(s) <= math.MaxFloat64 {
		if bits := math.Float64bits(s); bits&1 == 0 {
			if (e > 0) == (s > 0) {
				bits++
			} else {
				bits--
			}
			s = math.Float64frombits(bits)
		}
	}
	return float32(s)
}

// sum64 adds the lanes, and changes them.
func sum64(l *[64]float32) float32 {
	for half := 32; half > 0; half /= 2 {
		for i := range half {
			l[i] += l[i+half]
		}
	}
	return l[0] + 0
}

func dot(x, y []float32) float32 {
	var l [64]float32
	for i, v := range x {
		l[i%64] = fma(v, y[i], l[i%64])
	}
	return sum64(&l)
}

func squaredNorm(x []float32) float32 { return dot(x, x) }

func squaredDistance(x, y []float32) float32 {
	var l [64]float32
	for i, v := range x {
		d := v - y[i]
		l[i%64] = fma(d, d, l[i%64])
	}
	return sum64(&l)
}

func dotRows(dst, query, rows []float32, stride int, list []uint32) {
	batch(dst, query, rows, stride, list, dot)
}

func squaredDistanceRows(dst, query, rows []float32, stride int, list []uint32) {
	batch(dst, query, rows, stride, list, squaredDistance)
}

func cosine(x, y []float32) float32 { return Quotient(dot(x, y), dot(x, x), dot(y, y)) }

// Quotient returns the cosine of an inner product and two squared norms, as Kernels.Cosine says.
func Quotient[N float32 | int32](product, squareX, squareY N) float32 {
	square := float64(float64(squareX) * float64(squareY))
	switch {
	case square == 0:
		return 0
	case !(square <= math.MaxFloat64):
		return float32(math.NaN())
	default:
		return float32(max(-1, min(1, float64(product)/math.Sqrt(square))))
	}
}

func cosineRows(dst, query, rows []float32, stride int, list []uint32) {
	batch(dst, query, rows, stride, list, cosine)
}
