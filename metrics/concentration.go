package metrics

import (
	"fmt"
	"math"

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
	if _, err := checkAmounts("Gini", score, target, weight); err != nil {
		return 0, 0, err
	}
	gini, best := lorenz(score, target, weight), lorenz(target, target, weight)
	if !(best > 0) {
		return 0, 0, fmt.Errorf("metrics: Gini: the targets do not differ, or their sum is not a number above 0")
	}
	return gini, min(gini/best, 1), nil
}

// checkAmounts refuses what checkTargets does, and targets below 0. It returns the weight of the rows.
func checkAmounts(op string, score, target, weight []float64) (total float64, err error) {
	for i, t := range target {
		if t < 0 {
			return 0, fmt.Errorf("metrics: %s: the target of row %d is %v; targets are 0 or more", op, i, t)
		}
	}
	return checkTargets(op, score, target, weight)
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

// LorenzPoint is a point of Lorenz curves. It is safe for concurrent reading.
type LorenzPoint struct {
	Rows    float64 // share of the rows, by weight, with the least scores
	Targets float64 // share of all targets that these rows have
	Best    float64 // the same of the rows with the least targets
}

// Lorenz returns the ordered Lorenz curve, of which Gini is twice the distance from the diagonal, and the
// Lorenz curve of the targets themselves, at shares of the rows of 0, 1/parts, 2/parts, ..., 1. Rows of
// equal score count in part. It costs two sorts.
//
// Error: parts below 1 or above 1e6, a target below 0 or that is not finite, targets that are all 0, and
// what all metrics refuse.
func Lorenz(score, target, weight []float64, parts int) ([]LorenzPoint, error) {
	if err := checkBins("Lorenz", parts); err != nil {
		return nil, err
	}
	total, err := checkAmounts("Lorenz", score, target, weight)
	if err != nil {
		return nil, err
	}
	curve := make([]LorenzPoint, parts+1)
	for k := range curve {
		curve[k].Rows = float64(k) / float64(parts)
	}
	for _, by := range []struct {
		score []float64
		set   func(p *LorenzPoint, share float64)
	}{{score, func(p *LorenzPoint, share float64) { p.Targets = share }}, {target, func(p *LorenzPoint, share float64) { p.Best = share }}} {
		held := amountsAt(by.score, target, weight, total, parts)
		all := held[parts]
		if !(all > 0) || math.IsInf(all, 1) {
			return nil, fmt.Errorf("metrics: Lorenz: the sum of the targets is %v", all)
		}
		for k, v := range held {
			by.set(&curve[k], v/all)
		}
	}
	return curve, nil
}

// amountsAt returns how much of the targets the rows with the least scores have, at equal shares of their
// weight.
func amountsAt(score, target, weight []float64, total float64, parts int) []float64 {
	var sorter order.Sorter
	rows := sorter.Descending(score)
	held := make([]float64, parts+1)
	var width, rise compensated
	k := 1
	for to := len(rows); to > 0; {
		from, least := to, score[rows[to-1].Index]
		below, before := width.value(), rise.value()
		for ; from > 0 && score[rows[from-1].Index] == least; from-- {
			i := int(rows[from-1].Index)
			w := weightOf(weight, i)
			width.add(w)
			rise.add(float64(w * target[i]))
		}
		to = from
		for ; k < parts; k++ {
			end := float64(total * (float64(k) / float64(parts)))
			if end > width.value() {
				break
			}
			held[k] = before + float64((rise.value()-before)*((end-below)/(width.value()-below)))
		}
	}
	for ; k <= parts; k++ { // where rounding ended the rows before their total
		held[k] = rise.value()
	}
	return held
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
		s := &sums[min(int(float64(bins)*((below.value()+float64(w/2))/total)), bins-1)]
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
