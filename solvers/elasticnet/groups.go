package elasticnet

import (
	"cmp"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
)

// partGroup is a group of columns of a part.
type partGroup struct {
	number int   // of the group in the penalty
	places []int // of its columns in the part
	model  []float64
	bound  float64      // of the largest eigenvalue of model, the second derivatives of the group
	work   [6][]float64 // one element a column
	bent   []float64    // second derivatives of the norm, where the weights are not all 0
	free   bool         // they are not all 0 in an extrapolation
	inside []bool       // of the columns, whether the weight is at no bound then
}

// partGroups finds the groups whose columns are listed, nil without groups. Lists have whole groups.
func (l *loop) partGroups(list []uint32) []partGroup {
	if l.grouped == nil {
		return nil
	}
	place := make([]int, l.d)
	for a, j := range list {
		place[j] = a + 1
	}
	var groups []partGroup
	for k, columns := range l.grouped.Columns() {
		if place[columns[0]] == 0 {
			continue
		}
		g := partGroup{number: k}
		for _, j := range columns {
			g.places = append(g.places, place[j]-1)
		}
		m := len(columns)
		all := make([]float64, len(g.work)*m)
		for k := range g.work {
			g.work[k] = all[k*m : (k+1)*m]
		}
		both := make([]float64, 2*m*m)
		g.model, g.bent = both[:m*m], both[m*m:]
		g.inside = make([]bool, m)
		groups = append(groups, g)
	}
	return groups
}

// chooseGroups is choose for groups: those with a weight, and those with the longest violations.
func (l *loop) chooseGroups() []uint32 {
	groups := l.grouped.Columns()
	order, sizes, used := make([]int, 0, len(groups)), make([]float64, len(groups)), 0
	for k, columns := range groups {
		size, has := 0.0, false
		for _, j := range columns {
			size, has = math.FMA(l.v[j], l.v[j], size), has || l.w[j] != 0
		}
		if has {
			size = math.Inf(1)
			used += len(columns)
		}
		if sizes[k] = size; size > 0 {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	most := used + max(leastWorking, l.n/rowsPerFirst, 2*used)
	var list []uint32
	for _, k := range order {
		if len(list) >= most {
			break
		}
		for _, j := range groups[k] {
			list = append(list, uint32(j))
		}
	}
	if 2*len(list) >= l.d {
		return ascending(l.d)
	}
	slices.Sort(list)
	return list
}

// pick copies the elements of the group to a vector of its work.
func (g *partGroup) pick(work int, from []float64) []float64 {
	to := g.work[work]
	for k, a := range g.places {
		to[k] = from[a]
	}
	return to
}

// worstGroup returns the largest violation of the groups of a part, 0 without groups.
func (l *loop) worstGroup(s *part, weight func(a int) float64) float64 {
	most := 0.0
	for i := range s.groups {
		group := &s.groups[i]
		g, w, v := group.pick(0, s.slope), group.work[1], group.work[2]
		for k, a := range group.places {
			w[k] = weight(a)
		}
		l.grouped.ViolationGroup(group.number, v, g, w)
		most = max(most, kernels.MaxAbs(v))
	}
	return most
}

// riseGroups returns by how much the penalty of a part's groups rises, 0 without groups.
func (l *loop) riseGroups(s *part, from, to []float64) float64 {
	rise := 0.0
	for i := range s.groups {
		group := &s.groups[i]
		rise += l.grouped.RiseGroup(group.number, group.pick(0, from), group.pick(1, to))
	}
	return rise
}

// gathered returns the weights of a part's columns.
func (l *loop) gathered(s *part) []float64 {
	w := make([]float64, s.k)
	for a, j := range s.list {
		w[a] = l.w[j]
	}
	return w
}

// modelGroups computes the second derivatives of every group of the model. The largest absolute row
// sum bounds their largest eigenvalue.
func (l *loop) modelGroups() {
	s := l.part
	size := len(s.slope)
	direction, product := make([]float64, size), make([]float64, size)
	for k := range s.groups {
		g := &s.groups[k]
		m := len(g.places)
		g.bound = 0
		for b, at := range g.places {
			if direction[at] = 1; s.dense {
				copy(product, s.gram[at*size:(at+1)*size])
			} else {
				s.timesFrom(product, direction, []int{at}, g.places, l.lambda)
			}
			direction[at] = 0
			sum := 0.0
			for a, from := range g.places {
				g.model[b*m+a] = product[from]
				sum += math.Abs(product[from])
			}
			g.bound = max(g.bound, sum)
		}
	}
}

// descendGroups is descend for groups: each in turn goes to the minimum of the model over its weights.
func (l *loop) descendGroups(c *run.Control, target float64) int {
	s := l.part
	l.modelGroups()
	bend := l.bends()
	every := max(extrapolateEvery, len(s.slope)/columnsPerEpoch)
	for epoch := 1; ; epoch++ {
		most := 0.0
		for k := range s.groups {
			most = max(most, l.stepGroup(&s.groups[k]))
		}
		for a := s.k; a < len(s.slope); a++ { // the intercept
			g := s.at(a, s.to[a], 0)
			if by, curvature := -g, bend(a); curvature > 0 {
				by /= curvature
				most = max(most, math.Abs(g))
				s.to[a] += by
				s.move(a, by)
			}
		}
		if most > target && (epoch%every == 0 || !s.dense && epoch == l.sparseSweeps) {
			s.factors = 0
			budget := s.cost + cost.Factor(len(s.to))
			if !s.dense {
				budget = int64(epoch) * 2 * s.entries
			}
			for l.extrapolate(float64(innerShare*target), &budget) {
			}
		}
		switch {
		case c.Over():
			return 0
		case most <= target || epoch >= l.sweeps || !s.dense && epoch >= l.sparseSweeps:
			return epoch
		}
	}
}

// mostInner bounds the proximal gradient steps for one group.
const mostInner = 50

// stepGroup moves the weights of a group towards the minimum of the model over them, by proximal
// gradient steps, and returns the largest violation before.
func (l *loop) stepGroup(group *partGroup) float64 {
	s, m := l.part, len(group.places)
	from, slope, v := group.pick(0, s.to), group.work[1], group.work[2]
	for k, a := range group.places {
		slope[k] = s.at(a, from[k]-l.w[s.list[a]], l.lambda)
	}
	l.grouped.ViolationGroup(group.number, v, slope, from)
	most := kernels.MaxAbs(v)
	if !(group.bound > 0) || !(most > 0) {
		return most
	}
	to, g, next := group.work[3], group.work[4], group.work[5]
	copy(to, from)
	copy(g, slope)
	for range mostInner {
		direct.ScaleAdd(next, -1/group.bound, g, 1, to)
		l.grouped.ProxGroup(group.number, next, 1/group.bound)
		for b := range to {
			if by := next[b] - to[b]; by != 0 {
				direct.Axpy(by, group.model[b*m:(b+1)*m], g)
			}
		}
		copy(to, next)
		if l.grouped.ViolationGroup(group.number, v, g, to); kernels.MaxAbs(v) <= float64(innerShare*most) {
			break
		}
	}
	for k, a := range group.places {
		if by := to[k] - from[k]; by != 0 && by-by == 0 {
			s.to[a] = to[k]
			s.move(a, by)
		}
	}
	return most
}
