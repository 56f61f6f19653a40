package vector

import "math"

// The elementary functions are in float32 arithmetic: asm/internal/generate has the same steps for
// the CPU paths. Sums that cancel nothing are rounded to less than a unit in the last place.

const (
	sign      = 1 << 31
	magnitude = sign - 1

	log2e = 0x1.715476p+0
	// ln2Hi has 15 bits, so that k*ln2Hi is exact for every exponent k.
	ln2Hi = 0x1.62e4p-1
	ln2Lo = 0x1.7f7d1cp-20
	// shifter rounds to an integer k by leaving k in the low bits, beside a bias.
	shifter = 0x1.8p23
	// expLow and expHigh lie past the points where exp is 0 and +Inf.
	expLow, expHigh = -104, 89
	// tanhLow is past the point where exp(y)-1 rounds to -1.
	tanhLow = -30
	// logSplit is the bits of sqrt(1/2): mantissas are brought to [sqrt(1/2), sqrt(2)).
	logSplit = 0x3f3504f3
	logOne   = 0x3f800000
)

// greater is a if a > b, and else b, which is the result where one is NaN.
func greater(a, b float32) float32 {
	if a > b {
		return a
	}
	return b
}

func lesser(a, b float32) float32 {
	if a < b {
		return a
	}
	return b
}

// reduced returns exp(r) - 1 for r = y - k ln 2, and the bits of shifter + bias + k. The polynomial
// q(r) = (exp(r) - 1 - r) / r^2 is fitted for |r| <= ln(2)/2: 2^-31 of exp(r) - 1.
func reduced(y, bias float32) (rest float32, bits uint32) {
	shifted := fma(y, log2e, shifter+bias)
	k := shifted - (shifter + bias)
	r := fma(k, -ln2Hi, y)
	r = fma(k, -ln2Lo, r)
	q := fma(r, 0x1.9e7c76p-13, 0x1.6d3a5cp-10)
	q = fma(q, r, 0x1.1112d4p-7)
	q = fma(q, r, 0x1.5554f8p-5)
	q = fma(q, r, 0x1.555554p-3)
	q = fma(q, r, 0.5)
	return fma(float32(r*r), q, r), math.Float32bits(shifted)
}

// expOf multiplies by 2^k in two factors, neither of which overflows or underflows.
func expOf(x float32) float32 {
	x = lesser(expHigh, greater(expLow, x))
	rest, bits := reduced(x, 254)
	half := bits >> 1
	return float32(float32((rest+1)*math.Float32frombits(half<<23)) * math.Float32frombits((bits-half)<<23))
}

// sigmoidOf is n/(1+e) with e = exp(-|x|) and n = 1 or e: nothing cancels or overflows.
func sigmoidOf(x float32) float32 {
	e := expOf(math.Float32frombits(math.Float32bits(x) | sign))
	n := float32(1)
	if x < 0 {
		n = e
	}
	return n / (e + 1)
}

// tanhOf is -e/(2+e) with e = exp(y)-1 and y = -2|x|: nothing cancels, however small x is.
func tanhOf(x float32) float32 {
	y := math.Float32frombits(math.Float32bits(x) | sign)
	y = greater(tanhLow, y+y)
	rest, bits := reduced(y, 127)
	scale := math.Float32frombits(bits << 23)
	e := fma(scale, rest, scale-1)
	t := e / (e + 2)
	return math.Float32frombits(math.Float32bits(t)&magnitude | math.Float32bits(x)&sign)
}

// logOf is k ln 2 + log(1+f), and log(1+f) = f - f^2/2 + f^3 p(f), with p fitted for mantissas 1+f in
// [sqrt(1/2), sqrt(2)): 2^-30 of log(1+f).
func logOf(x float32) float32 {
	scaled, shift := x, float32(127)
	if x < 0x1p-126 {
		scaled, shift = float32(x*0x1p23), 127+23
	}
	bits := math.Float32bits(scaled) + (logOne - logSplit)
	k := float32(bits>>23) - shift
	f := math.Float32frombits(bits&(1<<23-1)+logSplit) - 1
	p := fma(f, 0x1.1484e8p-4, -0x1.de1004p-4)
	p = fma(p, f, 0x1.e6c03ep-4)
	p = fma(p, f, -0x1.fc26acp-4)
	p = fma(p, f, 0x1.233b78p-3)
	p = fma(p, f, -0x1.555c4ep-3)
	p = fma(p, f, 0x1.99a478p-3)
	p = fma(p, f, -0x1.000006p-2)
	p = fma(p, f, 0x1.555548p-2)
	square := float32(f * f)
	rest := fma(k, ln2Lo, float32(float32(square*f)*p))
	rest = fma(square, -0.5, rest)
	y := fma(k, ln2Hi, f+rest)
	switch {
	case x == 0:
		return float32(math.Inf(-1))
	case x < 0:
		return float32(math.NaN())
	case x < float32(math.Inf(1)):
		return y
	}
	return x
}

func exp(dst, x []float32) {
	for i, v := range x {
		dst[i] = expOf(v)
	}
}

func expMinus(dst, x []float32, a float32) {
	for i, v := range x {
		dst[i] = expOf(v - a)
	}
}

func log(dst, x []float32) {
	for i, v := range x {
		dst[i] = logOf(v)
	}
}

func sigmoid(dst, x []float32) {
	for i, v := range x {
		dst[i] = sigmoidOf(v)
	}
}

func tanh(dst, x []float32) {
	for i, v := range x {
		dst[i] = tanhOf(v)
	}
}
