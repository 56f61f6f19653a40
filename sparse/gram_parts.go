package sparse

import (
	"math/bits"

	"github.com/lanes-go/lanes/asm"
)

const (
	// gramWork is the least number of multiplications of a part for each element of the
	// Gram matrix, so that clearing and adding its own costs little.
	gramWork = 8
	// gramRoom is the most elements of all parts, mostGramParts the most parts.
	gramRoom      = 1 << 20
	mostGramParts = 16
)

// gramParts returns the number of parts that Gram cuts the rows into, a power of two, or 1
// where it cuts the Gram matrix into bands.
func (m *Matrix) gramParts() int {
	size := int64(m.d) * int64(m.d+1) / 2
	if m.NNZ() < leastParts*blockEntries || leastParts*size > gramRoom {
		return 1
	}
	parts := min(mostGramParts, gramRoom/max(size, 1), m.GramCost()/(gramWork*max(size, 1)))
	if parts < leastParts {
		return 1
	}
	return 1 << (bits.Len64(uint64(parts)) - 1)
}

// gramPartTask computes the Gram matrix of a part of the rows a block.
type gramPartTask struct {
	m           *Matrix
	dst, c      []float64
	parts, size int
	own         []float64 // the lower triangles of the parts, row by row
	fills       bool
}

func (t *gramPartTask) Block(k int) {
	m := t.m
	first, end := m.partBegin(k, t.parts), m.partBegin(k+1, t.parts)
	own := gramTask{m: m, dst: t.own[k*t.size:][:t.size], c: t.c[first:end], first: first, packed: true, bounds: []int{0, m.d}}
	if !t.fills {
		own.Block(0)
		return
	}
	bands := &bandTask{gramTask: own}
	for b := range bands.bands() {
		bands.Block(b)
	}
}

// gramSumTask adds the parts to some rows of the Gram matrix a block.
type gramSumTask gramPartTask

const gramSumRows = 64

func (t *gramSumTask) Block(b int) {
	for j := b * gramSumRows; j < min((b+1)*gramSumRows, t.m.d); j++ {
		to := t.dst[j*t.m.Cols():][:j+1]
		for k := range t.parts {
			asm.Active().Dense.Axpy(1, t.own[k*t.size+j*(j+1)/2:][:j+1], to)
		}
	}
}
