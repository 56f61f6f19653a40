package erm

import (
	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/sparse"
)

// ordered returns p for a method: as it is, or with its rows in the order of their lengths
// where the method only sweeps over all of them and that pays.
func ordered(p *Problem, method Method, pool *sparse.Pool) *Problem {
	if _, sweeps := method.(Newton); !sweeps {
		return p
	}
	rows, is := p.rows().Ordered(pool)
	if !is {
		return p
	}
	return p.on(rows)
}

func (p *Problem) rows() engine.Labelled {
	return engine.Labelled{X: p.X, Y: p.Y, Weight: p.SampleWeight}
}

// on is p on other rows.
func (p *Problem) on(rows engine.Labelled) *Problem {
	q := *p
	q.X, q.Y, q.SampleWeight = rows.X, rows.Y, rows.Weight
	return &q
}

// sample returns the problem of the listed rows.
func sample(p *Problem, list []uint32, pool *sparse.Pool) *Problem {
	return p.on(p.rows().Pick(pool, list))
}
