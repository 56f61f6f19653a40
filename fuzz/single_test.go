package fuzz

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/kernels"
)

// float32s gives any bit patterns, and tame numbers.
func (in *input) float32s(n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		if kind := in.byte(); kind < 160 {
			x[i] = float32(int8(in.byte())) / 8
		} else {
			x[i] = math.Float32frombits(uint32(in.uint64()))
		}
	}
	return x
}

// FuzzSingle compares the kernels on float32 vectors of every path with the portable
// twin, and the public functions with these.
func FuzzSingle(f *testing.F) {
	seedBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		n := in.below(120)
		_ = in.float32s(1) // kept inputs have a number here
		x, y := in.float32s(n), in.float32s(n)
		run := func(k *asm.Table) []float64 {
			s := &k.Single
			return []float64{s.Dot(x, y), s.SquaredNorm(x), s.Sum(x)}
		}
		want := run(asm.Generic)
		eachPath(func(k *asm.Table) { requireEqual(t, k.Path, run(k), want) })
		dot, err := kernels.Dot32(x, y)
		if err != nil {
			t.Fatal(err)
		}
		requireEqual(t, "public sums", []float64{dot, kernels.SquaredNorm32(x), kernels.Sum32(x)}, want[:3])
	})
}
