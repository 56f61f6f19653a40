package decimal

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Written says how Plain's number is written.
type Written struct {
	// Before and After count the digits before and behind the point. After is -1 without a point.
	Before, After int
}

// Plain reads the n bytes of b as digits with at most one point, and with a minus before them or not,
// correctly rounded. ok is false for any other text, for numbers of more than 19 digits, and for
// texts of more than 24 bytes behind the minus. At least Pad bytes can be read behind b[:n].
func Plain(b []byte, n int) (v float64, w Written, ok bool) {
	negative := (uint64(b[0]^'-') - 1) >> 63
	n -= int(negative)
	b = b[negative:]
	if uint(n-1) >= 16 {
		if uint(n-1) >= 24 {
			return 0, w, false
		}
		return longPlain(b, n, negative)
	}
	// The last eight characters, and those before them: zeros stand before the first one.
	at := n - 8
	at &^= at >> (bits.UintSize - 1) // 0 if n is less than 8
	last := (binary.LittleEndian.Uint64(b[at:]) ^ Zeros) << (8 * uint(8-n+at) & 63)
	first := (binary.LittleEndian.Uint64(b) ^ Zeros) << (8 * uint(16-n))
	stop, before := NotDigits(last), NotDigits(first)
	scale, places := uint64(1e8), -1
	if stop|before != 0 {
		if before == 0 {
			last, places = closed(last, stop)
			scale = 1e7
		} else if first, places = closed(first, before); stop == 0 && places >= 0 {
			places += 8
		} else {
			return 0, w, false
		}
		if places < 0 || n == 1 {
			return 0, w, false
		}
	}
	m := Join(first)*scale + Join(last)
	w = Written{n, places}
	v = float64(int64(m))
	if places >= 0 {
		w.Before -= places + 1
		if m <= 1<<53 {
			v /= Powers[places]
		} else {
			v = quotient(m, WholePowers[places])
		}
	}
	return math.Float64frombits(math.Float64bits(v) | negative<<63), w, true
}

// longPlain is Plain of 17 to 24 characters behind the minus.
func longPlain(b []byte, n int, negative uint64) (v float64, w Written, ok bool) {
	third := binary.LittleEndian.Uint64(b[n-8:]) ^ Zeros
	second := binary.LittleEndian.Uint64(b[n-16:]) ^ Zeros
	first := (binary.LittleEndian.Uint64(b) ^ Zeros) << ((192 - 8*uint(n)) & 63)
	x, y, z := NotDigits(first), NotDigits(second), NotDigits(third)
	places, digits := -1, n
	scale := uint64(1e8)
	if x|y|z != 0 {
		digits--
		switch {
		case x|y == 0:
			third, places = closed(third, z)
			scale = 1e7
		case x|z == 0:
			if second, places = closed(second, y); places >= 0 {
				places += 8
			}
		case y|z == 0:
			if first, places = closed(first, x); places >= 0 {
				places += 16
			}
		}
		if places < 0 {
			return 0, w, false
		}
	}
	if digits > 19 {
		return 0, w, false
	}
	w = Written{digits, places}
	upper := Join(first)
	if places >= 8 && places < 16 {
		upper *= 1e7
	} else {
		upper *= 1e8
	}
	m := (upper+Join(second))*scale + Join(third)
	if places >= 0 {
		w.Before -= places
	}
	switch {
	case m <= 1<<53 && places >= 0:
		v = float64(int64(m)) / Powers[places]
	case places > 0:
		v = quotient(m, WholePowers[places])
	default:
		v = float64(m)
	}
	return math.Float64frombits(math.Float64bits(v) | negative<<63), w, true
}

// closed takes a point out of eight characters ^ Zeros, of which stop marks the first that is no digit:
// the digits before it move to its place. places is the number of characters behind it, -1 if the
// character is no point, or another one is no digit.
func closed(x, stop uint64) (_ uint64, places int) {
	unit := (stop & -stop) >> 7 // the lowest bit of the character
	if x&(unit*0xff) != unit*('.'^'0') {
		return x, -1
	}
	before := unit - 1
	x = x&^(before<<8|0xff) | x&before<<8
	if NotDigits(x) != 0 {
		return x, -1
	}
	return x, bits.LeadingZeros64(unit) / 8
}
