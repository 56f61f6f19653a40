package rows

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

// TestFullAgrees compares full rows with the same rows as sparse ones, on every path, next to
// inaccessible pages.
func TestFullAgrees(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 42))
	values := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, asmtest.Hostile, asmtest.SomeHostile}
	for d := 1; d < 40; d++ {
		for n := range 11 {
			guard := asmtest.Guarded[float64]
			if (d+n)%2 == 0 {
				guard = asmtest.GuardedFront[float64]
			}
			x, w, c := guard(t, n*d), guard(t, d), guard(t, n)
			for _, v := range [][]float64{x, w, c} {
				asmtest.Fill(v, random, values[(n+d)%len(values)])
			}
			x32 := asmtest.Guarded[float32](t, n*d)
			single := make([]float64, n*d)
			for i, v := range x {
				x32[i] = float32(v)
				single[i] = float64(x32[i])
			}
			m := &Matrix{Layout: I16F64, Val64: x, Idx16: make([]uint16, n*d)}
			for e := range m.Idx16 {
				m.Idx16[e] = uint16(e % d)
			}
			for i := range n {
				m.Begin, m.End = append(m.Begin, int64(i*d)), append(m.End, int64((i+1)*d))
			}
			of32 := *m
			of32.Val64 = single
			check := func(what string, m *Matrix, dot func(out []float64), add func(w []float64)) {
				want, got := make([]float64, n), guard(t, n)
				Generic.Dot(want, m, nil, 0, w)
				dot(got)
				sameMatrix(t, what+" Dot", got, want)
				want = slices.Clone(w)
				Generic.Add(want, m, nil, 0, c)
				sum := guard(t, d)
				copy(sum, w)
				add(sum)
				sameMatrix(t, what+" Add", sum, want)
			}
			squares := func(what string, m *Matrix, do func(w []float64)) {
				want, got := slices.Clone(w), guard(t, d)
				for e, x := range m.Val64 {
					want[e%d] = math.FMA(float64(c[e/d]*x), x, want[e%d])
				}
				copy(got, w)
				do(got)
				sameMatrix(t, what+" Squares", got, want)
			}
			for _, table := range append(runnable(t), &Generic) {
				k, what := table.Full, fmt.Sprintf("%s, %d rows of %d:", table.Path, n, d)
				check(what, m, func(out []float64) { k.Dot(out, x, w) }, func(w []float64) { k.Add(w, x, c) })
				check(what+" float32", &of32, func(out []float64) { k.Dot32(out, x32, w) }, func(w []float64) { k.Add32(w, x32, c) })
				squares(what, m, func(w []float64) { k.Squares(w, x, c) })
				squares(what+" float32", &of32, func(w []float64) { k.Squares32(w, x32, c) })
			}
		}
	}
}
