package metrics

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/base/order"
)

// Ranking is a set of rows in descending order of score; rows of equal score are one group. All
// curves and areas come from it, so a caller of several measures sorts once. All methods but
// Reset are safe for concurrent use.
type Ranking struct {
	// Positives and Negatives are the weights of the two classes.
	Positives, Negatives float64

	groups []group
	sorter order.Sorter
}

// group holds the class weights of all rows down to one score.
type group struct {
	score                         float64
	truePositives, falsePositives float64
}

// Rank sorts rows by score. It costs O(n), by radix sort, and at most 56 bytes a row.
func Rank(score, label, weight []float64) (*Ranking, error) {
	r := new(Ranking)
	if err := r.Reset(score, label, weight); err != nil {
		return nil, err
	}
	return r, nil
}

// Reset makes r the ranking of other rows. It reuses the memory of r, and allocates nothing
// unless the rows are more than before. The zero Ranking can be reset. After an error r
// holds no rows.
func (r *Ranking) Reset(score, label, weight []float64) error {
	r.groups, r.Positives, r.Negatives = r.groups[:0], 0, 0
	if _, err := check("Rank", score, label, weight); err != nil {
		return err
	}
	if uint64(len(score)) > math.MaxUint32 {
		return fmt.Errorf("metrics: Rank: %d rows; at most %d can be ranked", len(score), uint32(math.MaxUint32))
	}
	if cap(r.groups) < len(score) {
		r.groups = make([]group, 0, len(score))
	}
	var last group
	for _, row := range r.sorter.Descending(score) {
		i := row.Index
		w := weightOf(weight, int(i))
		if w == 0 {
			continue
		}
		if s := score[i]; len(r.groups) == 0 || s != last.score {
			last.score = s
			r.groups = append(r.groups, last)
		}
		if label[i] > 0 {
			last.truePositives += w
		} else {
			last.falsePositives += w
		}
		r.groups[len(r.groups)-1] = last
	}
	r.Positives, r.Negatives = last.truePositives, last.falsePositives
	return nil
}

func (r *Ranking) need(op string, negatives bool) error {
	if r.Positives == 0 {
		return fmt.Errorf("metrics: %s: there are no positives", op)
	}
	if negatives && r.Negatives == 0 {
		return fmt.Errorf("metrics: %s: there are no negatives", op)
	}
	return nil
}

// AveragePrecision returns the sum over the distinct scores, in descending order,
// of (recall gained) x (precision so far): scikit-learn's
// average_precision_score. It needs a positive.
func (r *Ranking) AveragePrecision() (float64, error) {
	if err := r.need("AveragePrecision", false); err != nil {
		return 0, err
	}
	var sum compensated
	before := 0.0
	for _, g := range r.groups {
		precision := g.truePositives / (g.truePositives + g.falsePositives)
		sum.add(float64((g.truePositives - before) * precision))
		before = g.truePositives
	}
	return sum.value() / r.Positives, nil
}

// AUROC returns the area under the ROC curve: the probability that a positive
// scores above a negative, ties counted half. It needs both classes.
func (r *Ranking) AUROC() (float64, error) {
	area, _, err := r.PartialAUC(0, 1, 0)
	return area, err
}

// PartialAUC returns an area under the ROC curve, between the false-positive rates low and high
// and above the true-positive rate minTPR. It returns the area raw, and divided by its maximum
// (high-low) (1-minTPR). 0 <= low < high <= 1 and 0 <= minTPR < 1. With minTPR = 0 it is the
// partial AUC. With low = 0 it is the two-way partial AUC (Yang, Lu, Lyu and Hu 2019, "Two-way
// partial AUC and its properties"). It needs both classes.
//
// The curve is straight between its points, one for each distinct score. Take the pairs of the
// lowest-scored 1-minTPR of the positives and the negatives ranked from low to high. Without ties
// the normalised area is the share of right pairs among them; a bound that cuts a row counts this
// row in part. Rows of equal score are one slanted segment, which the bounds may cut. It is the
// limit of splitting each row into many equal rows and taking turns between the classes.
//
// The normalised area lies in 0 to 1 however small the region is. If float64 cannot separate low
// from high, it is the normalised height of the curve there. If float64 cannot separate minTPR
// from 1, the next float64 below replaces minTPR. The raw area is the normalised area times
// (high-low) (1-minTPR).
func (r *Ranking) PartialAUC(low, high, minTPR float64) (raw, normalised float64, err error) {
	if err := checkRegion(low, high, minTPR); err != nil {
		return 0, 0, err
	}
	if err := r.need("PartialAUC", true); err != nil {
		return 0, 0, err
	}
	// In counts rather than rates, so that whole weights are added exactly.
	from, to := float64(low*r.Negatives), float64(high*r.Negatives)
	floor := min(float64(minTPR*r.Positives), math.Nextafter(r.Positives, 0))
	across, up := unit(to-from), unit(r.Positives)
	var area, widths compensated
	var before group
	for _, g := range r.groups {
		left, right := max(before.falsePositives, from), min(g.falsePositives, to)
		if right > left {
			width := float64((right - left) * across)
			widths.add(width)
			area.add(float64(width * above(height(before, g, left), height(before, g, right), floor, up) / 2))
		}
		before = g
	}
	// The widths are divided by as they were multiplied with: the rounding of the
	// bounds, which weighs heavily in a range of a few ulps, cancels.
	mean := area.value() / widths.value() / float64((r.Positives-floor)*up)
	if widths.sum == 0 {
		mean = max(r.heightAt(from)-floor, 0) / (r.Positives - floor)
	}
	mean = min(mean, 1)
	return float64(float64(mean*(high-low)) * (1 - minTPR)), mean, nil
}

// above returns twice the mean distance of a straight line above a floor, times up: the
// line rises from left to right, and what lies below the floor counts 0.
func above(left, right, floor, up float64) float64 {
	switch {
	case left >= floor:
		return float64((left-floor)*up) + float64((right-floor)*up)
	case right <= floor:
		return 0
	}
	return float64((right-floor)*up) * ((right - floor) / (right - left))
}

// heightAt returns the true-positive weight of the curve at a false-positive weight, and
// the upper end of a vertical segment.
func (r *Ranking) heightAt(at float64) float64 {
	var before group
	for _, g := range r.groups {
		if g.falsePositives > at {
			return height(before, g, at)
		}
		before = g
	}
	return before.truePositives
}

// unit returns a power of two that scales a weight to the order of 1. Products of scaled
// weights neither overflow nor vanish, and scaling by a power of two does not round.
func unit(weight float64) float64 {
	_, exponent := math.Frexp(weight)
	return math.Ldexp(1, -min(max(exponent, -1000), 1000))
}

// height returns the true-positive weight of the curve's segment from a to b at a
// false-positive weight between the ends.
func height(a, b group, at float64) float64 {
	switch at {
	case a.falsePositives:
		return a.truePositives
	case b.falsePositives:
		return b.truePositives
	}
	part := (at - a.falsePositives) / (b.falsePositives - a.falsePositives)
	return math.FMA(part, b.truePositives-a.truePositives, a.truePositives)
}

func checkRegion(low, high, minTPR float64) error {
	if !(0 <= low && low < high && high <= 1) {
		return fmt.Errorf("metrics: false-positive rates from %v to %v; they must satisfy 0 <= low < high <= 1", low, high)
	}
	if !(0 <= minTPR && minTPR < 1) {
		return fmt.Errorf("metrics: a least true-positive rate of %v; it must be 0 or more and below 1", minTPR)
	}
	return nil
}

// PRPoint is a point of the precision-recall curve: precision and recall if the rows of
// score Threshold or above are called positive. It is safe for concurrent reading.
type PRPoint struct{ Threshold, Precision, Recall float64 }

// PRCurve returns the curve's points in descending threshold, one a distinct
// score, after a first one at threshold +Inf with precision 1 and recall 0. It
// needs a positive.
func (r *Ranking) PRCurve() ([]PRPoint, error) {
	if err := r.need("PRCurve", false); err != nil {
		return nil, err
	}
	points := make([]PRPoint, 1, len(r.groups)+1)
	points[0] = PRPoint{math.Inf(1), 1, 0}
	for _, g := range r.groups {
		points = append(points, PRPoint{g.score, g.truePositives / (g.truePositives + g.falsePositives), g.truePositives / r.Positives})
	}
	return points, nil
}

// ROCPoint is a point of the ROC curve: both rates if the rows of score Threshold or above
// are called positive. It is safe for concurrent reading.
type ROCPoint struct{ Threshold, FalsePositiveRate, TruePositiveRate float64 }

// ROCCurve returns the curve's points in descending threshold, one a distinct
// score, after a first one at threshold +Inf with both rates 0. It needs both
// classes.
func (r *Ranking) ROCCurve() ([]ROCPoint, error) {
	if err := r.need("ROCCurve", true); err != nil {
		return nil, err
	}
	points := make([]ROCPoint, 1, len(r.groups)+1)
	points[0] = ROCPoint{Threshold: math.Inf(1)}
	for _, g := range r.groups {
		points = append(points, ROCPoint{g.score, g.falsePositives / r.Negatives, g.truePositives / r.Positives})
	}
	return points, nil
}

// AveragePrecision is Ranking.AveragePrecision of the rows.
func AveragePrecision(score, label, weight []float64) (float64, error) {
	r, err := Rank(score, label, weight)
	if err != nil {
		return 0, err
	}
	return r.AveragePrecision()
}

// AUROC is Ranking.AUROC of the rows.
func AUROC(score, label, weight []float64) (float64, error) {
	r, err := Rank(score, label, weight)
	if err != nil {
		return 0, err
	}
	return r.AUROC()
}

// PartialAUC is Ranking.PartialAUC of the rows.
func PartialAUC(score, label, weight []float64, low, high, minTPR float64) (raw, normalised float64, err error) {
	r, err := Rank(score, label, weight)
	if err != nil {
		return 0, 0, err
	}
	return r.PartialAUC(low, high, minTPR)
}

// compensated is a sum that carries its rounding error (Neumaier 1974).
type compensated struct{ sum, lost float64 }

func (c *compensated) add(x float64) {
	s := c.sum + x
	if math.Abs(c.sum) >= math.Abs(x) {
		c.lost += (c.sum - s) + x
	} else {
		c.lost += (x - s) + c.sum
	}
	c.sum = s
}

func (c *compensated) value() float64 { return c.sum + c.lost }
