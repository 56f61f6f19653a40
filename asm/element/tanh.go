package element

import "math"

const (
	// tanhLow is past the point where exp(y)-1 rounds to -1.
	tanhLow = -80
	// tanhShift rounds to an integer k by leaving k + 1023 in the low bits.
	tanhShift = 0x1.8p52 + 1023
)

// tanh is -e/(2+e) with e = exp(y)-1 and y = -2|x|: nothing cancels, however small x is.
// Of the operations see math.go.
func tanh(x float64) float64 {
	y := math.Abs(x)
	y = max(tanhLow, -(y + y))
	shifted := math.FMA(y, log2e, tanhShift)
	k := shifted - tanhShift
	high := math.FMA(-k, ln2Hi, y)
	r := math.FMA(-k, ln2Lo, high)
	rTail := math.FMA(-k, ln2Lo, high-r)
	r2 := float64(r * r)
	rest := math.FMA(expPoly(r, r2), r2, rTail)

	// 2^k (1 + r + rest) - 1. Of 2^k - 1 and 2^k r the first is the larger or 0.
	scale := math.Float64frombits(math.Float64bits(shifted) << 52)
	less := scale - 1
	lessTail := scale - (less + 1)
	part := float64(scale * r)
	sum := less + part
	tail := (part - (sum - less)) + lessTail
	tail = math.FMA(scale, rest, tail)
	e := sum + tail
	eTail := tail - (e - sum)

	d := 2 + e
	dTail := (e - (d - 2)) + eTail
	inv := 1 / d
	q := float64(e * inv)
	residual := math.FMA(-q, d, e) + math.FMA(-q, dTail, eTail)
	return math.Copysign(math.FMA(residual, inv, q), x)
}
