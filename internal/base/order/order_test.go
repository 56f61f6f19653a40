package order

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestRadixSortsAsComparisonSort(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{radixFrom, 5000} {
		score := make([]float64, n)
		for i := range score {
			score[i] = math.Float64frombits(rng.Uint64())
			if math.IsNaN(score[i]) || i%3 == 0 {
				score[i] = float64(rng.IntN(50))
			}
		}
		rows := new(Sorter).Descending(score)
		for k := 1; k < n; k++ {
			a, b := rows[k-1], rows[k]
			if !(score[a.Index] > score[b.Index]) && !(score[a.Index] == score[b.Index] && a.Index < b.Index) {
				t.Fatalf("row %d (%v) stands before row %d (%v)", a.Index, score[a.Index], b.Index, score[b.Index])
			}
		}
	}
}
