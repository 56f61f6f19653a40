package matrix

import (
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// Dense is a dense array of rows, in memory that its maker owns. It is read and never written; no
// goroutine may write to it meanwhile. Element (i, j) is number i*RowStride + j*ColumnStride of
// Float64, or of Float32: one of the two is nil.
//
// An n-by-d array in C's order has the strides d and 1, one in Fortran's order 1 and n.
type Dense struct {
	Rows, Columns           int
	RowStride, ColumnStride int // in elements, 0 or more
	Float64                 []float64
	Float32                 []float32
}

// Check says what is wrong with the sizes of x, if anything. It does not look at the numbers.
func (x *Dense) Check() error {
	if x == nil {
		return errors.New("there is no array")
	}
	n := len(x.Float64)
	if x.Float64 == nil {
		n = len(x.Float32)
	}
	switch {
	case x.Rows < 0 || x.Columns < 0 || x.Columns > MaxColumns:
		return fmt.Errorf("%d rows and %d columns; there may be 0 or more rows and 0 to %d columns", x.Rows, x.Columns, MaxColumns)
	case x.RowStride < 0 || x.ColumnStride < 0:
		return fmt.Errorf("strides of %d and %d; they may be 0 or more", x.RowStride, x.ColumnStride)
	case x.Float64 != nil && x.Float32 != nil:
		return errors.New("numbers both in Float64 and in Float32")
	case x.Rows == 0 || x.Columns == 0:
		return nil
	case n == 0 || beyond(x.Rows-1, x.RowStride, n-1) || beyond(x.Columns-1, x.ColumnStride, n-1-(x.Rows-1)*x.RowStride):
		return fmt.Errorf("%d rows and %d columns with strides of %d and %d end beyond the %d numbers", x.Rows, x.Columns, x.RowStride, x.ColumnStride, n)
	}
	return nil
}

// beyond tells whether count strides are more than limit.
func beyond(count, stride, limit int) bool { return stride > 0 && count > limit/stride }

// partNumbers is the number of elements that are looked at, and then used, while they are in the
// first cache level.
const partNumbers = 2048

// lookNumbers is the number of elements of the room that MayLack is given: it stays in the first cache level
// beside a part.
const lookNumbers = partNumbers / 4

// PartRows returns the number of rows of the parts that DenseRows is asked for.
func PartRows(x *Dense) int {
	if x.ColumnStride != 1 { // a line of the cache has 8 numbers of a column
		return max(8, min(256, 32*partNumbers/max(x.Columns, 1)))
	}
	return max(1, partNumbers/max(x.Columns, 1))
}

// DenseColumn returns the elements of column j in count rows from first on: the array itself where
// the elements are next to each other, and otherwise a copy in room.
func DenseColumn(x *Dense, room []float64, j, first, count int) []float64 {
	at := first*x.RowStride + j*x.ColumnStride
	if x.Float64 != nil {
		if x.RowStride == 1 {
			return x.Float64[at:][:count]
		}
		loadColumn(room[:count], x.Float64[at:], x.RowStride)
	} else {
		loadColumn(room[:count], x.Float32[at:], x.RowStride)
	}
	return room[:count]
}

func loadColumn[T float32 | float64](to []float64, from []T, stride int) {
	if stride == 1 {
		for i, v := range from[:len(to)] {
			to[i] = float64(v)
		}
		return
	}
	for i := range to {
		to[i] = float64(from[i*stride])
	}
}

// DenseRows returns the elements of count rows from first on, row after row: the array itself where
// it has them so, and otherwise a copy in room, which must have as many elements.
func DenseRows(x *Dense, room []float64, first, count int) []float64 {
	d := x.Columns
	if x.Float64 != nil {
		if x.ColumnStride == 1 && (x.RowStride == d || count == 1) {
			return x.Float64[first*x.RowStride:][:count*d]
		}
		loadRows(room, x.Float64, x, first, count)
	} else if d > 0 {
		loadRows(room, x.Float32, x, first, count)
	}
	return room[:count*d]
}

func loadRows[T float32 | float64](to []float64, from []T, x *Dense, first, count int) {
	d, from := x.Columns, from[first*x.RowStride:]
	if x.ColumnStride == 1 {
		if x.RowStride == d {
			loadColumn(to[:count*d], from, 1)
			return
		}
		for i := range count {
			row := to[i*d:][:d]
			for j, v := range from[i*x.RowStride:][:d] {
				row[j] = float64(v)
			}
		}
		return
	}
	for j := range d {
		column := from[j*x.ColumnStride:]
		for i := range count {
			to[i*d+j] = float64(column[i*x.RowStride])
		}
	}
}

// MayLack tells whether a part of an array may have a zero or a NaN. It may be wrong for no other
// numbers. It takes two passes of vector instructions, and room for some elements.
func MayLack(values, room []float64) bool {
	path := &asm.Active().Dense
	for len(values) > 0 {
		n := min(len(values), len(room))
		path.Scale(room[:n], math.Inf(1), values[:n]) // infinite, but NaN for 0 and NaN
		if m := path.MaxAbs(room[:n]); m != m {
			return true
		}
		values = values[n:]
	}
	return false
}

// MayLack32 is MayLack for elements of float32. It does not find a NaN.
func MayLack32(values []float32) bool {
	const sign = 1 << 31
	some := uint32(sign) // with the high bit, as long as all numbers have another bit than the sign
	for len(values) >= 8 {
		v := (*[8]float32)(values)
		a := (math.Float32bits(v[0])&^sign + (sign - 1)) & (math.Float32bits(v[1])&^sign + (sign - 1))
		b := (math.Float32bits(v[2])&^sign + (sign - 1)) & (math.Float32bits(v[3])&^sign + (sign - 1))
		c := (math.Float32bits(v[4])&^sign + (sign - 1)) & (math.Float32bits(v[5])&^sign + (sign - 1))
		d := (math.Float32bits(v[6])&^sign + (sign - 1)) & (math.Float32bits(v[7])&^sign + (sign - 1))
		some &= a & b & (c & d)
		values = values[8:]
	}
	for _, v := range values {
		some &= math.Float32bits(v)&^sign + (sign - 1)
	}
	return some&sign == 0
}

// WriteRows makes r the elements of rows of d columns that are not 0, of the first known columns, in
// the memory of its rows before. Its layout is I32F64.
func WriteRows(r *rows.Matrix, values []float64, d, known int) {
	r.Begin, r.End, r.Idx32, r.Val64 = r.Begin[:0], r.End[:0], r.Idx32[:0], r.Val64[:0]
	for ; len(values) >= d && d > 0; values = values[d:] {
		begin := len(r.Idx32)
		r.Idx32, r.Val64 = Grow(r.Idx32, known, 0)[:begin+known], Grow(r.Val64, known, 0)[:begin+known]
		idx, val := r.Idx32[begin:], r.Val64[begin:]
		at := 0
		for j, v := range values[:known] {
			if uint(at) < uint(len(idx)) && uint(at) < uint(len(val)) { // it is
				idx[at], val[at] = uint32(j), v
			}
			if math.Float64bits(v)<<1 != 0 {
				at++
			}
		}
		r.Idx32, r.Val64 = r.Idx32[:begin+at], r.Val64[:begin+at]
		r.Begin, r.End = append(r.Begin, int64(begin)), append(r.End, int64(begin+at))
	}
}

// NotFinite returns the place of the first NaN or Inf, or -1.
func NotFinite(values []float64) int {
	if m := asm.Active().Dense.MaxAbs(values); m-m == 0 {
		return -1
	}
	for k, v := range values {
		if v-v != 0 {
			return k
		}
	}
	return -1
}

// fillColumns writes 0 to d-1 again and again.
func fillColumns[I uint16 | uint32](to []I, d int) {
	if d == 0 || len(to) == 0 {
		return
	}
	first := to[:min(d, len(to))]
	for j := range first {
		first[j] = I(j)
	}
	for n := d; n < len(to); n *= 2 {
		copy(to[n:], to[:n])
	}
}
