package elasticnet

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/penalty"
)

// confine takes over the bounds of the penalty, where it has some.
func (o *objective) confine() { o.confined, _ = o.rules.(penalty.Confined) }

// interval returns the bounds of a weight.
func (o *objective) interval(j int) (lower, upper float64) {
	if o.confined == nil {
		return math.Inf(-1), math.Inf(1)
	}
	return o.confined.Interval(j)
}

// inside moves weights to their bounds, and tells whether one moved.
func (o *objective) inside(w []float64) (moved bool) {
	if o.confined == nil {
		return false
	}
	for j, v := range w[:o.d] {
		lower, upper := o.confined.Interval(j)
		if to := min(max(v, lower), upper); to != v {
			w[j], moved = to, true
		}
	}
	return moved
}

// stretch returns the ends of the numbers around a weight where its penalty has no kink and is finite.
func (o *objective) stretch(j int, w float64) (low, high float64) {
	low, high = o.interval(j)
	if !o.kinked(j) {
		return low, high
	}
	if w >= 0 {
		low = max(low, 0)
	}
	if w <= 0 {
		high = min(high, 0)
	}
	return low, high
}

// support returns a bound of the conjugate of the penalty at slopes, and one at a share of them.
func (o *objective) support(u, most []float64) (value, share, shared float64) {
	value, share = o.rules.Support(u, most)
	if o.confined == nil || !math.IsInf(value, 1) {
		return value, share, 0
	}
	share = o.confined.Feasible(u, most)
	less, lessMost := make([]float64, len(u)), make([]float64, len(u))
	for j, v := range u {
		less[j] = float64(share * v)
		lessMost[j] = float64(share*most[j]) * (1 + 4*direct.Unit)
	}
	if shared, _ = o.rules.Support(less, lessMost); math.IsInf(shared, 1) {
		share = 0
	}
	return value, share, shared
}

// isOpen tells whether a weight has neither a bound nor a penalty on a side.
func (o *objective) isOpen(j int) bool {
	lower, upper := o.interval(j)
	free := o.factors[j] == 0 || o.confined != nil && o.ridges[j] == 0 && float64(o.weight()*o.factors[j]) == 0
	return free && (math.IsInf(lower, 0) || math.IsInf(upper, 0))
}

// ceiling returns P(0), which zero is, or +Inf where weights of 0 are beyond their bounds.
func (o *objective) ceiling(zero float64) float64 {
	if o.inside(make([]float64, o.d)) {
		return math.Inf(1)
	}
	return zero
}
