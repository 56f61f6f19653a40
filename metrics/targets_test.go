package metrics

import (
	"math"
	"math/big"
	"strings"
	"testing"
)

// squares returns the weighted sum of squared distances in 200 bits.
func squares(score, target, weight []float64) *big.Float {
	sum := new(big.Float).SetPrec(200)
	for i := range target {
		d := new(big.Float).SetPrec(200).Sub(big.NewFloat(score[i]), big.NewFloat(target[i]))
		sum.Add(sum, d.Mul(d, d).Mul(d, big.NewFloat(weight[i])))
	}
	return sum
}

func quotient(a, b *big.Float) float64 {
	v, _ := new(big.Float).Quo(a, b).Float64()
	return v
}

// TestTargets compares the metrics of targets with their definitions in 200 bits.
func TestTargets(t *testing.T) {
	for _, n := range []int{2, 3, 1000} {
		for _, shift := range []float64{0, 1e8} {
			score, target, weight, ones := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range n {
				target[i] = shift + math.Sin(float64(3*i+1))
				score[i] = target[i] + 0.3*math.Cos(float64(7*i))
				weight[i], ones[i] = float64(i%4)*1.75, 1
			}
			for _, w := range [][]float64{weight, ones} {
				total, mean := new(big.Float).SetPrec(200), new(big.Float).SetPrec(200)
				for i := range n {
					total.Add(total, big.NewFloat(w[i]))
					mean.Add(mean, new(big.Float).SetPrec(200).Mul(big.NewFloat(w[i]), big.NewFloat(target[i])))
				}
				middle := make([]float64, n)
				for i := range middle {
					middle[i] = quotient(mean, total)
				}
				given := w
				if &w[0] == &ones[0] {
					given = nil
				}
				mse, err := MeanSquaredError(score, target, given)
				if want := quotient(squares(score, target, w), total); err != nil || math.Abs(mse-want) > 1e-14*want {
					t.Errorf("%d rows: the mean squared error is %v, not %v, %v", n, mse, want, err)
				}
				mae, sum := 0.0, new(big.Float).SetPrec(200)
				for i := range n {
					d := new(big.Float).SetPrec(200).Sub(big.NewFloat(score[i]), big.NewFloat(target[i]))
					sum.Add(sum, d.Mul(d.Abs(d), big.NewFloat(w[i])))
				}
				if mae, err = MeanAbsoluteError(score, target, given); err != nil || math.Abs(mae-quotient(sum, total)) > 1e-8*mae || shift == 0 && math.Abs(mae-quotient(sum, total)) > 1e-14*mae {
					t.Errorf("%d rows: the mean absolute error is %v, not %v, %v", n, mae, quotient(sum, total), err)
				}
				if n == 2 && given != nil {
					continue // one of the two rows counts
				}
				r2, err := R2(score, target, given)
				if want := 1 - quotient(squares(score, target, w), squares(middle, target, w)); err != nil || math.Abs(r2-want) > 1e-7 || shift == 0 && math.Abs(r2-want) > 1e-14 {
					t.Errorf("%d rows: R2 is %v, not %v, %v", n, r2, want, err)
				}
			}
		}
	}
}

func TestTargetsAtTheEdges(t *testing.T) {
	inf := math.Inf(1)
	if mse, err := MeanSquaredError([]float64{1e200, 1}, []float64{0, 1}, nil); mse != inf || err != nil {
		t.Errorf("an error that overflows is %v, %v", mse, err)
	}
	if mae, err := MeanAbsoluteError([]float64{-1e308, 1e308}, []float64{1e308, -1}, nil); mae != inf || err != nil {
		t.Errorf("an absolute error that overflows is %v, %v", mae, err)
	}
	if mse, err := MeanSquaredError([]float64{1e200, 1}, []float64{0, 3}, []float64{0, 2}); mse != 4 || err != nil {
		t.Errorf("a row of weight 0 counts: %v, %v", mse, err)
	}
	if r2, err := R2([]float64{7, 2, 2, 2}, []float64{9, 1, 2, 3}, []float64{0, 1, 1, 1}); r2 != 0 || err != nil {
		t.Errorf("R2 of the mean is %v, %v", r2, err)
	}
	for says, compute := range map[string]func() (float64, error){
		"all targets are 0.1":  func() (float64, error) { return R2(make([]float64, 3), []float64{0.1, 0.1, 0.1}, nil) },
		"all targets are 2":    func() (float64, error) { return R2(make([]float64, 2), []float64{1, 2}, []float64{0, 1}) },
		"variance of the":      func() (float64, error) { return R2(make([]float64, 2), []float64{-1e200, 1e200}, nil) },
		"target of row 1 is +": func() (float64, error) { return R2(make([]float64, 2), []float64{0, inf}, nil) },
		"R2: no rows":          func() (float64, error) { return R2(nil, nil, nil) },
		"score of row 0":       func() (float64, error) { return MeanSquaredError([]float64{inf - inf}, []float64{0}, nil) },
		"1 scores, 2 labels":   func() (float64, error) { return MeanSquaredError([]float64{1}, []float64{0, 1}, nil) },
		"the weight of row 0":  func() (float64, error) { return MeanSquaredError([]float64{1}, []float64{1}, []float64{-1}) },
	} {
		if v, err := compute(); err == nil || !strings.Contains(err.Error(), says) || v != 0 {
			t.Errorf("%v, %v; want an error that says %q", v, err, says)
		}
	}
}
