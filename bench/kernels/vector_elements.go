package main

import (
	"math"

	"github.com/viterin/vek/vek32"

	vectors "github.com/lanes-go/lanes/kernels/vector"
)

// vectorElementTasks are reductions, functions and conversions of package kernels/vector. vek sums in
// an order of its own, and says no error of its functions.
func vectorElementTasks() []task {
	return []task{
		{"vector.Sum", longest, func(n int) []way {
			x := vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { sink = float64(vectors.Sum(x)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { sink = float64(plainFloatSum(x)) }) }},
				{"vek", func(times int) { repeat(times, func(int) { sink = float64(vek32.Sum(x)) }) }},
			}
		}},
		{"vector.Min", longest, func(n int) []way {
			x := vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { sink = float64(vectors.Min(x)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { sink = float64(plainMin32(x)) }) }},
				{"vek", func(times int) { repeat(times, func(int) { sink = float64(vek32.Min(x)) }) }},
			}
		}},
		{"vector.Max", longest, func(n int) []way {
			x := vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { sink = float64(vectors.Max(x)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { sink = float64(plainMax32(x)) }) }},
				{"vek", func(times int) { repeat(times, func(int) { sink = float64(vek32.Max(x)) }) }},
			}
		}},
		{"vector.ArgMin", longest, func(n int) []way {
			x := vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { count = vectors.ArgMin(x) }) }},
				{"plain", func(times int) { repeat(times, func(int) { count = plainArgMin32(x) }) }},
				{"vek", func(times int) { repeat(times, func(int) { count = vek32.ArgMin(x) }) }},
			}
		}},
		{"vector.ArgMax", longest, func(n int) []way {
			x := vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { count = vectors.ArgMax(x) }) }},
				{"plain", func(times int) { repeat(times, func(int) { count = plainArgMax32(x) }) }},
				{"vek", func(times int) { repeat(times, func(int) { count = vek32.ArgMax(x) }) }},
			}
		}},
		{"vector.Add", longest, func(n int) []way {
			dst, x, y := vector32(n), vector32(n), vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(vectors.Add(dst, x, y)) }) }},
				{"vek", func(times int) { repeat(times, func(int) { vek32.Add_Into(dst, x, y) }) }},
			}
		}},
		{"vector.Mul", longest, func(n int) []way {
			dst, x, y := vector32(n), vector32(n), vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(vectors.Mul(dst, x, y)) }) }},
				{"vek", func(times int) { repeat(times, func(int) { vek32.Mul_Into(dst, x, y) }) }},
			}
		}},
		{"vector.Scale", longest, func(n int) []way {
			dst, x := vector32(n), vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(vectors.Scale(dst, 0.5, x)) }) }},
				{"vek", func(times int) { repeat(times, func(int) { vek32.MulNumber_Into(dst, x, 0.5) }) }},
			}
		}},
		{"vector.Clamp", longest, func(n int) []way {
			dst, x := vector32(n), vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(vectors.Clamp(dst, x, -0.5, 0.5)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainClamp(dst, x, -0.5, 0.5) }) }},
			}
		}},
		{"vector.Exp", longest, func(n int) []way {
			dst, x := vector32(n), vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(vectors.Exp(dst, x)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainExp32(dst, x) }) }},
				{"vek", func(times int) { repeat(times, func(int) { vek32.Exp_Into(dst, x) }) }},
			}
		}},
		{"vector.Log", longest, func(n int) []way {
			dst, x := vector32(n), vek32.Abs(vector32(n))
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(vectors.Log(dst, x)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainLog32(dst, x) }) }},
				{"vek", func(times int) { repeat(times, func(int) { vek32.Log_Into(dst, x) }) }},
			}
		}},
		{"vector.Sigmoid", longest, func(n int) []way {
			dst, x := vector32(n), vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(vectors.Sigmoid(dst, x)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainSigmoid32(dst, x) }) }},
			}
		}},
		{"vector.Tanh", longest, func(n int) []way {
			dst, x := vector32(n), vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(vectors.Tanh(dst, x)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainTanh32(dst, x) }) }},
			}
		}},
		{"vector.Softmax", longest, func(n int) []way {
			dst, x := vector32(n), vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(vectors.Softmax(dst, x)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainSoftmax32(dst, x) }) }},
			}
		}},
		{"vector.Quantise", longest, func(n int) []way {
			dst, x := make([]int8, n), vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(vectors.Quantise(dst, x, 1./32, 3)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainQuantise(dst, x, 1./32, 3) }) }},
			}
		}},
		{"vector.Dequantise", longest, func(n int) []way {
			dst, x := vector32(n), make([]int8, n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(vectors.Dequantise(dst, x, 1./32, 3)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainDequantise(dst, x, 1./32, 3) }) }},
			}
		}},
		{"vector.ToBFloat16", longest, func(n int) []way {
			dst, x := make([]uint16, n), vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(vectors.ToBFloat16(dst, x)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainToBFloat16(dst, x) }) }},
			}
		}},
		{"vector.FromBFloat16", longest, func(n int) []way {
			dst, x := vector32(n), make([]uint16, n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(vectors.FromBFloat16(dst, x)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainFromBFloat16(dst, x) }) }},
			}
		}},
		{"vector.ToFloat16", longest, func(n int) []way {
			dst, x := make([]uint16, n), vector32(n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(vectors.ToFloat16(dst, x)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainToFloat16(dst, x) }) }},
			}
		}},
		{"vector.FromFloat16", longest, func(n int) []way {
			dst, x := vector32(n), make([]uint16, n)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(vectors.FromFloat16(dst, x)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainFromFloat16(dst, x) }) }},
			}
		}},
	}
}

//go:noinline
func plainMin32(x []float32) float32 {
	m := x[0]
	for _, v := range x {
		if v < m {
			m = v
		}
	}
	return m
}

//go:noinline
func plainArgMin32(x []float32) int {
	best := 0
	for i, v := range x {
		if v < x[best] {
			best = i
		}
	}
	return best
}

//go:noinline
func plainMax32(x []float32) float32 {
	m := x[0]
	for _, v := range x {
		if v > m {
			m = v
		}
	}
	return m
}

//go:noinline
func plainArgMax32(x []float32) int {
	best := 0
	for i, v := range x {
		if v > x[best] {
			best = i
		}
	}
	return best
}

//go:noinline
func plainFloatSum(x []float32) float32 {
	s := float32(0)
	for _, v := range x {
		s += v
	}
	return s
}

//go:noinline
func plainClamp(dst, x []float32, lo, hi float32) {
	for i, v := range x {
		dst[i] = max(lo, min(hi, v))
	}
}

//go:noinline
func plainExp32(dst, x []float32) {
	for i, v := range x {
		dst[i] = float32(math.Exp(float64(v)))
	}
}

//go:noinline
func plainLog32(dst, x []float32) {
	for i, v := range x {
		dst[i] = float32(math.Log(float64(v)))
	}
}

//go:noinline
func plainSigmoid32(dst, x []float32) {
	for i, v := range x {
		dst[i] = float32(1 / (1 + math.Exp(-float64(v))))
	}
}

//go:noinline
func plainTanh32(dst, x []float32) {
	for i, v := range x {
		dst[i] = float32(math.Tanh(float64(v)))
	}
}

//go:noinline
func plainSoftmax32(dst, x []float32) {
	m, sum := plainMax32(x), float32(0)
	for i, v := range x {
		dst[i] = float32(math.Exp(float64(v - m)))
		sum += dst[i]
	}
	for i := range dst {
		dst[i] /= sum
	}
}

//go:noinline
func plainQuantise(dst []int8, x []float32, scale float32, zero int8) {
	for i, v := range x {
		q := math.RoundToEven(float64(v/scale)) + float64(zero)
		dst[i] = int8(max(-128, min(127, q)))
	}
}

//go:noinline
func plainDequantise(dst []float32, x []int8, scale float32, zero int8) {
	for i, q := range x {
		dst[i] = float32(int(q)-int(zero)) * scale
	}
}

//go:noinline
func plainToBFloat16(dst []uint16, x []float32) {
	for i, v := range x {
		bits := math.Float32bits(v)
		if v != v {
			dst[i] = uint16(bits>>16) | 0x40
			continue
		}
		dst[i] = uint16((bits + 0x7fff + bits>>16&1) >> 16)
	}
}

//go:noinline
func plainFromBFloat16(dst []float32, x []uint16) {
	for i, h := range x {
		dst[i] = math.Float32frombits(uint32(h) << 16)
	}
}

//go:noinline
func plainToFloat16(dst []uint16, x []float32) {
	for i, v := range x {
		bits := math.Float32bits(v)
		s, a := uint16(bits>>16)&0x8000, bits&0x7fffffff
		switch {
		case a > 0x7f800000:
			dst[i] = s | 0x7e00
		case a >= 0x477ff000:
			dst[i] = s | 0x7c00
		case a < 0x38800000:
			dst[i] = s | uint16(math.Float32bits(math.Float32frombits(a)+0.5)-0x3f000000)
		default:
			dst[i] = s | uint16((a+0xfff+a>>13&1-0x38000000)>>13)
		}
	}
}

//go:noinline
func plainFromFloat16(dst []float32, x []uint16) {
	for i, h := range x {
		s, a := uint32(h&0x8000)<<16, uint32(h&0x7fff)
		switch {
		case a >= 0x7c00:
			a = a<<13 | 0x7f800000
		case a < 0x0400:
			a = math.Float32bits(float32(a) * 0x1p-24)
		default:
			a = a<<13 + 0x38000000
		}
		dst[i] = math.Float32frombits(s | a)
	}
}
