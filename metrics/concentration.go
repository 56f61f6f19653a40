package metrics

import (
	"fmt"

	"github.com/lanes-go/lanes/internal/base/order"
)

// Gini returns twice the area between the diagonal and the Lorenz curve of targets in ascending order of
// score: the curve of the share of all targets against the share of all rows, by weight. It is 0 for
// scores without order, and at most the Gini of scores that are the targets; normalised is its ratio to
// that. Rows of equal score are one straight segment. Insurers measure how well predictions tell risks
// apart by it: targets are claims a unit of exposure, weights exposures (Frees, Meyers, Cummings 2011,
// "Summarizing insurance scores using a Gini index"). It costs two sorts.
//
// Error: a target below 0 or that is not finite, targets that are all 0 or all equal, and what all
// metrics refuse.
func Gini(score, target, weight []float64) (gini, normalised float64, err error) {
	if _, err := checkTargets("Gini", score, target, weight); err != nil {
		return 0, 0, err
	}
	for i, t := range target {
		if t < 0 {
			return 0, 0, fmt.Errorf("metrics: Gini: the target of row %d is %v; targets are 0 or more", i, t)
		}
	}
	gini, best := lorenz(score, target, weight), lorenz(target, target, weight)
	if !(best > 0) {
		return 0, 0, fmt.Errorf("metrics: Gini: the targets do not differ, or their sum is not a number above 0")
	}
	return gini, min(gini/best, 1), nil
}

// lorenz returns the Gini of targets in the order of scores.
func lorenz(score, target, weight []float64) float64 {
	var sorter order.Sorter
	rows := sorter.Descending(score)
	var rise, heights, across compensated // of targets, and twice the area above the curve
	for from := 0; from < len(rows); {
		before, width := rise.value(), compensated{}
		to := from
		for ; to < len(rows) && score[rows[to].Index] == score[rows[from].Index]; to++ {
			i := int(rows[to].Index)
			w := weightOf(weight, i)
			width.add(w)
			rise.add(float64(w * target[i]))
		}
		across.add(width.value())
		heights.add(float64(width.value() * (before + rise.value())))
		from = to
	}
	// In descending order the curve is above the diagonal by as much as it is below in ascending order.
	return heights.value()/across.value()/rise.value() - 1
}

// TargetCalibration sorts rows by prediction into at most the given number of bins of about equal
// weight. Low and High of a bin are its least and its largest prediction, and Observed is the weighted
// mean of its targets. Rows of equal prediction are in one bin: the one in which the middle of their
// weight is. It costs a sort.
//
// Error: bins below 1 or above 1e6, a prediction or target that is not finite, and what all metrics
// refuse.
func TargetCalibration(prediction, target, weight []float64, bins int) ([]CalibrationBin, error) {
	if err := checkBins("TargetCalibration", bins); err != nil {
		return nil, err
	}
	total, err := checkTargets("TargetCalibration", prediction, target, weight)
	if err != nil {
		return nil, err
	}
	for i, p := range prediction {
		if p-p != 0 {
			return nil, fmt.Errorf("metrics: TargetCalibration: the prediction of row %d is %v; predictions are finite", i, p)
		}
	}
	var sorter order.Sorter
	rows := sorter.Descending(prediction)
	sums := make([]struct {
		low, high                   float64
		weight, predicted, observed compensated
	}, bins)
	below := compensated{} // the weight of the rows before, in ascending order
	for to := len(rows); to > 0; {
		from, p := to, prediction[rows[to-1].Index]
		var weights, targets compensated
		for ; from > 0 && prediction[rows[from-1].Index] == p; from-- {
			i := int(rows[from-1].Index)
			w := weightOf(weight, i)
			weights.add(w)
			targets.add(float64(w * target[i]))
		}
		to = from
		w := weights.value()
		if w == 0 {
			continue
		}
		s := &sums[min(int(float64(bins)*((below.value()+w/2)/total)), bins-1)]
		if s.weight.sum == 0 {
			s.low = p
		}
		s.high = p
		s.weight.add(w)
		s.predicted.add(float64(w * p))
		s.observed.add(targets.value())
		below.add(w)
	}
	var table []CalibrationBin
	for k := range sums {
		if s := &sums[k]; s.weight.sum > 0 {
			w := s.weight.value()
			table = append(table, CalibrationBin{s.low, s.high, w, s.predicted.value() / w, s.observed.value() / w})
		}
	}
	return table, nil
}

// checkBins refuses numbers of bins that no table has.
func checkBins(op string, bins int) error {
	if bins < 1 || bins > 1e6 {
		return fmt.Errorf("metrics: %s: %d bins; there must be 1 to 1000000", op, bins)
	}
	return nil
}
