package penalty

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// UnevenGroups is a GroupLasso with factors and bounds of weights: Weight sum_k c_k m_k^(1/2) ||w_k|| + (Lambda/2)
// sum_j c_j w_j^2 for groups of m_k columns, which share their factor, and Lower_j <= w_j <= Upper_j. Groups with
// the factor 0 are unpenalised. It is safe for concurrent use while nobody changes it.
type UnevenGroups struct {
	// Weight and Lambda are 0 or more.
	Weight, Lambda float64
	// Groups lists the columns of each group. Each penalised column is in one group.
	Groups [][]int
	// Factors are the c_j, finite and 0 or more, one for each penalised weight and equal within a group; nil means ones.
	Factors []float64
	// Lower and Upper have one number for each penalised weight, -Inf and +Inf for none, with 0 between them. nil
	// means no bounds.
	Lower, Upper []float64
}

// squares is the penalty that is left without norms and bounds.
func (p *UnevenGroups) squares() *Factored { return &Factored{L2: p.Lambda, Factors: p.Factors} }

// single is the penalty of single weights that is left without the norms.
func (p *UnevenGroups) single(weights int) *Bounded {
	b := &Bounded{*p.squares(), p.Lower, p.Upper}
	if b.Lower == nil {
		b.Lower, b.Upper = slices.Repeat([]float64{math.Inf(-1)}, weights), slices.Repeat([]float64{math.Inf(1)}, weights)
	}
	return b
}

// even is the GroupLasso without factors and bounds.
func (p *UnevenGroups) even() *GroupLasso {
	return &GroupLasso{Weight: p.Weight, Groups: p.Groups, Lambda: p.Lambda}
}

// String returns the names of the parts, with hashes of groups, factors and bounds.
func (p *UnevenGroups) String() string {
	hash := fnv.New64a()
	for j := range p.Lower {
		fmt.Fprintln(hash, p.Lower[j], p.Upper[j])
	}
	return fmt.Sprintf("%v, with %v, with bounds %016x", p.even(), &Factored{Factors: p.Factors}, hash.Sum64())
}

// Check wants what GroupLasso and Bounded want, equal factors within a group, and 0 within the bounds.
func (p *UnevenGroups) Check(weights int) error {
	if err := p.even().Check(weights); err != nil {
		return err
	}
	if err := p.squares().Check(weights); err != nil {
		return err
	}
	for k, group := range p.Groups {
		for _, j := range group {
			if p.Factor(j) != p.Factor(group[0]) {
				return fmt.Errorf("columns %d and %d of group %d have the factors %v and %v; they must be equal", group[0], j, k, p.Factor(group[0]), p.Factor(j))
			}
		}
	}
	if (p.Lower == nil) != (p.Upper == nil) {
		return fmt.Errorf("there are %d lower and %d upper bounds; give both or none", len(p.Lower), len(p.Upper))
	}
	if err := p.single(weights).Check(weights); err != nil {
		return err
	}
	for j, lower := range p.Lower { // none without bounds
		if upper := p.Upper[j]; lower > 0 || upper < 0 {
			return fmt.Errorf("the bounds of weight %d are %v and %v; the bounds of grouped weights must have 0 between them", j, lower, upper)
		}
	}
	return nil
}

// Columns returns Groups.
func (p *UnevenGroups) Columns() [][]int { return p.Groups }

// Factor returns c_j.
func (p *UnevenGroups) Factor(j int) float64 { return (&Factored{Factors: p.Factors}).Factor(j) }

// Interval returns Lower_j and Upper_j.
func (p *UnevenGroups) Interval(j int) (lower, upper float64) {
	if p.Lower == nil {
		return math.Inf(-1), math.Inf(1)
	}
	return p.Lower[j], p.Upper[j]
}

// threshold is the weight of the norm of group k.
func (p *UnevenGroups) threshold(k int) float64 {
	return float64(p.even().threshold(k) * p.Factor(p.Groups[k][0]))
}

// Squared returns 0: the squares have factors.
func (p *UnevenGroups) Squared() (lambda float64, alone bool) { return 0, false }

// Squares returns Lambda.
func (p *UnevenGroups) Squares() float64 { return p.Lambda }

// Value is the sum over the groups, +Inf beyond the bounds.
func (p *UnevenGroups) Value(w []float64) float64 {
	sum, part := 0.0, []float64(nil)
	for k, group := range p.Groups {
		part = gather(part, w, group)
		sum += float64(p.threshold(k) * direct.Norm(part))
		for a, j := range group {
			if lower, upper := p.Interval(j); part[a] < lower || part[a] > upper {
				return math.Inf(1)
			}
		}
	}
	return sum + p.squares().Value(w)
}

// Prox is ProxGroup for all groups, with the squares. For a step of 0 it moves weights to their bounds.
func (p *UnevenGroups) Prox(w []float64, step float64) {
	var part []float64
	for k, group := range p.Groups {
		part = gather(part, w, group)
		p.towards(k, part, float64(step*p.threshold(k)), 1+float64(step*float64(p.Lambda*p.Factor(group[0]))))
		for a, j := range group {
			w[j] = part[a]
		}
	}
}

// ProxGroup makes the weights of a group shorter, within their bounds.
func (p *UnevenGroups) ProxGroup(k int, w []float64, step float64) {
	p.towards(k, w, float64(step*p.threshold(k)), 1)
}

// towards sets u to the y within bounds that minimises t ||y|| + (square/2) ||y||^2 - u'y. It tells whether there is one.
//
// That is y = s u, moved to the bounds, where 1/s = t/||y|| + square, or 0. ||y||/s never rises with s, so that
// s is found by halving. Without a bound in the way, or with bounds of 0 alone, s has a formula.
func (p *UnevenGroups) towards(k int, u []float64, t, square float64) bool {
	p.drop(k, u)
	norm := direct.Norm(u)
	if norm <= t {
		clear(u)
		return true
	}
	y := make([]float64, len(u))
	at := func(s float64) bool {
		clipped := false
		for a, j := range p.Groups[k] {
			lower, upper := p.Interval(j)
			v := float64(s * u[a])
			if y[a] = min(max(v, lower), upper); u[a] == 0 {
				y[a] = 0 // also where s is infinite
			}
			clipped = clipped || y[a] != v && u[a] != 0
		}
		return clipped
	}
	high := (norm - t) / norm / square
	if !at(high) {
		copy(u, y)
		return !math.IsInf(high, 1)
	}
	if math.IsInf(high, 1) { // each weight is at a bound, or none stops it
		far := 0.0
		for a, j := range p.Groups[k] {
			lower, upper := p.Interval(j)
			switch end := max(upper/u[a], lower/u[a]); {
			case u[a] == 0:
			case math.IsInf(end, 1):
				y[a] = u[a]
			default:
				y[a], far = 0, max(far, end)
			}
		}
		if direct.Norm(y) >= t && direct.Norm(y) > 0 {
			return false
		}
		for high = far; at(high) && direct.Norm(y) > float64(t*high) && !math.IsInf(high, 1); {
			high *= 2
		}
	}
	low := 0.0
	for {
		s := low + float64(0.5*(high-low))
		if s <= low || s >= high {
			break
		}
		if at(s); float64(direct.Norm(y)*(1-float64(square*s))) > float64(t*s) {
			low = s
		} else {
			high = s
		}
	}
	at(low)
	copy(u, y)
	return true
}

// drop sets the elements of u to 0 that push weights of a group from 0 against a bound.
func (p *UnevenGroups) drop(k int, u []float64) {
	for a, j := range p.Groups[k] {
		if lower, upper := p.Interval(j); u[a] > 0 && upper == 0 || u[a] < 0 && lower == 0 {
			u[a] = 0
		}
	}
}

// Violations is ViolationGroup for all groups.
func (p *UnevenGroups) Violations(v, g, w []float64) { violations(p, v, g, w) }

// ViolationGroup is GroupLasso's, 0 where a slope presses a weight against a bound.
func (p *UnevenGroups) ViolationGroup(k int, v, g, w []float64) {
	norm, t := direct.Norm(w), p.threshold(k)
	if norm > 0 {
		direct.ScaleAdd(v, t/norm, w, 1, g)
	} else {
		copy(v, g)
	}
	for a, j := range p.Groups[k] {
		if lower, upper := p.Interval(j); v[a] > 0 && w[a] <= lower || v[a] < 0 && w[a] >= upper {
			v[a] = 0
		}
	}
	if norm == 0 {
		shorten(v, t)
	}
}

// BendGroup is GroupLasso's.
func (p *UnevenGroups) BendGroup(k int, v, direction, w []float64) {
	bend(p.threshold(k), v, direction, w)
}

// RiseGroup is GroupLasso's.
func (p *UnevenGroups) RiseGroup(k int, from, to []float64) float64 {
	return rise(p.threshold(k), from, to)
}

// pushes returns how much slopes u push each weight of a group off 0, within what rounding allows and bounds let, and
// how much of that neither a bound nor a square stops. It appends to both slices.
func (p *UnevenGroups) pushes(k int, push, endless, u, most []float64) ([]float64, []float64) {
	for _, j := range p.Groups[k] {
		lower, upper := p.Interval(j)
		off := float64(most[j]*(1+8*direct.Unit)) - math.Abs(u[j])
		above, below, far := 0.0, 0.0, 0.0
		if upper > 0 {
			above = max(0, off+u[j])
		}
		if lower < 0 {
			below = max(0, off-u[j])
		}
		if math.IsInf(upper, 1) {
			far = above
		}
		if math.IsInf(lower, -1) {
			far = max(far, below)
		}
		if float64(p.Lambda*p.Factor(j)) > 0 {
			far = 0
		}
		push, endless = append(push, max(above, below)), append(endless, far)
	}
	return push, endless
}

// longest bounds the norm of some weights from above.
func longest(w []float64) float64 {
	if kernels.MaxAbs(w) == 0 {
		return 0
	}
	return float64(direct.Norm(w)*(1+float64(float64(len(w)+16)*direct.Unit))) + 0x1p-500
}

// Support bounds the largest u'w less the penalty, within bounds: u'w - t ||w|| <= (u - a)'w for any ||a|| <= t. The
// best w gives a, as near as it is known. The rest is a sum over the weights, as Bounded has it. Where
// neither a bound nor a square stops a weight, a takes all of u. Support leaves out free weights, as Bounded does.
func (p *UnevenGroups) Support(u, most []float64) (value, share float64) {
	single := p.single(len(u))
	share = 1
	rounding := 0.0
	var aside, push, endless []float64
	for k, group := range p.Groups {
		t := float64(p.threshold(k) * (1 - 8*direct.Unit))
		push, endless = p.pushes(k, push[:0], endless[:0], u, most)
		norm := longest(push)
		aside = append(aside[:0], push...)
		switch c := p.Factor(group[0]); {
		case c == 0:
			clear(aside)
		case norm <= t:
			continue
		case longest(endless) > t || !p.aside(k, aside, endless, u, t):
			value = math.Inf(1)
			fallthrough
		default:
			share = min(share, t/norm*(1-8*direct.Unit))
		}
		for a, j := range group {
			if endless[a] > 0 && p.Factor(j) > 0 {
				continue
			}
			off := most[j] - math.Abs(u[j]) + float64(8*direct.Unit*(most[j]+math.Abs(aside[a])))
			if p.Factor(j) == 0 {
				lower, upper := p.Interval(j)
				share = min(share, single.share(j, u[j]+off, upper), single.share(j, off-u[j], -lower))
			}
			low, lowErr := single.conjugate(j, u[j]-aside[a]-off)
			high, highErr := single.conjugate(j, u[j]-aside[a]+off)
			value += max(low, high)
			rounding += max(lowErr, highErr) + float64(float64(float64(len(u)+8)*direct.Unit)*max(math.Abs(low), math.Abs(high)))
		}
	}
	return value + float64(1.01*rounding), share
}

// aside sets a to the slopes of t ||w|| at the best w for slopes u, and to 0 for endless weights. The norm of a is at
// most what endless leaves of t. The result is false where there is no best w.
func (p *UnevenGroups) aside(k int, a, endless, u []float64, t float64) bool {
	for i, j := range p.Groups[k] {
		a[i] = u[j]
	}
	if !p.towards(k, a, t, float64(p.Lambda*p.Factor(p.Groups[k][0]))) {
		return false
	}
	for i, far := range endless {
		if far > 0 {
			a[i] = 0
		}
	}
	far := longest(endless)
	rest := math.Sqrt(float64((t-far)*(t+far))) * (1 - 8*direct.Unit)
	if length := longest(a); length > 0 {
		direct.Scale(a, rest/length*(1-8*direct.Unit), a)
	}
	return true
}

// Feasible returns the largest share for which the norms keep the slopes that nothing else stops, but for rounding.
func (p *UnevenGroups) Feasible(u, most []float64) float64 {
	share := 1.0
	var push, endless []float64
	for k, group := range p.Groups {
		push, endless = p.pushes(k, push[:0], endless[:0], u, most)
		t := float64(p.threshold(k) * (1 - 16*direct.Unit))
		if far := longest(endless); far > t && p.Factor(group[0]) > 0 {
			share = min(share, t/far*(1-8*direct.Unit))
		}
	}
	return share
}

// Bounded tells whether a weight is above 0, or a bound is finite.
func (p *UnevenGroups) Bounded() bool { return p.Weight > 0 || p.single(0).Bounded() }

// WithWeight sets Weight.
func (p *UnevenGroups) WithWeight(weight float64) Penalty {
	q := *p
	q.Weight = weight
	return &q
}

// Multiple returns Weight.
func (p *UnevenGroups) Multiple() float64 { return p.Weight }

// Least is the largest norm of a group, of slopes that no bound holds, over its factors.
func (p *UnevenGroups) Least(g []float64) float64 {
	most, part, one := 0.0, []float64(nil), p.WithWeight(1).(*UnevenGroups)
	for k, group := range p.Groups {
		part = gather(part, g, group)
		direct.Scale(part, -1, part)
		p.drop(k, part)
		if t := one.threshold(k); t > 0 {
			most = max(most, direct.Norm(part)/t)
		}
	}
	return most
}
