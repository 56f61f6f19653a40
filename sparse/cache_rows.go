package sparse

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"unsafe"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/matrix"
)

// groupRows are the rows of a group as a cache has them: kernels take indices and values
// where they were read to. The group that is read next uses the memory again.
type groupRows struct {
	rows  rows.Matrix
	y     []float64
	query []byte // numbers of 64 bits, none where the cache has none
	// weight and offset are nil where the cache has none.
	weight, offset []float64

	space []uint64 // what was read
	ptr   []int64
	scale []float64
	own   [2][]float64 // for weight and offset
}

// place returns a buffer for the bytes of a group. The file has no padding between arrays: the
// first byte is placed so that values, and with them indices, are aligned.
func (v *groupRows) place(g *cacheGroup, extra int64) []byte {
	size := int(g.size(extra))
	v.space = matrix.Sized(v.space, (size+7)/8+1)
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v.space))), 8*len(v.space))
	return bytes[-g.values(extra)&7:][:size:size]
}

// readAt reads a group from a place in a file and compares its checksums.
func (v *groupRows) readAt(file io.ReaderAt, at, number int64, g *cacheGroup, s *cacheShape) error {
	bytes := v.place(g, s.extra())
	if n, err := file.ReadAt(bytes, at); n < len(bytes) {
		return err
	}
	return v.take(bytes, number, g, s)
}

// take makes v the rows of a group whose bytes were read, if its checksums fit.
func (v *groupRows) take(bytes []byte, number int64, g *cacheGroup, s *cacheShape) error {
	var here cacheGroup
	end := len(bytes) - 4
	here.decodeHeader(bytes, s)
	if here.sum = groupSum(number, bytes[:end]); here != *g || binary.LittleEndian.Uint32(bytes[end:]) != g.sum {
		return errCacheSum
	}
	return v.arrange(bytes, g, s)
}

// arrange has the rows point to the bytes of a group, whose checksums fit.
func (v *groupRows) arrange(bytes []byte, g *cacheGroup, s *cacheShape) error {
	next := func(size int) []byte {
		part := bytes[:size:size]
		bytes = bytes[size:]
		return part
	}
	next(groupHeader)
	lengths := next(4 * g.rows)
	v.ptr, v.y, v.query = matrix.Sized(v.ptr, g.rows+1), matrix.Sized(v.y, g.rows), nil
	v.ptr[0] = 0
	for i := range g.rows {
		v.ptr[i+1] = v.ptr[i] + int64(binary.LittleEndian.Uint32(lengths[4*i:]))
	}
	if total := v.ptr[g.rows]; total != int64(g.entries) {
		return &badGroup{fmt.Sprintf("the rows of a group have %d entries, its header speaks of %d", total, g.entries)}
	}
	float64s(v.y, next(8*g.rows))
	if s.has(cacheQueries) {
		v.query = next(8 * g.rows)
	}
	v.weight, v.offset = nil, nil
	for k, to := range []*[]float64{&v.weight, &v.offset} {
		if s.has([2]uint8{cacheWeights, cacheOffsets}[k]) {
			v.own[k] = matrix.Sized(v.own[k], g.rows)
			*to = v.own[k]
			float64s(*to, next(8*g.rows))
		}
	}
	r := &v.rows
	*r = rows.Matrix{Begin: v.ptr[:g.rows:g.rows], End: v.ptr[1:], Layout: g.layout}
	if g.flags&cacheScales != 0 {
		v.scale = matrix.Sized(v.scale, g.rows)
		float64s(v.scale, next(8*g.rows))
		r.Scale = v.scale
	}
	if g.layout >= rows.I16F64 {
		r.Idx16 = view(next(2*g.entries), func(to []uint16, b []byte) {
			for k := range to {
				to[k] = binary.LittleEndian.Uint16(b[2*k:])
			}
		})
	} else {
		r.Idx32 = view(next(4*g.entries), uint32s)
	}
	switch valueBytes(g.layout) {
	case 8:
		r.Val64 = view(next(8*g.entries), float64s)
	case 4:
		r.Val32 = view(next(4*g.entries), func(to []float32, b []byte) {
			for k := range to {
				to[k] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*k:]))
			}
		})
	}
	if valueBytes(s.layout) == 4 {
		for i, x := range r.Scale {
			if float64(float32(x)) != x && r.Begin[i] < r.End[i] {
				return &badGroup{fmt.Sprintf("the value %v of a row is no float32, as the header of the cache says that all are", x)}
			}
		}
	}
	return nil
}

// queries appends the groups of the rows (qid).
func (v *groupRows) queries(list []int64) []int64 {
	for b := v.query; len(b) > 0; b = b[8:] {
		list = append(list, int64(binary.LittleEndian.Uint64(b)))
	}
	return list
}

// put writes the rows to arrays in the layout of the cache, from a row and an entry on.
func (v *groupRows) put(a *cacheArrays, row, entry int) {
	r, n := &v.rows, len(v.y)
	end := entry + int(r.End[n-1])
	for i, begin := range r.Begin {
		a.lengths[row+i] = uint32(r.End[i] - begin)
	}
	copy(a.labels[row:], v.y)
	if a.query != nil {
		v.queries(a.query[row:row])
	}
	if a.weight != nil {
		copy(a.weight[row:], v.weight)
	}
	if a.offset != nil {
		copy(a.offset[row:], v.offset)
	}
	if a.scale != nil {
		matrix.Fill(a.scale[row:row+n], 1)
		copy(a.scale[row:], r.Scale)
	}
	switch {
	case r.Idx16 == nil:
		copy(a.idx32[entry:end], r.Idx32)
	case len(a.idx16) > 0:
		copy(a.idx16[entry:end], r.Idx16)
	default:
		to := a.idx32[entry:end]
		for e, j := range r.Idx16 {
			to[e] = uint32(j)
		}
	}
	switch {
	case a.val64 != nil:
		putValues(a.val64[entry:end], r)
	case a.val32 != nil:
		putValues(a.val32[entry:end], r)
	}
}

// putValues widens the values of a group to the type of its cache.
func putValues[V float32 | float64](to []V, r *rows.Matrix) {
	switch {
	case r.Val64 != nil: // no group of float64 is narrowed: see fits
		for e, x := range r.Val64 {
			to[e] = V(x)
		}
	case r.Val32 != nil:
		for e, x := range r.Val32 {
			to[e] = V(x)
		}
	case r.Scale != nil:
		for i, x := range r.Scale {
			matrix.Fill(to[r.Begin[i]:r.End[i]], V(x))
		}
	default:
		matrix.Fill(to, 1)
	}
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

func uint32s(to []uint32, b []byte) {
	for k := range to {
		to[k] = binary.LittleEndian.Uint32(b[4*k:])
	}
}

func float64s(to []float64, b []byte) {
	for k := range to {
		to[k] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*k:]))
	}
}
