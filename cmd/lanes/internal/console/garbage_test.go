package console

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// percent reads the setting of the collector.
func percent() int {
	p := debug.SetGCPercent(100)
	debug.SetGCPercent(p)
	return p
}

func TestCollections(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	after := func() int {
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
			runtime.GC()
			garbage.Lock()
			waiting := garbage.waiting
			garbage.Unlock()
			if !waiting {
				return percent()
			}
		}
		t.Fatal("the end of the first collection was not noticed")
		return 0
	}
	for _, c := range []struct {
		name        string
		gogc        string
		sooner      bool
		set         int // by others, meanwhile
		first, then int
	}{
		{"few rows", "", false, 0, 800, 100},
		{"many rows", "", true, 0, 800, 25},
		{"a measurement", "", false, 70, 70, 70},
		{"GOGC", "200", true, 0, 100, 100},
	} {
		t.Setenv("GOGC", c.gogc)
		debug.SetGCPercent(100)
		garbage.percent, garbage.waiting = 0, false
		CollectLater()
		if c.sooner {
			CollectSooner()
		}
		if c.set != 0 {
			debug.SetGCPercent(c.set)
		}
		if got := percent(); got != c.first {
			t.Errorf("%s: %d percent before a collection, want %d", c.name, got, c.first)
		}
		if got := after(); got != c.then {
			t.Errorf("%s: %d percent after a collection, want %d", c.name, got, c.then)
		}
	}
	t.Setenv("GOGC", "")
	garbage.percent, garbage.waiting = usual, false
	CollectSooner()
	if got := percent(); got != 25 {
		t.Errorf("many rows after the first collection: %d percent, want 25", got)
	}
}
