package sparse

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

// TestListedColumns: products with listed columns, their entries, and what their Gram matrix
// costs, against the entries one by one.
func TestListedColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 3))
	pool := matrix.NewPool(3)
	defer pool.Close()
	for _, m := range layoutMatrices(t, rng, 60, 40) {
		c, v := matrix.NewByColumns(m.WithBias(0), nil), normals(rng, m.Rows())
		for _, list := range [][]uint32{{}, {39, 0, 7}, {3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}} {
			got := make([]float64, len(list))
			if err := c.MulTransOf(pool, got, list, v); err != nil {
				t.Fatal(err)
			}
			entries, lengths := int64(0), make([]int64, m.Rows())
			for a, j := range list {
				want := 0.0
				for i, x := range c.Column(int(j)) {
					want += x * v[i]
					entries++
					lengths[i]++
				}
				if math.Abs(got[a]-want) > 1e-12*(1+math.Abs(want)) {
					t.Errorf("column %d: the product %v, not %v", j, got[a], want)
				}
			}
			cost := int64(0)
			for _, length := range lengths {
				cost += length * (length + 1) / 2
			}
			if c.Entries(list) != entries || c.GramCostOf(list) != cost {
				t.Errorf("%d entries and a cost of %d, not %d and %d", c.Entries(list), c.GramCostOf(list), entries, cost)
			}
		}
		if err := c.MulTransOf(nil, make([]float64, 2), []uint32{0, 40}, v); err == nil {
			t.Error("a product with a column beyond the last")
		}
	}
}
