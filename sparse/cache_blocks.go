package sparse

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// cacheCursor reads one array of a cache from its start to its end, a checked block of
// the file at a time.
type cacheCursor struct {
	file   io.ReaderAt
	offset int64 // of the next block
	number int64 // of it in the file
	left   int64 // bytes of elements from there on
	buffer []byte
	ready  []byte // checked and not taken
}

// next returns the next bytes of the array, whole elements and as many as most at most.
func (c *cacheCursor) next(most int) ([]byte, error) {
	if len(c.ready) == 0 {
		size := int(min(cacheBlock, c.left))
		if len(c.buffer) < size+4 {
			c.buffer = make([]byte, size+4)
		}
		block := c.buffer[:size+4]
		if n, err := c.file.ReadAt(block, c.offset); n < len(block) {
			return nil, err
		}
		c.ready = block[:size]
		if binary.LittleEndian.Uint32(block[size:]) != blockSum(c.number, c.ready) {
			return nil, errCacheSum
		}
		c.offset, c.number, c.left = c.offset+int64(size)+4, c.number+1, c.left-int64(size)
	}
	out := c.ready[:min(most, len(c.ready))]
	c.ready = c.ready[len(out):]
	return out, nil
}

// fill reads all of a section, which has a part of the array.
func (c *cacheCursor) fill(s *cacheSection) error {
	s.room(int(s.count))
	for at := 0; uint64(at) < s.count; {
		b, err := c.next((int(s.count) - at) * s.width)
		if err != nil {
			return err
		}
		s.decode(at, b)
		at += len(b) / s.width
	}
	return nil
}

// cacheBlocks yields the rows of a cache in blocks of about size bytes. The file has the
// given length.
func cacheBlocks(file io.ReaderAt, length int64, name string, options *ReadOptions, size int, yield func(*Data) bool) error {
	bad := func(format string, a ...any) error {
		return &FormatError{Name: name, Message: fmt.Sprintf(format, a...)}
	}
	var shape cacheShape
	message, err := shape.read(io.NewSectionReader(file, 0, length), options.MaxColumns)
	if err != nil {
		return cacheTrouble(name, err)
	}
	if message != "" {
		return bad("%s", message)
	}
	rows := uint64(0)
	give := func(arrays *cacheArrays, part *cacheShape) (goOn bool, err error) {
		data, message := arrays.data(context.Background(), part, options.Workers, int(rows))
		if message != "" {
			return false, bad("%s", message)
		}
		if err := data.suit(name, options); err != nil {
			return false, err
		}
		rows += part.n
		if options.Progress != nil {
			options.Progress(int64(float64(length)*(float64(rows)/float64(shape.n))), int64(rows))
		}
		return yield(data), nil
	}
	switch {
	case shape.version == 1:
		err = sectionBlocks(file, length, &shape, size, bad, give)
	case uint64(length) != shape.length():
		err = bad("%s", cacheLength(length, shape.length()))
	default:
		err = groupBlocks(file, &shape, size, give)
	}
	if format := (*FormatError)(nil); err != nil && !errors.As(err, &format) {
		return cacheTrouble(name, err)
	}
	if err == nil && shape.n == 0 {
		return bad("the file holds no rows")
	}
	return err
}

// groupBlocks gives runs of groups, which are blocks as they are.
func groupBlocks(file io.ReaderAt, shape *cacheShape, size int, give func(*cacheArrays, *cacheShape) (bool, error)) error {
	groups, err := readIndex(file, shape)
	if err != nil {
		return err
	}
	offset := int64(cacheHeader)
	for from := 0; from < len(groups); {
		part, to, bytes := *shape, from, int64(0)
		for part.n, part.entries = 0, 0; to < len(groups) && (to == from || bytes < int64(size)); to++ {
			g := &groups[to]
			bytes += g.size(shape.flags&cacheQueries != 0)
			part.n, part.entries = part.n+uint64(g.rows), part.entries+uint64(g.entries)
		}
		arrays, buffer := new(cacheArrays), []byte(nil)
		arrays.reserve(&part, int(part.n), int(part.entries))
		if _, err := readRun(file, shape, groups, from, to, offset, arrays, &buffer); err != nil {
			return err
		}
		if goOn, err := give(arrays, &part); err != nil || !goOn {
			return err
		}
		from, offset = to, offset+bytes
	}
	return nil
}

// sectionBlocks gives the rows of a cache of version 1.
func sectionBlocks(file io.ReaderAt, length int64, shape *cacheShape, size int, bad func(string, ...any) error, give func(*cacheArrays, *cacheShape) (bool, error)) error {
	var cursors []*cacheCursor
	offset, number, each, entryBytes := uint64(cacheHeader1), int64(0), 0, 0
	for _, s := range new(cacheArrays).sections(shape) {
		blocks, bytes := s.blocks()
		cursors = append(cursors, &cacheCursor{file: file, offset: int64(offset), number: number, left: int64(s.count) * int64(s.width)})
		offset, number = offset+bytes, number+int64(blocks)
	}
	if uint64(length) != offset {
		return bad("%s", cacheLength(length, offset))
	}
	for _, s := range new(cacheArrays).sections(&cacheShape{layout: shape.layout, flags: shape.flags, n: 1}) {
		if each += int(s.count) * s.width; s.count == 0 {
			entryBytes += s.width
		}
	}
	rows, entries := uint64(0), uint64(0)
	for rows < shape.n {
		arrays := new(cacheArrays)
		part := cacheShape{layout: shape.layout, flags: shape.flags, d: shape.d}
		for taken := 0; rows+part.n < shape.n && taken < size; {
			b, err := cursors[0].next(4)
			if err != nil {
				return err
			}
			count := binary.LittleEndian.Uint32(b)
			arrays.lengths = append(arrays.lengths, count)
			if part.entries += uint64(count); part.entries > shape.entries-entries { // before memory is taken
				return bad("%s", tooManyEntries(shape.entries))
			}
			part.n++
			taken += each + int(min(uint64(count), uint64(size)))*entryBytes
		}
		for k, s := range arrays.sections(&part) {
			if k == 0 {
				continue
			}
			if err := cursors[k].fill(&s); err != nil {
				return err
			}
		}
		if goOn, err := give(arrays, &part); err != nil || !goOn {
			return err
		}
		rows, entries = rows+part.n, entries+part.entries
	}
	if entries != shape.entries {
		return bad("%s", otherEntries(entries, shape.entries))
	}
	return nil
}
