package sparse

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/aside"
)

// A cache holds a Data as it lies in memory. All numbers are little-endian.
//
//	header   magic, version, layout, flags, n, d, non-zeros, CRC-32C of the header
//	sections row lengths (uint32), labels (float64), queries (int64, if flagged),
//	         row values (float64, if flagged), indices (uint32 or uint16),
//	         values (float64, float32 or none)
//
// A section is cut into blocks of cacheBlock bytes, the last one shorter, each
// followed by the CRC-32C of its number in the file and its bytes.
const (
	cacheMagic   = "LANESCSR"
	cacheVersion = 1
	cacheHeader  = 44
	cacheBlock   = 1 << 20

	// mostCached bounds rows and entries, so that no sum of the sizes of sections
	// wraps round, and no section is larger than what can be addressed.
	mostCached = min(math.MaxInt/16, 1<<56)

	cacheQueries = 1
	cacheScales  = 2
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// cacheShape is what the header says.
type cacheShape struct {
	layout  rows.Layout
	flags   uint8
	n, d    uint64
	entries uint64
}

func (s *cacheShape) encode() []byte {
	b := make([]byte, 0, cacheHeader)
	b = append(b, cacheMagic...)
	b = binary.LittleEndian.AppendUint32(b, cacheVersion)
	b = append(b, uint8(s.layout), s.flags, 0, 0)
	for _, v := range []uint64{s.n, s.d, s.entries} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// decode refuses headers that no matrix can have; it does not know how much
// follows.
func (s *cacheShape) decode(b []byte, maxColumns int) (message string) {
	version := binary.LittleEndian.Uint32(b[8:])
	if version != cacheVersion {
		return fmt.Sprintf("the cache has version %d, this program reads version %d: make it anew from the data", version, cacheVersion)
	}
	if crc32.Checksum(b[:cacheHeader-4], castagnoli) != binary.LittleEndian.Uint32(b[cacheHeader-4:]) {
		return "the cache's header is damaged: make the cache anew from the data"
	}
	s.layout, s.flags = rows.Layout(b[12]), b[13]
	s.n = binary.LittleEndian.Uint64(b[16:])
	s.d = binary.LittleEndian.Uint64(b[24:])
	s.entries = binary.LittleEndian.Uint64(b[32:])
	ones := s.layout == rows.I32Ones || s.layout == rows.I16Ones
	switch {
	case s.layout >= rows.Layouts || s.flags > cacheQueries|cacheScales || b[14] != 0 || b[15] != 0 || s.flags&cacheScales != 0 && !ones:
		return "the cache's header names a layout that does not exist"
	case s.d > uint64(maxColumns):
		return fmt.Sprintf("%d columns are too many: at most %d are allowed", s.d, maxColumns)
	case s.n > mostCached || s.entries > mostCached || s.d == 0 && s.entries > 0 || s.entries > 0 && s.entries > s.n*min(s.d, math.MaxUint64/max(s.n, 1)):
		return fmt.Sprintf("the cache's header speaks of %d entries in %d rows and %d columns, which is impossible", s.entries, s.n, s.d)
	}
	return ""
}

// cacheSection is one array of a cache.
type cacheSection struct {
	width int    // bytes an element
	count uint64 // elements
	// room makes the array hold at least so many elements.
	room func(elements int)
	// decode and encode turn elements from at on from and to bytes.
	decode func(at int, b []byte)
	encode func(at int, b []byte)
}

// cacheArrays are the arrays of a cache, in memory.
type cacheArrays struct {
	lengths []uint32
	labels  []float64
	query   []int64
	scale   []float64
	idx32   []uint32
	idx16   []uint16
	val64   []float64
	val32   []float32
}

func (a *cacheArrays) sections(s *cacheShape) []cacheSection {
	list := []cacheSection{uint32Section(&a.lengths, s.n), float64Section(&a.labels, s.n)}
	if s.flags&cacheQueries != 0 {
		list = append(list, int64Section(&a.query, s.n))
	}
	if s.flags&cacheScales != 0 {
		list = append(list, float64Section(&a.scale, s.n))
	}
	if s.layout >= rows.I16F64 {
		list = append(list, uint16Section(&a.idx16, s.entries))
	} else {
		list = append(list, uint32Section(&a.idx32, s.entries))
	}
	switch s.layout {
	case rows.I16F64, rows.I32F64:
		list = append(list, float64Section(&a.val64, s.entries))
	case rows.I16F32, rows.I32F32:
		list = append(list, float32Section(&a.val32, s.entries))
	}
	return list
}

// newSection describes the array at p; read and write turn one element from and
// to bytes.
func newSection[T any](p *[]T, count uint64, width int, decode func(to []T, b []byte), encode func(b []byte, from []T)) cacheSection {
	return cacheSection{
		width: width, count: count,
		room: func(elements int) {
			if elements > len(*p) {
				*p = room(*p, elements-len(*p), 0)[:elements]
			}
		},
		decode: func(at int, b []byte) { decode((*p)[at:at+len(b)/width], b) },
		encode: func(at int, b []byte) { encode(b, (*p)[at:at+len(b)/width]) },
	}
}

func uint32Section(p *[]uint32, count uint64) cacheSection {
	return newSection(p, count, 4, func(to []uint32, b []byte) {
		for k := range to {
			to[k] = binary.LittleEndian.Uint32(b[4*k:])
		}
	}, func(b []byte, from []uint32) {
		for k, v := range from {
			binary.LittleEndian.PutUint32(b[4*k:], v)
		}
	})
}

func uint16Section(p *[]uint16, count uint64) cacheSection {
	return newSection(p, count, 2, func(to []uint16, b []byte) {
		for k := range to {
			to[k] = binary.LittleEndian.Uint16(b[2*k:])
		}
	}, func(b []byte, from []uint16) {
		for k, v := range from {
			binary.LittleEndian.PutUint16(b[2*k:], v)
		}
	})
}

func int64Section(p *[]int64, count uint64) cacheSection {
	return newSection(p, count, 8, func(to []int64, b []byte) {
		for k := range to {
			to[k] = int64(binary.LittleEndian.Uint64(b[8*k:]))
		}
	}, func(b []byte, from []int64) {
		for k, v := range from {
			binary.LittleEndian.PutUint64(b[8*k:], uint64(v))
		}
	})
}

func float64Section(p *[]float64, count uint64) cacheSection {
	return newSection(p, count, 8, func(to []float64, b []byte) {
		for k := range to {
			to[k] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*k:]))
		}
	}, func(b []byte, from []float64) {
		for k, v := range from {
			binary.LittleEndian.PutUint64(b[8*k:], math.Float64bits(v))
		}
	})
}

func float32Section(p *[]float32, count uint64) cacheSection {
	return newSection(p, count, 4, func(to []float32, b []byte) {
		for k := range to {
			to[k] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*k:]))
		}
	}, func(b []byte, from []float32) {
		for k, v := range from {
			binary.LittleEndian.PutUint32(b[4*k:], math.Float32bits(v))
		}
	})
}

// blockSum is the checksum of a block.
func blockSum(number int64, block []byte) uint32 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(number))
	return crc32.Update(crc32.Checksum(b[:], castagnoli), castagnoli, block)
}

// WriteCacheFile writes data as a binary cache, which ReadFile reads at the
// speed of memory. The bias column is not written. The file appears under its
// name when it is complete and on the disk.
func WriteCacheFile(path string, data *Data) error {
	return aside.Write(path, func(w io.Writer) error { return WriteCache(w, data) })
}

// WriteCache is WriteCacheFile to a stream.
func WriteCache(w io.Writer, data *Data) error {
	if w == nil {
		return errors.New("sparse: WriteCache: there is nothing to write to")
	}
	if err := data.check(0); err != nil {
		return err
	}
	if data.LabelNames != nil {
		return fmt.Errorf("sparse: a cache holds labels that are numbers; these are words")
	}
	arrays, shape := cacheOf(data)
	if _, err := w.Write(shape.encode()); err != nil {
		return err
	}
	buffer := make([]byte, cacheBlock+4)
	number := int64(0)
	for _, section := range arrays.sections(&shape) {
		for at := 0; uint64(at) < section.count; {
			elements := int(min(uint64(cacheBlock/section.width), section.count-uint64(at)))
			size := elements * section.width
			section.encode(at, buffer[:size])
			binary.LittleEndian.PutUint32(buffer[size:], blockSum(number, buffer[:size]))
			if _, err := w.Write(buffer[:size+4]); err != nil {
				return err
			}
			at += elements
			number++
		}
	}
	return nil
}

func cacheOf(data *Data) (*cacheArrays, cacheShape) {
	m := data.X
	stored := &m.rows
	shape := cacheShape{layout: stored.Layout, n: uint64(m.n), d: uint64(m.d), entries: uint64(m.NNZ())}
	a := &cacheArrays{lengths: make([]uint32, m.n), labels: data.Y, query: data.Query}
	for i := range m.n {
		a.lengths[i] = uint32(stored.End[i] - stored.Begin[i])
	}
	end := m.NNZ()
	if a.query != nil {
		shape.flags |= cacheQueries
	}
	if stored.Layout == rows.I32Ones || stored.Layout == rows.I16Ones {
		if stored.Scale != nil {
			shape.flags |= cacheScales
			a.scale = stored.Scale
		}
	}
	if stored.Layout >= rows.I16F64 {
		a.idx16 = stored.Idx16[:end]
	} else {
		a.idx32 = stored.Idx32[:end]
	}
	if stored.Val64 != nil {
		a.val64 = stored.Val64[:end]
	}
	if stored.Val32 != nil {
		a.val32 = stored.Val32[:end]
	}
	return a, shape
}
