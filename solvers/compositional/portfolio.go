package compositional

import (
	"fmt"
	"math"
	"sync"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// Portfolio is the smooth part of sparse mean-variance optimisation, (6): with the
// rewards r_1 .. r_N of d assets and their mean r,
//
//	F(x) = Risk (1/N) sum_i (r_i'x - r'x)^2 - r'x
//
// as a composition of f_i(z, y) = Risk (r_i'z + y)^2 - r_i'z and g_j(x) = (x, -r_j'x),
// so n = m = N and k = d+1. The Jacobian of g_j is the identity above -r_j'. It is never
// stored: products with it take one pass over r_j, and those with the average over all
// j one pass over r. An iteration costs O(sample d).
//
// Where lengths or numbers of a sample do not fit, the methods of Composition and of
// Anchor make dst NaN, and SumOuter returns it. It is safe for concurrent use.
type Portfolio struct {
	rewards []float64 // N by d
	n, d    int
	risk    float64
	mean    []float64
	largest func() float64 // eigenvalue of the covariance
}

// NewPortfolio returns the composition for n x d rewards, row after row, and a risk
// weight; the paper's is 1. The rewards are not copied and may not change.
//
// Error: a size does not fit, a reward or the weight is not finite, or is too large in
// magnitude to be squared and summed.
func NewPortfolio(rewards []float64, n, d int, risk float64) (*Portfolio, error) {
	switch {
	case n < 1 || d < 1 || n > 1<<30 || d > 1<<30-1:
		return nil, fmt.Errorf("compositional: %d rewards of %d assets; there must be one of each at least", n, d)
	case int64(len(rewards)) != int64(n)*int64(d):
		return nil, fmt.Errorf("compositional: %d numbers where %d rewards of %d assets are %d", len(rewards), n, d, int64(n)*int64(d))
	case !(risk >= 0) || risk > 1e100:
		return nil, fmt.Errorf("compositional: the risk weight is %v; it must be between 0 and 1e100", risk)
	}
	p := &Portfolio{rewards: rewards, n: n, d: d, risk: risk, mean: make([]float64, d)}
	p.largest = sync.OnceValue(p.powerMethod)
	for i := range n {
		row := p.row(i)
		if size := kernels.MaxAbs(row); !(size <= 1e100) {
			for j, v := range row {
				if !(math.Abs(v) <= 1e100) {
					return nil, fmt.Errorf("compositional: reward %d of asset %d is %v", i, j, v)
				}
			}
		}
		direct.Axpy(1/float64(n), row, p.mean)
	}
	return p, nil
}

// WithRisk returns the same rewards with another risk weight.
func (p *Portfolio) WithRisk(risk float64) (*Portfolio, error) {
	if !(risk >= 0) || risk > 1e100 {
		return nil, fmt.Errorf("compositional: the risk weight is %v; it must be between 0 and 1e100", risk)
	}
	out := *p
	out.risk = risk
	return &out, nil
}

func (p *Portfolio) row(i int) []float64 { return p.rewards[i*p.d : (i+1)*p.d : (i+1)*p.d] }

// Shape returns N, N, d+1 and d.
func (p *Portfolio) Shape() Shape {
	return Shape{Outer: p.n, Inner: p.n, Between: p.d + 1, Columns: p.d}
}

// Mean returns the mean rewards. It may not be changed.
func (p *Portfolio) Mean() []float64 { return p.mean }

// Moments returns the mean and the variance (with 1/N) of the rewards of a portfolio.
func (p *Portfolio) Moments(x []float64) (mean, variance float64, err error) {
	if len(x) != p.d {
		return 0, 0, fmt.Errorf("compositional: %d weights for %d assets", len(x), p.d)
	}
	mean = direct.Dot(p.mean, x)
	for i := range p.n {
		e := direct.Dot(p.row(i), x) - mean
		variance = math.FMA(e, e, variance)
	}
	return mean, variance / float64(p.n), nil
}

// AddInner adds scale (x, -r_j'x) for every j of the sample.
func (p *Portfolio) AddInner(dst []float64, scale float64, sample []uint32, x []float64) {
	if !fits(dst, p.d+1, x, p.d, sample, p.n) {
		return
	}
	count := p.n
	total := 0.0
	if sample == nil {
		total = float64(float64(p.n) * direct.Dot(p.mean, x))
	} else {
		count = len(sample)
		for _, j := range sample {
			total += direct.Dot(p.row(int(j)), x)
		}
	}
	direct.Axpy(float64(scale*float64(count)), x, dst[:p.d])
	dst[p.d] = math.FMA(-scale, total, dst[p.d])
}

// AddJacobian adds scale (u_z - u_y r_j) for every j of the sample, where u = (u_z, u_y).
func (p *Portfolio) AddJacobian(dst []float64, scale float64, sample []uint32, _, u []float64) {
	if !fits(dst, p.d, u, p.d+1, sample, p.n) {
		return
	}
	count := p.n
	factor := float64(-scale * u[p.d])
	if sample == nil {
		direct.Axpy(float64(factor*float64(p.n)), p.mean, dst)
	} else {
		count = len(sample)
		for _, j := range sample {
			direct.Axpy(factor, p.row(int(j)), dst)
		}
	}
	direct.Axpy(float64(scale*float64(count)), u[:p.d], dst)
}

// AddOuter adds scale ((2 Risk e - 1) r_i, 2 Risk e) with e = r_i'z + y, for every i of
// the sample.
func (p *Portfolio) AddOuter(dst []float64, scale float64, sample []uint32, y []float64) {
	if !fits(dst, p.d+1, y, p.d+1, sample, p.n) {
		return
	}
	if sample == nil {
		for i := range p.n {
			p.addOuter(dst, scale, i, y)
		}
		return
	}
	for _, i := range sample {
		p.addOuter(dst, scale, int(i), y)
	}
}

func (p *Portfolio) addOuter(dst []float64, scale float64, i int, y []float64) {
	row := p.row(i)
	slope := float64(float64(2*p.risk) * (direct.Dot(row, y[:p.d]) + y[p.d]))
	direct.Axpy(float64(scale*(slope-1)), row, dst[:p.d])
	dst[p.d] = math.FMA(scale, slope, dst[p.d])
}

// SumOuter returns the sum of Risk e^2 - r_i'z over the sample.
func (p *Portfolio) SumOuter(sample []uint32, y []float64) float64 {
	if len(y) != p.d+1 || !within(sample, p.n) {
		return math.NaN()
	}
	squares, rewards := 0.0, 0.0
	add := func(i int) {
		reward := direct.Dot(p.row(i), y[:p.d])
		e := reward + y[p.d]
		squares = math.FMA(e, e, squares)
		rewards += reward
	}
	if sample == nil {
		for i := range p.n {
			add(i)
		}
	} else {
		for _, i := range sample {
			add(int(i))
		}
	}
	return math.FMA(p.risk, squares, -rewards)
}

// SetAnchor has nothing to do: the average Jacobian is the same everywhere.
func (p *Portfolio) SetAnchor([]float64) {}

// AddAnchor adds scale (u_z - u_y r).
func (p *Portfolio) AddAnchor(dst []float64, scale float64, u []float64) {
	if !fits(dst, p.d, u, p.d+1, nil, 0) {
		return
	}
	direct.Axpy(scale, u[:p.d], dst)
	direct.Axpy(float64(-scale*u[p.d]), p.mean, dst)
}

// IsAffine returns true.
func (p *Portfolio) IsAffine() bool { return true }

// Smoothness returns 2 Risk times the largest eigenvalue of the covariance, from above
// by a thousandth, found by the power method.
func (p *Portfolio) Smoothness() float64 {
	return float64(2*p.risk) * p.largest()
}

func (p *Portfolio) powerMethod() float64 {
	random := random.New(uint64(p.d))
	v, next := make([]float64, p.d), make([]float64, p.d)
	for j := range v {
		v[j] = random.Float64() + 0.5
	}
	value := 0.0
	for range 200 {
		norm := direct.Norm(v)
		if !(norm > 0) {
			return 0
		}
		direct.Scale(v, 1/norm, v)
		clear(next)
		center := direct.Dot(p.mean, v)
		for i := range p.n {
			direct.Axpy((direct.Dot(p.row(i), v)-center)/float64(p.n), p.row(i), next)
		}
		before := value
		value = direct.Norm(next)
		v, next = next, v
		if math.Abs(value-before) <= 1e-4*value {
			break
		}
	}
	return 1.001 * value
}

// Identity covers every reward and the risk weight.
func (p *Portfolio) Identity() string {
	return fmt.Sprintf("portfolio of %d in %d rewards, risk %v, %s", p.d, p.n, p.risk, checkpoint.Checksum(p.rewards))
}
