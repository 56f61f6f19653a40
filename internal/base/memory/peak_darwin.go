package memory

import "syscall"

// peak is the largest resident size of this process in bytes.
func peak() *int64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return nil
	}
	return &usage.Maxrss
}
