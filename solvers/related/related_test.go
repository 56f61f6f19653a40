package related

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	_ "github.com/lanes-go/lanes/internal/testing/gctest"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
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
	p := &Classes{Problem: erm.Problem{X: data.X.WithBias(1), Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1 / float64(n)}}, Count: count}
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
		settings := solvers.Settings{GapTolerance: 1e-4, MaxEpochs: 300, Seed: 3}
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
	run := Run{Solve: prox, Settings: solvers.Settings{GapTolerance: gap, MaxEpochs: 2000}}
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
	run.Settings.MaxEpochs = 2
	short := mustFits(OneVsRest(context.Background(), p, run))
	if short[0].Status != solvers.BudgetReached || !(short[0].Total.Epochs > 2) {
		t.Errorf("after two passes: %v, %v", short[0].Status, short[0].Total)
	}
	run.Settings.MaxEpochs = 2000
	// If the context ends then, the best points are the starting points.
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
			point.Penalty = penalty.Ridge{Lambda: lambdas[k]}
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

// TestOpens: classes begin together with any penalty that is a ridge alone.
func TestOpens(t *testing.T) {
	p := rows(t, "text:n=60,d=30", 3)
	p.Together = true
	for q, opens := range map[penalty.Penalty]bool{
		penalty.Ridge{Lambda: 0.1}: true, penalty.ElasticNet{L2: 0.1}: true, &penalty.GroupLasso{Lambda: 0.1}: true,
		penalty.ElasticNet{L1: 0.1, L2: 0.1}: false, penalty.L1{Lambda: 0.1}: false, penalty.Ridge{}: false, nil: false,
	} {
		if p.Penalty = q; p.opens(&Run{}) != opens {
			t.Errorf("classes with the penalty %v begin together: %t", q, !opens)
		}
	}
}

// TestClassesWithIntercept: classes beside intercepts end at the minima that Newton's method
// finds, begun together or not, and have the same bits on every CPU path.
func TestClassesWithIntercept(t *testing.T) {
	t.Parallel()
	p := rows(t, "text:n=550,d=800", 19)
	p.Intercept = true
	run := Run{Solve: auto.Solve, Settings: solvers.Settings{GapTolerance: 1e-8, Seed: 1}}
	newton := func(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
		return erm.Solve(ctx, p, erm.Newton{}, s)
	}
	best := mustFits(OneVsRest(context.Background(), p, Run{Solve: newton, Settings: run.Settings}))
	alone := mustFits(OneVsRest(context.Background(), p, run))
	p.Together, p.Finish = true, newton
	together := mustFits(OneVsRest(context.Background(), p, run))
	for k, want := range best {
		for name, got := range map[string]*solvers.Result{"alone": alone[k], "together": together[k]} {
			if got.Status != solvers.Converged || !(math.Abs(got.Objective-want.Objective) <= 1e-8) {
				t.Errorf("class %d, %s: %v at %v, Newton's method %v", k, name, got.Status, got.Objective, want.Objective)
			}
		}
	}
	if hashes(alone) == hashes(together) {
		t.Error("to begin together changed nothing")
	}
	if got, want := hashes(together)[:16], "feef2e501aeea4d4"; got != want {
		t.Errorf("hash %s, not %s", got, want)
	}
}

// The same bits on every CPU path and architecture.
func TestBits(t *testing.T) {
	p := rows(t, "text:n=120,d=200", 8)
	p.Together = true
	run := Run{Solve: prox, Settings: solvers.Settings{MaxEpochs: 5, Seed: 2}}
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
	if got, want := solvers.HashWeights(all)[:16], "1635c9ba7c799cf9"; got != want {
		t.Errorf("hash %s, not %s", got, want)
	}
}

func TestLambdas(t *testing.T) {
	list, err := Lambdas(0.5, 1e-3, 12)
	if err != nil || list[0] != 0.5 || list[11] != 1e-3 {
		t.Fatalf("%v, %v", list, err)
	}
	for k := 2; k < len(list); k++ {
		if a, b := list[k-1]/list[k-2], list[k]/list[k-1]; !(math.Abs(a-b) <= 1e-12) {
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
	for phi, want := range map[loss.Loss]float64{loss.Logistic{}: 102. / 12, loss.Squared{}: 34, loss.SquaredHinge{}: 34, loss.Huber{}: 34} {
		p := &erm.Problem{X: x, Y: []float64{1, -1, 1}, SampleWeight: []float64{4, 0.5, 1}, Loss: phi, Penalty: penalty.Ridge{Lambda: 1}}
		if got, err := LargestLambda(p); err != nil || !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("%v: %v, %v; want %v", phi, got, err, want)
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
		"lambda is -1":                 fits(func(c *Classes) { c.Penalty = penalty.Ridge{Lambda: -1} }),
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
	if _, err := Path(ctx, one, []float64{1}, Run{Solve: auto.Solve, Settings: solvers.Settings{MaxEpochs: -1}}); err == nil {
		t.Error("negative passes were taken")
	}
}
