package ap

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// vectors are the weights, what a method remembers of their gradients, and the gradient: of all
// columns, or of the columns that a batch touched.
type vectors struct {
	w []float64
	// m is the mean of the gradients; for momentum divided by the share of the last one,
	// as kernels.Momentum keeps it.
	m, v []float64
	top  []float64 // the largest v so far, where the rule is bounded by it
	g    []float64
}

// stride is the sizes of a step.
type stride struct {
	t              int
	rate           float64 // eta
	momentum       float64 // beta_1
	before         float64 // momentum of the step before
	second         float64 // beta'
	delta          float64
	lambda         float64
	power1, power2 float64 // the products of 1-momentum and of 1-second so far
	// fills says that the gradient takes the place of the moments: the first one of a run
	// does, but for the paper's setting, where they begin at 0.
	fills bool
}

// rule moves the weights along a gradient: lines 7 to 9 of algorithm 3.
type rule interface {
	step(x vectors, s stride)
}

// plain has no moments: the last line of (5).
type plain struct{}

func (plain) step(x vectors, s stride) {
	direct.ScaleAdd(x.w, 1-float64(s.rate*s.lambda), x.w, -s.rate, x.g)
}

// momentum is lines 7 and 8 of algorithms 1 and 2.
type momentum struct{}

func (momentum) step(x vectors, s stride) {
	if s.fills {
		direct.Momentum(x.w, x.m, x.g, s.rate, 0, s.lambda)
		direct.Scale(x.m, 1/s.momentum, x.m)
		return
	}
	direct.Momentum(x.w, x.m, x.g, float64(s.rate*s.momentum), float64((1-s.momentum)*s.before)/s.momentum, s.lambda)
}

// adam is the first line of (13). corrected says that moments are divided by what they
// lack for their start at 0, which algorithm 3 does not do.
type adam struct{ corrected bool }

func (r adam) step(x vectors, s stride) {
	if !r.corrected {
		s.power1, s.power2 = 0, 0
	}
	settings := kernels.AdamSettings{Rate: s.rate, Beta1: 1 - s.momentum, Beta2: 1 - s.second, Epsilon: s.delta, Lambda: s.lambda}
	direct.Adam(x.w, x.m, x.v, x.g, settings, s.power1, s.power2)
}

// adaGrad is the second line of (13).
type adaGrad struct{}

func (adaGrad) step(x vectors, s stride) {
	settings := kernels.AdamSettings{Rate: s.rate, Beta1: 1 - s.momentum, Beta2: float64(s.t) / float64(s.t+1), Epsilon: s.delta, Lambda: s.lambda}
	if s.fills {
		settings.Beta1, settings.Beta2 = 0, 0
	}
	direct.Adam(x.w, x.m, x.v, x.g, settings, 0, 0)
}

// bounded is the third line of (13), where the largest v counts, or the fourth one, where
// v is kept in [1/high^2, 1/low^2].
type bounded struct {
	largest   bool
	low, high float64
}

func (r bounded) step(x vectors, s stride) {
	if s.fills {
		s.momentum, s.second = 1, 1
	}
	low, high := 1/float64(r.high*r.high), 1/float64(r.low*r.low)
	for j, w := range x.w {
		g := math.FMA(s.lambda, w, x.g[j])
		x.m[j] = math.FMA(s.momentum, g-x.m[j], x.m[j])
		x.v[j] = math.FMA(s.second, float64(g*g)-x.v[j], x.v[j])
		v := x.v[j]
		if r.largest {
			v = max(x.top[j], v)
			x.top[j] = v
		} else {
			v = min(max(v, low), high)
		}
		x.w[j] = w - float64(s.rate*x.m[j])/(math.Sqrt(max(v, 0))+s.delta)
	}
}
