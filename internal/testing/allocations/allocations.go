// Package allocations counts the allocations of a function for tests.
package allocations

import "testing"

// Count is testing.AllocsPerRun without what others add to it: the fewest of three
// counts, as the garbage collector may empty a sync.Pool during one. The race
// detector empties them at random: under it f runs once and the count is 0.
func Count(runs int, f func()) float64 {
	if Race {
		f()
		return 0
	}
	fewest := testing.AllocsPerRun(runs, f)
	for range 2 {
		if fewest == 0 {
			break
		}
		fewest = min(fewest, testing.AllocsPerRun(runs, f))
	}
	return fewest
}
