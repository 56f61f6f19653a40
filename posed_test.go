package lanes_test

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// products are the scores of rows by a sum over their entries, for classes whose weights follow
// one another. A weight behind the last column is a constant.
func products(x *sparse.Matrix, w []float64, classes int) [][]float64 {
	all, d := make([][]float64, x.Rows()), len(w)/classes
	for i := range all {
		all[i] = make([]float64, classes)
		for k := range classes {
			if d > x.Cols() {
				all[i][k] = w[k*d+d-1]
			}
			for j, v := range x.Row(i) {
				all[i][k] += w[k*d+j] * v
			}
		}
	}
	return all
}

// uneven are rows of classes 0 to 3, of which each has more rows than the next.
func uneven(t *testing.T) (data *sparse.Data, weights []float64) {
	data = relabelled(rows(t, "onehot:n=1200,d=30"), func(i int) float64 { return math.Floor(4 * math.Pow(float64(i*7%1200)/1200, 2)) })
	weights = make([]float64, 1200)
	for i := range weights {
		weights[i] = float64(i%5) * 1.5
	}
	return data, weights
}

// norms are l1 ||w||_1 + l2/2 ||w||^2, without the last weight of each of the classes where that
// is free.
func norms(w []float64, classes int, free bool, l1, l2 float64) (sum float64) {
	d := len(w) / classes
	for j, v := range w {
		if !free || j%d != d-1 {
			sum += l1*math.Abs(v) + l2/2*v*v
		}
	}
	return sum
}

// objective is the sum over classes of the mean one-vs-rest loss, with weights of rows and
// classes, or the mean loss of the softmax.
func objective(data *sparse.Data, w []float64, o lanes.Options) (sum float64) {
	count := make([]float64, 4)
	for _, y := range data.Y {
		count[int(y)]++
	}
	n := float64(len(data.Y))
	for i, z := range products(data.X, w, 4) {
		own, of := 1.0, int(data.Y[i])
		if o.RowWeights != nil {
			own = o.RowWeights[i]
		}
		if o.Kind == lanes.Softmax {
			total := 0.0
			for _, s := range z {
				total += math.Exp(s - z[of])
			}
			if o.ClassWeight.Balanced {
				own *= n / (4 * count[of])
			}
			sum += own * math.Log(total) / n
			continue
		}
		for k, s := range z {
			y, weight := -1.0, own
			if of == k {
				y = 1
			}
			switch c := o.ClassWeight; {
			case c.Balanced && y > 0:
				weight *= n / (2 * count[k])
			case c.Balanced:
				weight *= n / (2 * (n - count[k]))
			case c.Positive > 0 && y > 0:
				weight *= c.Positive
			case c.Positive > 0:
				weight *= c.Negative
			}
			if o.Loss == (loss.SquaredHinge{}) {
				sum += weight * max(0, 1-y*s) * max(0, 1-y*s) / 2 / n
			} else {
				sum += weight * math.Log1p(math.Exp(-y*s)) / n
			}
		}
	}
	return sum
}

// The objective of several classes is the plain sum over rows and classes, with weights of rows
// and classes, for single fits and along paths. Their metrics are counts of rows.
func TestClassesHaveTheirObjective(t *testing.T) {
	data, weights := uneven(t)
	for name, o := range map[string]lanes.Options{
		"rest":              {RowWeights: weights},
		"balanced rest":     {ClassWeight: lanes.Balanced, Intercept: lanes.FreeIntercept},
		"weighted rest":     {RowWeights: weights, ClassWeight: lanes.ClassWeight{Positive: 3, Negative: 0.5}, Loss: loss.SquaredHinge{}},
		"both rest":         {RowWeights: weights, ClassWeight: lanes.Balanced, Intercept: lanes.PenalisedIntercept},
		"softmax":           {Kind: lanes.Softmax, RowWeights: weights},
		"balanced softmax":  {Kind: lanes.Softmax, ClassWeight: lanes.Balanced},
		"both softmax":      {Kind: lanes.Softmax, ClassWeight: lanes.Balanced, RowWeights: weights, Intercept: lanes.PenalisedIntercept},
		"free softmax":      {Kind: lanes.Softmax, ClassWeight: lanes.Balanced, RowWeights: weights, Intercept: lanes.FreeIntercept},
		"sparse rest":       {RowWeights: weights, ClassWeight: lanes.Balanced, Penalty: lanes.ElasticNet(0.01, 0.03)},
		"sparse rest, free": {RowWeights: weights, Penalty: lanes.L1(0.01), Intercept: lanes.FreeIntercept},
	} {
		free := o.Intercept == lanes.FreeIntercept
		f := train(t, data, o)
		l1, l2 := o.Penalty.L1, o.Penalty.L2
		if l1 == 0 && l2 == 0 {
			l2 = 1. / 1200
		}
		if want := objective(data, f.Result.Weights, o) + norms(f.Result.Weights, 4, free, l1, l2); !(math.Abs(f.Result.Objective-want) <= 1e-11) {
			t.Errorf("%s: the objective is %v, not %v", name, f.Result.Objective, want)
		}
		countsOfClasses(t, name, data, o.RowWeights, f)

		s := lanes.Search{Options: o, Weights: []float64{0.1, 0.02}, OverL1: l1 > 0}
		f, err := lanes.Path(t.Context(), data, s)
		if err != nil {
			t.Fatal(name, err)
		}
		for k, fit := range f.Fits {
			l1, l2 := 0.0, s.Weights[k]
			if s.OverL1 {
				l1, l2 = l2, o.Penalty.L2
			}
			if want := objective(data, fit.Result.Weights, o) + norms(fit.Result.Weights, 4, free, l1, l2); !(math.Abs(fit.Result.Objective-want) <= 1e-11) {
				t.Errorf("%s: the objective at point %d of the path is %v, not %v", name, k, fit.Result.Objective, want)
			}
		}
	}
}

// TestWeightlessClass: a class of the softmax whose rows all have the weight 0 has no free intercept,
// and is named.
func TestWeightlessClass(t *testing.T) {
	data, weights := uneven(t)
	weights = slices.Clone(weights)
	for i, y := range data.Y {
		if y == 2 {
			weights[i] = 0
		}
	}
	o := lanes.Options{Kind: lanes.Softmax, RowWeights: weights, Intercept: lanes.FreeIntercept}
	var wrong *lanes.DataError
	if _, err := lanes.Train(t.Context(), data, o); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "the class 2 has the weight 0") {
		t.Errorf("error %v", err)
	}
	o.Intercept = lanes.PenalisedIntercept
	if f := train(t, data, o); f.Result.Status != solvers.Converged {
		t.Errorf("%v with penalised intercepts", f.Result.Status)
	}
}

// countsOfClasses compares the accuracy and the F1 of classes with weights of rows.
func countsOfClasses(t *testing.T, name string, data *sparse.Data, weights []float64, f *lanes.Fitted) {
	t.Helper()
	var right, total float64
	var of, taken, both [4]float64
	var counts [4]int
	for i, z := range products(data.X, f.Result.Weights, 4) {
		k, y, w := slices.Index(z, slices.Max(z)), int(data.Y[i]), 1.0
		if weights != nil {
			w = weights[i]
		}
		counts[y]++
		of[y] += w
		taken[k] += w
		total += w
		if k == y {
			right += w
			both[y] += w
		}
	}
	if got := f.Metrics["train_accuracy"]; !(math.Abs(got-right/total) <= 1e-12) {
		t.Errorf("%s: accuracy %v, not %v of %v", name, got, right, total)
	}
	for k, fit := range f.Fits {
		if want := 2 * both[k] / (of[k] + taken[k]); !(math.Abs(fit.F1-want) <= 1e-12) || fit.Rows != counts[k] || fit.Label != float64(k) {
			t.Errorf("%s: class %v of %d rows has F1 %v, not %v", name, fit.Label, fit.Rows, fit.F1, want)
		}
	}
}

// The largest weight of the L1 norm is the first from which on all weights are 0.
func TestSparsePathBeginsAtZero(t *testing.T) {
	repeat.Skip(t)
	data, weights := uneven(t)
	two := relabelled(data, func(i int) float64 { return min(data.Y[i], 1) })
	for name, c := range map[string]struct {
		data *sparse.Data
		o    lanes.Options
	}{
		"two": {two, lanes.Options{RowWeights: weights, Intercept: lanes.FreeIntercept}}, "classes": {data, lanes.Options{RowWeights: weights}},
		"balanced": {data, lanes.Options{ClassWeight: lanes.Balanced}}, "weighted": {data, lanes.Options{ClassWeight: lanes.ClassWeight{Positive: 4, Negative: 1}}},
	} {
		s := lanes.Search{Options: c.o, OverL1: true}
		s.Settings.GapTolerance = 1e-9
		f, err := lanes.Path(t.Context(), c.data, s)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Fits) != 100 || !(math.Abs(f.Fits[99].Weight/f.Fits[0].Weight-1e-4) <= 1e-12) {
			t.Errorf("%s: %d points down to %v of the first", name, len(f.Fits), f.Fits[99].Weight/f.Fits[0].Weight)
		}
		if first, second := f.Problem.NonZeros(f.Fits[0].Result.Weights), f.Problem.NonZeros(f.Fits[1].Result.Weights); first != 0 || second == 0 {
			t.Errorf("%s: %d and %d weights are not 0 at the first two points", name, first, second)
		}
	}
	wide := rows(t, "onehot:n=40,d=200")
	f, err := lanes.Path(t.Context(), wide, lanes.Search{OverL1: true})
	if err != nil || !(math.Abs(f.Fits[99].Weight/f.Fits[0].Weight-1e-2) <= 1e-12) {
		t.Errorf("wide rows: %v", err)
	}
}

// Metrics of two classes and of targets weigh the rows; targets have the loss, the residual of
// the Huber loss and the penalties that the options say.
func TestMetricsOfWeightedRows(t *testing.T) {
	data := rows(t, "onehot:n=900,d=30")
	weights, total := make([]float64, 900), 0.0
	for i := range weights {
		weights[i] = float64(i % 4)
		total += weights[i]
	}
	f, right := train(t, data, lanes.Options{RowWeights: weights}), 0.0
	for i, z := range products(data.X, f.Result.Weights, 1) {
		if z[0]*data.Y[i] > 0 {
			right += weights[i]
		}
	}
	if got := f.Metrics["train_accuracy"]; !(math.Abs(got-right/total) <= 1e-12) {
		t.Errorf("accuracy %v, not %v", got, right/total)
	}
	targets := relabelled(data, func(i int) float64 { return float64(i%23)/3 - 2*data.Y[i] })
	for name, o := range map[string]lanes.Options{
		"usual": {RowWeights: weights}, "huber": {Loss: loss.Huber{Delta: 0.7}, RowWeights: weights, Intercept: lanes.FreeIntercept},
		"huber of 1": {Loss: loss.Huber{}, Penalty: lanes.ElasticNet(0.01, 0.1)}, "lasso": {Penalty: lanes.L1(0.02), Intercept: lanes.FreeIntercept},
		"none": {Penalty: lanes.NoPenalty, Intercept: lanes.FreeIntercept, Kind: lanes.Regression},
	} {
		f := train(t, targets, o)
		l1, l2 := o.Penalty.L1, o.Penalty.L2
		if (o.Penalty == lanes.Penalty{}) {
			l2 = 1. / 900
		}
		delta := math.Inf(1)
		if h, is := o.Loss.(loss.Huber); is {
			delta = cmp.Or(h.Delta, 1)
		}
		want, squares, total := norms(f.Result.Weights, 1, o.Intercept == lanes.FreeIntercept, l1, l2), 0.0, 0.0
		for i, z := range products(data.X, f.Result.Weights, 1) {
			w, r := 1.0, math.Abs(z[0]-targets.Y[i])
			if o.RowWeights != nil {
				w = o.RowWeights[i]
			}
			squares, total = squares+w*r*r, total+w
			if r <= delta {
				want += w * r * r / 2 / 900
			} else {
				want += w * delta * (r - delta/2) / 900
			}
		}
		if !(math.Abs(f.Result.Objective-want) <= 1e-11) {
			t.Errorf("%s: the objective is %v, not %v", name, f.Result.Objective, want)
		}
		if got := f.Metrics["train_mse"]; !(math.Abs(got-squares/total) <= 1e-11) {
			t.Errorf("%s: the mean squared error is %v, not %v", name, got, squares/total)
		}
		if o.Penalty.None && !(f.Result.GradientNorm <= f.Used.GradientTolerance) {
			t.Errorf("%s: a gradient of %v", name, f.Result.GradientNorm)
		}
	}
}

// A run has the target and the budget that the options leave open.
func TestSettingsOfARun(t *testing.T) {
	data, inf := rows(t, "onehot:n=60,d=10"), math.Inf(1)
	for name, c := range map[string]struct {
		o                     lanes.Options
		gap, gradient, passes float64
	}{
		"nothing":    {lanes.Options{}, 1e-6, 0, 1000},
		"no penalty": {lanes.Options{Penalty: lanes.NoPenalty}, 0, 1e-6, 1000},
		"l1":         {lanes.Options{Penalty: lanes.L1(0.1)}, 1e-6, 0, 1000},
		"passes":     {lanes.Options{Settings: solvers.Settings{MaxEpochs: 7}}, 0, 0, 7},
		"iterations": {lanes.Options{Settings: solvers.Settings{MaxIterations: 7}}, 0, 0, 1000},
		"gap":        {lanes.Options{Settings: solvers.Settings{GapTolerance: 0.1}}, 0.1, 0, 10000},
		"gradient":   {lanes.Options{Settings: solvers.Settings{GradientTolerance: 0.1}}, 0, 0.1, 10000},
		"time":       {lanes.Options{Settings: solvers.Settings{MaxTime: 1e9}}, 1e-6, 0, inf},
		"validation": {lanes.Options{Validation: data}, 0, 0, 1000},
		"ranking":    {lanes.Options{Solver: "adap"}, 0, 0, inf},
	} {
		p, err := lanes.Pose(data, c.o)
		if err != nil {
			t.Fatal(name, err)
		}
		if s := p.Settings(); s.GapTolerance != c.gap || s.GradientTolerance != c.gradient || s.MaxEpochs != c.passes {
			t.Errorf("%s: gap %v, gradient %v, %v passes", name, s.GapTolerance, s.GradientTolerance, s.MaxEpochs)
		}
		if s := p.Within(12).Settings(); s.MaxTime != 12 || p.Settings().MaxTime == 12 {
			t.Errorf("%s: a limit of %v", name, s.MaxTime)
		}
	}
}

// Papers and solvers that rank pose problems of their own, and options that are given stay.
func TestPosedAsThePaper(t *testing.T) {
	data := rows(t, "onehot:n=300,d=10")
	for _, name := range lanes.SolverNames() {
		about := lanes.Solver(name)
		if about.PaperSetting.Section == "" {
			continue
		}
		p, err := lanes.Pose(data, lanes.Options{Solver: name, Paper: true})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		o, paper := p.Options(), about.PaperSetting
		_, l2 := p.Weights()
		if want := paper.Lambda; paper.PerRow && !(math.Abs(l2-1./300) <= 1e-18) || !paper.PerRow && l2 != want {
			t.Errorf("%s: the penalty is %v", name, l2)
		}
		if scaled := map[bool]string{true: model.NormalizeMinMax}[paper.Scaled]; paper.Scaled && o.Normalize != scaled || !paper.Scaled && paper.Unit && o.Normalize != model.NormalizeUnit {
			t.Errorf("%s: scaled by %q", name, o.Normalize)
		}
		if paper.Bias != (o.Intercept == lanes.PenalisedIntercept) {
			t.Errorf("%s: the intercept is %v", name, o.Intercept)
		}
		if rates := p.FalsePositiveRates(); paper.High > 0 && rates != [2]float64{paper.Low, paper.High} {
			t.Errorf("%s: rates %v", name, rates)
		}
	}
	for name, c := range map[string]struct {
		o         lanes.Options
		rates     [2]float64
		low, high int
		l2        float64
		intercept lanes.Intercept
	}{
		"agd-sbcd":       {lanes.Options{}, [2]float64{0, 0.05}, 0, 0, 1. / 300, lanes.PenalisedIntercept},
		"dca":            {lanes.Options{Rates: [2]float64{0.1, 0.3}, Intercept: lanes.NoIntercept}, [2]float64{0.1, 0.3}, 0, 0, 1. / 300, lanes.NoIntercept},
		"sorr-agd":       {lanes.Options{RankedRange: lanes.RankRange{Low: 3, High: 50}}, [2]float64{}, 3, 50, 1. / 300, lanes.PenalisedIntercept},
		"sorr-dca":       {lanes.Options{}, [2]float64{}, 6, 180, 1. / 300, lanes.PenalisedIntercept},
		lanes.Auto:       {lanes.Options{}, [2]float64{}, 0, 0, 1. / 300, lanes.UsualIntercept},
		"svm-pauc-tight": {lanes.Options{}, [2]float64{0, 0.05}, 0, 0, 1e-4, lanes.PenalisedIntercept},
	} {
		c.o.Solver = name
		p, err := lanes.Pose(data, c.o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		_, l2 := p.Weights()
		if low, high := p.RankRange(); p.FalsePositiveRates() != c.rates || low != c.low || high != c.high || l2 != c.l2 || p.Options().Intercept != c.intercept {
			t.Errorf("%s: rates %v, ranks %d to %d, penalty %v, intercept %v", name, p.FalsePositiveRates(), low, high, l2, p.Options().Intercept)
		}
	}
}

// TestSignsOfLabels: labels of -1 and 1 are the targets, without a copy. Other labels get targets
// of their own, and the data keep theirs.
func TestSignsOfLabels(t *testing.T) {
	for _, c := range []struct {
		high, low, third float64
		positive         string
		sign             float64 // of high
		shared           bool
	}{{1, -1, -1, "", 1, true}, {1, -1, -1, "1", 1, true}, {1, -1, -1, "-1", -1, false}, {1, 0, 0, "", 1, false}, {-1, -2, -2, "", 1, false}, {2, -1, -1, "", 1, false}, {1, 2, 3, "1", 1, false}} {
		label := func(i int) float64 {
			switch {
			case i%3 == 0:
				return c.high
			case i%5 == 4:
				return c.third
			}
			return c.low
		}
		data := relabelled(rows(t, "onehot:n=60,d=30"), label)
		p, err := lanes.Pose(data, lanes.Options{Positive: c.positive})
		if err != nil {
			t.Fatal(err)
		}
		if shared := &p.Y[0] == &data.Y[0]; shared != c.shared {
			t.Errorf("labels %v and %v, positive %q: targets shared: %v", c.high, c.low, c.positive, shared)
		}
		for i, y := range p.Y {
			want := c.sign
			if i%3 != 0 {
				want = -c.sign
			}
			if y != want || data.Y[i] != label(i) {
				t.Fatalf("labels %v and %v, positive %q: row %d has the target %v and the label %v", c.high, c.low, c.positive, i, y, data.Y[i])
			}
		}
	}
}
