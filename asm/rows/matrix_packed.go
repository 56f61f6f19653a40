package rows

import (
	"math"
	"sync"
)

// gram is WideKernels.Gram in portable code.
func gram(dst []float64, next int, x []float64, stride int, c []float64, low, high int) {
	for k, ck := range c {
		row := x[k*stride:][:high]
		for a := low; a < high; a++ {
			by, sums := float64(ck*row[a]), dst[(a-low)*next:][:a+1]
			for b, v := range row[:a+1] {
				sums[b] = math.FMA(by, v, sums[b])
			}
		}
	}
}

// A tileFunc computes dst += A W, as WideKernels.MatMul, for matrices that lie in larger ones: rows
// of dst are next elements apart, rows of w nextW elements.
type tileFunc func(dst, a, w *float64, rows, inner, cols, next, nextW, rowStep, termStep int)

const (
	packedTerms = 128 // rows of x that are packed at a time
	// packedStep is how far apart columns of packed rows begin: a power of two would make them share
	// lines of the first cache.
	packedStep = packedTerms + 8
	// packedLeft is the most rows of the Gram matrix that share the packed columns.
	packedLeft = 256
	// mostTile is the most columns of a tile.
	mostTile = 24
)

// packedSpace holds packed rows of x: left by columns and times their factors, right in the order
// in which tiles read them.
type packedSpace struct {
	left  [packedLeft * packedStep]float64
	right [packedTerms * mostTile]float64
	edge  [mostTile * mostTile]float64
}

var packedSpaces = sync.Pool{New: func() any { return new(packedSpace) }}

// packedWays are a path's tiles, of width columns, and its ways to pack rows for them.
type packedWays struct {
	width int
	tile  tileFunc
	// rows writes cols elements of each row, one row after the other.
	rows func(dst, x []float64, rows, stride, cols int)
	// columns writes cols columns of the rows times their factors, packedStep elements apart.
	columns func(dst, x []float64, stride int, c []float64, cols int)
}

// gram is the kernel of a path. Each element still adds its terms in order, whatever is packed.
func (g *packedWays) gram(dst []float64, next int, x []float64, stride int, c []float64, low, high int) {
	s := packedSpaces.Get().(*packedSpace)
	for ; low < high; low += packedLeft {
		end := min(low+packedLeft, high)
		for k := 0; k < len(c); k += packedTerms {
			s.add(g, dst, next, x[k*stride:], stride, c[k:min(k+packedTerms, len(c))], low, end)
		}
		dst = dst[min(packedLeft*next, len(dst)):]
	}
	packedSpaces.Put(s)
}

// add adds at most packedTerms rows to at most packedLeft rows of the Gram matrix.
func (s *packedSpace) add(g *packedWays, dst []float64, next int, x []float64, stride int, c []float64, low, high int) {
	g.columns(s.left[:], x[low:], stride, c, high-low)
	for b := 0; b < high; b += g.width {
		cols := min(g.width, high-b)
		g.rows(s.right[:], x[b:], len(c), stride, cols)
		first, edge := max(low, b), max(low, min(b+cols, high))
		if first < edge {
			s.addEdge(g.tile, dst[(first-low)*next:], next, s.left[(first-low)*packedStep:], len(c), first, edge, b, cols)
		}
		if edge < high {
			g.tile(&dst[(edge-low)*next+b], &s.left[(edge-low)*packedStep], &s.right[0], high-edge, len(c), cols, next, cols, packedStep, 1)
		}
	}
}

// addEdge adds to rows first to edge of the columns from b on, which have the diagonal: what is above
// it is computed, and not kept.
func (s *packedSpace) addEdge(tile tileFunc, dst []float64, next int, left []float64, terms, first, edge, b, cols int) {
	clear(s.edge[:(edge-first)*cols])
	for a := first; a < edge; a++ {
		copy(s.edge[(a-first)*cols:], dst[(a-first)*next+b:][:a-b+1])
	}
	tile(&s.edge[0], &left[0], &s.right[0], edge-first, terms, cols, cols, cols, packedStep, 1)
	for a := first; a < edge; a++ {
		copy(dst[(a-first)*next+b:][:a-b+1], s.edge[(a-first)*cols:])
	}
}

func packColumns(dst, x []float64, stride int, c []float64, cols int) {
	for k, ck := range c {
		for a, v := range x[k*stride:][:cols] {
			dst[a*packedStep+k] = float64(ck * v)
		}
	}
}
