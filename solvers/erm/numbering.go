package erm

import (
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// renumber returns the problem and the settings that a method should run with: as
// they are, or, where lazy steps over many columns gain by it, renumbered. It
// depends on the method and the sizes of the matrix alone.
func renumber(p *Problem, method Method, settings solvers.Settings, pool *sparse.Pool) (*Problem, solvers.Settings, *solvers.Numbering, error) {
	switch method.(type) {
	case AISARAH, AISARAHInterval, SARAH, SARAHPlus, SVRG, SGD:
	default:
		return p, settings, nil, nil
	}
	x, settings, numbering, err := solvers.Renumber(p.X, settings, pool)
	if numbering == nil {
		return p, settings, nil, err
	}
	inner := *p
	inner.X = x
	return &inner, settings, numbering, nil
}
