package penalty

import (
	"fmt"
	"hash/fnv"
	"math"

	"github.com/lanes-go/lanes/internal/direct"
)

// Bounded is a Factored whose weights have bounds: sum_j c_j (L1 |w_j| + (L2/2) w_j^2) for weights with
// Lower_j <= w_j <= Upper_j, such as weights of 0 or more. Equal bounds fix a weight. It is safe for
// concurrent use while nobody changes it.
type Bounded struct {
	Factored
	// Lower and Upper have one number for each penalised weight, -Inf and +Inf for none.
	Lower, Upper []float64
}

// String returns the name of the Factored, and a hash of the bounds.
func (p *Bounded) String() string {
	hash := fnv.New64a()
	for j := range p.Lower {
		fmt.Fprintln(hash, p.Lower[j], p.Upper[j])
	}
	return fmt.Sprintf("%v, with bounds %016x", &p.Factored, hash.Sum64())
}

// Check wants a Factored that is right, and for every weight a lower bound that is not above the upper one.
func (p *Bounded) Check(weights int) error {
	if err := p.Factored.Check(weights); err != nil {
		return err
	}
	if len(p.Lower) != weights || len(p.Upper) != weights {
		return fmt.Errorf("there are %d lower and %d upper bounds for %d penalised weights", len(p.Lower), len(p.Upper), weights)
	}
	for j, lower := range p.Lower {
		if upper := p.Upper[j]; !(lower <= upper) || math.IsInf(lower, 1) || math.IsInf(upper, -1) {
			return fmt.Errorf("the bounds of weight %d are %v and %v; there is no number between them", j, lower, upper)
		}
	}
	return nil
}

// Interval returns Lower_j and Upper_j.
func (p *Bounded) Interval(j int) (lower, upper float64) { return p.Lower[j], p.Upper[j] }

// within moves a weight to the nearest one within its bounds.
func (p *Bounded) within(j int, w float64) float64 {
	switch {
	case w < p.Lower[j]:
		return p.Lower[j]
	case w > p.Upper[j]:
		return p.Upper[j]
	}
	return w
}

// Value is that of the Factored, +Inf beyond the bounds.
func (p *Bounded) Value(w []float64) float64 {
	for j, x := range w {
		if x < p.Lower[j] || x > p.Upper[j] {
			return math.Inf(1)
		}
	}
	return p.Factored.Value(w)
}

// Prox is that of the Factored, moved to the bounds.
func (p *Bounded) Prox(w []float64, step float64) {
	p.Factored.Prox(w, step)
	for j, x := range w {
		w[j] = p.within(j, x)
	}
}

// slopes returns the least and the most slope of L1 c_j |w_j| with the bounds: -Inf at the lower one, +Inf at
// the upper one.
func (p *Bounded) slopes(j int, w float64) (least, most float64) {
	l1 := float64(p.L1 * p.Factor(j))
	if least, most = -l1, l1; w > 0 {
		least = l1
	} else if w < 0 {
		most = -l1
	}
	if w <= p.Lower[j] {
		least = math.Inf(-1)
	}
	if w >= p.Upper[j] {
		most = math.Inf(1)
	}
	return least, most
}

// Violations is Violation for every weight.
func (p *Bounded) Violations(v, g, w []float64) {
	for j := range v {
		v[j] = p.Violation(j, g[j], w[j])
	}
}

// Violation is 0 where the slope presses the weight against a bound.
func (p *Bounded) Violation(j int, g, w float64) float64 {
	switch least, most := p.slopes(j, w); {
	case g+least > 0:
		return g + least
	case g+most < 0:
		return g + most
	}
	return 0
}

// Step is the Factored's, moved to the bounds. It also tells that the weight stays at a bound.
func (p *Bounded) Step(j int, g, w, h, slack float64) (t, violation float64, stays bool) {
	if least, most := p.slopes(j, w); g+slack < -least && g-slack > -most {
		return w, 0, true
	}
	t, _, _ = p.of(j).Step(j, g, w, h, math.Inf(1))
	return p.within(j, t), math.Abs(p.Violation(j, g, w)), false
}

// Support is the sum over the weights of the largest u w - c_j (L1 |w| + (L2/2) w^2) within the bounds. It
// leaves out what a weight that is free, with no bound and no penalty on the side of u, adds.
func (p *Bounded) Support(u, most []float64) (value, share float64) {
	share = 1
	rounding := 0.0
	for j, v := range u {
		off := most[j] - math.Abs(v)
		off += float64(4 * direct.Unit * most[j])
		low, lowErr := p.conjugate(j, v-off)
		high, highErr := p.conjugate(j, v+off)
		value += max(low, high)
		rounding += max(lowErr, highErr) + float64(float64(float64(len(u)+8)*direct.Unit)*max(math.Abs(low), math.Abs(high)))
		share = min(share, p.share(j, v+off, p.Upper[j]), p.share(j, off-v, -p.Lower[j]))
	}
	return value + float64(1.01*rounding), share
}

// Feasible returns the largest share whose L1 keeps the slopes of weights without a bound, but for rounding.
func (p *Bounded) Feasible(u, most []float64) float64 {
	share := 1.0
	for j, v := range u {
		if p.of(j).L2 > 0 {
			continue
		}
		off := most[j] - math.Abs(v) + float64(8*direct.Unit*most[j])
		if math.IsInf(p.Upper[j], 1) {
			share = min(share, p.share(j, v+off, p.Upper[j]))
		}
		if math.IsInf(p.Lower[j], -1) {
			share = min(share, p.share(j, off-v, -p.Lower[j]))
		}
	}
	return share
}

// free tells whether a weight has no penalty on a side where it has no bound.
func (p *Bounded) free(j int, end float64) bool {
	return math.IsInf(end, 1) && p.of(j) == ElasticNet{}
}

// share returns the share of a slope, towards a bound on the side of a weight above 0, that is at most the L1.
func (p *Bounded) share(j int, slope, end float64) float64 {
	least := float64(p.L1*p.Factor(j)) * (1 - 4*direct.Unit) // the product is rounded
	if !(slope > least) || !(end > 0) || p.free(j, end) {
		return 1
	}
	return least / slope * (1 - 8*direct.Unit)
}

// conjugate returns the largest u w - l1 |w| - (l2/2) w^2 within the bounds, and bounds what is missing. With
// l2 it is reached next to the w that the slopes give: r^2/(2 l2) is missing at most, by strong convexity, where the
// slope r is left. Without, it is reached at a bound or next to 0.
func (p *Bounded) conjugate(j int, u float64) (value, err float64) {
	one := p.of(j)
	if u > 0 && p.free(j, p.Upper[j]) || u < 0 && p.free(j, -p.Lower[j]) {
		return 0, 0
	}
	at := func(w float64) (value, err float64) {
		along, size, square := float64(u*w), float64(one.L1*math.Abs(w)), float64(float64(0.5*one.L2*w)*w)
		return along - size - square, float64(8*direct.Unit*(math.Abs(along)+size+square)) + 4*direct.Tiny
	}
	if one.L2 == 0 {
		value, err = at(p.within(j, 0))
		end, excess := p.Upper[j], u
		if u < 0 {
			end, excess = p.Lower[j], -u
		}
		switch {
		case !math.IsInf(end, 0):
			far, farErr := at(end)
			return max(value, far), max(err, farErr)
		case excess > one.L1*(1-4*direct.Unit):
			return math.Inf(1), 0
		}
		return value, err
	}
	w := p.within(j, shrink(u, one.L1)/one.L2)
	if math.IsInf(w, 0) {
		return math.Inf(1), 0
	}
	value, err = at(w)
	least, most := p.slopes(j, w)
	pull := float64(one.L2 * w)
	slope := u - pull
	r := max(0, max(least-slope, slope-most)+float64(8*direct.Unit*(math.Abs(u)+math.Abs(pull)+one.L1)))
	return value, err + float64(0.5*r*r)/one.L2
}

// Bounded tells whether a weight is above 0, or a bound is finite.
func (p *Bounded) Bounded() bool {
	if p.Factored.Bounded() {
		return true
	}
	for j, lower := range p.Lower {
		if !math.IsInf(lower, 0) || !math.IsInf(p.Upper[j], 0) {
			return true
		}
	}
	return false
}

// WithWeight sets L1.
func (p *Bounded) WithWeight(weight float64) Penalty {
	return &Bounded{Factored{weight, p.L2, p.Factors}, p.Lower, p.Upper}
}

// Least is that of the Factored for slopes that no bound holds: of weights next to 0.
func (p *Bounded) Least(g []float64) float64 {
	most := 0.0
	for j, slope := range g {
		if c := p.Factor(j); c > 0 && (slope < 0 && p.Upper[j] > max(p.Lower[j], 0) || slope > 0 && p.Lower[j] < min(p.Upper[j], 0)) {
			most = max(most, math.Abs(slope)/c)
		}
	}
	return most
}

// AtBounds lists the places of the weights in w that are at a bound of a Confined penalty, nil for other
// penalties. w has columns weights for each class. p was checked for the first held of them.
func AtBounds(p Penalty, w []float64, columns, held int) (list []int) {
	box, is := p.(Confined)
	if !is || columns < 1 {
		return nil
	}
	for k, v := range w {
		if j := k % columns; j < held {
			if lower, upper := box.Interval(j); v == lower || v == upper {
				list = append(list, k)
			}
		}
	}
	return list
}
