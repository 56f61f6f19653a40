package erm

import "github.com/lanes-go/lanes/internal/engine"

// renumber returns the problem that a method should run with: as it
// is, or, where lazy steps over many columns gain by it, renumbered. It depends on the
// method and the sizes of the matrix alone.
func renumber(p *Problem, method Method, s *engine.Session) (*Problem, error) {
	switch method.(type) {
	case AISARAH, AISARAHInterval, SARAH, SARAHPlus, SVRG, SGD:
	default:
		return p, nil
	}
	x, numbering, err := s.Renumber(p.X)
	if numbering == nil {
		return p, err
	}
	inner := *p
	inner.X = x
	return &inner, nil
}
