package matrix

import (
	"fmt"

	"github.com/lanes-go/lanes/asm"
)

// Runs is a Matrix with its products with runs of consecutive rows, on the calling goroutine: for
// callers that cut the work themselves, as sums over shards do. In what they add, every column
// accumulates in row order, whatever the calls that the rows are cut into; only the bias
// column adds up the sum of each call.
type Runs struct{ *Matrix }

// RunsOf returns m with its products with runs.
func RunsOf(m *Matrix) Runs { return Runs{m} }

// MulRun computes dst[k] = x_(first+k)·w, with the bits of MulVec. dst has one element
// for each row of the run, w has Cols().
func (m Runs) MulRun(dst []float64, first int, w []float64) error {
	if err := m.checkRun("MulRun", first, len(dst), len(w)); err != nil {
		return err
	}
	m.mulRun(dst, first, w)
	m.addBias(dst, w)
	return nil
}

func (m *Matrix) mulRun(dst []float64, first int, w []float64) {
	m.dotRows(&asm.Active().Rows, dst, first, w)
}

// MulRun2 computes dst1[k] = x_(first+k)·w1 and dst2[k] = x_(first+k)·w2 in one sweep
// over the run, with the bits that two calls of MulRun give. The slices must not overlap.
func (m Runs) MulRun2(dst1, dst2 []float64, first int, w1, w2 []float64) error {
	if err := m.checkRun2("MulRun2", dst1, dst2, first, w1, w2); err != nil {
		return err
	}
	m.mulRun2(dst1, dst2, first, w1, w2)
	m.addBias(dst1, w1)
	m.addBias(dst2, w2)
	return nil
}

func (m *Matrix) mulRun2(dst1, dst2 []float64, first int, w1, w2 []float64) {
	path := &asm.Active().Rows
	if m.mix() != nil {
		dot2Mixed(path, dst1, dst2, &m.rows, first, w1, w2)
		return
	}
	if m.rows.Full > 0 {
		m.dotRows(path, dst1, first, w1)
		m.dotRows(path, dst2, first, w2)
		return
	}
	path.Dot2(dst1, dst2, &m.rows, nil, first, w1, w2)
}

// AddRun computes dst += sum over k of c[k] x_(first+k). c has one element for each row
// of the run, dst has Cols().
func (m Runs) AddRun(dst []float64, first int, c []float64) error {
	if err := m.checkRun("AddRun", first, len(c), len(dst)); err != nil {
		return err
	}
	m.addRun(dst, first, c)
	m.addBiasSum(dst, c)
	return nil
}

func (m *Matrix) addRun(dst []float64, first int, c []float64) {
	m.addRows(&asm.Active().Rows, dst, first, c)
}

// AddSquaresRun computes dst[j] += sum over k of c[k] x_(first+k)j^2, in portable code.
// c has one element for each row of the run, dst has Cols().
func (m Runs) AddSquaresRun(dst []float64, first int, c []float64) error {
	if err := m.checkRun("AddSquaresRun", first, len(c), len(dst)); err != nil {
		return err
	}
	m.addSquaresRun(dst, first, c)
	m.addBiasSquares(dst, c)
	return nil
}

func (m *Matrix) addSquaresRun(dst []float64, first int, c []float64) {
	m.addSquares(dst, first, c)
}

func (m *Matrix) addBiasSquares(dst, c []float64) {
	if m.bias != 0 {
		dst[m.d] += float64(float64(m.bias*m.bias) * asm.Active().Dense.Sum(c))
	}
}

// AddGramRun adds the lower triangle of sum over k of c[k] x_(first+k) x_(first+k)' to
// dst, row by row and without what lies above the diagonal: element a, b with b <= a is
// dst[a(a+1)/2 + b]. c has one element for each row of the run, dst has
// Cols()(Cols()+1)/2. It costs half the square of each row's entries, in portable code, or half of
// Cols()^2 a row in vectors where rows are nearly full.
func (m Runs) AddGramRun(dst []float64, first int, c []float64) error {
	if err := m.checkGram("AddGramRun", dst, first, c); err != nil {
		return err
	}
	m.addGramRun(dst, first, c, m.bias)
	m.addBiasGram(dst, c)
	return nil
}

// addGramRun adds all but the product of the constant column with itself.
func (m *Matrix) addGramRun(dst []float64, first int, c []float64, bias float64) {
	if bias != 0 {
		scaled := make([]float64, len(c))
		asm.Active().Dense.Scale(scaled, bias, c)
		m.addRun(dst[m.d*(m.d+1)/2:][:m.d], first, scaled)
	}
	if m.fill(len(c), m.gramCost(first, len(c))) {
		(&bandTask{gramTask: gramTask{m: m, dst: dst, c: c, first: first, packed: true}}).triangle()
		return
	}
	t := &gramTask{m: indexed(m), dst: dst, c: c, first: first, packed: true, bounds: []int{0, m.d}}
	t.Block(0)
}

func (m *Matrix) addBiasGram(dst, c []float64) {
	if m.bias != 0 {
		dst[len(dst)-1] += float64(float64(m.bias*m.bias) * asm.Active().Dense.Sum(c))
	}
}

func (m *Matrix) checkGram(op string, dst []float64, first int, c []float64) error {
	d := m.Cols()
	if err := m.checkRun(op, first, len(c), d); err != nil {
		return err
	}
	if len(dst) != d*(d+1)/2 {
		return fmt.Errorf("sparse: %s: %d elements for %d columns", op, len(dst), d)
	}
	return nil
}

// GramCostRun returns the number of multiplications of AddGramRun for n rows, which m has
// from row first on; 0 where it has not.
func (m Runs) GramCostRun(first, n int) int64 {
	if n < 0 || m.checkRun("GramCostRun", first, n, m.Cols()) != nil {
		return 0
	}
	return m.gramCost(first, n)
}

func (m *Matrix) gramCost(first, n int) (cost int64) {
	for i := first; i < first+n; i++ {
		length := m.rows.End[i] - m.rows.Begin[i]
		cost += length * (length + 1) / 2
	}
	return cost
}

// SquaredNormsRun writes ||x_(first+k)||^2 to dst[k], with the bits of SquaredNorms.
func (m Runs) SquaredNormsRun(dst []float64, first int) error {
	if err := m.checkRun("SquaredNormsRun", first, len(dst), m.Cols()); err != nil {
		return err
	}
	m.squaredNorms(dst, first)
	return nil
}

func (m *Matrix) checkRun2(op string, dst1, dst2 []float64, first int, w1, w2 []float64) error {
	if err := m.checkRun(op, first, len(dst1), len(w1)); err != nil {
		return err
	}
	if len(dst2) != len(dst1) || len(w2) != len(w1) {
		return m.shapeError(op, len(dst2), len(w2))
	}
	return nil
}

func (m *Matrix) checkRun(op string, first, n, d int) error {
	if first < 0 || n > m.n || first > m.n-n || d != m.Cols() {
		return fmt.Errorf("sparse: %s: %d rows from row %d and a vector of %d elements, of a matrix of %d rows and %d columns", op, n, first, d, m.n, m.Cols())
	}
	return nil
}
