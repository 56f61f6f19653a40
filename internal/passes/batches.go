// Package passes says in which order passes over the rows of a data set take them: in
// shuffled batches, or one by one without the rows that were shrunk.
package passes

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
)

// Batches cuts shuffled passes over n rows into batches.
type Batches struct {
	source   *random.Source
	order    []uint32
	position int
	size     int
	count    int // batches a pass
	fold     bool
	uniform  bool // every batch is drawn from all rows
}

// Tail says what happens to the rows that do not fill a last batch.
type Tail bool

// FoldTail adds them to the last batch, DropTail leaves them out of the pass.
const (
	FoldTail Tail = true
	DropTail Tail = false
)

// NewBatches returns batches of size rows. A larger size means all n rows, and a size below 1
// means one row. Without rows (n below 1, or beyond 32 bits) the batches are empty. A nil source
// is the generator of seed 0.
func NewBatches(n, size int, tail Tail, source *random.Source) *Batches {
	if source == nil {
		source = random.New(0)
	}
	if n < 0 || uint64(n) > math.MaxUint32 {
		n = 0
	}
	if size = max(min(size, n), 1); n == 0 {
		return &Batches{source: source, size: 1, count: 1, position: 1, fold: true}
	}
	b := &Batches{source: source, order: make([]uint32, n), size: size, count: n / size, fold: bool(tail)}
	for i := range b.order {
		b.order[i] = uint32(i)
	}
	b.position = b.count // shuffles at the first Next
	return b
}

// Uniform has every batch hold different rows drawn from all rows, in place of the next rows of a
// shuffled pass.
func (b *Batches) Uniform() { b.uniform = true }

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
	if n := len(b.order); b.uniform && n > 0 {
		for i := range b.size {
			j := i + int(b.source.Below(uint64(n-i)))
			b.order[i], b.order[j] = b.order[j], b.order[i]
		}
		return b.order[:b.size]
	}
	if b.position >= b.count {
		random.Shuffle(b.source, b.order)
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
func (b *Batches) State(c *checkpoint.Coder) {
	c.Uint32s(b.order)
	c.Int(&b.position)
	c.Random(b.source)
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
