package engine

import (
	"errors"

	"github.com/lanes-go/lanes/sparse"

	"github.com/lanes-go/lanes/solvers"
)

// Numbering lets a run work on a matrix whose columns are numbered by frequency,
// while its caller sees his own numbers. Nil stands for a matrix as it was.
type Numbering struct{ *sparse.Numbering }

// Renumber returns x with its columns numbered by frequency, and settings in its
// numbers, where x.RenumberingPays; otherwise what it was given, and nil.
func Renumber(x *sparse.Matrix, settings solvers.Settings, pool *sparse.Pool) (*sparse.Matrix, solvers.Settings, *Numbering, error) {
	if x == nil {
		return nil, settings, nil, errors.New("solvers: there is no matrix to renumber")
	}
	if !x.RenumberingPays() {
		return x, settings, nil, nil
	}
	inner, numbers := x.Renumber(pool)
	n := &Numbering{numbers}
	if settings.Initial != nil {
		initial := make([]float64, len(settings.Initial))
		if err := n.FromUser(initial, settings.Initial); err != nil {
			return nil, settings, nil, err
		}
		settings.Initial = initial
	}
	if settings.Validation != nil {
		settings.Validation = &numberedMetric{settings.Validation, n, make([]float64, x.Cols())}
	}
	return inner, settings, n, nil
}

// Restore gives a result the caller's numbers.
func (n *Numbering) Restore(r *solvers.Result) error {
	if n == nil || r == nil {
		return nil
	}
	w := make([]float64, len(r.Weights))
	if err := n.ToUser(w, r.Weights); err != nil {
		return err
	}
	r.Weights = w
	return nil
}

// numberedMetric measures points in the caller's numbers.
type numberedMetric struct {
	solvers.Metric
	numbering *Numbering
	w         []float64
}

func (m *numberedMetric) Measure(w []float64) (float64, error) {
	if err := m.numbering.ToUser(m.w, w); err != nil {
		return 0, err
	}
	return m.Metric.Measure(m.w)
}
