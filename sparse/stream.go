package sparse

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/lanes-go/lanes/asm/rows"
)

// Stream is a data set that stays in its file, a cache, and is read where and when its
// rows are needed: for data that do not fit in memory. It holds 60 bytes for each group
// of rows, some 30,000 entries.
//
// WithBias, NormalizeUnit and Scaled return views that rows are read through, as the
// methods of Matrix and Scaler return matrices. All views may be read by several
// goroutines at a time.
type Stream struct {
	*streamFile
	bias   float64
	unit   bool
	scaler *Scaler
	filled []uint32 // of the scaler
}

// streamFile is what views have in common.
type streamFile struct {
	pieces []streamPiece // the files, one after the other
	shape  cacheShape    // of all
	groups []cacheGroup
	first  []int         // row of each group, and the number of rows
	offset []int64       // of each group, as if the groups of all files were in one
	known  []atomic.Bool // groups whose entries were checked
	// heads are checksums of known groups, up to their values.
	heads   []atomic.Uint32
	written atomic.Bool  // a file has changed since it was opened
	rows    atomic.Int64 // read so far, in all sweeps
	bytes   atomic.Int64 // the same
	large   int64        // bytes of the largest group
}

func (s *streamFile) queries() bool { return s.shape.flags&cacheQueries != 0 }

// Name is the path of the file, of several the first with the number of others.
func (s *Stream) Name() string {
	name := s.pieces[0].name
	if others := len(s.pieces) - 1; others > 0 {
		name += fmt.Sprintf(" and %d more", others)
	}
	return name
}

// Rows returns the number of rows.
func (s *Stream) Rows() int { return int(s.shape.n) }

// Cols returns the number of columns, the bias column included.
func (s *Stream) Cols() int {
	if s.bias != 0 {
		return int(s.shape.d) + 1
	}
	return int(s.shape.d)
}

// NNZ returns the number of entries in the file.
func (s *Stream) NNZ() int64 { return int64(s.shape.entries) }

// Bias returns the value of the constant last column, 0 where there is none.
func (s *Stream) Bias() float64 { return s.bias }

// Identity tells the rows from others: it is made of the sizes and checksums that the
// index has of them, so that equal files have equal ones. Other than Fingerprint it depends
// on how rows are stored, and costs nothing.
func (s *Stream) Identity() string {
	sum := crc64.New(crc64.MakeTable(crc64.ECMA))
	head := []uint64{s.shape.n, s.shape.d, s.shape.entries, uint64(s.shape.layout), uint64(s.shape.flags)}
	binary.Write(sum, binary.LittleEndian, head)
	var line []byte
	for k := range s.groups {
		line = s.groups[k].appendIndex(line[:0])
		sum.Write(line)
	}
	return fmt.Sprintf("%016x", sum.Sum64())
}

// Progress returns how many rows and bytes have been read so far, by all sweeps and
// views.
func (s *Stream) Progress() (rows, bytes int64) { return s.rows.Load(), s.bytes.Load() }

// WithBias returns a view with a constant last column of the given finite value; 0
// removes it.
func (s *Stream) WithBias(value float64) *Stream {
	view := *s
	view.bias = value
	return &view
}

// NormalizeUnit returns a view whose rows are those of Matrix.NormalizeUnit.
func (s *Stream) NormalizeUnit() *Stream {
	view := *s
	view.unit = true
	return &view
}

// Scaled returns a view whose rows are scaled by the parameters of scaler, as those that
// Scaler.Apply makes of a matrix that keeps float64 values (Matrix.Keep).
func (s *Stream) Scaled(scaler *Scaler) (*Stream, error) {
	if scaler == nil {
		return nil, errors.New("sparse: Stream.Scaled: there is no scaler")
	}
	if err := scaler.check(int(s.shape.d)); err != nil {
		return nil, err
	}
	view := *s
	if !scaler.same() {
		view.scaler, view.filled = scaler, scaler.filled()
	}
	return &view, nil
}

// FitMinMax is the function of that name on the rows of the file, as they are there. It
// reads the file once, in pieces of about the given number of bytes, and takes 24 bytes a
// column beside the result.
func (s *Stream) FitMinMax(size int64) (*Scaler, error) {
	f, err := s.Ranges(0, s.Rows(), size)
	if err != nil {
		return nil, err
	}
	return f.Scaler()
}

// Ranges looks through the rows from first to end-1 for what FitMinMax has to know of
// them, as FitMinMax does.
func (s *Stream) Ranges(first, end int, size int64) (*Ranges, error) {
	if err := s.checkRows("Ranges", first, end); err != nil {
		return nil, err
	}
	f := newRanges(int(s.shape.d))
	err := s.sweep(first, end, size, func(part *StreamPart, first, end int) { f.add(part.X, first, end) })
	if err != nil {
		return nil, err
	}
	return f, nil
}

// sweep calls use for the rows from first to end-1 as the file has them, whatever the view:
// in pieces of about the given number of bytes, of which it names the rows of part.X.
func (s *Stream) sweep(first, end int, size int64, use func(part *StreamPart, first, end int)) error {
	plain, part := &Stream{streamFile: s.streamFile}, new(StreamPart)
	for first < end {
		next := plain.Fit(first, end, size)
		if err := plain.Read(part, first, next); err != nil {
			return err
		}
		use(part, first-part.First, next-part.First)
		first = next
	}
	return nil
}

// Labels calls use for the labels of the rows from first to end-1, in their order, some
// thousand at a time; the slice is used again. It reads the labels alone, and does not
// verify checksums: damage shows when the rows are read.
func (s *Stream) Labels(first, end int, use func(first int, y []float64) error) error {
	if err := s.checkRows("Labels", first, end); err != nil || use == nil {
		return err
	}
	var bytes []byte
	var labels []float64
	for k := s.groupOf(first); k < len(s.groups) && s.first[k] < end; k++ {
		g := &s.groups[k]
		from, to := max(first, s.first[k]), min(end, s.first[k+1])
		bytes = sized(bytes, 8*(to-from))
		p := s.pieceOf(k)
		at := p.at(s.offset[k]) + groupHeader + 4*int64(g.rows) + 8*int64(from-s.first[k])
		if n, err := p.file.ReadAt(bytes, at); n < len(bytes) {
			return s.trouble(k, err)
		}
		labels = sized(labels, to-from)
		float64s(labels, bytes)
		if err := use(from, labels); err != nil {
			return err
		}
	}
	return nil
}

// CountClasses lists the distinct labels of the rows from first to end-1 as the function
// of that name does, and tells whether that is all of them: it looks no further once
// there are more than most. It reads the labels alone, as Labels does.
func (s *Stream) CountClasses(first, end, most int) (classes []Class, all bool, err error) {
	counts := make(classCounts)
	errMany := errors.New("more classes")
	err = s.Labels(first, end, func(_ int, y []float64) error {
		if counts.add(y); len(counts) > most {
			return errMany
		}
		return nil
	})
	switch {
	case err == errMany:
		return counts.list(), false, nil
	case err != nil:
		return nil, false, err
	}
	return counts.list(), true, nil
}

// groupOf returns the group of a row.
func (s *streamFile) groupOf(row int) int {
	return sort.Search(len(s.groups), func(k int) bool { return s.first[k+1] > row })
}

func (s *Stream) checkRows(op string, first, end int) error {
	if first < 0 || end < first || end > s.Rows() {
		return fmt.Errorf("sparse: Stream.%s: rows %d to %d of %d", op, first, end, s.Rows())
	}
	return nil
}

// StreamPart is a run of rows of a Stream in memory, which the next Read uses again.
type StreamPart struct {
	// X holds whole groups: row i of the data set is row i-First of X.
	X     *Matrix
	First int
	// Y has the labels of all rows of X, Query their groups or nil.
	Y     []float64
	Query []int64

	arrays  cacheArrays
	ptr     []int64
	buffer  []byte
	columns []uint32 // of scaled rows
	values  []float64
}

// room is what a group takes in memory.
func (s *Stream) room(k int) int64 {
	g := &s.groups[k]
	perRow, perEntry := int64(4+8+8), int64(entryBytes(s.shape.layout))
	if s.queries() {
		perRow += 8
	}
	if hasOnes(s.shape.layout) {
		perRow += 8
	}
	switch {
	case s.scaler != nil: // 16-bit indices too
		return perRow*int64(g.rows) + (perEntry+14)*(int64(g.entries)+int64(g.rows)*int64(len(s.filled)))
	case s.unit && hasOnes(s.shape.layout):
		perRow += 8
	case s.unit && valueBytes(s.shape.layout) == 4:
		perEntry += 8
	}
	return perRow*int64(g.rows) + perEntry*int64(g.entries)
}

// Fit returns the end of the largest run of rows from first on, up to end, that takes no
// more than the given number of bytes; at least those of one group.
func (s *Stream) Fit(first, end int, size int64) int {
	if s.checkRows("Fit", first, end) != nil || first == end {
		return end
	}
	k := s.groupOf(first)
	room := s.large + s.room(k)
	for k++; k < len(s.groups) && s.first[k] < end; k++ {
		if room += s.room(k); room > size {
			break
		}
	}
	return min(s.first[k], end)
}

// Read reads the rows from first to end-1, checks them, and puts them into part, whose
// memory it uses again where that is enough.
func (s *Stream) Read(part *StreamPart, first, end int) error {
	if part == nil {
		return errors.New("sparse: Stream.Read: there is no part to read to")
	}
	if err := s.checkRows("Read", first, end); err != nil {
		return err
	}
	if first == end {
		*part = StreamPart{X: &Matrix{d: int(s.shape.d), bias: s.bias, cuts: new(cutCache)}, First: first}
		return nil
	}
	from, to := s.groupOf(first), s.groupOf(end-1)+1
	total, entries, large := s.first[to]-s.first[from], 0, int64(0)
	for k := from; k < to; k++ {
		entries += s.groups[k].entries
		large = max(large, s.offset[k+1]-s.offset[k])
	}
	part.First = s.first[from]
	a := &part.arrays
	a.resize(&s.shape, total, entries)
	part.buffer = sized(part.buffer, int(large))
	if k, err := s.readRun(from, to, a, &part.buffer); err != nil {
		return s.trouble(k, err)
	}
	s.rows.Add(int64(total))
	s.bytes.Add(s.offset[to] - s.offset[from])
	part.ptr = sized(part.ptr, total+1)
	part.ptr[0] = 0
	for i, length := range a.lengths {
		part.ptr[i+1] = part.ptr[i] + int64(length)
	}
	part.Y, part.Query = a.labels, nil
	if s.queries() {
		part.Query = a.query
	}
	part.X = &Matrix{n: total, d: int(s.shape.d), bias: s.bias, cuts: new(cutCache), rows: rows.Matrix{
		Begin: part.ptr[:total:total], End: part.ptr[1:], Layout: s.shape.layout,
		Idx16: a.idx16, Idx32: a.idx32, Val32: a.val32, Val64: a.val64, Scale: a.scale,
	}}
	if err := s.check(part, from, to); err != nil {
		return err
	}
	if s.scaler != nil {
		return part.scale(s)
	}
	if s.unit {
		part.normalize(s)
	}
	return nil
}

// resize makes the arrays of a layout hold so many rows and entries; what the layout has
// not is nil.
func (a *cacheArrays) resize(s *cacheShape, rows, entries int) {
	a.lengths, a.labels = sized(a.lengths, rows), sized(a.labels, rows)
	if s.flags&cacheQueries != 0 {
		a.query = sized(a.query, rows)
	}
	if s.flags&cacheScales != 0 {
		a.scale = sized(a.scale, rows)
	}
	if entryBytes(s.layout)-valueBytes(s.layout) == 2 {
		a.idx16 = sized(a.idx16, entries)
	} else {
		a.idx32 = sized(a.idx32, entries)
	}
	switch valueBytes(s.layout) {
	case 8:
		a.val64 = sized(a.val64, entries)
	case 4:
		a.val32 = sized(a.val32, entries)
	}
}

// sized returns a slice of n elements, not nil, in the memory of v where that is enough.
func sized[T any](v []T, n int) []T {
	if cap(v) < n || v == nil {
		return make([]T, n)
	}
	return v[:n]
}

// check looks through the groups that were not looked through before, for what the
// kernels do not bear. A group whose checksum is that of the index stays what it was.
func (s *Stream) check(part *StreamPart, from, to int) error {
	for k := from; k < to; k++ {
		if s.known[k].Load() {
			continue
		}
		if err := s.checkGroup(part.X, part.Y, k, s.first[k]-part.First, part.First); err != nil {
			return err
		}
		s.known[k].Store(true)
	}
	return nil
}

// checkGroup looks through group k, which begins at a row of x, whose row 0 is called base.
func (s *Stream) checkGroup(x *Matrix, y []float64, k, first, base int) error {
	end := first + s.groups[k].rows
	message := x.checkEntries(first, end, base)
	if message == "" {
		if i := slices.IndexFunc(y[first:end], func(v float64) bool { return v-v != 0 }); i >= 0 {
			message = fmt.Sprintf("the label of row %d is %v", s.first[k]+i, y[first+i])
		}
	}
	if message != "" {
		return &FormatError{Name: s.pieceOf(k).name, Message: message}
	}
	return nil
}

// trouble says that a group cannot be read.
func (s *streamFile) trouble(k int, err error) error {
	group, p := new(badGroup), s.pieceOf(k)
	before := s.first[p.group] // messages count the rows of the file
	rows := fmt.Sprintf("rows %d to %d", s.first[k]-before, s.first[k+1]-1-before)
	switch changed := s.known[k].Load(); {
	case errors.Is(err, io.EOF):
		return &FormatError{Name: p.name, Message: fmt.Sprintf("the file ends before %s: it has become shorter since it was opened", rows)}
	case errors.As(err, &group):
		return &FormatError{Name: p.name, Message: fmt.Sprintf("the cache is damaged in %s: %s", rows, group.message)}
	case errors.Is(err, errCacheSum) && changed:
		return &FormatError{Name: p.name, Message: fmt.Sprintf("the file has changed since it was opened: the checksum of %s does not fit any more", rows)}
	case errors.Is(err, errCacheSum):
		return &FormatError{Name: p.name, Message: fmt.Sprintf("the cache is damaged: the checksum of %s does not fit; make it anew from the data", rows)}
	}
	return fmt.Errorf("%s: reading %s: %w", p.name, rows, err)
}

// scale has the rows scaled.
func (p *StreamPart) scale(s *Stream) error {
	m := p.X
	most := int(m.NNZ()) + m.n*len(s.filled)
	p.columns, p.values = sized(p.columns, most)[:0], sized(p.values, most)[:0]
	begin := 0
	for i := range m.n {
		p.columns, p.values = s.scaler.appendRow(p.columns, p.values, m, i, s.filled)
		if k := slices.IndexFunc(p.values[begin:], func(v float64) bool { return v-v != 0 }); k >= 0 {
			return &FormatError{Name: s.Name(), Message: fmt.Sprintf("row %d: column %d is %v once it is scaled", p.First+i, p.columns[begin+k], p.values[begin+k])}
		}
		m.rows.Begin[i] = int64(begin)
		begin = len(p.values)
	}
	p.ptr[m.n] = int64(begin)
	r := &m.rows
	r.Val64, r.Val32, r.Scale, r.Layout = p.values, nil, nil, m.layoutFor(rows.I32F64)
	if r.Idx16 == nil {
		r.Idx32 = p.columns
		return nil
	}
	p.arrays.idx16 = sized(p.arrays.idx16, len(p.columns))
	for e, j := range p.columns {
		p.arrays.idx16[e] = uint16(j)
	}
	r.Idx16 = p.arrays.idx16
	return nil
}

// normalize has rows of unit length, as Matrix.NormalizeUnit has them.
func (p *StreamPart) normalize(s *Stream) {
	m, r := p.X, &p.X.rows
	if hasOnes(r.Layout) || s.shape.flags&cacheEqual != 0 {
		p.values = sized(p.values, m.n)
		for i := range m.n {
			x := 1.0
			if r.Begin[i] < r.End[i] {
				x = r.Value(i, r.Begin[i])
			}
			p.values[i] = unitScale(r.End[i]-r.Begin[i], x)
		}
		r.Val64, r.Val32, r.Scale, r.Layout = nil, nil, p.values, m.layoutFor(rows.I32Ones)
		return
	}
	values := r.Val64
	if values == nil {
		p.values = sized(p.values, len(r.Val32))
		values = p.values
	}
	for i := range m.n {
		m.divideRow(values[r.Begin[i]:r.End[i]], i)
	}
	r.Val64, r.Val32, r.Layout = values, nil, m.layoutFor(rows.I32F64)
}
