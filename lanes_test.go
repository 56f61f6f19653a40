package lanes_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

func rows(t *testing.T, spec string) *sparse.Data {
	t.Helper()
	shape, err := synthetic.ParseShape(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	data, err := shape.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &sparse.Data{X: data.X, Y: data.Y}
}

// The scores of the model that Train returns have the objective that its result tells.
func TestTrainedModelHasItsObjective(t *testing.T) {
	data := rows(t, "onehot:n=500,d=40")
	for _, o := range []lanes.Options{{}, {Bias: true, Lambda: 0.01}, {Settings: solvers.Settings{GapTolerance: 1e-9}}} {
		m, result, err := lanes.Train(context.Background(), data, o)
		if err != nil {
			t.Fatal(err)
		}
		target := o.Settings.GapTolerance
		if target == 0 {
			target = 1e-6
		}
		if result.Status != solvers.Converged || !(result.Gap <= target) {
			t.Errorf("%+v: %v, gap %v", o, result.Status, result.Gap)
		}
		report, err := lanes.Evaluate(context.Background(), m, data, lanes.EvaluateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		lambda, square := o.Lambda, 0.0
		if lambda == 0 {
			lambda = 1. / 500
		}
		for _, w := range result.Weights {
			square += w * w
		}
		if want := report.LogLoss + lambda/2*square; math.Abs(result.Objective-want) > 1e-12 {
			t.Errorf("%+v: the objective is %v, not %v", o, result.Objective, want)
		}
	}
}

func TestTrainTargets(t *testing.T) {
	data := rows(t, "dense:n=200,d=8")
	for i := range data.Y {
		data.Y[i] = float64(i % 7)
	}
	m, _, err := lanes.Train(context.Background(), data, lanes.Options{Loss: kernels.Squared})
	if err != nil || !m.About().Regression {
		t.Fatal(m, err)
	}
}

func TestRefusals(t *testing.T) {
	data := rows(t, "onehot:n=50,d=10")
	several := *data
	several.Y = append([]float64{7}, data.Y[1:]...)
	train := func(d *sparse.Data, o lanes.Options) error {
		_, _, err := lanes.Train(context.Background(), d, o)
		return err
	}
	evaluate := func(m model.Model, d *sparse.Data) error {
		_, err := lanes.Evaluate(context.Background(), m, d, lanes.EvaluateOptions{})
		return err
	}
	trained, _, err := lanes.Train(context.Background(), data, lanes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for want, err := range map[string]error{
		"no rows":               train(nil, lanes.Options{}),
		"3":                     train(&several, lanes.Options{}),
		"lambda is -1":          train(data, lanes.Options{Lambda: -1}),
		"there is no model":     evaluate(nil, data),
		"row 1":                 evaluate(trained, &several),
		"MaxPasses is -1; it m": train(data, lanes.Options{Settings: solvers.Settings{MaxPasses: -1}}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
	if _, err := lanes.Read("no such file"); err == nil {
		t.Error("a file that is not there was read")
	}
}

// A training that begins at the model of another one, of the same problem, is at its end.
func TestTrainBeginsAtAModel(t *testing.T) {
	data := rows(t, "onehot:n=500,d=40")
	first, _, err := lanes.Train(context.Background(), data, lanes.Options{Bias: true})
	if err != nil {
		t.Fatal(err)
	}
	_, result, err := lanes.Train(context.Background(), data, lanes.Options{Bias: true, Initial: first})
	if err != nil || result.Status != solvers.Converged || result.Total.Iterations > 1 {
		t.Errorf("%+v, %v", result, err)
	}
	if _, _, err := lanes.Train(context.Background(), data, lanes.Options{Initial: first}); err == nil || !strings.Contains(err.Error(), "the training has none") {
		t.Errorf("without the bias of the model: %v", err)
	}
}
