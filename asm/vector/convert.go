package vector

import "math"

func quantise(dst []int8, x []float32, scale float32, zero int8) {
	for i, v := range x {
		t := v / scale
		if t != t {
			t = 0
		}
		// A quotient beyond 256 is saturated, whatever zero is.
		q := int(math.RoundToEven(float64(max(-256, min(256, t))))) + int(zero)
		dst[i] = int8(max(math.MinInt8, min(math.MaxInt8, q)))
	}
}

func dequantise(dst []float32, x []int8, scale float32, zero int8) {
	for i, q := range x {
		dst[i] = float32(int(q)-int(zero)) * scale
	}
}

func toFloat16(dst []uint16, x []float32) {
	for i, v := range x {
		dst[i] = float16(v)
	}
}

// float16 rounds to the nearest number of 11 bits, half to even. A NaN keeps its sign and the first
// bits of its payload, and becomes quiet.
func float16(v float32) uint16 {
	bits := math.Float32bits(v)
	s, a := uint16(bits>>16)&0x8000, bits&magnitude
	switch {
	case a > 0x7f800000:
		return s | 0x7e00 | uint16(a>>13&0x3ff)
	case a >= 0x477ff000: // 65,520 and more are nearer to 2^16 than to the largest number
		return s | 0x7c00
	case a < 0x38800000: // subnormal: a multiple of 2^-24, as a sum with 1/2 rounds it
		return s | uint16(math.Float32bits(math.Float32frombits(a)+0.5)-0x3f000000)
	}
	a += 0xfff + a>>13&1
	return s | uint16((a-0x38000000)>>13)
}

func fromFloat16(dst []float32, x []uint16) {
	for i, h := range x {
		s, a := uint32(h&0x8000)<<16, uint32(h&0x7fff)
		switch {
		case a > 0x7c00:
			a = a<<13 | 0x7fc00000
		case a == 0x7c00:
			a = 0x7f800000
		case a < 0x0400:
			a = math.Float32bits(float32(a) * 0x1p-24)
		default:
			a = a<<13 + 0x38000000
		}
		dst[i] = math.Float32frombits(s | a)
	}
}

// toBFloat16 rounds as toFloat16 does, to 8 bits with the exponents of float32.
func toBFloat16(dst []uint16, x []float32) {
	for i, v := range x {
		bits := math.Float32bits(v)
		if v != v {
			dst[i] = uint16(bits>>16) | 0x40
			continue
		}
		dst[i] = uint16((bits + 0x7fff + bits>>16&1) >> 16)
	}
}

func fromBFloat16(dst []float32, x []uint16) {
	for i, h := range x {
		dst[i] = math.Float32frombits(uint32(h) << 16)
	}
}
