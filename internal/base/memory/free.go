package memory

import (
	"fmt"
	"math"
	"runtime/debug"
)

// ShortError says that something needs more memory than is free.
type ShortError struct {
	What       string
	Need, Free int64 // bytes
}

func (e *ShortError) Error() string {
	return fmt.Sprintf("%s: %s of memory are needed, and %s are free", e.What, Text(e.Need), Text(e.Free))
}

// fewBytes are not worth asking the system for, which takes some 50 microseconds.
const fewBytes = 16 << 20

// Check returns a *ShortError if count elements of size bytes are more than may be taken. It counts
// garbage as free. The sizes may be whatever a caller or a file claims, but not negative.
func Check(what string, count, size int64) error {
	need := int64(math.MaxInt64)
	if size == 0 || count <= need/size {
		need = count * size
	}
	if need <= fewBytes {
		return nil
	}
	free, known := Available()
	if known && need > free {
		debug.FreeOSMemory()
		free, known = Available()
	}
	if !known || need <= free {
		return nil
	}
	return &ShortError{what, need, free}
}
