package erm

import (
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
)

// renumber returns the problem that a method should run with: as it is, or, where products
// and lazy steps over many columns gain by it, renumbered. It depends on the method and
// the sizes of the matrix alone.
func renumber(p *Problem, method Method, s *run.Session) *Problem {
	pays := matrix.RenumberingPays
	switch method.(type) {
	case AISARAH, AISARAHInterval, SARAH, SARAHPlus, SVRG, SGD:
	case Newton:
		pays = run.ProductsGain
	default:
		return p
	}
	x, numbering := s.Renumber(p.X, pays)
	if numbering == nil {
		return p
	}
	inner := *p
	inner.X = x
	return &inner
}
