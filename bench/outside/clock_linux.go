package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// now is the time that this program has run, on all threads: programs beside this one do
// not count, and what a contender leaves to other goroutines does.
func now() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		fail(err)
	}
	return time.Duration(t.Nano())
}
