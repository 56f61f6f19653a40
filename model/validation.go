package model

import (
	"errors"
	"sync"

	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// Validation measures a run's weights on rows of their own by a metric of package
// metrics: it is a solvers.Metric, for Settings.Validation.
type Validation struct {
	Metric metrics.Metric
	// Model scores the rows that are measured, prepared as those of the training:
	// score.Linear of a matrix with the same bias, or a score.Perceptron.
	Model score.Model
	// Y has the rows' labels, -1 or +1 (targets, where the metric takes those), Weight
	// their weights, nil for 1.
	Y, Weight []float64
	// Pool shares the scoring, nil for one goroutine.
	Pool *sparse.Pool

	lock   sync.Mutex
	scores []float64
}

// Name is the metric's.
func (v *Validation) Name() string { return v.Metric.Name }

// HigherIsBetter gives the metric's direction.
func (v *Validation) HigherIsBetter() bool { return v.Metric.Direction == metrics.HigherIsBetter }

// Measure scores all rows and computes the metric.
func (v *Validation) Measure(w []float64) (float64, error) {
	if v.Model == nil || v.Metric.Compute == nil {
		return 0, errors.New("model: a validation needs a metric, and rows to measure")
	}
	v.lock.Lock()
	defer v.lock.Unlock()
	if len(v.scores) != len(v.Y) {
		v.scores = make([]float64, len(v.Y))
	}
	if err := v.Model.All(v.Pool, v.scores, w); err != nil {
		return 0, err
	}
	return v.Metric.Compute(v.scores, v.Y, v.Weight)
}
