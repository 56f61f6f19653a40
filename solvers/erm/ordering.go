package erm

import (
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
)

// ordered returns p for a method: as it is, or with its rows in the order of their lengths
// where the method only sweeps over all of them and that pays.
func ordered(p *Problem, method Method, pool *matrix.Pool) *Problem {
	if _, sweeps := method.(Newton); !sweeps {
		return p
	}
	return risk.Ordered(p, pool)
}
