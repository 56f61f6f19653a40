package engine

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
)

// Random is a source of random numbers whose state can be saved and whose
// results stay the same for a seed, whatever becomes of the standard library's
// derived generators.
type Random struct{ pcg rand.PCG }

// stream keeps the generators of different purposes apart for one seed.
const stream = 0x9e3779b97f4a7c15

// NewRandom returns a source for a seed.
func NewRandom(seed uint64) *Random {
	r := new(Random)
	r.pcg.Seed(seed, stream)
	return r
}

// Below returns a uniform number in [0, n); n is positive.
func (r *Random) Below(n uint64) uint64 {
	high, low := bits.Mul64(r.pcg.Uint64(), n)
	if low < n {
		// Lemire's rejection: the first 2^64 mod n low words occur once too often.
		for excess := -n % n; low < excess; {
			high, low = bits.Mul64(r.pcg.Uint64(), n)
		}
	}
	return high
}

// Float64 returns a uniform number in [0, 1), a multiple of 2^-53.
func (r *Random) Float64() float64 {
	return float64(r.pcg.Uint64()>>11) * 0x1p-53
}

// Sign returns -1 or +1.
func (r *Random) Sign() float64 {
	return float64(int64(r.pcg.Uint64()>>63))*2 - 1
}

// State visits the generator.
func (r *Random) State(c *Coder) { c.generator(&r.pcg) }

// Batches cuts shuffled passes over n rows into batches.
type Batches struct {
	random   *Random
	order    []uint32
	position int
	size     int
	count    int // batches a pass
	fold     bool
}

// Tail says what happens to the rows that do not fill a last batch.
type Tail bool

// FoldTail adds them to the last batch, DropTail leaves them out of the pass.
const (
	FoldTail Tail = true
	DropTail Tail = false
)

// NewBatches returns batches of size rows; of all n rows where size is larger, of one
// where it is less than 1. Without rows (n below 1, or beyond 32 bits) the batches are empty. A nil random
// is the generator of seed 0.
func NewBatches(n, size int, tail Tail, random *Random) *Batches {
	if random == nil {
		random = NewRandom(0)
	}
	if n < 0 || uint64(n) > math.MaxUint32 {
		n = 0
	}
	if size = max(min(size, n), 1); n == 0 {
		return &Batches{random: random, size: 1, count: 1, position: 1, fold: true}
	}
	b := &Batches{random: random, order: make([]uint32, n), size: size, count: n / size, fold: bool(tail)}
	for i := range b.order {
		b.order[i] = uint32(i)
	}
	b.position = b.count // shuffles at the first Next
	return b
}

// PerPass returns the number of batches in a pass.
func (b *Batches) PerPass() int { return b.count }

// Largest returns the number of rows in the largest batch.
func (b *Batches) Largest() int {
	if b.fold && len(b.order) > 0 {
		return b.size + len(b.order)%b.size
	}
	return min(b.size, len(b.order))
}

// Next returns the rows of the next batch. They stay valid until the call after.
func (b *Batches) Next() []uint32 {
	if b.position >= b.count {
		for i := len(b.order) - 1; i > 0; i-- {
			k := b.random.Below(uint64(i + 1))
			b.order[i], b.order[k] = b.order[k], b.order[i]
		}
		b.position = 0
	}
	first := b.position * b.size
	end := first + b.size
	b.position++
	if b.position == b.count && b.fold {
		end = len(b.order)
	}
	return b.order[first:end]
}

// State visits the order, the position and the generator.
func (b *Batches) State(c *Coder) {
	c.Uint32s(b.order)
	c.Int(&b.position)
	b.random.State(c)
	if !c.Restoring() || c.Err() != nil {
		return
	}
	seen := make([]bool, len(b.order))
	for _, i := range b.order {
		if int64(i) >= int64(len(seen)) || seen[i] {
			c.Fail(fmt.Errorf("the order of the rows names row %d where it should not", i))
			return
		}
		seen[i] = true
	}
	if b.position < 0 || b.position > b.count {
		c.Fail(fmt.Errorf("batch %d of %d", b.position, b.count))
	}
}
