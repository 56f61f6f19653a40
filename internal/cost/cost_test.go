package cost

import "testing"

// TestGram: nearly full rows take vector operations, as sparse.Gram multiplies them. Other rows
// take products of their entries, which cost more than the entries of a pass.
func TestGram(t *testing.T) {
	const n, d = 1000, 40
	for _, c := range []struct{ entries, want int64 }{
		{40, n * d * d / 2 / 16}, // full rows
		{15, n * d * d / 2 / 16}, // 120 products a row, of 800 places
		{10, n * 55 * 3 / 2},     // 55 products a row
		{1, n + n/2},             // one
	} {
		if got := Gram(n*c.entries*(c.entries+1)/2, n, d); got != c.want {
			t.Errorf("rows of %d entries cost %d, not %d", c.entries, got, c.want)
		}
	}
	if Pass(7000, n) != 16000 || Factor(96) != 96*96*4 {
		t.Errorf("a pass costs %d, a factor %d", Pass(7000, n), Factor(96))
	}
}
