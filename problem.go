package lanes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/table"
)

// Problem is data made ready for a solver: its labels are signs, classes or targets, its rows are
// scaled, its penalty is a number. It does not change, and is safe for concurrent use; the
// fits of one Problem share its rows.
type Problem struct {
	erm.Problem // rows with a constant column where there is an intercept
	o           Options
	data        *sparse.Data
	encoder     func() (*table.Encoder, error) // of the rows of a table, read once; nil for others
	stream      *solvers.Rows                  // rows that stay in their file; X is nil then
	columns     int                            // without the constant one
	called      *labelled
	labels      sparse.LabelMap
	regression  bool
	positives   int
	several     *classes  // nil for two classes or a regression
	rowWeights  []float64 // of the rows, nil for 1
	scaler      *sparse.Scaler
	network     *score.Network
	method      solvers.Ready
	settings    solvers.Settings
	tolerances  tolerances
	found       *notes.List // takes notes of fits, nil for none
	heldOut     *HeldOut    // the rows that are not trained on, nil for none

	l1, ridge float64    // weights of the norms; ridge is Lambda unless a path chooses that
	inFile    bool       // rows stay in their file
	path      bool       // what a path or folds choose is a weight of the L1 norm
	groups    [][]int    // of the columns, for the L1 norm; nil for single ones
	factors   []float64  // of the columns, in the penalty; nil for ones
	bounds    []Interval // of the weights of the columns; nil for none
	monotone  string     // columns of a table whose effects have one direction, as in age=up; "" for none
	rates     [2]float64
	minTPR    float64
	ranks     func(rows int) (m, n int)
}

// targetPasses is the budget of passes of a run to a given tolerance. usualPasses is the budget if
// neither tolerance, passes nor time were given.
const (
	usualPasses  = 1000
	targetPasses = 10000
)

// tightLambda is the usual penalty of the structural SVM.
const tightLambda = 1e-4

// Pose makes a problem of data in memory. It does not change the data, and keeps them. An
// impossible option is an *OptionError, and data that cannot be trained on are a *DataError. A
// plan that needs more memory than there is, is a *MemoryError.
//
// It costs a copy of the values where rows are scaled, and 8 bytes a row.
func Pose(data *sparse.Data, o Options) (*Problem, error) { return pose(data, o, &Search{}) }

func pose(data *sparse.Data, o Options, s *Search) (*Problem, error) {
	if data == nil || data.X == nil || data.X.Rows() == 0 {
		return nil, badData(errors.New("there are no rows"))
	}
	s.encoded = data.Encoding != nil
	encoder := encoderOf(data.Encoding)
	var err error
	if s.monotone, err = monotoneOf(data.Encoding, encoder); err != nil {
		return nil, err
	}
	p, err := o.ready(s)
	if err != nil {
		return nil, err
	}
	if err := checkRows(data, data.X.Rows(), false); err != nil {
		return nil, err
	}
	p.data, p.columns, p.encoder = data, data.X.Cols(), encoder
	if err := p.holdOut(); err != nil {
		return nil, err
	}
	o, data = p.o, p.data
	if err := p.penalise(data.X.Rows()); err != nil {
		return nil, err
	}
	if err := p.checkShards(data.X.Rows()); err != nil {
		return nil, err
	}
	if s.Folds > data.X.Rows() {
		return nil, badData(fmt.Errorf("%w: there are %d rows, fewer than the %d folds", related.ErrFewRows, data.X.Rows(), s.Folds))
	}
	if p.columns == 0 && o.Intercept != PenalisedIntercept {
		return nil, badData(errors.New("the rows have no features: there is nothing to train on"))
	}
	if err := p.checkNames(); err != nil {
		return nil, err
	}
	if err := p.sortRows(); err != nil {
		return nil, err
	}
	if p.ranks != nil {
		if _, last := p.ranks(data.X.Rows()); last > data.X.Rows() {
			return nil, badOption("RankedRange", o.RankedRange, "there are %d rows, and no more ranks", data.X.Rows())
		}
	}
	if err := p.checkMemory(s); err != nil {
		return nil, err
	}
	if err := cmp.Or(p.scale(), p.scaleBounds()); err != nil {
		return nil, err
	}
	if o.Intercept == PenalisedIntercept || p.Intercept {
		p.X = p.X.WithBias(1)
	}
	if p.network != nil {
		p.network.Features = p.columns
	}
	if err := p.tolerateRows(); err != nil {
		return nil, err
	}
	if _, err := p.over(p.X); err != nil {
		return nil, err
	}
	if o.Initial != nil {
		if p.settings.Initial, err = model.Start(o.Initial, p.training()); err != nil {
			return nil, badData(fmt.Errorf("the run cannot begin at the model of Initial: %w", plain(err)))
		}
		if p.o.FeatureNames == nil {
			p.o.FeatureNames = o.Initial.About().FeatureNames()
		}
	}
	if o.Metric != "" {
		if _, err := p.metric(); err != nil {
			return nil, err
		}
	}
	if err := p.validate(context.Background()); err != nil {
		return nil, err
	}
	if err := cmp.Or(p.checkInference(context.Background(), s), p.checkCalibrate(s)); err != nil {
		return nil, err
	}
	return p, p.finishSettings()
}

// encoderOf reads the encoder of the rows of a table when it is first called for; it is nil for others.
func encoderOf(encoding []byte) func() (*table.Encoder, error) {
	return sync.OnceValues(func() (*table.Encoder, error) {
		if encoding == nil {
			return nil, nil
		}
		e, err := table.ReadEncoder(encoding)
		return e, badData(err)
	})
}

// checkNames refuses names that a model cannot have.
func (p *Problem) checkNames() error {
	names := p.o.FeatureNames
	if names != nil && len(names) != p.columns {
		return badOption("FeatureNames", fmt.Sprintf("%d names", len(names)), "the rows have %d columns: give one name for every column, up to the largest index", p.columns)
	}
	if err := model.CheckNames(names, p.columns); err != nil {
		return badOption("FeatureNames", fmt.Sprintf("%d names", len(names)), "%v", err)
	}
	return nil
}

// penalise turns the penalty into numbers.
func (p *Problem) penalise(rows int) error {
	o := &p.o
	p.Loss = o.loss()
	if err := cmp.Or(p.group(), p.factor(), p.bound()); err != nil {
		return err
	}
	p.l1, p.ridge = o.Penalty.of(rows)
	p.Penalty = p.posed(p.l1, p.ridge)
	if o.Penalty.C > 0 && !(p.ridge > 0 && p.ridge <= math.MaxFloat64) {
		return badOption("Penalty.C", o.Penalty.C, "for %d rows 1/(C n) is %v in float64: give a C nearer to 1, or {Penalty.L2}, where 0 is no penalty", rows, p.ridge)
	}
	return nil
}

// checkShards refuses shards that cannot have rows.
func (p *Problem) checkShards(rows int) error {
	if given, most := p.o.Settings.Shards, shards.Most(rows); given > most {
		return badOption("Settings.Shards", given, "there are %d rows: give at most %d shards", rows, most)
	}
	return nil
}

// sortRows sorts the rows by their labels and weighs them.
func (p *Problem) sortRows() error {
	l := labelsOf(p.data)
	weights, err := p.sort(l)
	if err != nil {
		return err
	}
	if err := p.weighRows(); err != nil {
		return err
	}
	p.Y, p.SampleWeight = l.y, p.rowWeights
	switch {
	case p.several != nil:
		return p.severalSuit()
	case p.regression:
		return p.checkTargets(l.y, 0)
	}
	for i, y := range l.y {
		if _, err := p.labels.Sign(y); err != nil {
			return &DataError{Row: i + 1, Err: err}
		}
	}
	p.Y = p.signs(l.y)
	if weights != nil {
		p.SampleWeight, err = erm.ClassWeight(p.Y, p.rowWeights, weights[0], weights[1])
	}
	return err
}

// checkTargets refuses targets that the loss does not take, of rows from row on.
func (p *Problem) checkTargets(y []float64, row int) error {
	i := slices.IndexFunc(y, func(v float64) bool { return v-v != 0 })
	if i >= 0 {
		return &DataError{Row: row + i + 1, Err: fmt.Errorf("the target is %v: targets are finite numbers", y[i])}
	}
	if i, err := p.Loss.Check(y); err != nil {
		return &DataError{Row: row + i + 1, Err: fmt.Errorf("it has %w", err)}
	}
	return nil
}

// severalSuit refuses what several classes do not have.
func (p *Problem) severalSuit() error {
	o, w := &p.o, p.o.ClassWeight
	switch {
	case p.several.whole && !o.loss().Odds():
		return badOption("Loss", o.Loss, "{Kind} softmax is the logistic loss of several classes")
	case p.several.whole && o.Solver != "":
		return badOption("Kind", o.Kind, "softmax has solvers of its own: leave {Solver} out")
	case p.several.whole && o.ColumnGroups != nil:
		return badOption("ColumnGroups", o.ColumnGroups, "the groups of {Kind} softmax are the columns, with all classes of each: leave it out")
	case p.several.whole && p.factors != nil:
		return badOption("PenaltyFactors", p.o.factorText(), "softmax has solvers of its own, without factors of columns: give {Kind} one-vs-rest")
	case p.several.whole && p.bounds != nil:
		return badOption("Bounds", p.o.boundText(), "softmax has solvers of its own, without bounds of weights: give {Kind} one-vs-rest")
	case p.several.whole && !p.regularised():
		return badOption("Penalty.L2", p.Ridge(), "{Kind} softmax needs one above 0, or {Penalty.L1}")
	case p.several.whole && p.settings.Shards > 0 && p.sparse():
		return badOption("Kind", o.Kind, "one model of several classes takes a ridge alone where rows are in shards or in a file: leave other penalties out, or train every class against the rest")
	case p.several.whole && w != (ClassWeight{}) && !w.Balanced:
		return badOption("ClassWeight", w, "want balanced for several classes")
	case p.several.whole && p.Intercept && p.stream == nil:
		return p.weighClasses()
	}
	return nil
}

// weighClasses refuses a class of the softmax whose rows all have the weight 0: its free intercept
// would be infinite.
func (p *Problem) weighClasses() error {
	of := risk.Classes{Class: p.several.of, Count: len(p.several.labels), SampleWeight: p.rowWeights}
	if k := slices.Index(of.Masses(), 0); k >= 0 {
		return badData(fmt.Errorf("every row of the class %s has the weight 0, so its intercept would be infinite: leave these rows out", p.Word(p.several.labels[k])))
	}
	return nil
}

// scale sets X to the rows of the data, scaled as Normalize says.
func (p *Problem) scale() error {
	p.X = p.data.X
	switch p.o.Normalize {
	case model.NormalizeUnit:
		p.X = p.X.NormalizeUnit()
	case model.NormalizeMinMax, model.NormalizeStd:
		from := p.X
		if p.o.Settings.Shards > 0 { // as rows are scaled that stay in their file
			from = from.WithValues(sparse.ValuesFloat64)
		}
		scaler, err := p.fitScaler(p.X)
		if err == nil {
			var scaled *sparse.Matrix
			if scaled, err = scaler.Apply(from); scaled != from {
				p.X = scaled
			}
		}
		if err != nil {
			return badData(err)
		}
		p.scaler = scaler
	}
	return nil
}

// fitScaler fits the scaling of columns that Normalize names.
func (p *Problem) fitScaler(x *sparse.Matrix) (*sparse.Scaler, error) {
	if p.o.Normalize == model.NormalizeStd {
		return sparse.FitStd(x)
	}
	return sparse.FitMinMax(x)
}

// over returns what scores rows: a perceptron, which is for one goroutine, or a linear model.
func (p *Problem) over(x *sparse.Matrix) (score.Model, error) {
	if p.network == nil {
		return score.Linear{X: x}, nil
	}
	m, err := score.NewPerceptron(x, *p.network)
	if err != nil {
		return nil, badOption("Hidden", p.o.Hidden, "%v", plain(err))
	}
	return m, nil
}

// sparse tells whether a problem has a weight of the L1 norm, as all points of a path over it have.
func (p *Problem) sparse() bool { return p.l1 > 0 || p.path }

// penalised tells whether a problem has a weight of either norm.
func (p *Problem) penalised() bool { return p.Ridge() > 0 || p.sparse() }

// regularised tells whether a problem has a penalty, or bounds of weights.
func (p *Problem) regularised() bool { return p.penalised() || p.Bounded() > 0 }

// hasGap tells whether a regularised problem has a gap: its loss is convex.
func (p *Problem) hasGap() bool { return p.regularised() && (p.Loss == nil || loss.IsConvex(p.Loss)) }

// finishSettings gives a run a target and a budget where it has none.
func (p *Problem) finishSettings() error {
	s := &p.settings
	nothing := s.MaxEpochs == 0 && s.GapTolerance == 0 && s.GradientTolerance == 0 && s.Validation == nil && s.MaxIterations == 0
	targets := s.GapTolerance > 0 || s.GradientTolerance > 0 || p.o.Tolerance > 0
	switch {
	case s.GapTolerance > 0 && !loss.IsConvex(p.Loss):
		return badOption("Settings.GapTolerance", s.GapTolerance, "the %v loss is not convex, and there is no duality gap; use {Settings.GradientTolerance}", p.Loss)
	case s.GapTolerance > 0 && !p.hasGap():
		return badOption("Settings.GapTolerance", s.GapTolerance, "without a penalty there is no duality gap; use {Settings.GradientTolerance}")
	case p.ranking():
		if s.MaxEpochs == 0 { // the end is left to the method
			s.MaxEpochs = math.Inf(1)
		}
		return nil
	}
	switch {
	case s.MaxEpochs > 0:
	case s.MaxTime > 0:
		s.MaxEpochs = math.Inf(1)
	case targets:
		s.MaxEpochs = targetPasses
	default:
		s.MaxEpochs = usualPasses
	}
	switch {
	case !nothing && p.o.Tolerance == 0:
	case p.hasGap():
		s.GapTolerance = p.tolerances.gap
	default:
		s.GradientTolerance = p.tolerances.gradient
	}
	return nil
}

// training is what a model has to know of a run.
func (p *Problem) training() model.Training {
	o := &p.o
	t := model.Training{
		X: p.X, Labels: p.labels, Regression: p.regression, LabelNames: p.Words(),
		Loss: p.Loss, Penalty: p.Penalty, Intercept: p.Intercept, Normalize: o.Normalize, Scaler: p.scaler,
		FeatureNames: p.o.FeatureNames, ZeroBased: o.ZeroBased, Table: p.data.Encoding, Program: o.Program, Network: p.network,
	}
	if p.stream != nil {
		t.Rows = p.stream.Stream
	}
	if p.several != nil {
		t.Classes, t.Softmax = p.several.labels, p.several.whole
	}
	return t
}

// Shape is the number of rows, of columns with the constant one and of entries, and the value
// of the constant column, 0 for none.
func (p *Problem) Shape() (rows, columns int, nonZeros int64, constant float64) {
	if p.stream != nil {
		s := p.stream.Stream
		return s.Rows(), s.Cols(), s.NNZ(), s.Bias()
	}
	if p.X == nil {
		return 0, 0, 0, 0
	}
	return p.X.Rows(), p.X.Cols(), p.X.NNZ(), p.X.Bias()
}

// NonZeros counts the weights that are not 0, without the weights of free intercepts.
func (p *Problem) NonZeros(w []float64) int {
	_, columns, _, _ := p.Shape()
	count := 0
	for j, v := range w {
		if v != 0 && !(p.Intercept && columns > 0 && j%columns == columns-1) {
			count++
		}
	}
	return count
}

// Options are the options of the problem, with what the solver and its paper made of them.
func (p *Problem) Options() Options { return p.o }

// Settings are the settings of a run, with the target and the budget that it has.
func (p *Problem) Settings() solvers.Settings { return p.settings }

// Columns is the number of columns of the data, without the constant one.
func (p *Problem) Columns() int { return p.columns }

// Weights are the weights of the L1 norm and of the squared norm.
func (p *Problem) Weights() (l1, l2 float64) {
	if p.path {
		return p.l1, p.ridge
	}
	return p.l1, p.Ridge()
}

// Classes are the labels of several classes, nil for two and for targets.
func (p *Problem) Classes() []float64 {
	if p.several == nil {
		return nil
	}
	return slices.Clone(p.several.labels)
}

// Targets tells whether the labels are targets of a regression.
func (p *Problem) Targets() bool { return p.regression }

// Positives is the number of rows of the positive class.
func (p *Problem) Positives() int { return p.positives }

// Labels are the two classes.
func (p *Problem) Labels() sparse.LabelMap { return p.labels }

// FalsePositiveRates returns the range of false-positive rates of a partial AUC.
func (p *Problem) FalsePositiveRates() [2]float64 { return p.rates }

// MinTPR returns the least true-positive rate of a two-way partial AUC, 0 for a partial AUC.
func (p *Problem) MinTPR() float64 { return p.minTPR }

// RankRange are the ranks of losses that count: the low largest losses do not, the ones to high do.
func (p *Problem) RankRange() (low, high int) {
	if p.ranks == nil {
		return 0, 0
	}
	return p.ranks(p.rows())
}

func (p *Problem) rows() int {
	n, _, _, _ := p.Shape()
	return n
}

// Network is the shape of a perceptron, nil for a linear model.
func (p *Problem) Network() *score.Network { return p.network }

// ClassWeights returns the weights of the negative and the positive class of streamed rows, nil
// without class weights. Scaler returns the scaling of their columns, or nil.
func (p *Problem) ClassWeights() *[2]float64 {
	if p.stream == nil {
		return nil
	}
	return p.stream.ClassWeights
}

// Scaler returns the scaling of the columns, nil if they are not scaled.
func (p *Problem) Scaler() *sparse.Scaler { return p.scaler }

// Within is the problem with a limit of time, Settings.MaxTime.
func (p *Problem) Within(limit time.Duration) *Problem {
	own := *p
	own.settings.MaxTime = limit
	return &own
}
