package lanes_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// chosenRows returns the listed rows, or all but them.
func chosenRows(t *testing.T, data *sparse.Data, rows []int, others bool) *sparse.Data {
	t.Helper()
	out := &sparse.Data{LabelNames: data.LabelNames}
	var list []uint32
	for i := range data.Y {
		if slices.Contains(rows, i) == others {
			continue
		}
		list = append(list, uint32(i))
		out.Y = append(out.Y, data.Y[i])
		if data.Weight != nil {
			out.Weight = append(out.Weight, data.Weight[i])
		}
		if data.Offset != nil {
			out.Offset = append(out.Offset, data.Offset[i])
		}
		if data.Query != nil {
			out.Query = append(out.Query, data.Query[i])
		}
	}
	var err error
	if out.X, err = data.X.PickRows(nil, list); err != nil {
		t.Fatal(err)
	}
	return out
}

// ways are the ways to train, by name.
var ways = map[string]func(ctx context.Context, data *sparse.Data, o lanes.Options) (*lanes.Fitted, error){
	"Train": lanes.Train,
	"Path": func(ctx context.Context, data *sparse.Data, o lanes.Options) (*lanes.Fitted, error) {
		return lanes.Path(ctx, data, lanes.Search{Options: o, Weights: []float64{0.1, 0.01}})
	},
	"CrossValidate": func(ctx context.Context, data *sparse.Data, o lanes.Options) (*lanes.Fitted, error) {
		return lanes.CrossValidate(ctx, data, lanes.Search{Options: o, Weights: []float64{0.1, 0.01}, Folds: 3})
	},
	"For": func(ctx context.Context, data *sparse.Data, o lanes.Options) (*lanes.Fitted, error) {
		return lanes.For(ctx, data, lanes.LogLoss, 3, o)
	},
}

// TestHoldout: rows that are held out have the share of every label, and are the same for a seed.
// Every way to train has the bits of a training without these rows, and measures the model on them.
func TestHoldout(t *testing.T) {
	repeat.Skip(t)
	data := heavy(t)
	data.Query = nil
	checked := 0
	for name, train := range ways {
		for _, by := range []bool{false, true} {
			o := lanes.Options{Settings: solvers.Settings{Seed: 3}}
			with := o
			if with.Holdout = 0.25; by {
				for i := range data.Y {
					with.HoldoutBy = append(with.HoldoutBy, float64(i*7919%len(data.Y)))
				}
			}
			f, err := train(t.Context(), data, with)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			held := f.HeldOut.Rows
			if len(held) < 749 || len(held) > 751 || !slices.IsSorted(held) || len(slices.Compact(slices.Clone(held))) != len(held) {
				t.Fatalf("%s: %d rows are held out", name, len(held))
			}
			count := func(rows []int, label float64) (n float64) {
				for _, i := range rows {
					if data.Y[i] == label {
						n++
					}
				}
				return n
			}
			all := make([]int, len(data.Y))
			for i := range all {
				all[i] = i
			}
			for _, label := range []float64{-1, 1} {
				if want := math.Round(count(all, label) / 4); !by && count(held, label) != want {
					t.Errorf("%s: %v of label %v are held out, want %v", name, count(held, label), label, want)
				}
			}
			for i, v := range with.HoldoutBy {
				if (v >= 2250) != slices.Contains(held, i) {
					t.Fatalf("%s: row %d with the number %v", name, i, v)
				}
			}
			want, err := train(t.Context(), chosenRows(t, data, held, true), o)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(f.Result.Weights, want.Result.Weights) || f.Problem.X.Rows() != len(data.Y)-len(held) {
				t.Errorf("%s: other weights than of the other rows alone", name)
			}
			rest := chosenRows(t, data, held, false)
			r, err := lanes.Evaluate(t.Context(), want, rest, lanes.EvaluateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if f.HeldOut.Report.String() != r.String() || f.Metrics["holdout_logloss"] != r.LogLoss || f.Metrics["holdout_auc"] != r.AUROC || !slices.Equal(f.HeldOut.Data.Y, rest.Y) {
				t.Errorf("%s: measured %v, want %v", name, f.HeldOut.Report, r)
			}
			noted := false
			for _, n := range f.Notes {
				noted = noted || n.Kind == "held-out" && n.Count == int64(len(held)) && n.Of == 3000
			}
			if !noted {
				t.Errorf("%s: no note: %v", name, f.Notes)
			}
			if by { // what the held-out targets are does not matter to the model
				other := *data
				other.Y = slices.Clone(data.Y)
				for _, i := range held {
					other.Y[i] = -other.Y[i]
				}
				if same, err := train(t.Context(), &other, with); err != nil || !slices.Equal(same.Result.Weights, f.Result.Weights) {
					t.Errorf("%s: the targets of rows held out change the weights (%v)", name, err)
				}
			}
			with.Settings.Seed = 4
			if other, err := train(t.Context(), data, with); err != nil || slices.Equal(other.HeldOut.Rows, held) != by {
				t.Errorf("%s: another seed holds out the same rows, or another order (%v)", name, err)
			}
			bare, given := without(data, with)
			given.Settings.Seed = 3
			if same, err := train(t.Context(), bare, given); err != nil || !slices.Equal(same.Result.Weights, f.Result.Weights) || same.HeldOut.Report.String() != r.String() {
				t.Errorf("%s: weights and offsets of the options: %v", name, err)
			}
			checked++
		}
	}
	if checked != 8 {
		t.Errorf("%d ways were checked", checked)
	}
}

// TestHoldoutOfGroups: groups are held out whole, by chance and by an order.
func TestHoldoutOfGroups(t *testing.T) {
	data := heavy(t)
	n := len(data.Y)
	by := make([]float64, n)
	for i := range n {
		data.Query = append(data.Query, int64(i*i%211))
		by[i] = float64(i)
	}
	last := map[int64]int{}
	for i, g := range data.Query {
		last[g] = i
	}
	for _, by := range [][]float64{nil, by} {
		f := train(t, data, lanes.Options{Holdout: 0.2, HoldoutBy: by})
		held := map[int64]bool{}
		for _, i := range f.HeldOut.Rows {
			held[data.Query[i]] = true
		}
		for i, g := range data.Query {
			if held[g] != slices.Contains(f.HeldOut.Rows, i) {
				t.Fatalf("group %d is cut at row %d", g, i)
			}
			if by != nil && !held[g] {
				for other := range held {
					if last[other] < last[g] {
						t.Fatalf("group %d ends at row %d and is trained on, group %d at %d and is held out", g, last[g], other, last[other])
					}
				}
			}
		}
		if share := float64(len(f.HeldOut.Rows)) / float64(n); share < 0.17 || share > 0.25 {
			t.Errorf("a share of %v is held out", share)
		}
	}
}

// TestHoldoutByHand: ties stay together, rows without a number are trained on, and one row of a
// label stays.
func TestHoldoutByHand(t *testing.T) {
	nan := math.NaN()
	b := sparse.NewBuilder(sparse.BuilderOptions{})
	for i := range 10 {
		if err := b.AddRow([]int{i % 2}, []float64{float64(i) + 1}); err != nil {
			t.Fatal(err)
		}
	}
	x, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	data := &sparse.Data{X: x, Y: []float64{1, -1, 1, -1, 1, -1, 1, -1, 1, -1}}
	for _, c := range []struct {
		by    []float64
		share float64
		want  []int
	}{
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0.2, []int{8, 9}},
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0, []int{8, 9}},
		{[]float64{9, 8, 2, 3, 4, 5, 6, 7, 1, 0}, 0.2, []int{0, 1}},
		{[]float64{0, 1, 2, 3, 4, 5, 6, 8, 8, 9}, 0.2, []int{7, 8, 9}},
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0.24, []int{8, 9}},
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0.26, []int{7, 8, 9}},
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0.01, []int{9}},
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0.99, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{[]float64{nan, nan, 2, 3, 4, 5, nan, 7, 8, nan}, 0.5, []int{5, 7, 8}},
		{[]float64{0, 1, 2, nan, 4, 5, 6, 7, 8, 9}, 0.2, []int{8, 9}},
		{[]float64{nan, 1, 2, nan, 4, nan, 6, 7, 8, 9}, 0.5, []int{6, 7, 8, 9}},
		{[]float64{nan, nan, nan, nan, nan, nan, nan, nan, 8, 7}, 0.9, []int{8}},
		{[]float64{-1, -2, -3, -4, -5, -6, -7, -8, -9, -10}, 0.2, []int{0, 1}},
	} {
		f, err := lanes.Train(t.Context(), data, lanes.Options{Kind: lanes.Regression, Holdout: c.share, HoldoutBy: c.by})
		if err != nil || !slices.Equal(f.HeldOut.Rows, c.want) {
			t.Fatalf("%v of %v: %v, want %v (%v)", c.share, c.by, f, c.want, err)
		}
		bare := 0
		for _, v := range c.by {
			if v != v {
				bare++
			}
		}
		want := fmt.Sprintf("%d of 10 rows are held out: the last ones by their order", len(c.want))
		if bare > 0 {
			want += fmt.Sprintf("; rows without a place in the order are trained on: %d", bare)
		}
		if got := f.Notes[len(f.Notes)-1].String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	equal := slices.Repeat([]float64{5}, 10)
	lone := *data
	lone.Y = []float64{-1, -1, -1, -1, -1, -1, -1, -1, -1, 1}
	many := heavy(t)
	for i := range many.Y {
		if many.Y[i] = -1; i >= 2700 {
			many.Y[i] = 1
		}
	}
	order := make([]float64, 3000)
	for i := range order {
		order[i] = float64(i)
	}
	for want, c := range map[string]struct {
		data *sparse.Data
		o    lanes.Options
	}{
		"Holdout = -0.1:": {data, lanes.Options{Holdout: -0.1}},
		"Holdout = 1:":    {data, lanes.Options{Holdout: 1}},
		"Holdout = NaN":   {data, lanes.Options{Holdout: nan}},
		"HoldoutBy = 3 numbers: there are 10 rows": {data, lanes.Options{HoldoutBy: order[:3]}},
		"Holdout = 0.2: it leaves 0 of 10 rows for the training and holds out 10: equal numbers and groups stay together": {data, lanes.Options{HoldoutBy: equal}},
		"it leaves 10 of 10 rows for the training and holds out 0: equal":                                                 {data, lanes.Options{HoldoutBy: slices.Repeat([]float64{nan}, 10)}},
		"it leaves 10 of 10 rows for the training and holds out 0":                                                        {data, lanes.Options{HoldoutBy: append(slices.Repeat([]float64{nan}, 9), 1)}},
		"row 2701: all rows with its label are held out: the training would not know it":                                  {many, lanes.Options{HoldoutBy: order}},
		"RowWeights = 3 numbers": {data, lanes.Options{Holdout: 0.2, RowWeights: order[:3]}},
		"RowOffsets = 3 numbers": {data, lanes.Options{Holdout: 0.2, RowOffsets: order[:3]}},
	} {
		if f, err := lanes.Train(t.Context(), c.data, c.o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v, %v", want, f, err)
		}
	}
}

// TestHoldoutAtBorders: labels of ten rows each keep their shares; a group is held out if that brings
// the share nearer, and stands in the order by its largest number.
func TestHoldoutAtBorders(t *testing.T) {
	data := rows(t, "dense:n=20,d=2")
	two := relabelled(data, func(i int) float64 { return float64(i % 2) })
	for seed := range uint64(10) {
		f := train(t, two, lanes.Options{Holdout: 0.2, Settings: solvers.Settings{Seed: seed}})
		odd := 0
		for _, i := range f.HeldOut.Rows {
			odd += i % 2
		}
		if want := "4 of 20 rows are held out: chosen at random, with equal shares of the labels"; f.Notes[len(f.Notes)-1].String() != want {
			t.Errorf("%v, want %q", f.Notes, want)
		}
		if len(f.HeldOut.Rows) != 4 || odd != 2 {
			t.Errorf("seed %d: the rows %v are held out, %d of them of label 1", seed, f.HeldOut.Rows, odd)
		}
	}
	uneven := 0
	for seed := range uint64(20) { // too few rows of a label for a share of each
		f := train(t, chosenRows(t, two, []int{19}, true), lanes.Options{Holdout: 0.2, Settings: solvers.Settings{Seed: seed}})
		odd := 0
		for _, i := range f.HeldOut.Rows {
			odd += i % 2
		}
		if uneven += max(odd-2, 2-odd); len(f.HeldOut.Rows) != 4 {
			t.Errorf("seed %d: %d of 19 rows are held out", seed, len(f.HeldOut.Rows))
		}
	}
	if uneven == 0 {
		t.Error("19 rows of two labels are held out by their labels")
	}
	targets := relabelled(data, func(i int) float64 { return float64(i) })
	for i := range targets.Y {
		targets.Query = append(targets.Query, int64(i/2))
	}
	if f := train(t, targets, lanes.Options{Holdout: 0.25}); len(f.HeldOut.Rows) != 4 { // 6 are as far from 5
		t.Errorf("%d rows of pairs are held out", len(f.HeldOut.Rows))
	}
	by := make([]float64, 20)
	by[0], by[1], by[2], by[3] = math.NaN(), 9, 8, math.NaN()
	if f := train(t, targets, lanes.Options{Holdout: 0.2, HoldoutBy: by}); !slices.Equal(f.HeldOut.Rows, []int{0, 1, 2, 3}) {
		t.Errorf("the rows %v are held out by a group's largest number", f.HeldOut.Rows)
	}
	clear(by)
	by[0], by[1], by[2], by[3] = 5, 1, 4, 4
	if f := train(t, targets, lanes.Options{Holdout: 0.1, HoldoutBy: by}); !slices.Equal(f.HeldOut.Rows, []int{0, 1}) {
		t.Errorf("the rows %v are held out by the first number of a group", f.HeldOut.Rows)
	}
	for i := range by {
		by[i] = -1 - float64(i)
	}
	if f := train(t, targets, lanes.Options{Holdout: 0.2, HoldoutBy: by}); !slices.Equal(f.HeldOut.Rows, []int{0, 1, 2, 3}) {
		t.Errorf("the rows %v are held out by negative numbers", f.HeldOut.Rows)
	}
}

// TestHoldoutByDefinition: groups are taken in the order of a seed. A group is held out if that lessens
// the sum of squares of (rows held out - rows wanted) / rows over the labels.
func TestHoldoutByDefinition(t *testing.T) {
	const n = 90
	data := rows(t, "dense:n=90,d=2")
	for seed := range uint64(20) {
		deal := random.New(seed + 99)
		data := relabelled(data, func(i int) float64 { return float64(min(deal.Below(6), 2)) })
		data.Query = nil
		var groups [][]int
		for i := 0; i < n; {
			end := min(i+1+int(deal.Below(6)), n)
			var group []int
			for ; i < end; i++ {
				group, data.Query = append(group, i), append(data.Query, int64(1000-end))
			}
			groups = append(groups, group)
		}
		order := random.New(seed)
		for i := len(groups) - 1; i > 0; i-- {
			k := order.Below(uint64(i + 1))
			groups[i], groups[k] = groups[k], groups[i]
		}
		held, total := [3]int64{}, [3]int64{}
		for _, y := range data.Y {
			total[int(y)]++
		}
		distance := func(held [3]int64) *big.Rat {
			sum := new(big.Rat)
			for k := range held {
				d := big.NewRat(held[k]-(2*total[k]+3)/6, total[k]) // a third, rounded
				sum.Add(sum, d.Mul(d, d))
			}
			return sum
		}
		var want []int
		for _, group := range groups {
			after := held
			for _, i := range group {
				after[int(data.Y[i])]++
			}
			if distance(after).Cmp(distance(held)) < 0 {
				held, want = after, append(want, group...)
			}
		}
		slices.Sort(want)
		if f := train(t, data, lanes.Options{Holdout: 1. / 3, Settings: solvers.Settings{Seed: seed}}); !slices.Equal(f.HeldOut.Rows, want) {
			t.Errorf("seed %d: the rows %v are held out, want %v", seed, f.HeldOut.Rows, want)
		}
	}
}

// TestHoldoutOfGivenRows: rows that are held out keep weights and offsets, whether the options or
// the data give them.
func TestHoldoutOfGivenRows(t *testing.T) {
	data := heavy(t)
	o := lanes.Options{Holdout: 0.25}
	want := train(t, data, o)
	bare, given := without(data, o)
	got := train(t, bare, given)
	if !slices.Equal(got.Result.Weights, want.Result.Weights) || got.HeldOut.Report.String() != want.HeldOut.Report.String() {
		t.Errorf("measured %v, want %v", got.HeldOut.Report, want.HeldOut.Report)
	}
	for k, i := range got.HeldOut.Rows {
		if held := got.HeldOut.Data; held.Weight[k] != data.Weight[i] || held.Offset[k] != data.Offset[i] {
			t.Fatalf("row %d is held out with the weight %v and the offset %v", i, held.Weight[k], held.Offset[k])
		}
	}
}

// TestFoldScores: the scores of the folds give the same metrics that the choice compared. The
// weights and offsets come from the data or from the options.
func TestFoldScores(t *testing.T) {
	repeat.Skip(t)
	data := heavy(t)
	for i := range data.Y {
		data.Query = append(data.Query, int64(i/5))
	}
	three := relabelled(heavy(t), func(i int) float64 { return float64(i*i%7%3) + 2 })
	three.Offset = nil
	few := relabelled(heavy(t), func(i int) float64 { // targets, of which two thirds look like two classes
		if i == 1 {
			return 0.5
		}
		return float64(i % 2)
	})
	precise := solvers.Settings{GapTolerance: 1e-9, Seed: 5}
	folds := func(data *sparse.Data, o lanes.Options) (*lanes.Fitted, error) {
		o.Settings = precise
		return lanes.CrossValidate(t.Context(), data, lanes.Search{Options: o, Folds: 3, Weights: []float64{0.3, 0.01}})
	}
	tried := 0
	for name, fit := range map[string]func() (*lanes.Fitted, error){
		"two classes": func() (*lanes.Fitted, error) {
			return folds(without(data, lanes.Options{Intercept: lanes.FreeIntercept}))
		},
		"scaled":  func() (*lanes.Fitted, error) { return folds(data, lanes.Options{Normalize: model.NormalizeStd}) },
		"weighed": func() (*lanes.Fitted, error) { return folds(data, lanes.Options{ClassWeight: lanes.Balanced}) },
		"targets": func() (*lanes.Fitted, error) { return folds(data, lanes.Options{Kind: lanes.Regression}) },
		"few":     func() (*lanes.Fitted, error) { return folds(few, lanes.Options{}) },
		"rest":    func() (*lanes.Fitted, error) { return folds(three, lanes.Options{Kind: lanes.OneVsRest}) },
		"softmax": func() (*lanes.Fitted, error) { return folds(three, lanes.Options{Kind: lanes.Softmax}) },
		"search": func() (*lanes.Fitted, error) {
			return lanes.For(t.Context(), data, lanes.LogLoss, 3, lanes.Options{Settings: solvers.Settings{Seed: 5}})
		},
		"budget": func() (*lanes.Fitted, error) { // of the whole search, and of no fit
			return lanes.For(t.Context(), data, lanes.LogLoss, 3, lanes.Options{Settings: solvers.Settings{Seed: 5, MaxEpochs: 1}})
		},
		"ranking": func() (*lanes.Fitted, error) {
			return lanes.For(t.Context(), lopsided(t, 2000), "pauc:0,0.4,0.5", 5, lanes.Options{Settings: solvers.Settings{Seed: 1, MaxEpochs: 2000}})
		},
	} {
		f, err := fit()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var want []float64
		if f.Tried != nil {
			want = f.Tried.Tried[f.Best].Values
		} else {
			want = f.Folds.Values[f.Best]
		}
		k := 0
		for block, err := range f.FoldScores(t.Context()) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			one := func(yield func(model.Scored, error) bool) { yield(block, nil) }
			o := lanes.EvaluateOptions{}
			if name == "ranking" {
				o = lanes.EvaluateOptions{Rates: [2]float64{0, 0.4}, MinTPR: 0.5}
			}
			r, err := lanes.EvaluateBlocks(f, one, o)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got := r.LogLoss
			switch name {
			case "targets", "few":
				got = r.MeanSquaredError
			case "ranking":
				got = r.NormalisedPartialAUC
			}
			tolerance := 1e-3
			if name == "weighed" { // folds count class weights in the metric, too
				tolerance = 0.02
			}
			if k >= len(want) || !(math.Abs(got-want[k]) <= tolerance*math.Abs(want[k])) {
				t.Errorf("%s: fold %d has %v, want %v", name, k, got, want)
			}
			k, tried = k+1, tried+1
		}
		if k != len(want) {
			t.Errorf("%s: %d folds of %d", name, k, len(want))
		}
	}
	if tried != 9*3+5 {
		t.Errorf("%d folds were compared", tried)
	}
	whole := train(t, data, lanes.Options{})
	for _, err := range whole.FoldScores(t.Context()) {
		if err == nil || !strings.Contains(err.Error(), "not chosen by folds") {
			t.Errorf("scores of folds without folds: %v", err)
		}
	}
	// The folds have the time that the training left.
	precise.MaxTime = time.Hour
	f, err := folds(few, lanes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for seconds, want := range map[float64]string{0.1: "", 3599: "", 3600: "left no time", 3700: "left no time"} {
		f.Seconds = seconds
		count := 0
		for _, err := range f.FoldScores(t.Context()) {
			count++
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("after a training of %v seconds: %v", seconds, err)
			}
		}
		if want == "" && count != 3 {
			t.Errorf("after a training of %v seconds: %d folds", seconds, count)
		}
	}
}

// TestHoldoutKeepsNotes: the note of held-out rows stands beside the notes of the data and of the
// fit.
func TestHoldoutKeepsNotes(t *testing.T) {
	var values, y []float64
	for i := range 80 {
		v := float64(i%7) - 3
		values, y = append(values, v, v), append(y, float64(i%2))
	}
	data := &sparse.Data{X: filled(t, 80, 2, values), Y: y, Notes: []notes.Note{{Kind: notes.Malformed, Count: 2}}}
	f := train(t, data, lanes.Options{Penalty: lanes.NoPenalty, Holdout: 0.25})
	var kinds []notes.Kind
	for _, n := range f.Notes {
		kinds = append(kinds, n.Kind)
	}
	if want := []notes.Kind{notes.Malformed, notes.Collinear, notes.HeldOut}; !slices.Equal(kinds, want) {
		t.Errorf("notes %v, want %v", f.Notes, want)
	}
}

// TestHoldoutOfAmounts: of targets that are mostly 0 and otherwise all different, the same share of zeros
// and of others is held out.
func TestHoldoutOfAmounts(t *testing.T) {
	t.Parallel()
	b := sparse.NewBuilder(sparse.BuilderOptions{})
	var y []float64
	for i := range 1200 {
		if err := b.AddRow([]int{0}, []float64{float64(i % 7)}); err != nil {
			t.Fatal(err)
		}
		y = append(y, 0)
		if i%15 == 0 {
			y[i] = 100 + float64(i)/7
		}
	}
	x, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	f, err := lanes.Train(context.Background(), &sparse.Data{X: x, Y: y}, lanes.Options{Loss: loss.Tweedie{}, Holdout: 0.25, Intercept: lanes.FreeIntercept})
	if err != nil {
		t.Fatal(err)
	}
	above := 0
	for _, v := range f.HeldOut.Data.Y {
		if v > 0 {
			above++
		}
	}
	if len(f.HeldOut.Rows) != 300 || above != 20 {
		t.Errorf("%d rows are held out, %d of them above 0; want 300 and 20", len(f.HeldOut.Rows), above)
	}
}
