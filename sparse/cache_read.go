package sparse

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/lanes-go/lanes/asm/rows"
)

// streamStep bounds the memory that is reserved for a stream of unknown length
// before its bytes have arrived.
const streamStep = 16 << 20

// cacheBlocks counts blocks and bytes of a section of count elements.
func (s *cacheSection) blocks() (blocks, bytes uint64) {
	each := uint64(cacheBlock / s.width)
	blocks = (s.count + each - 1) / each
	return blocks, s.count*uint64(s.width) + 4*blocks
}

// readCache reads a cache into memory of its own and then validates it like any
// input: the checksums find damage, not malice. It does not map the file, since
// a mapped file could change under indices that have been validated.
//
// file is the same content as r from its first byte, or nil; size is its length.
func readCache(ctx context.Context, r io.Reader, file io.ReaderAt, size int64, name string, options *ReadOptions) (*Data, error) {
	bad := func(format string, a ...any) error {
		return &FormatError{Name: name, Message: fmt.Sprintf(format, a...)}
	}
	header := make([]byte, cacheHeader)
	if _, err := io.ReadFull(r, header); err != nil {
		return nil, cacheTrouble(name, err)
	}
	var shape cacheShape
	if message := shape.decode(header, options.MaxColumns); message != "" {
		return nil, bad("%s", message)
	}
	arrays := new(cacheArrays)
	sections := arrays.sections(&shape)
	length := uint64(cacheHeader)
	for k := range sections {
		_, bytes := sections[k].blocks()
		length += bytes
	}
	var err error
	if file != nil {
		if uint64(size) != length {
			return nil, bad("%s", cacheLength(size, length))
		}
	}
	if file != nil && !hasHoles(file) {
		err = readSectionsAt(ctx, file, sections, options.Workers)
	} else {
		// Holes promise bytes that nobody wrote: memory is taken as blocks prove sound.
		err = readSections(r, sections)
	}
	if err != nil {
		return nil, cacheTrouble(name, err)
	}
	data, message := arrays.data(ctx, &shape, options.Workers, 0)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%s: %w", name, context.Cause(ctx))
	}
	if message != "" {
		return nil, bad("%s", message)
	}
	if shape.n == 0 {
		return nil, bad("the file holds no rows")
	}
	return data, nil
}

func cacheLength(has int64, wants uint64) string {
	return fmt.Sprintf("the cache has %d bytes where its header promises %d: it is truncated or damaged; make it anew from the data", has, wants)
}

func tooManyEntries(promised uint64) string {
	return fmt.Sprintf("the cache's rows have more than the %d entries that its header speaks of", promised)
}

func otherEntries(has, promised uint64) string {
	return fmt.Sprintf("the cache's rows have %d entries, its header speaks of %d", has, promised)
}

var errCacheSum = errors.New("a checksum does not fit")

func cacheTrouble(name string, err error) error {
	switch window := new(windowError); {
	case errors.As(err, &window):
		return &FormatError{Name: name, Message: err.Error()}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &FormatError{Name: name, Message: "the cache is truncated: make it anew from the data"}
	case errors.Is(err, errCacheSum), errors.Is(err, errTrailing):
		return &FormatError{Name: name, Message: "the cache is damaged (" + err.Error() + "): make it anew from the data"}
	}
	return fmt.Errorf("%s: %w", name, err)
}

var errTrailing = errors.New("bytes follow its end")

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
	next.offset = cacheHeader
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

// data checks everything that the kernels and labels need. Rows in messages are counted
// from first on.
func (a *cacheArrays) data(ctx context.Context, shape *cacheShape, workers, first int) (data *Data, message string) {
	m, message := a.matrix(ctx, shape, workers, first)
	if message != "" || ctx.Err() != nil {
		return nil, message
	}
	data = &Data{X: m, Y: a.labels, Query: a.query}
	if err := data.check(first); err != nil {
		return nil, err.Error()
	}
	return data, ""
}

func (a *cacheArrays) matrix(ctx context.Context, shape *cacheShape, workers, first int) (m *Matrix, message string) {
	n := int(shape.n)
	ptr := make([]int64, n+1)
	for i, length := range a.lengths {
		ptr[i+1] = ptr[i] + int64(length)
		if uint64(ptr[i+1]) > shape.entries { // before the sum can wrap round
			return nil, tooManyEntries(shape.entries)
		}
	}
	if uint64(ptr[n]) != shape.entries {
		return nil, otherEntries(uint64(ptr[n]), shape.entries)
	}
	m = &Matrix{n: n, d: int(shape.d), cuts: new(cutCache), rows: rows.Matrix{
		Begin: ptr[:n:n], End: ptr[1:], Layout: shape.layout,
		Idx16: a.idx16, Idx32: a.idx32, Val32: a.val32, Val64: a.val64, Scale: a.scale,
	}}
	if shape.layout >= rows.I16F64 && m.rows.Idx16 == nil {
		m.rows.Idx16 = []uint16{}
	}
	if single := shape.layout == rows.I16F32 || shape.layout == rows.I32F32; single && m.rows.Val32 == nil {
		m.rows.Val32 = []float32{}
	}
	if double := shape.layout == rows.I16F64 || shape.layout == rows.I32F64; double && m.rows.Val64 == nil {
		m.rows.Val64 = []float64{}
	}
	pool := NewPool(workers)
	defer pool.Close()
	check := &rowCheck{ctx: ctx, m: m, rows: m.blockRows(), base: first}
	check.messages = make([]string, (n+check.rows-1)/check.rows)
	pool.Run(len(check.messages), check)
	for _, message := range check.messages {
		if message != "" {
			return nil, message
		}
	}
	return m, ""
}

// rowCheck validates rows in blocks.
type rowCheck struct {
	ctx      context.Context
	m        *Matrix
	rows     int // of a block
	base     int // number of the first row in messages
	messages []string
}

func (c *rowCheck) Block(i int) {
	if c.ctx.Err() != nil {
		return
	}
	first, end := i*c.rows, min((i+1)*c.rows, c.m.n)
	rows := &c.m.rows
	if rows.Idx16 != nil {
		c.messages[i] = checkIndices(rows, rows.Idx16, first, end, c.m.d, c.base)
	} else {
		c.messages[i] = checkIndices(rows, rows.Idx32, first, end, c.m.d, c.base)
	}
	if c.messages[i] != "" {
		return
	}
	begin, stop := rows.Begin[first], rows.End[end-1]
	if rows.Scale != nil && !finite(rows.Scale[first:end]) ||
		rows.Val64 != nil && !finite(rows.Val64[begin:stop]) ||
		rows.Val32 != nil && !finite(rows.Val32[begin:stop]) {
		c.messages[i] = c.m.notFinite(first, end, c.base)
	}
}

// notFinite says where the first NaN or infinity stands, counting rows from base on.
func (m *Matrix) notFinite(first, end, base int) string {
	for row := first; row < end; row++ {
		if m.rows.Scale != nil && !finite(m.rows.Scale[row:row+1]) {
			return fmt.Sprintf("row %d has the value %v", base+row, m.rows.Scale[row])
		}
		for e := m.rows.Begin[row]; e < m.rows.End[row]; e++ {
			if v := m.rows.Value(row, e); v-v != 0 {
				return fmt.Sprintf("row %d: column %d holds %v", base+row, m.rows.Column(e), v)
			}
		}
	}
	return ""
}

func finite[V float32 | float64](values []V) bool {
	bad := V(0)
	for _, v := range values {
		bad += v - v // NaN from the first value that is not finite
	}
	return bad == 0
}

func checkIndices[I uint16 | uint32](rows *rows.Matrix, idx []I, first, end, d, base int) string {
	for row := first; row < end; row++ {
		list := idx[rows.Begin[row]:rows.End[row]]
		for e := 1; e < len(list); e++ {
			if list[e] <= list[e-1] {
				return fmt.Sprintf("row %d: column %d after column %d; columns must ascend", base+row, list[e], list[e-1])
			}
		}
		if len(list) > 0 && uint64(list[len(list)-1]) >= uint64(d) {
			return fmt.Sprintf("row %d: column %d of a matrix of %d columns", base+row, list[len(list)-1], d)
		}
	}
	return ""
}
