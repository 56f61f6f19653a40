package elasticnet

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/truncated"
	"github.com/lanes-go/lanes/kernels"
)

// bendGroup tells whether the weights of a group are not all 0, and computes the second derivatives of
// the norm there, and which weights are at no bound.
func (l *loop) bendGroup(group *partGroup) bool {
	m, w, direction := len(group.places), group.pick(0, l.part.to), group.work[1]
	if group.free = kernels.MaxAbs(w) > 0; !group.free {
		return false
	}
	clear(direction)
	for k := range m {
		lower, upper := l.interval(int(l.part.list[group.places[k]]))
		group.inside[k] = lower < w[k] && w[k] < upper
		direction[k] = 1
		l.grouped.BendGroup(group.number, group.bent[k*m:(k+1)*m], direction, w)
		direction[k] = 0
	}
	return true
}

// bendGroups adds the products of the second derivatives of the norms with a direction.
func (s *part) bendGroups(product, direction []float64) {
	for i := range s.groups {
		group := &s.groups[i]
		if !group.free {
			continue
		}
		m, along := len(group.places), group.pick(0, direction)
		for k, a := range group.places {
			if group.inside[k] {
				product[a] += direct.Dot(group.bent[k*m:(k+1)*m], along)
			}
		}
	}
}

// withNorms adds the second derivatives of the norms along each weight to the second
// derivatives of the model.
func (s *part) withNorms(model func(a int) float64) func(a int) float64 {
	if s.groups == nil {
		return model
	}
	bent := make([]float64, len(s.slope))
	for i := range s.groups {
		if group := &s.groups[i]; group.free {
			for k, a := range group.places {
				bent[a] = group.bent[k*len(group.places)+k]
			}
		}
	}
	return func(a int) float64 { return model(a) + bent[a] }
}

// addBent adds the second derivatives of the norms to the lower triangle of a matrix of the free weights.
func (s *part) addBent(u []float64, free []int) {
	d := len(free)
	for i := range s.groups {
		group := &s.groups[i]
		if !group.free {
			continue
		}
		for k, a := range group.places {
			row, is := slices.BinarySearch(free, a)
			for l, b := range group.places {
				if column, also := slices.BinarySearch(free, b); is && also && column <= row {
					u[row*d+column] += group.bent[k*len(group.places)+l]
				}
			}
		}
	}
}

// walkGroups moves the weights along by, half as far and half again until the model with the penalty
// falls by a share of what the slopes promise. The first weight that comes to a bound ends the way. It tells
// whether they moved.
func (l *loop) walkGroups(by, slope []float64, free []int) bool {
	s := l.part
	size := len(by)
	product, to, residual := make([]float64, size), make([]float64, size), make([]float64, size)
	s.times(product, by, free, l.lambda)
	l.residuals(residual, slope, free)
	along, bends, promise := direct.Dot(slope, by), direct.Dot(product, by), -direct.Dot(residual, by)
	if !(promise < 0) {
		return false
	}
	t := l.toBound(by, free)
	for range truncated.Halvings {
		direct.ScaleAdd(to, t, by, 1, s.to)
		l.confineStep(to, free)
		change := float64(t*along) + float64(0.5*t*t*bends) + l.riseGroups(s, s.to, to)
		if change <= float64(truncated.Decrease*t*promise) {
			for _, a := range free {
				if move := to[a] - s.to[a]; move != 0 {
					s.to[a] = to[a]
					s.move(a, move)
				}
			}
			return true
		}
		t *= 0.5
	}
	return false
}

// toBound returns the share of the way along by at which the first weight comes to a bound, at most 1.
func (l *loop) toBound(by []float64, free []int) float64 {
	s, t := l.part, 1.0
	for _, a := range free {
		if a < s.k && by[a] != 0 {
			lower, upper := l.interval(int(s.list[a]))
			t = min(t, max((lower-s.to[a])/by[a], (upper-s.to[a])/by[a]))
		}
	}
	return t
}

// confineStep moves weights to their bounds, which rounding may have passed or not reached.
func (l *loop) confineStep(to []float64, free []int) {
	s := l.part
	if l.confined == nil {
		return
	}
	for _, a := range free {
		if a >= s.k {
			continue
		}
		lower, upper := l.interval(int(s.list[a]))
		near := float64(4 * direct.Unit * max(math.Abs(to[a]), math.Abs(s.to[a])))
		switch {
		case to[a]-near <= lower:
			to[a] = lower
		case to[a]+near >= upper:
			to[a] = upper
		}
	}
}
