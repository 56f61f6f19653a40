package lanes_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/inference"
	"github.com/lanes-go/lanes/internal/testing/shardstest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/table"
)

// sales is a table of sales by size and town, with a note of whose they are.
func sales(t *testing.T) *sparse.Data {
	t.Helper()
	text := "sold,size,town,owner\n"
	for i := range 60 {
		size := 10 + float64(i*7%23)
		sold := 3 + 0.5*size + []float64{0, 4, -2}[i%3] + math.Sin(float64(i))
		text += fmt.Sprintf("%.6f,%v,%s,%d\n", sold, size, []string{"ayr", "bath", "cork"}[i%3], i%8)
	}
	ctx := context.Background()
	s, err := table.Open("-", table.Options{Stdin: strings.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	r, err := table.Infer(ctx, s, table.Wanted{Target: "sold", Group: "owner"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := table.Fit(ctx, s, r)
	if err != nil {
		t.Fatal(err)
	}
	data, err := e.Encode(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestInference: weights of a table are told in the units of its numbers, with a reference for each
// category, and a model tells later what its training told.
func TestInference(t *testing.T) {
	t.Parallel()
	ctx, data := context.Background(), sales(t)
	o := lanes.Options{Kind: lanes.Regression, Penalty: lanes.NoPenalty, Inference: &inference.Options{Covariance: inference.Cluster}}
	f, err := lanes.Train(ctx, data, o)
	if err != nil {
		t.Fatal(err)
	}
	got := f.Inference
	if got == nil || len(got.Coefficients) != 5 || got.Clusters != 8 || got.Weights != 4 || len(got.Tests) != 1 || got.Tests[0].Name != "town" || got.Tests[0].DF != 2 {
		t.Fatalf("%+v", got)
	}
	for k, want := range []struct {
		name      string
		estimate  float64
		reference bool
	}{{"(intercept)", 3, false}, {"size", 0.5, false}, {"town=ayr", 0, true}, {"town=bath", 4, false}, {"town=cork", -2, false}} {
		if c := got.Coefficients[k]; c.Name != want.name || c.Reference != want.reference || math.Abs(float64(c.Estimate)-want.estimate) > 5*float64(c.Error)+1e-9 || (c.Error > 0) == want.reference {
			t.Errorf("%+v, want %+v", c, want)
		}
	}
	// The sums of the squares of the numbers as they are give the same errors.
	plain, err := lanes.Train(ctx, data, lanes.Options{Kind: lanes.Regression, Penalty: lanes.NoPenalty, Inference: &inference.Options{}})
	if err != nil || plain.Inference.Tests[0].Statistic == got.Tests[0].Statistic || plain.Inference.Coefficients[1].Estimate != got.Coefficients[1].Estimate {
		t.Errorf("Fisher: %v, %+v", err, plain.Inference)
	}
	later, err := lanes.Inference(ctx, f.Model, data, inference.Options{Covariance: inference.Cluster}, 1)
	if err != nil || fmt.Sprint(later.Coefficients) != fmt.Sprint(got.Coefficients) {
		t.Errorf("later: %v, %v; at the training %v", err, later, got)
	}
	other := *data
	other.Y = append([]float64{1e3}, data.Y[1:]...)
	var option *lanes.OptionError
	if _, err := lanes.Inference(ctx, f.Model, &other, inference.Options{}, 1); !errors.As(err, &option) || !strings.Contains(err.Error(), "no minimum") {
		t.Errorf("other rows: %v", err)
	}
}

// TestInferenceNormalized: columns that Normalize scales are told in their own units.
func TestInferenceNormalized(t *testing.T) {
	t.Parallel()
	b := sparse.NewBuilder(sparse.BuilderOptions{})
	var y []float64
	for i := range 40 {
		if err := b.AddRow([]int{0, 1}, []float64{100 + float64(i%9), float64(i%5) - 0.5}); err != nil {
			t.Fatal(err)
		}
		y = append(y, float64(i%9)+2*float64(i%5)+math.Cos(float64(i)))
	}
	x, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	var want *inference.Table
	for _, how := range []string{"none", "minmax", "std"} {
		for _, intercept := range []lanes.Intercept{lanes.FreeIntercept, lanes.PenalisedIntercept} {
			f, err := lanes.Train(context.Background(), &sparse.Data{X: x, Y: y}, lanes.Options{
				Kind: lanes.Regression, Penalty: lanes.NoPenalty, Intercept: intercept, Normalize: how, Inference: &inference.Options{Covariance: inference.HC2},
			})
			if err != nil {
				t.Fatal(how, err)
			}
			if want == nil {
				want = f.Inference
			}
			for k, c := range f.Inference.Coefficients {
				of := want.Coefficients[k]
				if math.Abs(float64(c.Estimate-of.Estimate)) > 1e-6*float64(of.Error) || math.Abs(float64(c.Error-of.Error)) > 1e-6*float64(of.Error) {
					t.Errorf("%s, %v: %+v, unscaled %+v", how, intercept, c, of)
				}
			}
		}
	}
}

// TestInferenceRefused: what has no errors of weights is refused before the run.
func TestInferenceRefused(t *testing.T) {
	t.Parallel()
	ctx, data := context.Background(), sales(t)
	sound := lanes.Options{Kind: lanes.Regression, Penalty: lanes.NoPenalty, Inference: &inference.Options{}}
	for want, change := range map[string]func(o *lanes.Options, data *sparse.Data){
		"set Penalty to 0":  func(o *lanes.Options, _ *sparse.Data) { o.Penalty = lanes.L2(0.1) },
		"has no likelihood": func(o *lanes.Options, _ *sparse.Data) { o.Loss = loss.Huber{Delta: 1} },
		"have no groups":    func(o *lanes.Options, data *sparse.Data) { o.Inference.Covariance, data.Query = inference.Cluster, nil },
		"does not minimise": func(o *lanes.Options, data *sparse.Data) {
			o.Kind, o.Solver, data.Y = lanes.TwoClasses, "adap", signs(60)
		},
		"lanes info MODEL --inference DATA": func(o *lanes.Options, _ *sparse.Data) {
			o.Inference.Covariance, o.Settings.Shards = inference.Cluster, 1
			shardstest.Run(1, func(ranks solvers.Ranks) error { o.Settings.Ranks = ranks; return nil })
		},
		"leave ClassWeight": func(o *lanes.Options, data *sparse.Data) {
			o.Kind, o.ClassWeight, data.Y = lanes.TwoClasses, lanes.Balanced, signs(60)
		},
		"two classes, or":   func(o *lanes.Options, data *sparse.Data) { o.Kind, data.Y = lanes.OneVsRest, thirds(60) },
		`no covariance "x"`: func(o *lanes.Options, _ *sparse.Data) { o.Inference.Covariance = "x" },
	} {
		o, own, errs := sound, *data, *sound.Inference
		o.Inference = &errs
		change(&o, &own)
		if f, err := lanes.Train(ctx, &own, o); err == nil || !strings.Contains(err.Error(), want) || f != nil && f.Inference != nil {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := lanes.CrossValidate(ctx, data, lanes.Search{Options: sound}); err == nil || !strings.Contains(err.Error(), "not for a search") {
		t.Errorf("folds: %v", err)
	}
	separable := *data
	separable.Y = make([]float64, 60)
	for i := range separable.Y {
		separable.Y[i] = float64(2*(i%3/2) - 1)
	}
	o := sound
	o.Kind = lanes.TwoClasses
	if f, err := lanes.Train(ctx, &separable, o); err != nil || f.Inference != nil {
		t.Errorf("without a minimum: %v, %+v", err, f.Inference)
	}
}

func signs(n int) []float64 {
	y := make([]float64, n)
	for i := range y {
		y[i] = float64(i%2*2 - 1)
	}
	return y
}

func thirds(n int) []float64 {
	y := make([]float64, n)
	for i := range y {
		y[i] = float64(i % 3)
	}
	return y
}
