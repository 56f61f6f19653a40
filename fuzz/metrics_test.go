package fuzz

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/metrics"
)

// FuzzMetrics gives scores, labels and weights of any kind to every metric: each one refuses them
// or returns a number in its range, and ranking metrics agree with a ranking that is used a second
// time.
func FuzzMetrics(f *testing.F) {
	seedBytes(f)
	var again metrics.Ranking
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		n := in.below(60)
		score, label := in.floats(n), make([]float64, n)
		for i := range label {
			label[i] = float64(in.below(3) - 1)
		}
		var weight []float64
		if in.below(2) == 1 {
			weight = in.floats(n)
		}
		low, high, minTPR := in.float(), in.float(), in.float()
		within := func(name string, v float64, err error, least, most float64) {
			if err == nil && !(v >= least && v <= most) {
				t.Fatalf("%s is %v for %v, %v, %v", name, v, score, label, weight)
			}
		}
		const above = 1 + 1e-12
		r, err := metrics.Rank(score, label, weight)
		if err2 := again.Reset(score, label, weight); (err == nil) != (err2 == nil) {
			t.Fatalf("Rank: %v, Reset: %v", err, err2)
		}
		if err == nil {
			v, err := r.AveragePrecision()
			within("average precision", v, err, 0, above)
			if u, _ := again.AveragePrecision(); err == nil && u != v {
				t.Fatalf("average precision %v, a reset ranking %v", v, u)
			}
			v, err = r.AUROC()
			within("AUROC", v, err, 0, above)
			for _, high := range []float64{high, math.Nextafter(low, 2), math.Nextafter(math.Nextafter(low, 2), 2)} {
				raw, v, err := r.PartialAUC(low, high, 0)
				within("partial AUC", v, err, 0, 1)
				within("partial AUC not divided", raw, err, 0, high-low)
				for _, minTPR := range []float64{minTPR, math.Abs(minTPR - math.Trunc(minTPR)), math.Nextafter(1, 0)} {
					raw, v, err := r.PartialAUC(low, high, minTPR)
					within("two-way partial AUC", v, err, 0, 1)
					within("two-way partial AUC not divided", raw, err, 0, (high-low)*(1-minTPR))
				}
			}
		}
		v, err := metrics.LogLoss(score, label, weight)
		within("log loss", v, err, 0, math.Inf(1))
		v, err = metrics.Accuracy(score, label, weight)
		within("accuracy", v, err, 0, above)
		v, err = metrics.Brier(score, label, weight)
		within("Brier", v, err, 0, above)
		if table, err := metrics.Calibration(score, label, weight, 1+in.below(20)); err == nil {
			within("calibration error", metrics.CalibrationError(table), nil, 0, above)
		}
		if c, err := metrics.ConfusionAt(score, label, weight, low); err == nil {
			within("precision", c.Precision(), nil, 0, 1)
			within("recall", c.Recall(), nil, 0, 1)
		}
	})
}
