package run

import (
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// productColumns is the number of columns from which on products with vectors gain by
// columns that are numbered by frequency. The records of lazy steps outgrow the caches
// before; see matrix.RenumberingPays.
const productColumns = 1 << 19

// ProductsGain tells whether a dozen products are likely to gain by Renumber. It depends on
// the sizes of x alone.
func ProductsGain(x *sparse.Matrix) bool {
	return matrix.RenumberingPays(x) && x.Cols() >= productColumns
}

// Numbering lets a run work on a matrix whose columns are numbered by frequency, or on the
// columns that have entries. Its caller sees the original numbers. A nil Numbering means an
// unchanged matrix.
type Numbering struct {
	*matrix.Numbering
	columns, inner int // of the caller and of the run, a bias column included
}

// Renumber returns x with its columns numbered by frequency.
func Renumber(x *sparse.Matrix, pool *matrix.Pool) (*sparse.Matrix, *Numbering) {
	inner, numbers := matrix.Renumber(x, pool)
	return inner, &Numbering{numbers, x.Cols(), inner.Cols()}
}

// RenumberUsed is Renumber without the columns that have no entry, whose weights are 0 at the
// optimum: a point to start from loses its weights there.
func RenumberUsed(x *sparse.Matrix, pool *matrix.Pool) (*sparse.Matrix, *Numbering) {
	inner, numbers := matrix.RenumberUsed(x, pool)
	return inner, &Numbering{numbers, x.Cols(), inner.Cols()}
}

// Inner returns weights in the run's numbers, nil for nil.
func (n *Numbering) Inner(w []float64) []float64 {
	if n == nil || w == nil {
		return w
	}
	inner := make([]float64, n.inner)
	direct.Must(n.FromUser(inner, w))
	return inner
}

// Outer writes weights of the run to dst in the caller's numbers.
func (n *Numbering) Outer(dst, w []float64) {
	if n == nil {
		copy(dst, w)
		return
	}
	direct.Must(n.ToUser(dst, w))
}

// Settings returns settings in the run's numbers.
func (n *Numbering) Settings(s solvers.Settings) solvers.Settings {
	if n == nil {
		return s
	}
	s.Initial = n.Inner(s.Initial)
	if s.Validation != nil {
		s.Validation = &numberedMetric{s.Validation, n, make([]float64, n.columns)}
	}
	return s
}

// Restore gives a result the caller's numbers.
func (n *Numbering) Restore(r *solvers.Result) {
	if n == nil || r == nil {
		return
	}
	w, err := n.InUser(r.Weights)
	direct.Must(err)
	r.Weights = w
}

// numberedMetric converts points to the caller's column numbers before it measures them.
type numberedMetric struct {
	solvers.Metric
	numbering *Numbering
	w         []float64
}

func (m *numberedMetric) Measure(w []float64) (float64, error) {
	m.numbering.Outer(m.w, w)
	return m.Metric.Measure(m.w)
}
