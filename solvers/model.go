package solvers

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/sparse"
)

// Model is a linear model: the score of a row x is w'x, plus Bias times the last
// weight where there is a bias. A positive score means the class Positive. A model of
// more than two classes has one such score a class, and the largest one decides.
//
// Files are LIBLINEAR's model text (WriteModel, ReadModel).
type Model struct {
	// SolverType is what the file says after solver_type, as in L2R_LR. It is
	// what LIBLINEAR's own programs go by.
	SolverType string
	// Regression says that the score itself is the prediction.
	Regression bool
	// Positive and Negative are the labels of the two classes. Rest says that every
	// label but Positive is negative; Negative is what predictions are called then.
	Positive, Negative float64
	Rest               bool
	// Classes has the labels of a model of three or more classes, each of which was
	// trained against the rest. It is nil for the others, and Positive, Negative and
	// Rest have no meaning where it is not.
	Classes []float64
	// Features is the number of columns without the bias.
	Features int
	// Bias is the value of the constant last column, 0 for none.
	Bias float64
	// Weights has Columns elements, or as many for each of Classes, one class after
	// the other.
	Weights []float64
	// Meta is what LIBLINEAR's format has no place for; nil in a file of its own.
	Meta *ModelMeta
}

// ModelMeta says where a model comes from and how rows are prepared for it.
type ModelMeta struct {
	Program      string         `json:"program"`
	Solver       string         `json:"solver"`
	Loss         string         `json:"loss"`
	LossDelta    float64        `json:"loss_delta,omitempty"`
	Lambda       float64        `json:"lambda"`
	Rows         int            `json:"rows"`
	Seed         uint64         `json:"seed"`
	Status       string         `json:"status"`
	Passes       float64        `json:"passes"`
	Objective    float64        `json:"objective"`
	GradientNorm float64        `json:"gradient_norm"`
	Gap          *float64       `json:"duality_gap"`      // nil where there is none
	Labels       []float64      `json:"labels,omitempty"` // positive, negative; or Classes
	Rest         bool           `json:"rest,omitempty"`
	Normalize    string         `json:"normalize"` // none, unit or minmax
	Scaler       *sparse.Scaler `json:"scaler,omitempty"`
	WeightsHash  string         `json:"weights_sha256"`
}

// The ways in which rows are prepared: see sparse.Matrix.NormalizeUnit and
// sparse.FitMinMax.
const (
	NormalizeNone   = "none"
	NormalizeUnit   = "unit"
	NormalizeMinMax = "minmax"
)

// HashWeights returns the SHA-256 of the weights as little-endian float64, in
// hexadecimal digits.
func HashWeights(w []float64) string {
	sum := sha256.New()
	var buffer [1 << 12]byte
	for len(w) > 0 {
		part := w[:min(len(w), len(buffer)/8)]
		for i, v := range part {
			binary.LittleEndian.PutUint64(buffer[8*i:], math.Float64bits(v))
		}
		sum.Write(buffer[:8*len(part)])
		w = w[len(part):]
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Scores returns the score of every row of x, which has m.Features columns and
// no bias: for a model of K classes, K scores a row, in the order of m.Classes. Rows
// are prepared as those of the training were. It costs one product with x a class,
// and a copy of its values where they are normalised.
func (m *Model) Scores(p *sparse.Pool, x *sparse.Matrix) ([]float64, error) {
	if x.Cols() != m.Features || x.Bias() != 0 {
		return nil, fmt.Errorf("solvers: the model has %d columns, the data have %d", m.Features, x.Cols())
	}
	if want := int64(m.Columns()) * int64(max(len(m.Classes), 1)); int64(len(m.Weights)) != want {
		return nil, fmt.Errorf("solvers: the model has %d weights; %d columns and %d classes need %d", len(m.Weights), m.Columns(), max(len(m.Classes), 1), want)
	}
	x, err := m.Meta.Prepare(x)
	if err != nil {
		return nil, err
	}
	x = x.WithBias(m.Bias)
	if m.Classes != nil {
		return m.classScores(p, x)
	}
	scores := make([]float64, x.Rows())
	return scores, x.MulVec(p, scores, m.Weights)
}

// Label returns the label that the score of a row stands for, or that its scores
// stand for, one for each of m.Classes: the score itself for a regression model. Of
// equal scores the first one counts.
func (m *Model) Label(score ...float64) float64 {
	switch {
	case m.Classes != nil:
		return m.Classes[largest(score)]
	case m.Regression:
		return score[0]
	case score[0] > 0:
		return m.Positive
	}
	return m.Negative
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
func (m *Model) Logistic() bool {
	return m.SolverType == "L2R_LR" || m.SolverType == "L2R_LR_DUAL" || m.SolverType == "L1R_LR"
}

func (m *Model) check() error {
	regression, known := solverTypes[m.SolverType]
	want := int64(m.Columns()) * int64(max(len(m.Classes), 1)) // as int64: an int of 32 bits overflows
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
	return m.Meta.Check(m.Features)
}

// Prepare returns x with its rows normalised as those of the training were. A nil m
// leaves them as they are.
func (m *ModelMeta) Prepare(x *sparse.Matrix) (*sparse.Matrix, error) {
	switch {
	case m == nil:
	case m.Normalize == NormalizeUnit:
		return x.NormalizeUnit(), nil
	case m.Normalize == NormalizeMinMax && m.Scaler == nil:
		return nil, fmt.Errorf("solvers: normalize minmax needs a scaler")
	case m.Normalize == NormalizeMinMax:
		return m.Scaler.Apply(x)
	}
	return x, nil
}

// Check says what is wrong with how m prepares rows of that many columns, if anything.
func (m *ModelMeta) Check(features int) error {
	if m == nil {
		return nil
	}
	switch s := m.Scaler; m.Normalize {
	case NormalizeNone, NormalizeUnit:
		if s != nil {
			return fmt.Errorf("normalize %s goes with no scaler", m.Normalize)
		}
	case NormalizeMinMax:
		if s == nil {
			return fmt.Errorf("normalize minmax needs a scaler")
		}
		if len(s.Shift) != features || len(s.Width) != features {
			return fmt.Errorf("the scaler has %d shifts and %d widths for %d columns", len(s.Shift), len(s.Width), features)
		}
		for j, width := range s.Width {
			if !(width >= 0) || !isFinite(width) || !isFinite(s.Shift[j]) {
				return fmt.Errorf("the scaler's column %d has width %v and shift %v", j+1, width, s.Shift[j])
			}
		}
	default:
		return fmt.Errorf("normalize %q is not none, unit or minmax", m.Normalize)
	}
	return nil
}
