package matrix

import (
	"fmt"

	"github.com/lanes-go/lanes/asm"
)

// MulDenseRun computes rows first, first+1, ... of X W, as MulDense does: dst has width elements for each row of the run,
// w has Cols() rows of width elements.
func (m Runs) MulDenseRun(dst []float64, first, width int, w []float64) error {
	if err := m.checkDenseRun("MulDenseRun", first, len(dst), width, len(w)); err != nil {
		return err
	}
	m.mulDenseRun(dst, first, width, w)
	m.addWideBias(dst, w, width)
	return nil
}

func (m *Matrix) mulDenseRun(dst []float64, first, width int, w []float64) {
	clear(dst)
	mulRows(&asm.Active().Rows.Wide, dst, &m.rows, nil, first, width, w)
}

// AddDenseRun computes W += X'C for a run of rows, in their order: c has width elements for each row of the run, w has
// Cols() rows of width elements.
func (m Runs) AddDenseRun(w []float64, first, width int, c []float64) error {
	if err := m.checkDenseRun("AddDenseRun", first, len(c), width, len(w)); err != nil {
		return err
	}
	addOuter(&asm.Active().Rows.Wide, w, &m.rows, nil, first, width, c)
	m.addWideBiasSum(w, c, width)
	return nil
}

func (m *Matrix) checkDenseRun(op string, first, n, width, w int) error {
	if width < 1 || n%width != 0 || !fits(w, m.Cols(), width) || first < 0 || n/width > m.n || first > m.n-n/width {
		return fmt.Errorf("sparse: %s: %d elements of width %d from row %d and a matrix of %d elements, of a matrix of %d rows and %d columns", op, n, width, first, w, m.n, m.Cols())
	}
	return nil
}

// MulDenseRun is Runs.MulDenseRun.
func (r *Joined) MulDenseRun(dst []float64, first, width int, w []float64) error {
	if err := r.whole.checkDenseRun("Joined.MulDenseRun", first, len(dst), width, len(w)); err != nil {
		return err
	}
	for k := 0; k < len(dst)/width; {
		m, at, n := r.run(first+k, len(dst)/width-k)
		m.mulDenseRun(dst[k*width:(k+n)*width], at, width, w)
		k += n
	}
	r.whole.addWideBias(dst, w, width)
	return nil
}

// AddDenseRun is Runs.AddDenseRun.
func (r *Joined) AddDenseRun(w []float64, first, width int, c []float64) error {
	if err := r.whole.checkDenseRun("Joined.AddDenseRun", first, len(c), width, len(w)); err != nil {
		return err
	}
	for k := 0; k < len(c)/width; {
		m, at, n := r.run(first+k, len(c)/width-k)
		addOuter(&asm.Active().Rows.Wide, w, &m.rows, nil, at, width, c[k*width:(k+n)*width])
		k += n
	}
	r.whole.addWideBiasSum(w, c, width)
	return nil
}
