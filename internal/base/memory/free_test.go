package memory

import (
	"errors"
	"math"
	"runtime"
	"testing"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]int64{{0, math.MaxInt64}, {math.MaxInt64, 0}, {1, 8}, {1 << 20, 16}} {
		if err := Check("rows", c[0], c[1]); err != nil {
			t.Errorf("%d elements of %d bytes: %v", c[0], c[1], err)
		}
	}
	if runtime.GOOS != "linux" {
		t.Skip("free memory is known on Linux")
	}
	for _, c := range [][2]int64{{1 << 60, 1}, {1 << 60, 1 << 60}, {math.MaxInt64, 8}, {1, 1 << 60}} {
		short := new(ShortError)
		if err := Check("rows", c[0], c[1]); !errors.As(err, &short) || short.Need < 1<<60 || short.Free <= 0 || short.What != "rows" {
			t.Errorf("%d elements of %d bytes: %v", c[0], c[1], err)
		}
	}
	if err := (&ShortError{"the rows", 3e9, 1e9}).Error(); err != "the rows: 3.0 GB of memory are needed, and 1.0 GB are free" {
		t.Error(err)
	}
}

// Garbage counts as free: here on a machine that has 64 MB beside what the heap uses at first.
func TestCheckCountsGarbage(t *testing.T) {
	const most, size = 64 << 20, 40 << 20
	runtime.GC()
	limit := heapNow().used + most
	system = func(h *heap) (room, bool) {
		left := limit - h.used
		return room{left, left, left}, true
	}
	defer func() { system = available }()
	block := make([]byte, size)
	if err := Check("rows", size, 1); err == nil {
		t.Error("memory in use is free")
	}
	runtime.KeepAlive(block)
	if err := Check("rows", size, 1); err != nil {
		t.Error(err)
	}
}
