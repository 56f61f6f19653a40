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
