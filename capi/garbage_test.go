package main

import (
	"runtime"
	"testing"
)

// TestReserve: garbage of short calls is not collected at once.
func TestReserve(t *testing.T) {
	if runtime.GC(); reserve == nil {
		t.Fatal("no reserve")
	}
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); m.NextGC < 2*uint64(len(reserve)) {
		t.Errorf("garbage is collected once the heap takes %d bytes", m.NextGC)
	}
}
