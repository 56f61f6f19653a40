package contest

import "golang.org/x/sys/unix"

// Seconds is the time that this process has run so far, on all threads: what runs beside
// it on a busy machine does not count.
func Seconds() float64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return float64(t.Nano()) * 1e-9
}
