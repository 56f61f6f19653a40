package bench

import (
	"math"
	"math/rand/v2"

	"github.com/lanes-go/lanes/asm/rows"
)

// Size is the size of a call's operands. Length counts the elements of each vector; for pairs
// the positives, and the elements of the sample; for rows the non-zeros of one row; for batches the
// elements of one row; for wide kernels the columns of the dense matrix, whose sparse rows have 64 non-zeros.
type Size struct {
	Length int `json:"length"`
	// Columns is the length of the vector that indices point into, or the rows of the dense
	// matrix. NonZeros is the number of non-zeros of a call, or of the elements of all rows of a batch:
	// 0 for dense vectors.
	Columns  int `json:"columns,omitempty"`
	NonZeros int `json:"non_zeros,omitempty"`
}

// operands are the operands of all calls of a size. Vectors that are written do not serve as
// sources of others, so that no number grows or vanishes, however often a kernel runs.
type operands struct {
	x, y     []float64 // normal
	positive []float64
	sign     []float64 // +1 and -1
	a, b, c  []float64 // destinations
	a32      []float32 // as well
	x32, y32 []float32
	x8, y8   []int8
	a8       []int8   // destination
	a16      []uint16 // destination
	xb, yb   []uint64 // bits
	idx      []uint32 // anything
	idx16    []uint16
	to       []uint32 // destination

	// of pairs
	least, shift []float64
	count        []int
	part         []float64
	sums1, sums2 []float64

	// of rows
	matrix [rows.Layouts]*rows.Matrix // nil where 16 bits are too few
	list   []uint32
	record []rows.Record
	moves  [][4]float64
	out    []float64 // a number a row
	w      []float64 // a number a column, written

	// of batches: x32, x8 and xb hold the rows, and y32, y8 and yb the query
	scores []float32
	counts []int32
}

const wideRow = 64

// A storage keeps what operands are made of. Which pages of the memory these happen to
// have is worth something, as they share the sets of a cache: every pass has others.
type storage struct {
	pass int // passes so far
	base operands
	rows map[Size]*operands
}

// Each pass begins its vectors shift elements behind the vectors of the pass before; after
// shifts passes they begin at the front again.
const shift, shifts = 1 << 16, 8

func newStorage(longest int) *storage {
	most := longest + shift*(shifts-1)
	s := &storage{rows: make(map[Size]*operands)}
	b := &s.base
	// Vectors that begin at the same place of their pages would meet in the same sets
	// of the first cache.
	for k, v := range []*[]float64{&b.x, &b.y, &b.positive, &b.sign, &b.a, &b.b, &b.c} {
		*v = aligned(most + 72*k)[72*k:]
	}
	random := rand.New(rand.NewPCG(5, 6))
	const block = 1 << 14
	for i := range min(block, most) {
		b.x[i], b.y[i] = random.NormFloat64(), random.NormFloat64()
		b.positive[i] = math.Abs(b.x[i]) + 1e-3
		b.sign[i] = math.Copysign(1, random.NormFloat64())
	}
	for i := block; i < most; i += block {
		for _, v := range [][]float64{b.x, b.y, b.positive, b.sign} {
			copy(v[i:], v[:block])
		}
	}
	for _, v := range [][]float64{b.a, b.b, b.c} {
		for i := range v {
			v[i] = 1
		}
	}
	b.x32, b.y32, b.a32 = make([]float32, most), make([]float32, most), make([]float32, most)
	for i, v := range b.x {
		b.x32[i], b.y32[i] = float32(v), float32(b.y[i])
	}
	b.x8, b.y8, b.xb, b.yb = make([]int8, most), make([]int8, most), make([]uint64, most), make([]uint64, most)
	b.a8, b.a16 = make([]int8, most), make([]uint16, most)
	for i, v := range b.x {
		b.x8[i], b.y8[i] = int8(40*v), int8(40*b.y[i])
		b.xb[i], b.yb[i] = math.Float64bits(v), math.Float64bits(b.y[i])
	}
	b.idx, b.idx16, b.to = make([]uint32, most), make([]uint16, most), make([]uint32, most)
	for i := range b.idx {
		b.idx[i] = uint32(i) * 0x9e3779b9
		b.idx16[i] = uint16(b.idx[i] >> 16)
	}
	return s
}

// next begins a pass.
func (s *storage) next() {
	s.pass++
	for size := range s.rows {
		if size.NonZeros < many && size.Columns < many { // others are beyond all caches
			delete(s.rows, size)
		}
	}
}

// vectors returns operands of n elements.
func (s *storage) vectors(n int) *operands {
	b := s.base
	from := s.pass % shifts * shift
	for _, v := range []*[]float64{&b.x, &b.y, &b.positive, &b.sign, &b.a, &b.b, &b.c} {
		*v = (*v)[from:][:n:n]
	}
	b.x32, b.y32, b.a32 = b.x32[from:][:n:n], b.y32[from:][:n:n], b.a32[from:][:n:n]
	b.x8, b.y8, b.xb, b.yb = b.x8[from:][:n:n], b.y8[from:][:n:n], b.xb[from:][:n:n], b.yb[from:][:n:n]
	b.a8, b.a16 = b.a8[from:][:n:n], b.a16[from:][:n:n]
	b.idx, b.idx16, b.to = b.idx[from:][:n:n], b.idx16[from:][:n:n], b.to[from:][:n:n]
	return &b
}

// of returns the operands of a target.
func (s *storage) of(t *target, size Size) *operands {
	switch f := t.family; f {
	case &pairFamily:
		return s.pairs(size.Length)
	case &batchFamily:
		in := s.vectors(size.NonZeros)
		in.y32, in.y8, in.yb = in.y32[:size.Length], in.y8[:size.Length], in.yb[:size.Length]
		in.scores, in.counts = make([]float32, size.NonZeros/size.Length), make([]int32, size.NonZeros/size.Length)
		return in
	case &rowFamily, &sparseFamily, &addedFamily, &wideFamily:
		if s.rows[size] == nil {
			s.rows[size] = newRows(size, f == &wideFamily)
		}
		return s.rows[size]
	}
	in := s.vectors(size.Length)
	if t.work.positive {
		in.x = in.positive
	}
	return in
}

// pairs returns the operands of n positives and n elements of the sample, half of them above.
func (s *storage) pairs(n int) *operands {
	in := s.vectors(n)
	in.least, in.shift = make([]float64, n), make([]float64, n)
	in.count, in.part = make([]int, n), make([]float64, n*n)
	in.sums1, in.sums2 = make([]float64, n), make([]float64, n)
	for i := range in.least {
		in.shift[i] = 1 + in.y[i]
		in.least[i] = -in.shift[i] // s - center > -center: s > 0
	}
	return in
}

// newRows makes a matrix in every layout that it fits. Row after row has as many
// non-zeros, each anywhere in its part of the columns, so that they increase.
func newRows(size Size, wide bool) *operands {
	random := rand.New(rand.NewPCG(7, uint64(size.Length)))
	row := size.Length
	if wide {
		row = wideRow
	}
	count := size.NonZeros / row
	n := count * row
	each := count // numbers: one a row, or one a column of the dense matrix
	if wide {
		each = count * size.Length
	}
	in := &operands{
		x: make([]float64, each), a: make([]float64, each), out: make([]float64, count),
		y: make([]float64, size.Columns), list: make([]uint32, count), moves: make([][4]float64, 16),
	}
	idx32, idx16 := make([]uint32, n), []uint16(nil)
	val64, val32, scale := make([]float64, n), make([]float32, n), make([]float64, count)
	decimals, codes, table := make([]int32, n), make([]uint16, n), make([]float64, 19*215)
	ptr := make([]int64, count+1)
	part := uint32(size.Columns / row)
	for i := range count {
		ptr[i+1] = int64((i + 1) * row)
		in.list[i] = uint32(i)
		scale[i] = 1 / float64(1+i%7)
		for e := range row {
			idx32[i*row+e] = uint32(e)*part + random.Uint32N(part)
		}
	}
	for e := range val64 {
		val32[e] = float32(1 / float64(1+e%19))
		val64[e] = float64(val32[e])
		decimals[e], codes[e] = int32(1e5*val64[e]), uint16(e%19)+19*uint16(random.Uint32N(215))
	}
	// As long as a table gets by itself, and read all over.
	for k := range table {
		table[k] = float64(float32(1 / float64(1+k%19)))
	}
	if size.Columns <= 1<<16 {
		idx16 = make([]uint16, n)
		for e, j := range idx32 {
			idx16[e] = uint16(j)
		}
	}
	for layout := range rows.Layout(rows.Layouts) {
		m := &rows.Matrix{Begin: ptr[:count], End: ptr[1:], Layout: layout}
		switch {
		case !layout.Narrow():
			m.Idx32 = idx32
		case idx16 == nil:
			continue
		default:
			m.Idx16 = idx16
		}
		switch layout {
		case rows.I32F64, rows.I16F64:
			m.Val64 = val64
		case rows.I32F32, rows.I16F32:
			m.Val32 = val32
		case rows.I32Decimals, rows.I16Decimals:
			m.Decimals, m.Unit = decimals, rows.NewUnit(5)
		case rows.I32Codes, rows.I16Codes:
			m.Codes, m.Table = codes, table
		default:
			m.Scale = scale
		}
		in.matrix[layout] = m
	}
	w := size.Columns
	if wide {
		w *= size.Length
	}
	in.w = make([]float64, w)
	for i := range in.w {
		in.w[i] = 1
	}
	for i := range in.x {
		in.x[i] = 1e-9 * random.NormFloat64()
	}
	for j := range in.y {
		in.y[j] = random.NormFloat64()
	}
	if !wide {
		in.record = make([]rows.Record, size.Columns)
		for j := range in.record {
			in.record[j] = rows.Record{W: in.y[j], U: 1, Last: 1}
		}
	}
	for k := range in.moves {
		in.moves[k] = [4]float64{1, 0, 0, 1}
	}
	return in
}
