package sparse

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestGramInParts: matrices with many multiplications for an element, nearly full or not,
// with and without a constant column, agree with sums row by row, and do not depend on the
// workers.
func TestGramInParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, shape := range []string{"onehot:n=12000", "dense:n=9000,d=20"} {
		m := generate(t, shape).X
		all := make([]float64, m.Rows())
		if parts := m.gramParts(all); parts != 1 {
			t.Fatalf("%s: %d parts of no rows", shape, parts)
		}
		for i := range all {
			all[i] = 1
		}
		if parts := m.gramParts(all); parts < leastParts {
			t.Fatalf("%s: %d parts", shape, parts)
		}
		for _, x := range []*Matrix{m, m.WithBias(0.5)} {
			d := x.Cols()
			c, want := normals(rng, x.Rows()), make([]float64, d*d)
			row := make([]float64, d)
			for i := range c {
				clear(row)
				for j, v := range x.Row(i) {
					row[j] = v
				}
				for a, v := range row {
					if v != 0 {
						for b := range a + 1 {
							want[a*d+b] += c[i] * v * row[b]
						}
					}
				}
			}
			var first []float64
			for workers := 1; workers <= 3; workers++ {
				pool, got := NewPool(workers), make([]float64, d*d)
				if err := x.Gram(pool, got, c); err != nil {
					t.Fatal(err)
				}
				pool.Close()
				for k := range want {
					if math.Abs(got[k]-want[k]) > 1e-9*(1+math.Abs(want[k])) || first != nil && got[k] != first[k] {
						t.Fatalf("%s, %d columns, %d workers: element %d is %v, not %v", shape, d, workers, k, got[k], want[k])
					}
				}
				first = got
			}
		}
	}
}
