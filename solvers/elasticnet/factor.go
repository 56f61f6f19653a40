package elasticnet

import "github.com/lanes-go/lanes/internal/cholesky"

// ridge is the share of its diagonal that a matrix is factored with in addition: columns may
// depend on one another.
const ridge = 1e-9

// factor is the Cholesky factor of the model's matrix for some of its weights. It is a
// preconditioner for other weights that are nearly these: conjugate gradients then need few
// iterations. For nearly dependent columns they need thousands with the diagonal alone.
type factor struct {
	order []uint32 // the weights
	in    []bool
	u     []float64
	rest  []float64 // workspace
}

// of makes the factor of a part's matrix for the listed weights.
func (f *factor) of(s *part, free []int) {
	d, size := len(free), len(s.slope)
	if f.in == nil {
		f.in = make([]bool, size)
	}
	clear(f.in)
	if cap(f.u) < d*d {
		f.u, f.rest, f.order = make([]float64, d*d), make([]float64, d), make([]uint32, d)
	}
	f.u, f.rest, f.order = f.u[:d*d], f.rest[:d], f.order[:d]
	for k, a := range free {
		f.order[k], f.in[a] = uint32(a), true
		row := s.gram[a*size:][:size]
		for j, b := range free[:k+1] {
			f.u[k*d+j] = row[b]
		}
	}
	s.addBent(f.u, free)
	for k := range free {
		f.u[k*d+k] *= 1 + ridge
	}
	cholesky.FactorBy(s.rows.Pool, f.u, d)
}

// solve writes the solution for the factor's weights to scaled, and 0 for weights of residual 0,
// which are not free any more.
func (f *factor) solve(scaled, residual []float64) {
	for k, a := range f.order {
		f.rest[k] = residual[a]
	}
	cholesky.Solve(f.rest, f.u, f.rest)
	clear(scaled)
	for k, a := range f.order {
		if residual[a] != 0 {
			scaled[a] = f.rest[k]
		}
	}
}
