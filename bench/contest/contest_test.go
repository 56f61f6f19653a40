package contest

import (
	"testing"
	"time"
)

// TestRun holds a contest to the order and the sizes of its times.
func TestRun(t *testing.T) {
	defer func(rounds int, slice time.Duration) { Rounds, Slice = rounds, slice }(Rounds, Slice)
	Rounds, Slice = 3, 100*time.Microsecond
	calls := [2]int{}
	results := Run(Contender{Name: "a", Run: func() { calls[0]++ }}, Contender{Name: "b", Repeat: func(times int) {
		for range times {
			calls[1]++
		}
	}})
	if len(results) != 2 || results[0].Name != "a" || results[0].Ratio != 1 || results[1].Nanoseconds <= 0 || calls[0] < 3 || calls[1] < 3 {
		t.Errorf("%+v after %v calls", results, calls)
	}
}
