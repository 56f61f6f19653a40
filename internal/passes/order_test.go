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

// TestDraw: rows drawn with replacement come as often as the binomial distribution lets expect, and
// a pass has as many draws as there are rows.
func TestDraw(t *testing.T) {
	const n, passes = 20, 5000
	source, order := random.New(3), NewOrder(n)
	var counts [n]int
	twice := 0 // passes with a row twice
	for range passes {
		order.Draw(source)
		var seen [n]int
		for k := range n {
			if order.Ended() {
				t.Fatalf("a pass of %d draws", k)
			}
			seen[order.Row()]++
			order.Next(true)
		}
		if !order.Ended() {
			t.Fatal("a pass has more draws than rows")
		}
		for i, c := range seen {
			counts[i] += c
		}
		if slices.Max(seen[:]) > 1 {
			twice++
		}
	}
	square := 0.0
	for _, c := range counts {
		square += float64(c-passes) * float64(c-passes) / passes
	}
	if square > 43.8 { // 99.9 % of chi-squared with 19 degrees of freedom
		t.Errorf("rows came %v times: chi-squared is %.1f", counts, square)
	}
	if twice < passes-5 { // no row comes twice with probability 20!/20^20 = 2e-8
		t.Errorf("only %d of %d passes have a row twice", twice, passes)
	}
}
