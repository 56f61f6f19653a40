// Package quadratic solves small dense quadratic programs with an l1 term to the precision of
// float64. It serves experiments and tests that need a minimum from outside the solvers under
// test. It solves
//
//	minimise (1/2) x'Hx - c'x + lambda ||x||_1 over low <= x_j <= high
package quadratic

import (
	"errors"
	"fmt"
	"math"
)

// Program is the problem. H is symmetric and positive semidefinite, d by d.
type Program struct {
	H         []float64
	C         []float64
	Lambda    float64
	Low, High float64
}

// MeanVariance returns the program of risk times the variance minus the mean, for n x d
// rewards.
func MeanVariance(rewards []float64, d int, risk, lambda, low, high float64) *Program {
	n := len(rewards) / d
	p := &Program{H: make([]float64, d*d), C: make([]float64, d), Lambda: lambda, Low: low, High: high}
	for i := range n {
		for j, v := range rewards[i*d : (i+1)*d] {
			p.C[j] += v / float64(n)
		}
	}
	centred := make([]float64, d)
	for i := range n {
		for j, v := range rewards[i*d : (i+1)*d] {
			centred[j] = v - p.C[j]
		}
		for j, v := range centred {
			row := p.H[j*d : (j+1)*d]
			v = float64(v * (2 * risk / float64(n)))
			for k := range row {
				row[k] += float64(v * centred[k])
			}
		}
	}
	return p
}

// Value returns the objective at x.
func (p *Program) Value(x []float64) float64 {
	total := 0.0
	for j, v := range x {
		total += float64(v*(float64(p.product(x, j)/2)-p.C[j])) + float64(p.Lambda*math.Abs(v))
	}
	return total
}

func (p *Program) product(x []float64, j int) float64 {
	sum := 0.0
	for k, h := range p.H[j*len(x) : (j+1)*len(x)] {
		sum += float64(h * x[k])
	}
	return sum
}

// Residual returns by how much x misses the optimality conditions: the largest distance
// of 0 from a coordinate's subdifferential, bounds included.
func (p *Program) Residual(x []float64) float64 {
	worst := 0.0
	for j, v := range x {
		g := p.product(x, j) - p.C[j]
		least, most := g-p.Lambda, g+p.Lambda // the subdifferential
		if v > 0 {
			least = most
		} else if v < 0 {
			most = least
		}
		if v <= p.Low {
			least = math.Inf(-1)
		}
		if v >= p.High {
			most = math.Inf(1)
		}
		worst = max(worst, least, -most)
	}
	return worst
}

// Solve returns a point whose residual is at most tolerance. Coordinate descent finds
// which coordinates are free, and a Cholesky factorisation the values of those.
//
// Error: the tolerance was not reached.
func (p *Program) Solve(tolerance float64) ([]float64, error) {
	d := len(p.C)
	x := make([]float64, d)
	for j := range x {
		x[j] = min(max(0, p.Low), p.High)
	}
	best := math.Inf(1)
	for range 2000 {
		for range 100 {
			p.sweep(x)
		}
		if r := p.Residual(x); r <= tolerance {
			return x, nil
		}
		polished, err := p.polish(x)
		if err != nil {
			continue
		}
		r := p.Residual(polished)
		if r <= tolerance {
			return polished, nil
		}
		best = min(best, r)
	}
	return nil, fmt.Errorf("quadratic: the optimality conditions are met within %.2g only, not %.2g", best, tolerance)
}

// sweep minimises over one coordinate after another.
func (p *Program) sweep(x []float64) {
	for j := range x {
		h := p.H[j*len(x)+j]
		g := p.product(x, j) - p.C[j]
		if !(h > 0) {
			continue
		}
		v := float64(h*x[j]) - g
		switch {
		case v > p.Lambda:
			v = (v - p.Lambda) / h
		case v < -p.Lambda:
			v = (v + p.Lambda) / h
		default:
			v = 0
		}
		x[j] = min(max(v, p.Low), p.High)
	}
}

var errSingular = errors.New("quadratic: the free coordinates are not determined")

// polish solves for the coordinates of x that are neither 0 nor at a bound, and refines
// the solution once.
func (p *Program) polish(x []float64) ([]float64, error) {
	d := len(x)
	var free []int
	for j, v := range x {
		if v != 0 && v > p.Low && v < p.High {
			free = append(free, j)
		}
	}
	f := len(free)
	l := make([]float64, f*f)
	for a, j := range free {
		for b := 0; b <= a; b++ {
			sum := p.H[j*d+free[b]]
			for k := range b {
				sum -= float64(l[a*f+k] * l[b*f+k])
			}
			if a == b {
				if !(sum > 0) {
					return nil, errSingular
				}
				l[a*f+a] = math.Sqrt(sum)
			} else {
				l[a*f+b] = sum / l[b*f+b]
			}
		}
	}
	out := append([]float64(nil), x...)
	step := make([]float64, f)
	for range 3 {
		for a, j := range free {
			step[a] = p.C[j] - p.product(out, j) - math.Copysign(p.Lambda, x[j])
			for k := range a {
				step[a] -= float64(l[a*f+k] * step[k])
			}
			step[a] /= l[a*f+a]
		}
		for a := f - 1; a >= 0; a-- {
			for k := a + 1; k < f; k++ {
				step[a] -= float64(l[k*f+a] * step[k])
			}
			step[a] /= l[a*f+a]
			out[free[a]] += step[a]
		}
	}
	return out, nil
}
