package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/sparse"
)

// TestSotaGradient compares the gradient of a whole batch without memory with differences of the
// objective.
func TestSotaGradient(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const n, d = 9, 3
	ptr, columns, values, y := []int64{0}, []uint32{}, []float64{}, []float64{}
	for i := range n {
		for j := range d {
			columns, values = append(columns, uint32(j)), append(values, random.NormFloat64())
		}
		ptr, y = append(ptr, int64(len(columns))), append(y, float64(1-2*(i%2)))
	}
	x, err := sparse.NewCSR(d, ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	s := newSotaRows(x, y)
	for _, m := range []sotaS{{0.3, 0.7, 0}, {2, 0.5, 0}, {1, 1, 0}} {
		objective := func(w []float64) float64 {
			mean := 0.0
			for _, i := range s.positives {
				sum := 0.0
				for _, j := range s.negatives {
					l := max(0, 1-(1/(1+math.Exp(-s.score(w, i)))-1/(1+math.Exp(-s.score(w, j)))))
					sum += math.Exp(l*l/m.inner) / float64(len(s.negatives))
				}
				mean += math.Pow(sum, m.inner/m.outer) / float64(len(s.positives))
			}
			return m.outer * math.Log(mean)
		}
		w, g := []float64{0.5, -1, 0.2, 0.1}, make([]float64, d+1)
		m.gradient(g, w, s, s.positives, s.negatives, &averages{fresh: 1, u: map[uint32]float64{}})
		for j := range w {
			const h = 1e-5
			up, down := append([]float64(nil), w...), append([]float64(nil), w...)
			up[j] += h
			down[j] -= h
			if want := (objective(up) - objective(down)) / (2 * h); math.Abs(g[j]-want) > 1e-7*(1+math.Abs(want)) {
				t.Errorf("%v: derivative %d is %v, not %v", m, j, g[j], want)
			}
		}
	}
}
