package passes

import (
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
)

// TestUniform: the rows of a batch differ, and every pair of rows is as often in one as any other.
func TestUniform(t *testing.T) {
	const n, size, draws = 7, 3, 60000
	b := NewBatches(n, size, DropTail, random.New(4))
	b.Uniform()
	var pairs [n][n]float64
	again, last := 0, []uint32(nil)
	for range draws {
		rows := b.Next()
		if len(rows) != size {
			t.Fatalf("a batch of %d rows", len(rows))
		}
		for i, r := range rows {
			for _, q := range rows[:i] {
				if r == q {
					t.Fatalf("a batch has row %d twice", r)
				}
				pairs[min(r, q)][max(r, q)]++
			}
			if slices.Contains(last, r) {
				again++
			}
		}
		last = slices.Clone(rows)
	}
	const share = float64(size*(size-1)) / (n * (n - 1)) // of the batches have a pair
	for i := range n {
		for j := i + 1; j < n; j++ {
			if got := pairs[i][j] / draws; math.Abs(got-share) > 5*math.Sqrt(share/draws) {
				t.Errorf("rows %d and %d are together in %v of the batches, not in %v", i, j, got, share)
			}
		}
	}
	if got, want := float64(again)/draws, float64(size*size)/n; math.Abs(got-want) > 0.02 {
		t.Errorf("%v rows of a batch were in the one before, not %v", got, want)
	}
}
