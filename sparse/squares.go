package sparse

import (
	"math"
	"sync"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// AddSquares computes dst[j] += sum over i of c[i] x_ij^2: for a diagonal Hessian
// or the lengths of columns. c has n elements, dst has Cols(). Every column
// accumulates in row order. It costs one sweep over the matrix, shared by the
// workers of p, in portable code.
func (m *Matrix) AddSquares(p *Pool, dst, c []float64) error {
	if len(c) != m.n || len(dst) != m.Cols() {
		return m.shapeError("AddSquares", len(c), len(dst))
	}
	t := squaresTasks.Get().(*squaresTask)
	*t = squaresTask{ranges: m.columnRanges(p), dst: dst, c: c}
	p.Run(len(t.ranges), t)
	*t = squaresTask{}
	squaresTasks.Put(t)
	if m.bias != 0 {
		dst[m.d] += float64(float64(m.bias*m.bias) * asm.Active().Dense.Sum(c))
	}
	return nil
}

var squaresTasks = sync.Pool{New: func() any { return new(squaresTask) }}

type squaresTask struct {
	ranges []rows.Matrix
	dst, c []float64
}

func (t *squaresTask) Block(i int) {
	if r := &t.ranges[i]; r.Idx16 != nil {
		addSquares(t.dst, r, r.Idx16, t.c)
	} else {
		addSquares(t.dst, r, r.Idx32, t.c)
	}
}

func addSquares[I uint16 | uint32](dst []float64, r *rows.Matrix, idx []I, c []float64) {
	for i, ci := range c {
		begin, end := r.Begin[i], r.End[i]
		row := idx[begin:end]
		switch {
		case r.Val64 != nil:
			for e, x := range r.Val64[begin:end] {
				dst[row[e]] = math.FMA(float64(ci*x), x, dst[row[e]])
			}
		case r.Val32 != nil:
			for e, x := range r.Val32[begin:end] {
				dst[row[e]] = math.FMA(float64(ci*float64(x)), float64(x), dst[row[e]])
			}
		default:
			if r.Scale != nil {
				ci = float64(float64(ci*r.Scale[i]) * r.Scale[i])
			}
			for _, j := range row {
				dst[j] += ci
			}
		}
	}
}
