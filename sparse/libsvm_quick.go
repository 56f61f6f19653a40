package sparse

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unsafe"

	"github.com/lanes-go/lanes/internal/base/decimal"
)

// quick reads entries of the usual forms, from p on to position n of the chunk. Such an entry has
// an index of up to seven digits, allowed and larger than the index before, a colon, and a value.
// After an index of up to five digits the value may be a digit. Otherwise it is a signed decimal
// with a digit before its point and up to seven digits after it. One space precedes the next
// index. quick returns the positions after the entries and the last index. Method line reads the
// rest: other forms, errors, the end of the line.
//
// A step from an index to the next takes a few instructions on eight bytes each. It has no branch
// on lengths or signs, which processors cannot predict.
func (c *textChunk) quick(p, n int, previous uint64, rules *textRules) (next, entries int, last uint64) {
	p, n, previous = c.quickOnes(p, n, previous, rules.base, rules.maxColumns)
	return c.quickNumbers(p, n, previous, rules.base, rules.maxColumns)
}

// The characters after an index, the first one in the lowest byte.
const (
	colon         = ':'
	colonOneSpace = ' '<<16 | '1'<<8 | ':'
)

// quickOnes reads entries whose value is 1.
func (c *textChunk) quickOnes(p, n int, previous, base, most uint64) (next, entries int, last uint64) {
	columns := c.columns
	values := c.values[:len(columns)]
	text := unsafe.Pointer(&c.text[0])
	length := oneDigit
	for n < len(columns) {
		w := eight(text, p)
		x := w ^ decimal.Zeros
		if stop := decimal.NotDigits(x); !length.is(stop) {
			if length = lengthOf(stop); length == 0 {
				break
			}
		}
		if w>>length.bits()&0xffffff != colonOneSpace {
			break
		}
		index := length.number(x) + base
		if index <= previous || index > most {
			break
		}
		columns[n], values[n] = uint32(index-1), 1
		n++
		previous = index
		p += length.bytes() + 3
	}
	return p, n, previous
}

// quickNumbers reads entries whose value is a digit or a decimal.
func (c *textChunk) quickNumbers(p, n int, previous, base, most uint64) (next, entries int, last uint64) {
	columns := c.columns
	values := c.values[:len(columns)]
	text := unsafe.Pointer(&c.text[0])
	others := uint64(0)
	length, places := oneDigit, oneDigit
	for n < len(columns) {
		w := eight(text, p)
		x := w ^ decimal.Zeros
		if stop := decimal.NotDigits(x); !length.is(stop) {
			if length = lengthOf(stop); length == 0 {
				break
			}
		}
		w >>= length.bits()
		if w&0xff != colon {
			break
		}
		index := length.number(x) + base
		if index <= previous || index > most {
			break
		}
		q := p + length.bytes() + 1
		var v float64
		var after byte
		if w&0xff0000 == ' '<<16 || w&0xff0000 == '\n'<<16 {
			digit := w>>8&0xff - '0'
			if digit > 9 {
				break
			}
			v, after = float64(int64(digit)), byte(w>>16)
			others |= digit ^ 1
			q++
		} else {
			w = eight(text, q)
			negative := (w&0xff ^ '-' - 1) >> 63
			w >>= 8 * negative
			lead := w&0xff - '0'
			if lead > 9 || w>>8&0xff != '.' {
				break
			}
			q += int(negative) + 2
			w = eight(text, q)
			x = w ^ decimal.Zeros
			if stop := decimal.NotDigits(x); !places.is(stop) {
				if places = lengthOf(stop); places == 0 {
					break
				}
			}
			if after = byte(w >> places.bits()); after != ' ' && after != '\n' {
				break
			}
			// At most eight digits over a power of ten are rounded once.
			v = float64(int64(lead*decimal.WholePowers[places.bytes()]+places.number(x))) / decimal.Powers[places.bytes()]
			v = math.Float64frombits(math.Float64bits(v) | negative<<63)
			others = 1
			q += places.bytes()
		}
		columns[n], values[n] = uint32(index-1), v
		n++
		previous = index
		if p = q; after == '\n' {
			break
		}
		p++
	}
	c.others = c.others || others != 0
	return p, n, previous
}

// quickLabel reads a label of one digit, signed or not, and the space after it; where another
// one stands it returns p.
func (c *textChunk) quickLabel(p int) (label float64, next int) {
	w := eight(unsafe.Pointer(&c.text[0]), p)
	negative, positive := (w&0xff^'-'-1)>>63, (w&0xff^'+'-1)>>63
	w >>= 8 * (negative | positive)
	digit := w&0xff - '0'
	if digit > 9 || w>>8&0xff != ' ' {
		return 0, p
	}
	label = float64(int64(digit))
	return math.Float64frombits(math.Float64bits(label) | negative<<63), p + 1 + int(negative|positive)
}

// digitCount is a number of digits from 1 to 7, in bits of the text; 0 means none of these. It is
// usually the same as for the number before. So the text after the digits is read by this
// prediction, before the length is known.
type digitCount uint64

const oneDigit digitCount = 8

// lengthOf finds the first mark of decimal.NotDigits.
func lengthOf(stop uint64) digitCount {
	if stop == 0 {
		return 0
	}
	return digitCount(bits.TrailingZeros64(stop) & 56)
}

// is tells whether the first byte that stop marks is the one after l digits.
func (l digitCount) is(stop uint64) bool {
	bit := uint64(0x80) << (l & 63)
	return stop&(bit<<1-1) == bit
}

func (l digitCount) bits() uint { return uint(l) & 63 }
func (l digitCount) bytes() int { return int(l / 8) }

// number returns the number of the first l of eight digits.
func (l digitCount) number(x uint64) uint64 { return decimal.Join(x << ((64 - l) & 63)) }

// eight are the bytes from p on. All positions in the lines of a chunk have as many behind
// them.
func eight(text unsafe.Pointer, p int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(text, p))[:])
}
