package erm

import (
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/sparse"
)

// Kernels on short rows take more time to guess where each one ends than to compute, where
// lengths vary and processors cannot have learned them all: rows of w8a, 12 entries and
// anything from 0 to 40, take half the time in the order of their lengths.
const (
	// leastOrdered is the number of rows from which on processors have not learned them,
	// longOrdered the mean number of entries up to which it pays, of text with 76 not.
	leastOrdered, longOrdered = 2048, 32
	// mostOrdered bounds the entries that are copied for it.
	mostOrdered = 1 << 22
)

// ordered returns p for a method that only sweeps over all rows: as it is, or with its rows in
// the order of their lengths where that pays. It depends on the method and the rows alone.
func ordered(p *Problem, method Method, pool *sparse.Pool) *Problem {
	n, entries := p.X.Rows(), p.X.NNZ()
	if _, sweeps := method.(Newton); !sweeps || n < leastOrdered || entries > mostOrdered || entries > longOrdered*int64(n) {
		return p
	}
	list := p.X.RowsByLength(pool)
	if list == nil {
		return p
	}
	return direct.Have(sample(p, list, pool))
}
