// Package elasticnet minimises regularised empirical risks whose solutions are sparse:
//
//	minimise P(w, b) = (1/n) sum_i s_i phi(x_i'w + b, y_i) + l1 ||w||_1 + (lambda/2) ||w||^2
//
// for the losses of package erm: the lasso, the elastic net and L1-regularised
// classification. Zou and Hastie 2005, "Regularization and variable selection via the
// elastic net".
package elasticnet

import (
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// Problem is what is to be minimised. Solving does not change it. Its Penalty is Ridge or nil. With Intercept neither norm sees b, the last one of the weights;
// without, a bias column of X is regularised like any other. Several runs
// may share it.
type Problem struct {
	erm.Problem
	// L1 is the weight of ||w||_1, 0 or more.
	L1 float64
}

// check says what is wrong with a problem, if anything.
func (p *Problem) check() error {
	if p == nil {
		return errors.New("elasticnet: no problem")
	}
	if err := risk.Check(&p.Problem); err != nil {
		return err
	}
	if _, err := loss.DualOf(p.Loss); err != nil {
		return fmt.Errorf("elasticnet: %w", err)
	}
	if _, err := penalty.RidgeOf(p.Penalty); err != nil {
		return fmt.Errorf("elasticnet: %w", err)
	}
	if !(p.L1 >= 0) || math.IsInf(p.L1, 0) {
		return fmt.Errorf("elasticnet: the weight of the L1 norm is %v; it must be 0 or more", p.L1)
	}
	return nil
}

// features returns X without the column of the intercept.
func (p *Problem) features() *sparse.Matrix {
	if p.Intercept {
		return p.X.WithBias(0)
	}
	return p.X
}

// penalised returns the number of weights that are regularised.
func (p *Problem) penalised() int { return p.X.Cols() - p.Free() }

// nonZeros counts the regularised weights that are not 0.
func (p *Problem) nonZeros(w []float64) int {
	count := 0
	for _, v := range w[:p.penalised()] {
		if v != 0 {
			count++
		}
	}
	return count
}

const (
	// The next sample has about sampleFactor times as many rows. leastSample is the least expected
	// number of rows of a sample.
	sampleFactor, leastSample = 8, 1024
)

// levels returns the number of samples that a run on a number of rows begins with.
func levels(rows int) int {
	count := 0
	for rows >= sampleFactor*leastSample {
		rows /= sampleFactor
		count++
	}
	return count
}

// sample is the problem of about every 8^level-th row. The hash of a row's number decides, so
// that no order of the rows makes a bad sample.
func (p *Problem) sample(level int, pool *matrix.Pool) *Problem {
	most := uint64(math.MaxUint64)
	for range level {
		most /= sampleFactor
	}
	rows := make([]uint32, 0, len(p.Y)/sampleFactor)
	for i := range p.Y {
		if random.HashRow(i) <= most {
			rows = append(rows, uint32(i))
		}
	}
	return p.on(risk.Pick(&p.Problem, pool, rows))
}

// on is p with the rows of another problem.
func (p *Problem) on(rows *erm.Problem) *Problem {
	q := *p
	q.Problem = *rows
	return &q
}

// identity tells problems apart for checkpoints.
func (p *Problem) identity(pool *matrix.Pool) (checkpoint.Identity, error) {
	identity, err := risk.Identity(&p.Problem, pool)
	if err != nil {
		return nil, err
	}
	return identity.With("the weight of the L1 norm", p.L1), nil
}

// MaxL1 returns the least L1 for which w = 0 is a minimum, at the best intercept where
// there is one, and that intercept. From there down is where a path begins:
//
//	l1_max = ||(1/n) sum_i s_i phi'(b, y_i) x_i||_inf
//
// It costs half a pass.
func MaxL1(pool *sparse.Pool, p *Problem) (l1, intercept float64, err error) {
	if err := p.check(); err != nil {
		return 0, 0, err
	}
	o := newObjective(p, (*matrix.Pool)(pool))
	copy(o.base, p.Offset)
	copy(o.z, p.Offset)
	if o.slopes(o.z); p.Intercept {
		intercept = o.centre(0, 1e-15)
	}
	o.gradient(make([]float64, p.X.Cols()))
	return kernels.MaxAbs(o.g[:o.d]), intercept, nil
}
