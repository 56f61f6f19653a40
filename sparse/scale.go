package sparse

import (
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/matrix"
)

// Scaler scales columns, x' = (x - Shift) / Width, by parameters that FitMinMax or FitStd
// fitted to data. Keep it with the model and apply it to every data set the model sees. A
// Width of 0 drops the column. Its methods are safe for concurrent use while nobody changes its
// fields.
type Scaler struct {
	Shift []float64 `json:"shift"` // one a column, 0 where zeros stay zeros
	Width []float64 `json:"width"` // one a column: the range or the standard deviation
}

// FitMinMax finds the range of every column of m, as LIBSVM's svm-scale -l 0 -u 1 does. Entries
// that are not stored count as zeros. It leaves the bias column alone.
//
// A column whose minimum is 0 is divided by its maximum. One whose minimum is
// not 0 has to be shifted as well, which turns its zeros into stored entries:
// that is done where at least half of the rows store the column. In the other
// columns it would destroy sparsity, so they are divided by their width and
// not shifted: their values span the same length 1, around 0, and the difference
// from svm-scale is a constant that the bias absorbs. A constant column is
// dropped, as svm-scale does. Columns that are 0 or 1 already stay untouched.
func FitMinMax(m *Matrix) (*Scaler, error) {
	if m == nil {
		return nil, errNilMatrix("FitMinMax")
	}
	f := newRanges(matrix.Width(m))
	f.add(m, 0, m.Rows())
	return f.Scaler()
}

// Ranges are the least and greatest entries of columns, and all that FitMinMax needs to
// know of rows. Ranges of rows that several machines have are one: Low is the least, High
// the greatest, Count and Rows are sums. Its methods are safe for concurrent use while nobody
// changes its fields.
type Ranges struct {
	// Low and High of a column that has no entry are +Inf and -Inf.
	Low, High []float64
	Count     []float64 // entries of a column
	Rows      int
}

func newRanges(d int) *Ranges {
	return &Ranges{
		Low: slices.Repeat([]float64{math.Inf(1)}, d), High: slices.Repeat([]float64{math.Inf(-1)}, d), Count: make([]float64, d),
	}
}

// add looks through rows first to end-1.
func (f *Ranges) add(m *matrix.Matrix, first, end int) {
	r := matrix.Stored(m)
	f.Rows += end - first
	for i := first; i < end; i++ {
		for e := r.Begin[i]; e < r.End[i]; e++ {
			j, x := r.Column(e), r.Value(i, e)
			f.Low[j], f.High[j] = min(f.Low[j], x), max(f.High[j], x)
			f.Count[j]++
		}
	}
}

// check refuses ranges that are not of one list of columns.
func (f *Ranges) check(op string) error {
	if f == nil || f.Rows < 0 || len(f.Low) != len(f.Count) || len(f.High) != len(f.Count) {
		return fmt.Errorf("sparse: Ranges.%s: Low, High and Count need an element a column each, Rows is 0 or more", op)
	}
	return nil
}

// of returns the least and the greatest entry of column j, zeros included.
func (f *Ranges) of(j int) (low, high float64, err error) {
	low, high = f.Low[j], f.High[j]
	if c := f.Count[j]; c < float64(f.Rows) || c == 0 {
		low, high = min(low, 0), max(high, 0)
	}
	if width := high - low; width-width != 0 {
		return 0, 0, fmt.Errorf("sparse: column %d ranges from %v to %v, wider than a float64", j, low, high)
	}
	return low, high, nil
}

// Scaler maps the columns to the range 0 to 1, as FitMinMax does.
func (f *Ranges) Scaler() (*Scaler, error) {
	if err := f.check("Scaler"); err != nil {
		return nil, err
	}
	s := &Scaler{Shift: make([]float64, len(f.Low)), Width: make([]float64, len(f.Low))}
	n := float64(f.Rows)
	for j, c := range f.Count {
		low, high, err := f.of(j)
		if err != nil {
			return nil, err
		}
		if s.Width[j] = high - low; low != 0 && c >= n-c {
			s.Shift[j] = low
		}
	}
	return s, nil
}

// Apply returns m scaled. After FitMinMax, values outside the fitted range land outside 0 to 1.
// It fails where m has another number of columns than the data fitted, where
// the parameters are damaged, and where a scaled value overflows.
func (s *Scaler) Apply(m *Matrix) (*Matrix, error) {
	if m == nil {
		return nil, errNilMatrix("Scaler.Apply")
	}
	x := m
	if err := s.check(matrix.Width(x)); err != nil {
		return nil, err
	}
	if s.same() {
		return m, nil
	}
	filled := matrix.Filled(s.Shift, s.Width)
	ptr := make([]int64, 1, m.Rows()+1)
	columns := make([]uint32, 0, m.NNZ())
	values := make([]float64, 0, m.NNZ())
	for i := range m.Rows() {
		columns, values = matrix.AppendScaled(columns, values, matrix.Stored(x), i, s.Shift, s.Width, filled)
		ptr = append(ptr, int64(len(columns)))
	}
	out, err := matrix.NewCSR(matrix.Storage{Values: matrix.Least(x)}, matrix.Width(x), ptr, columns, values)
	if err != nil {
		return nil, fmt.Errorf("sparse: Scaler.Apply: %w", err)
	}
	return out.WithBias(m.Bias()), nil
}

func errNilMatrix(op string) error { return fmt.Errorf("sparse: %s: the matrix is nil", op) }

// same tells whether s changes nothing.
func (s *Scaler) same() bool {
	for j := range s.Width {
		if s.Shift[j] != 0 || s.Width[j] != 1 {
			return false
		}
	}
	return true
}

func (s *Scaler) check(d int) error {
	if len(s.Shift) != len(s.Width) || len(s.Width) != d {
		return fmt.Errorf("sparse: Scaler: fitted to %d columns (%d shifts), the data has %d", len(s.Width), len(s.Shift), d)
	}
	for j, width := range s.Width {
		if !(width >= 0) || math.IsInf(width, 0) || math.IsNaN(s.Shift[j]) || math.IsInf(s.Shift[j], 0) {
			return fmt.Errorf("sparse: Scaler: column %d has width %v and shift %v", j, width, s.Shift[j])
		}
	}
	return nil
}
