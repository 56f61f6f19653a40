package arguments

import (
	"testing"
	"unsafe"
)

// TestNoEscapeFollowsTheStack: what NoEscape gives is where the variable is after the stack has
// been moved to a larger place.
func TestNoEscapeFollowsTheStack(t *testing.T) {
	stays := make(chan bool)
	for range 10 { // on stacks as small as they begin
		go func() {
			var x [4]float64
			s := unsafe.Slice(NoEscape(&x[0]), len(x))
			grow(1000)
			s[3] = 1
			stays <- x[3] == 1
		}()
		if !<-stays {
			t.Fatal("an element was written where the stack was before")
		}
	}
}

// grow takes a kilobyte of the stack, times times.
//
//go:noinline
func grow(times int) (sum byte) {
	var room [1024]byte
	room[times%len(room)] = 1
	if times > 0 {
		sum = grow(times - 1)
	}
	return sum + room[(times+1)%len(room)]
}
