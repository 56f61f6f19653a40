package related

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/solvetest"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/sdca"
	"github.com/lanes-go/lanes/sparse"
)

// rows are generated rows, in classes by the quantiles of a planted score.
func rows(t testing.TB, spec string, count int) *Classes {
	t.Helper()
	if testing.Short() {
		spec = strings.NewReplacer("n=600", "n=150", "n=500", "n=150", "n=400", "n=150", "d=900", "d=300").Replace(spec)
	}
	data := solvetest.Generate(t, spec, 1)
	n := data.X.Rows()
	p := &Classes{X: data.X.WithBias(1), Count: count, Loss: kernels.Logistic, Lambda: 1 / float64(n)}
	w := make([]float64, p.X.Cols())
	for j := range w {
		w[j] = math.Sin(float64(j + 1))
	}
	z := make([]float64, n)
	if err := p.X.MulVec(nil, z, w); err != nil {
		t.Fatal(err)
	}
	sorted := slices.Sorted(slices.Values(z))
	for _, v := range z {
		at, _ := slices.BinarySearch(sorted, v)
		p.Class = append(p.Class, uint32(min(at*count/n, count-1)))
	}
	return p
}

func binary(t testing.TB, spec string) *erm.Problem {
	p, err := rows(t, spec, 2).of(1)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func prox(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
	return sdca.Solve(ctx, p, sdca.Prox{}, s)
}

func aiSarah(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
	return erm.Solve(ctx, p, erm.AISARAH{}, s)
}

func hashes(fits []*solvers.Result) string {
	var all []string
	for _, r := range fits {
		all = append(all, solvers.HashWeights(r.Weights))
	}
	return strings.Join(all, " ")
}

func TestOneVsRestIsEachClassAlone(t *testing.T) {
	for name, solve := range map[string]Solve{"auto": auto.Solve, "prox-sdca": prox, "ai-sarah": aiSarah} {
		p := rows(t, "text:n=600,d=900", 9)
		settings := solvers.Settings{GapTolerance: 1e-4, MaxPasses: 300, Seed: 3}
		var want string
		if testing.Short() && name != "auto" {
			continue
		}
		for _, workers := range []int{1, 2, 5, 30} {
			settings.Workers = workers
			fits, err := OneVsRest(context.Background(), p, Run{Solve: solve, Settings: settings})
			if err != nil {
				t.Fatal(err)
			}
			if want == "" {
				want = hashes(fits)
				for k, r := range fits {
					one, _ := p.of(k)
					alone, err := solve(context.Background(), one, settings)
					if err != nil || solvers.HashWeights(alone.Weights) != solvers.HashWeights(r.Weights) {
						t.Errorf("%s: class %d has other weights than by itself (%v)", name, k, err)
					}
				}
			}
			if hashes(fits) != want {
				t.Errorf("%s: other weights with %d workers", name, workers)
			}
		}
		total := Total(mustFits(OneVsRest(context.Background(), p, Run{Solve: solve, Settings: settings})))
		if total.Status != solvers.Converged || !(total.Gap <= 9*1e-4) || !(total.Objective > 0) {
			t.Errorf("%s: %+v", name, total)
		}
	}
}

func mustFits(fits []*solvers.Result, err error) []*solvers.Result {
	if err != nil {
		panic(err)
	}
	return fits
}

// What starts elsewhere ends at the same solution, as far as the certificates tell.
func TestWarmIsCold(t *testing.T) {
	const gap = 1e-7
	p := rows(t, "text:n=600,d=900", 19)
	run := Run{Solve: prox, Settings: solvers.Settings{GapTolerance: gap, MaxPasses: 2000}}
	cold := mustFits(OneVsRest(context.Background(), p, run))
	p.Together = true
	shared := mustFits(OneVsRest(context.Background(), p, run))
	if hashes(cold) == hashes(shared) {
		t.Error("to begin together changed nothing")
	}
	for _, workers := range []int{1, 3} {
		run.Settings.Workers = workers
		if hashes(mustFits(OneVsRest(context.Background(), p, run))) != hashes(shared) {
			t.Errorf("other weights with %d workers", workers)
		}
	}
	// What is left after two passes goes on by itself.
	run.Settings.MaxPasses = 2
	short := mustFits(OneVsRest(context.Background(), p, run))
	if short[0].Status != solvers.BudgetReached || !(short[0].Total.Passes > 2) {
		t.Errorf("after two passes: %v, %v", short[0].Status, short[0].Total)
	}
	run.Settings.MaxPasses = 2000
	// Where the context ends then, the best points are those of the beginning.
	ctx, cancel := context.WithCancel(context.Background())
	run.Settings.Workers, run.Settings.GapTolerance = 1, 1e-300
	run.Watch = interrupt{0, cancel}.watch
	for k, r := range mustFits(OneVsRest(ctx, p, run)) {
		if r == nil || r.Status != solvers.Cancelled || !(r.Objective < cold[k].Objective+0.1) {
			t.Errorf("class %d of a run broken off: %+v", k, r)
		}
	}
	run.Watch, run.Settings.GapTolerance = nil, gap
	for k := range cold {
		if d := math.Abs(cold[k].Objective - shared[k].Objective); d > gap || shared[k].Status != solvers.Converged {
			t.Errorf("class %d: objectives differ by %v, %v", k, d, shared[k].Status)
		}
	}

	for name, solve := range map[string]Solve{"auto": auto.Solve, "prox-sdca": prox} {
		one := binary(t, "text:n=600,d=300")
		run.Solve = solve
		lambdas, err := Lambdas(0.1, 1e-4, 7)
		if err != nil {
			t.Fatal(err)
		}
		for k, r := range mustFits(Path(context.Background(), one, lambdas, run)) {
			point := *one
			point.Lambda = lambdas[k]
			alone, err := solve(context.Background(), &point, run.Settings)
			if err != nil {
				t.Fatal(err)
			}
			if d := math.Abs(alone.Objective - r.Objective); d > gap || r.Gap > gap || r.Status != solvers.Converged {
				t.Errorf("%s: lambda %v: objectives differ by %v, gap %v, %v", name, lambdas[k], d, r.Gap, r.Status)
			}
			// Strong convexity bounds the distance of two points by their gaps.
			distance := 0.0
			for j := range r.Weights {
				distance += (r.Weights[j] - alone.Weights[j]) * (r.Weights[j] - alone.Weights[j])
			}
			if bound := 2 * math.Sqrt(2*gap/lambdas[k]); math.Sqrt(distance) > bound {
				t.Errorf("%s: lambda %v: the solutions are %v apart, not within %v", name, lambdas[k], math.Sqrt(distance), bound)
			}
		}
	}
}

// The same bits on every CPU path and architecture.
func TestBits(t *testing.T) {
	p := rows(t, "text:n=120,d=200", 8)
	p.Together = true
	run := Run{Solve: prox, Settings: solvers.Settings{MaxPasses: 5, Seed: 2}}
	all := []float64{}
	for _, r := range mustFits(OneVsRest(context.Background(), p, run)) {
		all = append(all, r.Weights...)
	}
	lambdas, err := Lambdas(0.3, 1e-3, 4)
	if err != nil {
		t.Fatal(err)
	}
	one := binary(t, "text:n=120,d=200")
	run.Solve = auto.Solve
	for _, r := range mustFits(Path(context.Background(), one, lambdas, run)) {
		all = append(all, r.Weights...)
	}
	metric, _ := metrics.Find("logloss")
	v, err := CrossValidate(context.Background(), one, lambdas, Validation{Folds: 3, Metric: metric}, run)
	if err != nil {
		t.Fatal(err)
	}
	all = append(append(all, v.Mean...), v.Error...)
	if got, want := solvers.HashWeights(all)[:16], "36a00988ee44a62d"; got != want {
		t.Errorf("hash %s, not %s", got, want)
	}
}

func TestLambdas(t *testing.T) {
	list, err := Lambdas(0.5, 1e-3, 12)
	if err != nil || list[0] != 0.5 || list[11] != 1e-3 {
		t.Fatalf("%v, %v", list, err)
	}
	for k := 2; k < len(list); k++ {
		if a, b := list[k-1]/list[k-2], list[k]/list[k-1]; math.Abs(a-b) > 1e-12 {
			t.Errorf("ratios %v and %v", a, b)
		}
	}
	one := binary(t, "text:n=500,d=300")
	largest, err := LargestLambda(one)
	if err != nil {
		t.Fatal(err)
	}
	smooth, err := erm.Smoothness(&erm.Problem{X: one.X, Y: one.Y, Loss: one.Loss}, 1)
	if err != nil || largest < smooth {
		t.Errorf("%v is below the smoothness %v (%v)", largest, smooth, err)
	}
}

// TestLargestLambda computes it by hand: the losses' second derivatives are at most 1/4
// and 1, the weighted rows have squared lengths 4*25, 0.5*4 and 1*0.
func TestLargestLambda(t *testing.T) {
	x, err := sparse.NewCSR(2, []int64{0, 2, 3, 3}, []uint32{0, 1, 1}, []float64{3, 4, 2})
	if err != nil {
		t.Fatal(err)
	}
	for loss, want := range map[kernels.Loss]float64{kernels.Logistic: 102. / 12, kernels.Squared: 34, kernels.SquaredHinge: 34, kernels.Huber: 34} {
		p := &erm.Problem{X: x, Y: []float64{1, -1, 1}, SampleWeight: []float64{4, 0.5, 1}, Loss: loss, Lambda: 1}
		if got, err := LargestLambda(p); err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("%v: %v, %v; want %v", loss, got, err, want)
		}
	}
}

// TestOneErrorRule: the first point no more than a standard error worse than the best,
// in both directions of a metric.
func TestOneErrorRule(t *testing.T) {
	// Means 0.5, 0.62, 0.68, 0.7, 0.69; the standard error of the best is 0.1/sqrt(2)/sqrt(2) = 0.05.
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
	if math.Abs(v.Error[3]-0.05) > 1e-15 || math.Abs(v.Mean[3]-0.7) > 1e-15 {
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

type accuracy struct{ x *erm.Problem }

func (accuracy) Name() string         { return "accuracy" }
func (accuracy) HigherIsBetter() bool { return true }
func (a accuracy) Measure(w []float64) (float64, error) {
	z := make([]float64, a.x.X.Rows())
	if err := a.x.X.MulVec(nil, z, w); err != nil {
		return 0, err
	}
	return metrics.Accuracy(z, a.x.Y, nil)
}

func TestPathValidates(t *testing.T) {
	one := binary(t, "text:n=500,d=300")
	lambdas, _ := Lambdas(1, 1e-3, 5)
	fits := mustFits(Path(context.Background(), one, lambdas, Run{Solve: auto.Solve, Settings: solvers.Settings{GapTolerance: 1e-6, Validation: accuracy{one}, Patience: 1}}))
	values := make([]float64, len(fits))
	for k, r := range fits {
		if values[k] = r.Metric; r.Status != solvers.Converged {
			t.Errorf("point %d: %v", k, r.Status)
		}
	}
	if !(slices.Max(values) > 0.9) || Best(values, metrics.HigherIsBetter) != slices.Index(values, slices.Max(values)) {
		t.Errorf("accuracies of the training rows: %v", values)
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
	one := binary(t, "text:n=400,d=200")
	one.SampleWeight = make([]float64, len(one.Y))
	for i := range one.SampleWeight {
		one.SampleWeight[i] = 1 + float64(i%3)
	}
	lambdas, _ := Lambdas(0.3, 1e-3, 4)
	metric, _ := metrics.Find("logloss")
	v := Validation{Folds: 3, Seed: 5, Metric: metric}
	settings := solvers.Settings{GapTolerance: 1e-8, MaxPasses: 1000}
	got, err := CrossValidate(context.Background(), one, lambdas, v, Run{Solve: auto.Solve, Settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	fold, _ := Folds(len(one.Y), classesOf(one), 3, 5)
	for f := range 3 {
		// The definition: rows of the fold have no weight, and the others make up for it.
		p := *one
		p.SampleWeight = slices.Clone(one.SampleWeight)
		test, train := split(fold, uint32(f))
		for _, i := range train {
			p.SampleWeight[i] *= float64(len(one.Y)) / float64(len(train))
		}
		for _, i := range test {
			p.SampleWeight[i] = 0
		}
		for k, lambda := range lambdas {
			p.Lambda = lambda
			r, err := erm.Solve(context.Background(), &p, erm.Newton{}, settings)
			if err != nil {
				t.Fatal(err)
			}
			z := make([]float64, len(one.Y))
			p.X.MulVec(nil, z, r.Weights)
			want, _ := metrics.LogLoss(pick(z, test), pick(p.Y, test), pick(one.SampleWeight, test))
			if math.Abs(got.Values[k][f]-want) > 1e-4 {
				t.Errorf("fold %d, lambda %v: %v, not %v", f, lambda, got.Values[k][f], want)
			}
		}
	}
	for k := range lambdas {
		a, b, c := got.Values[k][0], got.Values[k][1], got.Values[k][2]
		mean := (a + b + c) / 3
		deviation := math.Sqrt(((a-mean)*(a-mean) + (b-mean)*(b-mean) + (c-mean)*(c-mean)) / 2 / 3)
		if math.Abs(got.Mean[k]-mean) > 1e-12 || math.Abs(got.Error[k]-deviation) > 1e-12 || got.Mean[k] < got.Mean[got.Best] {
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

func TestRefusals(t *testing.T) {
	ctx := context.Background()
	p := rows(t, "text:n=40,d=30", 4)
	one := binary(t, "text:n=40,d=30")
	logloss, _ := metrics.Find("logloss")
	run := Run{Solve: auto.Solve}
	fits := func(change func(*Classes)) error {
		c := *p
		c.Class = slices.Clone(p.Class)
		change(&c)
		_, err := OneVsRest(ctx, &c, run)
		return err
	}
	path := func(lambdas ...float64) error { _, err := Path(ctx, one, lambdas, run); return err }
	cross := func(v Validation) error {
		_, err := CrossValidate(ctx, one, []float64{0.1}, v, run)
		return err
	}
	list := func(high, low float64, count int) error { _, err := Lambdas(high, low, count); return err }
	for want, err := range map[string]error{
		"needs two at least":           fits(func(c *Classes) { c.Count = 1 }),
		"is of class 9 of 4":           fits(func(c *Classes) { c.Class[7] = 9 }),
		"0 of 40 rows are of class 4":  fits(func(c *Classes) { c.Count = 5 }),
		"40 of 40 rows are of class 0": fits(func(c *Classes) { clear(c.Class) }),
		"lambda is -1":                 fits(func(c *Classes) { c.Lambda = -1 }),
		"no matrix":                    fits(func(c *Classes) { c.X = nil }),
		"classes of 3 rows":            fits(func(c *Classes) { c.Class = c.Class[:3] }),
		"no points":                    path(),
		"has lambda 0":                 path(0.1, 0),
		"must descend":                 path(0.1, 0.1),
		"has lambda NaN":               path(math.NaN()),
		"every class needs a row":      fits(func(c *Classes) { c.Count = math.MaxInt }),
		"and -1 rows":                  func() error { _, err := Folds(-1, nil, 2, 0); return err }(),
		"of 40 rows, and 41 rows":      func() error { _, err := Folds(41, p.Class, 2, 0); return err }(),
		"fold 1: the matrices of Prepare": cross(Validation{Folds: 3, Metric: logloss, Prepare: func(train, test *sparse.Matrix) (*sparse.Matrix, *sparse.Matrix, error) {
			return train, nil, nil
		}}),
		"1 folds":                      cross(Validation{Folds: 1, Metric: logloss}),
		"fewer than the 30 folds":      cross(Validation{Folds: 30, Metric: logloss}),
		"needs a metric":               cross(Validation{Folds: 3}),
		"a path of 1 points":           list(1, 0.1, 1),
		"must be positive and descend": list(1, 0, 4),
		"from lambda 1 down to 2":      list(1, 2, 4),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
	judged := run
	judged.Settings.Validation = accuracy{one}
	if _, err := OneVsRest(ctx, p, judged); err == nil {
		t.Error("one metric for all classes was taken")
	}
	if _, err := OneVsRest(ctx, p, Run{}); err == nil {
		t.Error("nothing to solve with, and no error")
	}
	if _, err := Path(ctx, one, []float64{1}, Run{Solve: auto.Solve, Settings: solvers.Settings{MaxPasses: -1}}); err == nil {
		t.Error("negative passes were taken")
	}
}
