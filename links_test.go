package lanes_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// linkedRows are rows of two columns whose labels are drawn by a link.
func linkedRows(t *testing.T, rows int, p func(z float64) float64) (data *sparse.Data, values []float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(4, 9))
	values = make([]float64, 2*rows)
	y := make([]float64, rows)
	for i := range y {
		values[2*i], values[2*i+1] = r.NormFloat64(), r.NormFloat64()
		if y[i] = 3; r.Float64() < p(0.4+values[2*i]-0.5*values[2*i+1]) {
			y[i] = 7
		}
	}
	x, err := sparse.NewDense(nil, &sparse.Dense{Rows: rows, Columns: 2, Float64: values, RowStride: 2, ColumnStride: 1})
	if err != nil {
		t.Fatal(err)
	}
	return &sparse.Data{X: x, Y: y}, values
}

// TestLinksOfLabels: probabilities, labels and measures of a model are by the link of its loss, which
// finds the weights that labels were drawn by.
func TestLinksOfLabels(t *testing.T) {
	t.Parallel()
	for _, phi := range []loss.Binomial{loss.Probit{}, loss.Cloglog{}} {
		data, values := linkedRows(t, 6000, phi.Probability)
		for _, lambda := range []float64{0, 1e-6} {
			f, err := lanes.Train(t.Context(), data, lanes.Options{Loss: phi, Penalty: lanes.L2(lambda), Intercept: lanes.FreeIntercept, Holdout: 0.2})
			if err != nil || f.Result.Status != solvers.Converged {
				t.Fatalf("%v, lambda %v: %v, %v", phi, lambda, f, err)
			}
			m := f.Model.(*model.Linear)
			for j, want := range []float64{1, -0.5, 0.4} {
				if math.Abs(m.Weights[j]-want) > 0.1 {
					t.Errorf("%v: weight %d is %v, not %v", phi, j, m.Weights[j], want)
				}
			}
			report, err := lanes.Evaluate(t.Context(), m, data, lanes.EvaluateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			sum, right, asymmetric := 0.0, 0.0, 0
			for i, y := range data.Y {
				columns, values := []int{0, 1}, values[2*i:2*i+2]
				score, _ := m.Score(columns, values)
				p, err := m.Probability(columns, values)
				if want := phi.Probability(score); err != nil || p != want {
					t.Fatalf("%v: a probability of %v, not %v: %v", phi, p, want, err)
				}
				label, _ := m.Predict(columns, values)
				if (label == 7) != (p > 0.5) {
					t.Fatalf("%v: the label %v of a probability of %v", phi, label, p)
				}
				if (label == 7) != (score > 0) {
					asymmetric++
				}
				if label == y {
					right++
				}
				if y == 3 {
					p = 1 - p
				}
				sum -= math.Log(p)
			}
			n := float64(len(data.Y))
			if math.Abs(report.LogLoss-sum/n) > 1e-12 || math.Abs(report.Accuracy-right/n) > 1e-12 || report.CalibrationError > 0.03 {
				t.Errorf("%v: log loss %v, not %v; accuracy %v, not %v; calibration %v", phi, report.LogLoss, sum/n, report.Accuracy, right/n, report.CalibrationError)
			}
			if odd := phi == (loss.Cloglog{}); odd != (asymmetric > 100) || !odd && asymmetric > 0 {
				t.Errorf("%v: %d labels differ from the sign of the score", phi, asymmetric)
			}
		}
	}
}

// TestLinksWithoutMinimum: separable rows are said to be so.
func TestLinksWithoutMinimum(t *testing.T) {
	t.Parallel()
	x, err := sparse.NewDense(nil, &sparse.Dense{Rows: 4, Columns: 1, Float64: []float64{-2, -1, 1, 2}, RowStride: 1, ColumnStride: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, phi := range []loss.Loss{loss.Probit{}, loss.Cloglog{}} {
		f, err := lanes.Train(t.Context(), &sparse.Data{X: x, Y: []float64{-1, -1, 1, 1}}, lanes.Options{Loss: phi, Penalty: lanes.L2(0), Intercept: lanes.FreeIntercept})
		if err != nil || f.Result.Status != solvers.NoMinimum {
			t.Errorf("%v: %v, %v", phi, f.Result.Status, err)
		}
	}
}

// TestCalibratedLinks: a calibration takes the place of the link.
func TestCalibratedLinks(t *testing.T) {
	t.Parallel()
	data, _ := linkedRows(t, 1500, loss.Cloglog{}.Probability)
	for _, how := range []string{lanes.Sigmoid, lanes.Isotone} {
		f, err := lanes.Train(t.Context(), data, lanes.Options{Loss: loss.Cloglog{}, Intercept: lanes.FreeIntercept, Calibrate: how})
		if err != nil {
			t.Fatal(err)
		}
		r, err := lanes.Evaluate(t.Context(), f.Model, data, lanes.EvaluateOptions{})
		if before, after := *f.Calibration.Before.LogLoss, *f.Calibration.After.LogLoss; err != nil || !(after < before+0.01) || math.Abs(r.LogLoss-after) > 0.02 {
			t.Errorf("%s: a log loss of %v, then %v, and %v of the model: %v", how, before, after, r.LogLoss, err)
		}
		if f.Model.About().Binomial() != nil {
			t.Errorf("%s: the link counts beside the calibration", how)
		}
	}
}
