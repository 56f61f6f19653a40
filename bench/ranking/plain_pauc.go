package main

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/passes"
	"github.com/lanes-go/lanes/sparse"
)

// plainAGD is AGD-SBCD as one writes it in Go without this library: rows as slices,
// one loop a formula, math.Exp a pair. Unless it is direct, it compares scores before
// it takes the exponential. It is the same algorithm, with lanes' order of
// the batches, so that both must end at the same weights but for rounding.
type plainAGD struct {
	columns              [][]int32
	values               [][]float64
	positives, negatives []int
	m, n                 int
	p, q                 int     // positives and negatives of a batch
	scale                float64 // of the sigmoid loss, 0 for the logistic loss
	direct               bool    // compare losses with thresholds, as the algorithm is written
	mu, c, theta         float64 // theta is the step of the thresholds, of that of v
	gamma                float64 // gamma/mu
	outer, length        int

	w           []float64
	first       *passes.Batches
	second      *passes.Batches
	scores      []float64
	coefficient []float64
	v, sum, g   []float64
}

func newPlainAGD(x *sparse.Matrix, y []float64, low, high float64, p, q int, scale float64, direct bool) *plainAGD {
	a := &plainAGD{
		scale: scale, direct: direct, mu: 1000, c: 5, theta: 1, gamma: 1, w: make([]float64, x.Cols()),
		v: make([]float64, x.Cols()), sum: make([]float64, x.Cols()), g: make([]float64, x.Cols()),
	}
	a.columns, a.values, a.positives, a.negatives = datasets.Plain(x, y)
	negatives := float64(len(a.negatives))
	a.m, a.n = int(low*negatives), int(math.Ceil(high*negatives))
	a.p, a.q = min(p, len(a.positives)), min(q, len(a.negatives))
	const seed = 0
	a.first = passes.NewBatches(len(a.positives), a.p, passes.DropTail, random.New(seed))
	a.second = passes.NewBatches(len(a.negatives), a.q, passes.DropTail, random.New(math.MaxUint64))
	a.scores, a.coefficient = make([]float64, a.p+a.q), make([]float64, a.p+a.q)
	return a
}

func (a *plainAGD) score(i int, w []float64) float64 {
	s := 0.0
	for e, j := range a.columns[i] {
		s += a.values[i][e] * w[j]
	}
	return s
}

func (a *plainAGD) loss(z float64) float64 {
	if a.scale == 0 {
		return math.Log1p(math.Exp(z))
	}
	return 1 / (1 + math.Exp(-a.scale*z))
}

// least is the difference of scores whose loss is lambda.
func (a *plainAGD) least(lambda float64) float64 {
	switch {
	case lambda <= 0:
		return math.Inf(-1)
	case a.scale == 0:
		return math.Log(math.Expm1(lambda))
	case lambda >= 1:
		return math.Inf(1)
	}
	return math.Log(lambda/(1-lambda)) / a.scale
}

// thresholds are the losses of the negative at rank l.
func (a *plainAGD) thresholds(l int) []float64 {
	scores := make([]float64, len(a.negatives))
	for k, i := range a.negatives {
		scores[k] = a.score(i, a.w)
	}
	slices.Sort(scores)
	at := scores[len(scores)-max(l, 1)]
	lambda := make([]float64, len(a.positives))
	for k, i := range a.positives {
		lambda[k] = a.loss(at - a.score(i, a.w))
	}
	return lambda
}

// run does the outer iterations and returns the last v_n, the method's output.
func (a *plainAGD) run() []float64 {
	lower, upper := a.thresholds(a.m), a.thresholds(a.n)
	difference, output := make([]float64, len(a.w)), make([]float64, len(a.w))
	for k := range a.outer {
		if k > 0 && a.scale > 0 {
			lower, upper = a.thresholds(a.m), a.thresholds(a.n)
		}
		steps := a.length * (k + 1) * (k + 1)
		clear(difference)
		if a.m > 0 {
			a.proximal(lower, a.m, steps, a.c/float64(k+1))
			for j := range difference {
				difference[j] = a.sum[j] / float64(steps)
			}
		}
		a.proximal(upper, a.n, steps, a.c/float64(k+1))
		for j := range a.w {
			v := a.sum[j] / float64(steps)
			if a.m == 0 {
				difference[j] = a.w[j]
			}
			difference[j] -= v
			output[j] = v
		}
		for j := range a.w {
			a.w[j] -= a.gamma * difference[j]
		}
	}
	return output
}

// proximal sums v over the steps of algorithm 1 for f^l, and sets lambda to its mean over
// them.
func (a *plainAGD) proximal(lambda []float64, l, steps int, eta float64) {
	copy(a.v, a.w)
	clear(a.sum)
	rows := make([]int, a.p+a.q)
	late := make([]float64, len(lambda)) // t+1 times what step t took off lambda
	for t := range steps {
		for j, v := range a.v {
			a.sum[j] += v
		}
		chosen := a.first.Next()
		for k, place := range chosen {
			rows[k] = a.positives[place]
		}
		for k, place := range a.second.Next() {
			rows[a.p+k] = a.negatives[place]
		}
		for k, i := range rows {
			a.scores[k], a.coefficient[k] = a.score(i, a.v), 0
		}
		for k, place := range chosen {
			before := lambda[place]
			a.pairs(k, &lambda[place], float64(l)/float64(len(a.negatives)), eta)
			late[place] += float64(t+1) * (before - lambda[place])
		}
		clear(a.g)
		for k, i := range rows {
			for e, j := range a.columns[i] {
				a.g[j] += a.coefficient[k] * a.values[i][e]
			}
		}
		for j := range a.v {
			a.v[j] = (a.w[j]/a.mu + a.v[j]/eta - a.g[j]) / (1/a.mu + 1/eta)
		}
	}
	for i, v := range late {
		lambda[i] += v / float64(steps)
	}
}

// pairs compares the k-th positive of a batch with its negatives.
func (a *plainAGD) pairs(k int, lambda *float64, share, eta float64) {
	least, limit, above := a.least(*lambda), *lambda, 0
	for j := a.p; j < a.p+a.q; j++ {
		z := a.scores[j] - a.scores[k]
		if a.direct && a.loss(z) <= limit || !a.direct && z <= least {
			continue
		}
		above++
		var slope float64
		if a.scale == 0 {
			slope = 1 / (1 + math.Exp(-z))
		} else {
			s := 1 / (1 + math.Exp(-a.scale*z))
			slope = a.scale * s * (1 - s)
		}
		slope /= float64(a.p * a.q)
		a.coefficient[j] += slope
		a.coefficient[k] -= slope
	}
	*lambda -= eta * a.theta * (share - float64(above)/float64(a.q))
}
