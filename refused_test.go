package lanes_test

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// refused has what is refused, by name, with the whole error: it was read by hand line by line.
//
//go:embed testdata/refused.txt
var refused string

// refusal is what a call is given. Its name begins with the call.
type refusal struct {
	name string
	o    lanes.Options
	data *sparse.Data
	s    lanes.Search
	e    lanes.EvaluateOptions
}

// namesOf are the names of the losses of targets, of those with a link or of all.
func namesOf(linked bool) string {
	var names []string
	for _, name := range loss.Names() {
		if l, err := loss.Parse(name, 0); err == nil && !l.Labels() && (!linked || loss.ParseLinked(name, 0) != nil) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// TestRefusals: every entry point says in full which option or which rows it refuses, and why. Problems
// that are posed say what their labels are.
func TestRefusals(t *testing.T) {
	two := rows(t, "onehot:n=60,d=4")
	words := func(n int, names ...string) *sparse.Data {
		d := relabelled(two, func(i int) float64 { return float64(i % n) })
		d.LabelNames = names
		return d
	}
	three, target := words(3), relabelled(two, func(i int) float64 { return float64(i) + 0.5 })
	named, seven := words(3, "low", "mid", "high"), words(7, "a", "b", "c", "d", "e", "f", "g")
	strays := words(9, "1", "2", "3", "4", "5", "6", "7", "bad", "inf")
	nine := words(19, "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "b", "c", "d", "e", "f", "g", "h")
	with := func(change func(d *sparse.Data)) *sparse.Data {
		d := *two
		change(&d)
		return &d
	}
	ones := slices.Repeat([]float64{1}, 60)
	weighted := with(func(d *sparse.Data) { d.Weight = ones })
	offset := with(func(d *sparse.Data) { d.Offset = ones })
	offsets := relabelled(offset, func(i int) float64 { return float64(i % 3) })
	fewLabels := with(func(d *sparse.Data) { d.Y = d.Y[:7] })
	at := func(k int, v float64) []float64 {
		list := slices.Clone(ones)
		list[k] = v
		return list
	}
	regression, squared := lanes.Options{Kind: lanes.Regression}, lanes.Options{Loss: loss.Squared{}}
	model := train(t, two, lanes.Options{}).Model
	ofNames := train(t, named, lanes.Options{Kind: lanes.OneVsRest}).Model
	ofThree := train(t, three, lanes.Options{Kind: lanes.OneVsRest}).Model
	ofTarget := train(t, target, squared).Model
	var got []string
	for _, c := range []refusal{
		{name: "train positive", o: lanes.Options{Positive: "spam"}},
		{name: "train positive inf", o: lanes.Options{Positive: "Inf"}},
		{name: "train positive word", o: lanes.Options{Positive: "top"}, data: seven},
		{name: "train two classes of words", data: named, o: lanes.Options{Kind: lanes.TwoClasses}},
		{name: "train nan", data: relabelled(two, func(i int) float64 { return []float64{0, math.NaN()}[i%2] })},
		{name: "train targets of words", data: named, o: regression},
		{name: "train strays", data: strays, o: squared},
		{name: "train many strays", data: nine, o: squared},
		{name: "train few labels", data: fewLabels},
		{name: "train target loss", o: lanes.Options{Loss: loss.Squared{}, Kind: lanes.TwoClasses}, data: named},
		{name: "train loss of targets", o: lanes.Options{Kind: lanes.Regression, Loss: loss.Logistic{}}, data: target},
		{name: "train solver of targets", o: lanes.Options{Kind: lanes.Regression, Solver: "adap"}, data: target},
		{name: "train ranks targets", o: lanes.Options{Solver: "adap"}, data: target},
		{name: "train class weight of targets", o: lanes.Options{Loss: loss.Squared{}, ClassWeight: lanes.Balanced}, data: target},
		{name: "train weights twice", o: lanes.Options{RowWeights: ones}, data: weighted},
		{name: "train offsets twice", o: lanes.Options{RowOffsets: ones}, data: offset},
		{name: "train weights of ranks", o: lanes.Options{Solver: "adap"}, data: weighted},
		{name: "train offsets of classes", o: lanes.Options{Kind: lanes.OneVsRest}, data: offsets},
		{name: "train few weights", o: lanes.Options{RowWeights: ones[:3]}},
		{name: "train few offsets", o: lanes.Options{RowOffsets: ones[:3]}},
		{name: "train weight below 0", o: lanes.Options{RowWeights: at(6, -1)}},
		{name: "train no weight", o: lanes.Options{RowWeights: make([]float64, 60)}},
		{name: "train infinite offset", o: lanes.Options{RowOffsets: at(6, math.Inf(-1))}},
		{name: "train metric", o: lanes.Options{Metric: "beauty"}},
		{name: "train metric of a hinge", o: lanes.Options{Metric: "logloss", Loss: loss.SquaredHinge{}, Validation: two}},
		{name: "train metric of ranks", o: lanes.Options{Metric: "logloss", Solver: "adap", Validation: two}},
		{name: "train metric of targets", o: lanes.Options{Metric: "auc", Loss: loss.Squared{}, Validation: target}, data: target},
		{name: "train metric of classes", o: lanes.Options{Metric: "beauty", Kind: lanes.OneVsRest, Validation: three}, data: three},
		{name: "train logloss of classes", o: lanes.Options{Metric: "logloss", Kind: lanes.OneVsRest, Loss: loss.SquaredHinge{}, Validation: three}, data: three},
		{name: "train empty validation", o: lanes.Options{Validation: &sparse.Data{}}},
		{name: "train validation without offsets", o: lanes.Options{Validation: two}, data: offset},
		{name: "train validation with offsets", o: lanes.Options{Validation: offsets, Kind: lanes.OneVsRest}, data: three},
		{name: "train validation of other labels", o: lanes.Options{Validation: three}},
		{name: "train validation of few labels", o: lanes.Options{Validation: fewLabels}},
		{name: "train holdout", o: lanes.Options{Holdout: 1}},
		{name: "train holdout by few", o: lanes.Options{Holdout: 0.2, HoldoutBy: ones[:3]}},
		{name: "train holdout of equals", o: lanes.Options{Holdout: 0.2, HoldoutBy: ones}},
		{name: "train holdout and weight", o: lanes.Options{Holdout: 0.2, RowWeights: at(6, -1)}},
		{name: "train holdout and offset", o: lanes.Options{Holdout: 0.2, RowOffsets: at(6, math.NaN())}},
		{name: "path solver", o: lanes.Options{Solver: "adap"}},
		{name: "path one", s: lanes.Search{One: true, Weights: []float64{1}}, o: lanes.Options{Penalty: lanes.L2(1)}},
		{name: "path weights ascend", s: lanes.Search{Weights: []float64{0.5, 0.5}}},
		{name: "path weight 0", s: lanes.Search{Weights: []float64{1, 0}}},
		{name: "folds 1", s: lanes.Search{Folds: 1}},
		{name: "folds one without", s: lanes.Search{One: true}, o: lanes.Options{Penalty: lanes.NoPenalty}},
		{name: "folds validation", o: lanes.Options{Validation: two}},
		{name: "folds of few rows", s: lanes.Search{Folds: 61}},
		{name: "forecast"},
		{name: "for metric", o: lanes.Options{Metric: "auc"}},
		{name: "for kind", o: lanes.Options{Kind: lanes.Softmax}},
		{name: "for loss", o: lanes.Options{Loss: loss.Logistic{}}},
		{name: "for penalty", o: lanes.Options{Penalty: lanes.L1(0.5)}},
		{name: "for intercept", o: lanes.Options{Intercept: lanes.FreeIntercept}},
		{name: "for class weight", o: lanes.Options{ClassWeight: lanes.Balanced}},
		{name: "for solver", o: lanes.Options{Solver: "newton"}},
		{name: "for validation", o: lanes.Options{Validation: two}},
		{name: "for initial", o: lanes.Options{Initial: model}},
		{name: "stream kind", o: lanes.Options{Kind: lanes.Softmax, Loss: loss.SquaredHinge{}}, data: three},
		{name: "stream validation", o: lanes.Options{Validation: three}},
		{name: "stream holdout", o: lanes.Options{Holdout: 0.25}},
		{name: "stream holdout by", o: lanes.Options{HoldoutBy: ones}},
		{name: "stream solver", o: lanes.Options{Solver: "svrg"}},
		{name: "stream solver and shards", o: lanes.Options{Solver: "svrg", Settings: solvers.Settings{Shards: 3}}},
		{name: "stream offsets", o: lanes.Options{RowOffsets: ones}},
		{name: "stream weights", o: lanes.Options{RowWeights: ones}},
		{name: "stream names", o: lanes.Options{FeatureNames: []string{"a"}}},
		{name: "stream initial", o: lanes.Options{Initial: ofTarget}},
		{name: "text"}, {name: "text of a positive class", o: lanes.Options{Positive: "-1"}},
		{name: "text of classes", o: lanes.Options{Kind: lanes.Softmax}, data: three}, {name: "text of one-vs-rest", o: lanes.Options{Kind: lanes.OneVsRest}, data: seven},
		{name: "text of words", o: lanes.Options{Positive: "mid"}, data: named}, {name: "text of two words", data: words(2, "no", "yes")},
		{name: "text of targets", o: squared, data: target},
		{name: "eval positive", e: lanes.EvaluateOptions{Positive: "spam"}},
		{name: "eval positive of targets", e: lanes.EvaluateOptions{Positive: "1"}, o: squared},
		{name: "eval rates of targets", e: lanes.EvaluateOptions{Rates: [2]float64{0, 1}}, o: squared},
		{name: "eval rates of classes", e: lanes.EvaluateOptions{Rates: [2]float64{0, 1}}, data: three},
		{name: "eval positive of words", e: lanes.EvaluateOptions{Positive: "top"}, data: named},
		{name: "eval positive of classes", e: lanes.EvaluateOptions{Positive: "3"}, data: three},
		{name: "eval rates", e: lanes.EvaluateOptions{Rates: [2]float64{0.5, 0.5}}},
		{name: "eval least rate", e: lanes.EvaluateOptions{Rates: [2]float64{0, 0.5}, MinTPR: 1}},
		{name: "eval least rate alone", e: lanes.EvaluateOptions{MinTPR: 0.5}},
		{name: "eval few weights", e: lanes.EvaluateOptions{RowWeights: ones[:3]}},
		{name: "eval weight", e: lanes.EvaluateOptions{RowWeights: at(6, -1)}},
		{name: "eval no weight", e: lanes.EvaluateOptions{RowWeights: make([]float64, 60)}},
		{name: "eval weights twice", e: lanes.EvaluateOptions{RowWeights: ones}, data: weighted},
		{name: "eval offsets of classes", data: offsets},
	} {
		data := c.data
		if data == nil {
			data = two
		}
		var err error
		switch call, _, _ := strings.Cut(c.name, " "); call {
		case "train":
			_, err = lanes.Train(t.Context(), data, c.o)
		case "path":
			c.s.Options = c.o
			_, err = lanes.Path(t.Context(), data, c.s)
		case "folds":
			c.s.Options = c.o
			_, err = lanes.CrossValidate(t.Context(), data, c.s)
		case "forecast":
			_, err = lanes.For(t.Context(), data, "weather", 2, c.o)
		case "for":
			_, err = lanes.For(t.Context(), data, lanes.AUROC, 2, c.o)
		case "stream":
			_, err = lanes.TrainStream(t.Context(), opened(t, data), 1<<20, c.o)
		case "text":
			var p *lanes.Problem
			if p, err = lanes.Pose(data, c.o); err == nil {
				err = errors.New(p.LabelText())
			}
		case "eval":
			m := model
			switch {
			case data == named:
				m = ofNames
			case data == three || data == offsets:
				m = ofThree
			case c.o.Loss != nil:
				m = ofTarget
			}
			_, err = lanes.Evaluate(t.Context(), m, data, c.e)
		}
		got = append(got, fmt.Sprintf("%s: %v", c.name, err))
	}
	want := strings.Split(strings.TrimSpace(refused), "\n")
	for k, line := range got {
		if k >= len(want) || line != strings.NewReplacer("LOSSES", namesOf(false), "LINKED", namesOf(true)).Replace(want[k]) {
			t.Errorf("%s", line)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d lines, want %d", len(got), len(want))
	}
}
