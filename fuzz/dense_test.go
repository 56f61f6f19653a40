package fuzz

import (
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/dense"
)

// FuzzDense compares the dense kernels of every path with the portable twin.
func FuzzDense(f *testing.F) {
	seedBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		n := in.below(150)
		a, b, threshold := in.float(), in.float(), in.float()
		x, y, u, v := in.floats(n), in.floats(n), in.floats(n), in.floats(n)
		adam := dense.Adam{Beta1: in.float(), Rest1: in.float(), Beta2: in.float(), Rest2: in.float(), Rate: in.float(), Epsilon: in.float(), Lambda: in.float()}
		run := func(k *asm.Table) (names []string, out [][]float64) {
			add := func(name string, x ...float64) { names, out = append(names, name), append(out, x) }
			d := &k.Dense
			add("sums", d.Dot(x, y), d.SquaredNorm(x), d.SquaredDistance(x, y), d.Sum(x), d.MaxAbs(x))
			into := func(name string, f func(dst []float64)) {
				dst := slices.Clone(y)
				f(dst)
				add(name, dst...)
			}
			into("Axpy", func(dst []float64) { d.Axpy(a, x, dst) })
			into("Axpy to itself", func(dst []float64) { d.Axpy(a, dst, dst) })
			into("ScaleAdd in place", func(dst []float64) { d.ScaleAdd(dst, a, x, b, dst) })
			into("Scale in place", func(dst []float64) { d.Scale(dst, a, dst) })
			into("Mul in place", func(dst []float64) { d.Mul(dst, dst, x) })
			into("Box in place", func(dst []float64) { d.Box(dst, dst, a, b) })
			into("ScaleAdd", func(dst []float64) { d.ScaleAdd(dst, a, x, b, y) })
			into("Scale", func(dst []float64) { d.Scale(dst, a, x) })
			into("AddScalar", func(dst []float64) { d.AddScalar(dst, a, x) })
			into("Mul", func(dst []float64) { d.Mul(dst, x, y) })
			into("SoftThreshold", func(dst []float64) { d.SoftThreshold(dst, x, threshold) })
			into("Box", func(dst []float64) { d.Box(dst, x, a, b) })
			w, m, s := slices.Clone(x), slices.Clone(u), slices.Clone(v)
			d.Adam(w, m, s, y, adam)
			add("Adam", slices.Concat(w, m, s)...)
			w, m = slices.Clone(x), slices.Clone(u)
			d.Momentum(w, m, y, a, b, threshold)
			add("Momentum", slices.Concat(w, m)...)
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
