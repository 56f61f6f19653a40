package cholesky

import "github.com/lanes-go/lanes/internal/matrix"

// ridge is the share of its diagonal that a Picked is factored with in addition: columns may depend on one
// another.
const ridge = 1e-9

// Picked is the factor of some rows and columns of a matrix: a preconditioner for it, and for matrices that
// are nearly the same. Its memory serves the next factor too.
type Picked struct {
	Order []uint32  // the rows
	U     []float64 // the lower triangle of the picked matrix until Factor, then U, by rows
	rest  []float64 // workspace
}

// Pick copies the elements of Order of a matrix of size rows, both triangles of which are there.
func (f *Picked) Pick(matrix []float64, size int) {
	d := len(f.Order)
	if cap(f.U) < d*d {
		f.U, f.rest = make([]float64, d*d), make([]float64, d)
	}
	f.U, f.rest = f.U[:d*d], f.rest[:d]
	for k, a := range f.Order {
		row := matrix[int(a)*size:][:size]
		for j, b := range f.Order[:k+1] {
			f.U[k*d+j] = row[b]
		}
	}
}

// Factor makes the factor.
func (f *Picked) Factor(pool *matrix.Pool) {
	d := len(f.Order)
	for k := range d {
		f.U[k*d+k] *= 1 + ridge
	}
	FactorBy(pool, f.U, d)
}

// Solve returns the solution for the right side at(a) of each row a of Order, until the next one.
func (f *Picked) Solve(at func(a uint32) float64) []float64 {
	for k, a := range f.Order {
		f.rest[k] = at(a)
	}
	Solve(f.rest, f.U, f.rest)
	return f.rest
}
