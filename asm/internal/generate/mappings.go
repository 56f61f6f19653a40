package main

import "math"

// mappings are the kernels that write a vector by a formula. Their twins say what the steps are for.
var mappings = map[string]mapping{
	"Divide": {formula: func(f *formula) { f.quotient(f.operand("x"), f.number("a")) }},
	"Scale":  {formula: func(f *formula) { f.product(f.operand("x"), f.number("a")) }},
	"Add":    {formula: func(f *formula) { f.sum(f.operand("x"), f.operand("y")) }},
	"Sub":    {formula: func(f *formula) { f.difference(f.operand("x"), f.operand("y")) }},
	"Mul":    {formula: func(f *formula) { f.product(f.operand("x"), f.operand("y")) }},
	"MulAdd": {formula: func(f *formula) { f.fma(f.operand("x"), f.operand("y"), f.operand("z")) }},
	"AddScaled": {formula: func(f *formula) {
		x := f.operand("x")
		f.fma(f.number("a"), x, f.operand("y"))
	}},
	"Clamp": {formula: func(f *formula) {
		f.lesser(f.number("hi"), f.greater(f.number("lo"), f.operand("x")))
	}},

	"Exp":      {formula: func(f *formula) { f.exp(f.operand("x")) }},
	"ExpMinus": {formula: func(f *formula) { f.exp(f.difference(f.operand("x"), f.number("a"))) }},
	"Log": {
		formula: func(f *formula) { f.log(f.operand("x")) },
		plain: func(f *formula) {
			f.logOf(f.operand("x"), func() value { return f.constant(127) })
		},
		low: 0x00800000, high: 0x7f800000, // normal numbers above 0
	},
	"Sigmoid": {formula: func(f *formula) { f.sigmoid(f.operand("x")) }},
	"Tanh":    {formula: func(f *formula) { f.tanh(f.operand("x")) }},

	"Quantise": {to: int8s, formula: func(f *formula) {
		t := f.quotient(f.operand("x"), f.number("scale"))
		t = f.choose(f.equal(t, t), t, f.constant(0))
		t = f.lesser(f.constant(256), f.greater(f.constant(-256), t))
		f.plus(f.round(t), f.number("zero"))
	}},
	"Dequantise": {from: int8s, formula: func(f *formula) {
		f.product(f.float(f.minus(f.operand("x"), f.number("zero"))), f.number("scale"))
	}},
	"ToFloat16":   {to: float16s, formula: func(f *formula) { f.operand("x") }},
	"FromFloat16": {from: float16s, formula: func(f *formula) { f.operand("x") }},
	"ToBFloat16": {to: uint16s, formula: func(f *formula) {
		x := f.operand("x")
		high := f.right(x, 16)
		rounded := f.plus(f.plus(f.and(high, f.bits(1)), x), f.bits(0x7fff))
		f.choose(f.equal(x, x), f.right(rounded, 16), f.or(high, f.bits(0x40)))
	}},
	"FromBFloat16": {from: uint16s, formula: func(f *formula) { f.left(f.operand("x"), 16) }},
}

const (
	sign      = 1 << 31
	magnitude = sign - 1
)

// reduced is r = y - k ln 2, and exp(r) - 1 - r = r^2 q(r). bits has k + bias in its low bits.
func (f *formula) reduced(y value, bias float32) (bits, r, rest value) {
	shift := f.constant(0x1.8p23 + bias)
	bits = f.fma(y, f.constant(0x1.715476p+0), shift)
	k := f.difference(bits, shift)
	r = f.fma(k, f.constant(-0x1.62e4p-1), y)
	r = f.fma(k, f.constant(-0x1.7f7d1cp-20), r)
	q := f.fma(r, f.constant(0x1.9e7c76p-13), f.constant(0x1.6d3a5cp-10))
	for _, c := range []float32{0x1.1112d4p-7, 0x1.5554f8p-5, 0x1.555554p-3, 0.5} {
		q = f.fma(q, r, f.constant(c))
	}
	return bits, r, f.fma(f.product(r, r), q, r)
}

func (f *formula) exp(x value) value {
	x = f.lesser(f.constant(89), f.greater(f.constant(-104), x))
	bits, _, rest := f.reduced(x, 254)
	half := f.right(bits, 1)
	e := f.product(f.sum(rest, f.constant(1)), f.left(half, 23))
	return f.product(e, f.left(f.minus(bits, half), 23))
}

func (f *formula) sigmoid(x value) value {
	e := f.exp(f.or(x, f.bits(sign)))
	one := f.constant(1)
	return f.quotient(f.choose(f.less(x, f.constant(0)), e, one), f.sum(e, one))
}

func (f *formula) tanh(x value) value {
	y := f.or(x, f.bits(sign))
	y = f.greater(f.constant(-30), f.sum(y, y))
	bits, _, rest := f.reduced(y, 127)
	scale := f.left(bits, 23)
	e := f.fma(scale, rest, f.difference(scale, f.constant(1)))
	t := f.quotient(e, f.sum(e, f.constant(2)))
	return f.or(f.and(t, f.bits(magnitude)), f.and(x, f.bits(sign)))
}

func (f *formula) log(x value) value {
	infinity := float32(math.Inf(1))
	tiny := f.less(x, f.constant(0x1p-126))
	scaled := f.choose(tiny, f.product(x, f.constant(0x1p23)), x)
	y := f.logOf(scaled, func() value { return f.choose(tiny, f.constant(127+23), f.constant(127)) })
	y = f.choose(f.less(x, f.constant(infinity)), y, x)
	y = f.choose(f.less(x, f.constant(0)), f.constant(float32(math.NaN())), y)
	return f.choose(f.equal(x, f.constant(0)), f.constant(-infinity), y)
}

// logOf is of normal numbers above 0, whose exponents have a bias.
func (f *formula) logOf(x value, bias func() value) value {
	const split = 0x3f3504f3
	bits := f.plus(x, f.bits(0x3f800000-split))
	k := f.difference(f.float(f.right(bits, 23)), bias())
	m := f.plus(f.and(bits, f.bits(1<<23-1)), f.bits(split))
	t := f.difference(m, f.constant(1))
	p := f.fma(t, f.constant(0x1.1484e8p-4), f.constant(-0x1.de1004p-4))
	for _, c := range []float32{0x1.e6c03ep-4, -0x1.fc26acp-4, 0x1.233b78p-3, -0x1.555c4ep-3, 0x1.99a478p-3, -0x1.000006p-2, 0x1.555548p-2} {
		p = f.fma(p, t, f.constant(c))
	}
	square := f.product(t, t)
	rest := f.fma(k, f.constant(0x1.7f7d1cp-20), f.product(f.product(square, t), p))
	rest = f.fma(square, f.constant(-0.5), rest)
	return f.fma(k, f.constant(0x1.62e4p-1), f.sum(t, rest))
}
