//go:build !linux && !darwin

package main

// peakMemory is not known here.
func peakMemory() *int64 { return nil }
