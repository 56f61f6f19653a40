package matrix

import (
	"iter"
	"slices"
	"sort"

	"github.com/lanes-go/lanes/asm"
)

// Joined is a run of matrices whose rows follow one another, for products with their rows. Its
// methods give the bits that a single Matrix with all the rows gives. One goroutine at a time may
// call them.
type Joined struct {
	whole  Matrix // all but the entries
	parts  []*Matrix
	begin  []int // row of each part, from 0 on
	double bool  // squares are summed as for float64 values
	wide   []float64
}

// Join makes r the rows of parts, which have no bias, with this one. Squares are summed as in a
// matrix of float64 values where that is the least that the parts keep.
func (r *Joined) Join(bias float64, parts []*Matrix) {
	r.whole, r.parts, r.begin = Matrix{bias: bias}, r.parts[:0], r.begin[:0]
	for _, m := range parts {
		r.parts, r.begin = append(r.parts, m), append(r.begin, r.whole.n)
		r.whole.n, r.whole.d, r.double = r.whole.n+m.n, m.d, m.least == ValuesFloat64
	}
}

// run returns the part of a row, the row's number there, and how many of n rows the part has.
func (r *Joined) run(row, n int) (m *Matrix, at, most int) {
	k := sort.SearchInts(r.begin, row+1) - 1
	at = row - r.begin[k]
	return r.parts[k], at, min(n, r.parts[k].n-at)
}

// MulRun is Runs.MulRun.
func (r *Joined) MulRun(dst []float64, first int, w []float64) error {
	if err := r.whole.checkRun("Joined.MulRun", first, len(dst), len(w)); err != nil {
		return err
	}
	for k := 0; k < len(dst); {
		m, at, n := r.run(first+k, len(dst)-k)
		m.mulRun(dst[k:k+n], at, w)
		k += n
	}
	r.whole.addBias(dst, w)
	return nil
}

// MulRun2 is Runs.MulRun2.
func (r *Joined) MulRun2(dst1, dst2 []float64, first int, w1, w2 []float64) error {
	if err := r.whole.checkRun2("Joined.MulRun2", dst1, dst2, first, w1, w2); err != nil {
		return err
	}
	for k := 0; k < len(dst1); {
		m, at, n := r.run(first+k, len(dst1)-k)
		m.mulRun2(dst1[k:k+n], dst2[k:k+n], at, w1, w2)
		k += n
	}
	r.whole.addBias(dst1, w1)
	r.whole.addBias(dst2, w2)
	return nil
}

// AddRun is Runs.AddRun.
func (r *Joined) AddRun(dst []float64, first int, c []float64) error {
	if err := r.whole.checkRun("Joined.AddRun", first, len(c), len(dst)); err != nil {
		return err
	}
	for k := 0; k < len(c); {
		m, at, n := r.run(first+k, len(c)-k)
		m.addRun(dst, at, c[k:k+n])
		k += n
	}
	r.whole.addBiasSum(dst, c)
	return nil
}

// AddSquaresRun is Runs.AddSquaresRun.
func (r *Joined) AddSquaresRun(dst []float64, first int, c []float64) error {
	if err := r.whole.checkRun("Joined.AddSquaresRun", first, len(c), len(dst)); err != nil {
		return err
	}
	for k := 0; k < len(c); {
		m, at, n := r.run(first+k, len(c)-k)
		m.addSquaresRun(dst, at, c[k:k+n])
		k += n
	}
	r.whole.addBiasSquares(dst, c)
	return nil
}

// AddGramRun is Runs.AddGramRun.
func (r *Joined) AddGramRun(dst []float64, first int, c []float64) error {
	if err := r.whole.checkGram("Joined.AddGramRun", dst, first, c); err != nil {
		return err
	}
	for k := 0; k < len(c); {
		m, at, n := r.run(first+k, len(c)-k)
		m.addGramRun(dst, at, c[k:k+n], r.whole.bias)
		k += n
	}
	r.whole.addBiasGram(dst, c)
	return nil
}

// Row is Matrix.Row.
func (r *Joined) Row(i int) iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		if r.whole.checkRun("Joined.Row", i, 1, r.whole.Cols()) != nil {
			return
		}
		m, at, _ := r.run(i, 1)
		for j, x := range m.Row(at) {
			if !yield(j, x) {
				return
			}
		}
		if r.whole.bias != 0 {
			yield(r.whole.d, r.whole.bias)
		}
	}
}

// GramCostRun is Runs.GramCostRun.
func (r *Joined) GramCostRun(first, n int) int64 {
	if n < 0 || r.whole.checkRun("Joined.GramCostRun", first, n, r.whole.Cols()) != nil {
		return 0
	}
	cost := int64(0)
	for k := 0; k < n; {
		m, at, run := r.run(first+k, n-k)
		cost += m.gramCost(at, run)
		k += run
	}
	return cost
}

// SquaredNormsRun is Runs.SquaredNormsRun.
func (r *Joined) SquaredNormsRun(dst []float64, first int) error {
	if err := r.whole.checkRun("Joined.SquaredNormsRun", first, len(dst), r.whole.Cols()); err != nil {
		return err
	}
	bias := r.whole.bias
	for k := range dst {
		m, at, _ := r.run(first+k, 1)
		dst[k] = float64(bias*bias) + r.square(m, at)
	}
	return nil
}

// square returns the squared norm of a row, summed in the order of the common layout.
func (r *Joined) square(m *Matrix, i int) float64 {
	if !r.double || m.rows.Val32 == nil {
		return m.rowSquare(i)
	}
	row := m.rows.Val32[m.rows.Begin[i]:m.rows.End[i]]
	r.wide = slices.Grow(r.wide[:0], len(row))[:len(row)]
	for e, x := range row {
		r.wide[e] = float64(x)
	}
	return asm.Active().Dense.SquaredNorm(r.wide)
}
