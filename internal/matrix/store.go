package matrix

import (
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/base/memory"
)

// MaxColumns is the largest number of columns of a matrix, bias not counted.
const MaxColumns = 1<<31 - 2

// NarrowColumns is the number of columns that 16-bit indices can name.
const NarrowColumns = 1 << 16

// Values says how much is kept of a matrix's values, from nothing to everything. It is safe for
// concurrent use.
type Values uint8

// What a matrix keeps of its values: nothing because all are 1; one value for
// each row because the entries of a row are equal; a float32 or a float64 for
// each entry.
const (
	ValuesNone Values = iota
	ValuesPerRow
	ValuesFloat32
	ValuesFloat64
)

// Storage sets limits to the choice of a matrix's layout. The zero Storage lets
// the smallest exact layout be chosen.
type Storage struct {
	// Float32 rounds every value to the nearest float32, so that at most four
	// bytes an entry are kept. It changes the data.
	Float32 bool
	// Indices32 keeps 32-bit indices even where 16 bits would do.
	Indices32 bool
	// Values is the least that is kept of the values: for benchmarks, and for results that must
	// not depend on the values of the data. Anything above ValuesFloat64 means ValuesFloat64.
	// NormalizeUnit and Scaler.Apply keep as much.
	Values Values
	// Packing says how values that are kept one by one may be packed. With Values of
	// ValuesFloat32 or more they are not.
	Packing Packing
}

// Store is the one place where entries become a Matrix. It takes rows in order, in chunks, and
// holds them in the smallest layout that is exact for all rows so far. It converts earlier rows
// when a chunk needs a larger layout.
type Store struct {
	options Storage
	seen    Summary
	Columns int // one more than the largest column

	ptr   []int64
	idx16 []uint16 // nil once a column needs more bits
	idx32 []uint32
	scale []float64
	val32 []float32
	val64 []float64
	pack  *packer // instead of val32 and val64
	tried bool    // to pack
	mix   *mixer  // instead of val32, val64 and pack
	// mixFrom is the number of entries from which the values may be mixed, and triedMix says that it
	// was seen whether that pays.
	mixFrom  int64
	triedMix bool

	wantRows, wantEntries int
	rounded               []float64
}

// Summary tells what layout the values of some rows need.
type Summary struct {
	PerRow bool // the entries of each row are equal
	Ones   bool // and all are 1
	Single bool // every value is a float32
	Column uint32
}

// NoRows is what no rows need.
var NoRows = Summary{PerRow: true, Ones: true, Single: true}

// With returns what the rows of both need.
func (a Summary) With(b Summary) Summary {
	return Summary{a.PerRow && b.PerRow, a.Ones && b.Ones, a.Single && b.Single, max(a.Column, b.Column)}
}

// Values returns what is to be kept of the values.
func (a Summary) Values() Values {
	switch {
	case a.Ones:
		return ValuesNone
	case a.PerRow:
		return ValuesPerRow
	case a.Single:
		return ValuesFloat32
	}
	return ValuesFloat64
}

// Summarize looks through rows of the given lengths, whose columns ascend. A nil values means ones.
func Summarize(lengths []int, columns []uint32, values []float64) Summary {
	s := NoRows
	for end, k := 0, 0; k < len(lengths); k++ {
		if end += lengths[k]; lengths[k] > 0 {
			s.Column = max(s.Column, columns[end-1])
		}
	}
	if values == nil {
		return s
	}
	for _, length := range lengths {
		if length == 0 {
			continue
		}
		s.observe(values[:length])
		values = values[length:]
		if !s.PerRow && !s.Single {
			break
		}
	}
	return s
}

// observe adds the values of a row.
func (s *Summary) observe(row []float64) {
	if first := math.Float64bits(row[0]); s.PerRow {
		s.PerRow = !slices.ContainsFunc(row, func(v float64) bool { return math.Float64bits(v) != first })
		if s.Ones = s.Ones && s.PerRow && row[0] == 1; s.PerRow {
			row = row[:1] // the others are equal
		}
	}
	s.Single = s.Single && !slices.ContainsFunc(row, func(v float64) bool { return float64(float32(v)) != v })
}

// NewStore returns a store without rows.
func NewStore(options Storage) *Store {
	options.Values = min(options.Values, ValuesFloat64)
	s := &Store{options: options, seen: NoRows, ptr: []int64{0}, mixFrom: packEntries}
	if options.Indices32 {
		s.idx32 = []uint32{}
	} else {
		s.idx16 = []uint16{}
	}
	return s
}

// Expect announces the final size, as well as it is known. Memory for it is
// reserved when entries arrive; pages that stay untouched cost nothing where
// the operating system commits memory on first use.
func (s *Store) Expect(rows, entries int) {
	s.wantRows, s.wantEntries = rows, entries
}

// Rows returns the number of rows, and Entries the number of stored entries.
func (s *Store) Rows() int      { return len(s.ptr) - 1 }
func (s *Store) Entries() int64 { return s.ptr[len(s.ptr)-1] }

func (s *Store) values() Values {
	v := max(s.seen.Values(), s.options.Values)
	if v == ValuesFloat32 && !s.seen.Single {
		return ValuesFloat64
	}
	return v
}

// Add checks and appends rows of the given lengths, whose entries stand one row
// after the other in columns and values; a nil values means that all are 1.
// Columns must ascend strictly within a row and be less than limit.
// The slices stay the caller's. After an error the store is unchanged, but after a
// *memory.ShortError it must not be used.
func (s *Store) Add(lengths []int, columns []uint32, values []float64, limit int) error {
	if err := s.check(lengths, columns, values, min(limit, MaxColumns)); err != nil {
		return err
	}
	if s.options.Float32 && values != nil {
		s.rounded = append(s.rounded[:0], values...)
		for e, v := range s.rounded {
			s.rounded[e] = float64(float32(v))
		}
		values = s.rounded
	}
	return s.Append(lengths, columns, values, Summarize(lengths, columns, values))
}

func (s *Store) check(lengths []int, columns []uint32, values []float64, limit int) error {
	if values != nil && len(values) != len(columns) {
		return fmt.Errorf("%d columns and %d values", len(columns), len(values))
	}
	at := 0
	for k, length := range lengths {
		row := s.Rows() + k
		if length < 0 || length > len(columns)-at {
			return fmt.Errorf("row %d: %d entries of the %d that are left", row, length, len(columns)-at)
		}
		if err := checkColumns(columns[at:at+length], limit, row); err != nil {
			return err
		}
		if values != nil {
			if err := s.checkValues(values[at:at+length], columns[at:at+length], row); err != nil {
				return err
			}
		}
		at += length
	}
	if at != len(columns) {
		return fmt.Errorf("rows of %d entries in all, but %d columns", at, len(columns))
	}
	return nil
}

// checkColumns checks that the columns of a row ascend and are less than limit.
func checkColumns(columns []uint32, limit, row int) error {
	ascend := true
	for k := 1; k < len(columns) && ascend; k++ {
		ascend = columns[k-1] < columns[k]
	}
	if n := len(columns); n == 0 || ascend && int64(columns[n-1]) < int64(limit) {
		return nil
	}
	previous := int64(-1)
	for _, j := range columns {
		if int64(j) >= int64(limit) {
			return fmt.Errorf("row %d: column %d; columns must be less than %d", row, j, limit)
		}
		if int64(j) <= previous {
			return fmt.Errorf("row %d: column %d after column %d; columns must ascend", row, j, previous)
		}
		previous = int64(j)
	}
	return nil
}

// checkValues checks that the values of a row are finite, in the type that they are kept in.
func (s *Store) checkValues(values []float64, columns []uint32, row int) error {
	for e, v := range values {
		if v-v != 0 {
			return fmt.Errorf("row %d: column %d holds %v", row, columns[e], v)
		}
	}
	if !s.options.Float32 {
		return nil
	}
	for e, v := range values {
		if math.IsInf(float64(float32(v)), 0) {
			return fmt.Errorf("row %d: column %d holds %v, too large for a float32", row, columns[e], v)
		}
	}
	return nil
}

// what are the rows in the error of memory that does not suffice.
const what = "the rows"

// Append takes rows that are known to be sound, with their Summary. It returns a *memory.ShortError
// if memory does not suffice; the store must not be used then.
func (s *Store) Append(lengths []int, columns []uint32, values []float64, sum Summary) (err error) {
	if err := memory.Check(what, int64(len(columns)+len(lengths)), 8); err != nil {
		return err
	}
	if err := s.settle(s.seen.With(sum)); err != nil {
		return err
	}
	if len(columns) > 0 {
		s.Columns = max(s.Columns, int(sum.Column)+1)
	}

	if s.ptr, err = memory.Grow(what, s.ptr, len(lengths), s.wantRows+1); err != nil {
		return err
	}
	end := s.Entries()
	for _, length := range lengths {
		end += int64(length)
		s.ptr = append(s.ptr, end)
	}
	if s.idx16 != nil {
		if s.idx16, err = memory.Grow(what, s.idx16, len(columns), s.wantEntries); err != nil {
			return err
		}
		at := len(s.idx16)
		s.idx16 = s.idx16[:at+len(columns)]
		to := s.idx16[at:]
		for e, j := range columns {
			to[e] = uint16(j)
		}
	} else {
		if s.idx32, err = memory.Grow(what, s.idx32, len(columns), s.wantEntries); err != nil {
			return err
		}
		s.idx32 = append(s.idx32, columns...)
	}
	if s.pack != nil {
		if values == nil {
			values = make([]float64, len(columns))
			Fill(values, 1)
		}
		return s.appendPacked(values, int(s.Entries())-len(columns))
	}
	if s.mix != nil {
		return s.appendMixed(lengths, columns, values)
	}
	if err := s.appendValues(lengths, columns, values); err != nil {
		return err
	}
	if s.mixes() {
		if err := s.mixAll(); err != nil {
			return err
		}
	}
	if s.mix == nil && s.wants() {
		return s.packAll()
	}
	return nil
}

func (s *Store) appendValues(lengths []int, columns []uint32, values []float64) (err error) {
	switch s.values() {
	case ValuesPerRow:
		if s.scale, err = memory.Grow(what, s.scale, len(lengths), s.wantRows); err != nil {
			return err
		}
		at := 0
		for _, length := range lengths {
			v := 1.0
			if values != nil && length > 0 {
				v = values[at]
			}
			s.scale = append(s.scale, v)
			at += length
		}
	case ValuesFloat32:
		if s.val32, err = memory.Grow(what, s.val32, len(columns), s.reserved32()); err != nil {
			return err
		}
		at := len(s.val32)
		s.val32 = s.val32[:at+len(columns)]
		narrow(s.val32[at:], values)
	case ValuesFloat64:
		if s.val64, err = memory.Grow(what, s.val64, len(columns), s.reserved()); err != nil {
			return err
		}
		if values == nil {
			at := len(s.val64)
			s.val64 = s.val64[:at+len(columns)]
			Fill(s.val64[at:], 1)
			return nil
		}
		s.val64 = append(s.val64, values...)
	}
	return nil
}

func narrow(to []float32, values []float64) {
	if values == nil {
		Fill(to, 1)
		return
	}
	for e, v := range values[:len(to)] {
		to[e] = float32(v)
	}
}

// settle converts what is stored to the layout that seen needs.
func (s *Store) settle(seen Summary) (err error) {
	before := s.values()
	s.seen = seen
	if seen.Column >= NarrowColumns && s.idx16 != nil {
		if s.idx32, err = memory.Make[uint32](what, len(s.idx16), s.wantEntries); err != nil {
			return err
		}
		for e, j := range s.idx16 {
			s.idx32[e] = uint32(j)
		}
		s.idx16 = nil
	}
	now := s.values()
	if now == before || s.Rows() == 0 || s.pack != nil || s.mix != nil {
		return nil
	}
	entries := int(s.Entries())
	switch now {
	case ValuesPerRow:
		if s.scale, err = memory.Make[float64](what, s.Rows(), s.wantRows); err != nil {
			return err
		}
		Fill(s.scale, 1)
	case ValuesFloat32:
		if s.val32, err = memory.Make[float32](what, entries, s.wantEntries); err != nil {
			return err
		}
		spread(s, s.val32)
		s.scale = nil
	case ValuesFloat64:
		if s.val64, err = memory.Make[float64](what, entries, s.wantEntries); err != nil {
			return err
		}
		if s.val32 != nil {
			for e, v := range s.val32 {
				s.val64[e] = float64(v)
			}
		} else {
			spread(s, s.val64)
		}
		s.scale, s.val32 = nil, nil
	}
	return nil
}

// spread writes the row values, or ones, to every entry.
func spread[V float32 | float64](s *Store, to []V) {
	if s.scale == nil {
		Fill(to, 1)
		return
	}
	for i, v := range s.scale {
		Fill(to[s.ptr[i]:s.ptr[i+1]], V(v))
	}
}

// Fill sets all elements.
func Fill[V float32 | float64](to []V, v V) {
	for e := range to {
		to[e] = v
	}
}

// Matrix returns the rows as a matrix of d columns, which must be at least
// columns. The store must not be used afterwards.
func (s *Store) Matrix(d int) *Matrix {
	n := s.Rows()
	stored := rows.Matrix{
		Begin: s.ptr[:n:n], End: s.ptr[1 : n+1 : n+1],
		Idx16: slices.Clip(s.idx16), Idx32: slices.Clip(s.idx32),
		Scale: slices.Clip(s.scale), Val32: slices.Clip(s.val32), Val64: slices.Clip(s.val64),
	}
	narrowed := s.idx16 != nil
	m := &Matrix{n: n, d: d, cuts: new(cutCache), least: s.options.Values}
	if s.mix != nil {
		stored.Layout = pick(narrowed, rows.I16Mixed, rows.I32Mixed)
		m.rows = stored
		m.setMix(s.mix.mix(&m.rows))
		return m
	}
	if p := s.pack; p != nil {
		stored.Codes, stored.Table, stored.Decimals, stored.Unit = slices.Clip(p.codes), slices.Clip(p.table), slices.Clip(p.decimals), p.unit
		m.single = s.values() == ValuesFloat32
		stored.Layout = pick(narrowed, rows.I16Codes, rows.I32Codes)
		if p.unit != nil {
			stored.Layout = pick(narrowed, rows.I16Decimals, rows.I32Decimals)
		}
		m.rows = stored
		return m
	}
	switch s.values() {
	case ValuesNone, ValuesPerRow:
		stored.Layout = pick(narrowed, rows.I16Ones, rows.I32Ones)
	case ValuesFloat32:
		stored.Layout = pick(narrowed, rows.I16F32, rows.I32F32)
		if stored.Val32 == nil {
			stored.Val32 = []float32{}
		}
	case ValuesFloat64:
		stored.Layout = pick(narrowed, rows.I16F64, rows.I32F64)
		if stored.Val64 == nil {
			stored.Val64 = []float64{}
		}
	}
	if m.rows = stored; m.isFull() {
		m.rows.Full, m.rows.Idx16, m.rows.Idx32 = d, nil, nil
	}
	return m
}

func pick(narrowed bool, a, b rows.Layout) rows.Layout {
	if narrowed {
		return a
	}
	return b
}

// Grow returns s with capacity for extra more elements, or for the expected number if that is more.
func Grow[T any](s []T, extra, expected int) []T {
	need := len(s) + extra
	if need <= cap(s) {
		return s
	}
	grown := make([]T, len(s), max(need, expected, len(s)+len(s)/2))
	copy(grown, s)
	return grown
}

// Sized returns a slice of n elements, not nil, in the memory of v where that is enough.
func Sized[T any](v []T, n int) []T {
	if cap(v) < n || v == nil {
		return make([]T, n)
	}
	return v[:n]
}

// HasOnes tells whether a layout stores no value an entry.
func HasOnes(l rows.Layout) bool { return l == rows.I32Ones || l == rows.I16Ones }

// LayoutOf returns the layout of a matrix of such rows, and what it keeps of their values,
// where none are packed.
func LayoutOf(seen Summary, options Storage) (rows.Layout, Values) {
	s := NewStore(options)
	_ = s.settle(seen) // of no rows, which take no memory
	return s.Matrix(0).rows.Layout, s.values()
}

// Wanted returns how many rows were announced.
func (s *Store) Wanted() int { return s.wantRows }
