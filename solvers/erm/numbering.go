package erm

import (
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// numbering lets a solver run on a matrix whose columns are numbered by frequency,
// while its caller sees his own numbers.
type numbering struct{ *sparse.Numbering }

// renumber returns the problem and the settings that a method should run with: as
// they are, or, where lazy steps over many columns gain by it, renumbered. It
// depends on the method and the sizes of the matrix alone.
func renumber(p *Problem, method Method, settings solvers.Settings, pool *sparse.Pool) (*Problem, solvers.Settings, *numbering, error) {
	switch method.(type) {
	case AISARAH, AISARAHInterval, SARAH, SARAHPlus, SVRG, SGD:
	default:
		return p, settings, nil, nil
	}
	if !p.X.RenumberingPays() {
		return p, settings, nil, nil
	}
	inner := *p
	n := &numbering{}
	inner.X, n.Numbering = p.X.Renumber(pool)
	if settings.Initial != nil {
		initial := make([]float64, len(settings.Initial))
		if err := n.FromUser(initial, settings.Initial); err != nil {
			return nil, settings, nil, err
		}
		settings.Initial = initial
	}
	if settings.Validation != nil {
		settings.Validation = &numberedMetric{settings.Validation, n, make([]float64, p.X.Cols())}
	}
	return &inner, settings, n, nil
}

// restore gives a result the caller's numbers.
func (n *numbering) restore(r *solvers.Result) error {
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
	numbering *numbering
	w         []float64
}

func (m *numberedMetric) Measure(w []float64) (float64, error) {
	if err := m.numbering.ToUser(m.w, w); err != nil {
		return 0, err
	}
	return m.Metric.Measure(m.w)
}
