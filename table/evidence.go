package table

import (
	"bytes"
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"

	"github.com/lanes-go/lanes/internal/base/decimal"
)

// markEvidence says how the numbers of a column may be written. All counts are of cells.
type markEvidence struct {
	// shapes counts cells by the readings that they fit.
	shapes shapes
	// short and long count whole numbers without marks: of up to three digits, and of more.
	short, long int64
	// units counts numbers with a mark of money or per cent.
	units map[string]int64
	// doubtful are cells that have another value with a decimal mark than with a mark of thousands.
	doubtful example
	// money counts doubtful cells with a mark of money. decorated counts cells that are plain
	// decimals but for a unit or the way a minus is written.
	money, decorated int64
}

// shapes counts cells by the readings that they fit, of which there are few.
type shapes []shape

type shape struct {
	fit fits // a bit for each of readings
	n   int64
}

func (s *shapes) add(fit fits, n int64) {
	if n == 0 {
		return
	}
	for k := range *s {
		if c := &(*s)[k]; c.fit == fit {
			c.n += n
			return
		}
	}
	*s = append(*s, shape{fit, n})
}

// of returns the number of cells that fit these readings and no others.
func (s shapes) of(fit fits) int64 {
	for _, c := range s {
		if c.fit == fit {
			return c.n
		}
	}
	return 0
}

// all returns the number of cells.
func (s shapes) all() (all int64) {
	for _, c := range s {
		all += c.n
	}
	return all
}

// fitsOf returns the readings that fit a cell, which count called what.
func fitsOf(w *need, cell []byte, what int) fits {
	switch {
	case what == aGap:
		return isGap
	case what == anInfinity:
		return isInfinite
	case what == aNumber && w.marks == nil:
		return plainFits(cell)
	case what == aNumber:
		return anyReading
	case w.marks != nil:
		return 0
	}
	_, fit := writtenFits(cell)
	return fit
}

// writtenFits returns the readings that fit a cell which is no plain decimal.
func writtenFits(cell []byte) (w writtenNumber, fit fits) {
	if w.take(cell) {
		for k, r := range readings {
			if r.fits(w.text()) {
				fit |= 1 << k
			}
		}
	}
	return w, fit
}

// plainFits returns the readings of a plain decimal. At least pad bytes can be read behind cell.
func plainFits(cell []byte) fits {
	if cell[0] <= ' ' || cell[len(cell)-1] <= ' ' {
		cell = bytes.Trim(cell, " \t")
	}
	n := len(cell)
	if n < 5 || cell[n-4] != '.' {
		const ones = 0x0101010101010101
		first := binary.LittleEndian.Uint64(cell[:pad])
		if n < 8 {
			first <<= 64 - 8*n
		}
		// A byte of it is a point if and only if that sets the highest bit of some byte.
		if x := first ^ '.'*ones; (x-ones)&^x&(0x80*ones) == 0 && (n <= 8 || bytes.IndexByte(cell[8:], '.') < 0) {
			return anyReading
		}
		return pointReadings
	}
	for cell[0] == '+' || cell[0] == '-' {
		cell = cell[1:]
	}
	// readings[pointThousands].fits of such a decimal, in a tenth less time for a whole table. The last
	// three are digits, or an exponent.
	if n = len(cell); n >= 5 && n <= 7 && cell[0] != '0' && cell[n-3]-'0' <= 9 && cell[n-2]-'0' <= 9 && cell[n-1]-'0' <= 9 {
		return pointReadings | 1<<pointThousands
	}
	return pointReadings
}

// weigh takes a cell that count called what.
func (e *markEvidence) weigh(cell []byte, what int, n, place int64) {
	switch what {
	case aNumber:
		fit := plainFits(cell)
		if fit == anyReading {
			if _, whole := decimal.Whole(binary.LittleEndian.Uint64(cell[:pad]), len(cell)); whole && uint(len(cell)-1) < 8 {
				e.whole(len(cell), n)
				return
			}
			if digits := bytes.Trim(cell, " \t+-"); !bytes.ContainsAny(digits, "eE") {
				e.whole(len(digits), n)
				return
			}
		}
		if e.shapes.add(fit, n); fit&commaReadings != 0 && fit != anyReading {
			e.doubtful.add(cell, n, place)
		}
	case noNumber:
		w, fit := writtenFits(cell)
		if fit != 0 && len(w.unit) > 0 {
			if e.units == nil {
				e.units = map[string]int64{}
			}
			e.units[string(w.unit)] += n
		}
		if fit&1 != 0 {
			e.decorated += n
		}
		if fit == anyReading {
			e.whole(w.n, n)
			return
		}
		if e.shapes.add(fit, n); fit&pointReadings != 0 && fit&commaReadings != 0 {
			e.doubtful.add(cell, n, place)
			if len(w.unit) > 0 && w.unit[0] != '%' {
				e.money += n
			}
		}
	}
}

// whole takes a whole number without marks.
func (e *markEvidence) whole(digits int, n int64) {
	e.shapes.add(anyReading, n)
	if digits <= 3 {
		e.short += n
	} else {
		e.long += n
	}
}

func (e *markEvidence) merge(other *markEvidence) {
	for _, c := range other.shapes {
		e.shapes.add(c.fit, c.n)
	}
	e.short += other.short
	e.long += other.long
	for unit, n := range other.units {
		if e.units == nil {
			e.units = map[string]int64{}
		}
		e.units[unit] += n
	}
	e.money += other.money
	e.decorated += other.decorated
	e.doubtful.merge(&other.doubtful)
}

// fitting returns how many cells fit a reading, by its place in readings.
func (e *markEvidence) fitting(k int) (n int64) {
	for _, c := range e.shapes {
		if c.fit>>k&1 != 0 {
			n += c.n
		}
	}
	return n
}

// best returns the readings that fit the most cells, of those allowed.
func (e *markEvidence) best(allowed fits) (best fits, most int64) {
	most = -1
	for k := range readings {
		if allowed>>k&1 == 0 {
			continue
		}
		n := e.fitting(k)
		if n > most {
			best, most = 0, n
		}
		if n == most {
			best |= 1 << k
		}
	}
	return best, most
}

// mark returns the decimal mark that the column leaves no doubt about, 0 for none. Columns that
// are no numbers say nothing.
func (e *markEvidence) mark(allowed fits) byte {
	all := e.shapes.all()
	best, most := e.best(allowed)
	switch {
	case 20*most < 19*all || most == 0:
	case best&commaReadings == 0:
		return '.'
	case best&pointReadings == 0:
		return ','
	}
	return 0
}

// reading returns how the numbers of the column are read, by a place in readings. doubt says that
// another way fits as well and is likely enough to be named. mark is the decimal mark of the other
// columns, 0 where they say nothing. separator is the separator of the cells, 0 outside of CSV.
func (e *markEvidence) reading(allowed fits, mark, separator byte) (k int, doubt bool) {
	best, _ := e.best(allowed)
	has := func(k int) bool { return best>>k&1 != 0 }
	own, thousands := plainReading, pointThousands
	switch {
	case has(plainReading):
	case has(commaReading):
		own, thousands = commaReading, commaThousands
	default:
		for k, r := range readings {
			if has(k) && (r.decimal == mark || mark == 0) {
				return k, false
			}
		}
		return bits.TrailingZeros16(uint16(best)), false
	}
	grouped := e.short > 0 && e.long == 0 // 988 beside 56,993
	switch {
	case !has(thousands) || e.doubtful.count == 0:
		return own, false
	case e.money == e.doubtful.count: // money has no third place
		return thousands, false
	case mark == readings[own].decimal:
		return own, own == commaReading && grouped
	case mark != 0:
		return thousands, false
	case own == plainReading && (separator == ',' || separator == 0 || e.long > 0):
		return own, false
	case grouped || own == commaReading && separator != ';' && e.long == 0:
		return thousands, true
	}
	return own, true
}

// unitNames are the units in the order of bytes.
func (e *markEvidence) unitNames() []string { return slices.Sorted(maps.Keys(e.units)) }
