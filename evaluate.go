package lanes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/sparse"
)

// EvaluateOptions say what is measured. The zero value measures a model by its own labels.
type EvaluateOptions struct {
	// Positive is the label of the rows that count as positive, a number or a word as the data
	// have it; rows with another label count as negative. For a model of several classes it names
	// the class that is measured against the rest. If it is the negative label of a model, scores
	// are negated. "" means the model's positive class, or all of several classes; without a
	// model, the larger of two labels.
	Positive string
	// Rates are the false-positive rates, 0 <= low < high <= 1, between which a partial AUC is
	// measured; zeros measure none.
	Rates [2]float64
	// MinTPR is the true-positive rate, 0 or more and below 1, above which the partial AUC is
	// measured; it goes with Rates.
	MinTPR float64
	// Costs of wrong decisions make the threshold of accuracy and Report.Confusion Costs.Odds in place of
	// 0, of two classes whose scores are log odds. Zeros are none.
	Costs Costs
	// RowWeights has a weight for each row, finite and not negative; nil means Data.Weight, or 1.
	// Give one of the two.
	RowWeights []float64
	// Workers is the number of goroutines that score rows; 0 means one a core. No measure
	// depends on it.
	Workers int
}

var (
	errNoModel = errors.New("lanes: there is no model")
	errNoRows  = errors.New("there are no rows")
	// errNoLabels is about a matrix of SciPy whose file has no labels.
	errNoLabels = errors.New("the rows have no labels: name a file with a label for each row (ReadOptions.Labels / --labels FILE), or save labels beside the matrix as an array y")
)

// ReadFor reads the rows of a file as a model wants them: see Card.ReadOptions of package
// model. Files and errors are as in Read.
func ReadFor(ctx context.Context, path string, m model.Model) (*sparse.Data, error) {
	if m == nil {
		return nil, errNoModel
	}
	return sparse.ReadFile(ctx, path, m.About().ReadOptions())
}

// Evaluate measures a model of any kind on rows and their labels. Data.Offset is added to the
// scores. Rows of a table must have been encoded as the rows of the training were. Columns that
// the rows lack are empty. Entries of columns that the model does not know are ignored, unless it
// refuses them. ctx ends it before the rows are scored.
//
// An option that cannot be is an *OptionError. Labels that the model does not know, rows that it
// cannot score, and scores that are not finite are a *DataError with the row. A measure that
// cannot be computed is no error: see Report.Missing.
//
// It costs the scoring of the rows and a sort of the scores. Beside the scores it takes about 130
// bytes a row, of several classes 200, and 8 bytes a pair of classes.
func Evaluate(ctx context.Context, m model.Model, data *sparse.Data, o EvaluateOptions) (*Report, error) {
	pool := sparse.NewPool(o.Workers)
	defer pool.Close()
	return EvaluateBlocks(m, model.ScoreBlocks(ctx, m, pool, func(yield func(*sparse.Data, error) bool) { yield(data, nil) }), o)
}

// EvaluateBlocks is Evaluate for rows that were scored block after block by model.ScoreBlocks,
// and need not fit in memory. Of a block it keeps labels and scores, and of several classes at
// most 24 bytes a row. Errors of reading are returned as they are.
func EvaluateBlocks(m model.Model, blocks iter.Seq2[model.Scored, error], o EvaluateOptions) (*Report, error) {
	if m == nil {
		return nil, errNoModel
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	e, err := newEvaluation(m, &o)
	if err != nil {
		return nil, err
	}
	if blocks == nil {
		return nil, badData(errNoRows)
	}
	for block, err := range blocks {
		if err == nil {
			err = e.add(block)
		}
		if bad := (*model.RowError)(nil); errors.As(err, &bad) {
			return nil, &DataError{Row: bad.Row, Err: errors.New(bad.Message)}
		}
		if err != nil {
			return nil, err
		}
	}
	r, err := e.report()
	if err == nil {
		r.Notes = e.notes
	}
	return r, err
}

// EvaluateScores measures scores of two classes from any source: the larger the score, the
// likelier is the positive class. Log loss and calibration take scores as log odds, and
// decisions are at score 0. Scores may be infinite, but not NaN. It allocates at most 100 bytes
// a row.
func EvaluateScores(labels, scores []float64, o EvaluateOptions) (*Report, error) {
	if len(labels) != len(scores) {
		return nil, badData(fmt.Errorf("%d labels of %d scores", len(labels), len(scores)))
	}
	if i := slices.IndexFunc(scores, math.IsNaN); i >= 0 {
		return nil, &DataError{Row: i + 1, Err: errors.New("its score is NaN")}
	}
	if err := cmp.Or(o.checkRates(), o.checkCosts("")); err != nil {
		return nil, err
	}
	var positive *float64
	if o.Positive != "" {
		label, err := o.numericPositive()
		if err != nil {
			return nil, err
		}
		positive = &label
	}
	y, _, err := sparse.BinaryLabels(labels, positive)
	if err != nil {
		return nil, badData(err)
	}
	return o.twoClasses(y, scores, scores)
}

// evaluation is what Evaluate keeps of rows.
type evaluation struct {
	m     model.Model
	about *model.Card
	o     *EvaluateOptions

	card  *model.Card // says what labels count as
	notes []notes.Note
	class int     // of several, whose scores count; -1 for all
	sign  float64 // -1 if the negative class of the model counts as positive, else 1
	rows  int
	// weights has the weights of the rows, if some block has weights.
	weights []float64
	// y has the labels as metrics take them, and scores one score a row. offsets has the offsets within
	// these scores, if some block has offsets.
	y, scores, offsets []float64
	// Of several classes: the classes of rows, the probability of these and the probability of
	// the predicted classes.
	actual, predicted []uint32
	own, sure         []float64
	shares            []float64 // probabilities of a row
}

func newEvaluation(m model.Model, o *EvaluateOptions) (*evaluation, error) {
	about := m.About()
	e := &evaluation{m: m, about: about, o: o, card: about, class: -1, sign: 1}
	ranked := o.Rates != [2]float64{}
	switch {
	case about.Regression && o.Positive != "":
		return nil, badOption("Positive", o.Positive, "it goes with classes; the model is of a regression")
	case about.Regression && ranked:
		return nil, badOption("Rates", o.Rates, "they go with classes; the model is of a regression")
	case about.Classes != nil && ranked && o.Positive == "":
		return nil, badOption("Rates", o.Rates, "they are for two classes: put one of the %d against the rest with {Positive}", len(about.Classes))
	}
	without := "" // why costs decide nothing
	switch {
	case about.Regression || about.Classes != nil && o.Positive == "":
		without = "they go with two classes"
	case !m.Logistic():
		without = "they need probabilities, which this model has not: train it with {Calibrate}"
	}
	if err := cmp.Or(o.checkRates(), o.checkCosts(without)); err != nil || o.Positive == "" {
		return e, err
	}
	words := about.Words()
	var label float64
	if words == nil {
		var err error
		if label, err = o.numericPositive(); err != nil {
			return nil, err
		}
	} else {
		if about.Rest {
			words = words[:1] // the other one is no label of rows
		}
		k := slices.Index(words, o.Positive)
		if k < 0 {
			return nil, badOption("Positive", o.Positive, "the model has no such class, only %s", strings.Join(words, ", "))
		}
		label = about.Labels()[k]
	}
	if e.class = slices.Index(about.Classes, label); e.class < 0 && about.Classes != nil {
		return nil, badOption("Positive", o.Positive, "the model has no such class; name one of its labels")
	}
	if about.Classes == nil && label == about.Negative {
		e.sign = -1
	}
	e.card = &model.Card{Positive: label, Negative: math.Inf(-1), Rest: true}
	if words != nil {
		e.card.Meta = &model.Meta{LabelNames: []string{o.Positive, ""}}
	}
	return e, nil
}

// numericPositive reads Positive as a number.
func (o *EvaluateOptions) numericPositive() (float64, error) {
	v, err := strconv.ParseFloat(o.Positive, 64)
	if err != nil || v-v != 0 {
		return 0, badOption("Positive", o.Positive, "a label is a finite number")
	}
	return v, nil
}

func (o *EvaluateOptions) checkRates() error {
	if low, high := o.Rates[0], o.Rates[1]; o.Rates != [2]float64{} && !(low >= 0 && low < high && high <= 1) {
		return badOption("Rates", o.Rates, "give two rates low, high with 0 <= low < high <= 1")
	}
	switch ranked := o.Rates != [2]float64{}; {
	case !(o.MinTPR >= 0 && o.MinTPR < 1):
		return badOption("MinTPR", o.MinTPR, "give a true-positive rate of 0 or more and below 1")
	case o.MinTPR > 0 && !ranked:
		return badOption("MinTPR", o.MinTPR, "it bounds a partial AUC: give {Rates} too")
	}
	return nil
}

// checkWeights refuses weights that rows cannot have.
func (o *EvaluateOptions) checkWeights(rows int) error {
	if o.RowWeights == nil {
		return nil
	}
	if len(o.RowWeights) != rows {
		return badOption("RowWeights", fmt.Sprintf("%d numbers", len(o.RowWeights)), "there are %d rows", rows)
	}
	sum := 0.0
	for i, w := range o.RowWeights {
		if !(w >= 0) || math.IsInf(w, 0) {
			return badOption("RowWeights", w, "the weight of row %d; weights are finite and not negative", i+1)
		}
		sum += w
	}
	if sum == 0 || math.IsInf(sum, 0) {
		return badOption("RowWeights", fmt.Sprintf("%d numbers", rows), "their sum is %v", sum)
	}
	return nil
}

// add takes what is needed of a block.
func (e *evaluation) add(block model.Scored) error {
	width := e.about.Width()
	if block.Data == nil || len(block.Scores) != width*len(block.Y) {
		return badData(errors.New("a block of rows has another number of scores than its labels need"))
	}
	if block.Unlabelled {
		return badData(errNoLabels)
	}
	e.notes = notes.Merge(e.notes, block.Notes)
	if err := e.weigh(block.Data); err != nil {
		return err
	}
	for i, s := range block.Scores {
		if block.Offset != nil {
			s += block.Offset[i]
		}
		if s-s != 0 {
			return &DataError{Row: e.rows + i/width + 1, Err: fmt.Errorf("its score is %v: its values are too large for this model", s)}
		}
	}
	y, err := e.card.Targets(block.Data)
	if bad := (*model.RowError)(nil); errors.As(err, &bad) && bad.Row > 0 {
		bad.Row += e.rows
	}
	if err != nil {
		return err
	}
	e.rows += len(y)
	switch {
	case width == 1:
		for i, s := range block.Scores {
			if block.Offset != nil {
				s += block.Offset[i]
			}
			e.scores = append(e.scores, e.sign*s)
		}
		if block.Offset != nil && e.about.Regression {
			e.offsets = append(append(e.offsets, make([]float64, len(e.y)-len(e.offsets))...), block.Offset...)
		}
	case e.class >= 0:
		for row := range slices.Chunk(block.Scores, width) {
			e.scores = append(e.scores, e.against(row))
		}
	default:
		for i, k := range y {
			if err := e.classify(block.Scores[i*width:(i+1)*width], int(k)); err != nil {
				return err
			}
		}
		return nil
	}
	e.y = append(e.y, y...)
	return nil
}

// against returns the score of the class that is measured against the rest. The scores of a
// softmax mean nothing but by their differences: its score is the log odds of the class.
func (e *evaluation) against(row []float64) float64 {
	if e.about.Meta == nil || !e.about.Meta.Softmax {
		return row[e.class]
	}
	e.shares = append(append(e.shares[:0], row[:e.class]...), row[e.class+1:]...)
	return row[e.class] - kernels.LogSumExp(e.shares)
}

// classify takes what is needed of a row of one of several classes.
func (e *evaluation) classify(row []float64, actual int) error {
	predicted := slices.Index(e.about.Classes, e.m.Label(row...))
	e.actual, e.predicted = append(e.actual, uint32(actual)), append(e.predicted, uint32(predicted))
	if !e.m.Logistic() {
		return nil
	}
	e.shares = append(e.shares[:0], row...)
	if err := e.m.Probabilities(e.shares); err != nil {
		return err
	}
	e.own, e.sure = append(e.own, e.shares[actual]), append(e.sure, e.shares[predicted])
	return nil
}

// report measures what was kept.
func (e *evaluation) report() (*Report, error) {
	if e.weights != nil {
		own := *e.o
		own.RowWeights, e.o = e.weights, &own
	}
	switch {
	case e.rows == 0:
		return nil, badData(errNoRows)
	case e.about.Regression:
		return e.targets()
	case e.about.Classes != nil && e.class < 0:
		return e.severalClasses()
	}
	scores, odds := e.scores, e.odds()
	if e.about.Binomial() != nil {
		scores = odds // rows are called positive where these are above 0
	}
	return e.o.twoClasses(e.y, scores, odds)
}

// odds returns the log odds of the rows, nil where the model has none.
func (e *evaluation) odds() []float64 {
	switch meta := e.about.Meta; {
	case !e.m.Logistic():
		return nil
	case e.about.Binomial() == nil && (meta == nil || meta.Isotonic == nil):
		return e.scores
	}
	odds := make([]float64, len(e.scores))
	for i, s := range e.scores {
		odds[i] = e.sign * e.about.Odds(e.sign*s)
	}
	return odds
}

// calibrationBins is the number of lines of a table of calibration or lift.
const calibrationBins = 10

// twoClasses measures scores of labels 1 and -1; odds says that they are log odds.
func (o *EvaluateOptions) twoClasses(y, scores, odds []float64) (*Report, error) {
	w := o.RowWeights
	if err := o.checkWeights(len(y)); err != nil {
		return nil, err
	}
	r := newReport(len(y))
	ranking, err := metrics.Rank(scores, y, w)
	if err != nil {
		return nil, badData(err)
	}
	r.Ranking, r.Positives, r.Rates, r.MinTPR = ranking, ranking.Positives, o.Rates, o.MinTPR
	decisions := scores
	if o.Costs.given() {
		threshold := o.Costs.Odds()
		decisions = make([]float64, len(odds))
		for i, v := range odds {
			decisions[i] = v - threshold
		}
	}
	// A row is called positive where its score is above 0, not at 0.
	const aboveZero = 0x1p-1074
	if r.Confusion, err = metrics.ConfusionAt(decisions, y, w, aboveZero); err != nil {
		return nil, badData(err)
	}
	if o.Costs.given() {
		if err := r.price(o.Costs, odds, y, w); err != nil {
			return nil, badData(err)
		}
	}
	accuracy, err := metrics.Accuracy(decisions, y, w)
	r.set(&r.Accuracy, "accuracy", accuracy, err)
	ap, err := ranking.AveragePrecision()
	r.set(&r.AveragePrecision, "average precision", ap, err)
	auc, err := ranking.AUROC()
	if r.set(&r.AUROC, "AUC", auc, err); err == nil {
		r.Gini = 2*auc - 1
	}
	if distance, _, err := ranking.KS(); err == nil {
		r.KS = distance
	}
	if table, err := ranking.Lift(calibrationBins); err == nil {
		r.Lift = table
	}
	if o.Rates != [2]float64{} {
		raw, normalised, err := ranking.PartialAUC(o.Rates[0], o.Rates[1], o.MinTPR)
		r.set(&r.PartialAUC, r.partial(), raw, err)
		if err == nil {
			r.NormalisedPartialAUC = normalised
		}
	}
	if odds == nil {
		return r, nil
	}
	loss, err := metrics.LogLoss(odds, y, w)
	r.set(&r.LogLoss, "log loss", loss, err)
	r.BaseLogLoss = entropy([]float64{ranking.Positives, ranking.Negatives})
	probability := make([]float64, len(odds))
	if err := kernels.Sigmoid(probability, odds); err != nil {
		return nil, err
	}
	return r, r.calibrate(probability, y, w)
}

// entropy is the log loss of predicting the shares of the classes for every row.
func entropy(weights []float64) (sum float64) {
	total := kernels.Sum(weights)
	for _, w := range weights {
		if share := w / total; share > 0 {
			sum -= float64(share * kernels.LogOf(share))
		}
	}
	return sum
}

// severalClasses measures the classes of rows that were predicted.
func (e *evaluation) severalClasses() (*Report, error) {
	w, about := e.o.RowWeights, e.about
	if err := e.o.checkWeights(e.rows); err != nil {
		return nil, err
	}
	r := newReport(e.rows)
	table, err := metrics.Classify(e.actual, e.predicted, w, len(about.Classes))
	if err != nil {
		return nil, badData(err)
	}
	r.Table, r.Accuracy, r.BalancedAccuracy, r.MacroF1 = table, table.Accuracy(), table.BalancedAccuracy(), table.MacroF1()
	words := about.Words()
	for k, c := range table.Each() {
		label := any(about.Classes[k])
		if words != nil {
			label = words[k]
		}
		r.Classes = append(r.Classes, ClassReport{label, c.TruePositive + c.FalseNegative, c.Precision(), c.Recall(), c.F1()})
	}
	if !e.m.Logistic() {
		return r, nil
	}
	// The probability of a row's own class is all that its loss depends on.
	loss, err := metrics.ClassLogLoss(e.own, make([]uint32, e.rows), w, 1)
	r.set(&r.LogLoss, "log loss", loss, err)
	rows := make([]float64, len(r.Classes))
	for k := range rows {
		rows[k] = r.Classes[k].Rows
	}
	r.BaseLogLoss = entropy(rows)
	right := make([]float64, e.rows)
	for i, k := range e.predicted {
		if right[i] = -1; k == e.actual[i] {
			right[i] = 1
		}
	}
	return r, r.calibrate(e.sure, right, w)
}
