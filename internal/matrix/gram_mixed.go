package matrix

import (
	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// A Gram matrix of mixed rows has three kinds of elements. Those of two columns of ones come from the
// pattern. Those of two columns with values are a small Gram matrix of dense rows. Those of a
// column of each kind are products of the pattern with dense rows. Every element gets one term a
// row, by the operation of a matrix with a value an entry, and in row order.

// withoutValues returns the entries of a row in columns without values: a part of the row, or a copy
// in room.
func withoutValues[I uint16 | uint32](room, row []I, columns []uint32) []I {
	from, room := 0, room[:0]
	for _, j := range columns {
		e := from
		for e < len(row) && row[e] < I(j) {
			e++
		}
		if e == len(row) {
			break
		}
		if row[e] == I(j) {
			room = append(room, row[from:e]...)
			from = e + 1
		}
	}
	if len(room) == 0 {
		return row[from:]
	}
	return append(room, row[from:]...)
}

// gramValues computes the elements of columns with values, in the rows of a Gram matrix from low on.
type gramValues struct {
	x   *rows.Mix
	low int
	// after has the elements of columns with values in rows of columns without, and before the others
	// way round: a row for each column of the matrix. Both are nil where there are none.
	after, before []float64
	small         []float64 // the Gram matrix of the columns with values
}

// gramRows is the number of rows whose values are multiplied at a time.
const gramRows = 1 << 8

// addGramValues adds what the columns with values add to the rows of a Gram matrix from low on.
func addGramValues(t *gramTask, low int) {
	m := t.m
	x := m.mix()
	k := len(x.Columns)
	g := &gramValues{x: x, low: low, small: make([]float64, k*k)}
	if int(x.Columns[0]) < m.d-k {
		g.after = make([]float64, m.d*k)
	}
	if int(x.Columns[k-1]) >= k {
		g.before = make([]float64, m.d*k)
	}
	g.each(t, func(of, beside *float64) { *beside = *of })
	path := &asm.Active().Rows.Wide
	room, scaled := make([]float64, gramRows*k), make([]float64, gramRows*k)
	for at := 0; at < len(t.c); at += gramRows {
		c := t.c[at:min(at+gramRows, len(t.c))]
		first := t.first + at
		values := room[:len(c)*k]
		if x.Val64 != nil {
			values = x.Val64[first*k:][:len(c)*k]
		} else {
			loadColumn(values, x.Val32[first*k:], 1)
		}
		path.Gram(g.small, k, values, k, c, 0, k)
		part := x.Ones
		part.Begin, part.End = part.Begin[first:][:len(c)], part.End[first:][:len(c)]
		if g.before != nil {
			for e, v := range values {
				scaled[e] = c[e/k] * v
			}
			path.AddRows(g.before, &part, nil, 0, k, scaled[:len(values)])
		}
		if g.after != nil {
			part.Scale = c
			path.AddRows(g.after, &part, nil, 0, k, values)
		}
	}
	g.each(t, func(of, beside *float64) { *of = *beside })
}

// each calls f with every element of columns with values, and where g has it.
func (g *gramValues) each(t *gramTask, f func(of, beside *float64)) {
	columns := g.x.Columns
	k := len(columns)
	at := 0 // columns with values before j
	for j := range t.m.d {
		if at < k && int(columns[at]) == j {
			if at++; j >= g.low {
				for b, i := range columns[:at] {
					f(&t.row(j)[i], &g.small[(at-1)*k+b])
				}
			}
			continue
		}
		if j >= g.low {
			for s, i := range columns[:at] {
				f(&t.row(j)[i], &g.after[j*k+s])
			}
		}
		for s := at; s < k; s++ {
			if row := int(columns[s]); row >= g.low {
				f(&t.row(row)[j], &g.before[j*k+s])
			}
		}
	}
}
