package sparse

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/bits"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/base/aside"
	"github.com/lanes-go/lanes/internal/matrix"
)

// A cache holds a Data in groups of rows, so that it can be written as rows
// come and read from anywhere in it. All numbers are little-endian.
//
//	header  magic, version, layout, flags, n, d, non-zeros, groups, offset of the index,
//	        CRC-32C of the header
//	groups  see cacheGroup
//	index   of each group: rows, entries, layout and flags, CRC-32C (uint32 each);
//	        CRC-32C of the index
//	table   see cacheTable; in version 3 alone
//
// Version 3 is written where rows have weights, offsets, labels that are words or an encoder, and
// version 2 elsewhere.
//
// The header has the layout of all rows together. A group is stored in the smallest layout that is
// exact for its own rows, and widened when it is read.
const (
	cacheMagic    = "LANESCSR"
	cacheVersion  = 2
	cacheLater    = 3 // of caches with a table
	cacheHeader   = 60
	cacheIndexing = 16 // bytes of a group in the index

	// mostCached bounds rows and entries. So no sum of the sizes of arrays wraps round, and no
	// array is larger than the address space.
	mostCached = min(math.MaxInt/16, 1<<56)

	cacheQueries = 1 // there are queries
	cacheScales  = 2 // and a value a row, where the layout has ones
	cacheEqual   = 4 // the values of each row are equal, though the layout has one for each
	// From version 3 on:
	cacheWeights = 8  // rows have weights
	cacheOffsets = 16 // rows have offsets
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// cacheShape is what the header says.
type cacheShape struct {
	layout  rows.Layout
	flags   uint8
	n, d    uint64
	entries uint64
	groups  uint64
	index   uint64 // offset
	later   bool   // version 3
	table   uint64 // bytes of the table, once it was read
}

func (s *cacheShape) encode() []byte {
	b := make([]byte, 0, cacheHeader)
	b = append(b, cacheMagic...)
	version := uint32(cacheVersion)
	if s.later {
		version = cacheLater
	}
	b = binary.LittleEndian.AppendUint32(b, version)
	b = append(b, uint8(s.layout), s.flags, 0, 0)
	for _, v := range []uint64{s.n, s.d, s.entries, s.groups, s.index} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// read reads a header. It refuses headers that no matrix can have; it does not know how much
// follows.
func (s *cacheShape) read(r io.Reader, maxColumns int) (message string, err error) {
	b := make([]byte, cacheHeader)
	const start = len(cacheMagic) + 4 // with the version
	if _, err := io.ReadFull(r, b[:start]); err != nil {
		return "", err
	}
	version := binary.LittleEndian.Uint32(b[len(cacheMagic):])
	if s.later = version == cacheLater; version != cacheVersion && !s.later {
		return fmt.Sprintf("the cache has version %d, this program reads versions %d and %d: convert the text again (lanes convert)", version, cacheVersion, cacheLater), nil
	}
	if _, err := io.ReadFull(r, b[start:]); err != nil {
		return "", err
	}
	return s.decode(b, maxColumns), nil
}

func (s *cacheShape) decode(b []byte, maxColumns int) (message string) {
	const last = cacheHeader - 4
	if crc32.Checksum(b[:last], castagnoli) != binary.LittleEndian.Uint32(b[last:]) {
		return "the cache's header is damaged: make the cache anew from the data"
	}
	s.layout, s.flags = rows.Layout(b[12]), b[13]
	s.n = binary.LittleEndian.Uint64(b[16:])
	s.d = binary.LittleEndian.Uint64(b[24:])
	s.entries = binary.LittleEndian.Uint64(b[32:])
	s.groups = binary.LittleEndian.Uint64(b[40:])
	s.index = binary.LittleEndian.Uint64(b[48:])
	known := uint8(cacheQueries | cacheScales | cacheEqual)
	if s.later {
		known |= cacheWeights | cacheOffsets
	}
	switch {
	case s.layout > rows.I16Ones || s.flags&^known != 0 || b[14] != 0 || b[15] != 0 || s.flags&cacheScales != 0 && !matrix.HasOnes(s.layout):
		return "the cache's header names a layout that does not exist"
	case s.d > uint64(maxColumns):
		return fmt.Sprintf("%d columns are too many: at most %d are allowed", s.d, maxColumns)
	case s.n > mostCached || s.entries > mostCached || s.d == 0 && s.entries > 0 || s.entries > 0 && s.entries > s.n*min(s.d, math.MaxUint64/max(s.n, 1)),
		s.groups > s.n, s.index < cacheHeader, s.index > 1<<62, s.groups == 0 && s.n > 0:
		return fmt.Sprintf("the cache's header speaks of %d entries in %d rows and %d columns, which is impossible", s.entries, s.n, s.d)
	}
	return ""
}

// values returns what is kept of the values if they are stored one an entry.
func (s *cacheShape) values() matrix.Values {
	switch valueBytes(s.layout) {
	case 8:
		return matrix.ValuesFloat64
	case 4:
		return matrix.ValuesFloat32
	}
	return matrix.ValuesNone
}

// has tells whether the rows have what a flag says.
func (s *cacheShape) has(flag uint8) bool { return s.flags&flag != 0 }

// extra is the number of bytes of a row for its group, weight and offset.
func (s *cacheShape) extra() int64 {
	return int64(8 * bits.OnesCount8(s.flags&(cacheQueries|cacheWeights|cacheOffsets)))
}

// tableAt is where the table begins, or ends a cache of version 2.
func (s *cacheShape) tableAt() uint64 { return s.index + cacheIndexing*s.groups + 4 }

// length is the number of bytes of a cache.
func (s *cacheShape) length() uint64 { return s.tableAt() + s.table }

// WriteCacheFile writes data as a binary cache, which ReadFile reads at the
// speed of memory and OpenStream from anywhere in it. The bias column is not written.
// The file appears under its name when it is complete and on the disk.
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
	// The header has to come first, and says how long the groups are.
	shape, seen := shapeOf(data), matrix.NoRows
	var groups []cacheGroup
	x := data.X
	for first := 0; first < x.Rows(); {
		end, _ := cut(x, first)
		g, s, err := groupOf(x, first, end)
		if err != nil {
			return err
		}
		groups, seen, first = append(groups, g), seen.With(s), end
	}
	shape.close(groups, seen)
	if _, err := w.Write(shape.encode()); err != nil {
		return err
	}
	out, first := &groupWriter{w: w, later: shape.later}, 0
	out.table.encoding = data.Encoding
	for _, g := range groups {
		if err := out.write(g, data, first); err != nil {
			return err
		}
		first += g.rows
	}
	return out.end()
}

// shapeOf is the header of data, without what is known of their groups.
func shapeOf(data *Data) cacheShape {
	m := data.X
	s := cacheShape{layout: matrix.CachedLayout(m), n: uint64(m.Rows()), d: uint64(matrix.Width(m)), entries: uint64(m.NNZ()), index: cacheHeader}
	s.flags, s.later = flagsOf(data)
	if matrix.HasOnes(s.layout) && matrix.Stored(m).Scale != nil {
		s.flags |= cacheScales
	}
	return s
}

// flagsOf returns the flags of what rows have, and whether version 3 is needed for them.
func flagsOf(data *Data) (flags uint8, later bool) {
	if data.Query != nil {
		flags |= cacheQueries
	}
	if data.Weight != nil {
		flags |= cacheWeights
	}
	if data.Offset != nil {
		flags |= cacheOffsets
	}
	return flags, flags > cacheQueries || data.LabelNames != nil || data.Encoding != nil
}

// close completes the header by all groups, and what their values need together.
func (s *cacheShape) close(groups []cacheGroup, seen matrix.Summary) {
	for k := range groups {
		s.index += uint64(groups[k].size(s.extra()))
	}
	s.groups = uint64(len(groups))
	if seen.PerRow && !matrix.HasOnes(s.layout) {
		s.flags |= cacheEqual
	}
}
