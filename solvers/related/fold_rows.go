package related

import (
	"context"
	"fmt"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// foldRows holds the rows of a fold: the training rows, renumbered or not, and the rows that are
// measured.
type foldRows struct {
	inner, outer *erm.Problem
	numbering    *run.Numbering
	width        width // of the training rows

	solve Solve          // of rows in a file
	test  *sparse.Stream // outer.X in a file
}

// width is what a matrix and a stream tell of their columns.
type width interface {
	Cols() int
	Bias() float64
}

// rowsOf makes the rows of a fold.
func (c *crossing) rowsOf(ctx context.Context, fold int) (*foldRows, error) {
	if c.run.File != nil {
		return c.rowsInFile(ctx, fold)
	}
	test, train := risk.Split(c.fold, uint32(fold))
	inner, outer, err := part(c.p, train, test, c.v.Prepare)
	if err != nil {
		return nil, fmt.Errorf("related: fold %d: %w", fold+1, err)
	}
	r := &foldRows{inner: inner, outer: outer, width: inner.X}
	inner.X, r.numbering = numbered(inner.X, &c.run.Settings, c.run.penalties(c.Lambdas)...)
	return r, nil
}

// part returns the problem on the rows of train, and the rows of test.
func part(p *erm.Problem, train, test []uint32, prepare func(a, b *sparse.Matrix) (*sparse.Matrix, *sparse.Matrix, error)) (inner, outer *erm.Problem, err error) {
	inner, outer = new(erm.Problem), new(erm.Problem)
	for _, side := range []struct {
		to   *erm.Problem
		list []uint32
	}{{inner, train}, {outer, test}} {
		*side.to = *p
		side.to.Y, side.to.SampleWeight = direct.Listed(p.Y, side.list), direct.Listed(p.SampleWeight, side.list)
		side.to.Offset = direct.Listed(p.Offset, side.list)
		if side.to.X, err = p.X.PickRows(nil, side.list); err != nil {
			return nil, nil, err
		}
	}
	if prepare == nil {
		return inner, outer, nil
	}
	if inner.X, outer.X, err = prepare(inner.X, outer.X); err != nil {
		return nil, nil, err
	}
	for _, side := range []struct {
		x    *sparse.Matrix
		rows int
	}{{inner.X, len(train)}, {outer.X, len(test)}} {
		if side.x == nil || side.x.Rows() != side.rows || side.x.Cols() != p.X.Cols() {
			return nil, nil, fmt.Errorf("the matrices of Prepare are not of %d and %d rows and of %d columns", len(train), len(test), p.X.Cols())
		}
	}
	return inner, outer, nil
}
