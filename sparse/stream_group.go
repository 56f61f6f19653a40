package sparse

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
	"slices"
	"sort"
	"unsafe"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// StreamGroup is a group of rows of a Stream in memory, as the file has them: kernels take
// its indices and values where they were read to. The next Load uses its memory again.
type StreamGroup struct {
	// First is the number of the first row in the data set, Y has the labels of all.
	First int
	Y     []float64

	of      *streamFile // nil where it is not whole
	number  int
	loads   int
	m       Matrix   // without the bias
	space   []uint64 // what was read: the bytes of a group
	ptr     []int64
	scale   []float64
	wide64  []float64 // values of entries where the file has one a row
	wide32  []float32
	changed StreamPart // rows that the view has changed
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
	size := g.size(s.queries())
	if s.changes() {
		return size + s.room(k) + groupRoom
	}
	perRow, room := int64(8+8), size+groupRoom
	if g.flags&cacheScales != 0 || s.unit {
		perRow += 8
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
	return g.flags&cacheScales != 0 && !hasOnes(s.shape.layout) && !s.unit
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
	if s.changes() {
		if err := s.Read(&g.changed, s.first[k], s.first[k+1]); err != nil {
			return err
		}
		g.m, g.Y = *g.changed.X, g.changed.Y
	} else if err := s.load(g, k); err != nil {
		return err
	}
	g.m.bias = 0
	g.First, g.of = s.first[k], s.streamFile
	return nil
}

func (s *Stream) load(g *StreamGroup, k int) error {
	group := &s.groups[k]
	size, values := int(group.size(s.queries())), group.values(s.queries())
	// The file has no room between arrays: the first byte is placed so that values, and
	// with them indices, are aligned.
	g.space = sized(g.space, (size+7)/8+1)
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(g.space))), 8*len(g.space))
	bytes = bytes[-values&7:][:size:size]
	p := s.pieceOf(k)
	if n, err := p.file.ReadAt(bytes, p.at(s.offset[k])); n < size {
		return s.trouble(k, err)
	}
	s.rows.Add(int64(group.rows))
	s.bytes.Add(int64(size))
	known := s.known[k].Load()
	if err := s.verify(k, bytes, values, known); err != nil {
		return s.trouble(k, err)
	}
	if err := s.arrange(g, group, bytes); err != nil {
		return s.trouble(k, err)
	}
	if !known {
		if err := s.checkGroup(&g.m, g.Y, k, 0, s.first[k]); err != nil {
			return err
		}
		s.known[k].Store(true)
	}
	if s.unit {
		g.normalize()
	}
	return nil
}

// values is where the values of a group begin, behind the indices.
func (g *cacheGroup) values(queries bool) int {
	return int(g.size(queries)) - 4 - valueBytes(g.layout)*g.entries
}

// verify compares checksums of a group, whose values are left out once it is known.
func (s *streamFile) verify(k int, bytes []byte, values int, known bool) error {
	end := len(bytes) - 4
	head := groupSum(int64(k-s.pieceOf(k).group), bytes[:values])
	if known && head == s.heads[k].Load() && !s.touched(k) {
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
		g.scale = sized(g.scale, g.m.n)
		fill(g.scale, 1)
		r.Scale = g.scale
	}
	for i, x := range g.scale {
		g.scale[i] = unitScale(r.End[i]-r.Begin[i], x)
	}
}

// arrange has rows point to the bytes of a group.
func (s *Stream) arrange(g *StreamGroup, group *cacheGroup, bytes []byte) error {
	next := func(size int) []byte {
		part := bytes[:size:size]
		bytes = bytes[size:]
		return part
	}
	next(groupHeader)
	lengths := next(4 * group.rows)
	g.ptr, g.Y = sized(g.ptr, group.rows+1), sized(g.Y, group.rows)
	g.ptr[0] = 0
	for i := range group.rows {
		g.ptr[i+1] = g.ptr[i] + int64(binary.LittleEndian.Uint32(lengths[4*i:]))
	}
	if total := g.ptr[group.rows]; total != int64(group.entries) {
		return &badGroup{fmt.Sprintf("the rows of a group have %d entries, its header speaks of %d", total, group.entries)}
	}
	float64s(g.Y, next(8*group.rows))
	if s.queries() {
		next(8 * group.rows)
	}
	r := rows.Matrix{Begin: g.ptr[:group.rows:group.rows], End: g.ptr[1:], Layout: group.layout}
	if group.flags&cacheScales != 0 {
		g.scale = sized(g.scale, group.rows)
		float64s(g.scale, next(8*group.rows))
		r.Scale = g.scale
	}
	if group.layout >= rows.I16F64 {
		r.Idx16 = view(next(2*group.entries), uint16s)
	} else {
		r.Idx32 = view(next(4*group.entries), uint32s)
	}
	switch valueBytes(group.layout) {
	case 8:
		r.Val64 = view(next(valueBytes(group.layout)*group.entries), float64s)
	case 4:
		r.Val32 = view(next(valueBytes(group.layout)*group.entries), float32s)
	}
	if s.widens(group) {
		if err := g.widen(&r, s.shape.layout); err != nil {
			return err
		}
	}
	g.m = Matrix{n: group.rows, d: int(s.shape.d), rows: r}
	return nil
}

// widen gives each entry the value of its row.
func (g *StreamGroup) widen(r *rows.Matrix, whole rows.Layout) error {
	entries := int(r.End[len(r.End)-1])
	if valueBytes(whole) == 8 {
		g.wide64 = sized(g.wide64, entries)
		r.Val64 = g.wide64
	} else {
		g.wide32 = sized(g.wide32, entries)
		r.Val32 = g.wide32
	}
	for i, x := range r.Scale {
		from, to := r.Begin[i], r.End[i]
		if r.Val64 != nil {
			fill(r.Val64[from:to], x)
			continue
		}
		if fill(r.Val32[from:to], float32(x)); float64(float32(x)) != x && from < to {
			return notSingle(x)
		}
	}
	r.Scale, r.Layout = nil, r.Layout-rows.I32Ones+whole%3
	return nil
}

// view is the numbers that bytes are, where they are.
func view[T uint16 | uint32 | float32 | float64](bytes []byte, decode func([]T, []byte)) []T {
	var zero T
	v := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(bytes))), len(bytes)/int(unsafe.Sizeof(zero)))
	if bigEndian {
		decode(v, bytes)
	}
	return v
}

var bigEndian = binary.NativeEndian.Uint16([]byte{1, 0}) != 1

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
