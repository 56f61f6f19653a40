package metrics

import (
	"math"
	"math/rand/v2"
	"testing"
)

// positivesWithin returns the weight of positives among the share of rows with the highest scores, where
// rows of equal score are in it in part.
func positivesWithin(share float64, score, label, weight []float64) (positives float64) {
	total := 0.0
	for i := range score {
		total += weightOf(weight, i)
	}
	for i := range score {
		if !(label[i] > 0) {
			continue
		}
		above, equal := 0.0, 0.0
		for k := range score {
			if score[k] > score[i] {
				above += weightOf(weight, k)
			} else if score[k] == score[i] {
				equal += weightOf(weight, k)
			}
		}
		if equal > 0 {
			positives += weightOf(weight, i) * math.Min(1, math.Max(0, (share*total-above)/equal))
		}
	}
	return positives
}

func TestLiftAgainstItsDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 2; n < 60; n++ {
		score, label, weight := sample(rng, n, n%2 == 0)
		r, err := Rank(score, label, weight)
		if err != nil {
			t.Fatal(err)
		}
		for _, bins := range []int{1, 3, 10} {
			table, err := r.Lift(bins)
			if (err != nil) != (r.Positives == 0) {
				t.Fatalf("%d rows, %v positive: %v", n, r.Positives, err)
			}
			if err != nil {
				continue
			}
			total := r.Positives + r.Negatives
			for k, b := range table {
				within := positivesWithin(float64(k+1)/float64(bins), score, label, weight)
				here := within - positivesWithin(float64(k)/float64(bins), score, label, weight)
				near(t, "weight", b.Weight, total/float64(bins))
				near(t, "captured", b.Captured, within/r.Positives)
				if want := here * float64(bins) / r.Positives; math.Abs(b.Lift-want) > 1e-9*(1+want) || math.Abs(b.Positives-here) > 1e-9*total {
					t.Fatalf("bin %d of %d has a lift of %v, not %v", k, bins, b.Lift, want)
				}
			}
		}
	}
}

func TestLiftByHand(t *testing.T) {
	r, err := Rank([]float64{4, 3, 2, 1}, []float64{1, -1, 1, -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	table, err := r.Lift(2)
	want := []LiftBin{{2, 1, 3, 1, 0.5}, {2, 1, 1, 1, 1}}
	if err != nil || len(table) != 2 || table[0] != want[0] || table[1] != want[1] {
		t.Errorf("%v, %v; want %v", table, err, want)
	}
	for _, bins := range []int{0, -1, 1e6 + 1} {
		if _, err := r.Lift(bins); err == nil {
			t.Errorf("%d bins were taken", bins)
		}
	}
}

func TestKSAgainstItsDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := 2; n < 60; n++ {
		score, label, weight := sample(rng, n, n%2 == 0)
		r, err := Rank(score, label, weight)
		if err != nil {
			t.Fatal(err)
		}
		distance, at, err := r.KS()
		if (err != nil) != (r.Positives == 0 || r.Negatives == 0) {
			t.Fatalf("%d rows: %v", n, err)
		}
		if err != nil {
			continue
		}
		gap := func(threshold float64) float64 {
			rates := [2]float64{}
			for i, s := range score {
				if s >= threshold && label[i] > 0 {
					rates[0] += weightOf(weight, i) / r.Positives
				} else if s >= threshold {
					rates[1] += weightOf(weight, i) / r.Negatives
				}
			}
			return rates[0] - rates[1]
		}
		best := 0.0
		for _, threshold := range score {
			best = math.Max(best, gap(threshold))
		}
		near(t, "KS", distance, best)
		near(t, "KS at its score", gap(at), best)
	}
	r, err := Rank([]float64{1, 2}, []float64{1, -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if distance, at, err := r.KS(); distance != 0 || !math.IsInf(at, 1) || err != nil {
		t.Errorf("scores in the wrong order have a KS of %v at %v: %v", distance, at, err)
	}
}

func TestLeastCostAgainstItsDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := 2; n < 60; n++ {
		score, label, weight := sample(rng, n, n%2 == 0)
		r, err := Rank(score, label, weight)
		if err != nil {
			t.Fatal(err)
		}
		cost := func(threshold, falsePositive, falseNegative float64) (sum float64) {
			total := 0.0
			for i, s := range score {
				w := weightOf(weight, i)
				total += w
				if s >= threshold && !(label[i] > 0) {
					sum += falsePositive * w
				} else if !(s >= threshold) && label[i] > 0 {
					sum += falseNegative * w
				}
			}
			return sum / total
		}
		for _, costs := range [][2]float64{{1, 1}, {1, 5}, {3, 0.5}, {1e9, 1}, {1, 1e9}} {
			want := cost(math.Inf(1), costs[0], costs[1])
			for _, threshold := range score {
				want = math.Min(want, cost(threshold, costs[0], costs[1]))
			}
			got, at := r.LeastCost(costs[0], costs[1])
			near(t, "least cost", got/(1+want), want/(1+want))
			near(t, "cost at its score", cost(at, costs[0], costs[1])/(1+want), want/(1+want))
		}
	}
	if cost, at := new(Ranking).LeastCost(1, 1); cost != 0 || !math.IsInf(at, 1) {
		t.Errorf("no rows cost %v at %v", cost, at)
	}
}
