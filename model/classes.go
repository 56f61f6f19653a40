package model

import (
	"fmt"
	"slices"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/sparse"
)

// Columns returns the number of weights a class: Features, and one more where Bias
// is not 0.
func (m *Linear) Columns() int {
	if m.Bias != 0 {
		return m.Features + 1
	}
	return m.Features
}

// classScores writes the scores of the rows of b.view by weights w of count classes, row by
// row.
func (b *batch) classScores(dst []float64, p *sparse.Pool, w []float64, count int) error {
	if count > 1 {
		b.scores = slices.Grow(b.scores[:0], b.view.Rows())[:b.view.Rows()]
	}
	return matrix.MulClasses(&b.view, p, dst, w, b.scores, count)
}

// Probabilities turns scores, as Scores returns them, into probabilities in place, as LIBLINEAR's
// -b 1 does: of the positive class by the sigmoid, or of every class by the sigmoids of a row
// divided by their sum; or by the softmax for a model that was trained by it; or by an isotonic
// calibration; or by the link of the loss. It is an error if the model is not Logistic.
func (m *Linear) Probabilities(scores []float64) error {
	if !m.Logistic() {
		return m.errNoOdds()
	}
	if f := m.isotonic(); f != nil && m.Classes == nil {
		for i, s := range scores {
			scores[i] = f.At(s)
		}
		return nil
	}
	if l := m.Binomial(); l != nil {
		for i, s := range scores {
			scores[i] = l.Probability(s)
		}
		return nil
	}
	if m.Classes == nil {
		return kernels.Sigmoid(scores, scores)
	}
	count := len(m.Classes)
	if count == 0 || len(scores)%count != 0 {
		return fmt.Errorf("model: Probabilities: %d scores of %d classes", len(scores), count)
	}
	for ; len(scores) > 0; scores = scores[count:] {
		row := scores[:count]
		if m.Meta != nil && m.Meta.Softmax {
			if err := kernels.Softmax(row, row); err != nil {
				return err
			}
			continue
		}
		top := largest(row)
		if err := kernels.Sigmoid(row, row); err != nil {
			return err
		}
		sum := 0.0
		for _, v := range row {
			sum += v
		}
		if sum == 0 { // all vanish: the largest score vanishes last
			row[top], sum = 1, 1
		}
		for k := range row {
			row[k] /= sum
		}
	}
	return nil
}

func (m *Linear) checkClasses() error {
	if m.Regression {
		return fmt.Errorf("a regression model has %d classes", len(m.Classes))
	}
	if len(m.Classes) < 3 {
		return fmt.Errorf("%d classes; a model of two names them Positive and Negative", len(m.Classes))
	}
	sorted := slices.Sorted(slices.Values(m.Classes))
	for k, label := range sorted {
		if !isFinite(label) {
			return fmt.Errorf("the label %v is not a finite number", label)
		}
		if k > 0 && label == sorted[k-1] {
			return fmt.Errorf("two classes have the label %v", label)
		}
	}
	return nil
}

// wholeLabels are the labels as LIBLINEAR can hold them.
func (m *Linear) wholeLabels() []float64 {
	labels := m.Labels()
	if !slices.ContainsFunc(labels, func(v float64) bool { return !isInt32(v) }) {
		return labels
	}
	if m.Classes == nil {
		return []float64{1, -1}
	}
	whole := make([]float64, len(labels))
	for k := range whole {
		whole[k] = float64(k + 1)
	}
	return whole
}

// byClass puts weights in order of class that are in order of column.
func byClass(w []float64, classes int) []float64 {
	if classes == 1 {
		return w
	}
	d := len(w) / classes
	out := make([]float64, len(w))
	for j := range d {
		for k := range classes {
			out[k*d+j] = w[j*classes+k]
		}
	}
	return out
}

// labels reads the labels of a model of several classes.
func (t *modelText) labels(count int) ([]float64, error) {
	var list []float64
	for k := range count {
		label, err := t.number("label", k+1)
		if err != nil {
			return nil, err
		}
		list = append(list, label)
	}
	return list, nil
}
