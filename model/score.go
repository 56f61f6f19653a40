package model

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/matrix"
)

// Score returns the score of one row: see Model. If rows are not scaled and have values, it
// takes little more time than a plain loop over the entries. Rows that are scaled take longer,
// and longest if scaling shifts columns: their zeros count then.
func (m *Linear) Score(columns []int, values []float64) (float64, error) {
	// The sum is asm/rows.Kernels.Dot's to the bit: entry e goes to lane e mod 8, and the lanes
	// are summed in a tree. The first eight products begin the lanes: lanes that began at +0
	// differ from them in signs of zeros alone, which can show only in a sum of -0. Rows that
	// are wrong, or may be, go to longScore.
	var l0, l1, l2, l3, l4, l5, l6, l7, s float64
	var j int
	var w []float64
	last, c, v := -1, columns, values
	if m.Classes != nil || uint(m.Features) > uint(len(m.Weights)) || !m.Meta.plain() || len(c) != len(v) {
		goto long
	}
	w = m.Weights[:m.Features]
	if len(c) > 0 && c[len(c)-1] >= len(w) {
		known := m.known(c, v)
		if known < 0 {
			goto long
		}
		c, v = c[:known], v[:known]
	}
	if len(c) >= 8 && len(v) >= 8 {
		c0, c1, c2, c3, c4, c5, c6, c7 := c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]
		if c0 < 0 || c1 <= c0 || c2 <= c1 || c3 <= c2 || c4 <= c3 || c5 <= c4 || c6 <= c5 || c7 <= c6 || c7 >= len(w) {
			goto long
		}
		l0, l1, l2, l3 = float64(v[0]*w[c0]), float64(v[1]*w[c1]), float64(v[2]*w[c2]), float64(v[3]*w[c3])
		l4, l5, l6, l7 = float64(v[4]*w[c4]), float64(v[5]*w[c5]), float64(v[6]*w[c6]), float64(v[7]*w[c7])
		c, v, last = c[8:], v[8:], c7
	}
	for len(c) >= 8 && len(v) >= 8 {
		c0, c1, c2, c3, c4, c5, c6, c7 := c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]
		if c0 <= last || c1 <= c0 || c2 <= c1 || c3 <= c2 || c4 <= c3 || c5 <= c4 || c6 <= c5 || c7 <= c6 || c7 >= len(w) {
			goto long
		}
		l0 = math.FMA(v[0], w[c0], l0)
		l1 = math.FMA(v[1], w[c1], l1)
		l2 = math.FMA(v[2], w[c2], l2)
		l3 = math.FMA(v[3], w[c3], l3)
		l4 = math.FMA(v[4], w[c4], l4)
		l5 = math.FMA(v[5], w[c5], l5)
		l6 = math.FMA(v[6], w[c6], l6)
		l7 = math.FMA(v[7], w[c7], l7)
		c, v, last = c[8:], v[8:], c7
	}
	v = v[:len(c)]
	if len(c) == 0 {
		goto sum
	}
	if j = c[0]; j <= last || j >= len(w) {
		goto long
	}
	l0 = math.FMA(v[0], w[j], l0)
	if len(c) == 1 {
		goto sum
	}
	if last, j = j, c[1]; j <= last || j >= len(w) {
		goto long
	}
	l1 = math.FMA(v[1], w[j], l1)
	if len(c) == 2 {
		goto sum
	}
	if last, j = j, c[2]; j <= last || j >= len(w) {
		goto long
	}
	l2 = math.FMA(v[2], w[j], l2)
	if len(c) == 3 {
		goto sum
	}
	if last, j = j, c[3]; j <= last || j >= len(w) {
		goto long
	}
	l3 = math.FMA(v[3], w[j], l3)
	if len(c) == 4 {
		goto sum
	}
	if last, j = j, c[4]; j <= last || j >= len(w) {
		goto long
	}
	l4 = math.FMA(v[4], w[j], l4)
	if len(c) == 5 {
		goto sum
	}
	if last, j = j, c[5]; j <= last || j >= len(w) {
		goto long
	}
	l5 = math.FMA(v[5], w[j], l5)
	if len(c) == 6 {
		goto sum
	}
	if last, j = j, c[6]; j <= last || j >= len(w) {
		goto long
	}
	l6 = math.FMA(v[6], w[j], l6)
sum:
	s = ((l0 + l4) + (l2 + l6)) + ((l1 + l5) + (l3 + l7))
	if s-s == 0 && (s != 0 || 1/s > 0) {
		if m.Bias == 0 && len(m.Weights) == m.Features {
			return s, nil
		}
		if m.Bias != 0 && len(m.Weights) == m.Features+1 {
			return s + float64(m.Bias*m.Weights[m.Features]), nil
		}
	}
long:
	return m.longScore(columns, values)
}

// ones are the values of short rows that come without values.
var ones = slices.Repeat([]float64{1}, 64)

// longScore returns the score of a row that Score could not tell.
func (m *Linear) longScore(columns []int, values []float64) (float64, error) {
	if m.Classes != nil {
		return math.NaN(), errSeveral
	}
	n := len(columns)
	if values == nil && n > 0 && n <= len(ones) {
		return m.Score(columns, ones[:n])
	}
	if len(values) == n && !m.Meta.plain() {
		if known := m.known(columns, values); known > 0 {
			if s, ok := m.preparedScore(columns[:known], values[:known]); ok {
				return s, nil
			}
		}
	}
	return scoreOf(m, columns, values)
}

// known returns how many entries of a row stand before its first unknown column, or -1 if an entry
// from there on is wrong.
func (c *Card) known(columns []int, values []float64) int {
	known := len(columns)
	for ; known > 0 && columns[known-1] >= c.Features; known-- {
		if c.RefuseUnknown || !isFinite(values[known-1]) || known < len(columns) && columns[known-1] >= columns[known] {
			return -1
		}
	}
	return known
}

// preparedScore prepares the values of a row of known columns, and scores them by a model that
// takes rows as they are. It fails if preparing adds or drops entries, or if the row is wrong.
func (m *Linear) preparedScore(columns []int, values []float64) (s float64, ok bool) {
	p, err := m.preparation()
	if err != nil || len(p.shifted) > 0 {
		return 0, false
	}
	b := batches.Get().(*batch)
	prepared := append(b.rows.Val64[:0], values...)
	ok = p.width == nil || scaled(prepared, columns, p.shift, p.width)
	if ok && p.unit {
		matrix.DivideByLength(prepared, matrix.SquareOf(prepared, false))
	}
	if ok {
		b.plain.Features, b.plain.Bias, b.plain.Weights = m.Features, m.Bias, m.Weights
		s, err = b.plain.Score(columns, prepared)
		b.plain.Weights = nil
	}
	b.rows.Val64 = prepared
	batches.Put(b)
	return s, ok && err == nil
}

// scaled scales the values of a row by its columns. It fails at an unknown column and at an
// entry that scaling drops. A width of 0 makes Inf or NaN, which Score refuses.
func scaled(values []float64, columns []int, shift, width []float64) bool {
	shift = shift[:len(width)]
	for e, j := range columns {
		if uint(j) >= uint(len(width)) {
			return false
		}
		if values[e] = (values[e] - shift[j]) / width[j]; values[e] == 0 {
			return false
		}
	}
	return true
}
