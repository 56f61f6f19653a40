package sampling

import (
	"math"
	"math/bits"
)

// Tree draws from weights that change: Set and Draw cost O(log n). The sums in
// the tree depend on the weights only, not on the order in which they were set.
// Weights must be finite and not negative. It takes 16 to 32 bytes a number. It serves one
// goroutine at a time.
type Tree struct {
	n      int
	leaves int       // a power of two
	sums   []float64 // sums[1] is the root; the children of k are 2k and 2k+1
}

// NewTree returns a tree of n weights of 0. The tree is empty if n is below 1 or does not
// fit in 32 bits.
func NewTree(n int) *Tree {
	if n < 0 || uint64(n) > math.MaxUint32 {
		n = 0
	}
	leaves := 1 << bits.Len(uint(max(n, 1)-1))
	return &Tree{n: n, leaves: leaves, sums: make([]float64, 2*leaves)}
}

// Weights returns the weights. After writing to them call Build.
func (t *Tree) Weights() []float64 { return t.sums[t.leaves : t.leaves+t.n] }

// Build brings the tree up to date with all weights, in O(n).
func (t *Tree) Build() {
	for k := t.leaves - 1; k >= 1; k-- {
		t.sums[k] = t.sums[2*k] + t.sums[2*k+1]
	}
}

// Set changes weight i, if the tree has it.
func (t *Tree) Set(i uint32, weight float64) {
	if int64(i) >= int64(t.n) {
		return
	}
	k := t.leaves + int(i)
	t.sums[k] = weight
	for k >>= 1; k >= 1; k >>= 1 {
		t.sums[k] = t.sums[2*k] + t.sums[2*k+1]
	}
}

// Total returns the sum of the weights.
func (t *Tree) Total() float64 { return t.sums[1] }

// Draw returns i with probability Weights()[i]/Total(), and never one of weight 0
// unless all are; 0 for a tree without weights.
func (t *Tree) Draw(r *Random) uint32 {
	random := r.source()
	at := random.Float64() * t.sums[1]
	k := 1
	for k < t.leaves {
		k *= 2
		// Rounding may carry at past the end of the last weight.
		if left := t.sums[k]; at >= left && t.sums[k+1] > 0 {
			at -= left
			k++
		}
	}
	return uint32(k - t.leaves)
}
