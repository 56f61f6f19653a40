package lanes_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/internal/testing/shardstest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// targeted are rows with targets of a regression, weights and offsets.
func targeted(t *testing.T) *sparse.Data {
	t.Helper()
	data := *rows(t, "dense:n=400,d=5")
	data.Y = slices.Clone(data.Y)
	for i := range data.Y {
		data.Y[i] = 3 + 2*data.Y[i] + float64(i%11)/4
		data.Weight, data.Offset = append(data.Weight, float64(1+i%4)), append(data.Offset, float64(i%3)/8)
	}
	return &data
}

// TestUnitsDoNotMatter: weights and penalties in units of 2^k leave the bits of the model as they
// are. Targets of the squared loss in another unit leave its objective within the tolerance.
func TestUnitsDoNotMatter(t *testing.T) {
	classes, targets := rows(t, "onehot:n=500,d=30"), targeted(t)
	for name, o := range map[string]lanes.Options{
		"usual": {}, "free": {Intercept: lanes.FreeIntercept}, "l1": {Penalty: lanes.L1(0.003)}, "elastic": {Penalty: lanes.ElasticNet(0.003, 0.01)},
		"hinge": {Loss: loss.SquaredHinge{}}, "class weights": {ClassWeight: lanes.ClassWeight{Positive: 2, Negative: 1}}, "shards": {Settings: solvers.Settings{Shards: 8}},
		"none": {Penalty: lanes.NoPenalty}, "sdca": {Solver: "prox-sdca"}, "tight": {Tolerance: 1e-9},
		"squared": {Kind: lanes.Regression, Intercept: lanes.FreeIntercept}, "huber": {Loss: loss.Huber{}, Intercept: lanes.FreeIntercept},
		"lasso": {Kind: lanes.Regression, Penalty: lanes.L1(0.01), Intercept: lanes.FreeIntercept}, "through 0": {Kind: lanes.Regression, Penalty: lanes.L1(0.01)},
		"least squares": {Kind: lanes.Regression, Penalty: lanes.NoPenalty},
	} {
		from := classes
		if o.Kind == lanes.Regression || o.Loss == (loss.Huber{}) {
			from = targets
		}
		in := func(weights, unit float64) *lanes.Fitted {
			data, own := *from, o
			data.Y = slices.Clone(data.Y)
			data.Weight = slices.Repeat([]float64{weights}, len(data.Y))
			data.Offset = slices.Clone(data.Offset)
			for i := range data.Y {
				data.Weight[i] *= float64(1 + i%4)
				if unit != 1 {
					data.Y[i] *= unit
					data.Offset[i] *= unit
				}
			}
			if p := &own.Penalty; *p == (lanes.Penalty{}) {
				*p = lanes.L2(0.01 * weights)
			} else {
				p.L2 *= weights
				p.L1 *= weights * unit
			}
			return train(t, &data, own)
		}
		want := in(1, 1)
		if want.Result.Status != solvers.Converged {
			t.Errorf("%s: %v", name, want.Result.Status)
		}
		for _, unit := range []float64{0x1p-30, 0x1p20} {
			if got := in(unit, 1); got.Result.Status != solvers.Converged || solvers.HashWeights(got.Result.Weights) != solvers.HashWeights(want.Result.Weights) {
				t.Errorf("%s: weights in units of %g: %v, %v, not %v", name, unit, got.Result.Status, got.Result.Weights, want.Result.Weights)
			}
			if from == classes || o.Loss == (loss.Huber{}) {
				continue
			}
			got := in(1, unit)
			if off := got.Result.Objective/unit/unit - want.Result.Objective; got.Result.Status != solvers.Converged || !(math.Abs(off) <= want.Used.GapTolerance+1e-12) {
				t.Errorf("%s: targets in units of %g: %v, the objective is off by %g", name, unit, got.Result.Status, off)
			}
		}
	}
}

// TestTolerances compares the tolerances of problems with their definition, row by row.
func TestTolerances(t *testing.T) {
	data := targeted(t)
	mass, distance := 0.0, 0.0
	for i, s := range data.Weight {
		mass, distance = mass+s, distance+s*(data.Y[i]-data.Offset[i])
	}
	n := float64(len(data.Y))
	meanLoss := func(center, delta float64) (mean float64) {
		for i, s := range data.Weight {
			if r := math.Abs(data.Y[i] - data.Offset[i] - center); r <= delta {
				mean += s * r * r / 2 / n
			} else {
				mean += s * delta * (r - delta/2) / n
			}
		}
		return mean
	}
	check := func(name string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-12*want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	regression := lanes.Options{Kind: lanes.Regression, Intercept: lanes.FreeIntercept, Tolerance: 1e-4}
	check("squared", train(t, data, regression).Used.GapTolerance, 1e-4*meanLoss(distance/mass, math.Inf(1)))
	huber := lanes.Options{Loss: loss.Huber{Delta: 0.5}}
	check("huber", train(t, data, huber).Used.GapTolerance, 1e-9*meanLoss(0, 0.5))
	regression.Penalty = lanes.NoPenalty
	check("no penalty", train(t, data, regression).Used.GradientTolerance, 1e-4*mass/n*math.Sqrt(2*meanLoss(distance/mass, math.Inf(1))/(mass/n)))

	far, near := *data, *data // the same targets, beside offsets of about 1e18
	far.Y, far.Offset, near.Y, near.Offset = slices.Clone(far.Y), slices.Clone(far.Offset), slices.Clone(far.Y), nil
	for i := range far.Y {
		near.Y[i] = float64(128 * (i*i%41 - 7))
		far.Offset[i] = 1e18 + float64(128*(i%5))
		far.Y[i] = near.Y[i] + far.Offset[i]
	}
	gap := func(data *sparse.Data) float64 {
		p, err := lanes.Pose(data, lanes.Options{Kind: lanes.Regression, Intercept: lanes.FreeIntercept})
		if err != nil {
			t.Fatal(err)
		}
		return p.Settings().GapTolerance
	}
	check("large offsets", gap(&far), gap(&near))

	classes := *rows(t, "onehot:n=400,d=30")
	classes.Weight = data.Weight
	f := train(t, &classes, lanes.Options{})
	check("classes", f.Used.GapTolerance, 1e-6*mass/n)
	check("budget", train(t, &classes, lanes.Options{Settings: solvers.Settings{MaxEpochs: 3}}).Used.GapTolerance, 0)
	check("budget and tolerance", train(t, &classes, lanes.Options{Tolerance: 1e-3, Settings: solvers.Settings{MaxEpochs: 3}}).Used.GapTolerance, 1e-3*mass/n)
	check("absolute", train(t, &classes, lanes.Options{Settings: solvers.Settings{GapTolerance: 1e-3}}).Used.GapTolerance, 1e-3)
	weighted := 0.0
	for i, s := range data.Weight {
		weighted += s * map[bool]float64{true: 5, false: 0.25}[classes.Y[i] > 0] / n
	}
	check("class weights", train(t, &classes, lanes.Options{ClassWeight: lanes.ClassWeight{Positive: 5, Negative: 0.25}}).Used.GapTolerance, 1e-6*weighted)
	several := classes
	several.Y = slices.Clone(several.Y)
	for i := range several.Y {
		several.Y[i] = float64(i % 3)
	}
	check("classes against the rest", train(t, &several, lanes.Options{ClassWeight: lanes.ClassWeight{Positive: 5, Negative: 0.25}}).Used.GapTolerance, 1e-6*mass/n*(5+2*0.25)/3)
	check("softmax", train(t, &several, lanes.Options{Kind: lanes.Softmax}).Used.GapTolerance, 1e-6*mass/n)
}

// TestConstantTargets: rounding of the targets is no distance from the minimum.
func TestConstantTargets(t *testing.T) {
	data := *targeted(t)
	data.Offset = nil
	for _, v := range []float64{3, 1e12 / 3, 1e-9 / 7, 0} {
		for name, o := range map[string]lanes.Options{
			"squared": {Kind: lanes.Regression, Tolerance: 1e-12, Penalty: lanes.L2(0.05)}, "huber": {Loss: loss.Huber{Delta: 1.35}, Tolerance: 1e-9, Penalty: lanes.L2(0.05)},
			"lasso": {Kind: lanes.Regression, Tolerance: 1e-12, Penalty: lanes.L1(0.05)}, "none": {Kind: lanes.Regression, Penalty: lanes.NoPenalty},
		} {
			o.Intercept = lanes.FreeIntercept
			data.Y = slices.Repeat([]float64{v}, len(data.Weight))
			f := train(t, &data, o)
			last := len(f.Result.Weights) - 1
			if f.Result.Status != solvers.Converged || !(math.Abs(f.Result.Weights[last]-v) <= 1e-9*v) {
				t.Errorf("%s, targets of %g: %v, gap %g of %g, weights %v", name, v, f.Result.Status, f.Result.Gap, f.Used.GapTolerance, f.Result.Weights)
			}
		}
	}
}

// TestTolerancesOfStreams: rows in a file, and processes that share them, have the tolerance of the
// same shards in memory, to the bit.
func TestTolerancesOfStreams(t *testing.T) {
	data := tabled(t)
	data.LabelNames, data.Encoding = nil, nil
	for name, o := range map[string]lanes.Options{
		"targets": {Kind: lanes.Regression, Intercept: lanes.FreeIntercept, Penalty: lanes.NoPenalty}, "huber": {Loss: loss.Huber{}},
		"classes": {Positive: "2"}, "class weights": {Positive: "2", ClassWeight: lanes.ClassWeight{Positive: 3, Negative: 0.1}},
		"balanced": {Positive: "2", ClassWeight: lanes.Balanced},
		"counts":   {Loss: loss.Poisson{}}, "counts, free": {Loss: loss.Poisson{}, Intercept: lanes.FreeIntercept, Penalty: lanes.NoPenalty},
	} {
		o.Settings.Shards, o.Settings.MaxEpochs, o.Tolerance = 16, 1, 1e-5
		want := train(t, data, o).Used
		if want.GapTolerance+want.GradientTolerance == 1e-5 {
			t.Errorf("%s: tolerances %v, %v: the test needs others", name, want.GapTolerance, want.GradientTolerance)
		}
		same := func(how string, got solvers.Settings) {
			if got.GapTolerance != want.GapTolerance || got.GradientTolerance != want.GradientTolerance {
				t.Errorf("%s, %s: tolerances %v and %v, not %v and %v", name, how, got.GapTolerance, got.GradientTolerance, want.GapTolerance, want.GradientTolerance)
			}
		}
		stream := opened(t, data, 900)
		f, err := lanes.TrainStream(t.Context(), stream, 0, o)
		if err != nil {
			t.Fatal(err)
		}
		same("a file", f.Used)
		for _, size := range []int{2, 3} {
			for _, err := range shardstest.Run(size, func(ranks solvers.Ranks) error {
				own := o
				own.Settings.Ranks = ranks
				f, err := lanes.TrainStream(t.Context(), stream, 0, own)
				if err == nil {
					same(fmt.Sprintf("%d processes", size), f.Used)
				}
				return err
			}) {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// TestConstantTargetsOfKinks: a run on constant targets converges for losses with kinks too, whose least
// objective is rounding.
func TestConstantTargetsOfKinks(t *testing.T) {
	data := relabelled(rows(t, "dense:n=40,d=3"), func(int) float64 { return 3 })
	for _, phi := range []loss.Loss{loss.Quantile{Level: 0.9}, loss.Insensitive{Epsilon: 0.5}} {
		f, err := lanes.Train(t.Context(), data, lanes.Options{Kind: lanes.Regression, Loss: phi, Intercept: lanes.FreeIntercept})
		if err != nil || f.Result.Status != solvers.Converged || !(f.Result.Objective < 1e-11) {
			t.Fatalf("%v: %+v, error %v", phi, f, err)
		}
	}
}
