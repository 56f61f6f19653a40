package lanes_test

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
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
		"want sigmoid, isotonic, temp": func(o *lanes.Options, _ *sparse.Data) { o.Calibrate = "isotone" },
		"not of targets":               func(o *lanes.Options, _ *sparse.Data) { o.Kind = lanes.Regression },
		"for linear models": func(o *lanes.Options, data *sparse.Data) {
			o.Loss, o.Solver, o.Hidden, data.Weight = nil, "adap", []int{2}, nil
		},
		"offsets are added":  func(_ *lanes.Options, data *sparse.Data) { data.Offset = make([]float64, 300) },
		"cannot stop by":     func(o *lanes.Options, data *sparse.Data) { o.Validation = data },
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

// TestIsotonic: shares follow the formula of largest least means over rows in the order of their scores
// (Barlow and others 1972). A positive label has a probability above 1/2. Files keep the function.
func TestIsotonic(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	data := noisy(t, 2)
	for i := range 20 {
		data.Weight[i*7] = 0
	}
	search := lanes.Search{Options: lanes.Options{Loss: loss.SquaredHinge{}}, Folds: 3, One: true}
	plain, err := lanes.CrossValidate(ctx, data, search)
	if err != nil {
		t.Fatal(err)
	}
	search.Calibrate = lanes.Isotone
	f, err := lanes.CrossValidate(ctx, data, search)
	if err != nil {
		t.Fatal(err)
	}
	type row struct{ score, weight, sign float64 }
	var rows []row
	above, below := 0.0, 0.0
	for b, err := range plain.FoldScores(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range b.Scores {
			rows = append(rows, row{s, b.Weight[i], 2*b.Y[i] - 1})
			if b.Y[i] > 0 {
				above += b.Weight[i]
			} else {
				below += b.Weight[i]
			}
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.score, b.score) })
	steps, shift := f.About().Meta.Isotonic, f.Calibration.Intercepts[0]
	for i, r := range rows {
		if r.weight == 0 {
			continue
		}
		want := 0.0
		for from := range i + 1 {
			least := 1.0
			for to := i; to < len(rows); to++ {
				mass, positive := 0.0, 0.0
				for _, of := range rows[from : to+1] {
					if mass += of.weight; of.sign > 0 {
						positive += of.weight
					}
				}
				if mass > 0 {
					least = min(least, positive/mass)
				}
			}
			want = max(want, least)
		}
		want = min(max(want, 1/(below+2)), (above+1)/(above+2))
		if got := steps.At(r.score + shift); math.Abs(got-want) > 1e-9 {
			t.Fatalf("row %d, score %v: the share %v, want %v", i, r.score, got, want)
		}
	}
	path := t.TempDir() + "/m"
	if err := f.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	back, err := model.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	positive, last := 0, -1.0
	for k := range 200 {
		values := []float64{0.05 * float64(k-100), 0, 1}
		score, err := f.Score([]int{0, 1, 2}, values)
		if err != nil {
			t.Fatal(err)
		}
		p, err := back.(*model.Linear).Probability([]int{0, 1, 2}, values)
		shares := []float64{score}
		if wrong := f.Probabilities(shares); err != nil || wrong != nil || shares[0] != p || steps.At(score) != p {
			t.Fatalf("%v, %v: %v and %v", err, wrong, p, shares)
		}
		if p < last || (f.Label(score) == f.About().Positive) != (p > 0.5) {
			t.Errorf("the score %v has the probability %v, after %v, and the label %v", score, p, last, f.Label(score))
		}
		if last = p; p > 0.5 {
			positive++
		}
	}
	if positive == 0 || positive == 200 {
		t.Errorf("%d of 200 rows are positive", positive)
	}
	report, err := lanes.Evaluate(ctx, back, data, lanes.EvaluateOptions{})
	other, wrong := lanes.Evaluate(ctx, back, data, lanes.EvaluateOptions{Positive: "0"})
	if err != nil || wrong != nil || math.Abs(report.LogLoss-other.LogLoss) > 1e-12 || !(report.LogLoss < math.Log(2)) {
		t.Errorf("%v, %v: the log loss is %v, of the other class %v", err, wrong, report.LogLoss, other.LogLoss)
	}
	for _, bad := range []*model.Isotonic{{}, {Scores: []float64{1, 1}, Shares: []float64{0.1, 0.2}}, {Scores: []float64{1, 2}, Shares: []float64{0.2, 0.1}}, {Scores: []float64{1}, Shares: []float64{1}}, {Scores: []float64{1}, Shares: []float64{0.1, 0.2}}} {
		m := *f.Model.(*model.Linear)
		meta := *m.Meta
		meta.Isotonic, m.Meta = bad, &meta
		if err := m.Check(); err == nil || !strings.Contains(err.Error(), "isotonic") {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if at := steps.At(math.NaN()); at == at || steps.At(math.Inf(-1)) != steps.Shares[0] || steps.At(math.Inf(1)) != steps.Shares[len(steps.Shares)-1] {
		t.Error("scores that are no numbers")
	}
}
