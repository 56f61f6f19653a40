package input

import (
	"runtime/debug"
	"testing"
)

func TestCollectSooner(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	for _, c := range []struct {
		bytes int64
		set   string
		want  int
	}{{manyRows - 1, "", 100}, {manyRows, "200", 100}, {manyRows, "", 25}} {
		t.Setenv("GOGC", c.set)
		collectSooner(c.bytes)
		if got := debug.SetGCPercent(100); got != c.want {
			t.Errorf("%d bytes, GOGC %q: %d percent, want %d", c.bytes, c.set, got, c.want)
		}
	}
}
