package lanes_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/table"
)

// prices writes a table of prices whose logarithms have errors of the deviation 0.7.
func prices(t *testing.T) (path string) {
	t.Helper()
	r := rand.New(rand.NewPCG(2, 8))
	text := "x,weight,price\n"
	for range 800 {
		x := r.NormFloat64()
		text += fmt.Sprintf("%v,%v,%v\n", x, 1+r.IntN(3), math.Exp(3+0.5*x+0.7*r.NormFloat64()))
	}
	path = filepath.Join(t.TempDir(), "prices.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func readPrices(t *testing.T, path, target, weight string) *sparse.Data {
	t.Helper()
	return encoded(t, path, table.Wanted{Target: target, Weight: weight})
}

// TestLoggedTarget: the predictions of a model of logarithms are exp(score) times the weighted mean of
// exp(residual), also from a file; the errors of eval are in the units of the target, and the errors
// of training say that they are of logarithms.
func TestLoggedTarget(t *testing.T) {
	t.Parallel()
	path := prices(t)
	for _, weight := range []string{"", "weight"} {
		data, plain := readPrices(t, path, "log(price)", weight), readPrices(t, path, "price", weight)
		f, err := lanes.Train(t.Context(), data, lanes.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := f.Model.(*model.Linear)
		scores, err := m.Scores(nil, nil, data.X)
		if err != nil {
			t.Fatal(err)
		}
		sum, mass := 0.0, 0.0
		for i, y := range plain.Y {
			s := 1.0
			if weight != "" {
				s = plain.Weight[i]
			}
			sum, mass = sum+s*y/math.Exp(scores[i]), mass+s
		}
		if !m.Logged() || math.Abs(m.Meta.Smear-sum/mass) > 1e-12 || math.Abs(m.Meta.Smear-math.Exp(0.245)) > 0.1 {
			t.Fatalf("weights %q: smear %v, not %v", weight, m.Meta.Smear, sum/mass)
		}
		file := filepath.Join(t.TempDir(), "m")
		if err := model.WriteFile(file, m); err != nil {
			t.Fatal(err)
		}
		read, err := model.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		squares, absolute, total := 0.0, 0.0, 0.0
		for i, y := range plain.Y {
			want := sum / mass * math.Exp(scores[i])
			if got := read.Label(scores[i]); math.Abs(got-want) > 1e-12*want {
				t.Fatalf("row %d: a prediction of %v, not %v", i, got, want)
			}
			s := 1.0
			if weight != "" {
				s = plain.Weight[i]
			}
			squares, absolute, total = squares+s*(want-y)*(want-y), absolute+s*math.Abs(want-y), total+s*(want-y)
		}
		r, err := lanes.Evaluate(t.Context(), read, data, lanes.EvaluateOptions{})
		if err != nil || math.Abs(r.MeanSquaredError/(squares/mass)-1) > 1e-12 || math.Abs(r.MeanAbsoluteError/(absolute/mass)-1) > 1e-12 || r.Targets == nil || r.Deviance == r.Deviance {
			t.Errorf("mean squared error %v, not %v; absolute %v, not %v: %v", r.MeanSquaredError, squares/mass, r.MeanAbsoluteError, absolute/mass, err)
		}
		if math.Abs(total/mass) > 1.5 { // of some 27
			t.Errorf("predictions are %v too high in the mean", total/mass)
		}
		if f.Metrics["train_mse_of_log"] < 0.3 || f.Metrics["train_mse_of_log"] > 0.7 {
			t.Errorf("metrics %v", f.Metrics)
		}
		if f, err = lanes.Train(t.Context(), data, lanes.Options{Loss: loss.Quantile{}}); err != nil || f.Model.About().Meta.Smear != 1 {
			t.Errorf("a median: %v", err)
		}
	}
}

// TestLoggedRefused: what a logarithm does not go with is refused, with a way out.
func TestLoggedRefused(t *testing.T) {
	t.Parallel()
	data := readPrices(t, prices(t), "log(price)", "")
	for want, o := range map[string]lanes.Options{
		"link of its own":  {Loss: loss.Poisson{}},
		"for classes":      {Loss: loss.Probit{}},
		"name the column":  {Kind: lanes.OneVsRest},
		"classes have not": {Positive: "3"},
		"ranks":            {Solver: "adap"},
	} {
		if _, err := lanes.Train(t.Context(), data, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
