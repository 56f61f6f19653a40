package sparse

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"sync"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/base/contexts"
	"github.com/lanes-go/lanes/internal/matrix"
)

// streamStep bounds the memory that is reserved for a stream of unknown length
// before its bytes have arrived.
const streamStep = 16 << 20

// readCache yields the rows of a cache in blocks of about size bytes, or all at once where
// size is math.MaxInt64. It reads into memory of its own and then validates like any input:
// the checksums find damage, not malice. It does not map the file, since a mapped file
// could change under indices that have been validated.
//
// file has the same content as source from its first byte, or is nil; length is its length.
func readCache(ctx context.Context, source io.Reader, file io.ReaderAt, length int64, name string, options *ReadOptions, size int64, yield func(*Data) bool) error {
	bad := func(format string, a ...any) error {
		return &FormatError{Name: name, Message: fmt.Sprintf(format, a...)}
	}
	var shape cacheShape
	message, err := shape.read(source, options.MaxColumns)
	if err != nil {
		return cacheTrouble(name, err)
	}
	if message != "" {
		return bad("%s", message)
	}
	var table *cacheTable
	if file != nil {
		if table, err = shape.sizedTable(file, length); err != nil {
			return cacheTrouble(name, err)
		}
		if uint64(length) != shape.length() {
			return bad("%s", cacheLength(length, shape.length()))
		}
	}
	rows := uint64(0)
	give := func(arrays *cacheArrays, part *cacheShape) (goOn bool, err error) {
		if table.names != nil && !options.WordLabels {
			return false, bad("the labels are words, as %.40q, where numbers are expected", table.names[0])
		}
		data, message := arrays.data(ctx, part, table, options.Workers, int(rows))
		if ctx.Err() != nil {
			return false, contexts.Err(ctx)
		}
		if message != "" {
			return false, bad("%s", message)
		}
		if err := data.suit(name, options); err != nil {
			return false, err
		}
		rows += part.n
		if options.Progress != nil && file != nil {
			options.Progress(int64(float64(length)*(float64(rows)/float64(shape.n))), int64(rows))
		}
		return yield(data), nil
	}
	// Holes promise bytes that nobody wrote: memory is taken as groups prove sound.
	if file == nil || size == math.MaxInt64 && hasHoles(file) {
		arrays := new(cacheArrays)
		if table, err = readGroups(source, arrays, &shape); err == nil && shape.n > 0 {
			_, err = give(arrays, &shape)
		}
	} else {
		err = groupBlocks(ctx, file, &shape, options.Workers, size, give)
	}
	if format := (*FormatError)(nil); err != nil && !errors.As(err, &format) {
		return cacheTrouble(name, err)
	}
	if err == nil && shape.n == 0 {
		return bad("the file holds no rows")
	}
	return err
}

// sizedTable reads the table of a file, if that has one, and learns how long the file should be.
func (s *cacheShape) sizedTable(file io.ReaderAt, length int64) (*cacheTable, error) {
	if !s.later || uint64(length) < s.tableAt() {
		return new(cacheTable), nil
	}
	t, size, err := readTable(io.NewSectionReader(file, int64(s.tableAt()), length-int64(s.tableAt())))
	s.table = size
	return t, err
}

// groupBlocks gives runs of groups, which are blocks as they are.
func groupBlocks(ctx context.Context, file io.ReaderAt, shape *cacheShape, workers int, size int64, give func(*cacheArrays, *cacheShape) (bool, error)) error {
	groups, err := readIndex(file, shape)
	if err != nil {
		return err
	}
	offset := int64(cacheHeader)
	for from := 0; from < len(groups); {
		part, to, bytes := *shape, from, int64(0)
		for part.n, part.entries = 0, 0; to < len(groups) && (to == from || bytes < size); to++ {
			g := &groups[to]
			bytes += g.size(shape.extra())
			part.n, part.entries = part.n+uint64(g.rows), part.entries+uint64(g.entries)
		}
		arrays := new(cacheArrays)
		if err := arrays.reserve(&part, int(part.n), int(part.entries)); err != nil {
			return err
		}
		if err := arrays.readRun(ctx, file, offset, from, groups[from:to], shape, workers); err != nil {
			return err
		}
		if goOn, err := give(arrays, &part); err != nil || !goOn {
			return err
		}
		from, offset = to, offset+bytes
	}
	return nil
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
	group := new(badGroup)
	switch window := new(windowError); {
	case errors.As(err, &window):
		return &FormatError{Name: name, Message: err.Error()}
	case errors.As(err, &group):
		return &FormatError{Name: name, Message: "the cache is damaged: " + group.message}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &FormatError{Name: name, Message: "the cache is truncated: make it anew from the data"}
	case errors.Is(err, errCacheSum), errors.Is(err, errTrailing):
		return &FormatError{Name: name, Message: "the cache is damaged (" + err.Error() + "): make it anew from the data"}
	}
	return fmt.Errorf("%s: %w", name, err)
}

var errTrailing = errors.New("bytes follow its end")

// readGroups reads a stream, group after group; memory grows as they arrive.
func readGroups(r io.Reader, a *cacheArrays, s *cacheShape) (*cacheTable, error) {
	var buffer, index []byte
	var here groupRows
	row, entry := 0, 0
	at := uint64(cacheHeader)
	for number := range int64(s.groups) {
		buffer = append(buffer[:0], make([]byte, groupHeader)...)
		if _, err := io.ReadFull(r, buffer); err != nil {
			return nil, err
		}
		var g cacheGroup
		if !g.decodeHeader(buffer, s) || uint64(g.rows) > s.n-uint64(row) || uint64(g.entries) > s.entries-uint64(entry) {
			return nil, errCacheSum
		}
		size := g.size(s.extra())
		for checked, ok := 0, true; int64(len(buffer)) < size; {
			from := len(buffer)
			buffer = append(buffer, make([]byte, min(size-int64(from), streamStep))...)
			if _, err := io.ReadFull(r, buffer[from:]); err != nil {
				return nil, err
			}
			if checked, ok = g.ascends(buffer, checked, s.extra()); !ok {
				return nil, errCacheSum
			}
		}
		g.sum = binary.LittleEndian.Uint32(buffer[size-4:])
		place := here.place(&g, s.extra())
		copy(place, buffer)
		if err := here.take(place, number, &g, s); err != nil {
			return nil, err
		}
		if err := a.reserve(s, int(min(s.n, uint64(max(row+g.rows, streamStep/64)))), int(min(s.entries, uint64(max(entry+g.entries, streamStep/16))))); err != nil {
			return nil, err
		}
		here.put(a, row, entry)
		row, entry, at = row+g.rows, entry+g.entries, at+uint64(size)
		index = g.appendIndex(index)
	}
	if uint64(row) != s.n || uint64(entry) != s.entries || at != s.index {
		return nil, errCacheSum
	}
	index = binary.LittleEndian.AppendUint32(index, crc32.Checksum(index, castagnoli))
	there := make([]byte, len(index))
	if _, err := io.ReadFull(r, there); err != nil {
		return nil, err
	}
	if string(there) != string(index) {
		return nil, errCacheSum
	}
	table := new(cacheTable)
	if s.later {
		var err error
		if table, _, err = readTable(r); err != nil {
			return nil, err
		}
	}
	if n, err := io.ReadFull(r, there[:1]); n > 0 {
		return nil, errTrailing
	} else if err != io.EOF {
		return nil, err
	}
	return table, nil
}

// readIndex reads the index of a cache, whose file is as long as its header says. Memory
// grows with what proves to be one.
func readIndex(file io.ReaderAt, s *cacheShape) ([]cacheGroup, error) {
	var groups []cacheGroup
	buffer := make([]byte, min(s.groups, 1<<12)*cacheIndexing)
	at, offset, sum := s.index, uint64(cacheHeader), uint32(0)
	var n, entries uint64
	for left := s.groups; left > 0; {
		part := buffer[:min(left, 1<<12)*cacheIndexing]
		if k, err := file.ReadAt(part, int64(at)); k < len(part) {
			return nil, err
		}
		sum = crc32.Update(sum, castagnoli, part)
		for k := 0; k < len(part); k += cacheIndexing {
			var g cacheGroup
			if !g.decodeIndex(part[k:], s) {
				return nil, errCacheSum
			}
			groups = append(groups, g)
			n, entries, offset = n+uint64(g.rows), entries+uint64(g.entries), offset+uint64(g.size(s.extra()))
			if n > s.n || entries > s.entries || offset > s.index {
				return nil, errCacheSum
			}
		}
		at += uint64(len(part))
		left -= uint64(len(part)) / cacheIndexing
	}
	last := make([]byte, 4)
	if k, err := file.ReadAt(last, int64(at)); k < len(last) {
		return nil, err
	}
	if binary.LittleEndian.Uint32(last) != sum || n != s.n || entries != s.entries || offset != s.index {
		return nil, errCacheSum
	}
	return groups, nil
}

// readRun reads a run of groups, which begins in a file at an offset and with the given number, to
// arrays with enough capacity.
func (a *cacheArrays) readRun(ctx context.Context, file io.ReaderAt, offset int64, number int, groups []cacheGroup, s *cacheShape, workers int) error {
	var mu sync.Mutex
	var failed error
	next, row, entry := 0, 0, 0
	work := func() {
		var here groupRows
		for {
			mu.Lock()
			if failed == nil && ctx.Err() != nil {
				failed = contexts.Err(ctx)
			}
			if next == len(groups) || failed != nil {
				mu.Unlock()
				return
			}
			g, k, atRow, atEntry, at := &groups[next], int64(number+next), row, entry, offset
			next, row, entry, offset = next+1, row+g.rows, entry+g.entries, offset+g.size(s.extra())
			mu.Unlock()
			err := here.readAt(file, at, k, g, s)
			if err == nil {
				here.put(a, atRow, atEntry)
				continue
			}
			mu.Lock()
			failed = err
			mu.Unlock()
		}
	}
	var group sync.WaitGroup
	for range min(workers, len(groups)) - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
	return failed
}

// data checks everything that the kernels and labels need. Rows in messages are counted
// from first on.
func (a *cacheArrays) data(ctx context.Context, shape *cacheShape, table *cacheTable, workers, first int) (data *Data, message string) {
	m, message := a.matrix(ctx, shape, workers, first)
	if message != "" || ctx.Err() != nil {
		return nil, message
	}
	if i := table.relabel(a.labels); i >= 0 {
		return nil, table.noWord(first+i, a.labels[i])
	}
	data = &Data{X: m, Y: a.labels, Query: a.query, Weight: a.weight, Offset: a.offset, LabelNames: table.names, Encoding: table.encoding}
	if err := data.check(first); err != nil {
		return nil, err.Error()
	}
	return data, ""
}

func (a *cacheArrays) matrix(ctx context.Context, shape *cacheShape, workers, first int) (*matrix.Matrix, string) {
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
	r := rows.Matrix{
		Begin: ptr[:n:n], End: ptr[1:], Layout: shape.layout,
		Idx16: a.idx16, Idx32: a.idx32, Val32: a.val32, Val64: a.val64, Scale: a.scale,
	}
	if shape.layout >= rows.I16F64 && r.Idx16 == nil {
		r.Idx16 = []uint16{}
	}
	if valueBytes(shape.layout) == 4 && r.Val32 == nil {
		r.Val32 = []float32{}
	}
	if valueBytes(shape.layout) == 8 && r.Val64 == nil {
		r.Val64 = []float64{}
	}
	m := matrix.Of(r, int(shape.d), matrix.ValuesNone)
	pool := matrix.NewPool(workers)
	defer pool.Close()
	check := &rowCheck{ctx: ctx, m: &m, rows: matrix.BlockRows(&m), base: first}
	check.messages = make([]string, (n+check.rows-1)/check.rows)
	matrix.Run(pool, len(check.messages), check)
	for _, message := range check.messages {
		if message != "" {
			return nil, message
		}
	}
	return &m, ""
}

// rowCheck validates rows in blocks.
type rowCheck struct {
	ctx      context.Context
	m        *matrix.Matrix
	rows     int // of a block
	base     int // number of the first row in messages
	messages []string
}

func (c *rowCheck) Block(i int) {
	if c.ctx.Err() != nil {
		return
	}
	c.messages[i] = checkEntries(c.m, i*c.rows, min((i+1)*c.rows, c.m.Rows()), c.base)
}

// checkEntries looks for what the kernels do not bear in rows first to end-1, and says
// what it is; row 0 is called base.
func checkEntries(m *matrix.Matrix, first, end, base int) (message string) {
	if message = checkColumns(m, first, end, base); message == "" {
		message = checkValues(m, first, end, base)
	}
	return message
}

// checkColumns looks for columns that do not ascend or do not exist.
func checkColumns(m *matrix.Matrix, first, end, base int) (message string) {
	rows := matrix.Stored(m)
	if rows.Idx16 != nil {
		return checkIndices(rows, rows.Idx16, asm.Active().Rows.Descents16, first, end, matrix.Width(m), base)
	}
	return checkIndices(rows, rows.Idx32, asm.Active().Rows.Descents32, first, end, matrix.Width(m), base)
}

// checkValues looks for values that are not finite.
func checkValues(m *matrix.Matrix, first, end, base int) (message string) {
	rows := matrix.Stored(m)
	if first == end {
		return ""
	}
	begin, stop := rows.Begin[first], rows.End[end-1]
	if rows.Scale != nil && !finite(rows.Scale[first:end]) ||
		rows.Val64 != nil && !finite(rows.Val64[begin:stop]) ||
		rows.Val32 != nil && !finite(rows.Val32[begin:stop]) {
		return notFinite(rows, first, end, base)
	}
	return ""
}

// notFinite says where the first NaN or infinity stands.
func notFinite(r *rows.Matrix, first, end, base int) string {
	for row := first; row < end; row++ {
		if r.Scale != nil && !finite(r.Scale[row:row+1]) {
			return fmt.Sprintf("row %d has the value %v", base+row, r.Scale[row])
		}
		for e := r.Begin[row]; e < r.End[row]; e++ {
			if v := r.Value(row, e); v-v != 0 {
				return fmt.Sprintf("row %d: column %d holds %v", base+row, r.Column(e), v)
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

// checkIndices counts descents in all rows at once, which follow one another: columns ascend in each
// row if the only descents are between rows.
func checkIndices[I uint16 | uint32](rows *rows.Matrix, idx []I, descents func([]I) int, first, end, d, base int) string {
	if first == end {
		return ""
	}
	begin := rows.Begin[first]
	between, from, last, largest := 0, begin, I(0), I(0)
	for _, to := range rows.End[first:end] {
		if to == from {
			continue
		}
		if from > begin && idx[from] <= last {
			between++
		}
		from, last = to, idx[to-1]
		largest = max(largest, last)
	}
	if (from == begin || uint64(largest) < uint64(d)) && descents(idx[begin:from]) == between {
		return ""
	}
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
