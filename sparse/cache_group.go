package sparse

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/matrix"
)

// A group of rows in a cache:
//
//	rows, entries (uint32 each), layout and flags (a byte each, and two of 0);
//	row lengths (uint32), labels (float64), queries (int64, if the cache has them);
//	weights, offsets (float64, if the cache has them), row values (float64, if flagged);
//	indices (uint32 or uint16), values (float64, float32 or none);
//	CRC-32C of the group's number (uint64) and all of the above
type cacheGroup struct {
	rows, entries int
	layout        rows.Layout
	flags         uint8 // cacheScales
	sum           uint32
}

const (
	groupHeader = 12
	// groupWeight ends a group: once its entries, and two for each row, are as many. That
	// is a function of the rows alone, and makes 64 to 400 KB; a row is in one group.
	groupWeight   = 1 << 15
	mostGroupRows = groupWeight / 2
)

// size is the number of bytes of a group; extra is the number of bytes a row that the cache adds.
func (g *cacheGroup) size(extra int64) int64 {
	return g.indices(extra) + int64(entryBytes(g.layout))*int64(g.entries) + 4
}

// indices is where the indices of a group begin.
func (g *cacheGroup) indices(extra int64) int64 {
	perRow := 4 + 8 + extra
	if g.flags&cacheScales != 0 {
		perRow += 8
	}
	return groupHeader + perRow*int64(g.rows)
}

// values is where the values of a group begin, behind the indices.
func (g *cacheGroup) values(extra int64) int {
	return int(g.size(extra)) - 4 - valueBytes(g.layout)*g.entries
}

// ascends checks the order of the indices of the last row, the only row of a group that may be
// long. It checks the indices that have arrived in b, from entry checked on, and returns the entry
// to go on from. A stream may promise much more than it holds.
func (g *cacheGroup) ascends(b []byte, checked int, extra int64) (next int, ok bool) {
	before := g.entries - int(binary.LittleEndian.Uint32(b[groupHeader+4*(g.rows-1):]))
	if before < 0 || before >= groupWeight {
		return 0, false
	}
	width := entryBytes(g.layout) - valueBytes(g.layout)
	b = b[min(int64(len(b)), g.indices(extra)):]
	arrived := min(g.entries, len(b)/width)
	index := func(e int) uint32 {
		if width == 2 {
			return uint32(binary.LittleEndian.Uint16(b[2*e:]))
		}
		return binary.LittleEndian.Uint32(b[4*e:])
	}
	for e := max(before+1, checked); e < arrived; e++ {
		if index(e) <= index(e-1) {
			return 0, false
		}
	}
	return arrived, true
}

// entryBytes is the number of bytes of an entry, valueBytes of them for the value.
func entryBytes(l rows.Layout) int {
	if l >= rows.I16F64 {
		return 2 + valueBytes(l)
	}
	return 4 + valueBytes(l)
}

func valueBytes(l rows.Layout) int { return [3]int{8, 4, 0}[l%3] }

// appendIndex appends what the index has of the group.
func (g *cacheGroup) appendIndex(b []byte) []byte {
	for _, v := range []uint32{uint32(g.rows), uint32(g.entries), uint32(g.layout) | uint32(g.flags)<<8, g.sum} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

// decodeIndex is the inverse of appendIndex. It refuses what no group of a cache can be.
func (g *cacheGroup) decodeIndex(b []byte, s *cacheShape) bool {
	kind := binary.LittleEndian.Uint32(b[8:])
	*g = cacheGroup{
		rows: int(binary.LittleEndian.Uint32(b)), entries: int(binary.LittleEndian.Uint32(b[4:])),
		layout: rows.Layout(kind), flags: uint8(kind >> 8), sum: binary.LittleEndian.Uint32(b[12:]),
	}
	return kind>>16 == 0 && g.fits(s)
}

// fits tells whether the layout of a group can be widened to the layout of its cache, and its sizes
// are within the cache's.
func (g *cacheGroup) fits(s *cacheShape) bool {
	if g.rows <= 0 || g.rows > mostGroupRows || g.entries < 0 || uint64(g.rows) > s.n || uint64(g.entries) > s.entries || g.layout > rows.I16Ones ||
		g.flags != 0 && (g.flags != cacheScales || !matrix.HasOnes(g.layout)) {
		return false
	}
	if s.layout >= rows.I16F64 && g.layout < rows.I16F64 {
		return false
	}
	if matrix.HasOnes(s.layout) {
		return matrix.HasOnes(g.layout) && (g.flags == 0 || s.flags&cacheScales != 0)
	}
	return g.layout%3 >= s.layout%3 // float64, float32, ones
}

// groupWriter writes groups.
type groupWriter struct {
	w      io.Writer
	number int64
	buffer []byte // of one group
	index  []byte
	later  bool // version 3
	table  tableWriter
}

// cut returns the end of the group that begins at a row, and whether it is full.
func cut(m *matrix.Matrix, first int) (end int, full bool) {
	begin := matrix.Stored(m).Begin[first]
	for end = first + 1; ; end++ {
		if matrix.Stored(m).End[end-1]-begin+2*int64(end-first) >= groupWeight {
			return end, true
		}
		if end == m.Rows() {
			return end, false
		}
	}
}

// groupOf returns the group of rows first to end-1, and what their values need.
func groupOf(m *matrix.Matrix, first, end int) (cacheGroup, matrix.Summary, error) {
	s := matrix.SummaryOf(m, first, end)
	entries := matrix.Stored(m).End[end-1] - matrix.Stored(m).Begin[first]
	if entries > math.MaxUint32 {
		return cacheGroup{}, s, fmt.Errorf("sparse: row %d has %d entries, more than a cache can hold in one", first, entries)
	}
	g := cacheGroup{rows: end - first, entries: int(entries), layout: rows.I32F64}
	switch s.Values() {
	case matrix.ValuesNone:
		g.layout = rows.I32Ones
	case matrix.ValuesPerRow:
		g.layout, g.flags = rows.I32Ones, cacheScales
	case matrix.ValuesFloat32:
		g.layout = rows.I32F32
	}
	if s.Column < matrix.NarrowColumns {
		g.layout += rows.I16F64
	}
	return g, s, nil
}

// write writes the rows of data from first on as a group.
func (w *groupWriter) write(g cacheGroup, data *Data, first int) error {
	r, end := matrix.Indexed(data.X), first+g.rows
	put32, put64 := binary.LittleEndian.AppendUint32, binary.LittleEndian.AppendUint64
	b := put32(put32(w.buffer[:0], uint32(g.rows)), uint32(g.entries))
	b = append(b, uint8(g.layout), g.flags, 0, 0)
	for i := first; i < end; i++ {
		b = put32(b, uint32(r.End[i]-r.Begin[i]))
	}
	for _, y := range w.table.label(data, first, end) {
		b = put64(b, math.Float64bits(y))
	}
	if data.Query != nil {
		for _, q := range data.Query[first:end] {
			b = put64(b, uint64(q))
		}
	}
	for _, v := range [][]float64{data.Weight, data.Offset} {
		if v != nil {
			for _, x := range v[first:end] {
				b = put64(b, math.Float64bits(x))
			}
		}
	}
	if g.flags&cacheScales != 0 {
		for i := first; i < end; i++ {
			v := 1.0
			if r.Begin[i] < r.End[i] {
				v = r.Value(i, r.Begin[i])
			}
			b = put64(b, math.Float64bits(v))
		}
	}
	begin, stop := r.Begin[first], r.End[end-1]
	switch {
	case r.Idx16 != nil:
		b = appendIndices(b, r.Idx16[begin:stop], g.layout)
	default:
		b = appendIndices(b, r.Idx32[begin:stop], g.layout)
	}
	switch {
	case matrix.HasOnes(g.layout):
	case r.Val64 != nil:
		b = appendValues(b, r.Val64[begin:stop], g.layout)
	case r.Val32 != nil:
		b = appendValues(b, r.Val32[begin:stop], g.layout)
	default:
		b = appendValues(b, matrix.Unpacked(data.X, first, end), g.layout)
	}
	g.sum = groupSum(w.number, b)
	w.buffer = put32(b, g.sum)
	w.number++
	w.index = g.appendIndex(w.index)
	_, err := w.w.Write(w.buffer)
	return err
}

// appendIndices appends column indices in the width of a layout.
func appendIndices[I uint16 | uint32](b []byte, idx []I, l rows.Layout) []byte {
	at, width := len(b), entryBytes(l)-valueBytes(l)
	b = slices.Grow(b, width*len(idx))[:at+width*len(idx)]
	to := b[at:]
	if width == 2 {
		for e, j := range idx {
			binary.LittleEndian.PutUint16(to[2*e:], uint16(j))
		}
		return b
	}
	for e, j := range idx {
		binary.LittleEndian.PutUint32(to[4*e:], uint32(j))
	}
	return b
}

// appendValues appends values in the width of a layout that has them.
func appendValues[V float32 | float64](b []byte, values []V, l rows.Layout) []byte {
	at, width := len(b), valueBytes(l)
	b = slices.Grow(b, width*len(values))[:at+width*len(values)]
	to := b[at:]
	if width == 4 {
		for e, v := range values {
			binary.LittleEndian.PutUint32(to[4*e:], math.Float32bits(float32(v)))
		}
		return b
	}
	for e, v := range values {
		binary.LittleEndian.PutUint64(to[8*e:], math.Float64bits(float64(v)))
	}
	return b
}

// end writes the index and the table.
func (w *groupWriter) end() error {
	if _, err := w.w.Write(w.index); err != nil {
		return err
	}
	_, err := w.w.Write(binary.LittleEndian.AppendUint32(nil, crc32.Checksum(w.index, castagnoli)))
	if err != nil || !w.later {
		return err
	}
	table, err := w.table.table().encode()
	if err == nil {
		_, err = w.w.Write(table)
	}
	return err
}

// decodeHeader reads the first bytes of a group, whose checksum is not known to fit yet.
func (g *cacheGroup) decodeHeader(b []byte, s *cacheShape) bool {
	*g = cacheGroup{
		rows: int(binary.LittleEndian.Uint32(b)), entries: int(binary.LittleEndian.Uint32(b[4:])),
		layout: rows.Layout(b[8]), flags: b[9],
	}
	return b[10] == 0 && b[11] == 0 && g.fits(s)
}

// badGroup says what is wrong with a group whose checksum fits.
type badGroup struct{ message string }

func (e *badGroup) Error() string { return e.message }

// groupSum is the checksum of a group.
func groupSum(number int64, group []byte) uint32 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(number))
	return crc32.Update(crc32.Checksum(b[:], castagnoli), castagnoli, group)
}
