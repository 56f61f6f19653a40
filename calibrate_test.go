package lanes_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/sparse"
)

// noisy draws rows of three columns whose label, one of some classes, is uncertain.
func noisy(t *testing.T, classes int) *sparse.Data {
	t.Helper()
	r := rand.New(rand.NewPCG(4, 4))
	b := sparse.NewBuilder(sparse.BuilderOptions{})
	data := new(sparse.Data)
	for range 300 {
		x := []float64{r.NormFloat64(), r.NormFloat64(), 1}
		if err := b.AddRow([]int{0, 1, 2}, x); err != nil {
			t.Fatal(err)
		}
		y := float64(r.IntN(classes))
		if r.Float64() < 0.6 {
			y = math.Floor(float64(classes) * (0.5 + math.Atan(x[0]+0.5*x[1])/math.Pi))
		}
		data.Y = append(data.Y, y)
		data.Weight = append(data.Weight, 0.5+float64(r.IntN(3)))
	}
	var err error
	if data.X, err = b.Build(); err != nil {
		t.Fatal(err)
	}
	return data
}

// TestCalibrate: the slopes and intercepts make the log loss of the folds' scores least, and the model
// has them in its weights.
func TestCalibrate(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, c := range []struct {
		name    string
		classes int
		how     string
		o       lanes.Options
	}{
		{"hinge", 2, lanes.Sigmoid, lanes.Options{Loss: loss.SquaredHinge{}}},
		{"with an intercept", 2, lanes.Sigmoid, lanes.Options{Intercept: lanes.FreeIntercept, ClassWeight: lanes.ClassWeight{Positive: 5, Negative: 1}}},
		{"with a bias", 2, lanes.Sigmoid, lanes.Options{Loss: loss.SquaredHinge{}, Intercept: lanes.PenalisedIntercept}},
		{"rest", 3, lanes.Sigmoid, lanes.Options{Kind: lanes.OneVsRest}},
		{"softmax", 3, lanes.Temperature, lanes.Options{Kind: lanes.Softmax, Penalty: lanes.L2(0.1)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := noisy(t, c.classes)
			o := c.o
			o.Calibrate = c.how
			search := lanes.Search{Options: o, Folds: 4, One: true}
			f, err := lanes.CrossValidate(ctx, data, search)
			if err != nil {
				t.Fatal(err)
			}
			got := f.Calibration
			width := f.About().Width()
			if got == nil || got.Method != c.how || got.Folds != 4 || len(got.Slopes) != width || f.About().Meta.Calibration != c.how {
				t.Fatalf("%+v", got)
			}
			search.Calibrate = ""
			plain, err := lanes.CrossValidate(ctx, data, search)
			if err != nil {
				t.Fatal(err)
			}
			var scores, targets, weights []float64
			for b, err := range plain.FoldScores(ctx) {
				if err != nil {
					t.Fatal(err)
				}
				y, err := plain.About().Targets(b.Data)
				if err != nil {
					t.Fatal(err)
				}
				scores, targets = append(scores, b.Scores...), append(targets, y...)
				for i := range y {
					if b.Weight == nil {
						weights = append(weights, 1)
					} else {
						weights = append(weights, b.Weight[i])
					}
				}
			}
			mass := 0.0
			for _, w := range weights {
				mass += w
			}
			if c.how == lanes.Temperature {
				slope := 0.0
				for i, y := range targets {
					sum, mean := 0.0, 0.0
					for _, s := range scores[i*width : (i+1)*width] {
						sum += math.Exp(got.Slopes[0] * s)
						mean += math.Exp(got.Slopes[0]*s) * s
					}
					slope += weights[i] * (mean/sum - scores[i*width+int(y)])
				}
				if math.Abs(slope) > 1e-8*mass {
					t.Errorf("the slope of the log loss at 1/T = %v is %v", got.Slopes[0], slope)
				}
			}
			for k := range width {
				if c.how == lanes.Temperature {
					if got.Intercepts[k] != 0 || got.Slopes[k] != got.Slopes[0] {
						t.Errorf("%+v", got)
					}
					continue
				}
				in := func(i int) bool { return width == 1 && targets[i] > 0 || width > 1 && targets[i] == float64(k) }
				above := 0.0
				for i := range targets {
					if in(i) {
						above += weights[i]
					}
				}
				g0, g1 := 0.0, 0.0
				for i := range targets {
					s, want := scores[i*width+k], 1/(mass-above+2)
					if in(i) {
						want = (above + 1) / (above + 2)
					}
					p := 1 / (1 + math.Exp(-got.Slopes[k]*s-got.Intercepts[k]))
					g0, g1 = g0+weights[i]*(p-want)*s, g1+weights[i]*(p-want)
				}
				if math.Abs(g0) > 1e-6*mass || math.Abs(g1) > 1e-6*mass {
					t.Errorf("class %d: the slopes of Platt's loss at %v s + %v are %v and %v", k, got.Slopes[k], got.Intercepts[k], g0, g1)
				}
			}
			row := []float64{0.3, -1.2, 1}
			before, err := plain.RowScores(nil, []int{0, 1, 2}, row)
			if err != nil {
				t.Fatal(err)
			}
			after, err := f.RowScores(nil, []int{0, 1, 2}, row)
			if err != nil {
				t.Fatal(err)
			}
			for k := range width {
				if want := got.Slopes[k]*before[k] + got.Intercepts[k]; math.Abs(after[k]-want) > 1e-12*(1+math.Abs(want)) {
					t.Errorf("class %d: the score %v, want %v of %v", k, after[k], want, before[k])
				}
			}
			if !f.Model.Logistic() || got.After.LogLoss == nil || (got.Before.LogLoss == nil) != !plain.Model.Logistic() {
				t.Errorf("logistic %t, measures %+v and %+v", f.Model.Logistic(), got.Before, got.After)
			}
			if got.Before.LogLoss != nil && *got.After.LogLoss > *got.Before.LogLoss+1e-3 {
				t.Errorf("the log loss rose from %v to %v", *got.Before.LogLoss, *got.After.LogLoss)
			}
			if r, err := lanes.EvaluateBlocks(plain.Model, plain.FoldScores(ctx), lanes.EvaluateOptions{}); err != nil || got.Before.LogLoss != nil && r.LogLoss != *got.Before.LogLoss {
				t.Errorf("before: %v, want %v", got.Before.LogLoss, r.LogLoss)
			}
			path := t.TempDir() + "/m"
			if err := f.WriteFile(path); err != nil {
				t.Fatal(err)
			}
			if back, err := model.ReadFile(path); err != nil || back.About().Meta.Calibration != c.how || !back.Logistic() {
				t.Errorf("the file: %v", err)
			}
		})
	}
}

// TestCalibrateAlone: without folds of a search there are five.
func TestCalibrateAlone(t *testing.T) {
	t.Parallel()
	f, err := lanes.Train(context.Background(), noisy(t, 2), lanes.Options{Loss: loss.SquaredHinge{}, Calibrate: lanes.Sigmoid, Holdout: 0.2})
	if err != nil || f.Calibration.Folds != 5 || math.IsNaN(f.HeldOut.Report.LogLoss) {
		t.Fatalf("%v, %+v", err, f)
	}
}

// TestCalibrateRefused: what has no probabilities, or cannot have them, is refused.
func TestCalibrateRefused(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for want, change := range map[string]func(o *lanes.Options, data *sparse.Data){
		"want sigmoid or temperature": func(o *lanes.Options, _ *sparse.Data) { o.Calibrate = "isotonic" },
		"not of targets":              func(o *lanes.Options, _ *sparse.Data) { o.Kind = lanes.Regression },
		"for linear models": func(o *lanes.Options, data *sparse.Data) {
			o.Loss, o.Solver, o.Hidden, data.Weight = nil, "adap", []int{2}, nil
		},
		"offsets are added":  func(_ *lanes.Options, data *sparse.Data) { data.Offset = make([]float64, 300) },
		"temperature is for": func(o *lanes.Options, _ *sparse.Data) { o.Calibrate = lanes.Temperature },
	} {
		o, data := lanes.Options{Loss: loss.SquaredHinge{}, Calibrate: lanes.Sigmoid}, noisy(t, 2)
		if change(&o, data); o.Kind == lanes.Regression {
			o.Loss = nil
		}
		if f, err := lanes.Train(ctx, data, o); err == nil || !strings.Contains(err.Error(), want) || f != nil && f.Calibration != nil {
			t.Errorf("%v, want %q", err, want)
		}
	}
	refused := 0
	for seed := range uint64(20) {
		data, r := noisy(t, 2), rand.New(rand.NewPCG(seed, 0))
		for i := range data.Y {
			data.Y[i] = float64(r.IntN(2))
		}
		f, err := lanes.Train(ctx, data, lanes.Options{Loss: loss.SquaredHinge{}, Calibrate: lanes.Sigmoid})
		if err != nil && strings.Contains(err.Error(), "no higher scores in the class than outside") {
			refused++
		} else if err != nil || f.Calibration.Slopes[0] <= 0 {
			t.Errorf("random labels: %v, %+v", err, f.Calibration)
		}
	}
	if refused == 0 {
		t.Error("scores without a meaning were calibrated")
	}
	if _, err := lanes.Path(ctx, noisy(t, 2), lanes.Search{Options: lanes.Options{Calibrate: lanes.Sigmoid}}); err == nil || !strings.Contains(err.Error(), "not for all points of a path") {
		t.Errorf("a path: %v", err)
	}
}
