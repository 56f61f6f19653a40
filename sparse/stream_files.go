package sparse

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/base/contexts"
	"github.com/lanes-go/lanes/internal/base/stamp"
	"github.com/lanes-go/lanes/internal/matrix"
)

// streamPiece is one of the files of a stream.
type streamPiece struct {
	name  string
	file  *os.File
	stamp stamp.Stamp // when it was opened
	group int         // the first of its groups
	start int64       // offset of that group, as if the groups of all files were in one
	table *cacheTable
}

// at is where in the file what is at an offset of all groups.
func (p *streamPiece) at(offset int64) int64 { return offset - p.start + cacheHeader }

// OpenStream opens a cache that WriteCacheFile, ConvertCacheFile or 'lanes convert' wrote. It
// reads the index alone, 16 bytes a group: what is damaged in a group shows when the group is
// read. Close it when done.
//
// Several caches are one data set, whose rows follow one another in the order of the
// files. Rows have the bits that they have where all of them are in one cache.
//
// Errors of the content are a *FormatError. Once ctx is done, it returns an error that wraps
// ctx.Err().
func OpenStream(ctx context.Context, path string, more ...string) (*Stream, error) {
	s := &Stream{streamFile: &streamFile{}}
	ctx = contexts.Given(ctx)
	for k, path := range append([]string{path}, more...) {
		err := s.append(path, k == 0)
		if ctx.Err() != nil {
			err = fmt.Errorf("%s: %w", path, contexts.Err(ctx))
		}
		if err != nil {
			s.Close()
			return nil, err
		}
	}
	s.known = make([]atomic.Bool, len(s.groups))
	s.start, s.offset = make([]int, len(s.groups)+1), make([]int64, len(s.groups)+1)
	s.offset[0] = cacheHeader
	for k := range s.groups {
		g := &s.groups[k]
		s.start[k+1], s.offset[k+1] = s.start[k]+g.rows, s.offset[k]+g.size(s.shape.extra())
	}
	s.first, s.entries = s.start, int64(s.shape.entries)
	for _, p := range s.pieces {
		s.names = append(s.names, p.table.words...)
	}
	slices.Sort(s.names)
	s.names = slices.Compact(s.names)
	for k := range s.pieces {
		s.pieces[k].start = s.offset[s.pieces[k].group]
		s.pieces[k].table.arrange(s.names)
	}
	return s, nil
}

// Close closes the files. Views are of no use any more.
func (s *Stream) Close() error {
	var errs []error
	for k := range s.pieces {
		errs = append(errs, s.pieces[k].file.Close())
	}
	return errors.Join(errs...)
}

// append opens a file whose rows follow the rows of the files before.
func (s *streamFile) append(path string, first bool) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	shape, table, groups, info, err := openCache(file, path)
	if err == nil && !first {
		err = s.pieces[0].table.join(table, path, s.pieces[0].name)
	}
	if err == nil && !first {
		err = s.shape.join(shape, path, s.pieces[0].name)
	}
	if err != nil {
		file.Close()
		return err
	}
	if first {
		s.shape = *shape
	}
	s.pieces = append(s.pieces, streamPiece{name: path, file: file, stamp: stamp.From(info), group: len(s.groups), table: table})
	s.groups = append(s.groups, groups...)
	return nil
}

// openCache reads the header and the index of a file.
func openCache(file *os.File, name string) (shape *cacheShape, table *cacheTable, groups []cacheGroup, info os.FileInfo, err error) {
	bad := func(format string, a ...any) (*cacheShape, *cacheTable, []cacheGroup, os.FileInfo, error) {
		return nil, nil, nil, nil, &FormatError{Name: name, Message: fmt.Sprintf(format, a...)}
	}
	if info, err = file.Stat(); err != nil {
		return nil, nil, nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return bad("rows are streamed from a cache that is a regular file")
	}
	magic := make([]byte, len(cacheMagic))
	if n, err := file.ReadAt(magic, 0); n < len(magic) && err != io.EOF {
		return nil, nil, nil, nil, err
	}
	if string(magic) != cacheMagic {
		return bad("streaming needs a cache, and this file is not one: make one by lanes convert DATA OUT.lanes")
	}
	shape = new(cacheShape)
	message, err := shape.read(io.NewSectionReader(file, 0, info.Size()), MaxColumns)
	switch {
	case err != nil:
		return nil, nil, nil, nil, cacheTrouble(name, err)
	case message != "":
		return bad("%s", message)
	}
	if table, err = shape.sizedTable(file, info.Size()); err != nil {
		return nil, nil, nil, nil, cacheTrouble(name, err)
	}
	switch {
	case uint64(info.Size()) != shape.length():
		return bad("%s", cacheLength(info.Size(), shape.length()))
	case shape.n == 0:
		return bad("the file holds no rows")
	}
	if groups, err = readIndex(file, shape); err != nil {
		return nil, nil, nil, nil, cacheTrouble(name, err)
	}
	return shape, table, groups, info, nil
}

// join makes s the shape of a cache that has the rows of s and of other: the layout is the smallest
// that fits both. The offsets of groups have no meaning then.
func (s *cacheShape) join(other *cacheShape, name, first string) error {
	const own = cacheQueries | cacheWeights | cacheOffsets
	for _, kind := range []struct {
		flag uint8
		what string
	}{{cacheQueries, "groups (qid)"}, {cacheWeights, "weights"}, {cacheOffsets, "offsets"}} {
		if (s.flags^other.flags)&kind.flag != 0 {
			return &FormatError{Name: name, Message: fmt.Sprintf("its rows and those of %s do not make one data set: only one of the two has %s", first, kind.what)}
		}
	}
	equal := func(s *cacheShape) bool { return matrix.HasOnes(s.layout) || s.flags&cacheEqual != 0 }
	wide := func(s *cacheShape) bool { return valueBytes(s.layout) == 8 || s.flags&cacheScales != 0 }
	index, values := rows.I32F64, rows.I32Ones
	if s.layout >= rows.I16F64 && other.layout >= rows.I16F64 {
		index = rows.I16F64
	}
	both := equal(s) && equal(other)
	flags := s.flags & own
	switch {
	case matrix.HasOnes(s.layout) && matrix.HasOnes(other.layout):
		flags |= (s.flags | other.flags) & cacheScales
	case wide(s) || wide(other):
		values = rows.I32F64
	default:
		values = rows.I32F32
	}
	if both && values != rows.I32Ones {
		flags |= cacheEqual
	}
	s.layout, s.flags = index+values, flags
	s.n, s.d, s.entries, s.groups = s.n+other.n, max(s.d, other.d), s.entries+other.entries, s.groups+other.groups
	if s.n > mostCached || s.entries > mostCached {
		return &FormatError{Name: name, Message: "with its rows there are more than a data set can have"}
	}
	return nil
}

// pieceOf returns the file of a group.
func (s *streamFile) pieceOf(group int) *streamPiece {
	return &s.pieces[sort.Search(len(s.pieces), func(k int) bool { return s.pieces[k].group > group })-1]
}
