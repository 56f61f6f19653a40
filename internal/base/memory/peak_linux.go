package memory

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// peak is the largest resident size of this process in bytes. VmHWM comes
// first, because getrusage counts what the process was before its exec as well.
func peak() *int64 {
	status, _ := os.ReadFile("/proc/self/status")
	if _, rest, found := bytes.Cut(status, []byte("VmHWM:")); found {
		fields := bytes.Fields(rest[:min(len(rest), 64)])
		if len(fields) > 0 {
			if kib, err := strconv.ParseInt(string(fields[0]), 10, 64); err == nil {
				kib <<= 10
				return &kib
			}
		}
	}
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return nil
	}
	peak := int64(usage.Maxrss) << 10
	return &peak
}
