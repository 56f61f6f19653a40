package table

import (
	"math"
	"math/big"
	"math/bits"
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

// moments returns the mean and the population standard deviation. The mean is rounded once. Both
// are 0 without numbers.
func (s *sums) moments() (mean, deviation float64) {
	if len(s.scales) == 0 {
		return 0, 0
	}
	total, squares, x := new(big.Int), new(big.Int), new(big.Int)
	for k := range s.scales {
		t := &s.scales[k]
		x.SetInt64(t.high)
		x.Lsh(x, 64).Add(x, new(big.Int).SetUint64(t.low))
		total.Add(total, x.Lsh(x, uint(k)))
		x.SetUint64(t.squares[2])
		x.Lsh(x, 64).Add(x, new(big.Int).SetUint64(t.squares[1]))
		x.Lsh(x, 64).Add(x, new(big.Int).SetUint64(t.squares[0]))
		squares.Add(squares, x.Lsh(x, uint(2*k)))
	}
	// The numbers are whole multiples of 2^exponent.
	exponent := s.first - 1075
	n := big.NewInt(s.count)
	numerator, denominator := new(big.Int).Set(total), new(big.Int).Set(n)
	if exponent < 0 {
		denominator.Lsh(denominator, uint(-exponent))
	} else {
		numerator.Lsh(numerator, uint(exponent))
	}
	mean, _ = new(big.Rat).SetFrac(numerator, denominator).Float64()
	// n^2 times the variance is n sum m^2 - (sum m)^2.
	squares.Mul(squares, n).Sub(squares, total.Mul(total, total))
	root := new(big.Float).SetPrec(128).Sqrt(new(big.Float).SetInt(squares))
	root.Quo(root, new(big.Float).SetInt(n))
	deviation, _ = root.SetMantExp(root, exponent).Float64()
	return mean, deviation
}
