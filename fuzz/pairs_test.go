package fuzz

import (
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm"
)

// FuzzPairs compares the kernels on pairs of scores of every path with the portable
// twin.
func FuzzPairs(f *testing.F) {
	seedBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		p, n := 8*(1+in.below(3)), in.below(30)
		a, b := in.float(), in.float()
		s, c := in.floats(n), in.floats(n)
		shift, least, odds := in.floats(p), in.floats(p), in.floats(p)
		if in.byte()%2 == 0 { // pairs on the threshold
			for i := range least {
				least[i] = float64(int8(in.byte())) / 8
				shift[i] = float64(int8(in.byte())) / 8
			}
		}
		run := func(k *asm.Table) (names []string, out [][]float64) {
			add := func(name string, x ...[]float64) { names, out = append(names, name), append(out, slices.Concat(x...)) }
			block := &k.Element.PairBlock
			part, value, slope := make([]float64, n*p), make([]float64, p), make([]float64, p)
			block.Hinge(part, value, slope, s, shift)
			to := slices.Clone(c)
			block.Add(to, part, least)
			add("block Hinge", part, value, slope, to)
			block.Logistic(part, value, slope, s, shift, b)
			add("block Logistic", part, value, slope)
			to = make([]float64, n)
			block.Exponents(to, s, a, b)
			add("Exponents", to)
			block.Odds(part, value, slope, s, odds)
			add("Odds", part, value, slope)

			count := make([]int, p)
			above := func(name string, f func(to []float64)) {
				to := slices.Clone(c)
				f(to)
				numbers := make([]float64, p)
				for i, n := range count {
					numbers[i] = float64(n)
				}
				add(name, to, value, numbers)
			}
			above("SigmoidAbove", func(to []float64) { block.SigmoidAbove(count, value, to, s, shift, least) })
			above("SoftplusAbove", func([]float64) { block.SoftplusAbove(count, value, s, shift, least) })
			above("SlopeAbove", func(to []float64) { block.SlopeAbove(count, value, to, s, shift, least, b) })
			above("SlopeOdds", func(to []float64) { block.SlopeOdds(count, value, to, s, shift, least, c, odds) })
			to = slices.Clone(c)
			sum, number := block.SigmoidOne(to, s, a, b)
			add("SigmoidOne", to, []float64{sum, float64(number)})
			sum, number = block.SoftplusOne(s, a, b)
			add("SoftplusOne", []float64{sum, float64(number)})
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

// FuzzAbove compares the kernels on thresholds of every path with the portable twin, in
// place too.
func FuzzAbove(f *testing.F) {
	seedBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		s, threshold := in.floats(in.below(150)), in.float()
		if in.byte()%2 == 0 && len(s) > 0 {
			threshold = s[in.below(len(s))]
		}
		run := func(k *asm.Table) []float64 {
			e := &k.Element.Threshold
			out := []float64{float64(e.Count(s, threshold))}
			for _, f := range []func(dst, s []float64, t float64) int{e.Above, e.Below} {
				dst, same := make([]float64, len(s)), slices.Clone(s)
				n, again := f(dst, s, threshold), f(same, same, threshold)
				out = append(append(out, float64(n), float64(again)), dst[:n]...)
				out = append(out, same[:again]...)
			}
			return out
		}
		want := run(asm.Generic)
		eachPath(func(k *asm.Table) {
			got := run(k)
			if len(got) != len(want) {
				t.Fatalf("%s: %d numbers, the portable twin has %d", k.Path, len(got), len(want))
			}
			requireEqual(t, k.Path, got, want)
		})
		if c := asm.Generic.Element.Threshold.Count(s, math.NaN()); c != 0 {
			t.Fatalf("%d are above NaN", c)
		}
	})
}
