package console

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

const (
	firstCollection = 32 << 20 // bytes of heap
	usualMinimum    = 4 << 20  // of the runtime, at 100 percent
	later           = 100 * firstCollection / usualMinimum
	usual, sooner   = 100, 25
)

// garbage is what is known of the collector: the percentage that is to hold once there was
// a collection, and whether that is still to come.
var garbage struct {
	sync.Mutex
	percent int
	waiting bool
}

// CollectLater has no garbage collected before the heap takes 32 MB. What reads and trains
// few rows ends before, and collections took a tenth of its time. After the first one all
// is as usual. A GOGC that the user set leaves all as it is.
func CollectLater() {
	garbage.Lock()
	defer garbage.Unlock()
	if os.Getenv("GOGC") != "" || garbage.percent != 0 {
		return
	}
	garbage.percent, garbage.waiting = usual, true
	debug.SetGCPercent(later)
	type unreachable struct{ _ *int } // and too large to share a block with what is reachable
	runtime.AddCleanup(&unreachable{}, func(struct{}) { collected() }, struct{}{})
}

// collected is called after the first collection.
func collected() {
	garbage.Lock()
	defer garbage.Unlock()
	garbage.waiting = false
	if before := debug.SetGCPercent(garbage.percent); before != later {
		debug.SetGCPercent(before) // somebody has settled it since
	}
}

// CollectSooner has garbage collected once it is a quarter of what is in use, from the first
// collection on: for a heap of mostly rows. They hold no pointers, so that collecting costs
// little, and at the usual double what they take the buffers of reading would stay for good.
// A GOGC that the user set leaves all as it is.
func CollectSooner() {
	garbage.Lock()
	defer garbage.Unlock()
	if os.Getenv("GOGC") != "" {
		return
	}
	if garbage.percent = sooner; !garbage.waiting {
		debug.SetGCPercent(sooner)
	}
}
