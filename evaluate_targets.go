package lanes

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/table"
)

// targets measures a regression.
func (e *evaluation) targets() (*Report, error) {
	w := e.o.RowWeights
	if err := e.o.checkWeights(len(e.y)); err != nil {
		return nil, err
	}
	r := newReport(len(e.y))
	if e.about.Logged() {
		return e.logged(r)
	}
	l, err := e.trainedBy()
	if err != nil {
		return nil, err
	}
	linked, is := l.(loss.Linked)
	if mean, err := meanLoss(l)(e.scores, e.y, w); is {
		r.set(&r.Deviance, "deviance", 2*mean, err)
	} else if !l.Quadratic() {
		r.LossName = loss.NameOf(l)
		r.set(&r.Loss, "the mean "+r.LossName+" loss", mean, err)
	}
	if r.Deviance == r.Deviance || r.Loss == r.Loss {
		d2, err := explained(l, e.scores, e.y, w, e.offsets)
		r.set(&r.D2, "D2", d2, err)
	}
	e.measureErrors(r)
	if !is {
		return r, nil
	}
	if w, err = e.toRates(linked); err != nil {
		return nil, err
	}
	e.measureMeans(r, w)
	return r, nil
}

// logged measures a regression of logarithms in the units of the target.
func (e *evaluation) logged(r *Report) (*Report, error) {
	e.about.Originals(e.y)
	e.measureErrors(r)
	e.measureMeans(r, e.o.RowWeights)
	return r, nil
}

// measureErrors makes predictions of the scores, and measures them.
func (e *evaluation) measureErrors(r *Report) {
	w := e.o.RowWeights
	e.about.Means(e.scores)
	mse, err := metrics.MeanSquaredError(e.scores, e.y, w)
	r.set(&r.MeanSquaredError, "mean squared error", mse, err)
	mae, err := metrics.MeanAbsoluteError(e.scores, e.y, w)
	r.set(&r.MeanAbsoluteError, "mean absolute error", mae, err)
	r2, err := metrics.R2(e.scores, e.y, w)
	r.set(&r.R2, "R2", r2, err)
}

// lorenzParts is the number of parts of a Lorenz curve.
const lorenzParts = 100

// measureMeans measures predictions that are expected amounts, for weights w.
func (e *evaluation) measureMeans(r *Report, w []float64) {
	gini, normalised, err := metrics.Gini(e.scores, e.y, w)
	if r.set(&r.Gini, "Gini", gini, err); err == nil {
		r.NormalisedGini = normalised
		r.Lorenz, err = metrics.Lorenz(e.scores, e.y, w, lorenzParts)
		r.set(new(float64), "the Lorenz curve", 0, err)
	}
	if r.Targets, err = metrics.TargetCalibration(e.scores, e.y, w, calibrationBins); err != nil {
		r.set(new(float64), "the table of predictions", 0, err)
	}
}

// trainedBy returns the loss of the model, the squared one where the model does not say.
func (e *evaluation) trainedBy() (loss.Loss, error) {
	if meta := e.about.Meta; meta != nil && meta.Loss != "" {
		return loss.Parse(meta.Loss, meta.LossDelta)
	}
	return loss.Squared{}, nil
}

// toRates divides predictions and targets by the exposures of the rows, where the rows have a column of
// these, and returns the weights of the rates.
func (e *evaluation) toRates(l loss.Linked) (weights []float64, err error) {
	weights = e.o.RowWeights
	if e.offsets == nil || e.about.Meta == nil {
		return weights, nil
	}
	name, err := exposureOf(e.about.Meta.Table, encoderOf(e.about.Meta.Table))
	if err != nil || name == "" {
		return weights, err
	}
	rates := make([]float64, len(e.y))
	for i, offset := range e.offsets {
		exposure := l.Mean(offset)
		if rates[i] = exposure; weights != nil {
			rates[i] = float64(exposure * weights[i])
		}
		e.scores[i] /= exposure
		e.y[i] /= exposure
	}
	return rates, nil
}

// exposureOf returns the name of the column of a table's encoding that is an exposure, "" for none.
func exposureOf(encoding []byte, encoder func() (*table.Encoder, error)) (string, error) {
	if !bytes.Contains(encoding, []byte(table.Exposure)) {
		return "", nil
	}
	e, err := encoder()
	if err != nil {
		return "", err
	}
	for _, c := range e.Recipe().Columns {
		if c.Kind == table.Exposure {
			return c.Name, nil
		}
	}
	return "", nil
}

// MeanLoss is the metric of the weighted mean loss of rows, by their scores. Other goroutines may use it.
func (p *Problem) MeanLoss() metrics.Metric {
	return metrics.Metric{Name: "loss", Direction: metrics.LowerIsBetter, Compute: meanLoss(p.Loss)}
}

// meanLoss returns the weighted mean of a loss as a metric.
func meanLoss(l loss.Loss) func(score, target, weight []float64) (float64, error) {
	return func(score, target, weight []float64) (float64, error) {
		if bad, err := l.Check(target); err != nil {
			return 0, fmt.Errorf("row %d has %w", bad+1, err)
		}
		total := float64(len(target))
		if weight != nil {
			total = kernels.Sum(weight)
		}
		return l.Sum(score, target, weight) / total, nil
	}
}

// meanDeviance returns the metric of a loss with a link: twice its weighted mean.
func meanDeviance(l loss.Linked) func(score, target, weight []float64) (float64, error) {
	return func(score, target, weight []float64) (float64, error) {
		mean, err := meanLoss(l)(score, target, weight)
		return 2 * mean, err
	}
}

// explained returns the share of a loss that scores explain: 1 less its ratio to that of the best
// constant beside the offsets.
func explained(l loss.Loss, score, target, weight, offset []float64) (float64, error) {
	if least := slices.Min(target); least == slices.Max(target) {
		return 0, fmt.Errorf("lanes: D2: all targets are %v", least)
	}
	constant, found := risk.Null(&risk.Problem{Loss: l, Y: target, SampleWeight: weight, Offset: offset})
	if !found {
		return 0, errors.New("lanes: D2: no constant has the least loss")
	}
	base := l.Sum(constant, target, weight)
	if !(base > 0) || math.IsInf(base, 1) {
		return 0, fmt.Errorf("lanes: D2: the loss of the best constant is %v", base)
	}
	return 1 - l.Sum(score, target, weight)/base, nil
}
