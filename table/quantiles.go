package table

import (
	"math"
	"math/bits"
	"slices"
)

// quantileCells is how many cells quantiles have at most.
const quantileCells = 1 << 16

// quantiles count numbers by cells. A cell holds the numbers whose ordered patterns have the same
// bits above the lowest level bits. The level is the least one that leaves at most 2^16 cells, so
// that the set of numbers alone decides it: up to 2^16 distinct numbers have a cell each.
type quantiles struct {
	level  uint
	cells  int
	keys   []uint64 // a hash table with linear probing, 0 for a free slot
	counts []int64
}

// ordered returns a pattern that orders finite numbers as unsigned integers; 0 is no pattern, and
// no number has the lowest 52 bits alone.
func ordered(x float64) uint64 {
	pattern := math.Float64bits(x + 0) // -0 is 0
	if pattern>>63 == 1 {
		return ^pattern
	}
	return pattern | 1<<63
}

// unordered is the inverse of ordered.
func unordered(pattern uint64) float64 {
	if pattern>>63 == 1 {
		return math.Float64frombits(pattern &^ (1 << 63))
	}
	return math.Float64frombits(^pattern)
}

// add takes x, which is finite, n times.
func (q *quantiles) add(x float64, n int64) { q.count(ordered(x)>>q.level, n) }

// count adds n numbers to a cell of the present level.
func (q *quantiles) count(key uint64, n int64) {
	if 2*q.cells >= len(q.keys) {
		q.rebuild(max(64, 2*len(q.keys)), 0)
	}
	q.put(key, n)
	for q.cells > quantileCells {
		q.rebuild(len(q.keys), 1)
	}
}

// put adds n numbers to a cell, for which there is a free slot.
func (q *quantiles) put(key uint64, n int64) {
	k := q.slot(key)
	if q.keys[k] == 0 {
		q.keys[k] = key
		q.cells++
	}
	q.counts[k] += n
}

// slot returns the slot of a cell, or the free slot for it.
func (q *quantiles) slot(key uint64) int {
	k := int(key * 0x9e3779b97f4a7c15 >> (64 - bits.Len(uint(len(q.keys)-1))))
	for q.keys[k] != 0 && q.keys[k] != key {
		k = (k + 1) & (len(q.keys) - 1)
	}
	return k
}

// rebuild makes a table of slots slots, whose cells are wider by more bits.
func (q *quantiles) rebuild(slots int, more uint) {
	keys, counts := q.keys, q.counts
	q.level += more
	q.cells, q.keys, q.counts = 0, make([]uint64, slots), make([]int64, slots)
	for k, key := range keys {
		if key != 0 {
			q.put(key>>more, counts[k])
		}
	}
}

// merge adds the numbers of other quantiles, whose level may rise.
func (q *quantiles) merge(other *quantiles) {
	for q.level < other.level {
		q.rebuild(max(64, len(q.keys)), 1)
	}
	for k, key := range other.keys {
		if key != 0 {
			// A cell that raises the level raises it for the cells behind it, too.
			q.count(key>>(q.level-other.level), other.counts[k])
		}
	}
}

// edges cuts the numbers into bins of about equal counts: edge j is the upper end of the first
// cell with j/bins of all numbers in it or below it. Equal edges count once, and no edge is at or
// above greatest, the largest number.
func (q *quantiles) edges(bins int, greatest float64) []float64 {
	keys, total := make([]uint64, 0, q.cells), uint64(0)
	for k, key := range q.keys {
		if key != 0 {
			keys = append(keys, key)
			total += uint64(q.counts[k])
		}
	}
	slices.Sort(keys)
	var edges []float64
	below, j := uint64(0), uint64(1)
	for _, key := range keys {
		below += uint64(q.counts[q.slot(key)])
		reached := false
		for j < uint64(bins) && below*uint64(bins) >= j*total {
			reached = true
			j++
		}
		if edge := unordered(key<<q.level | (1<<q.level - 1)); reached && edge < greatest {
			edges = append(edges, edge)
		}
	}
	return edges
}
