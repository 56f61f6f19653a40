package element

import "math"

// The elementary functions. Every CPU path follows their operations and the order of these; the
// comments give the size of each error term. Products are rounded explicitly so that no compiler
// may fuse them. The polynomials are evaluated by Estrin's scheme: chains of dependent operations
// bound the speed of the vector code more than the number of operations does.

const (
	log2e = 0x1.71547652b82fep0
	// ln2Hi has 42 bits, so that k*ln2Hi is exact for every exponent k.
	ln2Hi = 0x1.62e42fefa38p-1
	ln2Lo = 0x1.ef35793c7673p-45
	// expShift rounds to an integer k by leaving k + 2046 in the low bits.
	expShift = 0x1.8p52 + 2046
	// expLow and expHigh lie past the points where exp is 0 and +Inf.
	expLow, expHigh = -746, 710
	// logSplit is the bit pattern of sqrt(1/2): mantissas are brought to
	// [sqrt(1/2), sqrt(2)).
	logSplit = 0x3fe6a09e667f3bcd
	logOne   = 0x3ff0000000000000
	// logTiny is the least normal number.
	logTiny = 0x1p-1022
	// softplusLarge is where softplus(x) = x to less than 1e-11 ulp.
	softplusLarge = 64
	// log1pSmall is where log1p(x) = x to a quarter ulp.
	log1pSmall = 0x1p-54
)

// exp(r) = 1 + r + r^2 (e2 + e3 r + ... + e12 r^10) for |r| <= ln(2)/2,
// interpolated at Chebyshev points: 3.3e-19 relative.
const (
	e2  = 0x1.0000000000000p-1
	e3  = 0x1.5555555555557p-3
	e4  = 0x1.5555555555556p-5
	e5  = 0x1.11111111100cep-7
	e6  = 0x1.6c16c16c162ccp-10
	e7  = 0x1.a01a01abef415p-13
	e8  = 0x1.a01a01a6dcaffp-16
	e9  = 0x1.71de021a90822p-19
	e10 = 0x1.27e4db57442fbp-22
	e11 = 0x1.af4e196027428p-26
	e12 = 0x1.1f731ea5352cap-29
)

// log((1+w/2)/(1-w/2)) = w + w^3 (g0 + g1 w^2 + ... + g6 w^12) for
// |w| <= 0.3432, what [sqrt(1/2), sqrt(2)) needs: 4.7e-18 relative.
const (
	g0 = 0x1.5555555555558p-4
	g1 = 0x1.99999999952ccp-7
	g2 = 0x1.2492492df3ba9p-9
	g3 = 0x1.c71c62e26208bp-12
	g4 = 0x1.7462b58e46ebep-14
	g5 = 0x1.39fe42e9740a7p-16
	g6 = 0x1.2b59b713616c9p-18
)

// The same for 0 <= w <= 2/3, what log(1+e) with 0 <= e <= 1 needs without
// splitting the range: 7.3e-18 relative.
const (
	p0 = 0x1.5555555555555p-4
	p1 = 0x1.999999999a3dfp-7
	p2 = 0x1.24924923d422cp-9
	p3 = 0x1.c71c727164156p-12
	p4 = 0x1.745cf0aa6a011p-14
	p5 = 0x1.3b18b34a260a3p-16
	p6 = 0x1.10ac6a3d3e5f6p-18
	p7 = 0x1.eb913ba3ef69ep-21
	p8 = 0x1.687604d0c86a1p-23
	p9 = 0x1.4b0ed4be611b2p-24
)

// expParts returns p + tail = exp(x)/2^k to some 2^-57 relative, and 2^k in two
// factors, neither of which overflows or underflows. x is in
// [expLow, expHigh] or NaN.
func expParts(x float64) (p, tail, scale1, scale2 float64) {
	shifted := math.FMA(x, log2e, expShift)
	bits := math.Float64bits(shifted)
	k := shifted - expShift
	high := math.FMA(-k, ln2Hi, x)
	r := math.FMA(-k, ln2Lo, high)
	rTail := math.FMA(-k, ln2Lo, high-r)

	r2 := float64(r * r)
	poly := expPoly(r, r2)
	one := 1 + r
	rest := r - (one - 1)
	rest = math.FMA(rTail, one, rest)
	rest = math.FMA(poly, r2, rest)
	p = one + rest
	tail = rest - (p - one)

	half := bits >> 1
	scale1 = math.Float64frombits(half << 52)
	scale2 = math.Float64frombits((bits - half) << 52)
	return p, tail, scale1, scale2
}

// expPoly returns (exp(r) - 1 - r) / r^2, given r and r^2.
func expPoly(r, r2 float64) float64 {
	r4 := float64(r2 * r2)
	high4 := math.FMA(e12, r2, math.FMA(e11, r, e10))
	mid4 := math.FMA(math.FMA(e9, r, e8), r2, math.FMA(e7, r, e6))
	low4 := math.FMA(math.FMA(e5, r, e4), r2, math.FMA(e3, r, e2))
	return math.FMA(math.FMA(high4, r4, mid4), r4, low4)
}

func exp(x float64) float64 {
	x = max(expLow, min(expHigh, x))
	p, _, scale1, scale2 := expParts(x)
	return float64(float64(p*scale1) * scale2)
}

// expNegative returns exp(-a) as a rounded value and its tail, for a >= 0. One
// factor 2^k is quicker than two; it is 0 below 2^-1074, so that results below
// 2^-1074 are 0 too.
func expNegative(a float64) (e, tail float64) {
	p, t, scale1, scale2 := expParts(max(expLow, -a))
	scale := float64(scale1 * scale2)
	return float64(p * scale), float64(t * scale)
}

func sigmoid(x float64) float64 {
	e, tail := expNegative(math.Abs(x))
	return sigmoidFrom(x, e, tail)
}

// sigmoidFrom returns 1/(1+exp(-x)) given exp(-|x|) = e + tail: n/(1+e) with
// n = 1 or e. The rounding of 1+e, the tail and the rounding of the quotient
// are each worth about half an ulp; all three enter one residual step.
func sigmoidFrom(x, e, tail float64) float64 {
	d := 1 + e
	dTail := (e - (d - 1)) + tail
	n, nTail := 1.0, 0.0
	if math.Signbit(x) {
		n, nTail = e, tail
	}
	inv := 1 / d
	q := float64(n * inv)
	residual := math.FMA(-q, d, n) + math.FMA(-q, dTail, nTail)
	return math.FMA(residual, inv, q)
}

func softplus(x float64) float64 {
	e, tail := expNegative(math.Abs(x))
	return softplusFrom(x, e, tail)
}

// softplusFrom returns log(1+exp(x)) = max(x, 0) + log(1+e+tail) given
// exp(-|x|) = e + tail.
func softplusFrom(x, e, tail float64) float64 {
	w, wTail := logRatio(e, tail)
	z := float64(w * w)
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	high4 := math.FMA(math.FMA(p9, z, p8), z2, math.FMA(p7, z, p6))
	mid4 := math.FMA(math.FMA(p5, z, p4), z2, math.FMA(p3, z, p2))
	poly := math.FMA(math.FMA(high4, z4, mid4), z2, math.FMA(p1, z, p0))
	rest := math.FMA(float64(w*z), poly, wTail)

	// Either of m and w may be the larger: a sum with its exact error.
	m := max(0, x)
	sum := m + w
	back := sum - m
	sumTail := (m - (sum - back)) + (w - back)
	if m > softplusLarge {
		return m
	}
	return sum + (sumTail + rest)
}

// logRatio returns w + wTail = f/(1+f/2) for f + fTail, so that
// log(1+f) = log((1+w/2)/(1-w/2)). In this form no operation on a subnormal f
// loses a bit.
func logRatio(f, fTail float64) (w, wTail float64) {
	d := math.FMA(0.5, f, 1)
	dTail := math.FMA(0.5, f, 1-d)
	inv := 1 / d
	w = float64(f * inv)
	residual := math.FMA(-w, d, f) + math.FMA(-w, dTail, fTail)
	return w, float64(residual * inv)
}

// logFrom returns k ln 2 + log(1+f+fTail).
func logFrom(k, f, fTail float64) float64 {
	w, wTail := logRatio(f, fTail)
	z := float64(w * w)
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	high4 := math.FMA(g6, z2, math.FMA(g5, z, g4))
	low4 := math.FMA(math.FMA(g3, z, g2), z2, math.FMA(g1, z, g0))
	poly := math.FMA(high4, z4, low4)
	rest := math.FMA(float64(w*z), poly, wTail)

	high := float64(k * ln2Hi)
	sum := high + w
	sumTail := w - (sum - high)
	return sum + (sumTail + math.FMA(k, ln2Lo, rest))
}

// logSplitBits returns k and m in [sqrt(1/2), sqrt(2)) with x = m 2^k, for a
// positive normal x.
func logSplitBits(x float64) (k, m float64) {
	bits := math.Float64bits(x) + (logOne - logSplit)
	// The biased exponent becomes the low bits of 2^52 + exponent.
	k = math.Float64frombits(bits>>52|0x4330000000000000) - (0x1p52 + 1023)
	m = math.Float64frombits(bits&(1<<52-1) + logSplit)
	return k, m
}

func log(x float64) float64 {
	scaled, shift := x, 0.0
	if x < logTiny {
		scaled, shift = float64(x*0x1p54), 54
	}
	k, m := logSplitBits(scaled)
	return logEnds(x, logFrom(k-shift, m-1, 0))
}

// logEnds replaces the value of log(u) where u is not positive and finite.
func logEnds(u, value float64) float64 {
	switch {
	case u == 0:
		return math.Inf(-1)
	case u < 0:
		return math.NaN()
	case u < math.Inf(1):
		return value
	}
	return u
}

func log1p(x float64) float64 {
	if math.Abs(x) < log1pSmall {
		return x
	}
	u := 1 + x
	back := u - x
	uTail := (x - (u - back)) + (1 - back)
	k, m := logSplitBits(u)
	// 2^(1-k) from the exponents of m and u. It is 0 for the largest u, whose
	// tail is far below the result.
	scale := math.Float64frombits(math.Float64bits(m) - math.Float64bits(u) + 0x4000000000000000)
	f := m - 1
	fTail := float64(float64(0.5*uTail) * scale)
	// Near x = 0 all of x may be in the tail: bring it to the front.
	sum := f + fTail
	fTail -= sum - f
	return logEnds(u, logFrom(k, sum, fTail))
}
