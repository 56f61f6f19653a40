package matrix

import (
	"math"
	"slices"
	"sync"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// SquaredNorms returns ||x_i||^2 of every row, the bias column included.
// It overflows to +Inf where a row's values are above about 1e154; Norms does not.
func SquaredNorms(m *Matrix) []float64 {
	out := make([]float64, m.n)
	m.squaredNorms(out, 0)
	return out
}

// Norms returns the Euclidean length of every row, the bias column included.
func Norms(m *Matrix) []float64 {
	out := SquaredNorms(m)
	for i, square := range out {
		if safeSquare(square) {
			out[i] = math.Sqrt(square)
			continue
		}
		unit := powerOfTwo(max(math.Abs(m.bias), m.rowMax(i)))
		square = float64(m.bias / unit * (m.bias / unit))
		for e := m.rows.Begin[i]; e < m.rows.End[i]; e++ {
			x := m.rows.Value(i, e) / unit
			square = math.FMA(x, x, square)
		}
		out[i] = math.Sqrt(square) * unit
	}
	return out
}

// squaredNorms writes the squared norms of the rows from first on.
func (m *Matrix) squaredNorms(dst []float64, first int) {
	square := float64(m.bias * m.bias)
	switch {
	case m.packed():
		buffer := unpackBuffers.Get().(*unpackBuffer)
		for begin := 0; begin < len(dst); {
			end, from := begin+1, m.rows.Begin[first+begin]
			for end < len(dst) && m.rows.End[first+end]-from <= unpackEntries {
				end++
			}
			values := buffer.unpack(m, from, m.rows.End[first+end-1])
			for k := begin; k < end; k++ {
				row := values[m.rows.Begin[first+k]-from : m.rows.End[first+k]-from]
				dst[k] = square + SquareOf(row, m.single)
			}
			begin = end
		}
		unpackBuffers.Put(buffer)
	case m.mix() != nil:
		squareMixed(dst, &m.rows, first)
		for k := range dst {
			dst[k] += square
		}
	case HasOnes(m.rows.Layout) && m.rows.Scale == nil:
		for k := range dst {
			dst[k] = square + float64(m.rows.End[first+k]-m.rows.Begin[first+k])
		}
	default:
		for k := range dst {
			dst[k] = square + m.rowSquare(first+k)
		}
	}
}

// rowSquare is the sum of the squares of the stored entries of row i.
func (m *Matrix) rowSquare(i int) float64 {
	begin, end := m.rows.Begin[i], m.rows.End[i]
	s := 0.0
	switch {
	case m.rows.Val64 != nil:
		s = asm.Active().Dense.SquaredNorm(m.rows.Val64[begin:end])
	case m.rows.Val32 != nil:
		s = singleSquare(m.rows.Val32[begin:end])
	case m.packed():
		buffer := unpackBuffers.Get().(*unpackBuffer)
		s = SquareOf(buffer.unpack(m, begin, end), m.single)
		unpackBuffers.Put(buffer)
	case m.mix() != nil:
		w := writtenRows.Get().(*written)
		w.values = Sized(w.values, int(end-begin))
		mixedRow(w.values, &m.rows, i, begin)
		s = SquareOf(w.values, m.mix().Val32 != nil)
		w.done()
	default:
		x := 1.0
		if m.rows.Scale != nil {
			x = m.rows.Scale[i]
		}
		s = float64(float64(end-begin) * float64(x*x))
	}
	return s
}

// SquareOf is the sum of the squares of a row, in the order of single numbers or of double
// ones.
func SquareOf(row []float64, single bool) float64 {
	if single {
		return singleSquare(row)
	}
	return asm.Active().Dense.SquaredNorm(row)
}

// unpackEntries is how many entries, and few more, are unpacked at a time.
const unpackEntries = 1 << 11

// unpackBuffer holds the values of unpacked entries.
type unpackBuffer struct {
	values []float64
	places []uint16 // 0, 1, 2, ...
	part   rows.Matrix
	begin  [1]int64
	end    [1]int64
	one    [1]float64
}

var unpackBuffers = sync.Pool{New: func() any { return &unpackBuffer{one: [1]float64{1}} }}

// unpack returns the values of entries begin to end. The kernel that adds a row to a vector
// unpacks by vectors: of zeros it makes the values, exactly.
func (r *unpackBuffer) unpack(m *Matrix, begin, end int64) []float64 {
	r.values = slices.Grow(r.values[:0], int(end-begin))[:end-begin]
	clear(r.values)
	for k := len(r.places); k < min(len(r.values), unpackEntries); k++ {
		r.places = append(r.places, uint16(k))
	}
	for to := r.values; len(to) > 0; {
		count := min(len(to), unpackEntries)
		r.end[0] = int64(count)
		r.part = rows.Matrix{
			Begin: r.begin[:], End: r.end[:], Idx16: r.places[:count], Unit: m.rows.Unit, Table: m.rows.Table,
			Layout: m.rows.Layout.Narrowed(),
		}
		if m.rows.Codes != nil {
			r.part.Codes = m.rows.Codes[begin:][:count]
		} else {
			r.part.Decimals = m.rows.Decimals[begin:][:count]
		}
		asm.Active().Rows.Add(to[:count], &r.part, nil, 0, r.one[:])
		to, begin = to[count:], begin+int64(count)
	}
	r.part = rows.Matrix{}
	return r.values
}

// singleSquare is the sum of the squares of float32s, in two sums, so that additions need
// not wait for one another.
func singleSquare[V float32 | float64](row []V) float64 {
	s, t := 0.0, 0.0
	for ; len(row) >= 2; row = row[2:] {
		a, b := float64(row[0]), float64(row[1])
		s, t = math.FMA(a, a, s), math.FMA(b, b, t)
	}
	for _, x := range row {
		s = math.FMA(float64(x), float64(x), s)
	}
	return s + t
}

// safeSquare tells whether a sum of squares lost nothing to overflow or underflow.
func safeSquare(s float64) bool { return s > 1e-280 && s < 1e300 }

// rowMax is the largest absolute value stored in row i.
func (m *Matrix) rowMax(i int) float64 {
	largest := 0.0
	for e := m.rows.Begin[i]; e < m.rows.End[i]; e++ {
		largest = max(largest, math.Abs(m.rows.Value(i, e)))
	}
	return largest
}

// powerOfTwo is a power of two near x, 1 for 0.
func powerOfTwo(x float64) float64 {
	if x == 0 {
		return 1
	}
	_, exponent := math.Frexp(x)
	return math.Ldexp(1, min(exponent, 1023))
}

// NormalizeUnit returns m with every row's stored entries divided by their
// Euclidean length. Rows without entries, or with zeros only, stay as they are.
// The bias column is not part of the length and stays too: normalise first, add
// the bias after, in either order of calls.
//
// The result shares the columns with m. It stores one value a row if the values of each row are
// equal and neither Storage nor WithValues asked for more. Otherwise it takes 8 bytes a non-zero.
func (m *Matrix) NormalizeUnit() *Matrix {
	if m.NNZ() == 0 {
		return m
	}
	out := *m
	if scale := m.equalRows(); scale != nil && m.least <= ValuesPerRow {
		for i, x := range scale {
			scale[i] = UnitScale(m.rows.End[i]-m.rows.Begin[i], x)
		}
		out.rows = *Indexed(m)
		out.clearValues()
		out.rows.Scale, out.rows.Layout = scale, LayoutFor(m, rows.I32Ones)
		out.cuts = new(cutCache)
		return &out
	}
	values := make([]float64, m.rows.End[m.n-1])
	for i := range m.n {
		m.divideRow(values[m.rows.Begin[i]:m.rows.End[i]], i)
	}
	out.clearValues()
	out.rows.Val64, out.rows.Scale = values, nil
	out.rows.Layout = LayoutFor(m, rows.I32F64)
	out.cuts = new(cutCache)
	return &out
}

// UnitScale is the value of the entries of a row of unit length that has count of them,
// all equal to x.
func UnitScale(count int64, x float64) float64 {
	if count > 0 && x != 0 {
		return math.Copysign(1/math.Sqrt(float64(count)), x)
	}
	return x
}

// divideRow writes row i, divided by its length, to a slice, which may be the row itself.
func (m *Matrix) divideRow(row []float64, i int) {
	square := m.rowSquare(i)
	RowValues(row, &m.rows, i, m.rows.Begin[i])
	DivideByLength(row, square)
}

// DivideByLength makes a row of unit length from one with the given sum of
// squares.
func DivideByLength(row []float64, square float64) {
	if !safeSquare(square) {
		largest := 0.0
		for _, x := range row {
			largest = max(largest, math.Abs(x))
		}
		unit := powerOfTwo(largest)
		square = 0
		for e, x := range row {
			row[e] = x / unit
			square = math.FMA(row[e], row[e], square)
		}
	}
	if norm := math.Sqrt(square); norm > 0 {
		for e := range row {
			row[e] /= norm
		}
	}
}

// LayoutFor turns a 32-bit layout into the one with the index width of m.
func LayoutFor(m *Matrix, wide rows.Layout) rows.Layout {
	if m.rows.Layout.Narrow() {
		return wide.Narrowed()
	}
	return wide
}

// equalRows returns the one value of every row, or nil if the values of some row
// differ. Rows without entries have the value 1.
func (m *Matrix) equalRows() []float64 {
	scale := make([]float64, m.n)
	for i := range scale {
		begin, end := m.rows.Begin[i], m.rows.End[i]
		scale[i] = 1
		if begin == end {
			continue
		}
		x := m.rows.Value(i, begin)
		scale[i] = x
		if HasOnes(m.rows.Layout) {
			continue
		}
		for e := begin + 1; e < end; e++ {
			if math.Float64bits(m.rows.Value(i, e)) != math.Float64bits(x) {
				return nil
			}
		}
	}
	return scale
}
