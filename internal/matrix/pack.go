package matrix

import (
	"math"
	"math/bits"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/base/memory"
)

// Packing says how values that are stored one an entry may be packed. Packing is lossless: values
// and results keep their bits. Packed values take 2 or 4 bytes instead of 4 or 8.
type Packing uint8

// The zero Packing packs the values of matrices of 65,536 entries and more that need a float64
// each. It packs them as decimals if that is exact, otherwise as codes if at most 4,096 values
// are distinct. Decimals make products faster; codes save memory. Before that it looks whether few
// columns have all values other than 1, and keeps the values of these alone. PackNever keeps a
// float32 or float64 an entry. PackCodes and PackDecimals pack every matrix of such values for which their
// packing is exact, and no other.
//
// Codes are 16-bit places in a table of up to 65,536 distinct values. Decimals are 32-bit whole
// numbers over one power of ten up to 10^18. Values written with a fixed number of places are
// decimals.
const (
	PackLarge Packing = iota
	PackNever
	PackCodes
	PackDecimals
)

// packEntries is the number of entries from which PackLarge packs. With fewer there is little to
// gain, and looking every value up takes longer.
const packEntries = 1 << 16

// mostCodes is how many values a table has at most, quickCodes how many one has that nobody
// asked for, which are 32 KB: with 33,679, products with rows in the caches took 1.5 to 2.3
// times as long as with float64s.
const mostCodes, quickCodes = 1 << 16, 1 << 12

// packer packs values as they come, while that is exact.
type packer struct {
	// Codes: the table, and where each value of it is found by its bits.
	table []float64
	slots []uint32 // one more than a place in the table, 0 for none; a power of two
	codes []uint16
	most  int // values in the table

	// Decimals.
	decimals []int32
	unit     *rows.Unit
	ten      float64 // 10^places
	places   int
	largest  int64 // absolute value
}

// newCodes and newDecimals make packers that have no values yet.
func newCodes(most int) *packer { return &packer{slots: make([]uint32, 1<<12), most: most} }

func newDecimals() *packer {
	return &packer{decimals: []int32{}, unit: rows.NewUnit(0), ten: 1}
}

// add packs values and reserves memory for wanted values in all. It tells whether packing was
// exact. If not, the packer has the values that it had before. Its units may then be smaller, or
// its table may have unused values. The error is a *memory.ShortError.
func (p *packer) add(values []float64, wanted int) (exact bool, err error) {
	if p.unit == nil {
		at := len(p.codes)
		if p.codes, err = memory.Grow(what, p.codes, len(values), wanted); err != nil {
			return false, err
		}
		p.codes = p.codes[:at+len(values)]
		if p.encode(p.codes[at:], values) {
			return true, nil
		}
		p.codes = p.codes[:at]
		return false, nil
	}
	at := len(p.decimals)
	if p.decimals, err = memory.Grow(what, p.decimals, len(values), wanted); err != nil {
		return false, err
	}
	p.decimals = p.decimals[:at+len(values)]
	if p.count(at, values) {
		return true, nil
	}
	p.decimals = p.decimals[:at]
	return false, nil
}

// encode writes the codes of values, and adds new values to the table until it is full.
func (p *packer) encode(to []uint16, values []float64) bool {
	shift := 64 - bits.Len(uint(len(p.slots)-1))
	mask := uint64(len(p.slots) - 1)
	for e, v := range values {
		b := math.Float64bits(v)
		k := b * 0x9e3779b97f4a7c15 >> shift
		for {
			code := p.slots[k]
			if code == 0 {
				if len(p.table) == p.most {
					return false
				}
				p.table = append(p.table, v)
				code = uint32(len(p.table))
				p.slots[k] = code
				to[e] = uint16(code - 1)
				if 2*len(p.table) > len(p.slots) {
					p.spread()
					return p.encode(to[e+1:], values[e+1:])
				}
				break
			}
			if math.Float64bits(p.table[code-1]) == b {
				to[e] = uint16(code - 1)
				break
			}
			k = (k + 1) & mask
		}
	}
	return true
}

// spread doubles the places that values are looked up in.
func (p *packer) spread() {
	p.slots = make([]uint32, 2*len(p.slots))
	shift, mask := 64-bits.Len(uint(len(p.slots)-1)), uint64(len(p.slots)-1)
	for c, v := range p.table {
		k := math.Float64bits(v) * 0x9e3779b97f4a7c15 >> shift
		for p.slots[k] != 0 {
			k = (k + 1) & mask
		}
		p.slots[k] = uint32(c) + 1
	}
}

// count writes values as whole numbers of the unit, from number at on, and makes the unit
// smaller where a value needs it.
func (p *packer) count(at int, values []float64) bool {
	for {
		n := p.wholes(p.decimals[at:], values)
		if at, values = at+n, values[n:]; len(values) == 0 {
			return true
		}
		factor, found := p.divide(values[0])
		if !found {
			return false
		}
		for e := range p.decimals[:at] {
			p.decimals[e] *= factor
		}
	}
}

// wholes writes values as whole numbers of units, up to the first value that is not a whole
// number. It returns the number of values written.
func (p *packer) wholes(to []int32, values []float64) int {
	ten, unit, largest := p.ten, rows.Unit{High: p.unit.High, Low: p.unit.Low}, p.largest
	to = to[:len(values)]
	e := 0
	for e < len(values) {
		n, exact := whole(&unit, ten, values[e])
		if !exact {
			break
		}
		to[e] = n
		largest = max(largest, int64(n), -int64(n))
		e++
	}
	p.largest = largest
	return e
}

// whole returns the number of units that a value is, of which ten make one.
func whole(unit *rows.Unit, ten, v float64) (n int32, exact bool) {
	scaled := math.RoundToEven(v * ten)
	if !(math.Abs(scaled) <= math.MaxInt32) {
		return 0, false
	}
	n = int32(scaled)
	return n, math.Float64bits(unit.Of(n)) == math.Float64bits(v)
}

// divide makes the unit so small that a value is a whole number of it, and returns by how
// much. There may be no such unit that leaves room for all numbers so far.
func (p *packer) divide(v float64) (factor int32, found bool) {
	next, by := *p, int64(1)
	for next.places < rows.MostPlaces {
		by *= 10
		next.places++
		next.ten *= 10
		if next.largest = p.largest * by; next.largest > math.MaxInt32 || math.Abs(v*next.ten) > math.MaxInt32 {
			return 0, false
		}
		next.unit = rows.NewUnit(next.places)
		if _, exact := whole(next.unit, next.ten, v); exact {
			*p = next
			return int32(by), true // of zeros any factor serves
		}
	}
	return 0, false
}

// unpack writes the values from number at on.
func (p *packer) unpack(to []float64, at int) {
	m := rows.Matrix{Codes: p.codes, Table: p.table, Decimals: p.decimals, Unit: p.unit}
	m.Unpack(to, int64(at))
}

// reserved is how many values there is to be room for: as long as they may be packed, no more
// than it takes to find out.
func (s *Store) reserved() int {
	if s.tried || s.options.Packing == PackNever || s.options.Values > ValuesPerRow {
		return s.wantEntries
	}
	return min(s.wantEntries, 2*packEntries)
}

// wants tells whether the values are to be packed.
func (s *Store) wants() bool {
	switch {
	case s.tried || s.options.Packing == PackNever || s.options.Values > ValuesPerRow || s.values() < ValuesFloat32:
		return false
	case s.options.Packing == PackLarge:
		return s.values() == ValuesFloat64 && s.Entries() >= packEntries
	}
	return s.Entries() > 0
}

// packAll packs the values that are there, if that is exact.
func (s *Store) packAll() (err error) {
	s.tried = true
	s.pack, err = s.packing(func(to []float64, at int) {
		if s.val64 != nil {
			copy(to, s.val64[at:])
			return
		}
		for e := range to {
			to[e] = float64(s.val32[at+e])
		}
	})
	if s.pack != nil {
		s.val32, s.val64 = nil, nil
	}
	return err
}

// packing packs all values that read gives. It returns nil if no packing that was asked for is
// exact.
func (s *Store) packing(read func(to []float64, at int)) (*packer, error) {
	switch s.options.Packing {
	case PackDecimals:
		return s.packed(newDecimals(), read)
	case PackCodes:
		return s.packed(newCodes(mostCodes), read)
	}
	if p, err := s.packed(newDecimals(), read); p != nil || err != nil {
		return p, err
	}
	return s.packed(newCodes(quickCodes), read)
}

// packed has p take all values that read gives, and returns nil where they do not fit.
func (s *Store) packed(p *packer, read func(to []float64, at int)) (*packer, error) {
	var buffer [1 << 10]float64
	entries := int(s.Entries())
	for at := 0; at < entries; at += len(buffer) {
		part := buffer[:min(len(buffer), entries-at)]
		read(part, at)
		if exact, err := p.add(part, entries); err != nil || !exact {
			return nil, err
		}
	}
	return p, nil
}

// appendPacked appends values to before packed ones, or packs all of them in another way that is
// exact for the new ones as well.
func (s *Store) appendPacked(values []float64, before int) error {
	p := s.pack
	if exact, err := p.add(values, s.wantEntries); exact || err != nil {
		return err
	}
	whole := func(to []float64, at int) {
		if at < before {
			p.unpack(to[:min(len(to), before-at)], at)
		}
		if at+len(to) > before {
			copy(to[max(before-at, 0):], values[max(at-before, 0):])
		}
	}
	var err error
	if s.pack = nil; p.unit != nil && s.options.Packing == PackLarge {
		s.pack, err = s.packed(newCodes(quickCodes), whole)
	}
	if s.pack != nil || err != nil {
		return err
	}
	entries := before + len(values)
	if s.values() == ValuesFloat64 {
		if s.val64, err = memory.Make[float64](what, entries, s.wantEntries); err == nil {
			whole(s.val64, 0)
		}
		return err
	}
	if s.val32, err = memory.Make[float32](what, entries, s.wantEntries); err != nil {
		return err
	}
	var buffer [1 << 10]float64
	for at := 0; at < entries; at += len(buffer) {
		part := buffer[:min(len(buffer), entries-at)]
		whole(part, at)
		narrow(s.val32[at:at+len(part)], part)
	}
	return nil
}
