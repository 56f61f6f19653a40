package lanes_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/table"
)

// TestGroupLasso: the model has the objective of the penalty as it is written down, for listed
// groups and single columns. Intercepts are of every kind. There is one weight, a path, or folds.
func TestGroupLasso(t *testing.T) {
	data := rows(t, "onehot:n=500,d=30")
	lists := [][]int{{3, 0, 29}, {5, 6, 7, 8}, {11, 21}}
	for intercept, penalised := range map[lanes.Intercept]int{lanes.NoIntercept: 30, lanes.FreeIntercept: 30, lanes.PenalisedIntercept: 31} {
		groups, in := lists, map[int]bool{}
		for _, list := range lists {
			for _, j := range list {
				in[j] = true
			}
		}
		for j := range penalised {
			if !in[j] {
				groups = append(groups[:len(groups):len(groups)], []int{j})
			}
		}
		solved := func(weight float64) float64 {
			p := &solvers.Problem{X: data.X, Y: data.Y, Loss: loss.Logistic{}, Intercept: intercept == lanes.FreeIntercept}
			if intercept != lanes.NoIntercept {
				p.X = p.X.WithBias(1)
			}
			p.Penalty = &penalty.GroupLasso{Weight: weight, Groups: groups, Lambda: 1e-3}
			r, err := elasticnet.Solve(t.Context(), p, nil, solvers.Settings{GapTolerance: 1e-10})
			if err != nil {
				t.Fatal(err)
			}
			return r.Objective
		}
		o := lanes.Options{Penalty: lanes.GroupLasso(0.004), ColumnGroups: lists, Intercept: intercept, Tolerance: 1e-9}
		o.Penalty.L2 = 1e-3
		f := train(t, data, o)
		if want := solved(0.004); f.Result.Status != solvers.Converged || math.Abs(f.Result.Objective-want) > 2e-9 || f.Problem.Groups() != len(groups) {
			t.Errorf("%v: %v with %v in %d groups, want %v in %d", intercept, f.Result.Status, f.Result.Objective, f.Problem.Groups(), want, len(groups))
		}
		if meta := f.Model.About().Meta; meta.L1 != 0.004 || meta.Groups != len(groups) {
			t.Errorf("%v: the model says l1 %v of %d groups", intercept, meta.L1, meta.Groups)
		}
		o.Penalty.L1 = 0
		s := lanes.Search{Options: o, OverL1: true, Weights: []float64{0.02, 0.004, 0.001}}
		f, err := lanes.Path(t.Context(), data, s)
		if err != nil {
			t.Fatal(err)
		}
		for k, fit := range f.Fits {
			if want := solved(s.Weights[k]); math.Abs(fit.Result.Objective-want) > 2e-9 {
				t.Errorf("%v, weight %v of a path: %v, want %v", intercept, s.Weights[k], fit.Result.Objective, want)
			}
		}
		s.Weights = nil
		if f, err = lanes.Path(t.Context(), data, s); err != nil || f.Problem.NonZeros(f.Fits[0].Result.Weights) != 0 || f.Problem.NonZeros(f.Fits[5].Result.Weights) == 0 {
			t.Errorf("%v: a path of its own weights: %v", intercept, err)
		}
		s.Weights, s.Folds = []float64{0.02, 0.004}, 3
		f, err = lanes.CrossValidate(t.Context(), data, s)
		if err != nil {
			t.Fatal(err)
		}
		if want := solved(f.Folds.Chosen); math.Abs(f.Result.Objective-want) > 2e-9 {
			t.Errorf("%v, weight %v by folds: %v, want %v", intercept, f.Folds.Chosen, f.Result.Objective, want)
		}
		fold := 0
		for block, err := range f.FoldScores(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for i, y := range block.Y {
				sum += math.Log1p(math.Exp(-y*block.Scores[i])) / float64(len(block.Y))
			}
			if want := f.Folds.Values[f.Best][fold]; math.Abs(sum-want) > 1e-5 {
				t.Errorf("%v, fold %d: a log loss of %v by its scores, %v in the choice", intercept, fold, sum, want)
			}
			fold++
		}
		if fold != 3 {
			t.Errorf("%d folds", fold)
		}
	}
}

// shops are rows of a table with a category that does not matter, and one that does.
func shops(t *testing.T) *sparse.Data {
	t.Helper()
	text := new(strings.Builder)
	text.WriteString("town,size,day,sold\n")
	for i := range 300 {
		sold := "no"
		if i%5 == 0 || i%5 == 3 && i%2 == 0 {
			sold = "yes"
		}
		text.WriteString(strings.Join([]string{[]string{"Ulm", "Bonn", "Kiel", "Hof", "Lahr"}[i%5], []string{"1", "2.5", "7", "-3"}[i*i%4], []string{"Mon", "Tue", "Wed"}[i/5%3], sold}, ",") + "\n")
	}
	path := filepath.Join(t.TempDir(), "shops.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return encoded(t, path, table.Wanted{Target: "sold"})
}

// encoded reads the rows of a table.
func encoded(t *testing.T, path string, w table.Wanted) *sparse.Data {
	t.Helper()
	source, err := table.Open(path, table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	recipe, err := table.Infer(t.Context(), source, w)
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := table.Fit(t.Context(), source, recipe)
	if err != nil {
		t.Fatal(err)
	}
	data, err := encoder.Encode(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestGroupsOfTable: the columns of a category have weights together, or none has.
func TestGroupsOfTable(t *testing.T) {
	data := shops(t)
	f := train(t, data, lanes.Options{Penalty: lanes.GroupLasso(0.01)})
	linear, is := f.Model.(*model.Linear)
	if !is || f.Problem.Groups() != 3 {
		t.Fatalf("%d groups of columns of a table of three", f.Problem.Groups())
	}
	encoder, err := table.ReadEncoder(data.Encoding)
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]int{}
	for j := range encoder.Width() {
		column, _, _ := strings.Cut(encoder.Name(j), "=")
		if used[column] += 0; linear.Weights[j] != 0 {
			used[column]++
		}
	}
	if used["town"] != 5 || used["day"] != 0 || len(used) != 3 {
		t.Errorf("weights that are not 0: %v", used)
	}
}

// TestGroupsRefused: groups that cannot be are errors that name the option.
func TestGroupsRefused(t *testing.T) {
	numbers := rows(t, "onehot:n=60,d=6")
	grouped := lanes.GroupLasso(0.1)
	for name, c := range map[string]struct {
		o    lanes.Options
		want string
	}{
		"no table":      {lanes.Options{Penalty: grouped}, "Penalty.Grouped"},
		"no weight":     {lanes.Options{Penalty: lanes.Penalty{Grouped: true, L2: 1}, ColumnGroups: [][]int{{0}}}, "Penalty.Grouped"},
		"not grouped":   {lanes.Options{Penalty: lanes.L1(0.1), ColumnGroups: [][]int{{0, 1}}}, "ColumnGroups"},
		"no column":     {lanes.Options{Penalty: grouped, ColumnGroups: [][]int{{0, 6}}}, "ColumnGroups"},
		"the intercept": {lanes.Options{Penalty: grouped, Intercept: lanes.PenalisedIntercept, ColumnGroups: [][]int{{0, 6}}}, "ColumnGroups"},
		"negative":      {lanes.Options{Penalty: grouped, ColumnGroups: [][]int{{-1}}}, "ColumnGroups"},
		"twice":         {lanes.Options{Penalty: grouped, ColumnGroups: [][]int{{0, 1}, {2, 1}}}, "ColumnGroups"},
		"twice in one":  {lanes.Options{Penalty: grouped, ColumnGroups: [][]int{{0, 0}}}, "ColumnGroups"},
		"empty":         {lanes.Options{Penalty: grouped, ColumnGroups: [][]int{{0, 1}, {}}}, "ColumnGroups"},
		"newton":        {lanes.Options{Penalty: grouped, Solver: "newton", ColumnGroups: [][]int{{0, 1}}}, "Penalty.L1"},
	} {
		_, err := lanes.Train(t.Context(), numbers, c.o)
		var option *lanes.OptionError
		if !errors.As(err, &option) || option.Option != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
