package passes

import (
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
)

// TestBatches: every pass holds every row once (or all but a tail), in batches
// of the size asked for.
func TestBatches(t *testing.T) {
	for _, c := range []struct {
		n, size int
		tail    Tail
		lengths []int
	}{
		{10, 3, FoldTail, []int{3, 3, 4}}, {10, 3, DropTail, []int{3, 3, 3}}, {9, 3, FoldTail, []int{3, 3, 3}},
		{5, 8, FoldTail, []int{5}}, {5, 8, DropTail, []int{5}}, {1, 1, FoldTail, []int{1}}, {7, 4, FoldTail, []int{7}}, {4, 1, DropTail, []int{1, 1, 1, 1}},
	} {
		b := NewBatches(c.n, c.size, c.tail, random.New(3))
		if b.PerPass() != len(c.lengths) || b.Largest() != slices.Max(c.lengths) {
			t.Errorf("%v: %d batches of up to %d", c, b.PerPass(), b.Largest())
		}
		var first []uint32
		for pass := range 3 {
			var seen []uint32
			for _, want := range c.lengths {
				rows := b.Next()
				if len(rows) != want {
					t.Errorf("%v: a batch of %d", c, len(rows))
				}
				seen = append(seen, rows...)
			}
			if pass == 0 {
				first = slices.Clone(seen)
			} else if c.n >= 9 && slices.Equal(seen, first) {
				t.Errorf("%v: pass %d repeats the first", c, pass)
			}
			slices.Sort(seen)
			if len(slices.Compact(seen)) != len(first) || int(seen[len(seen)-1]) >= c.n {
				t.Errorf("%v: a row twice, or out of range: %v", c, seen)
			}
		}
	}
}

// Batches of no rows are empty, batches of less than a row have one.
func TestBatchesOfNothing(t *testing.T) {
	for _, n := range []int{0, -1, math.MinInt} {
		b := NewBatches(n, 3, DropTail, nil)
		for range 3 {
			if got := b.Next(); len(got) != 0 || b.Largest() != 0 || b.PerPass() < 1 {
				t.Errorf("%d rows: a batch of %v, %d at most, %d a pass", n, got, b.Largest(), b.PerPass())
			}
		}
	}
	for _, size := range []int{0, -5, math.MinInt} {
		b := NewBatches(10, size, FoldTail, nil)
		seen := map[uint32]bool{}
		for range b.PerPass() {
			for _, i := range b.Next() {
				seen[i] = true
			}
		}
		if b.Largest() != 1 || len(seen) != 10 {
			t.Errorf("size %d: batches of %d rows, %d rows in a pass", size, b.Largest(), len(seen))
		}
	}
}

// TestBatchesState: restored batches go on as the saved batches do. Batches of another number of
// rows, and an order with a row twice, are refused.
func TestBatchesState(t *testing.T) {
	batches := func(n int) *Batches { return NewBatches(n, 2, FoldTail, random.New(8)) }
	b, restored := batches(9), batches(9)
	b.Next()
	if err := checkpoint.Decode(checkpoint.Encode(b.State), restored.State); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if want, got := b.Next(), restored.Next(); !slices.Equal(want, got) {
			t.Fatalf("restored, a batch is %v, not %v", got, want)
		}
	}
	if err := checkpoint.Decode(checkpoint.Encode(b.State), batches(8).State); err == nil {
		t.Error("batches of another number of rows were restored")
	}
	b.order[3] = b.order[4]
	if err := checkpoint.Decode(checkpoint.Encode(b.State), restored.State); err == nil {
		t.Error("an order with a row twice was restored")
	}
}
