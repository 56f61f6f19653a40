// Package cholesky factors small dense matrices: A = U'U, U by rows. What is below the
// diagonal is of no meaning.
package cholesky

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/sparse"
)

// panel is the number of rows of U that are subtracted from those below them together,
// tile the number of columns for which that is done at a time: so many numbers stay near.
const panel, tile = 16, 128

// Factor replaces the d x d matrix whose lower triangle is in a, row by row, by its
// factor U. A pivot that vanishes to rounding is replaced by the diagonal element: such a
// column depends on those before it. It costs d^3/6 multiplications by vectors.
func Factor(a []float64, d int) { FactorBy(nil, a, d) }

// FactorBy is Factor on the workers of a pool, with the same bits.
func FactorBy(pool *sparse.Pool, a []float64, d int) {
	for i := range d {
		row := a[i*d:][:i]
		for j, v := range row {
			a[j*d+i] = v
		}
	}
	room := direct.NewRoom((1 + 2*panel) * d)
	defer room.Release()
	diagonal := room.Take(d)
	for k := range diagonal {
		diagonal[k] = a[k*d+k]
	}
	across := room.Take(d * panel) // of the panel, column by column, negative
	t := &tiles{a: a, across: across, packed: room.Take(d * panel), d: d}
	for first := 0; first < d; first += panel {
		end := min(first+panel, d)
		for k := first; k < end; k++ {
			row := a[k*d+k:][:d-k]
			for i := first; i < k; i++ {
				above := a[i*d+k:][:d-k]
				direct.Axpy(-above[0], above, row)
			}
			pivot := row[0]
			if !(pivot > 1e-12*diagonal[k]) {
				pivot = diagonal[k]
			}
			if !(pivot > 0) {
				pivot = 1
			}
			row[0] = math.Sqrt(pivot)
			direct.Scale(row[1:], 1/row[0], row[1:])
			for j, v := range row {
				across[(k+j)*panel+k-first] = -v
			}
		}
		t.first, t.end = first, end
		count := (d - end + tile - 1) / tile
		if count < tilesToShare {
			for k := range count {
				t.Block(k)
			}
			continue
		}
		pool.Run(count, t)
	}
}

// tilesToShare is the least number of tiles for which it pays to hand them out.
const tilesToShare = 3

// tiles subtracts the rows first to end of U from those below them, a tile a block.
type tiles struct {
	a, across     []float64
	packed        []float64 // of the panel, the columns of each tile
	d, first, end int
}

// Block begins with the last tile, which has most rows.
func (t *tiles) Block(k int) {
	d, first, end := t.d, t.first, t.end
	from := end + ((d-end+tile-1)/tile-1-k)*tile
	width := min(tile, d-from)
	packed := t.packed[from*panel:][:width*panel]
	for i := first; i < end; i++ {
		copy(packed[(i-first)*width:][:width], t.a[i*d+from:])
	}
	for j := end; j < from+width; j++ {
		direct.AddMatMul(t.a[j*d+from:][:width], t.across[j*panel:][:end-first], packed[:(end-first)*width], end-first, width)
	}
}

// Solve computes dst = (U'U)^-1 r. dst may be r.
func Solve(dst, u, r []float64) {
	d := len(r)
	copy(dst, r)
	for k := range d {
		row := u[k*d+k:][:d-k]
		dst[k] /= row[0]
		direct.Axpy(-dst[k], row[1:], dst[k+1:])
	}
	for k := d - 1; k >= 0; k-- {
		row := u[k*d+k:][:d-k]
		dst[k] = (dst[k] - direct.Dot(row[1:], dst[k+1:])) / row[0]
	}
}
