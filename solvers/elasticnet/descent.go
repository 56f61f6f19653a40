package elasticnet

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/engine"
)

// descend minimises the model and the L1 norm by sweeps over the coordinates, to a largest
// violation. Coordinates at 0 whose slopes are well within l1 are left out between two
// sweeps over all. It returns the number of sweeps, 0 where the run
// is to end before it is done.
func (l *loop) descend(c *engine.Control, target float64) int {
	s := l.part
	all := make([]int, len(s.slope))
	for a := range all {
		all[a] = a
	}
	live := append([]int(nil), all...)
	before := math.Inf(1) // the largest violation of the sweep before
	budget := s.cost      // multiplications left for leaps: as many as the model costs
	least := float64(1e-10 * largest(s.diagonal))
	for sweep := 1; ; sweep++ {
		most, kept := 0.0, live[:0]
		whole := len(live) == len(all)
		for _, a := range live {
			from, at := s.to[a], 0.0
			if a < s.k {
				at = l.w[s.list[a]]
			} else {
				at = l.w[l.d]
			}
			g := s.at(a, from-at, l.p.Lambda)
			curvature := max(s.diagonal[a], least)
			to := from
			if a < s.k {
				if from == 0 && math.Abs(g) < l.p.L1-before {
					continue
				}
				most = max(most, math.Abs(violation(g, from, l.p.L1)))
				to = shrink(math.FMA(curvature, from, -g), l.p.L1) / curvature
			} else if curvature > 0 {
				most = max(most, math.Abs(g))
				to = from - g/curvature
			}
			kept = append(kept, a)
			if a < len(s.reach) && math.Abs(to-from) > s.reach[a] {
				to = from + math.Copysign(s.reach[a], to-from)
			}
			if by := to - from; by != 0 && !math.IsInf(to, 0) && !math.IsNaN(to) {
				s.to[a] = to
				s.move(a, by)
			}
		}
		live, before = kept, most
		if !s.dense && most > target && s.pays(sweep) {
			s.densify(l.h, l.w, l.slack, l.p.Lambda)
			budget = s.cost
		}
		if s.dense && sweep%leapEvery == 0 && most > target {
			for range mostLeaps {
				if !s.leap(float64(0.1*target), l.p.L1, &budget) {
					break
				}
			}
		}
		switch {
		case c.Over():
			return 0
		case sweep >= l.sweeps || !s.dense && sweep >= l.sparseSweeps:
			return sweep
		case most > target:
		case whole:
			return sweep
		default:
			live, before = append(live[:0], all...), math.Inf(1)
		}
	}
}

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

// mostLeaps bounds the leaps in a row, each of which brings a weight to 0.
const mostLeaps = 50

// leap minimises the model over the weights that are not 0, with their signs kept, by
// conjugate gradients with the diagonal as preconditioner, to a largest residual or until
// the multiplications of the budget are spent; sweeps are slow where columns are alike. It
// goes as far as the first weight that becomes 0, and tells whether there was one.
func (s *part) leap(target, l1 float64, budget *int64) bool {
	size := len(s.slope)
	if *budget -= int64(2 * size * size); *budget < 0 { // what it costs beside the iterations
		return false
	}
	direction, product := make([]float64, size), make([]float64, size)
	by, residual, scaled := make([]float64, size), make([]float64, size), make([]float64, size)
	least := float64(1e-10 * largest(s.diagonal))
	var free []int
	for a, v := range s.to {
		switch {
		case a >= s.k:
			residual[a] = -s.slope[a]
		case v > 0:
			residual[a] = -s.slope[a] - l1
		case v < 0:
			residual[a] = -s.slope[a] + l1
		default:
			continue
		}
		free = append(free, a)
	}
	scale := func() float64 {
		for _, a := range free {
			scaled[a] = residual[a] / max(s.diagonal[a], least)
		}
		return direct.Dot(residual, scaled)
	}
	square := scale()
	copy(direction, scaled)
	for range free {
		if *budget -= int64(len(free) * size); *budget < 0 || !(largest(residual) > target) {
			break
		}
		for _, a := range free {
			product[a] = direct.Dot(s.gram[a*size:(a+1)*size], direction)
		}
		curvature := direct.Dot(direction, product)
		if !(curvature > 0) {
			break
		}
		t := square / curvature
		direct.Axpy(t, direction, by)
		direct.Axpy(-t, product, residual)
		next := scale()
		direct.ScaleAdd(direction, next/square, direction, 1, scaled)
		square = next
	}
	if math.IsInf(largest(by), 0) || math.IsNaN(direct.Dot(by, by)) {
		return false
	}
	t, first := 1.0, -1
	for _, a := range free {
		if v := s.to[a]; a < s.k && (v > 0) != (v+float64(t*by[a]) > 0) {
			t, first = -v/by[a], a
		}
	}
	if first >= 0 && s.clipped(by, l1) {
		return true
	}
	if !(t > 0) {
		return false
	}
	for _, a := range free {
		move := float64(t * by[a])
		if a == first {
			move = -s.to[a]
		}
		s.to[a] += move
		s.move(a, move)
	}
	return first >= 0
}

// clipped moves the weights by a step in full, except that those which would change their
// signs become 0, where the model falls by that.
func (s *part) clipped(by []float64, l1 float64) bool {
	size := len(s.slope)
	step, product := make([]float64, size), make([]float64, size)
	change := 0.0
	for a, v := range s.to {
		if step[a] = by[a]; a >= s.k || v == 0 {
			continue
		}
		if (v > 0) != (v+by[a] > 0) {
			step[a] = -v
		}
		change += math.Abs(v+step[a]) - math.Abs(v)
	}
	for a := range product {
		product[a] = direct.Dot(s.gram[a*size:(a+1)*size], step)
	}
	change = float64(l1*change) + direct.Dot(s.slope, step) + float64(0.5*direct.Dot(step, product))
	if !(change < 0) {
		return false
	}
	direct.Axpy(1, step, s.to)
	direct.Axpy(1, product, s.slope)
	return true
}
