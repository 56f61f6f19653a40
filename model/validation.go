package model

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// Validation measures a run's weights on rows of their own by a metric of package
// metrics: it is a solvers.Metric, for Settings.Validation. Any number of goroutines may
// call Measure.
type Validation struct {
	Metric metrics.Metric
	// Model scores the rows that are measured, prepared like the training rows: score.Linear of a
	// matrix with the same bias, score.Streamed of such rows in a file, or a score.Perceptron.
	Model score.Scorer
	// Y has the rows' labels, -1 or +1 (targets, where the metric takes those), Weight
	// their weights, nil for 1.
	Y, Weight []float64
	// Offset has a number for each row that is added to its score, nil for 0. It is for models of
	// one score a row.
	Offset []float64
	// Classes is the number of classes, if the weights are of several: Model is a score.Linear
	// or score.Streamed then, Y has the number of each row's class, and Metric is a ClassMetric.
	Classes int
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
	if v.Offset != nil && (v.Classes > 0 || len(v.Offset) != len(v.Y)) {
		return 0, fmt.Errorf("model: a validation with %d offsets of %d rows and %d classes", len(v.Offset), len(v.Y), v.Classes)
	}
	if v.Classes > 0 {
		if parameters, is := v.Model.(interface{ Parameters() int }); !is || parameters.Parameters()*v.Classes != len(w) {
			return 0, fmt.Errorf("model: a validation of %d classes needs a linear model, and %[1]d weights a column", v.Classes)
		}
	}
	v.lock.Lock()
	defer v.lock.Unlock()
	if size := len(v.Y) * max(v.Classes, 1); len(v.scores) != size {
		v.scores = make([]float64, size)
	}
	if err := v.Model.All(v.Pool, v.scores, w); err != nil {
		return 0, err
	}
	for i, o := range v.Offset {
		v.scores[i] += o
	}
	return v.Metric.Compute(v.scores, v.Y, v.Weight)
}

// ClassMetric returns a metric of several classes by its name: logloss, accuracy,
// balanced_accuracy or macro_f1, or another name that metrics.Name understands. Its Compute
// takes the scores of all classes for every row, and the numbers of the rows' classes for
// labels. softmax says that the scores are of one model of all classes, which decides their
// probabilities.
func ClassMetric(name string, classes []float64, softmax bool) (metrics.Metric, error) {
	count := len(classes)
	m := metrics.Metric{Name: metrics.Name(name), Direction: metrics.HigherIsBetter}
	of := func(measure func(metrics.ClassTable) float64) {
		m.Compute = func(scores, class, weight []float64) (float64, error) {
			predicted := make([]uint32, len(class))
			for i := range class {
				for c, s := range scores[i*count : (i+1)*count] {
					if s > scores[i*count+int(predicted[i])] {
						predicted[i] = uint32(c)
					}
				}
			}
			table, err := metrics.Classify(numbers(class), predicted, weight, count)
			return measure(table), err
		}
	}
	switch m.Name {
	case "accuracy":
		of(metrics.ClassTable.Accuracy)
	case "balanced_accuracy":
		of(metrics.ClassTable.BalancedAccuracy)
	case "macro_f1":
		of(metrics.ClassTable.MacroF1)
	case "logloss":
		m.Direction = metrics.LowerIsBetter
		likely := &Linear{SolverType: "L2R_LR", Card: Card{Classes: classes, Meta: &Meta{Softmax: softmax}}}
		m.Compute = func(scores, class, weight []float64) (float64, error) {
			shares := slices.Clone(scores)
			if err := likely.Probabilities(shares); err != nil {
				return 0, err
			}
			return metrics.ClassLogLoss(shares, numbers(class), weight, count)
		}
	default:
		return m, errors.New("model: want logloss, accuracy, balanced_accuracy or macro_f1 for several classes")
	}
	return m, nil
}

// numbers returns the numbers of classes as whole numbers.
func numbers(class []float64) []uint32 {
	whole := make([]uint32, len(class))
	for i, k := range class {
		whole[i] = uint32(k)
	}
	return whole
}
