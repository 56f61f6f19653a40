package score

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
)

// Initial draws a point to start from. Weights are uniform, with a variance that
// gives the sum of a unit a variance of about 1 (2 for ReLU, whose units are silent
// half of the time): 1/(k q_j) for column j of rows with k non-zeros on average, where
// q_j is the mean square of the column's non-zeros, and one over the width of the
// layer before elsewhere. Columns that are empty have no weights, biases are 0. It
// costs a sweep over the matrix.
func (m *Perceptron) Initial(seed uint64) []float64 {
	squares, counts := make([]float64, m.net.Features), make([]int, m.net.Features)
	for i := range m.x.Rows() {
		for j, x := range m.x.Row(i) {
			squares[j] += float64(x * x)
			counts[j]++
		}
	}
	gain := 1.0
	if m.net.Activation == ReLU {
		gain = 2
	}
	random := solvers.NewRandom(seed)
	draw := func(w []float64, variance float64) {
		half := math.Sqrt(3 * variance) // a uniform number in [-h, h] has the variance h^2/3
		for k := range w {
			w[k] = float64(half * (2*random.Float64() - 1))
		}
	}
	w := make([]float64, m.Parameters())
	first := m.layers[0]
	perRow := float64(m.x.NNZ()) / float64(max(m.x.Rows(), 1))
	for j, square := range squares {
		if square > 0 {
			at := j * first.width
			draw(w[at:at+first.width], float64(gain*float64(counts[j]))/float64(square*perRow))
		}
	}
	for _, l := range m.layers[1:] {
		draw(l.matrix(w), gain/float64(l.inputs))
	}
	output := w[m.output : len(w)-1]
	draw(output, gain/float64(len(output)))
	return w
}

// The fit that a perceptron starts from.
const (
	fitPasses   = 20
	fitRate     = 0.01 // of the first step; the last is a hundredth of it
	fitBatch    = 64   // rows at least
	fitMost     = 1024 // rows at most
	fitBeta1    = 0.9
	fitBeta2    = 0.999
	fitEpsilon  = 1e-8
	fitDecrease = 0.99
)

// Start fits w from Initial with lambda = 1/n, by Adam with steps that decrease
// linearly. A step is dense: its batch is as large as makes the non-zeros in it about
// as many as the columns, within bounds.
func (m *Perceptron) Start(ctx context.Context, w, y, weight []float64, settings solvers.Settings) (int, error) {
	n := m.x.Rows()
	if err := m.check(w); err != nil {
		return 0, err
	}
	if len(y) != n || weight != nil && len(weight) != n {
		return 0, fmt.Errorf("score: %d labels and %d weights for %d rows", len(y), len(weight), n)
	}
	begun := time.Now()
	initial := m.Initial(settings.Seed)
	positives, total := 0.0, 0.0
	for i, v := range y {
		one := 1.0
		if weight != nil {
			one = weight[i]
		}
		total += one
		if v > 0 {
			positives += one
		}
	}
	if positives > 0 && positives < total {
		initial[len(initial)-1] = kernels.LogOf(positives / (total - positives))
	}
	copy(w, initial)
	perRow := max(1, m.x.NNZ()/int64(max(n, 1)))
	size := int(min(fitMost, max(fitBatch, int64(m.net.Features)/perRow)))
	batches := solvers.NewBatches(n, size, solvers.DropTail, solvers.NewRandom(settings.Seed))
	size = batches.Largest()
	z, labels := make([]float64, size), make([]float64, size)
	var weights []float64
	if weight != nil {
		weights = make([]float64, size)
	}
	g, m1, m2 := make([]float64, len(w)), make([]float64, len(w)), make([]float64, len(w))
	adam := kernels.AdamSettings{Beta1: fitBeta1, Beta2: fitBeta2, Epsilon: fitEpsilon, Lambda: 1 / float64(n)}
	power1, power2 := 1.0, 1.0
	steps := fitPasses * batches.PerPass()
	t := 0
	for ; t < steps && ctx.Err() == nil && (settings.MaxTime == 0 || time.Since(begun) < settings.MaxTime); t++ {
		rows := batches.Next()
		for k, i := range rows {
			labels[k] = y[i]
			if weight != nil {
				weights[k] = weight[i]
			}
		}
		if err := m.Scores(z, rows, w); err != nil {
			return 0, err
		}
		loss, err := kernels.LossGradient(kernels.Logistic, z, z, labels, weights, 0)
		if err != nil {
			return 0, err
		}
		if loss-loss != 0 {
			break
		}
		if err := kernels.Scale(z, 1/float64(size), z); err != nil {
			return 0, err
		}
		clear(g)
		if err := m.AddGradient(g, rows, z, w); err != nil {
			return 0, err
		}
		power1, power2 = float64(power1*fitBeta1), float64(power2*fitBeta2)
		adam.Rate = float64(fitRate * (1 - float64(fitDecrease*float64(t))/float64(steps)))
		if err := kernels.Adam(w, m1, m2, g, adam, power1, power2); err != nil {
			return 0, err
		}
	}
	if largest := kernels.MaxAbs(w); largest-largest != 0 {
		copy(w, initial)
	}
	return int(math.Ceil(float64(t*size) / float64(n))), nil
}
