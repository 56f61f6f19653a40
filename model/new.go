package model

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// Training is what a model has to know of its training beside the result: what the rows
// were, and what their labels meant.
type Training struct {
	// X holds the rows as the solver was given them, normalised and with the bias.
	X *sparse.Matrix
	// Rows, in the place of X, are rows that stayed in their file.
	Rows *sparse.Stream
	// Labels are the two classes, as sparse.BinaryLabels returns them. Classes are the labels of
	// three or more classes, in the order of the result's weights. Regression says that there are
	// targets instead of classes.
	Labels     sparse.LabelMap
	Classes    []float64
	Regression bool
	// LabelNames are the words of the labels: of Positive and Negative, or of Classes; nil if
	// labels are numbers.
	LabelNames []string
	// Loss is the loss that was trained, Penalty the penalty, nil for none. Intercept says that the bias
	// of X was not regularised.
	Loss      loss.Loss
	Penalty   penalty.Penalty
	Intercept bool
	// Softmax says that the classes were trained together, so that the softmax of their
	// scores are their probabilities.
	Softmax bool
	// Normalize says how X was made of the rows that were read, "" for NormalizeNone;
	// Scaler is what FitMinMax or FitStd returned for NormalizeMinMax or NormalizeStd.
	Normalize string
	Scaler    *sparse.Scaler
	// FeatureNames are the names of the columns of the rows that were read, one each, or nil.
	FeatureNames []string
	// ZeroBased says that the indices of the training text started at 0.
	ZeroBased bool
	// Smear, above 0, says that labels are logarithms of targets, and predictions Smear exp(score).
	Smear float64
	// Table is the JSON of the encoder that made the rows of a table; nil elsewhere.
	Table []byte
	// Network is the network of a perceptron, nil for a linear model.
	Network *score.Network
	// Program is what the file says that wrote it, "" for lanes.
	Program string
}

// New returns the model of a result: a *Perceptron if there is a network, otherwise a *Linear.
// Its scores count as log odds if the mean of the logistic loss was minimised. The model keeps
// the result's weights, not a copy. It is an error if the result does not fit, or has a number
// that is not finite.
func New(result *solvers.Result, t Training) (Model, error) {
	if result == nil || t.X == nil && t.Rows == nil {
		return nil, errors.New("model: New: a model is made of a result and of the rows of its training")
	}
	if t.Loss == nil {
		return nil, errors.New("model: New: the training has no loss")
	}
	n, d, bias := t.shape()
	table, err := compactTable(t.Table)
	if err != nil {
		return nil, fmt.Errorf("model: New: %w", err)
	}
	l1, lambda := penalty.Multiples(t.Penalty)
	card := Card{
		Features: d, Regression: t.Regression,
		Positive: t.Labels.Positive, Negative: t.Labels.Negative, Rest: t.Labels.Rest, Classes: t.Classes,
		Meta: &Meta{
			Program: t.Program, Solver: result.Solver, Loss: t.Loss.String(), LossDelta: t.Loss.Parameter(), Lambda: lambda, L1: l1, Groups: t.groups(), AtBound: t.atBound(result.Weights), Intercept: t.Intercept, Softmax: t.Softmax, Smear: t.Smear, Rows: n,
			Seed: result.Seed, Status: result.Status.String(), Epochs: result.Total.Epochs,
			Objective: result.Objective, GradientNorm: result.GradientNorm,
			Normalize: t.normalize(), Scaler: t.Scaler, ZeroBased: t.ZeroBased, LabelNames: t.LabelNames, FeatureNames: t.FeatureNames, Table: table,
		},
	}
	if card.Meta.Program == "" {
		card.Meta.Program = "lanes"
	}
	if gap := result.Gap; isFinite(gap) {
		card.Meta.Gap = &gap
	}
	var m Model
	if t.Network != nil {
		m = &Perceptron{Card: card, Network: *t.Network, Weights: result.Weights}
	} else {
		m = &Linear{Card: card, SolverType: solverType(result.Minimised, t.Regression, t.Loss.Odds()), Bias: bias, Weights: result.Weights}
	}
	if err := m.Check(); err != nil {
		return nil, fmt.Errorf("%w (in the result of %s)", err, result.Solver)
	}
	m.About().keepShifted()
	return m, nil
}

func (t *Training) normalize() string { return cmp.Or(t.Normalize, NormalizeNone) }

// groups returns the number of groups of columns in the penalty, 0 for single weights.
func (t *Training) groups() int {
	if rules, err := penalty.RulesOf(t.Penalty); err == nil {
		if g, is := rules.(penalty.Grouped); is {
			return len(g.Columns())
		}
	}
	return 0
}

// atBound lists the weights that are at a bound, of all classes.
func (t *Training) atBound(w []float64) []int {
	_, columns, bias := t.shape()
	held := columns
	if bias != 0 {
		columns++
	}
	if !t.Intercept {
		held = columns
	}
	if t.Network != nil {
		return nil
	}
	return penalty.AtBounds(t.Penalty, w, columns, held)
}

// shape returns the number of rows, the number of columns without the bias, and the bias.
func (t *Training) shape() (n, d int, bias float64) {
	if t.X != nil {
		return t.X.Rows(), t.X.WithBias(0).Cols(), t.X.Bias()
	}
	return t.Rows.Rows(), t.Rows.WithBias(0).Cols(), t.Rows.Bias()
}

// solverType is LIBLINEAR's name of what is nearest to a training.
func solverType(minimised solvers.Objective, regression, odds bool) string {
	switch {
	case regression:
		return "L2R_L2LOSS_SVR"
	case odds && minimised == solvers.MeanLoss:
		return "L2R_LR"
	case odds && minimised == solvers.SparseLoss:
		return "L1R_LR"
	case minimised == solvers.SparseLoss:
		return "L1R_L2LOSS_SVC"
	}
	return "L2R_L2LOSS_SVC"
}
