package memory

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
	"unsafe"
)

// ShortError says that something needs more memory than is free.
type ShortError struct {
	What       string
	Need, Free int64 // bytes
}

func (e *ShortError) Error() string {
	return fmt.Sprintf("%s: %s of memory are needed, and %s are free", e.What, Text(e.Need), Text(e.Free))
}

// IsShort tells whether an error is, or wraps, a *ShortError.
func IsShort(err error) bool {
	var short *ShortError
	return errors.As(err, &short)
}

// Sizes in bytes. A need up to tinyBytes is never checked. Larger needs up to fewBytes may be
// met from memory that the heap has and does not use. mostReserve is the most that has to stay
// free behind them, for what other goroutines take until they are asked the next time.
const (
	tinyBytes   = 64 << 10
	fewBytes    = 1 << 20
	mostReserve = 32 << 20
)

// Check returns a *ShortError if count elements of size bytes are more than may be taken. It counts
// garbage as free. The sizes may be whatever a caller or a file claims, but not negative.
//
// Who takes memory in many small steps calls Check at each step of some hundred kilobytes: that
// costs about a microsecond, as the system is asked again only after some megabytes or 200 ms.
func Check(what string, count, size int64) error {
	need := int64(math.MaxInt64)
	if size == 0 || count <= need/size {
		need = count * size
	}
	if need <= tinyBytes || need <= fewBytes && latest.covers(need) {
		return nil
	}
	most, free, ok := enough(need)
	if !ok {
		debug.FreeOSMemory()
		most, free, ok = enough(need)
	}
	if ok {
		return nil
	}
	return &ShortError{what, most, free}
}

// enough asks the system whether a need can be met. most is the need, with the reserve if it is
// small.
func enough(need int64) (most, free int64, ok bool) {
	r, used, known := latest.ask()
	if most, free = need, r.whole; need <= fewBytes {
		most, free = need+min(mostReserve, (r.pieces+used)/16), r.pieces
	}
	return most, free, !known || most <= free
}

// room is how many bytes may be taken: by one large array; in pieces, which find memory that the
// heap has and does not use; and by an array that may not be filled.
type room struct{ whole, pieces, reserved int64 }

// least returns the lesser of two limits, or the other one alone where r is not known.
func (r room) least(other room, known bool) room {
	other = room{max(other.whole, 0), max(other.pieces, 0), max(other.reserved, 0)}
	if !known {
		return other
	}
	return room{min(r.whole, other.whole), min(r.pieces, other.pieces), min(r.reserved, other.reserved)}
}

// asker keeps the latest answer of the system.
type asker struct {
	mu    sync.Mutex
	room  room
	known bool
	used  int64 // of the heap then
	at    time.Time
}

var latest asker

// system is available, but in a test.
var system = available

// ask asks the system. used is what the heap has in use.
func (a *asker) ask() (r room, used int64, known bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	h := heapNow()
	a.room, a.known = system(&h)
	if bits.UintSize == 32 {
		a.room, a.known = a.room.least(room{mostOf32Bits, mostOf32Bits, mostOf32Bits}, a.known), true
	}
	a.used, a.at = h.used, time.Now()
	return a.room, a.used, a.known
}

// covers tells whether a need is met for certain by what the system said lately.
func (a *asker) covers(need int64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	const slack = 2 * mostReserve
	return !a.at.IsZero() && time.Since(a.at) < 200*time.Millisecond && (!a.known || heapNow().used-a.used+need+slack <= a.room.pieces)
}

// heap is the memory of Go's runtime in bytes: in use, garbage included, and free in the heap,
// given back to the system or not.
type heap struct{ used, free, released int64 }

var heapMutex sync.Mutex

var heapSamples = []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}

func heapNow() heap {
	heapMutex.Lock()
	defer heapMutex.Unlock()
	metrics.Read(heapSamples)
	total, free, released := int64(heapSamples[0].Value.Uint64()), int64(heapSamples[1].Value.Uint64()), int64(heapSamples[2].Value.Uint64())
	return heap{total - free - released, free, released}
}

// Obey has the garbage collector keep the process within nine tenths of the limits of its control
// group, RLIMIT_AS and RLIMIT_DATA. A limit that was set before, as by GOMEMLIMIT, stands.
func Obey() {
	if os.Getenv("GOMEMLIMIT") != "" || debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return
	}
	h := heapNow()
	if r, limited := limits(&h); limited {
		debug.SetMemoryLimit(h.used + r.pieces/10*9)
	}
}

// Within has the garbage collector keep the process within a number of bytes, until the caller calls
// restore. GOMEMLIMIT=off keeps the collector without a limit.
func Within(most int64) (restore func()) {
	if os.Getenv("GOMEMLIMIT") == "off" {
		return func() {}
	}
	before := debug.SetMemoryLimit(most)
	return func() { debug.SetMemoryLimit(before) }
}

// Grow returns v with capacity for extra more elements. It takes memory for the expected number of
// elements, or for half more than before, if there is as much. Otherwise it takes memory for a
// sixteenth more. It returns a *ShortError if memory does not suffice for that.
func Grow[T any](what string, v []T, extra, expected int) ([]T, error) {
	need := len(v) + extra
	if need <= cap(v) {
		return v, nil
	}
	size := int64(unsafe.Sizeof(*new(T)))
	least := max(need, len(v)+len(v)/2)
	capacity := max(least, expected)
	if capacity > least && !mayReserve(int64(capacity)*size) {
		capacity = least
	}
	if err := Check(what, int64(capacity), size); err != nil {
		capacity = max(need, len(v)+len(v)/16)
		if err := Check(what, int64(capacity), size); err != nil {
			return v, err
		}
	}
	grown := make([]T, len(v), capacity)
	copy(grown, v)
	return grown, nil
}

// mayReserve tells whether memory that may not be used can be taken.
func mayReserve(bytes int64) bool {
	if bytes <= fewBytes {
		return true
	}
	r, _, known := latest.ask()
	return !known || bytes <= r.reserved
}

// Make returns a slice of n zeros with capacity for the expected number of elements if there is as
// much memory. Otherwise it is as Grow.
func Make[T any](what string, n, expected int) ([]T, error) {
	v, err := Grow[T](what, nil, n, expected)
	if err != nil {
		return nil, err
	}
	return v[:n], nil
}
