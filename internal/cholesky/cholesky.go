// Package cholesky factors small dense matrices: A = U'U, U by rows. What is below the
// diagonal is of no meaning.
package cholesky

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
)

// panel is the number of rows of U that are subtracted together from the rows below. tile is the
// number of columns stored together meanwhile: twice the width of the kernels' tiles, and several
// panels.
const panel, tile = 16, 48

// FactorBy replaces the d x d matrix whose lower triangle is in a, row by row, by its factor U. A
// pivot that vanishes to rounding is replaced by the diagonal element: such a column depends on
// those before it, and is in the list that FactorBy returns, nil for none. It costs d^3/6 multiplications by vectors, and memory for half of the matrix.
// The workers of a pool, or nil for none, share it, with the same bits.
func FactorBy(pool *matrix.Pool, a []float64, d int) (dependent []int) {
	count := (d + tile - 1) / tile
	size := 0
	for first := 0; first < d; first += tile {
		end := min(first+tile, d)
		size += end * (end - first)
	}
	workspace := direct.Borrow(size + d*panel + d)
	defer direct.Return(workspace)
	t := &tiles{a: a, d: d, tiles: make([][]float64, count)}
	rest := workspace
	take := func(n int) []float64 {
		v := rest[:n:n]
		rest = rest[n:]
		return v
	}
	t.across, t.diagonal = take(d*panel), take(d)
	for c := range count {
		end := min((c+1)*tile, d)
		t.tiles[c] = take(end * (end - c*tile))
	}
	for k := range t.diagonal {
		t.diagonal[k] = a[k*d+k]
	}
	t.each(pool, 0, (*tiles).load)
	for t.first = 0; t.first < d; t.first += panel {
		t.end = min(t.first+panel, d)
		own := t.first / tile
		t.pivots(own)
		t.each(pool, own+1, (*tiles).solve)
		if t.end < d {
			t.each(pool, t.end/tile, (*tiles).subtract)
		}
	}
	t.each(pool, 0, (*tiles).store)
	return t.dependent
}

// tilesToShare is the least number of tiles for which it pays to hand them out.
const tilesToShare = 8

// tiles is the upper triangle, in tiles of columns: of each one the rows down to the diagonal.
type tiles struct {
	a          []float64
	d          int
	tiles      [][]float64
	diagonal   []float64 // of the matrix
	across     []float64 // the panel, column by column, negative
	inverse    [panel]float64
	first, end int // rows of the panel
	dependent  []int

	step func(t *tiles, c int) // of each
}

// each does a step of all tiles from one on.
func (t *tiles) each(pool *matrix.Pool, from int, step func(t *tiles, c int)) {
	count := len(t.tiles) - from
	if count < tilesToShare {
		for c := from; c < len(t.tiles); c++ {
			step(t, c)
		}
		return
	}
	t.step = step
	matrix.Run(pool, count, t)
}

// Block begins with the last tile, which has most rows.
func (t *tiles) Block(k int) { t.step(t, len(t.tiles)-1-k) }

func (t *tiles) width(c int) int { return min(tile, t.d-c*tile) }

// rows returns some rows of tile c, one after the other.
func (t *tiles) rows(c, first, end int) []float64 {
	width := t.width(c)
	return t.tiles[c][first*width : end*width]
}

// load copies a tile of the lower triangle, transposed, in steps of rows that stay in the cache.
func (t *tiles) load(c int) {
	const near = 64
	width := t.width(c)
	last := c*tile + width
	for first := 0; first < last; first += near {
		end := min(first+near, last)
		to := t.rows(c, first, end)
		for i := range width {
			column := c*tile + i
			from := t.a[column*t.d:][first:max(first, min(end, column+1))]
			for j, v := range from {
				to[j*width+i] = v
			}
		}
	}
}

func (t *tiles) store(c int) {
	width := t.width(c)
	for k := range c*tile + width {
		from := max(0, k-c*tile)
		copy(t.a[k*t.d+c*tile+from:][:width-from], t.rows(c, k, k+1)[from:])
	}
}

// eliminate subtracts the rows of the panel before row k from it, in tile c. Up to the
// diagonal that gives numbers of no meaning.
func (t *tiles) eliminate(c, k int) (row []float64) {
	row = t.rows(c, k, k+1)
	if before := k - t.first; before > 0 {
		direct.AddMatMul(row, t.across[k*panel:][:before], t.rows(c, t.first, k), before, len(row))
	}
	return row
}

// keep writes the numbers of row k, from a column on, into the columns of the panel.
func (t *tiles) keep(k, column int, row []float64) {
	across := t.across[column*panel+k-t.first:]
	for j, v := range row {
		across[j*panel] = -v
	}
}

// pivots finishes the rows of the panel in the tile that has their diagonal.
func (t *tiles) pivots(c int) {
	for k := t.first; k < t.end; k++ {
		row := t.eliminate(c, k)[k-c*tile:]
		pivot := row[0]
		if !(pivot > 1e-12*t.diagonal[k]) {
			pivot = t.diagonal[k]
			t.dependent = append(t.dependent, k)
		}
		if !(pivot > 0) {
			pivot = 1
		}
		row[0] = math.Sqrt(pivot)
		t.inverse[k-t.first] = 1 / row[0]
		direct.Scale(row[1:], t.inverse[k-t.first], row[1:])
		t.keep(k, k, row)
	}
}

// solve finishes them in a tile behind that.
func (t *tiles) solve(c int) {
	for k := t.first; k < t.end; k++ {
		row := t.eliminate(c, k)
		direct.Scale(row, t.inverse[k-t.first], row)
		t.keep(k, c*tile, row)
	}
}

// subtract subtracts the panel from the rows below it in a tile.
func (t *tiles) subtract(c int) {
	width := t.width(c)
	last := c*tile + width
	direct.AddMatMul(t.rows(c, t.end, last), t.across[t.end*panel:last*panel], t.rows(c, t.first, t.end), t.end-t.first, width)
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
