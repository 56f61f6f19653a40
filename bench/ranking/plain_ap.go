package main

import (
	"math"
	"math/rand/v2"

	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/sparse"
)

// plainADAP is ADAP as one writes it in Go without this library: rows as slices,
// math.Exp a pair, one loop a formula. It has lanes' algorithm and defaults, draws
// its batches in the same way, and shares no code and no bits with it.
type plainADAP struct {
	columns              [][]int32
	values               [][]float64
	positives, negatives []int
	p, n                 int // of a batch
	beta, gain           float64
	scale, margin        float64 // margin 0 selects the logistic surrogate
	lambda               float64

	w, m, v, g, sum []float64
	u1, u2          []float64
	seen            []int
	s, c, part      []float64
	random          *rand.Rand
	at, of          int // next in positives and in negatives
}

func newPlainADAP(x *sparse.Matrix, y []float64, p, n int, margin float64) *plainADAP {
	a := &plainADAP{p: p, n: n, scale: 4, margin: margin, lambda: 1 / float64(len(y)), random: rand.New(rand.NewPCG(1, 1))}
	a.columns, a.values, a.positives, a.negatives = datasets.Plain(x, y)
	m := len(a.positives)
	a.p, a.n = min(p, m), min(n, len(a.negatives))
	a.gain = float64(m) / float64(a.p)
	a.beta = 0.3 / a.gain
	for _, v := range []*[]float64{&a.w, &a.m, &a.v, &a.g, &a.sum} {
		*v = make([]float64, x.Cols())
	}
	a.u1, a.u2, a.seen = make([]float64, m), make([]float64, m), make([]int, m)
	size := a.p + a.n
	a.s, a.c, a.part = make([]float64, size), make([]float64, size), make([]float64, size)
	a.at, a.of = m, len(a.negatives)
	return a
}

// draw returns the next count rows of a shuffled list.
func (a *plainADAP) draw(list []int, at *int, count int) (first int) {
	if *at+count > len(list) {
		a.random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		*at = 0
	}
	*at += count
	return *at - count
}

// run does the given number of iterations and returns the average of the second half.
func (a *plainADAP) run(iterations int) []float64 {
	rows := make([]int, a.p+a.n)
	places := make([]int, len(a.positives))
	for i := range places {
		places[i] = i
	}
	all, count := float64(len(a.columns)), 0
	weightP, weightN := 0.0, float64(len(a.negatives))/(all*float64(a.n))
	if a.p > 1 {
		weightP = float64(len(a.positives)-1) / (all * float64(a.p-1))
	}
	for t := 1; t <= iterations; t++ {
		chosen := places[a.draw(places, &a.at, a.p):][:a.p]
		for k, place := range chosen {
			rows[k] = a.positives[place]
		}
		copy(rows[a.p:], a.negatives[a.draw(a.negatives, &a.of, a.n):][:a.n])
		for k, i := range rows {
			s := 0.0
			for e, j := range a.columns[i] {
				s += a.values[i][e] * a.w[j]
			}
			a.s[k], a.c[k] = s, 0
		}
		for k, place := range chosen {
			a.pairs(k, place, t, weightP, weightN, 1/all)
		}
		clear(a.g)
		for k, i := range rows {
			for e, j := range a.columns[i] {
				a.g[j] += a.c[k] * a.values[i][e]
			}
		}
		rate := 0.04 * (1 - 0.9*float64(t-1)/float64(iterations))
		correct1, correct2 := 1-math.Pow(0.9, float64(t)), 1-math.Pow(0.999, float64(t))
		for j := range a.w {
			g := a.g[j] + a.lambda*a.w[j]
			a.m[j] = 0.9*a.m[j] + 0.1*g
			a.v[j] = 0.999*a.v[j] + 0.001*g*g
			a.w[j] -= rate * (a.m[j] / correct1) / (math.Sqrt(a.v[j]/correct2) + 1e-8)
		}
		if 2*t > iterations && t%4 == 0 {
			for j, w := range a.w {
				a.sum[j] += w
			}
			count++
		}
	}
	for j := range a.sum {
		a.sum[j] /= float64(max(count, 1))
	}
	return a.sum
}

// pairs compares the k-th positive of a batch with all of it.
func (a *plainADAP) pairs(k, place, t int, weightP, weightN, own float64) {
	above, below, self := 0.0, 0.0, 0.5
	if a.margin > 0 {
		self = a.margin * a.margin
	}
	for j, s := range a.s {
		var l float64
		if a.margin > 0 {
			a.part[j] = math.Max(0, s-a.s[k]+a.margin)
			l = a.part[j] * a.part[j]
		} else {
			l = 1 / (1 + math.Exp(-a.scale*(s-a.s[k])))
			a.part[j] = l * (1 - l)
		}
		if j < a.p {
			above += l
		} else {
			below += l
		}
	}
	own *= self
	g1 := weightP*math.Max(0, above-self) + own
	g2 := weightN*below + g1
	if a.seen[place] == 0 {
		a.u1[place], a.u2[place] = g1, g2
	} else {
		decay := math.Pow(1-a.beta, float64(t-1-a.seen[place]))
		a.u1[place] = (1-a.beta)*(a.u1[place]*decay) + a.beta*a.gain*g1
		a.u2[place] = (1-a.beta)*math.Max(a.u2[place]*decay, own) + a.beta*a.gain*g2
	}
	a.seen[place] = t
	if a.margin == 0 { // Omega; the squared hinge has no upper bound
		a.u1[place] = math.Min(a.u1[place], float64(len(a.positives))/float64(len(a.columns)))
		a.u2[place] = math.Min(a.u2[place], 1)
	}
	a.u2[place] = math.Max(a.u2[place], own)
	u1, u2 := a.u1[place], a.u2[place]
	factor := a.scale / float64(a.p)
	if a.margin > 0 {
		factor = 2 / float64(a.p)
	}
	both, positive := factor*u1/(u2*u2), -factor/u2
	for j, part := range a.part {
		c := both * weightN * part
		if j < a.p {
			c = (both + positive) * weightP * part
		}
		a.c[j] += c
		a.c[k] -= c
	}
}
