package metrics

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/base/order"
	"github.com/lanes-go/lanes/internal/testing/allocations"
)

// sample draws rows whose scores are a little informative and often tied.
func sample(rng *rand.Rand, n int, weighted bool) (score, label, weight []float64) {
	score, label = make([]float64, n), make([]float64, n)
	if weighted {
		weight = make([]float64, n)
	}
	coarse := float64(1 + rng.IntN(40))
	for i := range score {
		label[i] = float64(2*rng.IntN(2) - 1)
		score[i] = math.Round((rng.NormFloat64()+label[i]/2)*coarse) / coarse
		if weighted {
			weight[i] = float64(rng.IntN(4)) / 2
		}
	}
	label[0], label[1] = 1, -1
	if weighted {
		weight[0], weight[1] = 1, 1
	}
	return score, label, weight
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

// The definitions, straight: quadratic in the number of rows.

func slowAUROC(score, label, weight []float64) float64 {
	won, pairs := 0.0, 0.0
	for i := range score {
		for j := range score {
			if label[i] > 0 && label[j] <= 0 {
				w := weightOf(weight, i) * weightOf(weight, j)
				pairs += w
				switch {
				case score[i] > score[j]:
					won += w
				case score[i] == score[j]:
					won += w / 2
				}
			}
		}
	}
	return won / pairs
}

func slowAveragePrecision(score, label, weight []float64) float64 {
	positives, sum := 0.0, 0.0
	for i := range score {
		if label[i] <= 0 {
			continue
		}
		positives += weightOf(weight, i)
		above, truly := 0.0, 0.0
		for j := range score {
			if score[j] >= score[i] {
				above += weightOf(weight, j)
				if label[j] > 0 {
					truly += weightOf(weight, j)
				}
			}
		}
		if weightOf(weight, i) > 0 {
			sum += weightOf(weight, i) * truly / above
		}
	}
	return sum / positives
}

// slowPartial interpolates the ROC curve on a grid that holds all its corners.
func slowPartial(points []ROCPoint, low, high float64) float64 {
	at := func(x float64) float64 {
		for k := len(points) - 1; k > 0; k-- {
			a, b := points[k-1], points[k]
			if a.FalsePositiveRate < x && x <= b.FalsePositiveRate {
				return a.TruePositiveRate + (b.TruePositiveRate-a.TruePositiveRate)*(x-a.FalsePositiveRate)/(b.FalsePositiveRate-a.FalsePositiveRate)
			}
		}
		return 0
	}
	const steps = 20000
	sum := 0.0
	for k := range steps {
		sum += at(low + (high-low)*(float64(k)+0.5)/steps)
	}
	return sum / steps * (high - low)
}

func TestAgainstDefinitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for round := range 200 {
		score, label, weight := sample(rng, 2+rng.IntN(60), round%2 == 1)
		r, err := Rank(score, label, weight)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.AUROC()
		if err != nil {
			t.Fatal(err)
		}
		near(t, "AUROC", got, slowAUROC(score, label, weight))
		if got, err = r.AveragePrecision(); err != nil {
			t.Fatal(err)
		}
		near(t, "AveragePrecision", got, slowAveragePrecision(score, label, weight))
		middle := rng.Float64()
		left, _, err := r.PartialAUC(0, middle, 0)
		if err != nil {
			t.Fatal(err)
		}
		right, _, err := r.PartialAUC(middle, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "the parts of AUROC", left+right, slowAUROC(score, label, weight))
		curve, err := r.ROCCurve()
		if err != nil {
			t.Fatal(err)
		}
		low := middle / 2
		raw, normalised, err := r.PartialAUC(low, middle, 0)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "normalised", normalised, raw/(middle-low))
		if round < 20 {
			if want := slowPartial(curve, low, middle); math.Abs(raw-want) > 1e-3*middle {
				t.Fatalf("partial: %v, want %v", raw, want)
			}
		}
		pr, err := r.PRCurve()
		if err != nil {
			t.Fatal(err)
		}
		for k, p := range curve[1:] {
			c, err := ConfusionAt(score, label, weight, p.Threshold)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "FPR", c.FalsePositiveRate(), p.FalsePositiveRate)
			near(t, "TPR", c.Recall(), p.TruePositiveRate)
			near(t, "precision", c.Precision(), pr[k+1].Precision)
			near(t, "recall", c.Recall(), pr[k+1].Recall)
		}
		if end := curve[len(curve)-1]; end.FalsePositiveRate != 1 || end.TruePositiveRate != 1 {
			t.Fatalf("the ROC curve ends at %+v", end)
		}
	}
}

// TestPartialAUCByPairs computes the area pair by pair. A positive counts in full beyond the
// false-positive weight of the negatives above it. Over the weight of the negatives that tie with
// it, it counts in part, growing linearly.
func TestPartialAUCByPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	// counted is the integral of what a positive counts, up to a weight of to.
	counted := func(above, tied, to float64) float64 {
		if to <= above {
			return 0
		}
		if to < above+tied {
			return (to - above) * (to - above) / (2 * tied)
		}
		return to - above - tied/2
	}
	for round := range 400 {
		score, label, weight := sample(rng, 2+rng.IntN(40), round%2 == 1)
		switch round % 5 {
		case 0: // all tied
			clear(score)
		case 1: // two values
			for i := range score {
				score[i] = float64(rng.IntN(2))
			}
		}
		low, high := rng.Float64(), rng.Float64()
		if low > high {
			low, high = high, low
		}
		if round%3 == 0 {
			low = 0
		}
		total, positives, negatives := 0.0, 0.0, 0.0
		for i, y := range label {
			if y > 0 {
				positives += weightOf(weight, i)
			} else {
				negatives += weightOf(weight, i)
			}
		}
		for i, y := range label {
			if y < 0 {
				continue
			}
			above, tied := 0.0, 0.0
			for j, other := range label {
				if other > 0 {
					continue
				}
				if score[j] > score[i] {
					above += weightOf(weight, j)
				} else if score[j] == score[i] {
					tied += weightOf(weight, j)
				}
			}
			total += weightOf(weight, i) * (counted(above, tied, high*negatives) - counted(above, tied, low*negatives))
		}
		raw, normalised, err := PartialAUC(score, label, weight, low, high, 0)
		if err != nil {
			t.Fatal(err)
		}
		want := total / positives / negatives
		if math.Abs(raw-want) > 1e-12 || math.Abs(normalised*(high-low)-raw) > 1e-12 {
			t.Fatalf("[%v, %v] of scores %v, labels %v, weights %v: %v and %v, by pairs %v", low, high, score, label, weight, raw, normalised, want)
		}
	}
}

func TestByHand(t *testing.T) {
	score, label := []float64{0.9, 0.8, 0.7, 0.7, -0.1}, []float64{1, 0, 1, 0, 1}
	r, err := Rank(score, label, nil)
	if err != nil {
		t.Fatal(err)
	}
	ap, _ := r.AveragePrecision()
	near(t, "AP", ap, (1+2./4+3./5)/3)
	auc, _ := r.AUROC()
	near(t, "AUROC", auc, (2+0.5)/6+1./6*0)
	// Between the rates 0 and 1/2 the curve is at 1/3, then climbs to 2/3.
	raw, normalised, err := r.PartialAUC(0.25, 0.75, 0)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "partial", raw, 0.25/3+0.25*(1./3+0.5)/2)
	near(t, "normalised", normalised, raw*2)
	acc, _ := Accuracy(score, label, nil)
	near(t, "accuracy", acc, 2./5)
	acc, _ = Accuracy(score, label, []float64{1, 0, 1, 0, 0})
	near(t, "weighted accuracy", acc, 1)
	loss, _ := LogLoss([]float64{0, math.Log(3)}, []float64{1, 0}, []float64{1, 3})
	near(t, "log loss", loss, (math.Ln2+3*math.Log(4))/4)
	c := Confusion{TruePositive: 2, FalsePositive: 1, TrueNegative: 4, FalseNegative: 3}
	near(t, "F1", c.F1(), 0.5)
	near(t, "accuracy", c.Accuracy(), 0.6)
	if (Confusion{}).F1() != 0 || (Confusion{}).Precision() != 0 {
		t.Error("an empty confusion is not 0")
	}
}

func TestPropertiesOfAreas(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 20 {
		score, label, _ := sample(rng, 3000, false)
		auc, err := AUROC(score, label, nil)
		if err != nil {
			t.Fatal(err)
		}
		ap, err := AveragePrecision(score, label, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range score {
			score[i] = 3*score[i] - 70 // keeps the order
		}
		again, _ := AUROC(score, label, nil)
		apAgain, _ := AveragePrecision(score, label, nil)
		if again != auc || apAgain != ap {
			t.Fatalf("an increasing map changed the areas: %v to %v, %v to %v", auc, again, ap, apAgain)
		}
		for i := range score {
			score[i] = -score[i]
		}
		if again, _ = AUROC(score, label, nil); math.Abs(again+auc-1) > 1e-15 {
			t.Fatalf("the reversed scores give %v, and %v before", again, auc)
		}
	}
}

func TestExtremeScores(t *testing.T) {
	inf := math.Inf(1)
	score := []float64{-inf, -math.MaxFloat64, -5e-324, math.Copysign(0, -1), 0, 5e-324, math.MaxFloat64, inf}
	for i, want := range []uint32{7, 6, 5, 3, 4, 2, 1, 0} {
		if got := new(order.Sorter).Descending(score)[i].Index; got != want {
			t.Errorf("place %d goes to row %d, want %d", i, got, want)
		}
	}
	label := []float64{0, 0, 0, 0, 1, 1, 1, 1}
	auc, err := AUROC(score, label, nil)
	near(t, "AUROC", auc, 1-0.5/16)
	if err != nil {
		t.Fatal(err)
	}
	if loss, err := LogLoss([]float64{inf, -inf, 1e300}, []float64{1, -1, 1}, nil); err != nil || loss != 0 {
		t.Errorf("perfect scores have log loss %v, %v", loss, err)
	}
	if loss, err := LogLoss([]float64{inf, 0}, []float64{-1, 1}, []float64{0, 1}); err != nil || !(math.Abs(loss-math.Ln2) <= 1e-15) {
		t.Errorf("an absent row counts: %v, %v", loss, err)
	}
	if loss, err := LogLoss([]float64{inf}, []float64{0}, nil); err != nil || loss != inf {
		t.Errorf("an infinite mistake has log loss %v, %v", loss, err)
	}
}

// The areas do not change where all weights are multiplied, however far.
func TestExtremeWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 50 {
		score, label, weight := sample(rng, 30, true)
		_, want, err := PartialAUC(score, label, weight, 0.1, 0.7, 0)
		if err != nil {
			continue
		}
		for _, factor := range []float64{0x1p-900, 0x1p900} {
			scaled := slices.Clone(weight)
			for i := range scaled {
				scaled[i] *= factor
			}
			if _, got, err := PartialAUC(score, label, scaled, 0.1, 0.7, 0); err != nil || got != want {
				t.Fatalf("factor %v: %v, %v; want %v", factor, got, err, want)
			}
		}
	}
}

func TestResetAsRank(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	var r Ranking
	for _, n := range []int{3000, 5, 4000, 100} {
		score, label, weight := sample(rng, n, true)
		if err := r.Reset(score, label, weight); err != nil {
			t.Fatal(err)
		}
		fresh, err := Rank(score, label, weight)
		if err != nil {
			t.Fatal(err)
		}
		if r.Positives != fresh.Positives || r.Negatives != fresh.Negatives || !slices.Equal(r.groups, fresh.groups) {
			t.Fatalf("%d rows: a reset ranking is not a new one", n)
		}
	}
	score, label, _ := sample(rng, 4000, false)
	if n := allocations.Count(5, func() {
		if r.Reset(score, label, nil) != nil {
			t.Fail()
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	score[3] = math.NaN()
	if r.Reset(score, label, nil) == nil || r.Positives != 0 || len(r.groups) != 0 {
		t.Error("rows left after an error")
	}
}

func TestRefusals(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		score, label, weight []float64
		part                 string
	}{
		{nil, nil, nil, "no rows"},
		{[]float64{1}, []float64{1, 0}, nil, "1 scores, 2 labels"},
		{[]float64{1, 2}, []float64{1, 0}, []float64{1}, "1 weights"},
		{[]float64{1, nan}, []float64{1, 0}, nil, "score of row 1 is NaN"},
		{[]float64{1, 2}, []float64{1, 2}, nil, "label of row 1 is 2"},
		{[]float64{1, 2}, []float64{1, nan}, nil, "label of row 1 is NaN"},
		{[]float64{1, 2}, []float64{1, 0}, []float64{1, -1}, "weight of row 1 is -1"},
		{[]float64{1, 2}, []float64{1, 0}, []float64{inf, 1}, "weight of row 0"},
		{[]float64{1, 2}, []float64{1, 0}, []float64{0, 0}, "sum to 0"},
		{[]float64{1, 2}, []float64{1, 0}, []float64{1e308, 1e308}, "sum to +Inf"},
	} {
		for _, m := range append(All(), mustPartial(t)) {
			if _, err := m.Compute(c.score, c.label, c.weight); err == nil || !strings.Contains(err.Error(), c.part) {
				t.Errorf("%s: %v, want an error that says %q", m.Name, err, c.part)
			}
		}
	}
	if _, err := AUROC([]float64{1, 2}, []float64{1, 1}, nil); err == nil || !strings.Contains(err.Error(), "no negatives") {
		t.Error(err)
	}
	if _, err := AveragePrecision([]float64{1, 2}, []float64{1, 0}, []float64{0, 1}); err == nil || !strings.Contains(err.Error(), "no positives") {
		t.Error(err)
	}
	for _, r := range [][3]float64{{-0.1, 1, 0}, {0, 1.1, 0}, {0.5, 0.5, 0}, {0.6, 0.5, 0}, {nan, 1, 0}, {0, nan, 0}, {0, 1, 1}, {0, 1, -0.1}, {0, 1, nan}} {
		if _, _, err := PartialAUC([]float64{1, 2}, []float64{1, 0}, nil, r[0], r[1], r[2]); err == nil {
			t.Errorf("the region %v was accepted", r)
		}
	}
	if _, err := ConfusionAt([]float64{1}, []float64{1}, nil, nan); err == nil {
		t.Error("a NaN threshold was accepted")
	}
	for _, name := range []string{"", "area", "pauc:", "pauc:0", "pauc:0,2", "pauc:a,b", "pauc:0,0.5x", "pauc:0,0.5,", "pauc:0,0.5,1", "pauc:0,0.5,0.5,0.5", "pauc:0,0.5,nan"} {
		if _, err := Find(name); err == nil {
			t.Errorf("Find(%q) found something", name)
		}
	}
}

func mustPartial(t *testing.T) Metric {
	m, err := Find("pauc:0,0.5")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestDirections(t *testing.T) {
	for _, m := range append(All(), mustPartial(t)) {
		good, err := m.Compute([]float64{1, 2, -1, -2}, []float64{1, 1, 0, -1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		bad, err := m.Compute([]float64{-1, -2, 1, 2}, []float64{1, 1, 0, -1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !m.Direction.Better(good, bad) || m.Direction.Better(bad, good) || m.Direction.Better(good, good) {
			t.Errorf("%s: %v is not better than %v", m.Name, good, bad)
		}
		if !m.Direction.Better(bad, m.Direction.Worst()) || !m.Direction.Better(bad, math.NaN()) || m.Direction.Better(math.NaN(), bad) {
			t.Errorf("%s: the worst value is not the worst", m.Name)
		}
	}
}

func BenchmarkRank(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 5))
	score, label, _ := sample(rng, 1e6, false)
	for i := range score {
		score[i] += rng.Float64()
	}
	for b.Loop() {
		if _, err := AveragePrecision(score, label, nil); err != nil {
			b.Fatal(err)
		}
	}
}
