// Package elasticnet minimises mean losses of rows and a penalty whose solutions are sparse:
//
//	minimise P(w, b) = (1/n) sum_i s_i phi(x_i'w + b + o_i, y_i) + R(w) + (lambda/2) ||w||^2
//
// for the losses of package loss and the penalties of package penalty that have Rules: the lasso, the
// elastic net, L1-regularised classification and the group lasso. Zou and Hastie 2005, "Regularization and variable
// selection via the elastic net".
package elasticnet

import (
	"errors"
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// Problem is what is to be minimised. Several runs may share it.
type Problem = solvers.Problem

// check says what is wrong with a problem, if anything.
func check(p *Problem) error {
	if p == nil {
		return errors.New("elasticnet: no problem")
	}
	if err := risk.Check(p); err != nil {
		return err
	}
	return risk.Refuse(family.Name, ProximalNewton{}.Name(), accepts, p.Asks(), p)
}

// features returns X without the column of the intercept.
func features(p *Problem) *sparse.Matrix {
	if p.Intercept {
		return p.X.WithBias(0)
	}
	return p.X
}

// penalised returns the number of weights that are penalised.
func penalised(p *Problem) int { return p.X.Cols() - p.Free() }

// nonZeros counts the penalised weights that are not 0.
func nonZeros(p *Problem, w []float64) int {
	count := 0
	for _, v := range w[:penalised(p)] {
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
func sample(p *Problem, level int, pool *matrix.Pool) *Problem {
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
	return risk.Pick(p, pool, rows)
}
