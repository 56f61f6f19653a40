package metrics

import "math"

// KS returns the largest distance between the rates of true and false positives over all thresholds,
// the statistic of Kolmogorov and Smirnov for the scores of the two classes, and the highest score at
// which it is reached: rows of this score or above are called positive. It is 0 at +Inf where no
// threshold does better. It needs both classes.
func (r *Ranking) KS() (distance, score float64, err error) {
	if err := r.need("KS", true); err != nil {
		return 0, 0, err
	}
	score = math.Inf(1)
	for _, g := range r.groups {
		if d := g.truePositives/r.Positives - g.falsePositives/r.Negatives; d > distance {
			distance, score = d, g.score
		}
	}
	return distance, score, nil
}

// LeastCost returns the least mean cost of a row over all thresholds, where false positives and false
// negatives cost these amounts, 0 or more. It also returns the highest score that reaches the least cost:
// rows of this score or above are called positive; +Inf where calling none positive costs least. It is 0
// without rows.
func (r *Ranking) LeastCost(falsePositive, falseNegative float64) (cost, score float64) {
	cost, score = float64(falseNegative*r.Positives), math.Inf(1)
	for _, g := range r.groups {
		if c := float64(falsePositive*g.falsePositives) + float64(falseNegative*(r.Positives-g.truePositives)); c < cost {
			cost, score = c, g.score
		}
	}
	if total := r.Positives + r.Negatives; total > 0 {
		cost /= total
	}
	return cost, score
}

// LiftBin is a part of the rows in descending order of score. It is safe for concurrent reading.
type LiftBin struct {
	Weight    float64 // of its rows
	Positives float64 // weight of its positive rows
	Lowest    float64 // its lowest score
	Lift      float64 // its share of positive rows, divided by that of all rows
	Captured  float64 // share of all positive rows that are in the part or before it
}

// Lift cuts the rows, in descending order of score, into parts of equal weight. A cut within rows of
// equal score counts each of them in part, so the order of rows does not matter. It needs a positive.
//
// Error: bins below 1 or above 1e6.
func (r *Ranking) Lift(bins int) ([]LiftBin, error) {
	if err := checkBins("Lift", bins); err != nil {
		return nil, err
	}
	if err := r.need("Lift", false); err != nil {
		return nil, err
	}
	total := r.Positives + r.Negatives
	share := r.Positives / total
	table := make([]LiftBin, bins)
	k, before := 0, 0.0 // the positives before bin k
	var last group
	for _, g := range r.groups {
		from, to := last.truePositives+last.falsePositives, g.truePositives+g.falsePositives
		for k < bins {
			end := float64(total * (float64(k+1) / float64(bins)))
			if k == bins-1 {
				end = total
			}
			if table[k].Lowest = g.score; to < end {
				break
			}
			above := g.truePositives
			if end < to {
				above = last.truePositives + float64((g.truePositives-last.truePositives)*((end-from)/(to-from)))
			}
			begin := float64(total * (float64(k) / float64(bins)))
			b := &table[k]
			b.Weight, b.Positives, b.Captured = end-begin, above-before, above/r.Positives
			b.Lift = b.Positives / b.Weight / share
			before = above
			k++
			if end == to {
				break
			}
		}
		last = g
	}
	return table, nil
}
