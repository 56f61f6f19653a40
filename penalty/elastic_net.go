package penalty

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// ElasticNet is the penalty L1 ||w||_1 + (L2/2) ||w||^2 of Zou and Hastie 2005, "Regularization and
// variable selection via the elastic net". Both are 0 or more. It is safe for concurrent use.
type ElasticNet struct{ L1, L2 float64 }

// String returns the name with both weights.
func (p ElasticNet) String() string { return fmt.Sprintf("l1 %v, ridge %v", p.L1, p.L2) }

// Check wants both weights finite and 0 or more.
func (p ElasticNet) Check(weights int) error {
	if err := (L1{p.L1}).Check(weights); err != nil {
		return err
	}
	return Ridge{p.L2}.Check(weights)
}

// Squared returns L2, and whether L1 is 0.
func (p ElasticNet) Squared() (lambda float64, alone bool) { return p.L2, p.L1 == 0 }

// Lengths returns every weight as a group of one, whose multiple is L1.
func (p ElasticNet) Lengths(weights int) (groups [][]int, multiples []float64) {
	if p.L1 == 0 {
		return nil, nil
	}
	for j := range weights {
		groups, multiples = append(groups, []int{j}), append(multiples, p.L1)
	}
	return groups, multiples
}

// Value returns L1 ||w||_1 + (L2/2) ||w||^2. The squared norm may overflow where L2 is 0.
func (p ElasticNet) Value(w []float64) float64 {
	sum := 0.0
	if p.L1 != 0 {
		for _, x := range w {
			if x != 0 { // most weights are 0
				sum += math.Abs(x)
			}
		}
	}
	if p.L2 == 0 {
		return float64(p.L1 * sum)
	}
	return math.FMA(0.5*p.L2, kernels.SquaredNorm(w), float64(p.L1*sum))
}

// Prox moves every weight towards 0 by step L1, and divides it by 1 + step L2.
func (p ElasticNet) Prox(w []float64, step float64) {
	if t := step * p.L1; p.L1 != 0 && t >= 0 {
		direct.SoftThreshold(w, w, t)
	}
	if p.L2 != 0 {
		direct.Scale(w, 1/(1+float64(step*p.L2)), w)
	}
}

// Compensated is Value in double length.
func (p ElasticNet) Compensated(w []float64) (value, err float64) {
	var squares, sizes direct.Double
	for _, x := range w {
		if p.L2 != 0 {
			squares.AddProduct(x, x)
		}
		if p.L1 != 0 {
			sizes.AddProduct(1, math.Abs(x))
		}
	}
	ridge := float64(0.5 * float64(p.L2*squares.Value()))
	lasso := float64(p.L1 * sizes.Value())
	return ridge + lasso, float64(p.L2*direct.Lost(len(w), squares.Absolute)) + float64(p.L1*direct.Lost(len(w), sizes.Absolute))
}

// Violations moves slopes of weights at 0 towards 0 by L1, and adds the signs of the others times L1.
func (p ElasticNet) Violations(v, g, w []float64) {
	direct.SoftThreshold(v, g, p.L1)
	for j, x := range v {
		if w[j] != 0 || x != x {
			v[j] = p.Violation(j, g[j], w[j])
		}
	}
}

// Violation is Violations for one weight.
func (p ElasticNet) Violation(_ int, g, w float64) float64 {
	switch {
	case w > 0:
		return g + p.L1
	case w < 0:
		return g - p.L1
	}
	return shrink(g, p.L1)
}

// Step shrinks h w - g, and divides it by h.
func (p ElasticNet) Step(j int, g, w, h, slack float64) (t, violation float64, stays bool) {
	if w == 0 && math.Abs(g) < p.L1-slack {
		return 0, 0, true
	}
	if t = shrink(math.FMA(h, w, -g), p.L1); t != 0 {
		t /= h
	}
	return t, math.Abs(p.Violation(j, g, w)), false
}

// Rise returns L1 (|to| - |from|).
func (p ElasticNet) Rise(_ int, from, to float64) float64 {
	return float64(p.L1 * (math.Abs(to) - math.Abs(from)))
}

// Straight returns true.
func (ElasticNet) Straight() bool { return true }

// Support is sum_j max(0, |u_j| - L1)^2 / (2 L2).
func (p ElasticNet) Support(_, most []float64) (value, share float64) {
	largest, excess := 0.0, 0.0
	for _, u := range most {
		largest = max(largest, u)
	}
	if !(largest > p.L1) {
		return 0, 1
	}
	if p.L1 > 0 {
		share = p.L1 / largest * (1 - 8*direct.Unit)
	}
	if p.L2 == 0 {
		return math.Inf(1), share
	}
	for _, u := range most {
		if u > p.L1 {
			excess = math.FMA(u-p.L1, u-p.L1, excess) + direct.Tiny
		}
	}
	return float64(float64(float64(excess/p.L2)*0.5) * (1 + float64(float64(len(most)+16)*direct.Unit))), share
}

// Bounded tells whether a weight is above 0.
func (p ElasticNet) Bounded() bool { return p.L1 > 0 || p.L2 > 0 }

// Multiple returns L1.
func (p ElasticNet) Multiple() float64 { return p.L1 }

// WithWeight sets L1.
func (p ElasticNet) WithWeight(weight float64) Penalty { return ElasticNet{weight, p.L2} }

// Least returns the largest |g_j|.
func (p ElasticNet) Least(g []float64) float64 { return kernels.MaxAbs(g) }

// Absolute says that the norm is ||w||_1.
func (ElasticNet) Absolute() {}

// shrink moves v towards 0 by at most t.
func shrink(v, t float64) float64 {
	switch {
	case v > t:
		return v - t
	case v < -t:
		return v + t
	}
	return 0
}
