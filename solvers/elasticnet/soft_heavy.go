package elasticnet

import (
	"slices"

	"github.com/lanes-go/lanes/internal/cholesky"
	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
)

// The matrix of heavy columns and its factor pay once a step's products cost heavyPays times as much.
const heavyPays = 4

// heavy is a preconditioner for the columns with the most curvature, such as categories of many rows: their
// part of X'hX and the diagonal, factored. Conjugate residuals lower the residuals of such columns last
// where the diagonal alone is their preconditioner. A certificate needs these residuals as small as all
// others.
type heavy struct {
	list   []uint32  // these columns
	matrix []float64 // the lower triangle of theirs
	factor cholesky.Picked
	pool   *matrix.Pool
}

// heaviest lists the columns with the most curvature: as many as can be factored at the cost of a product.
func heaviest(x *matrix.Matrix, curvature []float64) []uint32 {
	size, most := len(curvature), 0
	for most < min(size, cost.Columns) && cost.Factor(most+1) <= cost.Pass(x.NNZ(), x.Rows()) {
		most++
	}
	sizes := direct.Borrow(2 * size)
	defer direct.Return(sizes)
	copy(sizes, curvature)
	return largest(sizes, most, size, 0, func(int) bool { return false })
}

// heavily tells whether the products of a step cost so much that the matrix of heavy columns pays.
func (l *loop) heavily(m *softModel) bool {
	if m.system.products < heavyPays {
		return false
	}
	x := m.system.x.Matrix
	list := heaviest(x, m.system.diagonal)
	columns := make([]uint32, len(list))
	for a, j := range list {
		columns[a] = m.system.columns[j]
	}
	once := costOf(l.byColumns().GramCostOf(columns), l.n, len(list)) + cost.Factor(len(list))
	return heavyPays*once <= int64(m.system.products)*cost.Pass(x.NNZ(), l.n)
}

// newHeavy makes the matrix of the heavy columns of a system.
func newHeavy(x direct.Matrix, h, diagonal []float64) *heavy {
	p := &heavy{pool: x.Pool, list: heaviest(x.Matrix, diagonal)}
	size := len(p.list)
	p.matrix = make([]float64, size*size)
	direct.Matrix{Matrix: direct.Value(matrix.PickBeside(x.Matrix, x.Pool, p.list)), Pool: x.Pool}.Gram(p.matrix, h)
	for a, j := range p.list {
		p.matrix[a*size+a] = diagonal[j]
	}
	return p
}

// hold prepares solve for the columns that are not held.
func (p *heavy) hold(held []bool) {
	order := make([]uint32, 0, len(p.list))
	for a, j := range p.list {
		if !held[j] {
			order = append(order, uint32(a))
		}
	}
	if slices.Equal(order, p.factor.Order) {
		return
	}
	p.factor.Order = order
	p.factor.Pick(p.matrix, len(p.list))
	p.factor.Factor(p.pool)
}

// solve divides r by the preconditioner, for the heavy columns that are not held.
func (p *heavy) solve(to, r []float64) {
	rest := p.factor.Solve(func(a uint32) float64 { return r[p.list[a]] })
	for k, a := range p.factor.Order {
		to[p.list[a]] = rest[k]
	}
}
