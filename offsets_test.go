package lanes_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
)

// TestFoldsHaveOffsets: the rows of a fold are scored with their offsets, by fits of the other rows
// with theirs, in cross-validations and in searches.
func TestFoldsHaveOffsets(t *testing.T) {
	repeat.Skip(t)
	data := heavy(t)
	n := len(data.Y)
	for i := range data.Offset {
		data.Offset[i] *= 3
	}
	class := make([]uint32, n)
	for i, y := range data.Y {
		if y > 0 {
			class[i] = 1
		}
	}
	fold, err := related.Folds(n, class, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	// byDefinition is the log loss of the rows of a fold.
	byDefinition := func(which uint32, lambda float64, intercept lanes.Intercept, balanced bool) float64 {
		var rest, own []uint32
		for i, f := range fold {
			if f == which {
				own = append(own, uint32(i))
			} else {
				rest = append(rest, uint32(i))
			}
		}
		part := func(list []uint32) *sparse.Data {
			d := &sparse.Data{}
			for _, i := range list {
				d.Y, d.Weight, d.Offset = append(d.Y, data.Y[i]), append(d.Weight, data.Weight[i]), append(d.Offset, data.Offset[i])
			}
			if d.X, err = data.X.PickRows(nil, list); err != nil {
				t.Fatal(err)
			}
			return d
		}
		o := lanes.Options{Penalty: lanes.L2(lambda), Intercept: intercept, Settings: solvers.Settings{GapTolerance: 1e-10}}
		if balanced {
			o.ClassWeight = lanes.Balanced
		}
		f, test := train(t, part(rest), o), part(own)
		scores, err := f.Scores(nil, nil, test.X)
		if err != nil {
			t.Fatal(err)
		}
		sum, all := 0.0, 0.0
		for i, s := range scores {
			sum += test.Weight[i] * math.Log1p(math.Exp(-test.Y[i]*(s+test.Offset[i])))
			all += test.Weight[i]
		}
		return sum / all
	}
	checked := 0
	f, err := lanes.CrossValidate(t.Context(), data, lanes.Search{Folds: 3, Weights: []float64{0.1, 0.01}, Options: lanes.Options{
		Intercept: lanes.FreeIntercept, Settings: solvers.Settings{GapTolerance: 1e-10, Seed: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	for k, values := range f.Folds.Values {
		for which, got := range values {
			if want := byDefinition(uint32(which), f.Folds.Lambdas[k], lanes.FreeIntercept, false); !(math.Abs(got-want) <= 1e-4) {
				t.Errorf("lambda %v, fold %d: %v, want %v", f.Folds.Lambdas[k], which, got, want)
			}
			checked++
		}
	}
	f, err = lanes.For(t.Context(), data, lanes.LogLoss, 3, lanes.Options{Settings: solvers.Settings{Seed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tried := range f.Tried.Tried[:4] {
		for which, got := range tried.Values {
			if want := byDefinition(uint32(which), tried.Lambda, lanes.PenalisedIntercept, tried.Balanced); !(math.Abs(got-want) <= 1e-3) {
				t.Errorf("%v, lambda %v, fold %d: %v, want %v", &tried.Candidate, tried.Lambda, which, got, want)
			}
			checked++
		}
	}
	if r, err := lanes.Evaluate(t.Context(), f, data, lanes.EvaluateOptions{}); err != nil || !near(f.Metrics["train_logloss"], r.LogLoss) {
		t.Errorf("the search says %v of the training rows, Evaluate %v (%v)", f.Metrics["train_logloss"], r.LogLoss, err)
	}
	data.Weight = nil
	f, err = lanes.For(t.Context(), data, lanes.AUROC, 3, lanes.Options{Settings: solvers.Settings{Seed: 1, MaxEpochs: 10000}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tried := range f.Tried.Tried {
		if tried.Solver != related.Logistic {
			t.Errorf("%v was tried on rows with offsets", &tried.Candidate)
		}
	}
	if checked != 6+12 {
		t.Errorf("%d values were checked", checked)
	}
}

// lopsided are rows that no linear score explains: 1 of 8 negatives lies far out in the direction
// that tells most of the others from the positives.
func lopsided(t *testing.T, n int) *sparse.Data {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 7))
	noise := func() float64 { return random.Float64() + random.Float64() - 1 }
	b, data := sparse.NewBuilder(sparse.BuilderOptions{}), &sparse.Data{}
	for i := range n {
		y, x := -1.0, []float64{noise(), noise(), noise()}
		switch {
		case i%5 == 0:
			y = 1
			x[0] += 1.5
			x[1] += 0.8
		case i%10 == 1:
			x[0] += 6
		}
		if err := b.AddRow([]int{0, 1, 2}, x); err != nil {
			t.Fatal(err)
		}
		data.Y = append(data.Y, y)
	}
	var err error
	if data.X, err = b.Build(); err != nil {
		t.Fatal(err)
	}
	return data
}

// TestOffsetsOfTheOtherClass: with the other class as the positive one, scores with their offsets
// change their signs. The area under the ROC curve and the log loss stay.
func TestOffsetsOfTheOtherClass(t *testing.T) {
	data := heavy(t)
	f := train(t, data, lanes.Options{Penalty: lanes.L2(0.01)})
	var got [2]*lanes.Report
	for k, positive := range []string{"1", "-1"} {
		r, err := lanes.Evaluate(t.Context(), f, data, lanes.EvaluateOptions{Positive: positive})
		if err != nil {
			t.Fatal(err)
		}
		got[k] = r
	}
	if !near(got[0].AUROC, got[1].AUROC) || !near(got[0].LogLoss, got[1].LogLoss) {
		t.Errorf("AUC %v and %v, log loss %v and %v", got[0].AUROC, got[1].AUROC, got[0].LogLoss, got[1].LogLoss)
	}
}

// TestForLeastTPR: a search above a least true-positive rate measures and trains above it.
func TestForLeastTPR(t *testing.T) {
	repeat.Skip(t)
	data := lopsided(t, 2000)
	f, err := lanes.For(t.Context(), data, "pauc:0,0.4,0.5", 5, lanes.Options{Settings: solvers.Settings{Seed: 1, MaxEpochs: 2000}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tried := range f.Tried.Tried {
		if tried.High > 0 && tried.MinTPR != 0.5 {
			t.Errorf("%v has the least true-positive rate %v", &tried.Candidate, tried.MinTPR)
		}
	}
	if best := f.Tried.Tried[f.Best]; best.High == 0 || f.Problem.MinTPR() != 0.5 {
		t.Errorf("%v was chosen; its problem has the least rate %v", &best.Candidate, f.Problem.MinTPR())
	}
	r, err := lanes.Evaluate(t.Context(), f, data, lanes.EvaluateOptions{Rates: [2]float64{0, 0.4}, MinTPR: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	below, err := lanes.Evaluate(t.Context(), f, data, lanes.EvaluateOptions{Rates: [2]float64{0, 0.4}})
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Metrics["train_"+f.Tried.Metric.Name]; !near(got, r.NormalisedPartialAUC) || near(got, below.NormalisedPartialAUC) {
		t.Errorf("%v on the training rows, Evaluate has %v, and %v without the least rate", f.Metrics, r.NormalisedPartialAUC, below.NormalisedPartialAUC)
	}
	if got, twice := f.Metrics["train_pauc"]; twice {
		t.Errorf("train_pauc %v beside %s: it is one area", got, f.Tried.Metric.Name)
	}
}
