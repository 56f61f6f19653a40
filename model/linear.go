package model

import (
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/sparse"
)

// Linear is a linear model: the score of a row x is w'x, plus Bias times the last
// weight where there is a bias. A model of more than two classes has one such score a
// class, and the largest one decides.
//
// Files are LIBLINEAR's model text.
type Linear struct {
	Card
	// SolverType is what the file says after solver_type, as in L2R_LR. It is
	// what LIBLINEAR's own programs go by.
	SolverType string
	// Bias is the value of the constant last column, 0 for none.
	Bias float64
	// Weights has Columns elements, or as many for each of Classes, one class after
	// the other.
	Weights []float64
}

// head is what the metadata do not say of a linear model.
func (m *Linear) head() string {
	return fmt.Sprintf("%s %d %x", m.SolverType, m.Features, m.Bias)
}

// Scores returns the score of every row of x, which has m.Features columns and
// no bias: for a model of K classes, K scores a row, in the order of m.Classes. Rows
// are prepared as those of the training were. It costs one product with x a class,
// and a copy of its values where they are normalised.
func (m *Linear) Scores(p *sparse.Pool, x *sparse.Matrix) ([]float64, error) {
	if x == nil {
		return nil, errors.New("model: there is no matrix to score")
	}
	if x.Cols() != m.Features || x.Bias() != 0 {
		return nil, fmt.Errorf("model: the model has %d columns, the data have %d", m.Features, x.Cols())
	}
	if want := int64(m.Columns()) * int64(m.Width()); int64(len(m.Weights)) != want {
		return nil, fmt.Errorf("model: the model has %d weights; %d columns and %d classes need %d", len(m.Weights), m.Columns(), m.Width(), want)
	}
	x, err := m.Meta.Prepare(x)
	if err != nil {
		return nil, err
	}
	x = x.WithBias(m.Bias)
	if m.Classes != nil {
		return classScores(p, x, m.Weights, len(m.Classes))
	}
	scores := make([]float64, x.Rows())
	return scores, x.MulVec(p, scores, m.Weights)
}

// solverTypes are LIBLINEAR's names of models with one weight a column and class
// (one for both of two classes), and whether they are for regression.
var solverTypes = map[string]bool{
	"L2R_LR": false, "L2R_L2LOSS_SVC_DUAL": false, "L2R_L2LOSS_SVC": false, "L2R_L1LOSS_SVC_DUAL": false,
	"L1R_L2LOSS_SVC": false, "L1R_LR": false, "L2R_LR_DUAL": false,
	"L2R_L2LOSS_SVR": true, "L2R_L2LOSS_SVR_DUAL": true, "L2R_L1LOSS_SVR_DUAL": true,
}

// Logistic tells whether scores are log odds, so that their sigmoid is a
// probability.
func (m *Linear) Logistic() bool {
	return m.SolverType == "L2R_LR" || m.SolverType == "L2R_LR_DUAL" || m.SolverType == "L1R_LR"
}

// Check says what is wrong with the model, if anything.
func (m *Linear) Check() error {
	err := m.check()
	if err == nil {
		err = m.filled().Check(m.Features)
	}
	if err != nil {
		return fmt.Errorf("model: %w", err)
	}
	return nil
}

func (m *Linear) check() error {
	regression, known := solverTypes[m.SolverType]
	want := int64(m.Columns()) * int64(m.Width()) // as int64: an int of 32 bits overflows
	switch {
	case !known:
		return fmt.Errorf("solver_type %q is not one that LIBLINEAR trains one class against the rest or regressions with", m.SolverType)
	case regression != m.Regression:
		return fmt.Errorf("solver_type %s does not fit: regression is %v", m.SolverType, m.Regression)
	case m.Features < 0 || m.Features > sparse.MaxColumns:
		return fmt.Errorf("nr_feature %d lies outside 0 to %d", m.Features, sparse.MaxColumns)
	case !isFinite(m.Bias) || m.Bias < 0:
		return fmt.Errorf("bias %v is not a positive number, nor 0 for none", m.Bias)
	case int64(len(m.Weights)) != want:
		return fmt.Errorf("%d weights where %d belong to nr_feature %d and bias %v", len(m.Weights), want, m.Features, m.Bias)
	case m.Classes != nil:
		if err := m.checkClasses(); err != nil {
			return err
		}
	case !m.Regression && (m.Positive == m.Negative || !isFinite(m.Positive) || !isFinite(m.Negative)):
		return fmt.Errorf("labels %v and %v are not two different numbers", m.Positive, m.Negative)
	}
	for j, w := range m.Weights {
		if !isFinite(w) {
			return fmt.Errorf("weight %d is %v", j+1, w)
		}
	}
	return nil
}
