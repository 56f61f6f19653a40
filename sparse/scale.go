package sparse

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// SquaredNorms returns ||x_i||^2 of every row, the bias column included.
// It overflows to +Inf where a row's values are above about 1e154; Norms does not.
func (m *Matrix) SquaredNorms() []float64 {
	out := make([]float64, m.n)
	m.squaredNorms(out, 0)
	return out
}

// Norms returns the Euclidean length of every row, the bias column included.
func (m *Matrix) Norms() []float64 {
	out := m.SquaredNorms()
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
		room := unpackRooms.Get().(*unpackRoom)
		for begin := 0; begin < len(dst); {
			end, from := begin+1, m.rows.Begin[first+begin]
			for end < len(dst) && m.rows.End[first+end]-from <= unpackEntries {
				end++
			}
			values := room.unpack(m, from, m.rows.End[first+end-1])
			for k := begin; k < end; k++ {
				row := values[m.rows.Begin[first+k]-from : m.rows.End[first+k]-from]
				if m.single {
					dst[k] = square + singleSquare(row)
				} else {
					dst[k] = square + asm.Active().Dense.SquaredNorm(row)
				}
			}
			begin = end
		}
		unpackRooms.Put(room)
	case hasOnes(m.rows.Layout) && m.rows.Scale == nil:
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
		room := unpackRooms.Get().(*unpackRoom)
		row := room.unpack(m, begin, end)
		if m.single {
			s = singleSquare(row)
		} else {
			s = asm.Active().Dense.SquaredNorm(row)
		}
		unpackRooms.Put(room)
	default:
		x := 1.0
		if m.rows.Scale != nil {
			x = m.rows.Scale[i]
		}
		s = float64(float64(end-begin) * float64(x*x))
	}
	return s
}

// unpackEntries is how many entries, and few more, are unpacked at a time.
const unpackEntries = 1 << 11

// unpackRoom has room for the values of packed entries.
type unpackRoom struct {
	values []float64
	places []uint16 // 0, 1, 2, ...
	part   rows.Matrix
	begin  [1]int64
	end    [1]int64
	one    [1]float64
}

var unpackRooms = sync.Pool{New: func() any { return &unpackRoom{one: [1]float64{1}} }}

// unpack returns the values of entries begin to end. The kernel that adds a row to a vector
// unpacks by vectors: of zeros it makes the values, exactly.
func (r *unpackRoom) unpack(m *Matrix, begin, end int64) []float64 {
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
// The columns are shared with m. Where all values of each row are equal, the
// result stores one value a row, unless Storage or Keep asked for more for m; otherwise
// 8 bytes a non-zero.
func (m *Matrix) NormalizeUnit() *Matrix {
	if m.NNZ() == 0 {
		return m
	}
	out := *m
	if scale := m.equalRows(); scale != nil && m.least <= ValuesPerRow {
		for i, x := range scale {
			scale[i] = unitScale(m.rows.End[i]-m.rows.Begin[i], x)
		}
		out.clearValues()
		out.rows.Scale, out.rows.Layout = scale, m.layoutFor(rows.I32Ones)
		out.cuts = new(cutCache)
		return &out
	}
	values := make([]float64, m.rows.End[m.n-1])
	for i := range m.n {
		m.divideRow(values[m.rows.Begin[i]:m.rows.End[i]], i)
	}
	out.clearValues()
	out.rows.Val64, out.rows.Scale = values, nil
	out.rows.Layout = m.layoutFor(rows.I32F64)
	out.cuts = new(cutCache)
	return &out
}

// unitScale is the value of the entries of a row of unit length that has count of them,
// all equal to x.
func unitScale(count int64, x float64) float64 {
	if count > 0 && x != 0 {
		return math.Copysign(1/math.Sqrt(float64(count)), x)
	}
	return x
}

// divideRow writes row i, divided by its length, to a slice, which may be the row itself.
func (m *Matrix) divideRow(row []float64, i int) {
	square := m.rowSquare(i)
	rowValues(row, &m.rows, i, m.rows.Begin[i])
	divideByLength(row, square)
}

// divideByLength makes a row of unit length from one with the given sum of
// squares.
func divideByLength(row []float64, square float64) {
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

// layoutFor turns a 32-bit layout into the one with the index width of m.
func (m *Matrix) layoutFor(wide rows.Layout) rows.Layout {
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
		if hasOnes(m.rows.Layout) {
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

// Scaler maps columns to the range 0 to 1, x' = (x - Shift) / Width, with the
// parameters of the data it was fitted to; keep it with the model and apply it to
// every data set the model sees. A Width of 0 drops the column.
type Scaler struct {
	Shift []float64 `json:"shift"` // one a column, 0 where zeros stay zeros
	Width []float64 `json:"width"` // one a column: maximum minus minimum, zeros included
}

// FitMinMax finds the range of every column of m, the entries that are not
// stored counting as zeros, as LIBSVM's svm-scale -l 0 -u 1 does. The bias column
// is left alone.
//
// A column whose minimum is 0 is divided by its maximum. One whose minimum is
// not 0 has to be shifted as well, which turns its zeros into stored entries:
// that is done where at least half of the rows store the column. In the other
// columns it would destroy sparsity, so they are divided by their width and
// not shifted: their values span the same length 1, around 0, and the difference
// from svm-scale is a constant that the bias absorbs. A constant column is
// dropped, as svm-scale does. Columns that are 0 or 1 already stay untouched.
func FitMinMax(m *Matrix) (*Scaler, error) {
	if m == nil {
		return nil, errNilMatrix("FitMinMax")
	}
	f := newRanges(m.d)
	f.add(m, 0, m.n)
	return f.Scaler()
}

// Ranges are the least and greatest entries of columns, and all that a Scaler needs to
// know of rows. Those of rows that several machines have are one: Low is the least, High
// the greatest, Count and Rows are sums.
type Ranges struct {
	// Low and High of a column that has no entry are +Inf and -Inf.
	Low, High []float64
	Count     []float64 // entries of a column
	Rows      int
}

func newRanges(d int) *Ranges {
	return &Ranges{
		Low: slices.Repeat([]float64{math.Inf(1)}, d), High: slices.Repeat([]float64{math.Inf(-1)}, d), Count: make([]float64, d),
	}
}

// add looks through rows first to end-1.
func (f *Ranges) add(m *Matrix, first, end int) {
	f.Rows += end - first
	for i := first; i < end; i++ {
		for e := m.rows.Begin[i]; e < m.rows.End[i]; e++ {
			j, x := m.rows.Column(e), m.rows.Value(i, e)
			f.Low[j], f.High[j] = min(f.Low[j], x), max(f.High[j], x)
			f.Count[j]++
		}
	}
}

// Scaler maps the columns to the range 0 to 1, as FitMinMax does.
func (f *Ranges) Scaler() (*Scaler, error) {
	if f == nil || len(f.Low) != len(f.Count) || len(f.High) != len(f.Count) {
		return nil, errors.New("sparse: Ranges.Scaler: Low, High and Count need an element a column each")
	}
	s := &Scaler{Shift: make([]float64, len(f.Low)), Width: make([]float64, len(f.Low))}
	n := float64(f.Rows)
	for j, c := range f.Count {
		low, high := f.Low[j], f.High[j]
		if c < n || c == 0 {
			low, high = min(low, 0), max(high, 0)
		}
		s.Width[j] = high - low
		if s.Width[j]-s.Width[j] != 0 {
			return nil, fmt.Errorf("sparse: FitMinMax: column %d ranges from %v to %v, wider than a float64", j, low, high)
		}
		if low != 0 && c >= n-c {
			s.Shift[j] = low
		}
	}
	return s, nil
}

// Apply returns m scaled. Values outside the fitted range land outside 0 to 1.
// It fails where m has another number of columns than the data fitted, where
// the parameters are damaged, and where a scaled value overflows.
func (s *Scaler) Apply(m *Matrix) (*Matrix, error) {
	if m == nil {
		return nil, errNilMatrix("Scaler.Apply")
	}
	if err := s.check(m.d); err != nil {
		return nil, err
	}
	if s.same() {
		return m, nil
	}
	filled := s.filled()
	ptr := make([]int64, 1, m.n+1)
	columns := make([]uint32, 0, m.NNZ())
	values := make([]float64, 0, m.NNZ())
	for i := range m.n {
		columns, values = s.appendRow(columns, values, m, i, filled)
		ptr = append(ptr, int64(len(columns)))
	}
	out, err := NewCSRIn(Storage{Values: m.least}, m.d, ptr, columns, values)
	if err != nil {
		return nil, fmt.Errorf("sparse: Scaler.Apply: %w", err)
	}
	return out.WithBias(m.bias), nil
}

// appendRow appends the entries of row i of m, scaled; fill are the columns whose zeros
// become entries.
func (s *Scaler) appendRow(columns []uint32, values []float64, m *Matrix, i int, fill []uint32) ([]uint32, []float64) {
	put := func(j uint32, x float64) {
		if x, keep := s.scaled(j, x); keep {
			columns, values = append(columns, j), append(values, x)
		}
	}
	for e := m.rows.Begin[i]; e < m.rows.End[i]; e++ {
		j := uint32(m.rows.Column(e))
		for len(fill) > 0 && fill[0] < j {
			put(fill[0], 0)
			fill = fill[1:]
		}
		if len(fill) > 0 && fill[0] == j {
			fill = fill[1:]
		}
		put(j, m.rows.Value(i, e))
	}
	for _, j := range fill {
		put(j, 0)
	}
	return columns, values
}

func errNilMatrix(op string) error { return fmt.Errorf("sparse: %s: the matrix is nil", op) }

// scaled returns the value of column j scaled, and whether it is to be stored.
func (s *Scaler) scaled(j uint32, x float64) (float64, bool) {
	if s.Width[j] == 0 {
		return 0, false
	}
	x = (x - s.Shift[j]) / s.Width[j]
	return x, x != 0
}

// filled lists the columns whose zeros become entries.
func (s *Scaler) filled() []uint32 {
	var list []uint32
	for j := range s.Width {
		if s.Shift[j] != 0 && s.Width[j] != 0 {
			list = append(list, uint32(j))
		}
	}
	return list
}

// same tells whether s changes nothing.
func (s *Scaler) same() bool {
	for j := range s.Width {
		if s.Shift[j] != 0 || s.Width[j] != 1 {
			return false
		}
	}
	return true
}

func (s *Scaler) check(d int) error {
	if len(s.Shift) != len(s.Width) || len(s.Width) != d {
		return fmt.Errorf("sparse: Scaler: fitted to %d columns (%d shifts), the data has %d", len(s.Width), len(s.Shift), d)
	}
	for j, width := range s.Width {
		if !(width >= 0) || math.IsInf(width, 0) || math.IsNaN(s.Shift[j]) || math.IsInf(s.Shift[j], 0) {
			return fmt.Errorf("sparse: Scaler: column %d has width %v and shift %v", j, width, s.Shift[j])
		}
	}
	return nil
}

// Unscale turns a model of scaled data into one of the data as it was: with
// w and intercept for scaled rows, the returned weights and intercept give the
// same margins on unscaled rows. w has one element a column, no bias.
func (s *Scaler) Unscale(w []float64, intercept float64) ([]float64, float64, error) {
	if err := s.check(len(w)); err != nil {
		return nil, 0, err
	}
	raw := make([]float64, len(w))
	for j, x := range w {
		if s.Width[j] != 0 {
			raw[j] = x / s.Width[j]
			intercept = math.FMA(-raw[j], s.Shift[j], intercept)
		}
	}
	return raw, intercept, nil
}
