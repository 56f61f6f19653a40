package matrix

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAddSlopes: the bits of a product, all slopes and a transposed product, of few and many rows, by
// any workers, with a bias column that has a part in the last of them alone.
func TestAddSlopes(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	pool := NewPool(3)
	defer pool.Close()
	for _, n := range []int{1, 10, 999, 6000} {
		for k := range 4 {
			d := 40
			m := fullRows(r, n, d, false)
			if k&1 != 0 {
				list := make([]uint32, 0, d)
				for j := range d {
					if j%3 != 1 {
						list = append(list, uint32(j))
					}
				}
				picked, err := PickColumns(m, nil, list)
				if err != nil {
					t.Fatal(err)
				}
				m, d = picked, len(list)
			}
			bare := m
			m = m.WithBias(0.5)
			w, y := make([]float64, d+1), make([]float64, n)
			for j := range w {
				w[j] = r.NormFloat64()
			}
			for i := range y {
				y[i] = r.NormFloat64()
			}
			z, c, want := make([]float64, n), make([]float64, n), slices.Clone(w)
			if err := bare.MulVec(nil, z, w[:d]); err != nil {
				t.Fatal(err)
			}
			for i, v := range z {
				c[i] = v - y[i]
			}
			if err := m.AddTrans(nil, want, c); err != nil {
				t.Fatal(err)
			}
			p := pool
			if k&2 != 0 {
				p = nil
			}
			got, z2, c2 := slices.Clone(w), make([]float64, n), make([]float64, n)
			err := AddSlopes(m, p, got, z2, c2, w, func(first, end int) {
				for i := first; i < end; i++ {
					c2[i] = z2[i] - y[i]
				}
			})
			if err != nil || !slices.Equal(got, want) || !slices.Equal(z, z2) || !slices.Equal(c, c2) {
				t.Errorf("%d rows of %d: other bits, or %v", n, d, err)
			}
			if AddSlopes(m, p, got[:d], z2, c2, w, nil) == nil || AddSlopes(m, p, got, z2[:n-1], c2, w, nil) == nil {
				t.Error("vectors of other lengths")
			}
		}
	}
}
