package single

// Short is the most elements of the vectors that the functions below take. They give
// the bits of the kernels for less than a call of one costs: each element has a lane of
// its own, and 0 + x is x, but for -0.
const Short = 4

// DotShort is Dot.
func DotShort(x, y []float32) float64 {
	var l [Short]float64
	for i := range min(len(x), len(y), Short) {
		l[i] = float64(x[i])*float64(y[i]) + 0
	}
	return (l[0] + l[2]) + (l[1] + l[3])
}

// SquaredNormShort is SquaredNorm.
func SquaredNormShort(x []float32) float64 {
	var l [Short]float64
	for i := range min(len(x), Short) {
		l[i] = float64(x[i]) * float64(x[i])
	}
	return (l[0] + l[2]) + (l[1] + l[3])
}

// SumShort is Sum.
func SumShort(x []float32) float64 {
	var l [Short]float64
	for i := range min(len(x), Short) {
		l[i] = float64(x[i]) + 0
	}
	return (l[0] + l[2]) + (l[1] + l[3])
}
