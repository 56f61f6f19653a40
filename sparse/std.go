package sparse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/lanes-go/lanes/internal/matrix"
)

// FitStd finds the standard deviation of every column of m over all rows: the square root of the
// mean squared distance from the mean. Entries that are not stored count as zeros. The Scaler
// divides by it, and shifts nothing, so that zeros stay zeros; scikit-learn's
// StandardScaler(with_mean=False) does the same. A column whose entries are equal keeps its
// values. The bias column does not change.
//
// Deviations are exact except for the rounding of each entry to a 2^-52nd of the range of its
// column. For more than 2^24 rows this is a 2^-(64-b/2)th, where the number of rows has b bits.
// Sums are of whole numbers, so neither the order of the rows nor an offset of a column matters.
// FitStd reads m twice and takes 72 bytes a column beside the result. It fails if the range of a
// column is wider than a float64.
func FitStd(m *Matrix) (*Scaler, error) {
	if m == nil {
		return nil, errNilMatrix("FitStd")
	}
	f := newRanges(matrix.Width(m))
	f.add(m, 0, m.Rows())
	v, err := newDeviations(f)
	if err != nil {
		return nil, err
	}
	v.add(m, 0, m.Rows())
	return v.scaler()
}

// FitStd is the function FitStd on the rows of the file, whatever the view. It reads
// the file twice, and takes 72 bytes a column beside the result. Once ctx is done, it returns an
// error that wraps ctx.Err().
func (s *Stream) FitStd(ctx context.Context) (*Scaler, error) {
	f, err := s.Ranges(ctx, 0, s.Rows())
	if err != nil {
		return nil, err
	}
	v, err := s.deviations(ctx, f, 0, s.Rows())
	if err != nil {
		return nil, err
	}
	return v.scaler()
}

// Deviations returns the sums that FitStd needs of the rows from first to end-1, beside f, the
// ranges of all rows: eight whole numbers a column, each below 2^32. Add the numbers of the rows
// that several machines have.
func (s *Stream) Deviations(ctx context.Context, f *Ranges, first, end int) ([]float64, error) {
	v, err := s.deviations(ctx, f, first, end)
	if err != nil {
		return nil, err
	}
	digits := make([]float64, 0, columnDigits*len(v.columns))
	for _, c := range v.columns {
		for _, sum := range []uint128{c.sum, c.squares} {
			for _, word := range []uint64{sum.hi, sum.lo} {
				digits = append(digits, float64(word>>32), float64(word&math.MaxUint32))
			}
		}
	}
	return digits, nil
}

// StdScaler divides the columns by their standard deviations, as FitStd does. digits are what
// Stream.Deviations returned, summed over all rows.
func (f *Ranges) StdScaler(digits []float64) (*Scaler, error) {
	v, err := newDeviations(f)
	if err != nil {
		return nil, err
	}
	if len(digits) != columnDigits*len(v.columns) {
		return nil, fmt.Errorf("sparse: Ranges.StdScaler: %d numbers for %d columns, which have %d each", len(digits), len(v.columns), columnDigits)
	}
	for j := range v.columns {
		for _, sum := range []*uint128{&v.columns[j].sum, &v.columns[j].squares} {
			for _, digit := range digits[:columnDigits/2] {
				if !(digit >= 0 && digit <= 1<<53) {
					return nil, fmt.Errorf("sparse: Ranges.StdScaler: column %d has the number %v; want 0 to 2^53", j, digit)
				}
				*sum = sum.times(1 << 32).plus(uint128{lo: uint64(digit)})
			}
			digits = digits[columnDigits/2:]
		}
	}
	return v.scaler()
}

// columnDigits is the number of digits to the base 2^32 that two sums of a column have.
const columnDigits = 8

// deviations sums whole numbers q = (x - low) / width * unit, from 0 to unit, and q^2.
type deviations struct {
	rows    int
	bits    int // unit is 2^bits: the sum of q^2 over all rows is below 2^128
	unit    float64
	stored  []float64 // entries of a column
	columns []columnDeviation
}

type columnDeviation struct {
	low, width   float64
	sum, squares uint128
}

func newDeviations(f *Ranges) (*deviations, error) {
	if err := f.check("StdScaler"); err != nil {
		return nil, err
	}
	v := &deviations{rows: f.Rows, bits: min(52, (128-bits.Len(uint(f.Rows)))/2), stored: f.Count, columns: make([]columnDeviation, len(f.Low))}
	v.unit = math.Ldexp(1, v.bits)
	for j := range v.columns {
		low, high, err := f.of(j)
		if err != nil {
			return nil, err
		}
		v.columns[j].low, v.columns[j].width = low, high-low
	}
	return v, nil
}

// deviations sums over the rows from first to end-1.
func (s *Stream) deviations(ctx context.Context, f *Ranges, first, end int) (*deviations, error) {
	if err := s.checkRows("Deviations", first, end); err != nil {
		return nil, err
	}
	v, err := newDeviations(f)
	if err != nil {
		return nil, err
	}
	if len(v.columns) != int(s.shape.d) || v.rows != s.Rows() {
		return nil, errors.New("sparse: Stream.Deviations: the ranges are of other rows or columns")
	}
	return v, s.sweep(ctx, first, end, func(g *StreamGroup, first, end int) { v.add(&g.m, first, end) })
}

// add looks through rows first to end-1.
func (v *deviations) add(m *matrix.Matrix, first, end int) {
	r := matrix.Stored(m)
	for i := first; i < end; i++ {
		for e := r.Begin[i]; e < r.End[i]; e++ {
			c := &v.columns[r.Column(e)]
			if c.width > 0 {
				q := c.whole(r.Value(i, e), v.unit)
				c.sum, c.squares = c.sum.plus(uint128{lo: q}), c.squares.plus(uint128{lo: q}.times(q))
			}
		}
	}
}

// whole returns q of an entry.
func (c *columnDeviation) whole(x, unit float64) uint64 {
	return uint64(float64((x - c.low) / c.width * unit))
}

// scaler computes the standard deviations.
func (v *deviations) scaler() (*Scaler, error) {
	s := &Scaler{Shift: make([]float64, len(v.columns)), Width: make([]float64, len(v.columns))}
	n := uint64(v.rows)
	for j := range v.columns {
		c := &v.columns[j]
		if s.Width[j] = 1; !(c.width > 0) {
			continue
		}
		zero := uint128{lo: c.whole(0, v.unit)}
		zeros := n - uint64(v.stored[j])
		sum, squares := c.sum.plus(zero.times(zeros)), c.squares.plus(zero.times(zero.lo).times(zeros))
		if sum.hi >= n {
			return nil, fmt.Errorf("sparse: the sums of column %d are not those of %d rows", j, n)
		}
		// With sum = n mean + rest, the squared distances from mean sum to
		// squares - 2 mean sum + n mean^2 = squares - mean sum - mean rest.
		mean, rest := bits.Div64(sum.hi, sum.lo, n)
		distances := squares.minus(sum.times(mean)).minus(uint128{lo: mean}.times(rest))
		left := float64(rest)
		variance := (distances.float() - float64(left*left)/float64(n)) / float64(n)
		deviation := float64(c.width * math.Ldexp(math.Sqrt(max(variance, 0)), -v.bits))
		s.Width[j] = max(deviation, math.SmallestNonzeroFloat64)
	}
	return s, nil
}

// uint128 is a whole number modulo 2^128.
type uint128 struct{ hi, lo uint64 }

func (a uint128) plus(b uint128) uint128 {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	return uint128{a.hi + b.hi + carry, lo}
}

func (a uint128) minus(b uint128) uint128 {
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	return uint128{a.hi - b.hi - borrow, lo}
}

func (a uint128) times(b uint64) uint128 {
	hi, lo := bits.Mul64(a.lo, b)
	return uint128{hi + a.hi*b, lo}
}

func (a uint128) float() float64 { return float64(float64(a.hi)*0x1p64) + float64(a.lo) }
