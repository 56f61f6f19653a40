//go:build !race

package allocations

// Race tells whether the race detector is on.
const Race = false
