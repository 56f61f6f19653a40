package sparse

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"math"
	"math/bits"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/lanes-go/lanes/internal/base/contexts"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/internal/matrix"
)

// Stream is a data set that stays in its file, a cache, and is read where and when its
// rows are needed: for data that do not fit in memory. It holds 60 bytes for each group
// of rows, some 30,000 entries.
//
// WithRows, WithColumns, WithBias, NormalizeUnit and Scaled return views that rows are read through, as
// the methods of Data, Matrix and Scaler return matrices. All views may be read by several
// goroutines at a time.
type Stream struct {
	*streamFile
	shown
	more   int // how many columns the view has beyond the columns of the file; negative where it has fewer
	bias   float64
	unit   bool
	scaler *Scaler
	filled []uint32 // of the scaler
}

// streamFile is what views have in common.
type streamFile struct {
	pieces  []streamPiece // the files, one after the other
	shape   cacheShape    // of all
	names   []string      // of labels, nil where they are numbers
	groups  []cacheGroup
	start   []int         // row of each group in the files, and the number of their rows
	offset  []int64       // of each group, as if the groups of all files were in one
	known   []atomic.Bool // groups whose entries were checked
	written atomic.Bool   // a file has changed since it was opened
	rows    atomic.Int64  // read so far, in all sweeps
	bytes   atomic.Int64  // the same
}

// Name returns the path of the file, or of the first file with the number of others.
func (s *Stream) Name() string {
	name := s.pieces[0].name
	if others := len(s.pieces) - 1; others > 0 {
		name += fmt.Sprintf(" and %d more", others)
	}
	return name
}

// Rows returns the number of rows.
func (s *Stream) Rows() int { return s.first[len(s.groups)] }

// Cols returns the number of columns, the bias column included.
func (s *Stream) Cols() int {
	if s.bias != 0 {
		return s.width() + 1
	}
	return s.width()
}

// width is the number of columns without the bias.
func (s *Stream) width() int { return int(s.shape.d) + s.more }

// NNZ returns the number of entries that the rows have in the file.
func (s *Stream) NNZ() int64 { return s.entries }

// Bias returns the value of the constant last column, 0 without such a column.
func (s *Stream) Bias() float64 { return s.bias }

// Identity returns a text that is equal for equal files, made of the sizes and checksums in the
// index. Unlike Fingerprint it depends on how rows are stored, for example on the ends of groups,
// and reads nothing. Processes compare it to find out whether they have the same files; no
// weights depend on it.
func (s *Stream) Identity() string {
	sum := crc64.New(crc64.MakeTable(crc64.ECMA))
	head := []uint64{s.shape.n, s.shape.d, s.shape.entries, uint64(s.shape.layout), uint64(s.shape.flags)}
	binary.Write(sum, binary.LittleEndian, head)
	var line []byte
	for k := range s.groups {
		line = s.groups[k].appendIndex(line[:0])
		sum.Write(line)
	}
	for _, name := range s.names {
		fmt.Fprintf(sum, "%q", name)
	}
	sum.Write(s.Encoding())
	return fmt.Sprintf("%016x", sum.Sum64())
}

// View returns a text that is equal for views of a file that have the same rows. Checkpoints compare it.
func (s *Stream) View() string {
	sum := crc64.New(crc64.MakeTable(crc64.ECMA))
	if s.scaler != nil {
		binary.Write(sum, binary.LittleEndian, s.scaler.Shift)
		binary.Write(sum, binary.LittleEndian, s.scaler.Width)
	}
	rows := ""
	if s.keep != nil {
		rows = fmt.Sprintf("%d rows %016x, ", s.Rows(), s.sum)
	}
	return fmt.Sprintf("%s%d columns, bias %v, unit %t, scaling %016x", rows, s.width(), s.bias, s.unit, sum.Sum64())
}

// Progress returns how many rows and bytes have been read so far, by all sweeps and
// views.
func (s *Stream) Progress() (rows, bytes int64) { return s.rows.Load(), s.bytes.Load() }

// LabelNames returns the words that labels stand for, as Data.LabelNames: the words of all files,
// in ascending order; nil where labels are numbers.
func (s *Stream) LabelNames() []string { return slices.Clone(s.names) }

// Encoding returns the JSON of the encoder of package table that made the rows, nil elsewhere. It
// is not to be changed.
func (s *Stream) Encoding() []byte { return s.pieces[0].table.encoding }

// HasQueries tells whether rows have groups (qid).
func (s *Stream) HasQueries() bool { return s.shape.has(cacheQueries) }

// HasWeights tells whether rows have weights.
func (s *Stream) HasWeights() bool { return s.shape.has(cacheWeights) }

// HasOffsets tells whether rows have offsets.
func (s *Stream) HasOffsets() bool { return s.shape.has(cacheOffsets) }

// WithColumns returns a view with exactly d columns beside the bias, which is not scaled yet: columns
// that the file lacks are empty, and entries of columns beyond are dropped when a group is loaded.
// Error: d outside 0 to MaxColumns, a view that is scaled.
func (s *Stream) WithColumns(d int) (*Stream, error) {
	switch {
	case d < 0 || d > MaxColumns:
		return nil, fmt.Errorf("sparse: Stream.WithColumns: %d columns; there may be 0 to %d", d, MaxColumns)
	case s.scaler != nil:
		return nil, errors.New("sparse: Stream.WithColumns: the view is scaled; take the columns first")
	}
	view := *s
	view.more = d - int(s.shape.d)
	return &view, nil
}

// WithBias returns a view with a constant last column of the given finite value; 0
// removes it.
func (s *Stream) WithBias(value float64) *Stream {
	view := *s
	view.bias = value
	return &view
}

// NormalizeUnit returns a view whose rows equal the rows of Matrix.NormalizeUnit.
func (s *Stream) NormalizeUnit() *Stream {
	view := *s
	view.unit = true
	return &view
}

// Scaled returns a view whose rows are scaled by the parameters of scaler, in place of what s is scaled
// by. They equal the rows that
// Scaler.Apply makes of a matrix with float64 values (Matrix.WithValues).
func (s *Stream) Scaled(scaler *Scaler) (*Stream, error) {
	if scaler == nil {
		return nil, errors.New("sparse: Stream.Scaled: there is no scaler")
	}
	if err := scaler.check(s.width()); err != nil {
		return nil, err
	}
	view := *s
	if view.scaler, view.filled = nil, nil; !scaler.same() {
		view.scaler, view.filled = scaler, matrix.Filled(scaler.Shift, scaler.Width)
	}
	return &view, nil
}

// FitMinMax is the function FitMinMax on the rows of the view as the file has them. It
// reads the file once, and takes 24 bytes a column beside the result. Once ctx is done, it
// returns an error that wraps ctx.Err().
func (s *Stream) FitMinMax(ctx context.Context) (*Scaler, error) {
	f, err := s.Ranges(ctx, 0, s.Rows())
	if err != nil {
		return nil, err
	}
	return f.Scaler()
}

// Ranges returns the ranges of the columns over the rows from first to end-1. It reads these
// rows once. Once ctx is done, it returns an error that wraps ctx.Err().
func (s *Stream) Ranges(ctx context.Context, first, end int) (*Ranges, error) {
	if err := s.checkRows("Ranges", first, end); err != nil {
		return nil, err
	}
	f := newRanges(int(s.shape.d))
	if err := s.sweep(ctx, first, end, func(g *StreamGroup, first, end int) { f.add(&g.m, first, end) }); err != nil {
		return nil, err
	}
	return f, nil
}

// sweep calls use for the rows from first to end-1 of the view as stored in the file, one group
// after the other.
func (s *Stream) sweep(ctx context.Context, first, end int, use func(g *StreamGroup, first, end int)) error {
	plain, g := &Stream{streamFile: s.streamFile, shown: s.shown}, new(StreamGroup)
	ctx = contexts.Given(ctx)
	for k := s.groupOf(first); first < end; k++ {
		if ctx.Err() != nil {
			return fmt.Errorf("%s: %w", s.Name(), contexts.Err(ctx))
		}
		next := min(end, s.first[k+1])
		if next == first {
			continue
		}
		if err := plain.Load(g, k); err != nil {
			return err
		}
		use(g, first-g.First, next-g.First)
		first = next
	}
	return nil
}

// labels calls use for the labels of the rows from first to end-1, in their order, some
// thousand at a time; the slice is used again. It reads the labels alone, and does not
// verify checksums: damage shows when the rows are read.
func (s *Stream) labels(ctx context.Context, first, end int, use func(first int, y []float64) error) error {
	return s.numbers(ctx, "CountClasses", first, end, 1, func(first int, columns [][]float64) error { return use(first, columns[0]) })
}

// Numbers calls use for the labels y, weights s and offsets o of the rows from first to end-1. It
// takes the rows in their order, some thousand at a time. s is nil for weights of 1, o for offsets
// of 0. The slices are used again. It reads these numbers alone, and does not verify checksums:
// damage shows when the rows are read. Once ctx is done, it returns an error that wraps ctx.Err().
func (s *Stream) Numbers(ctx context.Context, first, end int, use func(y, s, o []float64)) error {
	most := bits.OnesCount8(s.shape.flags&(cacheQueries|cacheWeights|cacheOffsets)) + 1
	return s.numbers(ctx, "Numbers", first, end, most, func(_ int, columns [][]float64) error {
		if use == nil {
			return nil
		}
		own := [2][]float64{}
		rest := columns[1:]
		if s.shape.has(cacheQueries) {
			rest = rest[1:]
		}
		for k, flag := range []uint8{cacheWeights, cacheOffsets} {
			if s.shape.has(flag) {
				own[k], rest = rest[0], rest[1:]
			}
		}
		use(columns[0], own[0], own[1])
		return nil
	})
}

// Queries returns the groups (qid) of all rows, nil where the rows have none. It reads labels and groups alone,
// takes 8 bytes a row, and does not verify checksums: damage shows when the rows are read. Once ctx is done, it
// returns an error that wraps ctx.Err().
func (s *Stream) Queries(ctx context.Context) ([]int64, error) {
	if !s.HasQueries() {
		return nil, nil
	}
	groups, err := memory.Grow[int64]("the groups of rows", nil, s.Rows(), 0)
	if err != nil {
		return nil, err
	}
	groups = groups[:0]
	err = s.numbers(ctx, "Queries", 0, s.Rows(), 2, func(_ int, columns [][]float64) error {
		for _, bits := range columns[1] {
			groups = append(groups, int64(math.Float64bits(bits)))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return groups, nil
}

// numbers calls use for the first columns of numbers that rows have: their labels, and what
// follows the labels of a group.
func (s *Stream) numbers(ctx context.Context, op string, first, end, count int, use func(first int, columns [][]float64) error) error {
	if err := s.checkRows(op, first, end); err != nil {
		return err
	}
	var bytes []byte
	columns := make([][]float64, count)
	ctx = contexts.Given(ctx)
	for k := s.groupOf(first); k < len(s.groups) && s.first[k] < end; k++ {
		if ctx.Err() != nil {
			return fmt.Errorf("%s: %w", s.Name(), contexts.Err(ctx))
		}
		g := &s.groups[k]
		from, to := max(first, s.first[k]), min(end, s.first[k+1])
		if from == to {
			continue
		}
		read, stop := from-s.first[k], to-s.first[k] // of the group
		if s.keep != nil {
			read, stop = 0, g.rows
		}
		bytes = matrix.Sized(bytes, 8*(stop-read))
		p := s.pieceOf(k)
		for c := range columns {
			at := p.at(s.offset[k]) + groupHeader + int64(4+8*c)*int64(g.rows) + 8*int64(read)
			if n, err := p.file.ReadAt(bytes, at); n < len(bytes) {
				return s.trouble(k, err)
			}
			columns[c] = matrix.Sized(columns[c], stop-read)
			float64s(columns[c], bytes)
		}
		if i := p.table.relabel(columns[0]); i >= 0 {
			return s.trouble(k, &badGroup{p.table.noWord(s.start[k]+read+i, columns[0][i])})
		}
		for c := 0; s.keep != nil && c < count; c++ {
			columns[c] = shownOf(s, k, columns[c])[from-s.first[k] : to-s.first[k]]
		}
		if err := use(from, columns); err != nil {
			return err
		}
	}
	return nil
}

// CountClasses lists the distinct labels of the rows from first to end-1, in ascending order. It
// stops after more than most labels; all tells whether the list is complete. It reads the labels
// alone. Once ctx is done, it returns an error that wraps ctx.Err().
func (s *Stream) CountClasses(ctx context.Context, first, end, most int) (classes []Class, all bool, err error) {
	counts := make(classCounts)
	errMany := errors.New("more classes")
	err = s.labels(ctx, first, end, func(_ int, y []float64) error {
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
func (s *shown) groupOf(row int) int {
	return sort.Search(len(s.first)-1, func(k int) bool { return s.first[k+1] > row })
}

func (s *Stream) checkRows(op string, first, end int) error {
	if first < 0 || end < first || end > s.Rows() {
		return fmt.Errorf("sparse: Stream.%s: rows %d to %d of %d", op, first, end, s.Rows())
	}
	return nil
}

// check validates a group, because kernels trust its contents: a checksum finds damage, not malice.
// Indices and labels are checked at every load; the values of a group are if its checksum was.
func (s *Stream) check(g *StreamGroup, k int, same bool) error {
	first, n := s.start[k], g.m.Rows()
	message := checkColumns(&g.m, 0, n, first)
	if message == "" && !same {
		message = checkValues(&g.m, 0, n, first)
	}
	if message == "" && !finite(g.Y) {
		if i := slices.IndexFunc(g.Y, func(v float64) bool { return v-v != 0 }); i >= 0 {
			message = fmt.Sprintf("the label of row %d is %v", first+i, g.Y[i])
		}
	}
	if message == "" {
		message = checkWeights(g.Weight, g.Offset, first)
	}
	if message != "" {
		return &FormatError{Name: s.pieceOf(k).name, Message: message}
	}
	s.known[k].Store(true)
	return nil
}

// trouble says that a group cannot be read.
func (s *streamFile) trouble(k int, err error) error {
	group, p := new(badGroup), s.pieceOf(k)
	before := s.start[p.group] // messages count the rows of the file
	rows := fmt.Sprintf("rows %d to %d", s.start[k]-before, s.start[k+1]-1-before)
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
