package shards

import (
	"math"
	"testing"
)

// TestCosts compares with the table "Predicted" of docs/scaling.md: 1e9 rows of 40 entries, 1e6 columns, 256 shards,
// machines of two cores, 10 Gb/s and 30 us.
func TestCosts(t *testing.T) {
	c := Costs{Entry: 6.46e-9, Column: 9.03e-9, Add: 0.47e-9, Sums: 1.2, Latency: 30e-6, Byte: 8 / (0.9 * 10e9)}
	for _, want := range []struct{ processes, computing, moving, total float64 }{
		{1, 147.5, 0, 147.5}, {4, 36.9, 0.011, 36.9}, {64, 2.31, 0.019, 2.33}, {256, 0.58, 0.030, 0.62},
	} {
		computing, vectors, moving := c.Pass(40e9, 1e6, 256, want.processes, 1.75)
		for name, pair := range map[string][2]float64{"computing": {computing, want.computing}, "moving": {moving, want.moving}, "total": {computing + vectors + moving, want.total}} {
			if math.Abs(pair[0]-pair[1]) > 0.04*pair[1] {
				t.Errorf("%v processes: %s takes %v s, the table has %v", want.processes, name, pair[0], pair[1])
			}
		}
	}
}
