package passes

import (
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
)

// NextDeferred goes through all rows of a pass in the order known at its beginning, and the next
// pass has the rows that stayed.
func TestOrderKeeps(t *testing.T) {
	random := random.New(5)
	order := NewOrder(40)
	var active []uint32
	for i := range uint32(40) {
		active = append(active, i)
	}
	for pass := range uint32(6) {
		order.Begin(random)
		coming := slices.Clone(order.Ahead(0, 100))
		if sorted := slices.Sorted(slices.Values(coming)); !slices.Equal(sorted, active) {
			t.Fatalf("pass %d: rows %v, not %v", pass, sorted, active)
		}
		active = nil
		for k, i := range coming {
			if order.Ended() || order.Row() != i || !slices.Equal(order.Ahead(0, 100), coming[k:]) {
				t.Fatalf("pass %d: row %d is not the one that was to come", pass, k)
			}
			stays := (i+pass)%3 != 0
			if order.NextDeferred(stays); stays {
				active = append(active, i)
			}
		}
		if slices.Sort(active); !order.Ended() || order.Active() != len(active) {
			t.Fatalf("pass %d: %d rows stay, not %d", pass, order.Active(), len(active))
		}
	}
	order.All()
	if order.Begin(random); len(order.Ahead(0, 100)) != 40 {
		t.Error("rows that left are lost")
	}
}

// TestOrderKeep: rows that are not kept leave the passes until all take part again.
func TestOrderKeep(t *testing.T) {
	random := random.New(5)
	order := NewOrder(30)
	order.Begin(random)
	for !order.Ended() {
		order.Next(order.Row() != 7)
	}
	order.Keep(func(i uint32) bool { return i%3 == 1 })
	if !order.Ended() || order.Active() != 9 {
		t.Errorf("%d rows take part, not 9; ended: %v", order.Active(), order.Ended())
	}
	order.Begin(random)
	if rows, want := slices.Sorted(slices.Values(order.Ahead(0, 30))), []uint32{1, 4, 10, 13, 16, 19, 22, 25, 28}; !slices.Equal(rows, want) {
		t.Errorf("rows %v take part, not %v", rows, want)
	}
	order.All()
	order.Begin(random)
	if rows := slices.Sorted(slices.Values(order.Ahead(0, 100))); len(slices.Compact(rows)) != 30 {
		t.Errorf("rows %v are all", rows)
	}
}
