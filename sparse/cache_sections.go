package sparse

import (
	"context"
	"encoding/binary"
	"io"
	"sync"

	"github.com/lanes-go/lanes/asm/rows"
)

// A cache of version 1 holds one array after the other:
//
//	header   magic, version, layout, flags, n, d, non-zeros, CRC-32C of the header
//	sections row lengths (uint32), labels (float64), queries (int64, if flagged),
//	         row values (float64, if flagged), indices (uint32 or uint16),
//	         values (float64, float32 or none)
//
// A section is cut into blocks of cacheBlock bytes, the last one shorter, each
// followed by the CRC-32C of its number in the file and its bytes. Such caches are read,
// and no longer written.
const cacheBlock = 1 << 20

// cacheSection is one array of a cache.
type cacheSection struct {
	width  int    // bytes an element
	count  uint64 // elements
	perRow bool   // one a row, not an entry
	// room makes the array hold at least so many elements.
	room func(elements int)
	// decode makes elements from at on of bytes.
	decode func(at int, b []byte)
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
	list := []cacheSection{newSection(&a.lengths, s.n, 4, uint32s), newSection(&a.labels, s.n, 8, float64s)}
	if s.flags&cacheQueries != 0 {
		list = append(list, newSection(&a.query, s.n, 8, int64s))
	}
	if s.flags&cacheScales != 0 {
		list = append(list, newSection(&a.scale, s.n, 8, float64s))
	}
	for k := range list {
		list[k].perRow = true
	}
	if s.layout >= rows.I16F64 {
		list = append(list, newSection(&a.idx16, s.entries, 2, uint16s))
	} else {
		list = append(list, newSection(&a.idx32, s.entries, 4, uint32s))
	}
	switch s.layout {
	case rows.I16F64, rows.I32F64:
		list = append(list, newSection(&a.val64, s.entries, 8, float64s))
	case rows.I16F32, rows.I32F32:
		list = append(list, newSection(&a.val32, s.entries, 4, float32s))
	}
	return list
}

// newSection describes the array at p; read makes elements of bytes.
func newSection[T any](p *[]T, count uint64, width int, read func(to []T, b []byte)) cacheSection {
	return cacheSection{
		width: width, count: count,
		room: func(elements int) {
			if elements > len(*p) {
				*p = room(*p, elements-len(*p), 0)[:elements]
			}
		},
		decode: func(at int, b []byte) { read((*p)[at:at+len(b)/width], b) },
	}
}

// blocks counts blocks and bytes of a section of count elements.
func (s *cacheSection) blocks() (blocks, bytes uint64) {
	each := uint64(cacheBlock / s.width)
	blocks = (s.count + each - 1) / each
	return blocks, s.count*uint64(s.width) + 4*blocks
}

// readSections reads a stream, block after block; memory grows as it arrives.
func readSections(r io.Reader, sections []cacheSection) error {
	buffer := make([]byte, cacheBlock+4)
	number := int64(0)
	for _, s := range sections {
		for at := 0; uint64(at) < s.count; {
			elements := int(min(uint64(cacheBlock/s.width), s.count-uint64(at)))
			block := buffer[:elements*s.width+4]
			if _, err := io.ReadFull(r, block); err != nil {
				return err
			}
			s.room(int(min(s.count, uint64(max(at+elements, streamStep/s.width)))))
			if err := s.take(number, at, block); err != nil {
				return err
			}
			at += elements
			number++
		}
	}
	if n, err := io.ReadFull(r, buffer[:1]); n > 0 {
		return errTrailing
	} else if err != io.EOF {
		return err
	}
	return nil
}

// take checks a block and puts its elements at position at.
func (s *cacheSection) take(number int64, at int, block []byte) error {
	body := block[:len(block)-4]
	if binary.LittleEndian.Uint32(block[len(body):]) != blockSum(number, body) {
		return errCacheSum
	}
	s.decode(at, body)
	return nil
}

// readSectionsAt reads the blocks of a file of known length in parallel.
func readSectionsAt(ctx context.Context, file io.ReaderAt, sections []cacheSection, workers int) error {
	type job struct {
		section *cacheSection
		number  int64
		at      int
		offset  int64
		size    int
	}
	var mu sync.Mutex
	var failed error
	var next job
	k := 0
	next.offset = cacheHeader1
	for i := range sections {
		sections[i].room(int(sections[i].count))
	}
	take := func() (job, bool) {
		mu.Lock()
		defer mu.Unlock()
		for k < len(sections) && uint64(next.at) >= sections[k].count {
			k, next.at = k+1, 0
		}
		if failed == nil && ctx.Err() != nil {
			failed = context.Cause(ctx)
		}
		if k == len(sections) || failed != nil {
			return job{}, false
		}
		s := &sections[k]
		elements := int(min(uint64(cacheBlock/s.width), s.count-uint64(next.at)))
		next.section, next.size = s, elements*s.width+4
		j := next
		next.number++
		next.at += elements
		next.offset += int64(next.size)
		return j, true
	}
	work := func() {
		var buffer []byte
		for {
			j, ok := take()
			if !ok {
				return
			}
			if buffer == nil { // not before there is work: workers may be many, blocks few
				buffer = make([]byte, cacheBlock+4)
			}
			block := buffer[:j.size]
			n, err := file.ReadAt(block, j.offset)
			if n == len(block) {
				err = j.section.take(j.number, j.at, block)
			}
			if err != nil {
				mu.Lock()
				failed = err
				mu.Unlock()
			}
		}
	}
	var group sync.WaitGroup
	for range workers - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
	return failed
}
