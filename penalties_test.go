package lanes_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
)

// factored trains rows of four columns with factors.
func factored(t *testing.T, o lanes.Options, factors map[string]float64) *lanes.Fitted {
	t.Helper()
	o.PenaltyFactors = factors
	return train(t, rows(t, "dense:n=200,d=4,seed=3"), o)
}

// TestPenaltyFactors: a factor acts as a column of another scale does, a factor of 0 leaves a column
// unpenalised, and runs are certified: a ridge, an L1 norm, both, in a path and in folds.
func TestPenaltyFactors(t *testing.T) {
	t.Parallel()
	for _, penalty := range []lanes.Penalty{lanes.L2(0.1), lanes.L1(0.05), lanes.ElasticNet(0.03, 0.2)} {
		for _, intercept := range []lanes.Intercept{lanes.NoIntercept, lanes.FreeIntercept, lanes.PenalisedIntercept} {
			o := lanes.Options{Penalty: penalty, Intercept: intercept, FeatureNames: []string{"age", "region north", "region south", "income"}}
			f := factored(t, o, map[string]float64{"region*": 4, "age": 0, "region south": 0.25})
			if f.Result.Status != solvers.Converged || !(f.Result.Gap <= f.Used.GapTolerance) || f.Result.Solver != "proximal-newton" {
				t.Fatalf("%v: %v by %s, a gap of %v", penalty, f.Result.Status, f.Result.Solver, f.Result.Gap)
			}
			if other, none := f.Problem.Factors(); other != 3 || none != 1 {
				t.Errorf("%v: %d factors, %d of 0", penalty, other, none)
			}
			data := rows(t, "dense:n=200,d=4,seed=3")
			w, g := f.Result.Weights, make([]float64, 5)
			value := 0.0
			for i, y := range data.Y {
				if y <= 0 {
					y = -1
				}
				z := 0.0
				if len(w) > 4 {
					z = w[4]
				}
				for j, x := range data.X.Row(i) {
					z += x * w[j]
				}
				value += math.Log1p(math.Exp(-y*z)) / 200
				c := -y / (1 + math.Exp(y*z)) / 200
				for j, x := range data.X.Row(i) {
					g[j] += c * x
				}
				g[4] += c
			}
			l1, l2 := f.Problem.Weights()
			factors := []float64{0, 4, 0.25, 1, 0}
			if intercept == lanes.PenalisedIntercept {
				factors[4] = 1
			}
			for j, c := range factors[:len(w)] {
				value += c * (l1*math.Abs(w[j]) + l2/2*w[j]*w[j])
				v := g[j] + c*l2*w[j]
				if w[j] != 0 {
					v += math.Copysign(c*l1, w[j])
				} else {
					v = math.Max(0, math.Abs(v)-c*l1)
				}
				if math.Abs(v) > 1e-3 {
					t.Errorf("%v, intercept %v: the weight %v of column %d has the slope %v", penalty, intercept, w[j], j, v)
				}
			}
			if math.Abs(value-f.Result.Objective) > 1e-12 {
				t.Errorf("%v: an objective of %v, not %v", penalty, f.Result.Objective, value)
			}
			if meta := f.Model.About().Meta; meta.L1 != l1 || meta.Lambda != l2 {
				t.Errorf("%v: the model says %v and %v", penalty, meta.L1, meta.Lambda)
			}
		}
	}
	for _, s := range []lanes.Search{{OverL1: true}, {}, {OverL1: true, Folds: 3}, {Folds: 3}} {
		s.Options = lanes.Options{Intercept: lanes.FreeIntercept, PenaltyFactors: map[string]float64{"1": 0, "3": 2}}
		search := lanes.CrossValidate
		if s.Folds == 0 {
			search = lanes.Path
		}
		f, err := search(t.Context(), rows(t, "dense:n=200,d=4,seed=3"), s)
		if err != nil {
			t.Fatalf("over L1 %t, %d folds: %v", s.OverL1, s.Folds, err)
		}
		if f.Unsolved > 0 || f.Result.Solver != "proximal-newton" {
			t.Errorf("over L1 %t, %d folds: %d of %d unsolved by %s", s.OverL1, s.Folds, f.Unsolved, f.Made, f.Result.Solver)
		}
		if s.Folds == 0 && s.OverL1 {
			if first := f.Fits[0].Result.Weights; first[0] == 0 || math.Abs(first[1])+math.Abs(first[2])+math.Abs(first[3]) > 1e-5 {
				t.Errorf("the first point of a path is %v", first)
			}
		}
	}
}

// TestPenaltyFactorsRefused: names that no column has, factors that are none, and solvers and problems
// without factors.
func TestPenaltyFactorsRefused(t *testing.T) {
	t.Parallel()
	names := []string{"age", "region", "regional", "income"}
	for want, c := range map[string]struct {
		o       lanes.Options
		factors map[string]float64
	}{
		`no column is named "agee"; did you mean age?`:                  {lanes.Options{}, map[string]float64{"agee": 2}},
		`no column is named "x*"`:                                       {lanes.Options{}, map[string]float64{"x*": 2}},
		`the factor of "age" is -1`:                                     {lanes.Options{}, map[string]float64{"age": -1}},
		`the factor of "age" is NaN`:                                    {lanes.Options{}, map[string]float64{"age": math.NaN()}},
		`column regional has the factor 3 by "*al", and 2 by "region*"`: {lanes.Options{}, map[string]float64{"region*": 2, "*al": 3}},
		`all columns have the factor 0`:                                 {lanes.Options{}, map[string]float64{"*": 0}},
		`newton takes no penalty but a ridge`:                           {lanes.Options{Solver: "newton"}, map[string]float64{"age": 0}},
		`sdca-newton takes no penalty but a ridge`:                      {lanes.Options{Solver: "sdca-newton"}, map[string]float64{"age": 0}},
		`columns age and region are in one group, and have`:             {lanes.Options{Penalty: lanes.GroupLasso(0.1), ColumnGroups: [][]int{{0, 1}}}, map[string]float64{"age": 2}},
	} {
		c.o.FeatureNames, c.o.PenaltyFactors = names, c.factors
		_, err := lanes.Train(t.Context(), rows(t, "dense:n=60,d=4,seed=3"), c.o)
		var bad *lanes.OptionError
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, &bad) {
			t.Errorf("%s: error %v", want, err)
		}
	}
	if _, err := lanes.PoseFor(rows(t, "dense:n=60,d=4,seed=3"), "ap", 3, lanes.Options{PenaltyFactors: map[string]float64{"1": 0}}); err == nil {
		t.Error("a search takes factors")
	}
}

// TestPenaltyFactorsCounts: an unpenalised column of counts beside an L1 norm.
func TestPenaltyFactorsCounts(t *testing.T) {
	t.Parallel()
	data := counted(t)
	f := train(t, data, lanes.Options{Loss: loss.Poisson{}, Intercept: lanes.FreeIntercept, Penalty: lanes.L1(0.1), PenaltyFactors: map[string]float64{"1": 0}})
	if f.Result.Status != solvers.Converged || f.Result.Weights[0] == 0 {
		t.Errorf("%v at %v", f.Result.Status, f.Result.Weights)
	}
}

// TestPenaltyFactorsOfGroups: a factor of a group multiplies its norm and its squares, a column with the factor 0 is
// in no group, and weights of groups keep their bounds, in one run, in paths and in folds.
func TestPenaltyFactorsOfGroups(t *testing.T) {
	t.Parallel()
	data := rows(t, "dense:n=80,d=5,seed=3")
	o := lanes.Options{
		Penalty: lanes.Penalty{L1: 0.05, L2: 0.02, Grouped: true}, ColumnGroups: [][]int{{0, 1, 2}, {3, 4}}, Intercept: lanes.FreeIntercept, Tolerance: 1e-11,
		FeatureNames: []string{"a", "b", "c", "d", "e"}, PenaltyFactors: map[string]float64{"b": 0, "d": 3, "e": 3}, Bounds: map[string]lanes.Interval{"c": {Lower: math.Inf(-1)}, "d": {Lower: -0.1, Upper: 0.1}},
	}
	f := train(t, data, o)
	w := f.Result.Weights
	value := func(w []float64) float64 {
		sum := 3*(0.05*math.Sqrt(2)*math.Hypot(w[3], w[4])+0.01*(w[3]*w[3]+w[4]*w[4])) + 0.05*math.Sqrt(2)*math.Hypot(w[0], w[2]) + 0.01*(w[0]*w[0]+w[2]*w[2])
		for i, y := range data.Y {
			z := w[5]
			for j, x := range data.X.Row(i) {
				if j < 5 {
					z += x * w[j]
				}
			}
			sum += math.Log1p(math.Exp(-y*z)) / float64(len(data.Y))
		}
		return sum
	}
	if got := value(w); f.Result.Status != solvers.Converged || math.Abs(got-f.Result.Objective) > 1e-12 || w[1] == 0 || w[2] > 0 || math.Abs(w[3]) > 0.1 || f.Problem.Groups() != 3 {
		t.Fatalf("%v: an objective of %v, not %v, of %v in %d groups", f.Result.Status, f.Result.Objective, got, w, f.Problem.Groups())
	}
	for j := range w {
		for _, by := range []float64{-1e-3, 1e-3} {
			near := slices.Clone(w)
			if near[j] += by; j == 2 && near[j] > 0 || j == 3 && math.Abs(near[j]) > 0.1 {
				continue
			}
			if value(near) < f.Result.Objective-1e-10 {
				t.Errorf("weight %d: %v is lower than %v", j, value(near), f.Result.Objective)
			}
		}
	}
	for _, overL1 := range []bool{false, true} {
		if o.Tolerance = 1e-7; overL1 {
			o.Penalty.L1 = 0
		}
		f, err := lanes.CrossValidate(t.Context(), data, lanes.Search{Options: o, OverL1: overL1, Folds: 3, One: !overL1})
		if err != nil || f.Unsolved > 0 || f.Result.Weights[2] > 0 || math.Abs(f.Result.Weights[3]) > 0.1 {
			t.Errorf("over L1 %t: %v, error %v", overL1, f, err)
		}
	}
}
