package related

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// TestOneErrorRule: the first point no more than a standard error worse than the best,
// in both directions of a metric.
func TestOneErrorRule(t *testing.T) {
	// Means are 0.5, 0.62, 0.68, 0.7 and 0.69. The standard error of the best is
	// 0.1/sqrt(2)/sqrt(2) = 0.05.
	up := [][]float64{{0.4, 0.6}, {0.62, 0.62}, {0.66, 0.7}, {0.65, 0.75}, {0.69, 0.69}}
	down := make([][]float64, len(up))
	for k, values := range up {
		down[k] = []float64{-values[0], -values[1]}
	}
	for _, c := range []struct {
		direction      metrics.Direction
		values         [][]float64
		best, oneError int
	}{
		{metrics.HigherIsBetter, up, 3, 2}, {metrics.LowerIsBetter, down, 3, 2},
		{metrics.LowerIsBetter, up, 0, 0}, {metrics.HigherIsBetter, down, 0, 0},
		{metrics.HigherIsBetter, up[1:3], 1, 1}, {metrics.HigherIsBetter, [][]float64{{0.2, 0.6}, {0.3, 0.7}}, 1, 0},
		{metrics.LowerIsBetter, [][]float64{{0.7, 0.9}, {0.3, 0.7}, {0.6, 0.8}}, 1, 1},
		{metrics.HigherIsBetter, [][]float64{{0.68, 0.7}, {0.4, 0.6}, {0.65, 0.75}}, 2, 0}, // with a worse one between
	} {
		v := &Validated{Values: c.values}
		if whole := v.summarise(len(c.values), c.direction, []foldState{{done: len(c.values)}, {done: len(c.values)}}); !whole {
			t.Error("points are missing")
		}
		if v.Best != c.best || v.OneError != c.oneError {
			t.Errorf("%v of %v: best %d and within an error %d, want %d and %d", c.direction, v.Mean, v.Best, v.OneError, c.best, c.oneError)
		}
	}
	v := &Validated{Values: up}
	v.summarise(len(up), metrics.HigherIsBetter, []foldState{{done: len(up)}, {done: len(up)}})
	if !(math.Abs(v.Error[3]-0.05) <= 1e-15) || !(math.Abs(v.Mean[3]-0.7) <= 1e-15) {
		t.Errorf("mean %v and error %v, want 0.7 and 0.05", v.Mean[3], v.Error[3])
	}
}

// TestFoldsAreEven: of every class and of all rows the folds hold as many up to one,
// whatever the sizes of the classes.
func TestFoldsAreEven(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for range 300 {
		folds := 2 + random.IntN(9)
		var class []uint32
		for k := range uint32(1 + random.IntN(6)) {
			for range folds + random.IntN(3*folds) {
				class = append(class, 7*k)
			}
		}
		random.Shuffle(len(class), func(i, k int) { class[i], class[k] = class[k], class[i] })
		fold, err := Folds(len(class), class, folds, random.Uint64())
		if err != nil {
			t.Fatal(err)
		}
		count := map[[2]uint32]int{}
		for i, f := range fold {
			count[[2]uint32{f, class[i]}]++
			count[[2]uint32{f, math.MaxUint32}]++
		}
		for key, n := range count {
			for f := range uint32(folds) {
				if other := count[[2]uint32{f, key[1]}]; other < n-1 || other > n+1 {
					t.Fatalf("%d rows in %d folds: folds %d and %d have %d and %d of class %d", len(class), folds, key[0], f, n, other, key[1])
				}
			}
		}
	}
}

func TestFolds(t *testing.T) {
	class := make([]uint32, 103)
	for i := range class {
		class[i] = uint32(i % 10 / 4)
	}
	fold, err := Folds(len(class), class, 5, 7)
	if err != nil {
		t.Fatal(err)
	}
	var all [5]int
	var by [5][3]int
	for i, f := range fold {
		all[f]++
		by[f][class[i]]++
	}
	for f := range all {
		if all[f] < 20 || all[f] > 21 {
			t.Errorf("fold %d has %d of 103 rows", f, all[f])
		}
		for k := range 3 {
			if d := by[f][k] - by[0][k]; d < -1 || d > 1 {
				t.Errorf("folds 0 and %d have %d and %d rows of class %d", f, by[0][k], by[f][k], k)
			}
		}
	}
	// Only the order of the classes counts, on 32 bits too.
	far := slices.Clone(class)
	for i, k := range class {
		far[i] = []uint32{0, math.MaxInt32, math.MaxUint32}[k]
	}
	if same, err := Folds(len(far), far, 5, 7); err != nil || !slices.Equal(same, fold) {
		t.Errorf("other numbers of the classes: other folds (%v)", err)
	}
	again, _ := Folds(len(class), class, 5, 7)
	other, _ := Folds(len(class), class, 5, 8)
	if !slices.Equal(fold, again) || slices.Equal(fold, other) {
		t.Error("the folds do not follow the seed")
	}
}

func TestCrossValidateIsEachFoldAlone(t *testing.T) {
	repeat.Once(t)
	one := binary(t, "text:n=400,d=200")
	one.SampleWeight = make([]float64, len(one.Y))
	for i := range one.SampleWeight {
		one.SampleWeight[i] = 1 + float64(i%3)
		one.Offset = append(one.Offset, float64(i%5)-1.5)
	}
	lambdas, _ := Lambdas(0.3, 1e-3, 4)
	metric, _ := metrics.Find("logloss")
	v := Validation{Folds: 3, Seed: 5, Metric: metric}
	settings := solvers.Settings{GapTolerance: 1e-8, MaxEpochs: 1000}
	got, err := CrossValidate(context.Background(), one, lambdas, v, Run{Solve: auto.Solve, Settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	fold, _ := Folds(len(one.Y), classesOf(one), 3, 5)
	for f := range 3 {
		// The definition: rows of the fold have no weight, and the others make up for it.
		p := *one
		p.SampleWeight = slices.Clone(one.SampleWeight)
		test, train := risk.Split(fold, uint32(f))
		for _, i := range train {
			p.SampleWeight[i] *= float64(len(one.Y)) / float64(len(train))
		}
		for _, i := range test {
			p.SampleWeight[i] = 0
		}
		for k, lambda := range lambdas {
			p.Penalty = penalty.Ridge{Lambda: lambda}
			r, err := erm.Solve(context.Background(), &p, erm.Newton{}, settings)
			if err != nil {
				t.Fatal(err)
			}
			z := make([]float64, len(one.Y))
			p.X.MulVec(nil, z, r.Weights)
			for i, o := range one.Offset {
				z[i] += o
			}
			want, _ := metrics.LogLoss(direct.Listed(z, test), direct.Listed(p.Y, test), direct.Listed(one.SampleWeight, test))
			if !(math.Abs(got.Values[k][f]-want) <= 1e-4) {
				t.Errorf("fold %d, lambda %v: %v, not %v", f, lambda, got.Values[k][f], want)
			}
		}
	}
	for k := range lambdas {
		a, b, c := got.Values[k][0], got.Values[k][1], got.Values[k][2]
		mean := (a + b + c) / 3
		deviation := math.Sqrt(((a-mean)*(a-mean) + (b-mean)*(b-mean) + (c-mean)*(c-mean)) / 2 / 3)
		if !(math.Abs(got.Mean[k]-mean) <= 1e-12) || !(math.Abs(got.Error[k]-deviation) <= 1e-12) || got.Mean[k] < got.Mean[got.Best] {
			t.Errorf("mean %v, error %v, not %v and %v; best %d", got.Mean[k], got.Error[k], mean, deviation, got.Best)
		}
	}
	if got.OneError > got.Best || got.Mean[got.OneError] > got.Mean[got.Best]+got.Error[got.Best] {
		t.Errorf("best %d, by one error %d of %v", got.Best, got.OneError, got.Mean)
	}
	for _, workers := range []int{1, 2, 8} {
		settings.Workers = workers
		again, err := CrossValidate(context.Background(), one, lambdas, v, Run{Solve: auto.Solve, Settings: settings})
		if err != nil || !slices.Equal(again.Mean, got.Mean) || !slices.Equal(again.Error, got.Error) {
			t.Errorf("other values with %d workers (%v)", workers, err)
		}
	}
}

// A preparation sees the rows of training alone first, and both sides once a fold.
func TestCrossValidatePrepares(t *testing.T) {
	one := binary(t, "text:n=300,d=100")
	metric, _ := metrics.Find("auc")
	fitted := make(chan int, 10)
	v := Validation{Folds: 3, Metric: metric, Prepare: func(train, test *sparse.Matrix) (*sparse.Matrix, *sparse.Matrix, error) {
		fitted <- train.Rows() + 1000*test.Rows()
		return train.NormalizeUnit(), test.NormalizeUnit(), nil
	}}
	if _, err := CrossValidate(context.Background(), one, []float64{0.1, 0.01}, v, Run{Solve: auto.Solve}); err != nil {
		t.Fatal(err)
	}
	close(fitted)
	count := 0
	for sizes := range fitted {
		if count++; sizes != 200+1000*100 {
			t.Errorf("%d", sizes)
		}
	}
	if count != 3 {
		t.Errorf("%d preparations", count)
	}
}
