package matrix

import (
	"math/bits"

	"github.com/lanes-go/lanes/asm"
)

const (
	// gramWork is the least number of multiplications of a part for each element of the Gram
	// matrix. It makes the cost of clearing and adding the part's sums small.
	gramWork = 8
	// mostGramElements is the most elements of all parts, mostGramParts the most parts.
	mostGramElements = 1 << 20
	mostGramParts    = 16
)

// gramParts returns the number of parts that Gram cuts the rows into, a power of two. It returns
// 1 if Gram cuts the Gram matrix into bands. Rows with c = 0 do not count.
func (m *Matrix) gramParts(c []float64) int {
	size := int64(m.d) * int64(m.d+1) / 2
	if leastParts*size > mostGramElements {
		return 1
	}
	count := 0
	for _, v := range c {
		if v != 0 {
			count++
		}
	}
	share := float64(count) / float64(max(m.n, 1))
	if float64(m.NNZ())*share < leastParts*blockEntries {
		return 1
	}
	parts := min(mostGramParts, mostGramElements/max(size, 1), int64(float64(GramCost(m))*share)/(gramWork*max(size, 1)))
	if parts < leastParts {
		return 1
	}
	return 1 << (bits.Len64(uint64(parts)) - 1)
}

// addGramParts adds the Gram matrix in parts, one a worker at a time. Their sums are cleared and
// added while the caches still hold them.
func (m *Matrix) addGramParts(p *Pool, dst, c []float64, parts int) {
	fills := m.fills()
	if !fills {
		m = indexed(m)
	}
	t := &gramPartTask{m: m, dst: dst, c: c, parts: parts, fills: fills, size: m.d * (m.d + 1) / 2}
	if fills {
		t.size = bandElements(m.d)
	}
	arena, inHand := p.takeArena(), min(parts, p.Workers())
	t.own = arena.Sized(inHand * partStride(t.size))
	for ; t.at < parts; t.at += t.count {
		t.count = min(inHand, parts-t.at)
		Run(p, t.count, t)
		Run(p, (m.d+gramSumRows-1)/gramSumRows, (*gramSumTask)(t))
	}
	p.leaveArena(arena)
}

// gramPartTask computes the Gram matrix of a part of the rows a block.
type gramPartTask struct {
	m           *Matrix
	dst, c      []float64
	parts, size int
	at, count   int       // the parts that are computed
	own         []float64 // their lower triangles, row by row or in packed bands
	fills       bool
}

func (t *gramPartTask) Block(k int) {
	m := t.m
	clear(t.own[k*partStride(t.size):][:t.size])
	first, end := PartBegin(m, t.at+k, t.parts), PartBegin(m, t.at+k+1, t.parts)
	own := gramTask{m: m, dst: t.own[k*partStride(t.size):][:t.size], c: t.c[first:end], first: first, packed: true, bounds: []int{0, m.d}}
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
		for k := range t.count {
			own := t.own[k*partStride(t.size):]
			if t.fills {
				own = bandRow(own, j, t.m.d)
			} else {
				own = own[j*(j+1)/2:][:j+1]
			}
			asm.Active().Dense.Axpy(1, own, to)
		}
	}
}
