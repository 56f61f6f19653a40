package matrix

import (
	"math"
	"sync"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// AddSquares computes dst[j] += sum over i of c[i] x_ij^2: for a diagonal Hessian or the lengths of
// columns. c has n elements, dst has Cols(). The rows are cut and summed as in AddTrans. It costs
// one pass over the matrix, shared by the workers of p. It is in portable code if entries have
// values, but for full rows.
func AddSquares(m *Matrix, p *Pool, dst, c []float64) error {
	if len(c) != m.n || len(dst) != m.Cols() {
		return m.shapeError("AddSquares", len(c), len(dst))
	}
	t := squaresTasks.Get().(*squaresTask)
	*t = squaresTask{m: m, dst: dst, c: c}
	if t.parts = m.rowParts(); t.parts > 1 {
		t.sum(p, dst[:m.d], (*squaresPartTask)(t))
	} else {
		t.ranges = m.columnRanges(p)
		Run(p, len(t.ranges), t)
	}
	*t = squaresTask{}
	squaresTasks.Put(t)
	if m.bias != 0 {
		dst[m.d] += float64(float64(m.bias*m.bias) * asm.Active().Dense.Sum(c))
	}
	return nil
}

var squaresTasks = sync.Pool{New: func() any { return new(squaresTask) }}

type squaresTask struct {
	m      *Matrix
	ranges []rows.Matrix
	dst, c []float64
	partSum
}

// Block adds one column range.
func (t *squaresTask) Block(i int) {
	if len(t.ranges) == 1 {
		t.m.addSquares(t.dst, 0, t.c)
		return
	}
	addSquares(t.dst, &t.ranges[i], 0, t.c)
}

// squaresPartTask sums one part of the rows a block.
type squaresPartTask squaresTask

func (t *squaresPartTask) Block(k int) {
	first := PartBegin(t.m, t.at+k, t.parts)
	t.m.addSquares(t.vector(k, t.m.d), first, t.c[first:PartBegin(t.m, t.at+k+1, t.parts)])
}

func (m *Matrix) addSquares(dst []float64, first int, c []float64) {
	if m.isFull() {
		squaresFull(dst, &m.rows, m.d, first, c)
	} else {
		addSquares(dst, &m.rows, first, c)
	}
}

// addSquares adds the rows from first on, one for each element of c. Ones are their squares.
func addSquares(dst []float64, r *rows.Matrix, first int, c []float64) {
	switch {
	case r.Full > 0:
		squaresFull(dst, r, r.Full, first, c)
	case r.Mix != nil:
		addSquaresMixed(dst, r, first, c)
	case HasOnes(r.Layout) && r.Scale == nil:
		asm.Active().Rows.Add(dst, r, nil, first, c)
	case r.Idx16 != nil:
		addSquaresOf(dst, r, r.Idx16, first, c)
	default:
		addSquaresOf(dst, r, r.Idx32, first, c)
	}
}

func addSquaresOf[I uint16 | uint32](dst []float64, r *rows.Matrix, idx []I, first int, c []float64) {
	for k, ci := range c {
		i := first + k
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
		case r.Decimals != nil:
			for e, n := range r.Decimals[begin:end] {
				x := r.Unit.Of(n)
				dst[row[e]] = math.FMA(float64(ci*x), x, dst[row[e]])
			}
		case r.Codes != nil:
			for e, c := range r.Codes[begin:end] {
				x := r.Table[c]
				dst[row[e]] = math.FMA(float64(ci*x), x, dst[row[e]])
			}
		default:
			ci = float64(float64(ci*r.Scale[i]) * r.Scale[i])
			for _, j := range row {
				dst[j] += ci
			}
		}
	}
}
