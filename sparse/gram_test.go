package sparse

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestGram compares with the definition, for every layout, with and without
// bias column, and for several workers.
func TestGram(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, m := range layoutMatrices(t, rng, 60, 40) {
		for _, x := range []*Matrix{m, m.WithBias(0.5)} {
			d := x.Cols()
			c := normals(rng, x.Rows())
			want := make([]float64, d*d)
			for i := range c {
				row := make([]float64, d)
				for j, v := range x.Row(i) {
					row[j] = v
				}
				for a := range d {
					for b := range a + 1 {
						want[a*d+b] += c[i] * row[a] * row[b]
					}
				}
			}
			var first []float64
			for workers := 1; workers <= 3; workers++ {
				pool := NewPool(workers)
				got := make([]float64, d*d)
				if err := x.Gram(pool, got, c); err != nil {
					t.Fatal(err)
				}
				pool.Close()
				for k := range want {
					if math.Abs(got[k]-want[k]) > 1e-11*(1+math.Abs(want[k])) {
						t.Fatalf("layout %d: element %d is %v, not %v", x.rows.Layout, k, got[k], want[k])
					}
					if first != nil && math.Float64bits(got[k]) != math.Float64bits(first[k]) {
						t.Fatalf("layout %d: element %d depends on the workers", x.rows.Layout, k)
					}
				}
				first = got
			}
		}
	}
}

func TestGramRefuses(t *testing.T) {
	m, err := NewCSR(3, []int64{0, 2}, []uint32{0, 2}, []float64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	if m.GramCost() != 3 {
		t.Errorf("cost %d, not 3", m.GramCost())
	}
	if m.Gram(nil, make([]float64, 9), make([]float64, 2)) == nil || m.Gram(nil, make([]float64, 6), make([]float64, 1)) == nil {
		t.Error("arguments of wrong sizes were taken")
	}
}
