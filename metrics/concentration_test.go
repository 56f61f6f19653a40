package metrics

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// counts returns scores with ties and targets of 0 or more, and weights if weighted.
func counts(rng *rand.Rand, n int, weighted bool) (score, target, weight []float64) {
	for range n {
		score = append(score, float64(rng.IntN(n))/4)
		target = append(target, float64(rng.IntN(4)))
		if weighted {
			weight = append(weight, float64(rng.IntN(3)))
		}
	}
	return score, target, weight
}

// giniByCovariance is 2 cov(target, F)/mean, where F is the share of rows below and half of those at a
// score (Lerman and Yitzhaki 1984).
func giniByCovariance(score, target, weight []float64) float64 {
	total, mean := 0.0, 0.0
	for i := range score {
		total += weightOf(weight, i)
		mean += weightOf(weight, i) * target[i]
	}
	mean /= total
	covariance := 0.0
	for i := range score {
		share := 0.0
		for k := range score {
			if score[k] < score[i] {
				share += weightOf(weight, k) / total
			} else if score[k] == score[i] {
				share += weightOf(weight, k) / total / 2
			}
		}
		covariance += weightOf(weight, i) / total * (target[i] - mean) * (share - 0.5)
	}
	return 2 * covariance / mean
}

func TestGiniAgainstItsDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	measured := 0
	for n := 1; n < 80; n++ {
		score, target, weight := counts(rng, n, n%2 == 0)
		best := giniByCovariance(target, target, weight)
		gini, normalised, err := Gini(score, target, weight)
		if !(best > 1e-9) {
			if err == nil {
				t.Fatalf("equal targets %v have a Gini of %v", target, gini)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		near(t, "Gini", gini, giniByCovariance(score, target, weight))
		near(t, "normalised Gini", normalised, gini/best)
		measured++
		if _, normalised, _ := Gini(target, target, weight); normalised != 1 {
			t.Fatalf("the targets themselves have a normalised Gini of %v", normalised)
		}
	}
	if measured < 70 {
		t.Fatalf("%d were measured", measured)
	}
}

// amountWithin returns the targets of the share of rows with the least scores, of equal scores in part.
func amountWithin(share float64, score, target, weight []float64) (amount float64) {
	total := 0.0
	for i := range score {
		total += weightOf(weight, i)
	}
	for i := range score {
		below, equal := 0.0, 0.0
		for k := range score {
			if score[k] < score[i] {
				below += weightOf(weight, k)
			} else if score[k] == score[i] {
				equal += weightOf(weight, k)
			}
		}
		if equal > 0 {
			amount += weightOf(weight, i) * target[i] * math.Min(1, math.Max(0, (share*total-below)/equal))
		}
	}
	return amount
}

func TestLorenzAgainstItsDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	drawn := 0
	for n := 1; n < 60; n++ {
		score, target, weight := counts(rng, n, n%2 == 0)
		all := amountWithin(1, score, target, weight)
		for _, parts := range []int{1, 3, 10, 200} {
			curve, err := Lorenz(score, target, weight, parts)
			if (err != nil) != !(all > 0) {
				t.Fatalf("%d rows, targets of %v: %v", n, all, err)
			}
			if err != nil {
				continue
			}
			drawn++
			for k, p := range curve {
				share := float64(k) / float64(parts)
				near(t, "rows", p.Rows, share)
				near(t, "targets", p.Targets, amountWithin(share, score, target, weight)/all)
				near(t, "best", p.Best, amountWithin(share, target, target, weight)/all)
			}
			if first, last := curve[0], curve[parts]; first != (LorenzPoint{}) || last != (LorenzPoint{1, 1, 1}) {
				t.Fatalf("the curve is from %v to %v", first, last)
			}
		}
	}
	if drawn < 200 {
		t.Fatalf("%d were drawn", drawn)
	}
	for _, parts := range []int{0, -1, 1e6 + 1} {
		if _, err := Lorenz([]float64{1, 2}, []float64{1, 2}, nil, parts); err == nil {
			t.Errorf("%d parts were taken", parts)
		}
	}
	for _, target := range [][]float64{{1, -1}, {0, 0}, {math.NaN(), 1}, {math.MaxFloat64, math.MaxFloat64}, {1}} {
		if curve, err := Lorenz([]float64{1, 2}, target, nil, 2); err == nil {
			t.Errorf("targets %v: %v", target, curve)
		}
	}
}

func TestTargetCalibrationHoldsEveryRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := 1; n < 80; n++ {
		prediction, target, weight := counts(rng, n, n%2 == 0)
		for _, bins := range []int{1, 4, 10} {
			table, err := TargetCalibration(prediction, target, weight, bins)
			total := 0.0
			for i := range target {
				total += weightOf(weight, i)
			}
			if (err != nil) != (total == 0) {
				t.Fatal(err)
			}
			rows := 0.0
			for k, b := range table {
				if k > 0 && !(b.Low > table[k-1].High) || b.High < b.Low || len(table) > bins {
					t.Fatalf("bins %v of %v", table, prediction)
				}
				var held, predicted, observed, most float64
				for i, p := range prediction {
					if b.Low <= p && p <= b.High {
						w := weightOf(weight, i)
						held, predicted, observed = held+w, predicted+w*p, observed+w*target[i]
						same := 0.0
						for j, q := range prediction {
							if q == p {
								same += weightOf(weight, j)
							}
						}
						most = math.Max(most, same)
					}
				}
				near(t, "weight", b.Weight, held)
				near(t, "predicted", b.Predicted, predicted/held)
				near(t, "observed", b.Observed, observed/held)
				// The middles of equal predictions are within a bin.
				if b.Weight > total/float64(bins)+most+1e-9 {
					t.Fatalf("a bin of %v of %v, where equal predictions have %v", b.Weight, total, most)
				}
				rows += b.Weight
			}
			if err == nil {
				near(t, "rows", rows, total)
			}
		}
	}
}

func TestTargetCalibrationByHand(t *testing.T) {
	table, err := TargetCalibration([]float64{3, 1, 2, 4}, []float64{5, 0, 1, 3}, nil, 2)
	want := []CalibrationBin{{1, 2, 2, 1.5, 0.5}, {3, 4, 2, 3.5, 4}}
	if err != nil || !slices.Equal(table, want) {
		t.Errorf("%v, %v; want %v", table, err, want)
	}
}

func TestConcentrationRefuses(t *testing.T) {
	one, inf := []float64{1}, math.Inf(1)
	gini := func(score, target, weight []float64) error {
		_, _, err := Gini(score, target, weight)
		return err
	}
	table := func(prediction, target []float64, bins int) error {
		_, err := TargetCalibration(prediction, target, nil, bins)
		return err
	}
	for says, err := range map[string]error{
		"row 1 is -1; targets are 0 or more":   gini([]float64{1, 2}, []float64{1, -1}, nil),
		"the targets do not differ":            gini([]float64{1, 2}, []float64{3, 3}, nil),
		"or their sum is not a number above 0": gini([]float64{1, 2}, []float64{0, 0}, nil),
		"Gini: no rows":                        gini(nil, nil, nil),
		"TargetCalibration: 0 bins":            table(one, one, 0),
		"the prediction of row 0 is +Inf":      table([]float64{inf}, one, 1),
		"the target of row 0 is +Inf":          table(one, []float64{inf}, 1),
	} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; want an error that says %q", err, says)
		}
	}
}
