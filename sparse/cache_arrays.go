package sparse

import (
	"math"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/internal/matrix"
)

// cacheArrays are the arrays of a cache, in memory.
type cacheArrays struct {
	lengths []uint32
	labels  []float64
	query   []int64
	weight  []float64
	offset  []float64
	scale   []float64
	idx32   []uint32
	idx16   []uint16
	val64   []float64
	val32   []float32
}

// reserve grows the arrays of a cache of this shape to at least n rows and the given entries.
// It returns a *memory.ShortError if memory does not suffice.
func (a *cacheArrays) reserve(s *cacheShape, n, entries int) error {
	perRow := int64(4 + 8 + 8 + s.extra()) // length, label, and where its entries begin
	if s.flags&cacheScales != 0 {
		perRow += 8
	}
	need := float64(float64(grown(cap(a.lengths), n)) * float64(perRow))
	need += float64(float64(grown(max(cap(a.idx16), cap(a.idx32)), entries)) * float64(entryBytes(s.layout)))
	if err := memory.Check("the rows", int64(min(need, math.MaxInt64/2)), 1); err != nil {
		return err
	}
	reserve(&a.lengths, n)
	reserve(&a.labels, n)
	if s.has(cacheQueries) {
		reserve(&a.query, n)
	}
	if s.has(cacheWeights) {
		reserve(&a.weight, n)
	}
	if s.has(cacheOffsets) {
		reserve(&a.offset, n)
	}
	if s.flags&cacheScales != 0 {
		reserve(&a.scale, n)
	}
	if s.layout >= rows.I16F64 {
		reserve(&a.idx16, entries)
	} else {
		reserve(&a.idx32, entries)
	}
	switch valueBytes(s.layout) {
	case 8:
		reserve(&a.val64, entries)
	case 4:
		reserve(&a.val32, entries)
	}
	return nil
}

// grown is the number of elements that an array of a capacity takes anew to hold n elements.
func grown(capacity, n int) int {
	if n <= capacity {
		return 0
	}
	return max(n, capacity+capacity/2)
}

// reserve grows the array at p to at least the given number of elements.
func reserve[T any](p *[]T, elements int) {
	if elements > len(*p) {
		*p = matrix.Grow(*p, elements-len(*p), 0)[:elements]
	}
}
