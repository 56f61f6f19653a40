package sparse

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
	"slices"
	"sort"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// StreamGroup is a group of rows of a Stream in memory, as the file has them: kernels take
// its indices and values where they were read to. The next Load uses its memory again.
type StreamGroup struct {
	// First is the number of the first row in the data set, Y has the labels of all.
	First int
	Y     []float64

	of     *streamFile // nil where it is not whole
	number int
	loads  int
	m      Matrix // without the bias
	read   groupRows
	// What the view has changed, or the file has once a row.
	columns []uint32
	idx16   []uint16
	values  []float64
	wide64  []float64
	wide32  []float32
}

// Groups returns the number of groups of rows.
func (s *Stream) Groups() int { return len(s.groups) }

// GroupRows returns the rows of group k, first to end-1; none where there is no such group.
func (s *Stream) GroupRows(k int) (first, end int) {
	if k < 0 || k >= len(s.groups) {
		return 0, 0
	}
	return s.first[k], s.first[k+1]
}

// GroupOf returns the group of a row, Groups() of one behind the last.
func (s *Stream) GroupOf(row int) int { return s.groupOf(row) }

// GroupRoom returns how many bytes group k takes in memory.
func (s *Stream) GroupRoom(k int) int64 {
	if k < 0 || k >= len(s.groups) {
		return 0
	}
	g := &s.groups[k]
	perRow, room := int64(8+8), g.size(s.queries())+groupRoom
	if g.flags&cacheScales != 0 || s.unit {
		perRow += 8
	}
	switch {
	case s.scaler != nil: // an index of 16 or 32 bits and a value
		room += (4 + 2 + 8) * (int64(g.entries) + int64(g.rows)*int64(len(s.filled)))
	case s.changes() && valueBytes(g.layout) < 8:
		room += 8 * int64(g.entries)
	}
	if s.widens(g) {
		room += int64(valueBytes(s.shape.layout)) * int64(g.entries)
	}
	return room + perRow*int64(g.rows)
}

// groupRoom is for what a group takes that does not grow.
const groupRoom = 1 << 10

// changes tells whether the values of the view are others than those of the file, so that
// they are computed. Where the values of a row are equal, unit length is a factor.
func (s *Stream) changes() bool {
	return s.scaler != nil || s.unit && !hasOnes(s.shape.layout) && s.shape.flags&cacheEqual == 0
}

// widens tells whether a group is stored in a layout whose products have other bits than
// those of the layout of the whole: a factor for each row, and values for each entry.
func (s *Stream) widens(g *cacheGroup) bool {
	return g.flags&cacheScales != 0 && !hasOnes(s.shape.layout) && (!s.unit || s.changes())
}

// Load reads group k and checks it. What the kernels trust, row lengths and indices, is
// checked against its checksum by every Load; values, three to five times as long, by the
// first one, and again once the file's length or date of change is no longer what it was
// when it was opened.
func (s *Stream) Load(g *StreamGroup, k int) error {
	switch {
	case g == nil:
		return errors.New("sparse: Stream.Load: there is no group to load to")
	case k < 0 || k >= len(s.groups):
		return fmt.Errorf("sparse: Stream.Load: group %d of %d", k, len(s.groups))
	}
	g.of, g.number, g.loads = nil, k, g.loads+1
	if err := s.load(g, k); err != nil {
		return err
	}
	g.First, g.of = s.first[k], s.streamFile
	return nil
}

func (s *Stream) load(g *StreamGroup, k int) error {
	group, p := &s.groups[k], s.pieceOf(k)
	bytes := g.read.place(group, s.queries())
	if n, err := p.file.ReadAt(bytes, p.at(s.offset[k])); n < len(bytes) {
		return s.trouble(k, err)
	}
	s.rows.Add(int64(group.rows))
	s.bytes.Add(int64(len(bytes)))
	if err := s.verify(k, bytes); err != nil {
		return s.trouble(k, err)
	}
	if err := g.read.arrange(bytes, group, &s.shape); err != nil {
		return s.trouble(k, err)
	}
	g.Y, g.m = g.read.y, Matrix{n: group.rows, d: int(s.shape.d), rows: g.read.rows}
	if s.widens(group) {
		g.widen(s.shape.layout)
	}
	if err := s.check(g, k); err != nil {
		return err
	}
	switch {
	case s.scaler != nil:
		return g.scale(s)
	case s.changes():
		g.divide(valueBytes(s.shape.layout) == 8)
	case s.unit:
		g.normalize()
	}
	return nil
}

// verify compares checksums of a group, whose values are left out once it is known.
func (s *streamFile) verify(k int, bytes []byte) error {
	end, values := len(bytes)-4, s.groups[k].values(s.queries())
	head := groupSum(int64(k-s.pieceOf(k).group), bytes[:values])
	if s.known[k].Load() && head == s.heads[k].Load() && !s.touched(k) {
		return nil
	}
	var here cacheGroup
	here.decodeHeader(bytes, &s.shape)
	if here.sum = crc32.Update(head, castagnoli, bytes[values:end]); here != s.groups[k] || binary.LittleEndian.Uint32(bytes[end:]) != here.sum {
		return errCacheSum
	}
	s.heads[k].Store(head)
	return nil
}

// touched tells whether somebody has written to the file of group k since it was opened. What was
// read before it says no was not written later: a writer sets the date first.
func (s *streamFile) touched(k int) bool {
	if s.written.Load() {
		return true
	}
	p := s.pieceOf(k)
	info, err := p.file.Stat()
	if err == nil && info.Size() == p.length && info.ModTime().Equal(p.date) {
		return false
	}
	s.written.Store(true)
	return true
}

// normalize makes rows of unit length of those whose values are equal.
func (g *StreamGroup) normalize() {
	r := &g.m.rows
	if r.Scale == nil {
		g.read.scale = sized(g.read.scale, g.m.n)
		fill(g.read.scale, 1)
		r.Scale = g.read.scale
	}
	for i, x := range r.Scale {
		r.Scale[i] = unitScale(r.End[i]-r.Begin[i], x)
	}
}

// divide makes rows of unit length of others. Squares are summed in the order of the layout
// of the whole, which has double numbers or single ones.
func (g *StreamGroup) divide(double bool) {
	r := &g.m.rows
	values := r.Val64
	if values == nil {
		g.wide64 = sized(g.wide64, int(g.m.NNZ()))
		values = g.wide64
	}
	for i, begin := range r.Begin {
		row := values[begin:r.End[i]]
		rowValues(row, r, i, begin)
		square := 0.0
		if double {
			square = asm.Active().Dense.SquaredNorm(row)
		} else {
			square = singleSquare(row)
		}
		divideByLength(row, square)
	}
	r.Val64, r.Val32, r.Layout = values, nil, g.m.layoutFor(rows.I32F64)
}

// scale has the rows scaled.
func (g *StreamGroup) scale(s *Stream) error {
	r := &g.m.rows
	most := int(g.m.NNZ()) + g.m.n*len(s.filled)
	columns, values := sized(g.columns, most)[:0], sized(g.values, most)[:0]
	begin := 0
	for i := range g.m.n {
		columns, values = s.scaler.appendRow(columns, values, &g.m, i, s.filled)
		if k := slices.IndexFunc(values[begin:], func(v float64) bool { return v-v != 0 }); k >= 0 {
			return &FormatError{Name: s.Name(), Message: fmt.Sprintf("row %d: column %d is %v once it is scaled", s.first[g.number]+i, columns[begin+k], values[begin+k])}
		}
		r.Begin[i] = int64(begin)
		begin = len(values)
	}
	g.read.ptr[g.m.n] = int64(begin)
	g.columns, g.values = columns, values
	*r = rows.Matrix{Begin: r.Begin, End: r.End, Val64: values}
	if s.shape.layout < rows.I16F64 {
		r.Idx32, r.Layout = columns, rows.I32F64
		return nil
	}
	g.idx16 = sized(g.idx16, len(columns))
	for e, j := range columns {
		g.idx16[e] = uint16(j)
	}
	r.Idx16, r.Layout = g.idx16, rows.I16F64
	return nil
}

// widen gives each entry the value of its row.
func (g *StreamGroup) widen(whole rows.Layout) {
	r, entries := &g.m.rows, int(g.m.NNZ())
	if valueBytes(whole) == 8 {
		g.wide64 = sized(g.wide64, entries)
		r.Val64 = g.wide64
		putValues(g.wide64, &rows.Matrix{Begin: r.Begin, End: r.End, Scale: r.Scale})
	} else {
		g.wide32 = sized(g.wide32, entries)
		r.Val32 = g.wide32
		putValues(g.wide32, &rows.Matrix{Begin: r.Begin, End: r.End, Scale: r.Scale})
	}
	r.Scale, r.Layout = nil, r.Layout-rows.I32Ones+whole%3
}

// StreamRows is a run of groups of one Stream, for products with their rows. Its methods
// have the bits of those of Matrix on the same rows in memory; one goroutine at a time may
// call them.
type StreamRows struct {
	whole  Matrix // all but the entries
	groups []*StreamGroup
	begin  []int // row of each group, from 0 on
	loads  []int // as they were
	double bool  // squares of values are summed as those of float64 are
	wide   []float64
}

// Join makes r the rows of groups that were loaded from s, each the next of the one before.
func (s *Stream) Join(r *StreamRows, groups []*StreamGroup) error {
	if r == nil {
		return errors.New("sparse: Stream.Join: there are no rows to join to")
	}
	r.whole = Matrix{d: int(s.shape.d), bias: s.bias}
	r.groups, r.begin, r.loads = r.groups[:0], r.begin[:0], r.loads[:0]
	r.double = valueBytes(s.shape.layout) == 8
	for k, g := range groups {
		if g == nil || g.of != s.streamFile || k > 0 && g.number != groups[k-1].number+1 {
			*r = StreamRows{}
			return fmt.Errorf("sparse: Stream.Join: group %d of the list was not loaded, or does not follow", k)
		}
		r.groups, r.begin, r.loads = append(r.groups, g), append(r.begin, r.whole.n), append(r.loads, g.loads)
		r.whole.n += g.m.n
	}
	return nil
}

// check is Matrix.checkRun, and sees to it that the groups are still those that were joined.
func (r *StreamRows) check(op string, first, n, d int) error {
	for k, g := range r.groups {
		if g.loads != r.loads[k] || g.of == nil {
			return fmt.Errorf("sparse: StreamRows.%s: group %d of the rows was loaded anew since they were joined", op, k)
		}
	}
	return r.whole.checkRun("StreamRows."+op, first, n, d)
}

// First returns the number of the first row in the data set, 0 of no rows.
func (r *StreamRows) First() int {
	if len(r.groups) == 0 {
		return 0
	}
	return r.groups[0].First
}

// at returns the group of a row, and the row's number there.
func (r *StreamRows) at(row int) (g *StreamGroup, at int) {
	k := sort.SearchInts(r.begin, row+1) - 1
	return r.groups[k], row - r.begin[k]
}

// run returns the group of a row, the row's number there, and how many of n rows the group has.
func (r *StreamRows) run(row, n int) (m *Matrix, at, most int) {
	g, at := r.at(row)
	return &g.m, at, min(n, g.m.n-at)
}

// MulRun is Matrix.MulRun.
func (r *StreamRows) MulRun(dst []float64, first int, w []float64) error {
	if err := r.check("MulRun", first, len(dst), len(w)); err != nil {
		return err
	}
	for k := 0; k < len(dst); {
		m, at, n := r.run(first+k, len(dst)-k)
		m.mulRun(dst[k:k+n], at, w)
		k += n
	}
	r.whole.addBias(dst, w)
	return nil
}

// MulRun2 is Matrix.MulRun2.
func (r *StreamRows) MulRun2(dst1, dst2 []float64, first int, w1, w2 []float64) error {
	if err := r.check("MulRun2", first, len(dst1), len(w1)); err != nil {
		return err
	}
	if err := r.whole.checkRun2("StreamRows.MulRun2", dst1, dst2, first, w1, w2); err != nil {
		return err
	}
	for k := 0; k < len(dst1); {
		m, at, n := r.run(first+k, len(dst1)-k)
		m.mulRun2(dst1[k:k+n], dst2[k:k+n], at, w1, w2)
		k += n
	}
	r.whole.addBias(dst1, w1)
	r.whole.addBias(dst2, w2)
	return nil
}

// AddRun is Matrix.AddRun.
func (r *StreamRows) AddRun(dst []float64, first int, c []float64) error {
	if err := r.check("AddRun", first, len(c), len(dst)); err != nil {
		return err
	}
	for k := 0; k < len(c); {
		m, at, n := r.run(first+k, len(c)-k)
		m.addRun(dst, at, c[k:k+n])
		k += n
	}
	r.whole.addBiasSum(dst, c)
	return nil
}

// AddSquaresRun is Matrix.AddSquaresRun.
func (r *StreamRows) AddSquaresRun(dst []float64, first int, c []float64) error {
	if err := r.check("AddSquaresRun", first, len(c), len(dst)); err != nil {
		return err
	}
	for k := 0; k < len(c); {
		m, at, n := r.run(first+k, len(c)-k)
		m.addSquaresRun(dst, at, c[k:k+n])
		k += n
	}
	r.whole.addBiasSquares(dst, c)
	return nil
}

// AddGramRun is Matrix.AddGramRun.
func (r *StreamRows) AddGramRun(dst []float64, first int, c []float64) error {
	if err := r.check("AddGramRun", first, len(c), r.whole.Cols()); err != nil {
		return err
	}
	if err := r.whole.checkGram("StreamRows.AddGramRun", dst, first, c); err != nil {
		return err
	}
	for k := 0; k < len(c); {
		m, at, n := r.run(first+k, len(c)-k)
		m.addGramRun(dst, at, c[k:k+n], r.whole.bias)
		k += n
	}
	r.whole.addBiasGram(dst, c)
	return nil
}

// Row is Matrix.Row.
func (r *StreamRows) Row(i int) iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		if r.check("Row", i, 1, r.whole.Cols()) != nil {
			return
		}
		m, at, _ := r.run(i, 1)
		for j, x := range m.Row(at) {
			if !yield(j, x) {
				return
			}
		}
		if r.whole.bias != 0 {
			yield(r.whole.d, r.whole.bias)
		}
	}
}

// GramCostRun is Matrix.GramCostRun.
func (r *StreamRows) GramCostRun(first, n int) int64 {
	if n < 0 || r.check("GramCostRun", first, n, r.whole.Cols()) != nil {
		return 0
	}
	cost := int64(0)
	for k := 0; k < n; {
		m, at, run := r.run(first+k, n-k)
		cost += m.gramCost(at, run)
		k += run
	}
	return cost
}

// SquaredNormsRun is Matrix.SquaredNormsRun.
func (r *StreamRows) SquaredNormsRun(dst []float64, first int) error {
	if err := r.check("SquaredNormsRun", first, len(dst), r.whole.Cols()); err != nil {
		return err
	}
	bias := r.whole.bias
	for k := range dst {
		g, at := r.at(first + k)
		dst[k] = float64(bias*bias) + r.square(&g.m, at)
	}
	return nil
}

// square is that of a row, summed in the order of the layout of the whole.
func (r *StreamRows) square(m *Matrix, i int) float64 {
	if !r.double || m.rows.Val32 == nil {
		return m.rowSquare(i)
	}
	row := m.rows.Val32[m.rows.Begin[i]:m.rows.End[i]]
	r.wide = slices.Grow(r.wide[:0], len(row))[:len(row)]
	for e, x := range row {
		r.wide[e] = float64(x)
	}
	return asm.Active().Dense.SquaredNorm(r.wide)
}
