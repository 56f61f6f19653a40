package opening

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/passes"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/score"
)

const (
	// fitPasses is the length of the fit that a perceptron starts from, and fitRate its first
	// step; the steps decrease linearly to 0.
	fitPasses = 10
	fitRate   = 0.01
	// fitBatch is the number of rows of a step.
	fitBatch = 64
)

// perceptron starts at the result of a few passes of Adam.
type perceptron struct{ *score.Perceptron }

// Start fits w from Initial with lambda = 1/n, by Adam on batches of rows with steps that
// decrease linearly. The result is the mean of the iterates of the last pass.
func (m perceptron) Start(ctx context.Context, w, y, weight []float64, settings solvers.Settings) (int, error) {
	if ctx == nil {
		ctx = context.Background()
	}
	n := m.X().Rows()
	if len(w) != m.Parameters() {
		return 0, fmt.Errorf("score: %d parameters for a %s, which has %d", len(w), m, m.Parameters())
	}
	if n == 0 || len(y) != n || weight != nil && len(weight) != n {
		return 0, fmt.Errorf("score: %d labels and %d weights for %d rows", len(y), len(weight), n)
	}
	begun := time.Now()
	over := func() bool {
		return ctx.Err() != nil || settings.MaxTime > 0 && time.Since(begun) >= settings.MaxTime
	}
	f := newFit(m.Perceptron, y, weight, settings.Seed)
	for f.t < f.steps && !over() {
		if f.t%f.batches.PerPass() == 0 {
			f.count = 0
			clear(f.sum)
		}
		if err := f.step(); err != nil {
			return 0, fmt.Errorf("warm start: %w", err)
		}
	}
	f.mean(w)
	return int(math.Ceil(float64(f.t*len(f.rows)) / float64(n))), nil
}

// fit is a run of Adam on the logistic loss.
type fit struct {
	m              *score.Perceptron
	batches        *passes.Batches
	y, weight      []float64
	settings       kernels.AdamSettings
	power1, power2 float64
	t, steps       int
	w, g, m1, m2   []float64
	sum            []float64 // of the iterates of a pass
	count          int
	first          []float64

	// The batch: its rows, their labels and weights, and their scores or slopes.
	rows                    []uint32
	labels, weights, scores []float64
}

func newFit(m *score.Perceptron, y, weight []float64, seed uint64) *fit {
	n := len(y)
	f := &fit{
		m: m, y: y, weight: weight, power1: 1, power2: 1, w: m.Initial(seed), batches: passes.NewBatches(n, fitBatch, passes.DropTail, random.New(seed)),
		settings: kernels.AdamSettings{Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, Lambda: 1 / float64(n)},
	}
	f.steps = fitPasses * f.batches.PerPass()
	positives, total := 0.0, 0.0
	for i, v := range y {
		counts := direct.Weight(weight, i)
		total += counts
		if v > 0 {
			positives += counts
		}
	}
	if positives > 0 && positives < total {
		f.w[len(f.w)-1] = kernels.LogOf(positives / (total - positives))
	}
	f.first = slices.Clone(f.w)
	for _, v := range []*[]float64{&f.g, &f.m1, &f.m2, &f.sum} {
		*v = make([]float64, len(f.w))
	}
	size := f.batches.Largest()
	f.rows, f.labels, f.scores = make([]uint32, size), make([]float64, size), make([]float64, size)
	if weight != nil {
		f.weights = make([]float64, size)
	}
	return f
}

func (f *fit) step() error {
	for k, row := range f.batches.Next() {
		f.rows[k], f.labels[k] = row, f.y[row]
		if f.weight != nil {
			f.weights[k] = f.weight[row]
		}
	}
	if err := f.m.Scores(f.scores, f.rows, f.w); err != nil {
		return err
	}
	loss.Logistic{}.Gradient(f.scores, f.scores, f.labels, f.weights)
	direct.Scale(f.scores, 1/float64(len(f.scores)), f.scores)
	clear(f.g)
	if err := f.m.AddGradient(f.g, f.rows, f.scores, f.w); err != nil {
		return err
	}
	f.power1, f.power2 = float64(f.power1*f.settings.Beta1), float64(f.power2*f.settings.Beta2)
	f.settings.Rate = float64(fitRate * (1 - float64(f.t)/float64(f.steps)))
	f.t++
	f.count++
	direct.Adam(f.w, f.m1, f.m2, f.g, f.settings, f.power1, f.power2)
	direct.Axpy(1, f.w, f.sum)
	return nil
}

// mean writes the mean of the iterates of the last pass, or the first point if the mean is
// not finite.
func (f *fit) mean(w []float64) {
	direct.Scale(w, 1/float64(f.count), f.sum)
	if largest := kernels.MaxAbs(w); f.count == 0 || largest-largest != 0 {
		copy(w, f.first)
	}
}
