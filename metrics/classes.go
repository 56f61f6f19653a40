package metrics

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/kernels"
)

// ClassTable is the confusion table of several classes: the weight of the rows of
// class [actual] that were called class [predicted]. It is safe for concurrent reading.
type ClassTable [][]float64

// MaxClasses is the largest number of classes of a ClassTable.
const MaxClasses = 1 << 14

// Classify counts rows into the table of the given number of classes, at most MaxClasses. actual
// and predicted hold one class a row, from 0 on; a nil weight means 1. The table takes 8 bytes
// for each pair of classes.
func Classify(actual, predicted []uint32, weight []float64, classes int) (ClassTable, error) {
	n := len(actual)
	if len(predicted) != n || weight != nil && len(weight) != n {
		return nil, fmt.Errorf("metrics: Classify: %d classes, %d predictions, %d weights", n, len(predicted), len(weight))
	}
	if n == 0 {
		return nil, fmt.Errorf("metrics: Classify: no rows")
	}
	if classes < 1 || classes > MaxClasses {
		return nil, fmt.Errorf("metrics: Classify: %d classes; there may be 1 to %d", classes, MaxClasses)
	}
	t := make(ClassTable, classes)
	for k := range t {
		t[k] = make([]float64, classes)
	}
	for i, k := range actual {
		if int64(k) >= int64(classes) || int64(predicted[i]) >= int64(classes) {
			return nil, fmt.Errorf("metrics: Classify: row %d has the classes %d and %d of %d", i, k, predicted[i], classes)
		}
		w := weightOf(weight, i)
		if !(w >= 0) || math.IsInf(w, 0) {
			return nil, fmt.Errorf("metrics: Classify: the weight of row %d is %v; weights are finite and not negative", i, w)
		}
		t[k][predicted[i]] += w
	}
	return t, nil
}

// Each returns the tables of all classes, each against the rest. It costs a pass over the
// table.
func (t ClassTable) Each() []Confusion {
	each := make([]Confusion, len(t))
	var all compensated
	for actual, row := range t {
		for predicted, w := range row[:min(len(row), len(t))] {
			all.add(w)
			if actual == predicted {
				each[actual].TruePositive += w
				continue
			}
			each[predicted].FalsePositive += w
			each[actual].FalseNegative += w
		}
	}
	for k := range each {
		c := &each[k]
		c.TrueNegative = max(all.value()-c.TruePositive-c.FalsePositive-c.FalseNegative, 0)
	}
	return each
}

// Accuracy returns the share of rows whose class is right. It is the micro average of precision,
// of recall and of F1, which are equal if every row has one class.
func (t ClassTable) Accuracy() float64 {
	var right, all compensated
	for k, row := range t {
		if k < len(row) {
			right.add(row[k])
		}
		for _, w := range row {
			all.add(w)
		}
	}
	return share(right.value(), all.value()-right.value())
}

// MacroF1 returns the mean of F1 over the classes that have rows or were predicted.
func (t ClassTable) MacroF1() float64 {
	return t.mean(func(c Confusion) (float64, bool) {
		return c.F1(), c.TruePositive+c.FalsePositive+c.FalseNegative > 0
	})
}

// BalancedAccuracy returns the mean of recall over the classes that have rows.
func (t ClassTable) BalancedAccuracy() float64 {
	return t.mean(func(c Confusion) (float64, bool) { return c.Recall(), c.TruePositive+c.FalseNegative > 0 })
}

func (t ClassTable) mean(of func(Confusion) (value float64, counts bool)) float64 {
	var sum compensated
	count := 0
	for _, c := range t.Each() {
		if v, counts := of(c); counts {
			sum.add(v)
			count++
		}
	}
	return sum.value() / float64(max(count, 1))
}

// ClassLogLoss returns the weighted mean of -log p, where p is the probability that
// was given to a row's class: probability holds the given number of them a row. It is
// infinite where a p is 0.
func ClassLogLoss(probability []float64, actual []uint32, weight []float64, classes int) (float64, error) {
	n := len(actual)
	if classes < 1 || len(probability)%classes != 0 || len(probability)/classes != n || weight != nil && len(weight) != n {
		return 0, fmt.Errorf("metrics: ClassLogLoss: %d probabilities of %d classes, %d rows, %d weights", len(probability), classes, n, len(weight))
	}
	own := make([]float64, n)
	for i, k := range actual {
		if int64(k) >= int64(classes) {
			return 0, fmt.Errorf("metrics: ClassLogLoss: row %d has the class %d of %d", i, k, classes)
		}
		if own[i] = probability[i*classes+int(k)]; !(own[i] >= 0 && own[i] <= 1) {
			return 0, fmt.Errorf("metrics: ClassLogLoss: row %d has the probability %v", i, own[i])
		}
	}
	if err := kernels.Log(own, own); err != nil {
		return 0, err
	}
	var sum, total compensated
	for i, v := range own {
		w := weightOf(weight, i)
		if !(w >= 0) || math.IsInf(w, 0) {
			return 0, fmt.Errorf("metrics: ClassLogLoss: the weight of row %d is %v; weights are finite and not negative", i, w)
		}
		if math.IsInf(v, 0) && w > 0 {
			return math.Inf(1), nil
		}
		if w > 0 {
			sum.add(float64(w * -v))
			total.add(w)
		}
	}
	if total.sum == 0 {
		return 0, fmt.Errorf("metrics: ClassLogLoss: there are no rows of positive weight")
	}
	return sum.value() / total.value(), nil
}
