package main

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
)

// sotaS is SOTA-s of Zhu, Li, Wang, Wu and Yang (2022, "When AUC meets DRO", algorithm 3), as far
// as linear scores need it. It minimises the two-way KL estimator:
//
//	outer log mean_i (mean_j exp(l_ij/inner))^(inner/outer)
//
// over positives i and negatives j, where l_ij = max(0, 1 - (p_i - p_j))^2 and p = sigmoid(score).
// Moving averages stand for the means: u[i] for the inner mean of a positive, v for the outer one.
// A new value has the weight 0.9, as by default in LibAUC. Adam takes the steps.
type sotaS struct {
	inner, outer, step float64
}

// The batches and the number of steps are the same as in mb-pauc.
const (
	sotaPositives, sotaNegatives, sotaSteps = 100, 500, 1000
	sotaFresh                               = 0.9
)

// sotaRows are rows of two classes; the last weight belongs to the intercept.
type sotaRows struct {
	x                    *sparse.Matrix
	y                    []float64
	positives, negatives []uint32
}

func newSotaRows(x *sparse.Matrix, y []float64) *sotaRows {
	s := &sotaRows{x: x, y: y}
	for i, v := range y {
		if v > 0 {
			s.positives = append(s.positives, uint32(i))
		} else {
			s.negatives = append(s.negatives, uint32(i))
		}
	}
	return s
}

func (s *sotaRows) score(w []float64, i uint32) float64 {
	sum := w[s.x.Cols()]
	for j, v := range s.x.Row(int(i)) {
		sum += v * w[j]
	}
	return sum
}

func (s *sotaRows) add(g []float64, c float64, i uint32) {
	g[s.x.Cols()] += c
	for j, v := range s.x.Row(int(i)) {
		g[j] += c * v
	}
}

// averages are what the steps keep of the means.
type averages struct {
	fresh float64
	u     map[uint32]float64
	v     float64
}

// gradient adds the estimate of a batch to g.
func (m sotaS) gradient(g, w []float64, s *sotaRows, heads, tails []uint32, a *averages) {
	logistic := func(rows []uint32) (p []float64) {
		for _, i := range rows {
			p = append(p, 1/(1+math.Exp(-s.score(w, i))))
		}
		return p
	}
	p, q := logistic(heads), logistic(tails)
	pairs, mean := make([][]float64, len(heads)), 0.0
	for k, i := range heads {
		pairs[k] = make([]float64, len(tails))
		sum := 0.0
		for t := range tails {
			d := max(0, 1-(p[k]-q[t]))
			pairs[k][t] = math.Exp(d * d / m.inner)
			sum += pairs[k][t] / float64(len(tails))
		}
		a.u[i] = (1-a.fresh)*a.u[i] + a.fresh*sum
		mean += math.Pow(a.u[i], m.inner/m.outer) / float64(len(heads))
	}
	a.v = (1-a.fresh)*a.v + a.fresh*mean
	ofTails := make([]float64, len(tails))
	for k, i := range heads {
		weight := math.Pow(a.u[i], m.inner/m.outer-1) / a.v / float64(len(heads)*len(tails))
		ofHead := 0.0
		for t := range tails {
			c := weight * pairs[k][t] * 2 * max(0, 1-(p[k]-q[t]))
			ofHead -= c
			ofTails[t] += c
		}
		s.add(g, ofHead*p[k]*(1-p[k]), i)
	}
	for t, i := range tails {
		s.add(g, ofTails[t]*q[t]*(1-q[t]), i)
	}
}

// train begins at the weights start. The step falls to a tenth after half and after three quarters
// of the steps. The penalty is 1/(2n) ||w||^2, as by default in lanes.
func (m sotaS) train(s *sotaRows, start []float64, seed uint64) []float64 {
	random := rand.New(rand.NewPCG(seed, 1))
	draw := func(list []uint32, n int) []uint32 {
		n = min(n, len(list))
		for k := range n {
			other := k + random.IntN(len(list)-k)
			list[k], list[other] = list[other], list[k]
		}
		return list[:n]
	}
	w := append([]float64(nil), start...)
	g, first, second := make([]float64, len(w)), make([]float64, len(w)), make([]float64, len(w))
	a := &averages{fresh: sotaFresh, u: map[uint32]float64{}}
	for t := range sotaSteps {
		clear(g)
		m.gradient(g, w, s, draw(s.positives, sotaPositives), draw(s.negatives, sotaNegatives), a)
		step := m.step
		if t >= sotaSteps/2 {
			step /= 10
		}
		if t >= sotaSteps*3/4 {
			step /= 10
		}
		b1, b2 := 1-math.Pow(0.9, float64(t+1)), 1-math.Pow(0.999, float64(t+1))
		for j := range w {
			of := g[j] + w[j]/float64(len(s.y))
			first[j] = 0.9*first[j] + 0.1*of
			second[j] = 0.999*second[j] + 0.001*of*of
			w[j] -= step * first[j] / b1 / (math.Sqrt(second[j]/b2) + 1e-8)
		}
	}
	return w
}

// logisticFit returns the weights of a logistic fit with an intercept.
func logisticFit(x *sparse.Matrix, y []float64) ([]float64, error) {
	one := related.Candidate{Solver: related.Logistic, Lambda: 1 / float64(len(y))}
	r, err := one.Solve(context.Background(), &erm.Problem{Loss: loss.Logistic{}, X: x.WithBias(1), Y: y}, target)
	if err != nil {
		return nil, err
	}
	return r.Weights, nil
}

// tuned returns the setting that is best on a fifth of the rows of either class, trained on the
// others: the temperatures are 0.1, 1 or 10, and the step 0.001, 0.01 or 0.1.
func tuned(x *sparse.Matrix, y []float64) (best sotaS, err error) {
	kept, held, err := everyFifth(x, y)
	if err != nil {
		return best, err
	}
	start, err := logisticFit(kept.x, kept.y)
	if err != nil {
		return best, err
	}
	most := -1.0
	for _, inner := range []float64{0.1, 1, 10} {
		for _, outer := range []float64{0.1, 1, 10} {
			for _, step := range []float64{0.001, 0.01, 0.1} {
				m := sotaS{inner, outer, step}
				w := m.train(kept, start, 1)
				scores := make([]float64, len(held.y))
				for i := range scores {
					scores[i] = held.score(w, uint32(i))
				}
				_, area, err := metrics.PartialAUC(scores, held.y, nil, 0, mostFPR, leastTPR)
				if err != nil {
					return best, err
				}
				if area > most {
					most, best = area, m
				}
			}
		}
	}
	return best, nil
}

// everyFifth holds out every fifth row of either class.
func everyFifth(x *sparse.Matrix, y []float64) (kept, held *sotaRows, err error) {
	var lists [2][]uint32
	var labels [2][]float64
	seen := map[bool]int{}
	for i, v := range y {
		seen[v > 0]++
		to := 0
		if seen[v > 0]%5 == 0 {
			to = 1
		}
		lists[to], labels[to] = append(lists[to], uint32(i)), append(labels[to], v)
	}
	a, err := x.PickRows(nil, lists[0])
	if err != nil {
		return nil, nil, err
	}
	b, err := x.PickRows(nil, lists[1])
	if err != nil {
		return nil, nil, err
	}
	return newSotaRows(a, labels[0]), newSotaRows(b, labels[1]), nil
}
