package sparse

import (
	"fmt"
	"github.com/lanes-go/lanes/internal/matrix"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestPickRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	pool := NewPool(3)
	defer pool.Close()
	long := make([]uint32, 20000) // several blocks
	for k := range long {
		long[k] = uint32(rng.IntN(50))
	}
	for _, m := range layoutMatrices(t, rng, 50, 30) {
		x := m.WithBias(2)
		for _, list := range [][]uint32{{}, {49}, {3, 3, 0, 17}, long} {
			got, err := x.PickRows(pool, list)
			if err != nil {
				t.Fatal(err)
			}
			if got.Rows() != len(list) || got.Cols() != x.Cols() || matrix.Stored(got).Layout != matrix.Stored(x).Layout {
				t.Fatalf("%d rows, %d columns, layout %d", got.Rows(), got.Cols(), matrix.Stored(got).Layout)
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
		for _, list := range [][]uint32{{1, 50}, append(slices.Clone(long), 50)} {
			if _, err := x.PickRows(pool, list); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("position %d names row 50 of a matrix of 50", len(list)-1)) {
				t.Errorf("row 50 of 50: %v", err)
			}
		}
	}
}
