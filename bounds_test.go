package lanes_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/inference"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
)

// TestBounds: weights stay within their bounds, are minima there by the slopes, and certified, whatever the penalty,
// the intercept and the scale of columns; a model says which ones a bound holds; in paths and folds too.
func TestBounds(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	names := []string{"age", "region north", "region south", "income"}
	bounds := map[string]lanes.Interval{"region*": {Lower: -0.02, Upper: 0.01}, "age": lanes.NotNegative(), "region south": {Lower: 0.3, Upper: 0.3}}
	low, high := []float64{0, -0.02, 0.3, -inf, -inf}, []float64{inf, 0.01, 0.3, inf, inf}
	for _, penalty := range []lanes.Penalty{{None: true}, lanes.L2(0.1), lanes.L1(0.05), lanes.ElasticNet(0.03, 0.2)} {
		for _, intercept := range []lanes.Intercept{lanes.NoIntercept, lanes.FreeIntercept, lanes.PenalisedIntercept} {
			for _, normalize := range []string{"", model.NormalizeStd} {
				o := lanes.Options{Penalty: penalty, Intercept: intercept, FeatureNames: names, Bounds: bounds, Normalize: normalize}
				data := rows(t, "dense:n=200,d=4,seed=3")
				f := train(t, data, o)
				if f.Result.Status != solvers.Converged || !(f.Result.Gap <= f.Used.GapTolerance) || f.Result.Solver != "proximal-newton" || f.Problem.Bounded() != 3 {
					t.Fatalf("%v: %v by %s, a gap of %v, %d bounds", penalty, f.Result.Status, f.Result.Solver, f.Result.Gap, f.Problem.Bounded())
				}
				w, g := f.Result.Weights, make([]float64, 5)
				scaler := f.Model.About().Meta.Scaler
				var held []int
				for i, y := range data.Y {
					if y <= 0 {
						y = -1
					}
					z, row := 0.0, make([]float64, 5)
					for j, x := range data.X.Row(i) {
						if row[j] = x; scaler != nil {
							row[j] = (x - scaler.Shift[j]) / scaler.Width[j]
						}
					}
					row[4] = 1
					for j := range w {
						z += row[j] * w[j]
					}
					for j, x := range row {
						g[j] -= y / (1 + math.Exp(y*z)) / 200 * x
					}
				}
				l1, l2 := f.Problem.Weights()
				for j := range w {
					v, width := w[j], 1.0
					if scaler != nil && j < 4 {
						width = scaler.Width[j]
					}
					least, most := g[j], g[j]
					if j < 4 || intercept == lanes.PenalisedIntercept {
						least, most = g[j]+l2*v-l1, g[j]+l2*v+l1
						if v > 0 {
							least = most
						} else if v < 0 {
							most = least
						}
					}
					if v == low[j]*width {
						least = -inf
					}
					if v == high[j]*width {
						most = inf
					}
					if j < 4 && (math.IsInf(least, 0) || math.IsInf(most, 0)) {
						held = append(held, j)
					}
					if v < low[j]*width || v > high[j]*width || least > 2e-3 || most < -2e-3 {
						t.Errorf("%v, intercept %v, scaled %q: the weight %v of column %d has slopes from %v to %v", penalty, intercept, normalize, v, j, least, most)
					}
				}
				if got := f.Model.About().Meta.AtBound; len(got) != len(held) || len(held) < 1 {
					t.Errorf("%v: the model says %v, not %v", penalty, got, held)
				}
			}
		}
	}
	for _, s := range []lanes.Search{{OverL1: true}, {}, {OverL1: true, Folds: 3}, {Folds: 3}} {
		s.Options = lanes.Options{Intercept: lanes.FreeIntercept, Bounds: map[string]lanes.Interval{"*": lanes.NotNegative(), "3": {Lower: -1, Upper: 0.1}}}
		search := lanes.CrossValidate
		if s.Folds == 0 {
			search = lanes.Path
		}
		f, err := search(t.Context(), rows(t, "dense:n=200,d=4,seed=3"), s)
		if err != nil {
			t.Fatalf("over L1 %t, %d folds: %v", s.OverL1, s.Folds, err)
		}
		if w := f.Result.Weights; f.Unsolved > 0 || f.Result.Solver != "proximal-newton" || min(w[0], w[1], w[3]) < 0 || w[2] < -1 || w[2] > 0.1 {
			t.Errorf("over L1 %t, %d folds: %d of %d unsolved by %s, weights %v", s.OverL1, s.Folds, f.Unsolved, f.Made, f.Result.Solver, w)
		}
	}
	f := train(t, counted(t), lanes.Options{Loss: loss.Poisson{}, Intercept: lanes.FreeIntercept, Penalty: lanes.Penalty{None: true}, Bounds: map[string]lanes.Interval{"*": {Lower: -0.1, Upper: 0.1}}})
	if f.Result.Status != solvers.Converged {
		t.Errorf("counts: %v", f.Result.Status)
	}
}

// TestBoundsRefused: it is an error to name a column that is not there, to give a lower bound above the upper one,
// and to bound weights beside a solver or a problem that takes no bounds.
func TestBoundsRefused(t *testing.T) {
	t.Parallel()
	names := []string{"age", "region", "regional", "income"}
	ok := map[string]lanes.Interval{"age": lanes.NotNegative()}
	for want, c := range map[string]struct {
		o      lanes.Options
		bounds map[string]lanes.Interval
	}{
		`no column is named "agee"; did you mean age?`:      {lanes.Options{}, map[string]lanes.Interval{"agee": {}}},
		`the bounds of "age" are [1, 0]; no weight`:         {lanes.Options{}, map[string]lanes.Interval{"age": {Lower: 1}}},
		`the bounds of "age" are [NaN, 0]`:                  {lanes.Options{}, map[string]lanes.Interval{"age": {Lower: math.NaN()}}},
		`the bounds of "age" are [+Inf, +Inf]`:              {lanes.Options{}, map[string]lanes.Interval{"age": {Lower: math.Inf(1), Upper: math.Inf(1)}}},
		`column regional has the bounds [0, 1] by "*al"`:    {lanes.Options{}, map[string]lanes.Interval{"region*": {}, "*al": {Upper: 1}}},
		`newton takes no penalty but a ridge`:               {lanes.Options{Solver: "newton"}, ok},
		`weights of groups need 0 there`:                    {lanes.Options{Penalty: lanes.GroupLasso(0.1), ColumnGroups: [][]int{{0, 1}}}, map[string]lanes.Interval{"age": {Lower: 1, Upper: 2}}},
		`a bound holds the weight of region: errors of wei`: {lanes.Options{Penalty: lanes.Penalty{None: true}, Intercept: lanes.FreeIntercept, Inference: &inference.Options{}}, map[string]lanes.Interval{"region": {Lower: 9, Upper: 9}}},
	} {
		c.o.FeatureNames, c.o.Bounds = names, c.bounds
		_, err := lanes.Train(t.Context(), rows(t, "dense:n=60,d=4,seed=3"), c.o)
		var bad *lanes.OptionError
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, &bad) {
			t.Errorf("%s: error %v", want, err)
		}
	}
	if _, err := lanes.PoseFor(rows(t, "dense:n=60,d=4,seed=3"), "ap", 3, lanes.Options{Bounds: ok}); err == nil {
		t.Error("a search takes bounds")
	}
}

// TestBoundsWithoutEffect: bounds that hold no weight leave the minimum, the errors of weights and their tests.
func TestBoundsWithoutEffect(t *testing.T) {
	t.Parallel()
	o := lanes.Options{Penalty: lanes.Penalty{None: true}, Intercept: lanes.FreeIntercept, Inference: &inference.Options{}, Settings: solvers.Settings{}}
	want := train(t, rows(t, "dense:n=200,d=4,seed=3"), o)
	o.Bounds = map[string]lanes.Interval{"*": {Lower: -50, Upper: 50}}
	o.Tolerance = 1e-10
	got := train(t, rows(t, "dense:n=200,d=4,seed=3"), o)
	if got.Inference == nil || want.Inference == nil {
		t.Fatalf("no errors of weights: %v, a gap of %v", got.Result.Status, got.Result.Gap)
	}
	for j, c := range want.Inference.Coefficients {
		if v := got.Inference.Coefficients[j]; math.Abs(float64(v.Estimate-c.Estimate)) > 1e-4 || math.Abs(float64(v.Error-c.Error)) > 1e-4*float64(c.Error) {
			t.Errorf("%+v, not %+v", v, c)
		}
	}
	o.Bounds = map[string]lanes.Interval{"2": {Lower: -0.25, Upper: -0.25}}
	o.Inference = nil
	fixed := train(t, rows(t, "dense:n=200,d=4,seed=3"), o)
	if _, err := lanes.Inference(t.Context(), fixed.Model, rows(t, "dense:n=200,d=4,seed=3"), inference.Options{}, 1); err == nil || !strings.Contains(err.Error(), "a bound holds the weight of column 2") {
		t.Errorf("errors of fixed weights: %v", err)
	}
}

// TestIntervalText: intervals are lists in JSON, with null for no bound.
func TestIntervalText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]lanes.Interval{"[0,null]": lanes.NotNegative(), "[-1.5,2]": {Lower: -1.5, Upper: 2}, "[null,null]": {Lower: math.Inf(-1), Upper: math.Inf(1)}, "[null,-3]": {Lower: math.Inf(-1), Upper: -3}} {
		got, err := json.Marshal(want)
		var back lanes.Interval
		if err != nil || string(got) != text || json.Unmarshal(got, &back) != nil || back != want {
			t.Errorf("%v is %s in JSON, and %v again, error %v", want, got, back, err)
		}
	}
	for _, text := range []string{"[1]", "[1,2,3]", "5", `["a",1]`, "{}"} {
		if err := json.Unmarshal([]byte(text), new(lanes.Interval)); err == nil {
			t.Errorf("%s is an interval", text)
		}
	}
	if _, err := json.Marshal(lanes.Interval{Lower: math.NaN()}); err == nil {
		t.Error("NaN is written")
	}
}
