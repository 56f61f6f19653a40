package sparse

import (
	"math/rand/v2"
	"testing"
)

func TestPickRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, m := range layoutMatrices(t, rng, 50, 30) {
		x := m.WithBias(2)
		for _, list := range [][]uint32{{}, {49}, {3, 3, 0, 17}} {
			got, err := x.PickRows(list)
			if err != nil {
				t.Fatal(err)
			}
			if got.Rows() != len(list) || got.Cols() != x.Cols() || got.rows.Layout != x.rows.Layout {
				t.Fatalf("%d rows, %d columns, layout %d", got.Rows(), got.Cols(), got.rows.Layout)
			}
			for k, i := range list {
				want := map[int]float64{}
				for j, v := range x.Row(int(i)) {
					want[j] = v
				}
				for j, v := range got.Row(k) {
					if w, found := want[j]; !found || w != v {
						t.Fatalf("row %d, column %d: %v, want %v", i, j, v, w)
					}
					delete(want, j)
				}
				if len(want) > 0 {
					t.Fatalf("row %d lacks %v", i, want)
				}
			}
		}
		if _, err := x.PickRows([]uint32{1, 50}); err == nil {
			t.Error("row 50 of 50 was taken")
		}
	}
}
