package direct

import (
	"slices"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/sparse"
)

// Matrix is a matrix whose products share the workers of a pool and return no errors.
type Matrix struct {
	*sparse.Matrix
	Pool *matrix.Pool // nil for the calling goroutine alone
	full *full        // of WithDenseCopy
}

// MulVec computes dst = X w, without a look at the rows where w is 0.
func (m Matrix) MulVec(dst, w []float64) {
	fit := len(dst) == m.Rows() && len(w) == m.Cols()
	if fit && !slices.ContainsFunc(w, func(v float64) bool { return v != 0 }) {
		clear(dst)
		return
	}
	if m.full != nil && fit {
		m.full.mulVec(dst, w)
		return
	}
	Must(m.Matrix.MulVec(m.Pool, dst, w))
}

// AddTrans computes dst += X'c.
func (m Matrix) AddTrans(dst, c []float64) {
	if m.full != nil {
		m.full.addTrans(dst, c)
		return
	}
	Must(m.Matrix.AddTrans(m.Pool, dst, c))
}

// AddHessian computes dst += X'(h Xw), and z = Xw and c = h z with it.
func (m Matrix) AddHessian(dst, z, c, w, h []float64) {
	if m.full != nil {
		m.full.addHessian(dst, z, c, w, h)
		return
	}
	Must(matrix.AddHessian(m.Matrix, m.Pool, dst, z, c, w, h))
}

// AddSquares adds sum_i c_i x_ij^2 to every dst[j].
func (m Matrix) AddSquares(dst, c []float64) {
	if m.full != nil {
		m.full.addSquares(dst, c)
		return
	}
	Must(matrix.AddSquares(m.Matrix, m.Pool, dst, c))
}

// Gram writes the lower triangle of X'cX to dst.
func (m Matrix) Gram(dst, c []float64) {
	if m.GramByColumns() {
		m.full.gram(dst, c)
		return
	}
	Must(matrix.Gram(m.Matrix, m.Pool, dst, c))
}

// AddGram adds the lower triangle of X'cX to dst.
func (m Matrix) AddGram(dst, c []float64) { Must(matrix.AddGram(m.Matrix, m.Pool, dst, c)) }

// MulRows computes dst[k] = x_rows[k]'w.
func (m Matrix) MulRows(dst []float64, rows []uint32, w []float64) {
	Must(matrix.MulRows(m.Matrix, dst, rows, w))
}

// AddRows computes dst += sum over k of c[k] x_rows[k].
func (m Matrix) AddRows(dst []float64, rows []uint32, c []float64) {
	Must(matrix.AddRows(m.Matrix, dst, rows, c))
}

// Lazy is matrix.Lazy whose operations return no errors.
type Lazy struct{ *matrix.Lazy }

// NewLazy is matrix.NewLazy.
func NewLazy(m *sparse.Matrix) Lazy { return Lazy{matrix.NewLazy(m)} }

// Set begins anew at weights w with direction u.
func (l Lazy) Set(w, u []float64) { Must(l.Lazy.Set(w, u)) }

// Weights writes the weights as they stand at clock now to w.
func (l Lazy) Weights(w []float64, now float64) { Must(l.Lazy.Weights(w, now)) }

// Dot computes the products of rows with the weights at clock now and with U.
func (l Lazy) Dot(outW, outU []float64, rows []uint32, now float64) {
	Must(l.Lazy.Dot(outW, outU, rows, now))
}

// DotMap is Dot for updates that are linear maps.
func (l Lazy) DotMap(outW []float64, rows []uint32, step int, table [][4]float64) {
	Must(l.Lazy.DotMap(outW, rows, step, table))
}

// AddU adds to U and returns the change of its squared norm.
func (l Lazy) AddU(rows []uint32, c, work []float64) float64 {
	return Value(l.Lazy.AddU(rows, c, work))
}

// MoveAddU moves the weights along U, and is then AddU.
func (l Lazy) MoveAddU(rows []uint32, c, work []float64, now float64) float64 {
	return Value(l.Lazy.MoveAddU(rows, c, work, now))
}

// AddS adds to S and returns the change of its squared norm.
func (l Lazy) AddS(rows []uint32, c, work []float64) float64 {
	return Value(l.Lazy.AddS(rows, c, work))
}

// AddW adds to the weights.
func (l Lazy) AddW(rows []uint32, c []float64) { Must(l.Lazy.AddW(rows, c)) }

// SquaredNorms is matrix.SquaredNorms, shared by the workers.
func (m Matrix) SquaredNorms() []float64 { return m.WriteSquaredNorms(make([]float64, m.Rows())) }

// WriteSquaredNorms is SquaredNorms to a vector, which it returns.
func (m Matrix) WriteSquaredNorms(squares []float64) []float64 {
	t := &normsTask{m.Matrix, squares}
	matrix.Run(m.Pool, (len(t.squares)+vectorBlock-1)/vectorBlock, t)
	return t.squares
}

// GramCost is matrix.GramCost, shared by the workers.
func (m Matrix) GramCost() int64 {
	t := &gramCostTask{m.Matrix, make([]int64, (m.Rows()+vectorBlock-1)/vectorBlock)}
	matrix.Run(m.Pool, len(t.costs), t)
	sum := int64(0)
	for _, c := range t.costs {
		sum += c
	}
	return sum
}

type gramCostTask struct {
	m     *matrix.Matrix
	costs []int64
}

// Block counts the operations of one block of rows.
func (t *gramCostTask) Block(i int) {
	first := i * vectorBlock
	t.costs[i] = matrix.RunsOf(t.m).GramCostRun(first, min(vectorBlock, t.m.Rows()-first))
}

type normsTask struct {
	m       *matrix.Matrix
	squares []float64
}

// Block computes the norms of one block of rows.
func (t *normsTask) Block(i int) {
	first := i * vectorBlock
	Must(matrix.RunsOf(t.m).SquaredNormsRun(t.squares[first:min(first+vectorBlock, len(t.squares))], first))
}

// Mirror copies rows of the lower triangle, from one on, to the columns above the diagonal.
func Mirror(gram []float64, size, from int) {
	const tile = 8 // rows whose elements share the cache lines that they go to
	for first := from; first < size; first += tile {
		end := min(first+tile, size)
		for b := range end {
			to := gram[b*size:][:end]
			for a := max(first, b+1); a < end; a++ {
				to[a] = gram[a*size+b]
			}
		}
	}
}
