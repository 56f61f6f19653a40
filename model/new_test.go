package model

import (
	"bytes"
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// result is one of a solver of that name, with weights 1, 2, 3 and so on.
func result(solver string, weights int) *solvers.Result {
	r := &solvers.Result{Solver: solver, Seed: 5, Status: solvers.Converged}
	for k := range weights {
		r.Weights = append(r.Weights, float64(k+1))
	}
	r.Objective, r.GradientNorm, r.Gap, r.Total.Epochs = 0.5, 0.25, math.NaN(), 7
	return r
}

// TestNewWithoutLoss: a training without a loss is not saved under another one's type.
func TestNewWithoutLoss(t *testing.T) {
	x := generated(t, 60, 10).X
	if m, err := New(result("newton", 10), Training{X: x, Labels: sparse.LabelMap{Positive: 1}}); err == nil {
		t.Errorf("model %v, error %v", m, err)
	}
}

func TestNew(t *testing.T) {
	x := generated(t, 60, 10).X
	two := sparse.LabelMap{Positive: 3, Negative: 2}
	scaler, err := sparse.FitMinMax(x)
	if err != nil {
		t.Fatal(err)
	}
	net := &score.Network{Features: 10, Hidden: []int{4}, Activation: score.ReLU}
	for name, c := range map[string]struct {
		result     *solvers.Result
		training   Training
		solverType string // "" for a perceptron
		logistic   bool
		label      float64 // of scores 1, 2 and so on
	}{
		"logistic":   {result("newton", 10), Training{Loss: loss.Logistic{}, X: x, Labels: two, LabelNames: []string{"yes", "no"}}, "L2R_LR", true, 3},
		"rest":       {result("sdca", 11), Training{X: x.WithBias(2), Labels: sparse.LabelMap{Positive: 3, Negative: -1, Rest: true}, Loss: loss.SquaredHinge{}}, "L2R_L2LOSS_SVC", false, 3},
		"ranking":    {result("adap", 11), Training{Loss: loss.Logistic{}, X: x.WithBias(1), Labels: two, Normalize: NormalizeUnit}, "L2R_L2LOSS_SVC", false, 3},
		"regression": {result("svrg", 10), Training{X: x, Regression: true, Loss: loss.Huber{Delta: 0.5}, Normalize: NormalizeMinMax, Scaler: scaler}, "L2R_L2LOSS_SVR", false, 1},
		"sparse":     {result("elastic-net", 10), Training{Loss: loss.Logistic{}, X: x, Labels: two}, "L1R_LR", true, 3},
		"sparse svm": {result("elastic-net", 10), Training{X: x, Labels: two, Loss: loss.SquaredHinge{}}, "L1R_L2LOSS_SVC", false, 3},
		"classes":    {result("newton", 33), Training{Loss: loss.Logistic{}, X: x.WithBias(1), Classes: []float64{5, 7, 6}, ZeroBased: true}, "L2R_LR", true, 6},
		"perceptron": {result("adap", net.Parameters()), Training{Loss: loss.Logistic{}, X: x, Labels: two, Network: net}, "", false, 3},
	} {
		c.training.Penalty = penalty.Ridge{Lambda: 0.125}
		if name == "sparse" {
			c.training.Penalty = &penalty.GroupLasso{Weight: 0.5, Groups: [][]int{{0, 1}, {2}}, Lambda: 0.125}
		}
		if c.training.Loss == nil {
			c.training.Loss = loss.Logistic{}
		}
		c.result.Minimised = map[string]solvers.Objective{"adap": solvers.AveragePrecision, "elastic-net": solvers.SparseLoss}[c.result.Solver]
		m, err := New(c.result, c.training)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var text bytes.Buffer
		if err := m.Write(&text); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		back, err := Read(&text, name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		a := back.About()
		if linear, is := back.(*Linear); is != (c.solverType != "") || is && (linear.SolverType != c.solverType || linear.Bias != c.training.X.Bias()) {
			t.Errorf("%s: %+v", name, back)
		}
		if back.Logistic() != c.logistic || a.Features != 10 || a.Regression != c.training.Regression || a.Rest != c.training.Labels.Rest || back.Label([]float64{1, 2, 3}[:a.Width()]...) != c.label {
			t.Errorf("%s: %+v", name, back)
		}
		want := &Meta{
			Program: "lanes", Solver: c.result.Solver, Loss: c.training.Loss.String(), LossDelta: c.training.Loss.Parameter(), Lambda: 0.125, Rows: 60,
			Seed: 5, Status: "converged", Epochs: 7, Objective: 0.5, GradientNorm: 0.25, Normalize: a.Meta.Normalize, Scaler: c.training.Scaler,
			Labels: a.Labels(), Rest: a.Rest, ZeroBased: c.training.ZeroBased, LabelNames: c.training.LabelNames,
			WeightsHash: solvers.HashWeights(c.result.Weights), Checksum: a.Meta.Checksum,
		}
		if name == "sparse" {
			want.L1, want.Groups = 0.5, 2
		}
		if !reflect.DeepEqual(a.Meta, want) {
			t.Errorf("%s: metadata %+v, want %+v", name, a.Meta, want)
		}
		if word := a.Word(3); name == "logistic" && word != "yes" || name == "ranking" && word != "3" {
			t.Errorf("%s: 3 is called %q", name, word)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	x := generated(t, 60, 10).X
	two := sparse.LabelMap{Positive: 3, Negative: 2}
	endless := result("newton", 10)
	endless.Weights[3] = math.Inf(1)
	for says, c := range map[string]struct {
		result   *solvers.Result
		training Training
	}{
		"rows of its training":     {result("newton", 10), Training{Labels: two}},
		"a model is made of":       {nil, Training{Loss: loss.Logistic{}, X: x, Labels: two}},
		"10 weights where 11":      {result("newton", 10), Training{Loss: loss.Logistic{}, X: x.WithBias(1), Labels: two}},
		"weight 4 is +Inf":         {endless, Training{Loss: loss.Logistic{}, X: x, Labels: two}},
		"not two different":        {result("newton", 10), Training{Loss: loss.Logistic{}, X: x}},
		"needs a scaler":           {result("newton", 10), Training{Loss: loss.Logistic{}, X: x, Labels: two, Normalize: NormalizeMinMax}},
		"the name of label 2":      {result("newton", 10), Training{Loss: loss.Logistic{}, X: x, Labels: two, LabelNames: []string{"yes", "yes"}}},
		"1 names of 2 labels":      {result("newton", 10), Training{Loss: loss.Logistic{}, X: x, Labels: two, LabelNames: []string{"yes"}}},
		"a network for 0 columns":  {result("adap", 10), Training{Loss: loss.Logistic{}, X: x, Labels: two, Network: new(score.Network)}},
		"is for two classes and 9": {result("adap", 22), Training{Loss: loss.Logistic{}, X: x, Labels: two, Network: &score.Network{Features: 9, Hidden: []int{2}}}},
		"(in the result of adap)":  {result("adap", 9), Training{Loss: loss.Logistic{}, X: x, Labels: two}},
	} {
		if m, err := New(c.result, c.training); err == nil || m != nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one that says %q", err, says)
		}
	}
}

// TestValidation: a run that measures itself keeps the point that measured best.
func TestValidation(t *testing.T) {
	train, test := generated(t, 400, 10), generated(t, 400, 10)
	auc, err := metrics.Find("auc")
	if err != nil {
		t.Fatal(err)
	}
	v := &Validation{Metric: auc, Model: score.Linear{X: test.X}, Y: test.Y}
	trace := &solvers.Trace{}
	r, err := erm.Solve(context.Background(), &erm.Problem{Loss: loss.Logistic{}, X: train.X, Y: train.Y, Penalty: penalty.Ridge{Lambda: 1e-4}}, erm.SVRG{}, solvers.Settings{Validation: v, Recorder: trace})
	if err != nil {
		t.Fatal(err)
	}
	scores := make([]float64, len(test.Y))
	if err := test.X.MulVec(nil, scores, r.Weights); err != nil {
		t.Fatal(err)
	}
	want, err := metrics.AUROC(scores, test.Y, nil)
	best := math.Inf(-1)
	for _, p := range *trace {
		best = max(best, p.Metric)
	}
	if err != nil || r.Metric != want || r.Metric != best || v.Name() != "auc" || !v.HigherIsBetter() {
		t.Errorf("%s: %v, the best point has %v, its scores %v: %v", v.Name(), r.Metric, best, want, err)
	}
	for _, bad := range []*Validation{{}, {Metric: auc}, {Metric: auc, Model: v.Model, Y: test.Y[1:]}} {
		if _, err := bad.Measure(r.Weights); err == nil {
			t.Errorf("%+v measured something", bad)
		}
	}
}
