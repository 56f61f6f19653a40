package table

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
	"slices"
)

// sums are the exact sums of numbers and of their squares. They do not depend on the order of
// the numbers, nor on how they are split among several sums.
type sums struct {
	count           int64
	least, greatest float64
	// scales hold the sums of the numbers by their exponent bits, from first on.
	first  int
	scales []scaleSums
}

// scaleSums are sums over numbers m 2^e of the same e, with |m| below 2^53.
type scaleSums struct {
	low     uint64 // with high: the sum of m as a signed number of 128 bits
	high    int64
	squares [3]uint64 // the sum of m^2, lowest word first
}

// add takes x, which is finite, n times.
func (s *sums) add(x float64, n int64) {
	if s.count == 0 {
		s.least, s.greatest = x, x
	} else if x < s.least {
		s.least = x
	} else if x > s.greatest {
		s.greatest = x
	}
	s.count += n
	pattern := math.Float64bits(x)
	e, m := int(pattern>>52)&0x7ff, pattern&(1<<52-1)
	if e > 0 {
		m |= 1 << 52
	} else if e = 1; m == 0 {
		return
	}
	t := s.scale(e)
	square, word := bits.Mul64(m, m)
	var carry uint64
	if n == 1 {
		if x < 0 {
			t.low, carry = bits.Sub64(t.low, m, 0)
			t.high -= int64(carry)
		} else {
			t.low, carry = bits.Add64(t.low, m, 0)
			t.high += int64(carry)
		}
		t.squares[0], carry = bits.Add64(t.squares[0], word, 0)
		t.squares[1], carry = bits.Add64(t.squares[1], square, carry)
		t.squares[2] += carry
		return
	}
	high, low := bits.Mul64(m, uint64(n))
	if x < 0 {
		t.low, carry = bits.Sub64(t.low, low, 0)
		t.high -= int64(high + carry)
	} else {
		t.low, carry = bits.Add64(t.low, low, 0)
		t.high += int64(high + carry)
	}
	word1, word0 := bits.Mul64(word, uint64(n))
	word2, middle := bits.Mul64(square, uint64(n))
	word1, carry = bits.Add64(word1, middle, 0)
	word2 += carry
	t.addSquares([3]uint64{word0, word1, word2})
}

// addAll takes numbers, which are finite.
func (s *sums) addAll(list []float64) {
	if len(list) == 0 {
		return
	}
	if s.count == 0 {
		s.least, s.greatest = list[0], list[0]
	}
	least, greatest := s.least, s.greatest
	first, scales := s.first, s.scales
	for _, x := range list {
		if x < least {
			least = x
		} else if x > greatest {
			greatest = x
		}
		pattern := math.Float64bits(x)
		e, m := int(pattern>>52)&0x7ff, pattern&(1<<52-1)
		if e > 0 {
			m |= 1 << 52
		} else if e = 1; m == 0 {
			continue
		}
		if uint(e-first) >= uint(len(scales)) {
			s.scale(e)
			first, scales = s.first, s.scales
		}
		t := &scales[e-first]
		square, word := bits.Mul64(m, m)
		// The sign is taken without a branch.
		sign := uint64(int64(pattern) >> 63)
		signed := (m ^ sign) - sign
		var carry uint64
		t.low, carry = bits.Add64(t.low, signed, 0)
		t.high += int64(sign + carry)
		t.squares[0], carry = bits.Add64(t.squares[0], word, 0)
		t.squares[1], carry = bits.Add64(t.squares[1], square, carry)
		t.squares[2] += carry
	}
	s.count += int64(len(list))
	s.least, s.greatest = least, greatest
}

func (t *scaleSums) addSquares(words [3]uint64) {
	var carry uint64
	t.squares[0], carry = bits.Add64(t.squares[0], words[0], 0)
	t.squares[1], carry = bits.Add64(t.squares[1], words[1], carry)
	t.squares[2], _ = bits.Add64(t.squares[2], words[2], carry)
}

// scale returns the sums of numbers with these exponent bits, at least 1.
func (s *sums) scale(e int) *scaleSums {
	if k := e - s.first; uint(k) < uint(len(s.scales)) {
		return &s.scales[k]
	}
	if len(s.scales) == 0 {
		s.first = e
	}
	first := min(s.first, e)
	wide := make([]scaleSums, max(s.first+len(s.scales), e+1)-first)
	copy(wide[s.first-first:], s.scales)
	s.first, s.scales = first, wide
	return &wide[e-first]
}

// merge adds other sums.
func (s *sums) merge(other *sums) {
	if other.count == 0 {
		return
	}
	if s.count == 0 {
		s.least, s.greatest = other.least, other.greatest
	}
	s.count += other.count
	s.least, s.greatest = min(s.least, other.least), max(s.greatest, other.greatest)
	for k := range other.scales {
		from := &other.scales[k]
		t := s.scale(other.first + k)
		var carry uint64
		t.low, carry = bits.Add64(t.low, from.low, 0)
		t.high += from.high + int64(carry)
		t.addSquares(from.squares)
	}
}

// moments returns the mean and the population standard deviation. The mean is rounded once, the
// deviation has 100 bits before it is rounded. Both are 0 without numbers.
func (s *sums) moments() (mean, deviation float64) {
	if len(s.scales) == 0 {
		return 0, 0
	}
	var total, squares, x, n big.Int
	var words [24]byte
	for k := range slices.Backward(s.scales) {
		t := &s.scales[k]
		binary.BigEndian.PutUint64(words[8:], uint64(t.high))
		binary.BigEndian.PutUint64(words[16:], t.low)
		total.Add(total.Lsh(&total, 1), x.SetBytes(words[8:]))
		if t.high < 0 {
			total.Sub(&total, two128)
		}
		for i, word := range t.squares {
			binary.BigEndian.PutUint64(words[16-8*i:], word)
		}
		squares.Add(squares.Lsh(&squares, 2), x.SetBytes(words[:]))
	}
	// The numbers are whole multiples of 2^exponent.
	exponent := s.first - 1075
	n.SetInt64(s.count)
	// A quotient of this precision is the middle of two float64 only if the exact quotient is.
	var quotient, numerator, denominator big.Float
	quotient.SetPrec(uint(total.BitLen()+n.BitLen()+64)).Quo(numerator.SetInt(&total), denominator.SetInt(&n))
	mean, _ = quotient.SetMantExp(&quotient, exponent).Float64()
	// n^2 times the variance is n sum m^2 - (sum m)^2.
	squares.Sub(squares.Mul(&squares, &n), total.Mul(&total, &total))
	return mean, root(&squares, &n, exponent)
}

var two128 = new(big.Int).Lsh(big.NewInt(1), 128)

// root returns sqrt(x) 2^exponent / n by one step of Newton's method from the root in float64.
func root(x, n *big.Int, exponent int) float64 {
	if x.Sign() == 0 {
		return 0
	}
	var square, guess, result big.Float
	result.SetPrec(128)
	shift := square.SetPrec(128).SetInt(x).MantExp(&square)
	square.SetMantExp(&square, shift&1) // the rest of the exponent is even
	near, _ := square.Float64()
	result.Quo(&square, guess.SetFloat64(math.Sqrt(near)))
	result.Add(&result, &guess)
	result.Quo(&result, square.SetInt(n))
	deviation, _ := result.SetMantExp(&result, exponent+shift/2-1).Float64()
	return deviation
}
