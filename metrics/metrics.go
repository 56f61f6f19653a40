// Package metrics measures classifiers by their scores: accuracy, log loss,
// average precision, the area under the ROC curve and one- and two-way partial areas,
// and the curves themselves; and regressions by the mean squared error and R2. Every
// measure is exact, costs O(n log n) at most, and gives the same bits on every CPU
// path.
//
// All functions take one score, one label and one weight a row. Labels are +1
// for positives and -1 or 0 for negatives, or targets. A nil weight stands for a weight of 1
// everywhere; weights are finite and not negative, and rows of weight 0 count as
// absent. Scores may be infinite, but not NaN.
package metrics

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/internal/base/nearest"
	"github.com/lanes-go/lanes/kernels"
)

// Direction says which of two values of a metric is the better one. It is safe for concurrent
// use.
type Direction int8

// The directions.
const (
	LowerIsBetter Direction = iota
	HigherIsBetter
)

func (d Direction) String() string {
	if d == HigherIsBetter {
		return "higher is better"
	}
	return "lower is better"
}

// Better tells whether a is strictly better than b. NaN is never better than
// anything, and every other value is better than NaN.
func (d Direction) Better(a, b float64) bool {
	if math.IsNaN(a) || math.IsNaN(b) {
		return !math.IsNaN(a) && math.IsNaN(b)
	}
	if d == HigherIsBetter {
		return a > b
	}
	return a < b
}

// Worst returns the value that every other value is better than.
func (d Direction) Worst() float64 {
	if d == HigherIsBetter {
		return math.Inf(-1)
	}
	return math.Inf(1)
}

// Metric is one measure of scores against labels. It is safe for concurrent use.
type Metric struct {
	Name      string
	About     string
	Direction Direction
	// Compute measures; weight may be nil. Errors as the functions of the package.
	Compute func(score, label, weight []float64) (float64, error)
}

// All lists the metrics that have a name.
func All() []Metric {
	return []Metric{
		{"accuracy", "share of rows on the right side of 0", HigherIsBetter, Accuracy},
		{"logloss", "mean logistic loss of the scores as margins", LowerIsBetter, LogLoss},
		{"ap", "average precision: area under the precision-recall curve", HigherIsBetter, AveragePrecision},
		{"auc", "area under the ROC curve", HigherIsBetter, AUROC},
	}
}

// otherNames maps names of metrics in scikit-learn and in papers to the names here.
var otherNames = map[string]string{
	"auprc": "ap", "average_precision": "ap",
	"auroc": "auc", "roc_auc": "auc",
	"log_loss": "logloss", "f1_macro": "macro_f1",
}

// Name returns the name that this module has for a metric: "ap" for "auprc" and
// "average_precision", "auc" for "auroc" and "roc_auc", "logloss" for "log_loss", and
// "macro_f1" for "f1_macro". It returns all other names unchanged.
func Name(name string) string {
	if own, found := otherNames[name]; found {
		return own
	}
	return name
}

// Find returns the metric of a name that All lists or that Name understands.
// "pauc:LO,HI" is the normalised partial area under the ROC curve between two
// false-positive rates, and "pauc:LO,HI,TPR" the part of it above a true-positive rate.
func Find(name string) (Metric, error) {
	name = Name(name)
	var names []string
	for _, m := range All() {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	if strings.HasPrefix(name, "pauc:") {
		low, high, minTPR, err := ParsePartial(name)
		if err != nil {
			return Metric{}, err
		}
		return Partial(low, high, minTPR)
	}
	known := slices.Clone(names)
	for other, own := range otherNames {
		if slices.Contains(names, own) {
			known = append(known, other)
		}
	}
	slices.Sort(known)
	return Metric{}, fmt.Errorf("metrics: unknown metric %q; want one of: %s, pauc:LO,HI or pauc:LO,HI,TPR%s",
		name, strings.Join(names, ", "), nearest.Suggest(name, "", known))
}

// ParsePartial reads the bounds of a partial AUC from its name, pauc:LO,HI or
// pauc:LO,HI,TPR. It is an error if a bound lies outside of what PartialAUC takes.
func ParsePartial(name string) (low, high, minTPR float64, err error) {
	text, found := strings.CutPrefix(name, "pauc:")
	bounds := [3]float64{}
	parts := strings.Split(text, ",")
	if !found || len(parts) < 2 || len(parts) > 3 {
		err = strconv.ErrSyntax
	}
	for k := 0; k < len(parts) && err == nil; k++ {
		bounds[k], err = strconv.ParseFloat(parts[k], 64)
	}
	if err != nil {
		return 0, 0, 0, fmt.Errorf("metrics: %q: want pauc:LO,HI or pauc:LO,HI,TPR with numbers between 0 and 1", name)
	}
	low, high, minTPR = bounds[0], bounds[1], bounds[2]
	return low, high, minTPR, checkRegion(low, high, minTPR)
}

// Partial returns the metric of the normalised partial area between two false-positive rates and
// above a true-positive rate. 0 <= low < high <= 1 and 0 <= minTPR < 1. Its name is pauc:LO,HI,
// or pauc:LO,HI,TPR if minTPR is above 0.
func Partial(low, high, minTPR float64) (Metric, error) {
	if err := checkRegion(low, high, minTPR); err != nil {
		return Metric{}, err
	}
	name := fmt.Sprintf("pauc:%g,%g", low, high)
	about := fmt.Sprintf("area under the ROC curve between the false-positive rates %g and %g, divided by their distance", low, high)
	if minTPR > 0 {
		name += fmt.Sprintf(",%g", minTPR)
		about = fmt.Sprintf("area under the ROC curve between the false-positive rates %g and %g and above the true-positive rate %g, divided by the most that it can be", low, high, minTPR)
	}
	return Metric{
		Name:      name,
		About:     about,
		Direction: HigherIsBetter,
		Compute: func(score, label, weight []float64) (float64, error) {
			_, normalised, err := PartialAUC(score, label, weight, low, high, minTPR)
			return normalised, err
		},
	}, nil
}

// Accuracy returns the weighted share of rows whose prediction is right: positive
// where the score is above 0, negative where it is 0 or below, as LIBLINEAR and
// scikit-learn predict.
func Accuracy(score, label, weight []float64) (float64, error) {
	total, err := check("Accuracy", score, label, weight)
	if err != nil {
		return 0, err
	}
	if weight == nil {
		count := 0
		label = label[:len(score)]
		for i, s := range score {
			wrong := 0 // without a branch, which would be mispredicted
			if (s > 0) != (label[i] > 0) {
				wrong = 1
			}
			count += 1 - wrong
		}
		return float64(count) / total, nil
	}
	var right compensated
	for i, s := range score {
		if (s > 0) == (label[i] > 0) {
			right.add(weightOf(weight, i))
		}
	}
	return right.value() / total, nil
}

// LogLoss returns the weighted mean of log(1 + exp(-y s)) with y = -1 or +1: the
// logistic loss of scores that are margins, or log odds. It neither overflows nor
// loses digits for large margins; a score that is infinite on the wrong side
// makes it infinite. Each term has an error below 1 ulp.
func LogLoss(score, label, weight []float64) (float64, error) {
	total, err := check("LogLoss", score, label, weight)
	if err != nil {
		return 0, err
	}
	signs := make([]float64, len(label))
	own := false // score is a copy
	for i, y := range label {
		signs[i] = -1
		if y > 0 {
			signs[i] = 1
		}
		// An infinite loss times 0 would be NaN.
		if math.IsInf(score[i], 0) && weightOf(weight, i) == 0 {
			if !own {
				score, own = slices.Clone(score), true
			}
			score[i] = 0
		}
	}
	sum, err := kernels.LossSum(kernels.Logistic, score, signs, weight, 0)
	return sum / total, err
}

// Confusion holds the weights of the rows on either side of a threshold, by class. It is safe for
// concurrent reading.
type Confusion struct {
	TruePositive, FalsePositive, TrueNegative, FalseNegative float64
}

// ConfusionAt calls rows positive whose score is at least the threshold, as the
// curves do.
func ConfusionAt(score, label, weight []float64, threshold float64) (Confusion, error) {
	if math.IsNaN(threshold) {
		return Confusion{}, fmt.Errorf("metrics: ConfusionAt: the threshold is NaN")
	}
	if _, err := check("ConfusionAt", score, label, weight); err != nil {
		return Confusion{}, err
	}
	var c Confusion
	for i, s := range score {
		cell := &c.TrueNegative
		switch {
		case s >= threshold && label[i] > 0:
			cell = &c.TruePositive
		case s >= threshold:
			cell = &c.FalsePositive
		case label[i] > 0:
			cell = &c.FalseNegative
		}
		*cell += weightOf(weight, i)
	}
	return c, nil
}

// Accuracy returns the share of rows on the right side.
func (c Confusion) Accuracy() float64 {
	return share(c.TruePositive+c.TrueNegative, c.FalsePositive+c.FalseNegative)
}

// Precision returns the share of positives among the rows called positive, 0
// where no row is called positive.
func (c Confusion) Precision() float64 { return share(c.TruePositive, c.FalsePositive) }

// Recall returns the share of the positives that are called positive, 0
// without positives. It is the true-positive rate.
func (c Confusion) Recall() float64 { return share(c.TruePositive, c.FalseNegative) }

// FalsePositiveRate returns the share of the negatives that are called positive,
// 0 without negatives.
func (c Confusion) FalsePositiveRate() float64 { return share(c.FalsePositive, c.TrueNegative) }

// F1 returns the harmonic mean of precision and recall, 0 where both are.
func (c Confusion) F1() float64 {
	return share(2*c.TruePositive, c.FalsePositive+c.FalseNegative)
}

func share(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return a / (a + b)
}

func weightOf(weight []float64, i int) float64 {
	if weight == nil {
		return 1
	}
	return weight[i]
}

// check refuses rows that no metric of two classes accepts, and returns the sum of the
// weights, which is positive and finite.
func check(op string, score, label, weight []float64) (float64, error) {
	total, err := checkRows(op, score, label, weight)
	if err != nil {
		return 0, err
	}
	for i, y := range label {
		if y != 1 && y != 0 && y != -1 {
			return 0, fmt.Errorf("metrics: %s: the label of row %d is %v, not +1, -1 or 0", op, i, y)
		}
	}
	return total, nil
}

// checkRows refuses rows that no metric accepts, whatever the labels are, and returns the sum
// of the weights, which is positive and finite.
func checkRows(op string, score, label, weight []float64) (float64, error) {
	n := len(score)
	if len(label) != n || weight != nil && len(weight) != n {
		return 0, fmt.Errorf("metrics: %s: %d scores, %d labels, %d weights", op, n, len(label), len(weight))
	}
	if n == 0 {
		return 0, fmt.Errorf("metrics: %s: no rows", op)
	}
	for i, s := range score {
		if math.IsNaN(s) {
			return 0, fmt.Errorf("metrics: %s: the score of row %d is NaN", op, i)
		}
	}
	if weight == nil {
		return float64(n), nil
	}
	var sum compensated
	for i, w := range weight {
		if !(w >= 0) || math.IsInf(w, 0) {
			return 0, fmt.Errorf("metrics: %s: the weight of row %d is %v; weights are finite and not negative", op, i, w)
		}
		sum.add(w)
	}
	total := sum.value()
	if total == 0 || math.IsInf(sum.sum, 0) {
		return 0, fmt.Errorf("metrics: %s: the weights sum to %v", op, sum.sum)
	}
	return total, nil
}
