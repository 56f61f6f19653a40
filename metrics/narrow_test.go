package metrics

import (
	"math"
	"math/rand/v2"
	"testing"
)

// curveAt are the least and the greatest height of the ROC curve at a false-positive
// rate, between its points by straight lines.
func curveAt(points []ROCPoint, rate float64) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for k, b := range points[1:] {
		a := points[k]
		if rate < a.FalsePositiveRate || rate > b.FalsePositiveRate {
			continue
		}
		heights := []float64{a.TruePositiveRate, b.TruePositiveRate}
		if a.FalsePositiveRate < b.FalsePositiveRate {
			part := (rate - a.FalsePositiveRate) / (b.FalsePositiveRate - a.FalsePositiveRate)
			heights = []float64{a.TruePositiveRate + part*(b.TruePositiveRate-a.TruePositiveRate)}
		}
		for _, h := range heights {
			least, most = min(least, h), max(most, h)
		}
	}
	return least, most
}

// TestNarrowRanges: the mean height in a range lies between the heights at its ends, up to some
// ulps. This holds however narrow the range is and wherever it lies.
func TestNarrowRanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 11))
	ulps := func(x float64, n int) float64 {
		for range max(n, -n) {
			x = math.Nextafter(x, math.Inf(n))
		}
		return min(max(x, 0), 1)
	}
	for trial := range 20000 {
		score, label, weight := sample(rng, 2+rng.IntN(20), trial%2 == 0)
		if trial%4 == 0 {
			for i := range weight {
				weight[i] *= 0.1 * math.Ldexp(1, 40*(trial%41-20))
			}
		}
		r, err := Rank(score, label, weight)
		if err != nil {
			t.Fatal(err)
		}
		curve, err := r.ROCCurve()
		if err != nil {
			t.Fatal(err)
		}
		low := rng.Float64()
		switch rng.IntN(4) {
		case 0: // at a corner, or near it
			low = ulps(curve[rng.IntN(len(curve))].FalsePositiveRate, rng.IntN(7)-3)
		case 1:
			low = math.Ldexp(low, -rng.IntN(1075))
		}
		high := ulps(low, 1+rng.IntN(6))
		if low >= high {
			continue
		}
		raw, mean, err := r.PartialAUC(low, high, 0)
		if err != nil {
			t.Fatal(err)
		}
		if minTPR := rng.Float64(); err == nil {
			if _, two, err := r.PartialAUC(low, high, minTPR); err != nil || !(two >= 0 && two <= 1) {
				t.Fatalf("%v, %v, %v from %v to %v, above %v: %v (%v)", score, label, weight, low, high, minTPR, two, err)
			}
		}
		least, _ := curveAt(curve, ulps(low, -8))
		_, most := curveAt(curve, ulps(high, 8))
		if !(mean >= max(0, least-1e-12) && mean <= min(1, most+1e-12)) || !(raw >= 0 && raw <= high-low) {
			t.Fatalf("%v, %v, %v from %v to %v: area %v, mean height %v; the curve goes from %v to %v there", score, label, weight, low, high, raw, mean, least, most)
		}
	}
	for _, c := range [][2][]float64{{{-1, 6, -3.5}, {-1, 1, -1}}, {{-1, -1, -3.5}, {1, 1, -1}}} {
		for low := 1e-3; low < 1; low += 1e-3 {
			for n := 1; n < 5; n++ {
				if _, mean, err := PartialAUC(c[0], c[1], nil, low, ulps(low, n), 0); err != nil || mean != 1 {
					t.Fatalf("%v: %v from %v, %d ulps: %v, want 1", c, mean, low, n, err)
				}
			}
		}
		for _, least := range []float64{47, 12499} {
			high := least * math.SmallestNonzeroFloat64
			if raw, mean, err := PartialAUC(c[0], c[1], nil, 0, high, 0); err != nil || mean != 1 || raw != high {
				t.Fatalf("%v: %v and %v up to %v: %v, want 1 and all of it", c, mean, raw, high, err)
			}
		}
	}
}
