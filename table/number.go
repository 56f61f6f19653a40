package table

import (
	"encoding/binary"
	"math"
	"strconv"
	"unsafe"

	"github.com/lanes-go/lanes/internal/base/decimal"
)

// number reads a cell that is wholly one finite decimal number, correctly rounded, with blanks
// around it allowed. With comma, a comma takes the place of the point, and a point is refused.
// At least pad bytes can be read behind cell.
func number(cell []byte, comma bool) (float64, bool) {
	text, n := cell[:pad], len(cell)
	if n <= 9 {
		if v, ok := decimal.Whole(binary.LittleEndian.Uint64(text), n); ok && uint(n-1) < 8 {
			return float64(int64(v)), true
		}
		point := byte('.')
		if comma {
			point = ','
		}
		if v, ok := decimal.Short(text, n, point); ok {
			return v, true
		}
	} else if !comma {
		if v, _, ok := decimal.Plain(cell[:n+pad], n); ok {
			return v, true
		}
	}
	for len(cell) > 0 && (cell[0] == ' ' || cell[0] == '\t') {
		cell = cell[1:]
	}
	n = len(cell)
	for n > 0 && (cell[n-1] == ' ' || cell[n-1] == '\t') {
		n--
	}
	if n == 0 || cell[0] > '9' {
		return 0, false
	}
	if !comma && !mayContinue(cell[:n+1][n]) {
		v, end := decimal.Parse(cell[:n+pad], 0)
		return v, end == n && v-v == 0
	}
	return copiedNumber(cell[:n], comma)
}

// mayContinue tells whether a number that ends before c could go on with c.
func mayContinue(c byte) bool {
	return c-'0' <= 9 || c == '.' || c|0x20 == 'e' || c == '+' || c == '-'
}

// copiedNumber reads a number with a decimal comma, or before a byte that could be a part of it.
func copiedNumber(cell []byte, comma bool) (float64, bool) {
	var short [64 + pad]byte
	long := short[:64]
	if len(cell) > len(long) {
		long = make([]byte, len(cell))
	}
	text := long[:copy(long, cell)]
	for k, c := range text {
		switch {
		case c-'0' <= 9 || c == '+' || c == '-' || c|0x20 == 'e' || c == '.' && !comma:
		case c == ',' && comma:
			text[k] = '.'
		default:
			return 0, false
		}
	}
	if len(cell) > 64 {
		// The characters leave only decimal numbers to what ParseFloat accepts.
		v, err := strconv.ParseFloat(unsafe.String(&text[0], len(text)), 64)
		return v, err == nil && !math.IsInf(v, 0)
	}
	v, end := decimal.Parse(short[:], 0)
	return v, end == len(text) && v-v == 0
}
