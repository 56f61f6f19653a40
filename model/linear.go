package model

import (
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/sparse"
)

// Linear is a linear model: the score of a row x is w'x, plus Bias times the last weight if the
// model has a bias. A model of more than two classes has one such score a class, and the largest
// decides.
//
// Any number of goroutines may use a model, as long as nobody changes its fields. A model
// that New or Read made scores single rows faster where columns are shifted: others look for
// shifted columns in every row.
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

// addBias adds the share of the bias to a score by weights w of one class.
func (m *Linear) addBias(s float64, w []float64) float64 {
	if m.Bias != 0 {
		s += float64(m.Bias * w[m.Features])
	}
	return s
}

// RowScores appends the scores of one row to dst: see Model.
func (m *Linear) RowScores(dst []float64, columns []int, values []float64) ([]float64, error) {
	return rowScores(m, dst, columns, values)
}

// Predict returns the label of one row, for a regression its prediction: see Model.
func (m *Linear) Predict(columns []int, values []float64) (float64, error) {
	if m.Classes != nil {
		return m.predictClass(columns, values)
	}
	s, err := m.Score(columns, values)
	switch {
	case err != nil:
		return s, err
	case m.Regression || m.Binomial() != nil:
		return m.Label(s), nil
	}
	return m.side(s), nil
}

// predictClass is Predict for a model of several classes.
func (m *Linear) predictClass(columns []int, values []float64) (float64, error) {
	b := batches.Get().(*batch)
	label, err := math.NaN(), b.score(m, columns, values)
	if err == nil {
		label = m.Label(b.result...)
	}
	batches.Put(b)
	return label, err
}

// Probability returns the probability that one row is of the class Positive: see Model.
func (m *Linear) Probability(columns []int, values []float64) (float64, error) {
	if m.Classes != nil {
		return math.NaN(), errSeveral
	}
	if !m.Logistic() {
		return math.NaN(), m.errNoOdds()
	}
	s, err := m.Score(columns, values)
	if err != nil {
		return s, err
	}
	if f := m.isotonic(); f != nil {
		return f.At(s), nil
	}
	if l := m.Binomial(); l != nil {
		return l.Probability(s), nil
	}
	return kernels.SigmoidOf(s), nil
}

// Scores appends the scores of all rows of x to dst: see Model. It costs one product with x
// a class; rows that are scaled, and rows that keep one value each, are copied in parts
// that stay in the cache.
func (m *Linear) Scores(dst []float64, pool *sparse.Pool, x *sparse.Matrix) ([]float64, error) {
	return scoresOf(m, dst, pool, x)
}

// checkWeights says whether the number of weights is wrong.
func (m *Linear) checkWeights() error {
	if want := int64(m.Columns()) * int64(m.Width()); m.Features < 0 || m.Features > sparse.MaxColumns || int64(len(m.Weights)) != want {
		return fmt.Errorf("model: the model has %d weights; %d columns and %d classes need %d", len(m.Weights), m.Columns(), m.Width(), want)
	}
	return nil
}

// scoreView writes the scores of the rows of b.view.
func (m *Linear) scoreView(pool *sparse.Pool, dst []float64, b *batch) error {
	if err := m.checkWeights(); err != nil {
		return err
	}
	matrix.SetBias(&b.view, m.Bias)
	return b.classScores(dst, pool, m.Weights, m.Width())
}

// scoreBatch writes the scores of the rows of b.
func (m *Linear) scoreBatch(dst []float64, b *batch) error {
	if err := m.checkWeights(); err != nil {
		return err
	}
	m.scoreBy(dst, b, func(out, w []float64) { asm.Active().Rows.Dot(out, &b.rows, nil, 0, w) })
	return nil
}

// solverTypes are LIBLINEAR's names of models with one weight a column and class
// (one for both of two classes), and whether they are for regression.
var solverTypes = map[string]bool{
	"L2R_LR": false, "L2R_L2LOSS_SVC_DUAL": false, "L2R_L2LOSS_SVC": false, "L2R_L1LOSS_SVC_DUAL": false,
	"L1R_L2LOSS_SVC": false, "L1R_LR": false, "L2R_LR_DUAL": false,
	"L2R_L2LOSS_SVR": true, "L2R_L2LOSS_SVR_DUAL": true, "L2R_L1LOSS_SVR_DUAL": true,
}

// isotonic returns the calibration of the scores, nil for another one and for none.
func (m *Linear) isotonic() *Isotonic {
	if m.Meta == nil {
		return nil
	}
	return m.Meta.Isotonic
}

// Logistic tells whether there are probabilities: scores are log odds, so that their sigmoid is one, or
// have an isotonic calibration, or the loss has a link of its own.
func (m *Linear) Logistic() bool {
	return m.isotonic() != nil || m.Binomial() != nil || m.SolverType == "L2R_LR" || m.SolverType == "L2R_LR_DUAL" || m.SolverType == "L1R_LR"
}

var errSeveral = errors.New("model: a row has a score for each class; RowScores returns them, and Probabilities their probabilities")

func (m *Linear) errNoOdds() error {
	return fmt.Errorf("model: the scores of solver_type %s are no log odds, so they give no probabilities", m.SolverType)
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
