package main

import "syscall"

// peakMemory is the largest resident size of this process in bytes.
func peakMemory() *int64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return nil
	}
	return &usage.Maxrss
}
