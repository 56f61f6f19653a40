package sparse

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/base/stamp"
	"github.com/lanes-go/lanes/internal/matrix"
)

// StreamGroup is a group of rows of a Stream in memory, as the file has them: kernels take
// its indices and values where they were read to. The next Load uses its memory again. It
// serves one goroutine at a time.
type StreamGroup struct {
	// First is the number of the first row in the data set, Y has the labels of all.
	First int
	Y     []float64
	// Weight and Offset are the weights and offsets of the rows, nil where the file has none.
	Weight, Offset []float64

	number int
	m      matrix.Matrix // without the bias
	read   groupRows
	// What the view has changed, or the file has once a row.
	columns []uint32
	idx16   []uint16
	values  []float64
	wide64  []float64
	wide32  []float32
}

// Rows returns the rows of the group, without the bias, in the layout of the file.
func (g *StreamGroup) Rows() *Matrix { return &g.m }

// Groups returns the number of groups of rows.
func (s *Stream) Groups() int { return len(s.groups) }

// GroupRows returns the rows of group k, first to end-1, or no rows where the group does not exist.
func (s *Stream) GroupRows(k int) (first, end int) {
	if k < 0 || k >= len(s.groups) {
		return 0, 0
	}
	return s.first[k], s.first[k+1]
}

// GroupOf returns the group of a row, Groups() for a row behind the last one.
func (s *Stream) GroupOf(row int) int { return s.groupOf(row) }

// GroupBytes returns how many bytes group k takes in memory.
func (s *Stream) GroupBytes(k int) int64 {
	if k < 0 || k >= len(s.groups) {
		return 0
	}
	g := &s.groups[k]
	perRow, bytes := int64(8+8), g.size(s.shape.extra())+groupOverhead
	for _, flag := range []uint8{cacheWeights, cacheOffsets} {
		if s.shape.has(flag) {
			perRow += 8
		}
	}
	if g.flags&cacheScales != 0 || s.unit {
		perRow += 8
	}
	switch {
	case s.scaler != nil: // an index of 16 or 32 bits and a value
		bytes += (4 + 2 + 8) * (int64(g.entries) + int64(g.rows)*int64(len(s.filled)))
	case s.changes() && valueBytes(g.layout) < 8:
		bytes += 8 * int64(g.entries)
	}
	if s.widens(g) {
		bytes += int64(valueBytes(s.shape.layout)) * int64(g.entries)
	}
	return bytes + perRow*int64(g.rows)
}

// groupOverhead is the constant part of a group's memory, in bytes.
const groupOverhead = 1 << 10

// changes tells whether the values of the view differ from the values in the file, so that they are
// computed. If the values of each row are equal, unit length is a factor.
func (s *Stream) changes() bool {
	return s.scaler != nil || s.unit && !matrix.HasOnes(s.shape.layout) && s.shape.flags&cacheEqual == 0
}

// widens tells whether a group's layout gives other bits in products than the layout of the whole:
// the group has a factor for each row, and the whole a value for each entry.
func (s *Stream) widens(g *cacheGroup) bool {
	return g.flags&cacheScales != 0 && !matrix.HasOnes(s.shape.layout) && (!s.unit || s.changes())
}

// Load reads group k into memory of g and checks it there; goroutines may load into groups of their
// own. Every Load checks row lengths and indices, which the kernels trust. The first Load of a
// group compares the checksum and checks the values too. So does every Load after the file has
// changed its length or a date.
func (s *Stream) Load(g *StreamGroup, k int) error {
	switch {
	case g == nil:
		return errors.New("sparse: Stream.Load: there is no group to load to")
	case k < 0 || k >= len(s.groups):
		return fmt.Errorf("sparse: Stream.Load: group %d of %d", k, len(s.groups))
	}
	g.number = k
	if err := s.load(g, k); err != nil {
		return err
	}
	g.First = s.first[k]
	return nil
}

func (s *Stream) load(g *StreamGroup, k int) error {
	group, p := &s.groups[k], s.pieceOf(k)
	bytes := g.read.place(group, s.shape.extra())
	if n, err := p.file.ReadAt(bytes, p.at(s.offset[k])); n < len(bytes) {
		return s.trouble(k, err)
	}
	s.rows.Add(int64(group.rows))
	s.bytes.Add(int64(len(bytes)))
	same, err := s.verify(k, bytes)
	if err != nil {
		return s.trouble(k, err)
	}
	if err := g.read.arrange(bytes, group, &s.shape); err != nil {
		return s.trouble(k, err)
	}
	if i := p.table.relabel(g.read.y); i >= 0 {
		return s.trouble(k, &badGroup{p.table.noWord(s.start[k]+i, g.read.y[i])})
	}
	g.Y, g.Weight, g.Offset, g.m = g.read.y, g.read.weight, g.read.offset, matrix.Of(g.read.rows, int(s.shape.d), s.shape.values())
	if err := s.check(g, k, same); err != nil {
		return err
	}
	if s.more != 0 || s.keep != nil {
		g.keep(s, k)
	}
	if s.widens(group) {
		g.widen(s.shape.layout)
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

// verify compares the checksum of a group, unless the group is known and its file has not changed;
// same says so.
func (s *streamFile) verify(k int, bytes []byte) (same bool, err error) {
	if s.known[k].Load() && !s.touched(k) {
		return true, nil
	}
	var here cacheGroup
	end := len(bytes) - 4
	here.decodeHeader(bytes, &s.shape)
	if here.sum = groupSum(int64(k-s.pieceOf(k).group), bytes[:end]); here != s.groups[k] || binary.LittleEndian.Uint32(bytes[end:]) != here.sum {
		return false, errCacheSum
	}
	return false, nil
}

// touched tells whether somebody has written to the file of group k since it was opened. What was
// read before it says no was not written later: a writer sets the date first.
func (s *streamFile) touched(k int) bool {
	if s.written.Load() {
		return true
	}
	p := s.pieceOf(k)
	now, err := stamp.Of(p.file)
	if err == nil && now == p.stamp {
		return false
	}
	s.written.Store(true)
	return true
}

// normalize makes rows of unit length of those whose values are equal.
func (g *StreamGroup) normalize() {
	r := matrix.Stored(&g.m)
	if r.Scale == nil {
		g.read.scale = matrix.Sized(g.read.scale, g.m.Rows())
		matrix.Fill(g.read.scale, 1)
		r.Scale = g.read.scale
	}
	for i, x := range r.Scale {
		r.Scale[i] = matrix.UnitScale(r.End[i]-r.Begin[i], x)
	}
}

// divide makes rows of unit length of others. Squares are summed in the order of the layout
// of the whole, which has double numbers or single ones.
func (g *StreamGroup) divide(double bool) {
	r := matrix.Stored(&g.m)
	values := r.Val64
	if values == nil {
		g.wide64 = matrix.Sized(g.wide64, int(g.m.NNZ()))
		values = g.wide64
	}
	for i, begin := range r.Begin {
		row := values[begin:r.End[i]]
		matrix.RowValues(row, r, i, begin)
		matrix.DivideByLength(row, matrix.SquareOf(row, !double))
	}
	r.Val64, r.Val32, r.Layout = values, nil, matrix.LayoutFor(&g.m, rows.I32F64)
}

// scale has the rows scaled.
func (g *StreamGroup) scale(s *Stream) error {
	r := matrix.Stored(&g.m)
	most := int(g.m.NNZ()) + g.m.Rows()*len(s.filled)
	columns, values := matrix.Sized(g.columns, most)[:0], matrix.Sized(g.values, most)[:0]
	begin := 0
	for i := range g.m.Rows() {
		columns, values = matrix.AppendScaled(columns, values, r, i, s.scaler.Shift, s.scaler.Width, s.filled)
		if k := slices.IndexFunc(values[begin:], func(v float64) bool { return v-v != 0 }); k >= 0 {
			return &FormatError{Name: s.Name(), Message: fmt.Sprintf("row %d: column %d is %v once it is scaled", s.inFile(g.number, i), columns[begin+k], values[begin+k])}
		}
		r.Begin[i] = int64(begin)
		begin = len(values)
	}
	g.read.ptr[g.m.Rows()] = int64(begin)
	g.columns, g.values = columns, values
	*r = rows.Matrix{Begin: r.Begin, End: r.End, Val64: values}
	if s.shape.layout < rows.I16F64 {
		r.Idx32, r.Layout = columns, rows.I32F64
		return nil
	}
	g.idx16 = matrix.Sized(g.idx16, len(columns))
	for e, j := range columns {
		g.idx16[e] = uint16(j)
	}
	r.Idx16, r.Layout = g.idx16, rows.I16F64
	return nil
}

// widen gives each entry the value of its row.
func (g *StreamGroup) widen(whole rows.Layout) {
	r, entries := matrix.Stored(&g.m), int(g.m.NNZ())
	if valueBytes(whole) == 8 {
		g.wide64 = matrix.Sized(g.wide64, entries)
		r.Val64 = g.wide64
		putValues(g.wide64, &rows.Matrix{Begin: r.Begin, End: r.End, Scale: r.Scale})
	} else {
		g.wide32 = matrix.Sized(g.wide32, entries)
		r.Val32 = g.wide32
		putValues(g.wide32, &rows.Matrix{Begin: r.Begin, End: r.End, Scale: r.Scale})
	}
	r.Scale, r.Layout = nil, r.Layout-rows.I32Ones+whole%3
}
