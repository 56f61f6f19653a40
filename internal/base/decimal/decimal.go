// Package decimal reads decimal numbers of text, correctly rounded.
package decimal

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
	"unsafe"
)

// Pad is the number of bytes that must be readable beyond any number's first byte, so that
// eight can be loaded at a time.
const Pad = 16

// Powers are the powers of ten that float64 holds exactly.
var Powers = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// WholePowers are the powers of ten that uint64 holds.
var WholePowers = [20]uint64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
	1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
}

// Digits reads the leading decimal digits of the eight characters in w, the
// first character in the lowest byte: their value and their number.
func Digits(w uint64) (value uint64, count int) {
	w ^= Zeros
	free := uint(64)
	if other := NotDigits(w); other != 0 {
		free = uint(bits.TrailingZeros64(other)) &^ 7
	}
	// The digits move to the top, so that zeros stand before them.
	return Join(w << (64 - free)), int(free / 8)
}

// Whole reads n characters of w, from 1 to 8, the first one in the lowest byte; ok says that all are
// decimal digits.
func Whole(w uint64, n int) (value uint64, ok bool) {
	x := (w ^ Zeros) << ((64 - 8*uint(n)) & 63)
	return Join(x), NotDigits(x) == 0
}

// Short reads the n bytes of b, from 1 on: up to eight characters, digits and at most one point,
// with a minus before them or not. ok is false for any other text. b has at least Pad bytes.
func Short(b []byte, n int, point byte) (v float64, ok bool) {
	negative := (uint64(b[0]^'-') - 1) >> 63
	n -= int(negative)
	if uint(n-1) >= 8 {
		return 0, false
	}
	x := (binary.LittleEndian.Uint64(b[negative:]) ^ Zeros) << (64 - 8*uint(n))
	places := uint(0)
	if stop := NotDigits(x); stop != 0 {
		first := stop & -stop
		places = uint(bits.LeadingZeros64(first)) / 8
		if byte(x>>((56-8*places)&63)) != point^'0' || n == 1 {
			return 0, false
		}
		// The digits before the point move to its place.
		before := first>>7 - 1
		x = x&^(before<<8|0xff) | x&before<<8
		if NotDigits(x) != 0 {
			return 0, false
		}
	}
	// Both are exact, so that the quotient is rounded once.
	v = float64(int64(Join(x))) / Powers[places]
	return math.Float64frombits(math.Float64bits(v) | negative<<63), true
}

// Zeros are eight characters 0. The other functions on eight digits take their values, which are
// the characters ^ Zeros, the first one in the lowest byte.
const Zeros = 0x3030303030303030

// NotDigits marks, by its highest bit, the first of eight bytes that is above 9, and perhaps some
// behind it.
func NotDigits(x uint64) uint64 { return (x + 0x7676767676767676 | x) & 0x8080808080808080 }

// Join returns the number that eight digits write. It joins pairs, fours and eights of digits.
func Join(x uint64) uint64 {
	const mask = 0x000000FF000000FF
	x = x*10 + x>>8
	return ((x&mask)*(100+1000000<<32) + (x>>16&mask)*(1+10000<<32)) >> 32
}

// Parse reads the decimal number at b[p:], correctly rounded, and returns the position after it.
// It returns p if b[p:] does not begin with a number. Overflow gives an infinity. At least Pad
// bytes must follow p, with a non-digit among them or after the digits.
func Parse(b []byte, p int) (float64, int) {
	start := p
	c := b[p]
	negative := c == '-'
	if negative || c == '+' {
		p++
		c = b[p]
	}
	var mantissa uint64
	var count, fraction int
	if lead := c - '0'; lead <= 9 && b[p+1] == '.' {
		mantissa, count = uint64(lead), 1
		p++
	} else if lead <= 9 && b[p+1] <= ' ' {
		v := float64(lead)
		if negative {
			v = -v
		}
		return v, p + 1
	} else {
		mantissa, count, p = wholeNumber(b, p)
	}
	if b[p] == '.' {
		p++
		for {
			m, n := Digits(binary.LittleEndian.Uint64(b[p:]))
			if n < 8 {
				mantissa = mantissa*WholePowers[n] + m
				fraction += n
				p += n
				break
			}
			// Steps by a constant let the processor start on the next
			// eight digits before it has counted these.
			mantissa = mantissa*1e8 + m
			fraction += 8
			p += 8
		}
	}
	count += fraction
	if count == 0 {
		return 0, start
	}
	exponent := -fraction
	if b[p]|0x20 == 'e' {
		e, q := exponentAt(b, p+1)
		if q == p+1 {
			return 0, start
		}
		exponent, p = exponent+e, q
	}
	if count > 19 && significant(b[start:p]) > 19 || exponent < -22 || exponent > 22 {
		return slowNumber(b[start:p]), p
	}
	if mantissa > 1<<53 {
		if exponent < -19 || exponent > 0 {
			return slowNumber(b[start:p]), p
		}
		v := quotient(mantissa, WholePowers[-exponent])
		if negative {
			v = -v
		}
		return v, p
	}
	// Both operands are exact, so the one operation rounds correctly (Clinger,
	// How to Read Floating Point Numbers Accurately, 1990).
	v := float64(mantissa)
	if exponent < 0 {
		v /= Powers[-exponent]
	} else {
		v *= Powers[exponent]
	}
	if negative {
		v = -v
	}
	return v, p
}

// quotient returns x/y, correctly rounded; neither is zero.
func quotient(x, y uint64) float64 {
	shiftX, shiftY := bits.LeadingZeros64(x), bits.LeadingZeros64(y)
	x, y = x<<shiftX, y<<shiftY
	q, rest := bits.Div64(x>>1, x<<63, y)
	if rest != 0 {
		q |= 1 // one of at least eight bits that only tell how to round
	}
	// A signed number is converted without a branch.
	return float64(int64(q>>1|q&1)) * math.Float64frombits(uint64(1023-62+shiftY-shiftX)<<52)
}

// significant counts the digits of a number without the zeros before them.
func significant(text []byte) int {
	count := 0
	for _, c := range text {
		if c|0x20 == 'e' {
			break
		}
		if c >= '1' && c <= '9' || c == '0' && count > 0 {
			count++
		}
	}
	return count
}

// wholeNumber reads digits; the value is right up to 19 of them.
func wholeNumber(b []byte, p int) (value uint64, count, next int) {
	for {
		m, n := Digits(binary.LittleEndian.Uint64(b[p:]))
		value = value*WholePowers[n] + m
		count += n
		p += n
		if n < 8 {
			return value, count, p
		}
	}
}

// exponentAt reads a signed exponent, large ones cut to a size that still overflows or vanishes. It
// returns p if there is no exponent.
func exponentAt(b []byte, p int) (exponent, next int) {
	q := p
	negative := b[q] == '-'
	if negative || b[q] == '+' {
		q++
	}
	value, count, end := wholeNumber(b, q)
	if count == 0 {
		return 0, p
	}
	if count > 8 || value > 1<<20 {
		value = 1 << 20
	}
	if negative {
		return -int(value), end
	}
	return int(value), end
}

func slowNumber(text []byte) float64 {
	v, err := strconv.ParseFloat(unsafe.String(&text[0], len(text)), 64)
	if err != nil {
		return math.Inf(1)
	}
	return v
}
