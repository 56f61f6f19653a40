package fuzz

import (
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/element"
)

// FuzzElement compares the element-wise kernels of every path with the portable
// twin.
func FuzzElement(f *testing.F) {
	seedBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		n := in.below(70)
		x, z, y := in.floats(n), in.floats(n), in.floats(n)
		var weight []float64
		if in.byte()%2 == 0 {
			weight = in.floats(n)
		}
		delta := math.Abs(float64(int8(in.byte())))/16 + 0.125
		run := func(k *asm.Table) (names []string, out [][]float64) {
			add := func(name string, x []float64) { names, out = append(names, name), append(out, x) }
			e := &k.Element
			for i, f := range []func(dst, x []float64){e.Exp, e.Log, e.Log1p, e.Sigmoid, e.Softplus, e.Tanh} {
				dst := make([]float64, n)
				f(dst, x)
				same := slices.Clone(x)
				f(same, same)
				dst = append(dst, same...)
				add([]string{"Exp", "Log", "Log1p", "Sigmoid", "Softplus", "Tanh"}[i], dst)
			}
			exps, shift := make([]float64, n), delta
			add("ExpSum", []float64{e.ExpSum(exps, x, shift), e.ExpSum(nil, x, shift)})
			add("exps", exps)
			add("extremes", []float64{e.Extreme.Max(x), float64(e.Extreme.First(x, delta)), float64(e.Extreme.First(x, e.Extreme.Max(x)))})
			for loss := range element.Loss(element.Losses) {
				coef, h, third := make([]float64, n), make([]float64, n), make([]float64, n)
				add("Grad sum", []float64{e.Grad[loss](coef, z, y, weight, delta), e.Sum[loss](z, y, weight, delta)})
				add("Grad", coef)
				e.Curvature[loss](h, third, z, y, weight, delta)
				add("second derivative", h)
				add("third derivative", third)
			}
			return names, out
		}
		names, want := run(asm.Generic)
		eachPath(func(k *asm.Table) {
			_, got := run(k)
			for i, name := range names {
				requireEqual(t, k.Path+" "+name, got[i], want[i])
			}
		})
	})
}
