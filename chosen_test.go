package lanes_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/sparse"
)

// A search shows what it tried: the chosen way has the mean, the penalty and the fits of
// Fitted, and the constant column if the model has one.
func TestSearchShowsWhatItTried(t *testing.T) {
	data := rows(t, "onehot:n=200,d=8")
	for _, intercept := range []lanes.Intercept{lanes.UsualIntercept, lanes.PenalisedIntercept, lanes.NoIntercept} {
		passes := map[float64]float64{}
		for _, most := range []float64{0, 40} {
			o := lanes.Options{Intercept: intercept, Normalize: "std"}
			o.Settings.MaxEpochs = most
			f, err := lanes.For(t.Context(), data, lanes.AveragePrecision, 2, o)
			if err != nil {
				t.Fatal(err)
			}
			passes[most] = f.Tried.Epochs()
			best, columns := f.Tried.Tried[f.Best], 9
			if intercept == lanes.NoIntercept {
				columns = 8
			}
			if f.Metrics["cv_ap"] != best.Mean || f.Metrics["cv_ap_standard_error"] != best.Error || f.Problem.Ridge() != best.Lambda || f.About().Meta.Lambda != best.Lambda {
				t.Errorf("%v: %v of %+v, a penalty of %v", intercept, f.Metrics, best, f.Problem.Ridge())
			}
			if len(f.Result.Weights) != columns || f.Made < f.Tried.Fits || f.Made == 0 || f.Unsolved < f.Tried.Missed {
				t.Errorf("%v: %d weights, %d of %d fits", intercept, len(f.Result.Weights), f.Made, f.Tried.Fits)
			}
			r, err := lanes.Evaluate(t.Context(), f.Model, data, lanes.EvaluateOptions{})
			if err != nil || !(math.Abs(r.AveragePrecision-f.Metrics["train_ap"]) <= 1e-12) {
				t.Errorf("%v: %v and %v on the rows of the training: %v", intercept, r.AveragePrecision, f.Metrics, err)
			}
		}
		if passes[40] >= passes[0] {
			t.Errorf("%v: %v passes, and %v with a budget", intercept, passes[0], passes[40])
		}
	}
}

// One standard error takes a larger weight than the best where the means are that near.
func TestOneStandardError(t *testing.T) {
	data, chosen := rows(t, "dense:n=120,d=15"), 0
	data = relabelled(data, func(i int) float64 { return data.Y[i] * []float64{1, -1, 1, 1}[i%4] })
	for _, one := range []bool{false, true} {
		s := lanes.Search{OneStandardError: one, Weights: []float64{3, 1, 0.5, 0.2, 0.1, 0.05, 0.01}}
		f, err := lanes.CrossValidate(t.Context(), data, s)
		if err != nil {
			t.Fatal(err)
		}
		mean := f.Folds.Mean
		best := slices.Index(mean, slices.Min(mean))
		most := mean[best] + f.Folds.Error[best]
		if one {
			best = slices.IndexFunc(mean, func(v float64) bool { return v <= most })
		}
		if f.Best != best || f.Folds.Chosen != s.Weights[best] || one && best == chosen {
			t.Errorf("point %d of %v with errors %v was chosen", f.Best, mean, f.Folds.Error)
		}
		if f.Metrics["cv_logloss"] != mean[best] || f.Metrics["cv_logloss_standard_error"] != f.Folds.Error[best] {
			t.Errorf("%v, and point %d of %v with errors %v was chosen", f.Metrics, best, mean, f.Folds.Error)
		}
		chosen = best
	}
	// The best mean says whether better ones may lie beyond, whatever is chosen.
	f, err := lanes.CrossValidate(t.Context(), data, lanes.Search{OneStandardError: true, Weights: []float64{3, 1, 0.5, 0.2}})
	if err != nil || f.Best != 1 || f.Folds.Best != 3 || !f.AtEdge {
		t.Errorf("point %d is chosen, and the best is %d, at an edge %t: %v", f.Best, f.Folds.Best, f.AtEdge, err)
	}
}

// TestNoteOfTheChosen: where a search gives up the best candidate for a simpler one, a note names both
// and the standard error of the best.
func TestNoteOfTheChosen(t *testing.T) {
	data := rows(t, "dense:n=120,d=15")
	data = relabelled(data, func(i int) float64 { return data.Y[i] * []float64{1, -1, 1, 1}[i%4] })
	f, err := lanes.For(t.Context(), data, lanes.LogLoss, 5, lanes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	best := 0
	for k, tried := range f.Tried.Tried {
		if tried.Mean < f.Tried.Tried[best].Mean {
			best = k
		}
	}
	text := func(k int) string {
		tried := &f.Tried.Tried[k]
		return fmt.Sprintf("(%v, lambda %.3g: logloss %.6g)", &tried.Candidate, tried.Lambda, tried.Mean)
	}
	want := fmt.Sprintf("the simplest candidate within one standard error (%.2g) of the best is trained %s; the best is given up %s", f.Tried.Tried[best].Error, text(f.Best), text(best))
	own, other := fmt.Sprintf("(%.2g)", f.Tried.Tried[best].Error), fmt.Sprintf("(%.2g)", f.Tried.Tried[f.Best].Error)
	at := slices.IndexFunc(f.Notes, func(n notes.Note) bool { return n.Kind == notes.Chosen })
	if best == f.Best || own == other || at < 0 || f.Notes[at].String() != want {
		t.Errorf("candidate %d for %d with the errors %s and %s: %v", f.Best, best, other, own, f.Notes)
	}
}

// A weight of the L1 norm stays beside weights of the squared norm, and beside C.
func TestElasticNets(t *testing.T) {
	data := rows(t, "onehot:n=500,d=30")
	sum := func(w []float64) (sum float64) {
		for i, z := range products(data.X, w, 1) {
			sum += math.Log1p(math.Exp(-data.Y[i]*z[0])) / 500
		}
		return sum
	}
	f, err := lanes.Path(t.Context(), data, lanes.Search{Options: lanes.Options{Penalty: lanes.L1(0.01)}, Weights: []float64{1, 0.1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, fit := range f.Fits {
		if want := sum(fit.Result.Weights) + norms(fit.Result.Weights, 1, false, 0.01, fit.Weight); !(math.Abs(want-fit.Result.Objective) <= 1e-12) {
			t.Errorf("at %v the objective is %v, not %v", fit.Weight, fit.Result.Objective, want)
		}
	}
	f = train(t, data, lanes.Options{Penalty: lanes.Penalty{L1: 0.01, C: 0.2}})
	if want := sum(f.Result.Weights) + norms(f.Result.Weights, 1, false, 0.01, 1/(0.2*500)); !(math.Abs(want-f.Result.Objective) <= 1e-12) {
		t.Errorf("beside C the objective is %v, not %v", f.Result.Objective, want)
	}
	along, err := lanes.PoseSearch(data, lanes.Search{OverL1: true, Options: lanes.Options{Penalty: lanes.L2(0.3)}})
	if _, l2 := along.Weights(); err != nil || l2 != 0.3 {
		t.Errorf("a penalty of %v: %v", l2, err)
	}
}

// Labels are classes or targets as Kind, the loss and the rows of a label say.
func TestTargetsOrClasses(t *testing.T) {
	data := rows(t, "onehot:n=200,d=6")
	of := func(count int) *sparse.Data {
		return relabelled(data, func(i int) float64 { return float64(i % count) })
	}
	for _, c := range []struct {
		data    *sparse.Data
		o       lanes.Options
		targets bool
	}{
		{of(20), lanes.Options{}, false}, {of(21), lanes.Options{}, true}, {of(21), lanes.Options{Loss: loss.SquaredHinge{}}, false},
		{relabelled(data, func(i int) float64 { return float64(i%2) + 0.5 }), lanes.Options{}, false}, {relabelled(data, func(i int) float64 { return float64(i%3) + 0.5 }), lanes.Options{}, true},
		{of(2), lanes.Options{Loss: loss.Squared{}}, false}, {of(2), lanes.Options{Loss: loss.Huber{}}, false}, {of(3), lanes.Options{Loss: loss.Huber{}}, true},
		{of(3), lanes.Options{Loss: loss.Squared{}, Kind: lanes.TwoClasses}, true}, {of(2), lanes.Options{Kind: lanes.Regression}, true},
	} {
		p, err := lanes.Pose(c.data, c.o)
		if err != nil {
			t.Fatal(err)
		}
		if p.Targets() != c.targets || c.targets && p.Options().Loss == (loss.Logistic{}) {
			t.Errorf("%+v: targets %t by the loss %v", c.o, p.Targets(), p.Options().Loss)
		}
	}
	words := relabelled(data, func(i int) float64 { return float64(i % 3) })
	words.LabelNames = []string{"cat", "rest", "the-rest"}
	p, err := lanes.Pose(words, lanes.Options{Positive: "cat"})
	if err != nil || fmt.Sprint(p.Words()) != "[cat the-the-rest]" {
		t.Errorf("%v: %v", p.Words(), err)
	}
}
