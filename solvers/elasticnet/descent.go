package elasticnet

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
)

// descend minimises the model and the penalty by coordinate descent, until the largest
// violation is at most target. Coordinates at 0 that stay there for slopes nearby leave the
// active set; an epoch over all coordinates checks them again. It returns the number of
// epochs, or 0 if the run ends first.
func (l *loop) descend(c *run.Control, target float64) int {
	if l.grouped != nil {
		return l.descendGroups(c, target)
	}
	s := l.part
	all := ascending(len(s.slope))
	live := slices.Clone(all)
	before := math.Inf(1)                     // largest violation of the previous epoch
	budget := s.cost + cost.Factor(len(s.to)) // multiplications before a factor
	bend, source := l.bends(), random.New(0)
	s.factors = 0
	every := max(extrapolateEvery, len(s.slope)/columnsPerEpoch)
	if l.solves() {
		budget = 0
		l.extrapolate(float64(innerShare*target), &budget)
	}
	limit := l.sweeps
	if s.tall != nil && !s.dense {
		limit = s.limit
	} else if !s.dense {
		limit = min(limit, l.sparseSweeps)
	}
	for epoch := 1; ; epoch++ {
		most, rest := 0.0, live[:0]
		whole := len(live) == len(all)
		// For correlated columns, such as frequent words, cyclic coordinate descent takes many times as many
		// epochs. Sun and Ye 2021, "Worst-case complexity of cyclic coordinate descent".
		if !s.dense {
			random.Shuffle(source, live)
		}
		for k, c := range live {
			if !s.dense && k%direct.Ahead == 0 {
				s.fetch(live[min(k+direct.Ahead, len(live)):min(k+2*direct.Ahead, len(live))])
			}
			a := int(c)
			from, at := s.to[a], 0.0
			if l.lambda != 0 && a < s.k {
				at = l.w[s.list[a]]
			}
			g := s.at(a, from-at, l.lambda)
			curvature := bend(a)
			to := from
			if a < s.k {
				t, violation, stays := l.single.Step(int(s.list[a]), g, from, curvature, before)
				if stays {
					continue
				}
				most, to = max(most, violation), t
			} else if curvature > 0 {
				most = max(most, math.Abs(g))
				to = from - g/curvature
			}
			rest = append(rest, c)
			if by := to - from; by != 0 && !math.IsInf(to, 0) && !math.IsNaN(to) {
				s.to[a] = to
				s.move(a, by)
			}
		}
		live, before = rest, most
		unsolved := most > target
		if s.dense && epoch%every == 0 && unsolved {
			for l.extrapolate(float64(innerShare*target), &budget) {
			}
		}
		if !s.dense && epoch == l.sparseSweeps && most > target && target < float64(extrapolateShare*l.weight()) {
			budget = int64(epoch) * 2 * s.entries // what the epochs have cost
			l.extrapolate(float64(innerShare*target), &budget)
		}
		switch {
		case c.Over():
			return 0
		case epoch >= limit:
			s.unsolved = unsolved
			return epoch
		case unsolved:
		case whole:
			s.unsolved = false
			return epoch
		default:
			live, before = append(live[:0], all...), math.Inf(1)
		}
	}
}

// worst returns the largest violation at the given weights by the slopes of a part.
func (l *loop) worst(s *part, weight func(a int) float64) float64 {
	most := l.worstGroup(s, weight)
	for a, g := range s.slope {
		if a < s.k && l.single == nil {
			continue
		}
		if a < s.k {
			g = l.single.Violation(int(s.list[a]), g, weight(a))
		}
		most = max(most, math.Abs(g))
	}
	return most
}

// bends returns the curvature that divides the step of a weight: the model's curvature, bounded
// from below, because a step along next to no curvature would go anywhere. The bound is a tiny
// share of the column's curvature if all rows had the largest row curvature.
func (l *loop) bends() func(a int) float64 {
	const share = 1e-10
	s, most := l.part, 0.0
	least := float64(share * kernels.MaxAbs(s.diagonal))
	return func(a int) float64 {
		v := s.diagonal[a]
		if v >= least {
			return v
		}
		if most == 0 {
			most = kernels.MaxAbs(l.h)
		}
		j := l.d
		if a < s.k {
			j = int(s.list[a])
		}
		length := l.lengths()[j]
		return max(v, float64(share*most)*float64(length*length))
	}
}

const (
	// Without a matrix, an extrapolation pays if the tolerance is below extrapolateShare times the weight of the norm.
	// Before, it is not known which weights are 0.
	extrapolateShare = 0.01
	// flat is the share of the diagonal's curvature below which curvature along a direction is
	// rounding. The columns of the direction depend on one another; the penalty alone chooses.
	flat = 0x1p-44
	// mostFactors bounds the Cholesky factors in a step. Each is for the weights that are not 0
	// when the multiplications of the budget are spent.
	mostFactors = 2
)

// extrapolate minimises the model over the weights that are not 0, with their signs kept, by
// conjugate gradients with the diagonal as preconditioner. The second derivatives of the norms of
// groups join the model. It ends at a largest residual of target, or when the multiplications of
// the budget are spent. It helps where coordinate descent is slow, on correlated columns. If a
// matrix spends the budget, a Cholesky factor becomes the preconditioner. The point moves until the
// first weight becomes 0; groups go as far as walkGroups lets them. The result tells whether a weight
// became 0, or whether groups moved. Under a squared norm alone, all weights move, of any sign.
func (l *loop) extrapolate(target float64, budget *int64) bool {
	s := l.part
	size := len(s.slope)
	if *budget < 0 || l.single != nil && !l.single.Straight() {
		return false
	}
	free := l.free()
	slope := l.modelSlopes(free)
	direction, product := make([]float64, size), make([]float64, size)
	by, residual, scaled := make([]float64, size), make([]float64, size), make([]float64, size)
	l.residuals(residual, slope, free)
	if !(kernels.MaxAbs(residual) > target) {
		return false
	}
	bend := s.withNorms(l.bends())
	scale := func() float64 {
		if s.factors > 0 {
			s.factor.solve(scaled, residual)
		}
		for _, a := range free {
			if s.factors == 0 || !s.factor.in[a] {
				scaled[a] = residual[a] / bend(a)
			}
		}
		return direct.Dot(residual, scaled)
	}
	square := scale()
	copy(direction, scaled)
	for range free {
		if !(kernels.MaxAbs(residual) > target) {
			break
		}
		spent := s.timesCost(len(free))
		if s.factors > 0 {
			spent *= 2 // two triangles beside the matrix
		}
		if *budget -= spent; *budget < 0 {
			if !s.dense || s.factors == mostFactors {
				break
			}
			s.factors++
			s.factor.of(s, free)
			*budget = s.cost + cost.Factor(len(s.to))
			square = scale()
			copy(direction, scaled)
		}
		s.times(product, direction, free, l.lambda)
		s.bendGroups(product, direction)
		curvature := direct.Dot(direction, product)
		size := 0.0
		for _, a := range free {
			size = math.FMA(float64(bend(a)*direction[a]), direction[a], size)
		}
		if !(curvature > float64(flat*size)) {
			if l.single != nil {
				direct.Axpy(l.toEnd(by, direction, free), direction, by)
			}
			break
		}
		t := square / curvature
		direct.Axpy(t, direction, by)
		direct.Axpy(-t, product, residual)
		next := scale()
		direct.ScaleAdd(direction, next/square, direction, 1, scaled)
		square = next
	}
	if math.IsInf(kernels.MaxAbs(by), 0) || math.IsNaN(direct.Dot(by, by)) {
		return false
	}
	if l.grouped != nil {
		return l.walkGroups(by, slope, free)
	}
	t, first, end := 1.0, -1, 0.0
	for _, a := range free {
		if a >= s.k {
			continue
		}
		v := s.to[a]
		low, high := l.stretch(int(s.list[a]), v)
		if to := v + float64(t*by[a]); to <= low {
			t, first, end = (low-v)/by[a], a, low
		} else if to > high {
			t, first, end = (high-v)/by[a], a, high
		}
	}
	if !(t > 0) {
		return false
	}
	for _, a := range free {
		from := s.to[a]
		to, move := from+float64(t*by[a]), float64(t*by[a])
		if a == first {
			to, move = end, end-from
		} else if a < s.k {
			if lower, upper := l.interval(int(s.list[a])); to < lower || to > upper { // by rounding
				to = min(max(to, lower), upper)
				move = to - from
			}
		}
		s.to[a] = to
		s.move(a, move)
	}
	return first >= 0
}

// free lists the weights of the model that are not 0 or in a group that is not, and the intercept.
func (l *loop) free() []int {
	s := l.part
	in := make([]bool, len(s.to))
	for a, v := range s.to {
		if in[a] = a >= s.k; !in[a] {
			low, high := l.stretch(int(s.list[a]), v)
			in[a] = low < v && v < high
		}
	}
	for k := range s.groups {
		if group := &s.groups[k]; l.bendGroup(group) {
			for i, a := range group.places {
				in[a] = group.inside[i]
			}
		}
	}
	var free []int
	for a, is := range in {
		if is {
			free = append(free, a)
		}
	}
	return free
}

// residuals writes how much the model with the penalty falls along each free weight.
func (l *loop) residuals(residual, slope []float64, free []int) {
	s := l.part
	for _, a := range free {
		switch {
		case a >= s.k:
			residual[a] = -slope[a]
		case l.single != nil:
			residual[a] = -l.single.Violation(int(s.list[a]), slope[a], s.to[a])
		}
	}
	for k := range s.groups {
		group := &s.groups[k]
		if !group.free {
			continue
		}
		v := group.work[2]
		l.grouped.ViolationGroup(group.number, v, group.pick(0, slope), group.pick(1, s.to))
		for i, a := range group.places {
			if group.inside[i] {
				residual[a] = -v[i]
			}
		}
	}
}

// toEnd returns how far the weights can go along a direction until one of them passes 0 or a bound, or 0
// if none will.
func (l *loop) toEnd(by, direction []float64, free []int) float64 {
	s, nearest := l.part, math.Inf(1)
	for _, a := range free {
		if a >= s.k {
			continue
		}
		at := s.to[a] + by[a]
		if t := -at / direction[a]; t > 0 {
			nearest = min(nearest, t)
		}
		lower, upper := l.interval(int(s.list[a]))
		for _, end := range [2]float64{lower, upper} {
			if t := (end - at) / direction[a]; t > 0 && !math.IsInf(end, 0) {
				nearest = min(nearest, t)
			}
		}
	}
	if math.IsInf(nearest, 0) {
		return 0
	}
	return float64(nearest * (1 + 0x1p-30))
}

// modelSlopes returns the model's slopes in the directions of the free weights.
func (l *loop) modelSlopes(free []int) []float64 {
	s := l.part
	if s.dense {
		return s.slope
	}
	slope := make([]float64, len(s.slope))
	for _, a := range free {
		at := l.d
		if a < s.k {
			at = int(s.list[a])
		}
		slope[a] = s.at(a, s.to[a]-l.w[at], l.lambda)
	}
	return slope
}

// times writes the listed elements of the product of the model's matrix with a direction. The
// direction is 0 in all other elements.
func (s *part) times(product, direction []float64, free []int, lambda float64) {
	if size := len(direction); s.dense {
		for _, a := range free {
			product[a] = direct.Dot(s.gram[a*size:(a+1)*size], direction)
		}
		return
	}
	s.timesFrom(product, direction, free, free, lambda)
}

// timesFrom is times without a matrix, where the direction is 0 but in other elements.
func (s *part) timesFrom(product, direction []float64, from, free []int, lambda float64) {
	clear(s.along)
	for _, a := range from {
		s.add(s.along, s.ahead, a, direction[a])
	}
	for _, a := range free {
		product[a] = s.dot(s.along, s.ahead, a)
		if a < s.k {
			product[a] = math.FMA(s.square(a, lambda), direction[a], product[a])
		}
	}
}

// timesCost estimates the multiplications of times for a number of weights.
func (s *part) timesCost(free int) int64 {
	if s.dense {
		return int64(free) * int64(len(s.slope))
	}
	return 2 * s.entries * int64(free) / int64(len(s.slope))
}
