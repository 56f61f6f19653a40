package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Start returns the weights from which a training continues from a model, for
// solvers.Settings.Initial: the weights of m, with the classes in the order of t. The training
// must have the model's columns, labels, scaling and, if both have them, names of columns. It
// must have a constant column (a bias, or a free intercept) of the same value, or none. A
// perceptron needs the same network. Otherwise Start returns an error that says what differs. The
// loss, the weights of the regularisers and what is penalised may differ: a start only has to be
// near. Models without Meta, such as LIBLINEAR's, say nothing of scaling.
//
// It costs a copy of the weights.
func Start(m Model, t Training) ([]float64, error) {
	linear, isLinear := m.(*Linear)
	perceptron, isPerceptron := m.(*Perceptron)
	if m == nil || isLinear && linear == nil || isPerceptron && perceptron == nil || t.X == nil && t.Rows == nil {
		return nil, errors.New("model: Start: a model and the rows of a training are needed")
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	var w []float64
	err := sameTraining(m.About(), &t)
	if err == nil {
		switch {
		case isLinear:
			w, err = linear.start(&t)
		case isPerceptron:
			w, err = perceptron.start(&t)
		default:
			err = fmt.Errorf("a %T has no weights to start from", m)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("model: Start: %w", err)
	}
	return w, nil
}

// sameTraining compares what models of any kind say of their columns and labels with a
// training.
func sameTraining(c *Card, t *Training) error {
	_, d, _ := t.shape()
	switch {
	case c.Features != d:
		return fmt.Errorf("the model has %d columns, the data have %d", c.Features, d)
	case c.Regression != t.Regression:
		return fmt.Errorf("the model is %s, the training %s", purpose(c.Regression), purpose(t.Regression))
	}
	if c.Meta != nil {
		if err := c.Meta.CheckEncoding(t.Table); err != nil {
			return err
		}
		if here := t.normalize(); c.Meta.Normalize != here {
			return fmt.Errorf("the model's rows are scaled by %s, the training rows by %s", c.Meta.Normalize, here)
		}
		for j, name := range c.Meta.FeatureNames[:min(len(c.Meta.FeatureNames), len(t.FeatureNames))] {
			if here := t.FeatureNames[j]; name != here && name != "" && here != "" {
				return fmt.Errorf("column %d is called %q in the model and %q in the training", j+1, name, here)
			}
		}
	}
	if t.Regression {
		return nil
	}
	now := Card{Positive: t.Labels.Positive, Negative: t.Labels.Negative, Rest: t.Labels.Rest, Classes: t.Classes, Meta: &Meta{LabelNames: t.LabelNames}}
	before, here := c.called(), now.called()
	same := c.Rest == now.Rest && (c.Rest && before[0] == here[0] || !c.Rest && slices.Equal(before, here))
	if len(here) > 2 {
		same = slices.Equal(slices.Sorted(slices.Values(before)), slices.Sorted(slices.Values(here)))
	}
	if !same {
		return fmt.Errorf("the model separates %s; the training separates %s", c.separates(before), now.separates(here))
	}
	return nil
}

func purpose(regression bool) string {
	if regression {
		return "a regression"
	}
	return "of classes"
}

// called lists what the labels are called.
func (c *Card) called() (names []string) {
	for _, label := range c.Labels() {
		names = append(names, c.Word(label))
	}
	return names
}

// separates says in at most a line which labels a model separates.
func (c *Card) separates(names []string) string {
	const most = 8
	switch {
	case len(names) == 2 && c.Rest:
		return names[0] + " from the rest"
	case len(names) == 2:
		return names[0] + " (positive) from " + names[1]
	case len(names) > most:
		return fmt.Sprintf("%d classes: %s, ...", len(names), strings.Join(names[:most], ", "))
	}
	return fmt.Sprintf("%d classes: %s", len(names), strings.Join(names, ", "))
}

func (m *Linear) start(t *Training) ([]float64, error) {
	_, _, bias := t.shape()
	switch {
	case t.Network != nil:
		return nil, fmt.Errorf("the model is linear, the training one of a %v", t.Network)
	case m.Bias == 0 && bias != 0:
		return nil, errors.New("the model has neither a bias nor an intercept, the training has one")
	case m.Bias != 0 && bias == 0:
		return nil, errors.New("the model has a bias or an intercept, the training has none")
	case m.Bias != bias:
		return nil, fmt.Errorf("the bias of the model is %v, the bias of the training %v", m.Bias, bias)
	case m.Classes == nil:
		return slices.Clone(m.Weights), nil
	}
	names, d := m.called(), m.Columns()
	var w []float64
	for _, name := range (&Card{Classes: t.Classes, Meta: &Meta{LabelNames: t.LabelNames}}).called() {
		k := slices.Index(names, name)
		w = append(w, m.Weights[k*d:(k+1)*d]...)
	}
	return w, nil
}

func (t *Perceptron) start(training *Training) ([]float64, error) {
	if training.Network == nil || training.Network.String() != t.Network.String() {
		of := "a linear model"
		if training.Network != nil {
			of = fmt.Sprintf("a %v", training.Network)
		}
		return nil, fmt.Errorf("the model is a %v, the training one of %s", t.Network, of)
	}
	return slices.Clone(t.Weights), nil
}
