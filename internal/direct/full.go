package direct

import "github.com/lanes-go/lanes/internal/matrix"

const (
	// A matrix of few columns gets a dense copy if n d is at most mostEmpty times its entries.
	mostEmpty = 3
	// mostFullColumns and mostFull bound the dense copy: a megabyte, which fits the second cache
	// level.
	mostFullColumns, mostFull = 64, 1 << 17
	// mostFullGram is the most columns whose Gram matrix is computed by dot products.
	mostFullGram = 32
)

// full is a small matrix that is nearly full, column by column: its products go by vectors.
type full struct {
	n, d    int
	x       []float64 // column j is x[j*n:][:n]
	scratch []float64 // a column
}

// WithDenseCopy returns m with a dense copy of its entries, if products are faster with it, and
// otherwise m itself: the size alone decides. Margins are then sums over all columns, one after the
// other.
func (m Matrix) WithDenseCopy(lent *Workspace) Matrix {
	n, d := m.Rows(), m.Cols()
	if d > mostFullColumns || n*d > mostFull || int64(n*d) > mostEmpty*m.NNZ() {
		return m
	}
	f := &full{n: n, d: d, x: lent.Zeros(d * n), scratch: lent.Vector(n)}
	Must(matrix.WriteColumns(m.Matrix, f.x))
	m.full = f
	return m
}

// Full tells whether m has a dense copy.
func (m Matrix) Full() bool { return m.full != nil }

func (f *full) column(j int) []float64 { return f.x[j*f.n:][:f.n] }

func (f *full) mulVec(dst, w []float64) {
	clear(dst)
	AddMatMul(dst, w, f.x, f.d, f.n)
}

func (f *full) addTrans(dst, c []float64) {
	for j := range dst {
		dst[j] += Dot(f.column(j), c)
	}
}

func (f *full) addHessian(dst, z, c, w, h []float64) {
	f.mulVec(z, w)
	Mul(c, h, z)
	f.addTrans(dst, c)
}

func (f *full) addSquares(dst, c []float64) {
	for j := range dst {
		x := f.column(j)
		Mul(f.scratch, c, x)
		dst[j] += Dot(f.scratch, x)
	}
}

// gram writes the lower triangle of X'cX, and 0 above the diagonal.
func (f *full) gram(dst, c []float64) {
	for a := range f.d {
		row := dst[a*f.d:][:f.d]
		Mul(f.scratch, c, f.column(a))
		for b := range row[:a+1] {
			row[b] = Dot(f.scratch, f.column(b))
		}
		clear(row[a+1:])
	}
}

// GramByColumns tells whether Gram is as many dot products of two columns as it has elements.
func (m Matrix) GramByColumns() bool { return m.full != nil && m.full.d <= mostFullGram }
