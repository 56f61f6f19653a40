package fuzz

import (
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/kernels"
)

// samePaths runs f on every path and compares what it returns with what the portable
// kernels give.
func samePaths(t *testing.T, f func() []float64) {
	t.Helper()
	defer asm.Use(asm.Active())
	asm.Use(asm.Generic)
	want := f()
	eachTable(func(k *asm.Table) {
		asm.Use(k)
		got := f()
		if len(got) != len(want) {
			t.Fatalf("%s: %d results, the portable twin has %d", k.Path, len(got), len(want))
		}
		requireEqual(t, k.Path, got, want)
	})
}

// FuzzThreshold runs the functions over a score vector: the same results on every
// path, an error exactly where a length, a rank or NaN forbids them, and ranks that
// counting confirms.
func FuzzThreshold(f *testing.F) {
	seedBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		n, room, k := in.below(150), in.below(160), in.below(152)-1
		in.float() // kept inputs have a number here
		s := in.floats(n)
		if in.byte()%2 == 0 {
			for i, v := range s {
				if v != v {
					s[i] = float64(i % 5)
				}
			}
		}
		if 1 <= k && k <= n {
			want := asm.Generic.Element.Threshold.Kth(s, k)
			eachPath(func(table *asm.Table) {
				requireEqual(t, table.Path, []float64{table.Element.Threshold.Kth(s, k) + 0}, []float64{want + 0}) // a zero has either sign
			})
		}
		samePaths(t, func() []float64 {
			scratch := make([]float64, room)
			value, above, equal, err := kernels.RankThreshold(s, k, scratch)
			if (err != nil) != (k < 1 || k > n || room < n || slices.ContainsFunc(s, math.IsNaN)) {
				t.Fatalf("rank %d of %d, room for %d: %v", k, n, room, err)
			}
			single, err2 := kernels.KthLargest(s, k, scratch)
			if (err == nil) != (err2 == nil) || single != value {
				t.Fatalf("KthLargest is %v (%v), RankThreshold %v (%v)", single, err2, value, err)
			}
			if err == nil {
				greater, same := 0, 0
				for _, v := range s {
					if v > value {
						greater++
					} else if v == value {
						same++
					}
				}
				if above != greater || equal != same || k <= above || k > above+equal {
					t.Fatalf("rank %d: %v with %d above and %d equal, counting gives %d and %d", k, value, above, equal, greater, same)
				}
			}
			return []float64{value, float64(above), float64(equal)}
		})
	})
}

// FuzzPairBlock runs the blocks of pairs: the same results on every path, and an error
// exactly where a length, the loss or its parameter forbids them.
func FuzzPairBlock(f *testing.F) {
	seedBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		most, room := in.below(20), in.below(40)
		p, n := in.below(20), in.below(40)
		loss, parameter := kernels.PairLoss(in.byte()%3), in.float()
		positive, s, least, a := in.floats(p), in.floats(n), in.floats(p-min(p, int(in.byte()/250))), in.floats(p)
		start := in.floats(n)
		if _, err := kernels.NewPairBlock(most, room); (err != nil) != (most < 1) {
			t.Fatalf("a block of %d by %d: %v", most, room, err)
		}
		if most < 1 {
			return
		}
		fits := p >= 1 && p <= most
		samePaths(t, func() []float64 {
			block, err := kernels.NewPairBlock(most, room)
			if err != nil {
				t.Fatal(err)
			}
			var out []float64
			value, err := block.Losses(loss, positive, s, parameter)
			if (err == nil) != (fits && n <= room && parameter-parameter == 0 && loss <= kernels.PairLogistic) {
				t.Fatalf("%v of %d by %d in a block of %d by %d, parameter %v: %v", loss, p, n, most, room, parameter, err)
			}
			out = append(out, value...)
			c, d := slices.Clone(start), make([]float64, p)
			if (block.Gradients(c, d, a) == nil) != (err == nil) {
				t.Fatal("Gradients and Losses do not agree")
			}
			out = append(append(out, c...), d...)
			add := func(number []int, sum []float64, err error) {
				t.Helper()
				if (err == nil) != (fits && len(least) == p) {
					t.Fatalf("%d positives, %d thresholds in a block of %d: %v", p, len(least), most, err)
				}
				out = append(out, sum...)
				for _, v := range number {
					out = append(out, float64(v))
				}
			}
			c = slices.Clone(start)
			add(block.SigmoidAbove(c, positive, least, s))
			out = append(out, c...)
			add(block.SoftplusAbove(positive, least, s))
			c = slices.Clone(start)
			number, sum, err := block.SigmoidSlopeAbove(c, positive, least, s, make([]float64, room), parameter)
			if n <= room && parameter-parameter == 0 {
				add(number, sum, err)
			} else if err == nil {
				t.Fatalf("slopes of %d elements with scratch for %d, scale %v: no error", n, room, parameter)
			}
			return append(out, c...)
		})
	})
}
