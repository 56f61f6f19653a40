package contest

import (
	"os"
	"runtime/debug"
	"syscall"

	"golang.org/x/sys/unix"
)

// Seconds is the time that this process has run so far, on all threads: what runs beside
// it on a busy machine does not count.
func Seconds() float64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return float64(t.Nano()) * 1e-9
}

// forget gives unused memory back and forgets the most memory that this process had. Linux counts it
// as memory of the processes that this process starts.
func forget() {
	debug.FreeOSMemory()
	os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // an old kernel keeps it, and figures are too large
}

// PeakMB returns the most memory that a process had which has ended, in MB of 10^6 bytes. A child
// has at least the memory of the process that started it: Process makes it small.
func PeakMB(ended *os.ProcessState) (mb float64, known bool) {
	usage, known := ended.SysUsage().(*syscall.Rusage)
	if !known {
		return 0, false
	}
	return float64(usage.Maxrss) * 1024 / 1e6, true
}
