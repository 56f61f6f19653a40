package penalty

import (
	"fmt"
	"hash/fnv"
	"math"

	"github.com/lanes-go/lanes/internal/direct"
)

// GroupLasso is the penalty Weight sum_k f_k ||w_k||, where w_k are the weights of the columns in
// group k: all of a group are 0, or none as a rule. Yuan and Lin 2006, "Model selection and estimation
// in regression with grouped variables". It adds (Lambda/2) ||w||^2. It is safe for concurrent use
// while nobody changes it.
type GroupLasso struct {
	Weight float64
	// Groups lists the columns of each group. Each penalised column is in one group.
	Groups [][]int
	// Factors are the f_k, above 0; nil means the roots of the numbers of columns.
	Factors []float64
	Lambda  float64
}

// String returns the name with both weights, and a hash of the groups.
func (p *GroupLasso) String() string {
	hash := fnv.New64a()
	for k, group := range p.Groups {
		fmt.Fprintln(hash, p.factor(k), group)
	}
	return fmt.Sprintf("group lasso %v of %d groups %016x, ridge %v", p.Weight, len(p.Groups), hash.Sum64(), p.Lambda)
}

// Check wants finite weights of 0 or more, factors above 0, and every column in one group.
func (p *GroupLasso) Check(weights int) error {
	if err := (ElasticNet{p.Weight, p.Lambda}).Check(weights); err != nil {
		return fmt.Errorf("group lasso: %w", err)
	}
	if p.Factors != nil && len(p.Factors) != len(p.Groups) {
		return fmt.Errorf("group lasso: %d factors for %d groups", len(p.Factors), len(p.Groups))
	}
	of := make([]int, weights)
	for k, group := range p.Groups {
		if f := p.factor(k); !(f > 0) || math.IsInf(f, 0) || len(group) == 0 {
			return fmt.Errorf("group lasso: group %d has the factor %v and %d columns; a factor must be above 0 and finite, and a group must have a column", k, f, len(group))
		}
		for _, j := range group {
			switch {
			case j < 0 || j >= weights:
				return fmt.Errorf("group lasso: group %d has column %d; there are %d penalised columns, counted from 0", k, j, weights)
			case of[j] != 0:
				return fmt.Errorf("group lasso: column %d is in groups %d and %d; it must be in one", j, of[j]-1, k)
			}
			of[j] = k + 1
		}
	}
	for j, k := range of {
		if k == 0 {
			return fmt.Errorf("group lasso: column %d is in no group; give it one of its own", j)
		}
	}
	return nil
}

func (p *GroupLasso) factor(k int) float64 {
	if p.Factors != nil {
		return p.Factors[k]
	}
	return math.Sqrt(float64(len(p.Groups[k])))
}

// threshold is the weight of the norm of group k.
func (p *GroupLasso) threshold(k int) float64 { return float64(p.Weight * p.factor(k)) }

// Columns returns Groups.
func (p *GroupLasso) Columns() [][]int { return p.Groups }

// gather copies the elements of a group.
func gather(to, from []float64, group []int) []float64 {
	to = to[:0]
	for _, j := range group {
		to = append(to, from[j])
	}
	return to
}

// Lengths returns Groups and Weight f_k of each.
func (p *GroupLasso) Lengths(int) (groups [][]int, multiples []float64) {
	if p.Weight == 0 {
		return nil, nil
	}
	for k := range p.Groups {
		multiples = append(multiples, p.threshold(k))
	}
	return p.Groups, multiples
}

// Squared returns Lambda, and whether Weight is 0.
func (p *GroupLasso) Squared() (lambda float64, alone bool) { return p.Lambda, p.Weight == 0 }

// Value returns the sum of the norms of the groups, and the squared norm.
func (p *GroupLasso) Value(w []float64) float64 {
	sum, part := 0.0, []float64(nil)
	for k, group := range p.Groups {
		part = gather(part, w, group)
		sum += float64(p.threshold(k) * direct.Norm(part))
	}
	return sum + Ridge{p.Lambda}.Value(w)
}

// Prox makes every group shorter by step times its threshold, and divides it by 1 + step Lambda.
func (p *GroupLasso) Prox(w []float64, step float64) {
	var part []float64
	for k, group := range p.Groups {
		part = gather(part, w, group)
		p.ProxGroup(k, part, step)
		for a, j := range group {
			w[j] = part[a]
		}
	}
	Ridge{p.Lambda}.Prox(w, step)
}

// ProxGroup makes the weights of a group shorter.
func (p *GroupLasso) ProxGroup(k int, w []float64, step float64) {
	shorten(w, float64(step*p.threshold(k)))
}

// shorten makes a vector shorter by a length, 0 at least.
func shorten(w []float64, less float64) {
	norm := direct.Norm(w)
	if norm <= less {
		clear(w)
		return
	}
	direct.Scale(w, (norm-less)/norm, w)
}

// Violations is ViolationGroup for all groups.
func (p *GroupLasso) Violations(v, g, w []float64) { violations(p, v, g, w) }

func violations(p Grouped, v, g, w []float64) {
	var slopes, weights, part []float64
	for k, group := range p.Columns() {
		slopes, weights = gather(slopes, g, group), gather(weights, w, group)
		part = append(part[:0], slopes...)
		p.ViolationGroup(k, part, slopes, weights)
		for a, j := range group {
			v[j] = part[a]
		}
	}
}

// ViolationGroup is Violations for one group.
func (p *GroupLasso) ViolationGroup(k int, v, g, w []float64) {
	if norm := direct.Norm(w); norm > 0 {
		direct.ScaleAdd(v, p.threshold(k)/norm, w, 1, g)
		return
	}
	copy(v, g)
	p.ProxGroup(k, v, 1)
}

// BendGroup is threshold/||w|| times the part of direction that is orthogonal to w.
func (p *GroupLasso) BendGroup(k int, v, direction, w []float64) {
	bend(p.threshold(k), v, direction, w)
}

func bend(threshold float64, v, direction, w []float64) {
	norm := direct.Norm(w)
	along := 0.0
	for a, x := range w {
		along += float64(x / norm * direction[a])
	}
	direct.ScaleAdd(v, -along/norm, w, 1, direction)
	direct.Scale(v, threshold/norm, v)
}

// RiseGroup returns the difference of the norms times the threshold.
func (p *GroupLasso) RiseGroup(k int, from, to []float64) float64 {
	return rise(p.threshold(k), from, to)
}

func rise(threshold float64, from, to []float64) float64 {
	sum, lengths := 0.0, direct.Norm(from)+direct.Norm(to)
	for a, v := range to {
		sum += float64((v - from[a]) * (v + from[a]))
	}
	if lengths == 0 {
		return 0
	}
	return float64(threshold * (sum / lengths))
}

// Support is sum_k max(0, ||u_k|| - Weight f_k)^2 / (2 Lambda).
func (p *GroupLasso) Support(_, most []float64) (value, share float64) {
	excess, part := 0.0, []float64(nil)
	share = 1
	for k, group := range p.Groups {
		part = gather(part, most, group)
		norm, t := float64(direct.Norm(part)*(1+float64(float64(len(group)+8)*direct.Unit)))+0x1p-500, p.threshold(k)
		if norm > t {
			share = min(share, t/norm*(1-8*direct.Unit))
			excess = math.FMA(norm-t, norm-t, excess) + direct.Tiny
		}
	}
	switch {
	case excess == 0:
		return 0, 1
	case p.Lambda == 0:
		return math.Inf(1), share
	}
	return float64(float64(float64(excess/p.Lambda)*0.5) * (1 + float64(float64(len(p.Groups)+16)*direct.Unit))), share
}

// Bounded tells whether a weight is above 0.
func (p *GroupLasso) Bounded() bool { return p.Weight > 0 || p.Lambda > 0 }

// WithWeight sets Weight.
func (p *GroupLasso) WithWeight(weight float64) Penalty {
	q := *p
	q.Weight = weight
	return &q
}

// Multiple returns Weight.
func (p *GroupLasso) Multiple() float64 { return p.Weight }

// Least returns the largest norm of a group over its factor.
func (p *GroupLasso) Least(g []float64) float64 {
	most, part := 0.0, []float64(nil)
	for k, group := range p.Groups {
		part = gather(part, g, group)
		most = max(most, direct.Norm(part)/p.factor(k))
	}
	return most
}
