package lanes

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/inference"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// loss returns the loss, the logistic one where none is given.
func (o *Options) loss() loss.Loss {
	if o.Loss == nil {
		return loss.Logistic{}
	}
	return o.Loss
}

// Options say what is trained and how. The zero value is the recommendation: two classes, or
// one-vs-rest, by the logistic loss with the penalty 1/(2n) ||w||^2 to a tolerance of 1e-6.
// Targets get the squared loss; see ByLabels. Each zero field means what its comment recommends.
// A field of JSON has the name of its tag.
type Options struct {
	// Kind says what the labels are, and how several classes are trained.
	Kind Kind `json:"kind"`
	// Loss is the loss of a row, as loss.SquaredHinge{}; nil means the logistic one for classes,
	// the squared one for targets. JSON has it in fields of loss.Text.
	Loss loss.Loss `json:"-"`
	// Penalty is added to the mean loss. The zero value means L2(1/n).
	Penalty Penalty `json:"penalty"`
	// ColumnGroups lists the columns of each group, counted from 0, for a Penalty that is Grouped. nil
	// means as a table has them.
	ColumnGroups [][]int `json:"column_groups,omitempty"`
	// PenaltyFactors multiplies the penalty of columns, L1 |w| + L2/2 w^2, by a factor of 0 or more; 0
	// leaves the column unpenalised. A key is the name of a column: of FeatureNames, of a column of a
	// table, which stands for all that it became, or of one of these as region=north. Without names it is
	// the column's index, as in text. A * in it stands for any text. A column that no key names has the
	// factor 1; a key without * counts before others. proximal-newton takes factors, with rows in memory.
	PenaltyFactors map[string]float64 `json:"penalty_factors,omitempty"`
	// Bounds of the weights of columns, by names as in PenaltyFactors. A weight is for a unit of the column as
	// the data have it: of a number of a table, or of its log1p, before it is scaled, and of a row before
	// Normalize scales columns; folds have the scale of all rows. proximal-newton takes bounds, with rows in memory.
	Bounds map[string]Interval `json:"bounds,omitempty"`
	// Intercept says whether scores have a constant, and whether it is penalised.
	Intercept Intercept `json:"intercept"`
	// Normalize says how rows are scaled: model.NormalizeNone (which "" means), or another one
	// of package model. The model scales the rows that it scores in the same way.
	Normalize string `json:"normalize,omitempty"`
	// Positive is the label of the positive class as the data have it: a number, or a word. All
	// other labels are negative. "" takes the larger one of two numbers, the later one of two words.
	Positive string `json:"positive,omitempty"`
	// ClassWeight multiplies the weights of rows by a number for each class.
	ClassWeight ClassWeight `json:"class_weight"`
	// RowWeights has a weight for each row, finite and not negative; nil means Data.Weight, or 1.
	// Give one of the two.
	RowWeights []float64 `json:"-"`
	// RowOffsets has a finite number for each row that is added to its score in training: o_i of
	// x_i'w + b + o_i. The scores of the model lack it. nil means Data.Offset, or 0. It is for
	// two classes and targets.
	RowOffsets []float64 `json:"-"`

	// Solver is the name of a solver of solvers/registry; "" chooses one by the problem.
	Solver string `json:"solver,omitempty"`
	// Parameters are the solver's, by name, as text.
	Parameters map[string]string `json:"parameters,omitempty"`
	// Paper poses the problem as the paper of the solver does, in all that is not set here.
	Paper bool `json:"paper,omitempty"`
	// Rates are the false-positive rates of a partial AUC; zeros mean 0 to 0.05.
	Rates [2]float64 `json:"rates,omitzero"`
	// MinTPR is the least true-positive rate of a two-way partial AUC, 0 or more and below 1;
	// 0 means a partial AUC.
	MinTPR float64 `json:"min_tpr,omitzero"`
	// RankedRange are the ranks of losses that count in a sum of ranked range; the zero value means
	// the shares 0.02 to 0.6.
	RankedRange RankRange `json:"ranks,omitzero"`
	// Hidden has the units of each hidden layer of a perceptron, one layer or two; nil trains a
	// linear model. Solvers that rank take it.
	Hidden []int `json:"hidden,omitempty"`
	// Activation is the function of the hidden units: tanh (which "" means), relu or softplus.
	Activation string `json:"activation,omitempty"`

	// Initial is a model of the same columns and labels to begin at; nil begins at 0, or at
	// Settings.Initial. A path takes it for its first point.
	Initial model.Model `json:"-"`
	// Validation has rows of its own, with their weights and offsets. The run ends once Metric on
	// them stops improving for Settings.Patience recorded points, and the best point is kept.
	Validation *sparse.Data `json:"-"`
	// ValidationStream has the rows of the validation in a file, for TrainStream: in place of Validation. Every measurement
	// reads the file once, and ends even where the context is done meanwhile. In memory there are 100 bytes a row at the most,
	// and 16 for each of several classes.
	ValidationStream *sparse.Stream `json:"-"`
	// Metric judges Validation and cross-validations: see metrics.Find for two classes and
	// model.ClassMetric for several; loss, mse and mae for targets, and deviance for a loss.Linked. ""
	// means what the solver trains: logloss, average_precision or a partial AUC; for targets deviance
	// if there is one, mse for the squared loss, else loss, which is the mean of the training's loss;
	// accuracy for losses whose scores give no probabilities, which logloss needs.
	Metric string `json:"metric,omitempty"`
	// Holdout is the share of the rows, above 0 and below 1, that are kept from the training and
	// measured at its end: see Fitted.HeldOut. Settings.Seed chooses them, the same share of every
	// label, of targets of every value that ten rows or more have; rows of a group (Data.Query) stay
	// together. Paths, folds and searches use the other rows alone. 0 holds out no rows, or with HoldoutBy a share of 0.2.
	Holdout float64 `json:"holdout,omitempty"`
	// HoldoutBy has a number for each row, such as its time, or NaN. The rows of the largest numbers
	// are held out, in place of random ones. Equal numbers stay together, on the side of the rows
	// held out; a group counts by its largest number; rows with NaN are trained on.
	HoldoutBy []float64 `json:"-"`
	// Inference, where set, asks for the errors of weights: standard errors, intervals and tests, with
	// deviance, AIC and BIC. They are for one model of two classes or targets without a penalty
	// (NoPenalty), with rows in memory and a loss that is a loss.Likelihood. Weights of a table are told
	// in the units of its numbers, with the first value of each category as the reference; its
	// categories are the Sets that are tested. Data.Query are the Clusters of inference.Cluster. See
	// inference.Of.
	Inference *inference.Options `json:"inference,omitempty"`
	// Calibrate makes scores log odds, so that the model has probabilities: Sigmoid for two classes or
	// one-vs-rest, Isotone for two classes, Temperature for softmax; "" leaves scores as they are. It is for solvers that rank,
	// and for class weights, which move probabilities. Scores by which it is fitted are those of folds
	// that the fits did not see: as many as chose the model, or 5, each a fit more. The model has slope
	// and intercept in its weights; Result has those that were trained. It is for linear models with
	// rows in memory, without offsets.
	Calibrate string `json:"calibrate,omitempty"`
	// FeatureNames are the names of the columns, for the model; nil where they have none.
	FeatureNames []string `json:"-"`
	// ZeroBased says that the indices of the text that was read began at 0, for the model.
	ZeroBased bool `json:"-"`
	// MaxMemory is the most memory that a run may take, in bytes, by a plan made before it; 0
	// means what is free, and at most 4 GiB or 1,000 times the data. A plan beyond it is a
	// *MemoryError.
	MaxMemory int64 `json:"-"`
	// Program is the name of the program that the model's file gives; "" means lanes.
	Program string `json:"-"`
	// Watch, where set, receives the progress of the training.
	Watch Watch `json:"-"`
	// Share, with Settings.Ranks, brings what every process has to every process, or the first
	// error of any. nil means an exchange by Settings.Ranks.
	Share func(error, []byte) ([][]byte, error) `json:"-"`

	// Tolerance ends a run at a gap of this share of what the rows allow; 0 means 1e-6, for
	// targets 1e-9, where Settings have no tolerance and no budget. For labels the share is of the mean weight of the
	// rows. For targets it is of the mean loss of the best constant score, or of a score of 0
	// without a free intercept. So units of weights and targets do not matter. Without a penalty
	// there is no gap, and the share of a slope bounds the gradient norm: the mean weight, for
	// targets times the root of twice their loss at unit weight. Ranking solvers have no Tolerance.
	Tolerance float64 `json:"tolerance,omitempty"`
	// Settings are the settings of the run. A GapTolerance or GradientTolerance there is absolute,
	// and takes the place of Tolerance. A run without any budget ends after 1,000 passes.
	Settings solvers.Settings `json:"-"`
}

// Kind says what labels are.
type Kind uint8

const (
	// ByLabels chooses by the labels. Labels are the targets of a regression if the loss is
	// Squared or Huber and there are not two of them. They are targets also if they cannot be
	// classes: one is not a whole number, or a label has fewer than ten rows in the mean.
	// Otherwise two labels are two classes, and several labels are trained one-vs-rest. Targets
	// get the squared loss if the loss is logistic.
	ByLabels Kind = iota
	// TwoClasses refuses other numbers of classes, unless Positive names one of them. Targets of
	// the losses Squared and Huber are a regression as in ByLabels.
	TwoClasses
	// OneVsRest trains every class against all others.
	OneVsRest
	// Softmax trains one model of all classes, whose scores have the softmax as probabilities.
	// Three or more classes have solvers of their own. Grouped has L1 weigh the norms of the weights that a
	// column has for all of them. Their free
	// intercepts have a sum of 0. Two classes are one logistic fit, which is their softmax at twice its penalty.
	Softmax
	// Regression takes labels as targets, for the losses Squared (which Logistic means) and Huber.
	Regression
)

// Penalty is what is added to the mean loss: L1 ||w||_1 + L2/2 ||w||^2, or with Grouped the norms of
// groups in place of ||w||_1.
type Penalty struct {
	// L1 and L2 are the weights, not negative.
	L1 float64 `json:"l1,omitempty"`
	L2 float64 `json:"l2,omitempty"`
	// C is LIBLINEAR's, in place of L2 = 1/(C n).
	C float64 `json:"c,omitempty"`
	// Grouped has L1 weigh norms of groups of weights in place of single weights: see GroupLasso.
	Grouped bool `json:"grouped,omitempty"`
	// None says that there is no penalty where the others are 0.
	None bool `json:"none,omitempty"`
}

// NoPenalty leaves the mean loss as it is.
var NoPenalty = Penalty{None: true}

// L1 is the penalty weight ||w||_1, whose models are sparse: the lasso.
func L1(weight float64) Penalty { return Penalty{L1: weight, None: weight == 0} }

// L2 is the penalty weight/2 ||w||^2.
func L2(weight float64) Penalty { return Penalty{L2: weight, None: weight == 0} }

// ElasticNet is the penalty l1 ||w||_1 + l2/2 ||w||^2.
func ElasticNet(l1, l2 float64) Penalty { return Penalty{L1: l1, L2: l2, None: l1 == 0 && l2 == 0} }

// GroupLasso is the penalty weight sum_k m_k^(1/2) ||w_k|| for groups of m_k columns, whose weights are 0
// together: Options.ColumnGroups, or the columns that one column of a table became (see
// table.Encoder.Groups). A column in no group is one by itself.
func GroupLasso(weight float64) Penalty {
	return Penalty{L1: weight, Grouped: weight != 0, None: weight == 0}
}

// String returns what is given, as in "L1 0.5, L2 0.1".
func (p Penalty) String() string {
	var given []string
	for _, w := range []struct {
		name  string
		value float64
	}{{"L1", p.L1}, {"L2", p.L2}, {"C", p.C}} {
		if w.value != 0 {
			given = append(given, fmt.Sprintf("%s %v", w.name, w.value))
		}
	}
	if p.Grouped {
		given = append(given, "grouped")
	}
	switch {
	case len(given) > 0:
		return strings.Join(given, ", ")
	case p.None:
		return "none"
	}
	return "the usual one"
}

// given tells whether a penalty was chosen, be it none.
func (p Penalty) given() bool { return p != Penalty{} }

// of returns the weights of both norms for a number of rows.
func (p Penalty) of(rows int) (l1, l2 float64) {
	switch {
	case p.C > 0:
		return p.L1, 1 / (p.C * float64(rows))
	case p.given():
		return p.L1, p.L2
	}
	return 0, 1 / float64(rows)
}

func (p Penalty) check() error {
	for name, v := range map[string]float64{"Penalty.L1": p.L1, "Penalty.L2": p.L2, "Penalty.C": p.C} {
		if !(v >= 0) || math.IsInf(v, 0) {
			return badOption(name, v, "it must be finite, and not negative")
		}
	}
	if p.C > 0 && p.L2 > 0 {
		return badOption("Penalty.C", p.C, "give {Penalty.L2} or {Penalty.C}, not both: L2 = 1/(C n)")
	}
	return nil
}

// Intercept says whether scores have a constant.
type Intercept uint8

const (
	// UsualIntercept means NoIntercept for mean losses, and PenalisedIntercept for solvers that
	// rank linear scores. For rows of a table (with a sparse.Data.Encoding) it means FreeIntercept
	// if the solver takes one; For does not.
	UsualIntercept Intercept = iota
	// NoIntercept lets scores go through 0.
	NoIntercept
	// FreeIntercept is a constant without a penalty, as scikit-learn, glmnet and R have it.
	FreeIntercept
	// PenalisedIntercept is the weight of a column of ones, penalised like the others, as in
	// LIBLINEAR.
	PenalisedIntercept
)

// ClassWeight says by how much rows count, by their class. The zero value means 1 for all.
type ClassWeight struct {
	// Balanced gives all classes the same total weight.
	Balanced bool `json:"balanced,omitempty"`
	// Positive and Negative are the weights of rows of two classes, or of a class and of the
	// rest. Where both are 0 they mean 1; a single 0 leaves its rows out.
	Positive float64 `json:"positive,omitempty"`
	Negative float64 `json:"negative,omitempty"`
}

// Balanced weighs rows by n/(k n_class), with k classes, as scikit-learn's balanced does.
var Balanced = ClassWeight{Balanced: true}

// RankRange are the ranks of losses, in falling order, between which losses count.
type RankRange struct {
	// Low losses, the largest ones, are left out, and those behind High.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Shares says that Low and High are shares of the rows.
	Shares bool `json:"shares,omitempty"`
}

var (
	kinds      = []string{"by labels", "two classes", "one-vs-rest", "softmax", "regression"}
	intercepts = []string{"usual", "none", "free", "penalised"}
)

func (k Kind) String() string { return textOf(k, kinds) }

// MarshalText returns the kind as text, for JSON.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (k *Kind) UnmarshalText(text []byte) (err error) {
	*k, err = ofText[Kind]("Kind", text, kinds)
	return err
}

func (i Intercept) String() string { return textOf(i, intercepts) }

// MarshalText returns the intercept as text, for JSON.
func (i Intercept) MarshalText() ([]byte, error) { return []byte(i.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (i *Intercept) UnmarshalText(text []byte) (err error) {
	*i, err = ofText[Intercept]("Intercept", text, intercepts)
	return err
}

func textOf[T ~uint8](v T, names []string) string {
	if int(v) < len(names) {
		return names[v]
	}
	return strconv.Itoa(int(v))
}

func ofText[T ~uint8](option string, text []byte, names []string) (T, error) {
	k := slices.Index(names, string(text))
	if k < 0 {
		return 0, badOption(option, string(text), "want %s", strings.Join(names, ", "))
	}
	return T(k), nil
}
