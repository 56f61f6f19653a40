// Package asmtest holds what the tests of the kernels share.
package asmtest

import (
	"math"
	"math/rand/v2"
	"testing"

	"golang.org/x/sys/cpu"
)

// Runs tells whether this CPU can run the kernels of a path. The path must be compiled for its
// architecture.
func Runs(path string) bool {
	x86 := &cpu.X86
	switch path {
	case "avx2-vnni":
		return Runs("avx2") && x86.HasAVXVNNI
	case "avx512-vnni":
		return Runs("avx512") && x86.HasAVX512VNNI
	case "neon-dot":
		return cpu.ARM64.HasASIMDDP
	case "avx2":
		return x86.HasAVX2 && x86.HasFMA && x86.HasF16C
	case "avx512":
		return x86.HasAVX512F && x86.HasAVX512DQ && x86.HasAVX512VL && x86.HasAVX512BW
	}
	return true
}

// Runnable leaves those kernels that this CPU can run.
func Runnable[K any](t testing.TB, list []*K, path func(*K) string) []*K {
	t.Helper()
	var out []*K
	for _, k := range list {
		if Runs(path(k)) {
			out = append(out, k)
		} else {
			t.Logf("this CPU cannot run %s", path(k))
		}
	}
	return out
}

// Specials are the values that operations trip over.
var Specials = []float64{0, math.Copysign(0, -1), 1, -1, 0.75, -0.75, math.Inf(1), math.Inf(-1), math.NaN(),
	math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64,
	0x1p-1022, -0x1.fffffp-1023, 0x1p-538, -0x1p-537, 0x1p512, math.Float64frombits(0xfff0000000000001)}

// Same compares bits; any NaN equals any other.
func Same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

// Hostile draws a special value or any bit pattern.
func Hostile(random *rand.Rand) float64 {
	if random.IntN(2) == 0 {
		return math.Float64frombits(random.Uint64())
	}
	return Specials[random.IntN(len(Specials))]
}

// SomeHostile draws numbers of all sizes, and a hostile one now and then.
func SomeHostile(random *rand.Rand) float64 {
	if random.IntN(30) == 0 {
		return Hostile(random)
	}
	return math.Ldexp(random.NormFloat64(), random.IntN(200)-100)
}

// Fill draws every element of x.
func Fill(x []float64, random *rand.Rand, value func(*rand.Rand) float64) {
	for i := range x {
		x[i] = value(random)
	}
}

// FillKind writes one of several kinds of data: tame, of all sizes, with a few
// specials, all specials, and tiny products that vanish to -0.
func FillKind(random *rand.Rand, kind int, x []float64) {
	for i := range x {
		switch {
		case kind == 0, kind == 2 && random.IntN(40) > 0:
			x[i] = random.NormFloat64()
		case kind == 1:
			x[i] = math.Ldexp(random.NormFloat64(), random.IntN(600)-300)
		case kind == 4:
			x[i] = math.Copysign(math.SmallestNonzeroFloat64, float64(i%2)-0.5)
		default:
			x[i] = Specials[random.IntN(len(Specials))]
		}
	}
}

// Upto returns 0 to n.
func Upto(n int) []int {
	list := make([]int, n+1)
	for i := range list {
		list[i] = i
	}
	return list
}
