package elasticnet

import "github.com/lanes-go/lanes/internal/cholesky"

// factor is the Cholesky factor of the model's matrix for some of its weights. It is a
// preconditioner for other weights that are nearly these: conjugate gradients then need few
// iterations. For nearly dependent columns they need thousands with the diagonal alone.
type factor struct {
	cholesky.Picked
	in []bool // the weights
}

// of makes the factor of a part's matrix for the listed weights.
func (f *factor) of(s *part, free []int) {
	size := len(s.slope)
	if f.in == nil {
		f.in = make([]bool, size)
	}
	clear(f.in)
	f.Order = f.Order[:0]
	for _, a := range free {
		f.Order, f.in[a] = append(f.Order, uint32(a)), true
	}
	f.Pick(s.gram, size)
	s.addBent(f.U, free)
	f.Factor(s.rows.Pool)
}

// solve writes the solution for the factor's weights to scaled, and 0 for weights of residual 0,
// which are not free any more.
func (f *factor) solve(scaled, residual []float64) {
	rest := f.Solve(func(a uint32) float64 { return residual[a] })
	clear(scaled)
	for k, a := range f.Order {
		if residual[a] != 0 {
			scaled[a] = rest[k]
		}
	}
}
