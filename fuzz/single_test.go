package fuzz

import (
	"math"
	"slices"
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
		a := in.float32s(1)[0]
		x, y := in.float32s(n), in.float32s(n)
		run := func(k *asm.Table) (out []float64) {
			s := &k.Single
			out = append(out, s.Dot(x, y), s.SquaredNorm(x), s.Sum(x))
			to := slices.Clone(y)
			s.Axpy(a, x, to)
			for _, v := range to {
				out = append(out, float64(v))
			}
			return out
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
