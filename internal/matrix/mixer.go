package matrix

import (
	"slices"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/base/memory"
)

// mixer takes the values of a store's rows as a mixed matrix keeps them, while that saves memory.
type mixer struct {
	columns []uint32 // that have values, ascending
	place   []uint16 // of the columns up to the last of these: one more than a place in columns, or 0
	grown   int      // how often columns came in
	val32   []float32
	val64   []float64 // instead, once a value is no float32
}

const (
	// A mixed matrix has at most mostMixed columns with values, all of them before lastMixed.
	mostMixed, lastMixed = 1 << 8, 1 << 20
	// mostGrown is how often a store may find a further column with values.
	mostGrown = 16
	// mixedShare is the least number of entries for each number that is kept. Products write the
	// numbers out, which does not pay if most entries have one.
	mixedShare = 2
	// fewWithout is the least number of rows for each row without a plan: these take twice as long.
	fewWithout = 16
)

// mixes tells whether the values are to be kept as in a mixed matrix.
func (s *Store) mixes() bool {
	return !s.triedMix && s.mix == nil && s.pack == nil && s.options.Packing == PackLarge &&
		s.options.Values <= ValuesPerRow && s.values() >= ValuesFloat32 && s.Entries() >= s.mixFrom
}

// mixAll keeps the values that are there as in a mixed matrix, if that pays.
func (s *Store) mixAll() error {
	s.triedMix = true
	x := &mixer{}
	if !s.lookAll(x) || !s.pays(x, s.Rows(), s.Entries()) {
		return nil
	}
	r := s.entries(s.Rows())
	if without := plan(&r, &rows.Mix{Columns: x.columns}); without > s.Rows()/fewWithout {
		return nil
	}
	if err := x.read(s, r); err != nil {
		return err
	}
	s.mix, s.val32, s.val64 = x, nil, nil
	return nil
}

// read takes the values of the first rows of s.
func (x *mixer) read(s *Store, from rows.Matrix) (err error) {
	n := len(from.Begin)
	size, wanted := n*len(x.columns), s.wantRows*len(x.columns)+rows.MixPad
	if x.val32, x.val64 = nil, nil; s.values() == ValuesFloat64 {
		x.val64, err = memory.Make[float64](what, size, wanted)
	} else {
		x.val32, err = memory.Make[float32](what, size, wanted)
	}
	if err != nil {
		return err
	}
	for i := range n {
		for e := from.Begin[i]; e < from.End[i]; e++ {
			if j := from.Column(e); j < len(x.place) && x.place[j] > 0 {
				x.set(i, int(x.place[j])-1, from.Value(i, e))
			}
		}
	}
	return nil
}

// reserved32 is how many float32s there is to be room for, as reserved says for float64s.
func (s *Store) reserved32() int {
	if s.triedMix || s.options.Packing != PackLarge || s.options.Values > ValuesPerRow {
		return s.wantEntries
	}
	return min(s.wantEntries, 2*packEntries)
}

// lookAll finds the columns with values of all rows. It returns false if there are too many.
func (s *Store) lookAll(x *mixer) bool {
	const part = 1 << 10
	entries := int(s.Entries())
	var columns [part]uint32
	var values [part]float64
	for at := 0; at < entries; at += part {
		n := min(part, entries-at)
		for e := range n {
			if s.idx16 != nil {
				columns[e] = uint32(s.idx16[at+e])
			} else {
				columns[e] = s.idx32[at+e]
			}
			if s.val64 != nil {
				values[e] = s.val64[at+e]
			} else {
				values[e] = float64(s.val32[at+e])
			}
		}
		if _, ok := x.look(columns[:n], values[:n]); !ok {
			return false
		}
	}
	return true
}

// look adds the columns that have a value here, and returns how many there are. It returns false,
// and may leave x with more columns than there is room for, if they are too many.
func (x *mixer) look(columns []uint32, values []float64) (added int, ok bool) {
	for e, v := range values {
		j := columns[e]
		if v == 1 || int(j) < len(x.place) && x.place[j] > 0 {
			continue
		}
		if j >= lastMixed || len(x.columns) == mostMixed {
			return added, false
		}
		at, _ := slices.BinarySearch(x.columns, j)
		x.columns = slices.Insert(x.columns, at, j)
		x.place = append(x.place, make([]uint16, max(0, int(j)+1-len(x.place)))...)
		for s, j := range x.columns[at:] {
			x.place[j] = uint16(at + s + 1)
		}
		added++
	}
	return added, true
}

// pays tells whether a mixed matrix with this number of rows and entries saves enough memory.
func (s *Store) pays(x *mixer, rows int, entries int64) bool {
	return entries >= mixedShare*int64(rows)*int64(len(x.columns))
}

// set writes a value of row i.
func (x *mixer) set(i, place int, v float64) {
	if at := i*len(x.columns) + place; x.val64 != nil {
		x.val64[at] = v
	} else {
		x.val32[at] = float32(v)
	}
}

// appendMixed takes the values of rows whose indices were added. If that no longer pays, it keeps a
// value an entry instead.
func (s *Store) appendMixed(lengths []int, columns []uint32, values []float64) error {
	x, before := s.mix, s.Rows()-len(lengths)
	old := slices.Clone(x.columns)
	added, ok := x.look(columns, values)
	if added > 0 {
		x.grown++
	}
	if !ok || x.grown > mostGrown || !s.pays(x, s.Rows(), s.Entries()) {
		return s.unmix(old, before, values)
	}
	if added > 0 || x.val64 == nil && s.values() == ValuesFloat64 {
		if err := x.read(s, s.mixed(old, before)); err != nil {
			return err
		}
	}
	var err error
	if x.val64 != nil {
		x.val64, err = extended(x.val64, len(lengths)*len(x.columns), s.wantRows*len(x.columns)+rows.MixPad)
	} else {
		x.val32, err = extended(x.val32, len(lengths)*len(x.columns), s.wantRows*len(x.columns)+rows.MixPad)
	}
	if err != nil {
		return err
	}
	at := 0
	for k, length := range lengths {
		for e := at; e < at+length; e++ {
			if j := int(columns[e]); j < len(x.place) && x.place[j] > 0 {
				v := 1.0
				if values != nil {
					v = values[e]
				}
				x.set(before+k, int(x.place[j])-1, v)
			}
		}
		at += length
	}
	return nil
}

// extended returns v with n zeros behind it.
func extended[V float32 | float64](v []V, n, wanted int) ([]V, error) {
	v, err := memory.Grow(what, v, n, wanted)
	if err != nil {
		return nil, err
	}
	return v[:len(v)+n], nil // Grow leaves zeros
}

// entries returns the first rows, without their values if these are mixed.
func (s *Store) entries(count int) rows.Matrix {
	return rows.Matrix{Begin: s.ptr[:count], End: s.ptr[1 : count+1], Idx16: s.idx16, Idx32: s.idx32, Val32: s.val32, Val64: s.val64}
}

// mixed returns the first rows, which have values in the given columns.
func (s *Store) mixed(columns []uint32, count int) rows.Matrix {
	r := s.entries(count)
	r.Mix = &rows.Mix{Columns: columns, Stride: len(columns), Val32: s.mix.val32, Val64: s.mix.val64}
	return r
}

// unmix keeps a value an entry: of the rows before the given one, which have values in old columns,
// and of the others.
func (s *Store) unmix(old []uint32, before int, values []float64) (err error) {
	from := s.mixed(old, before)
	s.mix = nil
	at, entries := int(s.ptr[before]), int(s.Entries())
	if s.values() == ValuesFloat64 {
		if s.val64, err = memory.Make[float64](what, entries, s.wantEntries); err != nil {
			return err
		}
		unmixTo(s.val64, &from)
		copy(s.val64[at:], values)
		if values == nil {
			Fill(s.val64[at:], 1)
		}
		if s.wants() {
			return s.packAll()
		}
		return nil
	}
	if s.val32, err = memory.Make[float32](what, entries, s.wantEntries); err != nil {
		return err
	}
	unmixTo(s.val32, &from)
	narrow(s.val32[at:], values)
	return nil
}

func unmixTo[V float32 | float64](to []V, from *rows.Matrix) {
	for i, begin := range from.Begin {
		for e := begin; e < from.End[i]; e++ {
			to[e] = V(from.Value(i, e))
		}
	}
}

// Mixed returns m as a mixed matrix, whatever that saves. It returns false if m has no value an
// entry, or packs them, or has too many columns with a value.
func Mixed(m *Matrix) (*Matrix, bool) {
	m = indexed(m)
	s := NewStore(Storage{})
	s.idx16, s.idx32, s.val32, s.val64 = m.rows.Idx16, m.rows.Idx32, m.rows.Val32, m.rows.Val64
	s.ptr = append(s.ptr, m.rows.End...)
	s.seen = Summary{Single: m.rows.Val32 != nil}
	x := &mixer{}
	if m.rows.Val32 == nil && m.rows.Val64 == nil || !s.lookAll(x) || x.read(s, m.rows) != nil {
		return nil, false
	}
	out := *m
	out.clearValues()
	out.cuts = new(cutCache)
	out.setMix(x.mix(&out.rows))
	return &out, true
}

// mix returns the values as the matrix of rows r has them.
func (x *mixer) mix(r *rows.Matrix) *rows.Mix {
	mix := &rows.Mix{Columns: slices.Clip(x.columns), Stride: len(x.columns), Val32: padded(x.val32), Val64: padded(x.val64)}
	plan(r, mix)
	return mix
}

// padded returns v with zeros that kernels may read.
func padded[V float32 | float64](v []V) []V {
	if v == nil {
		return nil
	}
	return slices.Clip(append(v, make([]V, rows.MixPad)...))
}
