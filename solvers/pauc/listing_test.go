package pauc

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/sparse"
)

// paper is the paper's problem as it is printed: sums over all pairs, and on dense rows. It
// knows nothing of the solvers: a program below takes rows that were sampled, nothing else.
type paper struct {
	positives, negatives [][]float64 // x_i+ and x_j-
	m, n                 int
	// hard is the number of positives that count, the lowest scores first: the paper has all.
	hard int
	// scale is the scale of a sigmoid loss; 0 means the logistic loss.
	scale float64
	// weight is the weight of ||v||^2/2 beside f^n; the paper has no such term.
	weight float64
}

func dot(x, y []float64) (s float64) {
	for j := range x {
		s += x[j] * y[j]
	}
	return s
}

// s is s_ij(w) = l(h_w(x_i+) - h_w(x_j-)), and the derivative of l.
func (p *paper) s(i, j int, w []float64) (value, slope float64) {
	z := dot(p.positives[i], w) - dot(p.negatives[j], w)
	if p.scale > 0 {
		value = 1 / (1 + math.Exp(p.scale*z))
		return value, -p.scale * value * (1 - value)
	}
	return math.Log(1 + math.Exp(-z)), -1 / (1 + math.Exp(z))
}

// add adds the gradient of s_ij(w), times a share, to g.
func (p *paper) add(g []float64, share float64, i, j int, w []float64) {
	_, slope := p.s(i, j, w)
	for k := range g {
		g[k] += share * slope * (p.positives[i][k] - p.negatives[j][k])
	}
}

// ranked is S_i(w) as the places of negatives, the largest loss first.
func (p *paper) ranked(i int, w []float64) []int {
	list := make([]int, len(p.negatives))
	phi := make([]float64, len(list))
	for j := range list {
		list[j] = j
		phi[j], _ = p.s(i, j, w)
	}
	slices.SortFunc(list, func(a, b int) int {
		if phi[a] > phi[b] {
			return -1
		}
		return 1
	})
	return list
}

// start is what lambda begins with: a little below the l-th largest losses, so that no loss
// is at a threshold.
func (p *paper) start(l int, w []float64) map[int]float64 {
	lambda := map[int]float64{}
	for i := range p.positives {
		if l > 0 {
			lambda[i], _ = p.s(i, p.ranked(i, w)[l-1], w)
			lambda[i] *= below
		}
	}
	return lambda
}

const below = 0.999

// subgradient is xi, of f^m at w.
func (p *paper) subgradient(w []float64) []float64 {
	xi := make([]float64, len(w))
	all := make([]int, len(p.positives))
	for i := range all {
		all[i] = i
	}
	for _, i := range p.lowest(all, w) {
		for _, j := range p.ranked(i, w)[:p.m] {
			p.add(xi, 1, i, j, w)
		}
	}
	return xi
}

// sampled are the lines of an iteration that algorithms 1, 3 and 4 share: G_v, and lambda
// moved along G_lambda. (Algorithm 3 has one i, and N for N_-.)
func (p *paper) sampled(l int, v []float64, lambda map[int]float64, is, js []int, theta float64) []float64 {
	g := make([]float64, len(v))
	is = p.lowest(is, v)
	share := float64(p.hard*len(p.negatives)) / float64(len(is)*len(js))
	moves := map[int]float64{}
	for _, i := range is {
		above := 0.0
		for _, j := range js {
			if value, _ := p.s(i, j, v); value > lambda[i] {
				above++
				p.add(g, share, i, j, v)
			}
		}
		moves[i] = theta * (float64(l) - float64(len(p.negatives))/float64(len(js))*above)
	}
	for i, by := range moves {
		lambda[i] -= by
	}
	return g
}

// lowest are the positives of the lowest scores among some: the same share of them as of all,
// rounded up.
func (p *paper) lowest(is []int, w []float64) []int {
	count := int(math.Ceil(float64(p.hard*len(is)) / float64(len(p.positives))))
	sorted := slices.Clone(is)
	slices.SortFunc(sorted, func(a, b int) int {
		if dot(p.positives[a], w) < dot(p.positives[b], w) {
			return -1
		}
		return 1
	})
	return sorted[:count]
}

// sampler returns the rows of an iteration.
type sampler func() (is, js []int)

// sbcd is algorithm 1, and with one positive algorithm 3.
func (p *paper) sbcd(w []float64, lambda map[int]float64, steps, l int, mu, weight, eta, theta float64, sample sampler) (vBar []float64, lambdaBar map[int]float64) {
	v, lambda := slices.Clone(w), maps.Clone(lambda) // line 2
	vBar, lambdaBar = make([]float64, len(w)), map[int]float64{}
	for range steps {
		for k := range v { // line 10
			vBar[k] += v[k] / float64(steps)
		}
		for i := range lambda {
			lambdaBar[i] += lambda[i] / float64(steps)
		}
		is, js := sample()                          // line 4
		g := p.sampled(l, v, lambda, is, js, theta) // lines 5, 7 and 8
		for k := range v {                          // line 6: (14)
			v[k] = (w[k]/mu + v[k]/eta - g[k]) / (1/mu + 1/eta + weight)
		}
	}
	return vBar, lambdaBar
}

// dca is algorithm 4, and with l, the L of (38), a step that is proximal in its terms.
func (p *paper) dca(w []float64, lambda map[int]float64, steps int, xi []float64, l, eta, theta float64, sample sampler) ([]float64, map[int]float64) {
	v, lambda := slices.Clone(w), maps.Clone(lambda)
	for range steps {
		is, js := sample()
		g := p.sampled(p.n, v, lambda, is, js, theta)
		for k := range v {
			v[k] = (l*w[k] + v[k]/eta - g[k] + xi[k]) / (l + 1/eta + p.weight)
		}
	}
	return v, lambda
}

// nudged is a scheme whose exact thresholds are moved below the losses that they equal.
type nudged struct{ scheme }

func (s nudged) open(c *run.Control) (drift []float64, over average, err error) {
	var exact []*thresholds
	switch l := s.scheme.(type) {
	case *agd:
		if l.inner == 0 && l.phase == 0 && (l.outer == 0 || l.anew) {
			exact = []*thresholds{&l.lambda[0], &l.lambda[1]}
		}
	case *dca:
		if l.inner == 0 && l.outer == 0 {
			exact = []*thresholds{&l.lambda}
		}
	}
	drift, over, err = s.scheme.open(c)
	for _, h := range exact {
		for i := range h.lambda {
			h.lambda[i] *= below
		}
	}
	return drift, over, err
}

// compare holds a vector to a listing's.
func compare(what string, got, want []float64) error {
	most := 0.0
	for _, v := range want {
		most = max(most, math.Abs(v))
	}
	for j, v := range want {
		if !(math.Abs(got[j]-v) <= 1e-10*most) {
			return fmt.Errorf("%s: weight %d is %v, the listing has %v", what, j, got[j], v)
		}
	}
	return nil
}

func denseRows(x *sparse.Matrix) [][]float64 {
	rows := make([][]float64, x.Rows())
	for i := range rows {
		rows[i] = make([]float64, x.Cols())
		for j, v := range x.Row(i) {
			rows[i][j] = v
		}
	}
	return rows
}
