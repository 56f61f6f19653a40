package lanes

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/notes"
)

// Report says how good a model or scores are. A measure that the kind of model does not have,
// or that could not be computed, is NaN. All counts of rows but Rows are sums of weights.
//
// String returns a text of lines and tables. JSON is an object with the measures that are not
// NaN; what is infinite is null. Any number of goroutines may read a report.
type Report struct {
	// Rows is the number of rows.
	Rows int

	// Accuracy is the share of rows whose label is predicted. Of several classes it is the micro
	// average of F1 too.
	Accuracy float64
	// LogLoss is the mean logistic loss of scores as log odds; of several classes the mean of -log
	// of the probability of a row's class. It is NaN for a model whose scores are no log odds, as
	// of solvers that rank.
	LogLoss float64
	// BaseLogLoss is the log loss of a model that predicts the shares of the classes for every row.
	BaseLogLoss float64
	// Calibration compares predicted probabilities with how often they came true: of the
	// positive class, or of the predicted one of several (Guo and others 2017, "On calibration
	// of modern neural networks"). It is nil where scores are no log odds. CalibrationError is
	// the mean distance of the two.
	Calibration      []metrics.CalibrationBin
	CalibrationError float64

	// Of two classes: the number of positive rows, the areas under the curves of precision and
	// recall and of the rates of true and false positives. Confusion has the decisions at score
	// 0, with precision, recall and F1.
	Positives               float64
	AveragePrecision, AUROC float64
	Confusion               metrics.Confusion
	// KS is the statistic of Kolmogorov and Smirnov: see metrics.Ranking.KS. Lift has ten parts of the
	// rows in descending order of score, nil without a positive.
	KS   float64
	Lift []metrics.LiftBin
	// Cost is the mean cost of a row by EvaluateOptions.Costs, where a row is called positive above
	// Costs.Odds; BaseCost is the least of calling all rows the same. LeastCost is the least over all
	// thresholds, and LeastCostProbability the probability from which rows are then called positive: it
	// was chosen on these rows, so others cost more.
	Cost, BaseCost, LeastCost, LeastCostProbability float64
	// PartialAUC is the area under the ROC curve between the false-positive Rates and above the
	// true-positive rate MinTPR. NormalisedPartialAUC is this area divided by the most that it
	// can be.
	Rates                            [2]float64
	MinTPR                           float64
	PartialAUC, NormalisedPartialAUC float64
	// Ranking has the curves; nil where there are not two classes.
	Ranking *metrics.Ranking

	// Of several classes: the mean recall and the mean F1 of the classes, the measures of each
	// and the table of all pairs.
	BalancedAccuracy, MacroF1 float64
	Classes                   []ClassReport
	Table                     metrics.ClassTable

	// Of a regression: the means of (score - target)^2 and of |score - target|, and 1 minus the ratio of
	// the first to the variance of the targets. Scores are predictions.
	MeanSquaredError, MeanAbsoluteError, R2 float64
	// Loss is the mean of the loss that the model was trained by, and LossName its name; NaN and "" for
	// the squared loss and for losses with a link. Deviance is twice the mean of a loss with a link, as
	// poisson. D2 is 1 minus the ratio of either to that of the best constant score beside offsets.
	Loss, Deviance, D2 float64
	LossName           string
	// Gini is 2 AUROC - 1 of two classes. Of a loss with a link it is metrics.Gini of rates: of
	// predictions and targets divided by the exposures of rows, with these as weights. NormalisedGini is
	// its ratio to the Gini of the targets.
	Gini, NormalisedGini float64
	// Targets compares such predictions with targets, in ten parts of the rows of about equal weight in
	// ascending order of prediction; nil for losses without a link.
	Targets []metrics.CalibrationBin
	// Lorenz are the curves that Gini is an area of, in a hundred parts of the rows; nil for losses
	// without a link.
	Lorenz []metrics.LorenzPoint

	// Notes say what of the rows is not used as it stands.
	Notes []notes.Note
	// Missing says which measures could not be computed, and why.
	Missing []string
}

// ClassReport measures one of several classes against the rest.
type ClassReport struct {
	// Label is a float64, or a string where labels are words.
	Label any `json:"label"`
	// Rows is the number of rows of the class.
	Rows      float64 `json:"rows"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
}

// newReport returns a report without measures.
func newReport(rows int) *Report {
	r := &Report{Rows: rows}
	for _, v := range []*float64{
		&r.Accuracy, &r.LogLoss, &r.BaseLogLoss, &r.CalibrationError, &r.AveragePrecision, &r.AUROC, &r.KS, &r.PartialAUC,
		&r.NormalisedPartialAUC, &r.BalancedAccuracy, &r.MacroF1, &r.MeanSquaredError, &r.MeanAbsoluteError, &r.R2, &r.Loss,
		&r.Deviance, &r.D2, &r.Cost, &r.BaseCost, &r.LeastCost, &r.LeastCostProbability, &r.Gini, &r.NormalisedGini,
	} {
		*v = math.NaN()
	}
	return r
}

// set sets a measure, or says why it cannot be computed.
func (r *Report) set(measure *float64, name string, value float64, err error) {
	if err == nil {
		*measure = value
		return
	}
	parts := strings.SplitN(err.Error(), ": ", 3) // the package, the function, and the reason
	r.Missing = append(r.Missing, name+" cannot be computed: "+parts[len(parts)-1])
}

// calibrate compares probabilities with labels 1 and -1.
func (r *Report) calibrate(probability, y, weight []float64) (err error) {
	if r.Calibration, err = metrics.Calibration(probability, y, weight, calibrationBins); err == nil {
		r.CalibrationError = metrics.CalibrationError(r.Calibration)
	}
	return err
}

// partial names the partial AUC.
func (r *Report) partial() string {
	if r.MinTPR > 0 {
		return fmt.Sprintf("partial AUC %v,%v above %v", r.Rates[0], r.Rates[1], r.MinTPR)
	}
	return fmt.Sprintf("partial AUC %v,%v", r.Rates[0], r.Rates[1])
}

// measure is a number with its names in JSON and in text.
type measure struct {
	key, text string
	value     float64
}

// measures lists the measures that the report has, by the kind of model.
func (r *Report) measures() (list []measure) {
	add := func(key, text string, value float64) {
		if value == value {
			list = append(list, measure{key, text, value})
		}
	}
	add("accuracy", "accuracy", r.Accuracy)
	add("log_loss", "log loss", r.LogLoss)
	add("base_log_loss", "  of the base rate", r.BaseLogLoss)
	add("cost", "mean cost", r.Cost)
	add("base_cost", "  of one decision for all", r.BaseCost)
	add("least_cost", "  least on these rows", r.LeastCost)
	add("least_cost_probability", "  from a probability of", r.LeastCostProbability)
	add("average_precision", "average precision", r.AveragePrecision)
	add("auroc", "AUC", r.AUROC)
	if r.Ranking != nil {
		add("gini", "Gini", r.Gini)
		add("ks", "KS", r.KS)
	}
	add("pauc", r.partial(), r.PartialAUC)
	most := "  divided by width"
	if r.MinTPR > 0 {
		most = "  divided by area"
	}
	add("pauc_normalised", most, r.NormalisedPartialAUC)
	if r.Classes != nil {
		add("calibration_error", "calibration error", r.CalibrationError)
		add("balanced_accuracy", "balanced accuracy", r.BalancedAccuracy)
		add("macro_f1", "macro f1", r.MacroF1)
		add("micro_f1", "micro f1", r.Accuracy)
	}
	add("mse", "mean squared error", r.MeanSquaredError)
	add("rmse", "root mean squared error", math.Sqrt(r.MeanSquaredError))
	add("mae", "mean absolute error", r.MeanAbsoluteError)
	add("r2", "R2", r.R2)
	add("loss", "mean "+r.LossName+" loss", r.Loss)
	add("deviance", "mean deviance", r.Deviance)
	add("d2", "D2", r.D2)
	if r.Ranking == nil {
		add("gini", "Gini", r.Gini)
		add("normalised_gini", "  divided by that of the targets", r.NormalisedGini)
	}
	return list
}

// mostConfused is the largest number of classes whose tables are shown whole, fewClasses the
// number of classes that are shown of more.
const mostConfused, fewClasses = 20, 10

// MarshalJSON returns the report as a JSON object.
func (r Report) MarshalJSON() ([]byte, error) {
	object := map[string]any{"n": r.Rows}
	if len(r.Notes) > 0 {
		object["notes"] = r.Notes
	}
	for _, m := range r.measures() {
		if object[m.key] = m.value; math.IsInf(m.value, 0) {
			object[m.key] = nil
		}
	}
	switch {
	case r.Ranking != nil:
		c := r.Confusion
		object["positives"] = r.Positives
		object["confusion"] = map[string]float64{
			"true_positive": c.TruePositive, "false_positive": c.FalsePositive, "true_negative": c.TrueNegative, "false_negative": c.FalseNegative,
		}
		object["precision"], object["recall"], object["f1"] = c.Precision(), c.Recall(), c.F1()
		bins := []map[string]float64{}
		for _, b := range r.Lift {
			bins = append(bins, map[string]float64{"rows": b.Weight, "positives": b.Positives, "lift": b.Lift, "captured": b.Captured})
			if b.Lowest-b.Lowest == 0 {
				bins[len(bins)-1]["lowest_score"] = b.Lowest
			}
		}
		object["lift"] = bins
		if r.Calibration == nil {
			break
		}
		object["calibration"], object["calibration_error"] = calibrationObject(r.Calibration), r.CalibrationError
	case r.Classes != nil:
		object["classes"], object["per_class"] = len(r.Classes), r.Classes
		if len(r.Classes) <= mostConfused {
			object["confusion"] = r.Table
		}
	case r.Targets != nil:
		object["calibration"] = calibrationObject(r.Targets)
	}
	if r.LossName != "" {
		object["loss_name"] = r.LossName
	}
	return json.Marshal(object)
}

// calibrationObject is a table of calibration in JSON.
func calibrationObject(table []metrics.CalibrationBin) []map[string]float64 {
	bins := make([]map[string]float64, len(table))
	for k, b := range table {
		bins[k] = map[string]float64{"low": b.Low, "high": b.High, "rows": b.Weight, "predicted": b.Predicted, "observed": b.Observed}
	}
	return bins
}

// count writes a sum of weights without an exponent.
func count(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Brief returns the number of classes that String leaves out of its table.
func (r Report) Brief() int {
	if len(r.Classes) <= mostConfused {
		return 0
	}
	return len(r.Classes) - fewClasses
}

// String returns the report as lines and tables. Of more than 20 classes it shows the 10 of
// lowest F1; Full shows all.
func (r Report) String() string { return r.text(r.Brief() > 0) }

// Full returns what String does, with all classes.
func (r Report) Full() string { return r.text(false) }

// lowest returns the classes of lowest F1, the lowest first.
func (r *Report) lowest() []ClassReport {
	list := slices.Clone(r.Classes)
	slices.SortStableFunc(list, func(a, b ClassReport) int { return cmp.Compare(a.F1, b.F1) })
	return list[:fewClasses]
}

// text returns the report as lines and tables, with few classes if brief.
func (r Report) text(brief bool) string {
	var done strings.Builder
	text := tabwriter.NewWriter(&done, 0, 0, 2, ' ', 0)
	right := func() {
		text.Flush()
		text = tabwriter.NewWriter(&done, 0, 0, 2, ' ', tabwriter.AlignRight)
	}
	switch {
	case r.Ranking != nil:
		fmt.Fprintf(text, "rows\t%d, %s positive\n", r.Rows, count(r.Positives))
	case r.Classes != nil:
		fmt.Fprintf(text, "rows\t%d, %d classes\n", r.Rows, len(r.Classes))
	default:
		fmt.Fprintf(text, "rows\t%d\n", r.Rows)
	}
	for _, m := range r.measures() {
		fmt.Fprintf(text, "%s\t%.8g\n", m.text, m.value)
	}
	right()
	switch {
	case r.Ranking != nil:
		c := r.Confusion
		fmt.Fprint(text, "\nactual \\ predicted\tpositive\tnegative\t\n")
		fmt.Fprintf(text, "positive\t%s\t%s\t\n", count(c.TruePositive), count(c.FalseNegative))
		fmt.Fprintf(text, "negative\t%s\t%s\t\n", count(c.FalsePositive), count(c.TrueNegative))
		fmt.Fprintf(text, "precision %.6g, recall %.6g, F1 %.6g\n", c.Precision(), c.Recall(), c.F1())
		if r.Lift != nil {
			right()
			fmt.Fprint(text, "\ntop rows\tpositive\tlift\tcaptured\t\n")
			for k, b := range r.Lift {
				fmt.Fprintf(text, "%d%% to %d%%\t%s\t%.3f\t%.1f%%\t\n", 100*k/len(r.Lift), 100*(k+1)/len(r.Lift), count(math.Round(float64(b.Positives*100))/100), b.Lift, 100*b.Captured)
			}
		}
		if r.Calibration == nil {
			break
		}
		fmt.Fprintf(text, "\ncalibration error %.6g\n", r.CalibrationError)
		right()
		fmt.Fprint(text, "probability\trows\tpredicted\tobserved\t\n")
		for _, b := range r.Calibration {
			if b.Weight > 0 {
				fmt.Fprintf(text, "%.1f to %.1f\t%s\t%.4f\t%.4f\t\n", b.Low, b.High, count(b.Weight), b.Predicted, b.Observed)
			}
		}
	case r.Classes != nil:
		classes := r.Classes
		if brief {
			classes = r.lowest()
			fmt.Fprintf(text, "\nthe %d classes of lowest F1", len(classes))
		}
		fmt.Fprint(text, "\nclass\trows\tprecision\trecall\tF1\t\n")
		for _, c := range classes {
			fmt.Fprintf(text, "%v\t%s\t%.4f\t%.4f\t%.4f\t\n", c.Label, count(c.Rows), c.Precision, c.Recall, c.F1)
		}
		if len(r.Classes) > mostConfused {
			break
		}
		fmt.Fprint(text, "\nactual \\ predicted\t")
		for _, c := range r.Classes {
			fmt.Fprintf(text, "%v\t", c.Label)
		}
		fmt.Fprintln(text)
		for k, row := range r.Table[:min(len(r.Table), len(r.Classes))] {
			fmt.Fprintf(text, "%v\t", r.Classes[k].Label)
			for _, v := range row {
				fmt.Fprintf(text, "%s\t", count(v))
			}
			fmt.Fprintln(text)
		}
	case r.Targets != nil:
		fmt.Fprint(text, "\nprediction\tweight\tpredicted\tobserved\t\n")
		for _, b := range r.Targets {
			fmt.Fprintf(text, "%.4g to %.4g\t%.6g\t%.6g\t%.6g\t\n", b.Low, b.High, b.Weight, b.Predicted, b.Observed)
		}
	}
	text.Flush()
	return done.String()
}
