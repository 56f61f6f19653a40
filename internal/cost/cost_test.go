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
	if got := PassFull(8000, n); got != 2*(2000+16*n) {
		t.Errorf("a pass over full rows costs %d", got)
	}
}

// TestSample: an eighth of the rows is enough, or eight a column. All rows are taken if that is more
// than half of them, if a pass is short, and if rows are sparse.
func TestSample(t *testing.T) {
	for _, c := range []struct{ n, entries, d, k, want int }{
		{60000, 784, 784, 10, 7500},
		{60000, 390, 784, 10, 7500},
		{60000, 100, 784, 10, 0},
		{60000, 2000, 2000, 10, 16000},
		{30000, 2000, 2000, 10, 0},
		{20000, 50, 50, 10, 2500},
		{20000, 50, 50, 3, 0},
	} {
		products := int64(c.n) * int64(c.entries) * int64(c.entries+1) / 2
		if got := Sample(products, int64(c.n)*int64(c.entries), c.n, c.d, c.k); got != c.want {
			t.Errorf("%d rows of %d entries in %d columns, %d classes: a sample of %d, not %d", c.n, c.entries, c.d, c.k, got, c.want)
		}
	}
	if got := Intercepts(1000, 10); got != 1000*10*21 {
		t.Errorf("intercepts cost %d", got)
	}
	if got := Wide(7000, 1000, 10); got != 16000 {
		t.Errorf("products of 10 columns cost %d", got)
	}
}
