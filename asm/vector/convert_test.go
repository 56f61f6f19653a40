package vector_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
	"github.com/lanes-go/lanes/asm/vector"
)

func definedQuantise(dst []int8, x []float32, scale float32, zero int8) {
	for i, v := range x {
		q := math.RoundToEven(float64(float32(float64(v)/float64(scale)))) + float64(zero)
		switch {
		case q != q:
			dst[i] = zero
		case q > 127:
			dst[i] = 127
		case q < -128:
			dst[i] = -128
		default:
			dst[i] = int8(q)
		}
	}
}

func definedDequantise(dst []float32, x []int8, scale float32, zero int8) {
	for i, q := range x {
		dst[i] = float32((float64(q) - float64(zero)) * float64(scale)) // exact in float64
	}
}

// rounded is the nearest number with some bits and a least unit, half to even, of a finite number.
func rounded(v float64, bits uint, least int) float64 {
	if v == 0 {
		return 0
	}
	n := new(big.Float).SetFloat64(v)
	unit := max(n.MantExp(nil)-int(bits), least)
	whole, _ := new(big.Float).SetMantExp(n, -unit).Float64()
	return math.Ldexp(math.RoundToEven(whole), unit)
}

// half is the number that bits of float16 stand for, none of them NaN.
func half(h uint16) float64 {
	exponent, fraction := int(h>>10&31), float64(h&1023)
	v := math.Ldexp(1024+fraction, exponent-25)
	switch exponent {
	case 0:
		v = math.Ldexp(fraction, -24)
	case 31:
		v = math.Inf(1)
	}
	if h>>15 == 1 {
		v = -v
	}
	return v
}

func definedToFloat16(dst []uint16, x []float32) {
	for i, v := range x {
		sign := uint16(math.Float32bits(v) >> 31 << 15)
		a := math.Abs(float64(v))
		switch {
		case v != v:
			dst[i] = sign | 0x7e00 | uint16(math.Float32bits(v)>>13&0x3ff)
			continue
		case a <= math.MaxFloat32:
			a = rounded(a, 11, -24)
		}
		if a >= 0x1p16 {
			a = math.Inf(1)
		}
		dst[i] = sign | uint16(sort.Search(0x7c00, func(h int) bool { return half(uint16(h)) >= a }))
	}
}

func definedFromFloat16(dst []float32, x []uint16) {
	for i, h := range x {
		dst[i] = float32(half(h))
		if h&0x7c00 == 0x7c00 && h&0x3ff != 0 {
			dst[i] = math.Float32frombits(uint32(h&0x8000)<<16 | 0x7fc00000 | uint32(h&0x3ff)<<13)
		}
	}
}

func definedToBFloat16(dst []uint16, x []float32) {
	for i, v := range x {
		bits := math.Float32bits(v)
		if a := math.Abs(float64(v)); a <= math.MaxFloat32 {
			near := float32(rounded(a, 8, -133)) // which may be infinite
			bits = math.Float32bits(near) | bits>>31<<31
		} else if v != v {
			bits |= 1 << 22
		}
		dst[i] = uint16(bits >> 16)
	}
}

func definedFromBFloat16(dst []float32, x []uint16) {
	for i, h := range x {
		dst[i] = math.Float32frombits(uint32(h) * 0x10000)
	}
}

// TestHalves converts all numbers of 16 bits, and numbers of 32 bits around them, halfway between
// them and anywhere. Bits of NaN count.
func TestHalves(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 8))
	var all []uint16
	var x []float32
	for h := range 1 << 16 {
		all = append(all, uint16(h))
		for _, bits := range []uint32{uint32(h) << 16, uint32(h)<<16 | 0x8000} {
			x = append(x, math.Float32frombits(bits-1), math.Float32frombits(bits), math.Float32frombits(bits+1))
		}
		v := float32(half(uint16(h)))
		next := float32((half(uint16(h)) + half(uint16(h+1))) / 2)
		x = append(x, v, next, math.Nextafter32(next, 0), math.Nextafter32(next, 1e9), math.Nextafter32(next, -1e9), math.Float32frombits(random.Uint32()))
	}
	for _, p := range asmtest.Runnable(t, vector.Paths, func(k *vector.Kernels) string { return k.Path }) {
		for name, c := range map[string]struct {
			from, defined func(dst []float32, x []uint16)
			to, rounded   func(dst []uint16, x []float32)
		}{
			"float16":  {p.FromFloat16, definedFromFloat16, p.ToFloat16, definedToFloat16},
			"bfloat16": {p.FromBFloat16, definedFromBFloat16, p.ToBFloat16, definedToBFloat16},
		} {
			got, want := make([]float32, len(all)), make([]float32, len(all))
			c.from(got, all)
			c.defined(want, all)
			for i := range want {
				if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
					t.Fatalf("%s: %s %#x is %#x, want %#x", p.Path, name, all[i], math.Float32bits(got[i]), math.Float32bits(want[i]))
				}
			}
			halves, near := make([]uint16, len(x)), make([]uint16, len(x))
			c.to(halves, x)
			c.rounded(near, x)
			for i := range near {
				if halves[i] != near[i] {
					t.Fatalf("%s: %v (%#x) to %s is %#x, want %#x", p.Path, x[i], math.Float32bits(x[i]), name, halves[i], near[i])
				}
			}
			c.to(halves[:len(all)], got)
			back := make([]float32, len(all))
			c.from(back, halves[:len(all)])
			if !slices.EqualFunc(back, got, func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b }) {
				t.Errorf("%s: %s there and back differ", p.Path, name)
			}
		}
	}
}

// TestQuantised has quotients at ties and at the ends, for every zero point.
func TestQuantised(t *testing.T) {
	var x []float32
	for k := -1100; k <= 1100; k++ {
		x = append(x, float32(k)*0.25, math.Nextafter32(float32(k)*0.25, 1e9), math.Nextafter32(float32(k)*0.25, -1e9))
	}
	x = append(x, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), math.MaxFloat32, -math.MaxFloat32, 0x1p31, -0x1p31, 0x1p-149)
	got, want := make([]int8, len(x)), make([]int8, len(x))
	for _, p := range asmtest.Runnable(t, vector.Paths, func(k *vector.Kernels) string { return k.Path }) {
		for zero := -128; zero < 128; zero++ {
			p.Quantise(got, x, 0.5, int8(zero))
			definedQuantise(want, x, 0.5, int8(zero))
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("%s: %v by 0.5 and %d is %d, want %d", p.Path, x[i], zero, got[i], want[i])
				}
			}
		}
	}
}
