package vector

import (
	"fmt"
	"math"
)

// A Score is what functions on rows write.
type Score interface{ float32 | int32 }

// TopK writes the numbers of the len(dst) largest scores to dst, the largest first. Of equal scores
// the one with the lower number comes first; NaN comes after all others. It returns how many
// numbers it wrote: len(dst), or len(scores) where that is less.
//
// Error: there are more than 2^32 scores. Cost: a comparison a score, and up to log2(k) steps for
// each score that is among the k largest so far.
func TopK[S Score](dst []uint32, scores []S) (int, error) { return ranked(dst, scores, false) }

// BottomK is TopK for the smallest scores, the smallest first: the nearest by distances.
func BottomK[S Score](dst []uint32, scores []S) (int, error) { return ranked(dst, scores, true) }

// ranked keeps the best numbers so far in a heap whose first is the worst of them.
func ranked[S Score](dst []uint32, scores []S, smallest bool) (int, error) {
	if uint64(len(scores)) > math.MaxUint32+1 {
		return 0, fmt.Errorf("vector: %d scores; there may be 2^32", len(scores))
	}
	before := func(a, b uint32) bool { // whether a stands before b
		x, y := scores[a], scores[b]
		if smallest {
			x, y = y, x
		}
		switch {
		case x > y:
			return true
		case x < y:
			return false
		case (x == x) != (y == y):
			return scores[a] == scores[a]
		}
		return a < b
	}
	k := min(len(dst), len(scores))
	heap := dst[:k]
	sink := func(i, n int) { // puts heap[i] below worse ones
		for {
			child := 2*i + 1
			if child >= n {
				return
			}
			if child+1 < n && before(heap[child], heap[child+1]) {
				child++
			}
			if !before(heap[i], heap[child]) {
				return
			}
			heap[i], heap[child] = heap[child], heap[i]
			i = child
		}
	}
	for i := range heap {
		heap[i] = uint32(i)
	}
	for i := k/2 - 1; i >= 0; i-- {
		sink(i, k)
	}
	if k > 0 {
		// A later number of the same score never stands before.
		for i, worst := k, scores[heap[0]]; i < len(scores); i++ {
			if v := scores[i]; (smallest && !(v >= worst) || !smallest && !(v <= worst)) && before(uint32(i), heap[0]) {
				heap[0] = uint32(i)
				sink(0, k)
				worst = scores[heap[0]]
			}
		}
	}
	for n := k - 1; n > 0; n-- {
		heap[0], heap[n] = heap[n], heap[0]
		sink(0, n)
	}
	return k, nil
}
