package sparse

import (
	"github.com/lanes-go/lanes/asm/rows"
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
func (a *cacheArrays) reserve(s *cacheShape, n, entries int) {
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
}

// reserve grows the array at p to at least the given number of elements.
func reserve[T any](p *[]T, elements int) {
	if elements > len(*p) {
		*p = matrix.Grow(*p, elements-len(*p), 0)[:elements]
	}
}
