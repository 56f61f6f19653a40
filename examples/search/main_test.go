package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSearch compares with all scores of the plain loop, sorted.
func TestSearch(t *testing.T) {
	const count, n = 200, 37
	random := rand.New(rand.NewPCG(2, 2))
	rows := make([]float32, count*n)
	for i := range rows {
		rows[i] = float32(random.NormFloat64())
	}
	query := rows[50*n:][:n]
	scores, want := make([]float32, count), make([]float32, count)
	best, err := search(make([]uint32, 10), scores, query, rows)
	if err != nil {
		t.Fatal(err)
	}
	plain(want, query, rows)
	order := make([]uint32, count)
	for k := range order {
		order[k] = uint32(k)
		if math.Abs(float64(scores[k]-want[k])) > 1e-4 {
			t.Errorf("row %d: %v, the plain loop has %v", k, scores[k], want[k])
		}
	}
	slices.SortFunc(order, func(a, b uint32) int { return int(math.Copysign(1, float64(want[b]-want[a]))) })
	if !slices.Equal(best, order[:10]) || best[0] != 50 {
		t.Errorf("%v are best, want %v", best, order[:10])
	}
	if _, err := search(best, scores, query, rows[1:]); err == nil {
		t.Error("searches fewer rows than scores")
	}
}
