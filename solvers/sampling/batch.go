package sampling

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Batch draws sets of exactly b numbers such that number i is in the set with
// probability q_i (algorithm 3). Every set of b numbers with positive marginals
// can be drawn.
//
// The numbers are ordered by falling q. With probability r_k the set is the first
// numbers of that order up to a block of neighbours, completed from that block
// uniformly. It serves one goroutine at a time.
type Batch struct {
	size    int
	order   []marginal // by falling q, then rising number
	choices []choice
	chosen  []uint32
	taken   []bool // by position in the order, all false between draws
}

// marginal is a number with its q.
type marginal struct {
	q float64
	i uint32
}

// choice is one value of k: the block of positions first to last (exclusive).
type choice struct {
	first, last int
	r           float64
}

// NewBatch returns a sampler of sets of size numbers out of n; 1 <= size <= n. It
// takes about 20 bytes a number.
func NewBatch(n, size int) (*Batch, error) {
	if size < 1 || size > n || int64(n) > math.MaxUint32 {
		return nil, fmt.Errorf("sampling: sets of %d out of %d numbers", size, n)
	}
	b := &Batch{size: size, order: make([]marginal, n), chosen: make([]uint32, size), taken: make([]bool, n)}
	for i := range b.order {
		b.order[i].i = uint32(i)
	}
	return b, nil
}

// marginTolerance is by how much the sum of marginals may miss the size of the
// sets, relatively.
const marginTolerance = 1e-9

// Set prepares the marginals q, which lie in [0, 1] and sum up to the size of the
// sets: O(n log n).
func (b *Batch) Set(q []float64) error {
	if len(q) != len(b.order) {
		return fmt.Errorf("sampling: %d marginals for %d numbers", len(q), len(b.order))
	}
	sum := 0.0
	for i, v := range q {
		if !(v >= 0 && v <= 1+marginTolerance) {
			return fmt.Errorf("sampling: marginal %d is %v; it must be in [0, 1]", i, v)
		}
		sum += v
	}
	if math.Abs(sum-float64(b.size)) > marginTolerance*float64(b.size) {
		return fmt.Errorf("sampling: the marginals sum up to %v; sets of %d need that sum", sum, b.size)
	}
	// The order of the last marginals is often close to the order of the next.
	for position := range b.order {
		b.order[position].q = q[b.order[position].i]
	}
	slices.SortFunc(b.order, func(a, c marginal) int {
		switch {
		case a.q > c.q:
			return -1
		case a.q < c.q:
			return 1
		}
		return cmp.Compare(a.i, c.i)
	})
	b.decompose()
	return nil
}

// metTolerance is the difference of two marginals that counts as rounding. It exceeds four
// roundings of numbers up to 1, by which a block's value and its neighbour's may differ where
// they are equal. So every block is larger than the block before, and decompose ends.
const metTolerance = 1e-15

// decompose finds r and the blocks (lines 4 to 9 of algorithm 3). What is left of
// the marginals is, in the order: q - spent before the block, value in the block,
// q behind it.
func (b *Batch) decompose() {
	n := len(b.order)
	at := func(position int) float64 { return b.order[position].q }
	value, spent := at(b.size-1), 0.0
	first, last := b.size-1, b.size
	b.choices = b.choices[:0]
	for {
		for first > 0 && at(first-1)-spent <= value+metTolerance {
			first--
		}
		for last < n && at(last) >= value-metTolerance {
			last++
		}
		if value <= metTolerance {
			break
		}
		// (31): until the block meets the numbers before it, or those behind it.
		begin, length, inside := first, float64(last-first), float64(b.size-first)
		r, next := length/inside*value, 0.0
		if last < n {
			next = at(last)
			r = length / inside * (value - next)
		}
		if first > 0 && last > b.size {
			before := at(first-1) - spent
			if upward := float64(length / float64(last-b.size) * (before - value)); upward < r {
				r, next = upward, before-upward
			}
		}
		b.choices = append(b.choices, choice{begin, last, r})
		spent += r
		// (32), with the value that is met set exactly.
		value = next
	}
	if len(b.choices) == 0 {
		b.choices = append(b.choices, choice{first, last, 1})
	}
}

// Draw returns a set, which stays valid until the next call. Its members stand in
// no particular order. Before the first Set it is nil.
func (b *Batch) Draw(r *Random) []uint32 {
	random := r.source()
	total := 0.0
	for _, c := range b.choices {
		total += c.r
	}
	u := random.Float64() * total
	k := 0
	for ; k < len(b.choices)-1; k++ {
		if u -= b.choices[k].r; u < 0 {
			break
		}
	}
	if len(b.choices) == 0 {
		return nil
	}
	c := b.choices[k]
	for m, number := range b.order[:c.first] {
		b.chosen[m] = number.i
	}
	// Floyd's way to draw different numbers.
	inside := b.size - c.first
	for m, end := c.first, c.last-inside; m < b.size; m, end = m+1, end+1 {
		position := c.first + int(random.Below(uint64(end-c.first+1)))
		if b.taken[position] {
			position = end
		}
		b.taken[position] = true
		b.chosen[m] = uint32(position)
	}
	for m := c.first; m < b.size; m++ {
		position := b.chosen[m]
		b.taken[position] = false
		b.chosen[m] = b.order[position].i
	}
	return b.chosen
}

// Cap turns weights, finite and not negative, into probabilities p that sum to 1 and are at most
// 1/size each. Below 1/size they are proportional to the weights: the excess of large weights is
// spread over the others. If less than size weights are positive, the rest is spread evenly. It
// works in place; 1 <= size <= len(p).
func Cap(p []float64, size int) error {
	if size < 1 || size > len(p) {
		return fmt.Errorf("sampling: sets of %d out of %d numbers", size, len(p))
	}
	most := 1 / float64(size)
	capped := 0
	for {
		free := 0.0
		for _, w := range p {
			if w >= 0 {
				free += w
			}
		}
		left := 1 - float64(float64(capped)*most)
		if capped == size {
			left = 0
		}
		again := false
		if free > 0 && left > 0 {
			for i, w := range p {
				if w >= 0 && w/free*left > most {
					p[i], again = -1, true
					capped++
				}
			}
			if again {
				continue
			}
		}
		for i, w := range p {
			switch {
			case w < 0:
				p[i] = most
			case free > 0:
				p[i] = min(most, w/free*left)
			default:
				p[i] = min(most, left/float64(len(p)-capped))
			}
		}
		return nil
	}
}
