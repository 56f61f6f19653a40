package penalty

import (
	"fmt"
	"hash/fnv"
	"math"

	"github.com/lanes-go/lanes/internal/direct"
)

// Factored is the penalty sum_j c_j (L1 |w_j| + (L2/2) w_j^2) with a factor c_j for each weight: an elastic
// net that holds some weights more than others. A weight with the factor 0 is unpenalised. It is safe for
// concurrent use while nobody changes it.
type Factored struct {
	// L1 and L2 are 0 or more.
	L1, L2 float64
	// Factors are the c_j, finite and 0 or more, one for each penalised weight; nil means ones.
	Factors []float64
}

// Uneven is a Rules with the squares (l2/2) sum_j c_j w_j^2 in place of (lambda/2) ||w||^2, and R of the same
// factors c_j: Squared returns 0. Support leaves out weights with the factor 0: u_j of them must be 0,
// or the caller bounds what it costs.
type Uneven interface {
	Rules
	// Squares returns l2.
	Squares() float64
	// Factor returns c_j.
	Factor(j int) float64
}

// String returns the name with both weights, and a hash of the factors.
func (p *Factored) String() string {
	hash := fnv.New64a()
	for _, c := range p.Factors {
		fmt.Fprintln(hash, c)
	}
	return fmt.Sprintf("l1 %v, ridge %v, with %d factors %016x", p.L1, p.L2, len(p.Factors), hash.Sum64())
}

// Check wants finite weights of 0 or more, and such a factor for every weight.
func (p *Factored) Check(weights int) error {
	if err := (ElasticNet{p.L1, p.L2}).Check(weights); err != nil {
		return err
	}
	if p.Factors != nil && len(p.Factors) != weights {
		return fmt.Errorf("there are %d factors for %d penalised weights", len(p.Factors), weights)
	}
	for j, c := range p.Factors {
		if !(c >= 0) || math.IsInf(c, 0) {
			return fmt.Errorf("the factor of weight %d is %v; it must be 0 or more", j, c)
		}
	}
	return nil
}

// of returns the penalty of one weight.
func (p *Factored) of(j int) ElasticNet {
	return ElasticNet{float64(p.L1 * p.Factor(j)), float64(p.L2 * p.Factor(j))}
}

// Squared returns 0: the squares have factors.
func (p *Factored) Squared() (lambda float64, alone bool) { return 0, false }

// Squares returns L2.
func (p *Factored) Squares() float64 { return p.L2 }

// Factor returns c_j.
func (p *Factored) Factor(j int) float64 {
	if p.Factors == nil {
		return 1
	}
	return p.Factors[j]
}

// Value returns the sum over the weights.
func (p *Factored) Value(w []float64) float64 {
	sum := 0.0
	for j, x := range w {
		if c := p.Factor(j); x != 0 && c != 0 {
			sum += float64(c * ElasticNet{p.L1, p.L2}.Value([]float64{x}))
		}
	}
	return sum
}

// Prox is ElasticNet's for each weight.
func (p *Factored) Prox(w []float64, step float64) {
	for j, x := range w {
		one := p.of(j)
		w[j] = shrink(x, float64(step*one.L1)) / (1 + float64(step*one.L2))
	}
}

// Compensated is Value in double length.
func (p *Factored) Compensated(w []float64) (value, err float64) {
	var squares, sizes direct.Double
	for j, x := range w {
		if c := p.Factor(j); p.L2 != 0 && c != 0 {
			squares.AddProduct(float64(c*x), x)
		}
		if c := p.Factor(j); p.L1 != 0 {
			sizes.AddProduct(c, math.Abs(x))
		}
	}
	ridge := float64(0.5 * float64(p.L2*squares.Value()))
	lasso := float64(p.L1 * sizes.Value())
	return ridge + lasso, float64(p.L2*(direct.Lost(len(w), squares.Absolute)+float64(2*direct.Unit*squares.Absolute))) + float64(p.L1*direct.Lost(len(w), sizes.Absolute))
}

// Violations is Violation for every weight.
func (p *Factored) Violations(v, g, w []float64) {
	for j := range v {
		v[j] = p.Violation(j, g[j], w[j])
	}
}

// Violation is ElasticNet's for the weight's own L1.
func (p *Factored) Violation(j int, g, w float64) float64 { return p.of(j).Violation(j, g, w) }

// Step is ElasticNet's for the weight's own L1.
func (p *Factored) Step(j int, g, w, h, slack float64) (t, violation float64, stays bool) {
	return p.of(j).Step(j, g, w, h, slack)
}

// Rise returns L1 c_j (|to| - |from|).
func (p *Factored) Rise(j int, from, to float64) float64 { return p.of(j).Rise(j, from, to) }

// Straight returns true.
func (*Factored) Straight() bool { return true }

// Support is sum_j max(0, |u_j| - L1 c_j)^2 / (2 L2 c_j) over the factors above 0. Weights whose L1 c_j and L2
// c_j are both 0 by underflow make it +Inf.
func (p *Factored) Support(_, most []float64) (value, share float64) {
	share = 1
	excess := 0.0
	for j, u := range most {
		one := p.of(j)
		least := float64(one.L1 * (1 - 4*direct.Unit)) // the products are rounded
		if p.Factor(j) == 0 || !(u > least) {
			continue
		}
		share = min(share, least/u*(1-8*direct.Unit))
		excess += (float64(float64(u-least)*(u-least)) + direct.Tiny) / one.L2
	}
	return float64(float64(0.5*excess) * (1 + float64(float64(len(most)+24)*direct.Unit))), share
}

// Bounded tells whether a weight is above 0.
func (p *Factored) Bounded() bool { return p.L1 > 0 || p.L2 > 0 }

// Multiple returns L1.
func (p *Factored) Multiple() float64 { return p.L1 }

// WithWeight sets L1.
func (p *Factored) WithWeight(weight float64) Penalty { return &Factored{weight, p.L2, p.Factors} }

// Least returns the largest |g_j|/c_j over the factors above 0.
func (p *Factored) Least(g []float64) float64 {
	most := 0.0
	for j, slope := range g {
		if c := p.Factor(j); c > 0 {
			most = max(most, math.Abs(slope)/c)
		}
	}
	return most
}
