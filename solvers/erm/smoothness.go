package erm

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
)

// Smoothness returns the global constant of smoothness of P (table 7),
//
//	L = h lambda_max((1/n) sum_i s_i x_i x_i') + lambda
//
// where h is the largest second derivative of the loss (1/4 for the logistic
// one), with a relative error of about 1e-9. Workers is as in solvers.Settings.
// It costs two products with the matrix for each of 10 to 100 iterations.
func Smoothness(p *Problem, workers int) (float64, error) {
	if err := risk.Check(p); err != nil {
		return 0, err
	}
	if _, err := loss.PeakOf(p.Loss); err != nil {
		return 0, fmt.Errorf("erm: no constant of smoothness: %w", err)
	}
	if _, err := penalty.RidgeOf(p.Penalty); err != nil {
		return 0, fmt.Errorf("erm: no constant of smoothness: %w", err)
	}
	pool := matrix.NewPool(workers)
	defer pool.Close()
	return smoothness(p, pool, 1e-10, nil), nil
}

// smoothness finds the largest eigenvalue by Lanczos iterations. Its tridiagonal
// matrix alone is kept: vectors that lose orthogonality repeat eigenvalues and
// do not shift the largest. It ends early, with too small a value, where ending says so.
func smoothness(p *Problem, pool *matrix.Pool, tolerance float64, ending func() bool) float64 {
	n, d := p.X.Rows(), p.X.Cols()
	former, v, u := make([]float64, d), make([]float64, d), make([]float64, d)
	z, x := make([]float64, n), direct.Matrix{Matrix: p.X, Pool: pool}
	random := random.New(1)
	for j := range v {
		v[j] = random.Sign() / math.Sqrt(float64(d))
	}
	var diagonal, off []float64 // off[k] is the square of the entry below diagonal[k]
	beta, largest, steady := 0.0, 0.0, 0
	for range min(d, 300) {
		x.MulVec(z, v)
		for i, s := range p.SampleWeight {
			z[i] *= s
		}
		// u = X'(s Xv)/n - beta former - alpha v
		clear(u)
		x.AddTrans(u, z)
		direct.ScaleAdd(u, 1/float64(n), u, -beta, former)
		alpha := direct.Dot(u, v)
		direct.Axpy(-alpha, v, u)
		diagonal = append(diagonal, alpha)
		before := largest
		largest = largestEigenvalue(diagonal, off)
		square := kernels.SquaredNorm(u)
		if steady++; math.Abs(largest-before) > tolerance*largest {
			steady = 0
		}
		if ending != nil && ending() {
			break
		}
		if steady == 3 || !(square > float64(1e-28*largest)*largest) {
			break
		}
		off = append(off, square)
		beta = math.Sqrt(square)
		former, v, u = v, u, former
		direct.Scale(v, 1/beta, v)
	}
	return math.FMA(p.Loss.Peak(), largest, p.Ridge())
}

// largestEigenvalue bisects for the largest eigenvalue of a symmetric
// tridiagonal matrix, given the squares of its other entries: x is above it
// where all pivots of the factorisation of the matrix minus x are negative.
func largestEigenvalue(diagonal, off []float64) float64 {
	low, high := diagonal[0], diagonal[0]
	for k, a := range diagonal {
		reach := 0.0
		if k > 0 {
			reach = math.Sqrt(off[k-1])
		}
		if k < len(off) {
			reach += math.Sqrt(off[k])
		}
		low, high = max(low, a), max(high, a+reach)
	}
	for range 200 {
		x := low + float64((high-low)/2)
		if x <= low || x >= high {
			break
		}
		pivot, above := diagonal[0]-x, true
		for k := 1; k < len(diagonal) && pivot < 0; k++ {
			pivot = diagonal[k] - x - off[k-1]/pivot
		}
		above = pivot < 0
		if above {
			high = x
		} else {
			low = x
		}
	}
	return high
}

// batchSmoothness bounds what stands for L when a step looks at b rows drawn
// without replacement (Gower et al. 2019, the b-nice sampling):
//
//	n (b-1) / (b (n-1)) L + (n-b) / (b (n-1)) max_i L_i
func batchSmoothness(t *task) float64 {
	l := smoothness(t.p, t.pool, 1e-3, t.ending)
	n, b := float64(t.p.X.Rows()), float64(min(t.p.X.Rows(), t.settings.BatchSize))
	if n > 1 {
		largest := 0.0
		for i, square := range matrix.SquaredNorms(t.p.X) {
			if t.p.SampleWeight != nil {
				square *= t.p.SampleWeight[i]
			}
			largest = max(largest, square)
		}
		largest = math.FMA(t.p.Loss.Peak(), largest, t.p.Ridge())
		common := float64(float64(n*(b-1))*l) + float64((n-b)*largest)
		l = common / float64(b*(n-1))
	}
	if !(l > 0) {
		return 1 // rows without entries and no regulariser: any step will do
	}
	return l
}
