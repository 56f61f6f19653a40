package related

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/sparse"
)

// clusters are rows that no linear score explains: 1 of 16 negatives lies far out in the
// direction that tells most of the others from the positives. Who wants few false positives
// does without that direction.
func clusters(t testing.TB, n int, seed uint64) *erm.Problem {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 7))
	noise := func() float64 { return random.Float64() + random.Float64() - 1 }
	b := sparse.NewBuilder(sparse.BuilderOptions{})
	p := &erm.Problem{Loss: loss.Logistic{}}
	for i := range n {
		y, x := -1.0, []float64{noise(), noise(), noise()}
		switch {
		case i%5 == 0:
			y = 1
			x[0] += 1.5
			x[1] += 0.8
		case i%20 == 1:
			x[0] += 3
		}
		p.Y = append(p.Y, y)
		if err := b.AddRow([]int{0, 1, 2}, x); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if p.X, err = b.Build(); err != nil {
		t.Fatal(err)
	}
	p.X = p.X.WithBias(1)
	return p
}

// choose is a search that has to succeed.
func choose(t *testing.T, p *erm.Problem, w Wanted, s solvers.Settings) *Chosen {
	t.Helper()
	c, err := Choose(context.Background(), p, w, s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// plain are the metrics of weighted rows by their definitions.
var plain = map[string]func(score, y, weight []float64) float64{
	"logloss": func(score, y, weight []float64) float64 {
		sum, all := 0.0, 0.0
		for i, s := range score {
			sum += weight[i] * math.Log1p(math.Exp(-y[i]*s))
			all += weight[i]
		}
		return sum / all
	},
	"ap": func(score, y, weight []float64) float64 {
		sum, positives := 0.0, 0.0
		for i, s := range score {
			if y[i] < 0 {
				continue
			}
			positives += weight[i]
			above, right := 0.0, 0.0
			for j, o := range score {
				if o >= s {
					above += weight[j]
					if y[j] > 0 {
						right += weight[j]
					}
				}
			}
			if weight[i] > 0 { // above can be 0 otherwise
				sum += weight[i] * right / above
			}
		}
		return sum / positives
	},
}

// chosenByDefinition: every value of a logistic candidate is the metric of the rows of a fold by
// a fit of all other rows. The best mean of the right direction is chosen and fitted to all rows.
// Weights of rows count in fits and metrics.
func TestChooseByDefinition(t *testing.T) {
	repeat.Once(t)
	p := clusters(t, 100, 1)
	t.Run("equal weights", func(t *testing.T) { chosenByDefinition(t, p) })
	p.SampleWeight = make([]float64, len(p.Y))
	for i := range p.Y {
		p.SampleWeight[i] = float64(i*i%7) / 2
	}
	t.Run("weights", func(t *testing.T) { chosenByDefinition(t, p) })
}

func chosenByDefinition(t *testing.T, p *erm.Problem) {
	weights := p.SampleWeight
	if weights == nil {
		weights = slices.Repeat([]float64{1}, len(p.Y))
	}
	for name, metric := range plain {
		c := choose(t, p, Wanted{For: name, Folds: 4, Seed: 3}, solvers.Settings{GapTolerance: 1e-10, Seed: 5})
		class := make([]uint32, len(p.Y))
		for i, y := range p.Y {
			if y > 0 {
				class[i] = 1
			}
		}
		fold, err := Folds(len(p.Y), class, 4, 3)
		if err != nil {
			t.Fatal(err)
		}
		for _, tried := range c.Tried {
			if tried.Solver != Logistic {
				continue
			}
			mean := 0.0
			for f := range 4 {
				var in, out []uint32
				for i := range fold {
					if int(fold[i]) == f {
						out = append(out, uint32(i))
					} else {
						in = append(in, uint32(i))
					}
				}
				x, _ := p.X.PickRows(nil, in)
				one := &erm.Problem{Loss: loss.Logistic{}, X: x, Y: direct.Listed(p.Y, in), SampleWeight: direct.Listed(weights, in), Penalty: penalty.Ridge{Lambda: tried.Lambda}}
				if tried.Balanced {
					positives := 0
					for _, y := range one.Y {
						if y > 0 {
							positives++
						}
					}
					for i, y := range one.Y {
						one.SampleWeight[i] *= float64(len(one.Y)) / 2 / float64(map[bool]int{true: positives, false: len(one.Y) - positives}[y > 0])
					}
				}
				r, err := erm.Solve(context.Background(), one, erm.Newton{}, solvers.Settings{GapTolerance: 1e-12, MaxEpochs: 1000})
				if err != nil {
					t.Fatal(err)
				}
				test, _ := p.X.PickRows(nil, out)
				scores := make([]float64, len(out))
				if err := test.MulVec(nil, scores, r.Weights); err != nil {
					t.Fatal(err)
				}
				want := metric(scores, direct.Listed(p.Y, out), direct.Listed(weights, out))
				if !(math.Abs(tried.Values[f]-want) <= 1e-4) {
					t.Errorf("%s: %v, lambda %v, fold %d: %v, and %v by the definition", name, &tried, tried.Lambda, f, tried.Values[f], want)
				}
				mean += want / 4
			}
			if !(math.Abs(tried.Mean-mean) <= 1e-4) {
				t.Errorf("%s: %v: mean %v, want %v", name, &tried, tried.Mean, mean)
			}
		}
		all := *p
		all.Penalty = penalty.Ridge{Lambda: c.Tried[c.Best].Lambda}
		want, err := auto.Solve(context.Background(), &all, solvers.Settings{GapTolerance: 1e-10, MaxEpochs: 10000, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		if name == "logloss" && !c.Tried[c.Best].Balanced && solvers.HashWeights(c.Result.Weights) != solvers.HashWeights(want.Weights) {
			t.Errorf("%s: the weights are not those of a fit of all rows", name)
		}
	}
}

// TestChooseRanksRowsOfEqualWeight: ranking solvers take no weights of rows. They are candidates
// only if all weights are equal.
func TestChooseRanksRowsOfEqualWeight(t *testing.T) {
	repeat.Once(t)
	for _, unequal := range []bool{false, true} {
		p := clusters(t, 60, 1)
		p.SampleWeight = slices.Repeat([]float64{3}, len(p.Y))
		if unequal {
			p.SampleWeight[len(p.Y)/2] = 2.5
		}
		for _, name := range []string{"ap", "auc", "pauc:0,0.3"} {
			c := choose(t, p, Wanted{For: name, Folds: 3, Seed: 3}, solvers.Settings{GapTolerance: 1e-6, Seed: 5})
			if ranks := slices.ContainsFunc(c.Tried, func(t Trial) bool { return t.Solver != Logistic }); ranks == unequal {
				t.Errorf("%s, weights of the rows unequal: %v; solvers that rank tried: %v", name, unequal, ranks)
			}
		}
	}
}

// Where a solver that ranks pays, it is chosen, and is better on rows that nobody has seen;
// where the logistic model is the truth, it stays.
func TestChooseWhatPays(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	p, fresh := clusters(t, 800, 1), clusters(t, 6000, 2)
	c := choose(t, p, Wanted{For: "pauc:0,0.05", Folds: 3}, solvers.Settings{})
	value := func(k int) float64 {
		r, err := c.Tried[k].Solve(context.Background(), p, solvers.Settings{GapTolerance: 1e-6, MaxEpochs: 1000})
		if err != nil {
			t.Fatal(err)
		}
		scores := make([]float64, len(fresh.Y))
		if err := fresh.X.MulVec(nil, scores, r.Weights); err != nil {
			t.Fatal(err)
		}
		_, v, err := metrics.PartialAUC(scores, fresh.Y, nil, 0, 0.05, 0)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	best := math.Inf(-1)
	for k := range c.Tried {
		best = max(best, value(k))
	}
	chosen, logistic := value(c.Best), value(c.Logistic)
	if c.Tried[c.Best].Solver == Logistic || chosen < logistic+0.02 || chosen < best-0.02 {
		t.Errorf("%v: %v on fresh rows, the best logistic fit %v, the best of all %v", &c.Tried[c.Best], chosen, logistic, best)
	}
	truth := binary(t, "onehot:n=800")
	random := rand.New(rand.NewPCG(1, 1))
	for i := range truth.Y { // noise, of which the true model is logistic
		if random.Float64() < 0.1 {
			truth.Y[i] = -truth.Y[i]
		}
	}
	if c := choose(t, truth, Wanted{For: "auc", Folds: 3, Epochs: 1}, solvers.Settings{}); c.Tried[c.Best].Solver != Logistic {
		t.Errorf("%v was chosen where a logistic model is the truth", &c.Tried[c.Best])
	}
}

// timeless are the trials without what the clock says.
func timeless(list []Trial) []Trial {
	list = slices.Clone(list)
	for k := range list {
		list[k].Seconds = 0
	}
	return list
}

func TestChooseBits(t *testing.T) {
	p := clusters(t, repeat.Size(100, 50), 4)
	w := Wanted{For: "ap", Folds: 3}
	want := choose(t, p, w, solvers.Settings{Workers: 1})
	for _, workers := range repeat.Size([]int{2, 5}, []int{3}) {
		got := choose(t, p, w, solvers.Settings{Workers: workers})
		if got.Best != want.Best || !reflect.DeepEqual(timeless(got.Tried), timeless(want.Tried)) || solvers.HashWeights(got.Result.Weights) != solvers.HashWeights(want.Result.Weights) {
			t.Errorf("%d workers: another search", workers)
		}
	}
	w.Seed = 1
	if got := choose(t, p, w, solvers.Settings{}); reflect.DeepEqual(got.Tried[0].Values, want.Tried[0].Values) {
		t.Error("another seed deals the rows as before")
	}
}

// TestChooseResumes: a cancelled search returns the best candidate so far, and resumes to the
// same bits.
func TestChooseResumes(t *testing.T) {
	p := clusters(t, repeat.Size(100, 50), 4)
	w, s := Wanted{For: "ap", Folds: 3}, solvers.Settings{Workers: 2}
	want := choose(t, p, w, s)
	s.Checkpoint = filepath.Join(t.TempDir(), "saved")
	for _, fits := range repeat.Size([]int{2, 10, 15, 8, 1000}, []int{10, 1000}) {
		ctx, cancel := context.WithCancel(context.Background())
		again := w
		again.Watch = func(p Progress) {
			if p.Expected < p.Fits {
				t.Errorf("%d fits of %d", p.Fits, p.Expected)
			}
			if p.Fits == fits {
				cancel()
			}
		}
		c, err := Choose(ctx, p, again, s)
		cancel()
		switch {
		case err != nil:
			t.Fatal(err)
		case fits < 1000 && (c.Status != solvers.Cancelled || c.Result != nil || (c.Best >= 0) != (len(c.Tried) > 0)):
			t.Errorf("cancelled after %d fits: %v, %d tried, %d is the best", fits, c.Status, len(c.Tried), c.Best)
		case fits == 1000 && (!reflect.DeepEqual(timeless(c.Tried), timeless(want.Tried)) || solvers.HashWeights(c.Result.Weights) != solvers.HashWeights(want.Result.Weights)):
			t.Error("the resumed search came to another end")
		}
		s.Resume, s.Workers = s.Checkpoint, 1
	}
	if _, err := Choose(context.Background(), p, Wanted{For: "auc", Folds: 3}, s); !errors.Is(err, solvers.ErrResume) {
		t.Errorf("resumed for another metric: %v", err)
	}
}

// TestChooseSavesOnTheWay: what a search has saved is no other run's checkpoint to it.
func TestChooseSavesOnTheWay(t *testing.T) {
	p := clusters(t, 60, 4)
	s := solvers.Settings{Checkpoint: filepath.Join(t.TempDir(), "saved"), CheckpointEvery: 5 * time.Millisecond}
	if c := choose(t, p, Wanted{For: "ap", Folds: 3}, s); c.Result == nil || len(c.Tried) < 5 {
		t.Errorf("%v after %d candidates", c.Status, len(c.Tried))
	}
	if _, err := Choose(context.Background(), p, Wanted{For: "ap", Folds: 3}, s); !errors.Is(err, solvers.ErrCheckpointExists) {
		t.Error(err)
	}
}

func TestChooseBudgets(t *testing.T) {
	p := clusters(t, 100, 4)
	few := choose(t, p, Wanted{For: "ap", Folds: 3, Epochs: 1}, solvers.Settings{})
	if few.Status != solvers.BudgetReached || few.Result == nil || few.Best < 0 || few.Epochs() < 1 {
		t.Errorf("%v after %v passes", few.Status, few.Epochs())
	}
	for _, tried := range few.Tried {
		if tried.Solver != Logistic || tried.Balanced {
			t.Errorf("%v was begun after the budget", &tried)
		}
	}
	// The folds share the budget: what they have spent together ends the search.
	if again := choose(t, p, Wanted{For: "ap", Folds: 3, Epochs: few.Epochs()}, solvers.Settings{}); len(again.Tried) != len(few.Tried) {
		t.Errorf("a budget of %v passes, which %d candidates spend, is enough for %d", few.Epochs(), len(few.Tried), len(again.Tried))
	}
	if c, err := Choose(context.Background(), p, Wanted{For: "ap"}, solvers.Settings{MaxTime: 1}); c != nil || !errors.Is(err, ErrNoTime) {
		t.Errorf("without time: %v", err)
	}
	// What the clock leaves depends on the machine; there is a result or none, and no third.
	for _, limit := range []time.Duration{time.Millisecond, 20 * time.Millisecond} {
		c, err := Choose(context.Background(), p, Wanted{For: "ap", Folds: 3}, solvers.Settings{MaxTime: limit})
		if (c == nil) == (err == nil) || c != nil && (c.Result == nil || c.Best < 0) {
			t.Errorf("with %v: %v, %v", limit, c, err)
		}
	}
}

// The scaling is fitted without the rows that are scored, and for the result to all.
func TestChoosePrepares(t *testing.T) {
	p := clusters(t, 200, 4)
	calls := 0
	w := Wanted{For: "logloss", Folds: 4, Prepare: func(train, test *sparse.Matrix) (*sparse.Matrix, *sparse.Matrix, error) {
		if train.Rows() != 150 && train.Rows() != 200 || test.Rows() != 200-train.Rows() && test.Rows() != 200 {
			t.Errorf("prepared %d and %d rows", train.Rows(), test.Rows())
		}
		if train.Rows() == 200 {
			calls++
		}
		return train.NormalizeUnit(), test.NormalizeUnit(), nil
	}}
	got := choose(t, p, w, solvers.Settings{Workers: 1})
	unit := *p
	unit.X = p.X.NormalizeUnit()
	want := choose(t, &unit, Wanted{For: "logloss", Folds: 4}, solvers.Settings{Workers: 1})
	if calls != 1 || !reflect.DeepEqual(timeless(got.Tried), timeless(want.Tried)) || solvers.HashWeights(got.Result.Weights) != solvers.HashWeights(want.Result.Weights) {
		t.Errorf("%d preparations of all rows, and other results than of rows that were prepared before", calls)
	}
}

// TestSimplest: among candidates whose means are worse than the best one by its standard error or
// less, the simplest is chosen: by its kind, then by its lambda.
func TestSimplest(t *testing.T) {
	trial := func(solver string, balanced bool, lambda float64, values ...float64) Trial {
		t := Trial{Candidate: Candidate{Solver: solver, Balanced: balanced, Lambda: lambda}, Values: values}
		t.Mean, t.Error = moments(values)
		return t
	}
	best := trial("adap", false, 1, 3, 5)             // mean 4 and standard error 1
	border := trial(Logistic, false, 0.1, 3, 3)       // worse by 1
	below := trial(Logistic, false, 0.1, 3, 2.999999) // by more
	for name, c := range map[string]struct {
		tried []Trial
		want  int
	}{
		"the border":                   {[]Trial{best, border}, 1},
		"beyond the border":            {[]Trial{best, below}, 0},
		"a larger lambda":              {[]Trial{border, trial(Logistic, false, 0.2, 3.5, 3.5), best}, 1},
		"a larger lambda beyond":       {[]Trial{border, trial(Logistic, false, 0.2, 2, 2), best}, 0},
		"the earlier one":              {[]Trial{best, border, trial(Logistic, false, 0.1, 3.5, 3.5)}, 1},
		"class weights before ranking": {[]Trial{best, trial(Logistic, true, 0.1, 3, 4), below}, 1},
		"plain before class weights":   {[]Trial{best, trial(Logistic, true, 9, 3, 4), border}, 2},
		"ranking by lambda":            {[]Trial{best, trial("mb-pauc", false, 2, 3, 4)}, 1},
		"its own kind":                 {[]Trial{below, best}, 1},
		"not a number":                 {[]Trial{trial(Logistic, false, 5, math.NaN(), 3), border, best}, 1},
		"nothing":                      {nil, -1},
	} {
		for _, direction := range []metrics.Direction{metrics.HigherIsBetter, metrics.LowerIsBetter} {
			s := &search{Chosen: &Chosen{Metric: metrics.Metric{Name: name, Direction: direction}}}
			for _, one := range c.tried {
				values := slices.Clone(one.Values)
				for f := range values {
					if direction == metrics.LowerIsBetter {
						values[f] = -values[f]
					}
				}
				s.Tried = append(s.Tried, trial(one.Solver, one.Balanced, one.Lambda, values...))
			}
			if got := s.simplest(); got != c.want {
				t.Errorf("%s, direction %v: %d, want %d", name, direction, got, c.want)
			}
		}
	}
	s := &search{Chosen: &Chosen{Metric: metrics.Metric{Direction: metrics.LowerIsBetter}}}
	s.Tried = []Trial{trial(Logistic, false, 1, 1, math.NaN(), 1), trial(Logistic, false, 1, 2, 2, 3), trial(Logistic, false, 1, math.NaN(), 0, 0)}
	if got, none := s.bestOf(0), s.bestOf(2); got != 1 || none != -1 {
		t.Errorf("beside means that are not numbers, %d is best, and %d where there is no other", got, none)
	}
}

func TestChooseRefuses(t *testing.T) {
	p := clusters(t, 60, 4)
	for want, try := range map[string]func() (*erm.Problem, Wanted){
		"want ap, auc":        func() (*erm.Problem, Wanted) { return p, Wanted{For: "accuracy"} },
		"pauc:LO,HI":          func() (*erm.Problem, Wanted) { return p, Wanted{For: "pauc:x"} },
		"from 3 to 1":         func() (*erm.Problem, Wanted) { return p, Wanted{For: "pauc:3,1"} },
		"budget of -1":        func() (*erm.Problem, Wanted) { return p, Wanted{For: "ap", Epochs: -1} },
		"there is no problem": func() (*erm.Problem, Wanted) { return nil, Wanted{For: "ap"} },
		"no matrix":           func() (*erm.Problem, Wanted) { return &erm.Problem{}, Wanted{For: "ap"} },
		"1 folds":             func() (*erm.Problem, Wanted) { return p, Wanted{For: "ap", Folds: 1} },
		"a class has 12 rows": func() (*erm.Problem, Wanted) { return p, Wanted{For: "ap", Folds: 20} },
		"label 2": func() (*erm.Problem, Wanted) {
			q := *p
			q.Y = slices.Repeat([]float64{2, 1}, 30)
			return &q, Wanted{For: "ap"}
		},
		"60 rows are of one class": func() (*erm.Problem, Wanted) {
			q := *p
			q.Y = slices.Repeat([]float64{1}, 60)
			return &q, Wanted{For: "ap"}
		},
	} {
		q, w := try()
		c, err := Choose(context.Background(), q, w, solvers.Settings{})
		if c != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v instead of %q", err, want)
		}
	}
	one := Candidate{Solver: "nosuch"}
	if r, err := one.Solve(context.Background(), p, solvers.Settings{}); r != nil || err == nil {
		t.Error("an unknown solver")
	}
}

// A solver that ranks starts from the logistic fit of its lambda and weights, and has that
// lambda.
func TestCandidateStarts(t *testing.T) {
	p := clusters(t, 100, 4)
	positives := 0.0
	for i, y := range p.Y {
		p.SampleWeight = append(p.SampleWeight, 0.5+float64(i%4))
		positives += max(0, y)
	}
	p.Loss = loss.SquaredHinge{} // of no account
	s := solvers.Settings{GapTolerance: 1e-8, MaxEpochs: 100, Seed: 3}
	for _, c := range []Candidate{
		{Solver: "adap", Lambda: 0.02, Parameters: map[string]string{"iterations": "20"}},
		{Solver: "mb-pauc", Lambda: 0.05, Balanced: true, Low: 0.1, High: 0.5, Parameters: map[string]string{"length": "20"}},
	} {
		fit := *p
		fit.Loss, fit.Penalty = loss.Logistic{}, penalty.Ridge{Lambda: c.Lambda}
		if c.Balanced {
			fit.SampleWeight = nil
			for i, y := range p.Y {
				share := positives / 100
				if y < 0 {
					share = 1 - share
				}
				fit.SampleWeight = append(fit.SampleWeight, p.SampleWeight[i]*(1/(2*share)))
			}
		}
		start, err := auto.Solve(context.Background(), &fit, s)
		if err != nil {
			t.Fatal(err)
		}
		found, _ := registry.Find(c.Solver)
		ready, err := found.New(c.Parameters)
		if err != nil {
			t.Fatal(err)
		}
		want, err := ready.Solve(context.Background(), &solvers.Task{Problem: solvers.Problem{Loss: loss.Logistic{}, X: p.X, Y: p.Y, Penalty: penalty.Ridge{Lambda: c.Lambda}}, Low: c.Low, High: c.High}, solvers.Settings{Seed: 3, Initial: start.Weights})
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Solve(context.Background(), p, s)
		if err != nil {
			t.Fatal(err)
		}
		if solvers.HashWeights(got.Weights) != solvers.HashWeights(want.Weights) || got.Solver != c.Solver {
			t.Errorf("%v: other weights than from its logistic fit", &c)
		}
		if got.Total.Epochs != want.Total.Epochs+start.Total.Epochs {
			t.Errorf("%v: %v passes, %v and %v by themselves", &c, got.Total.Epochs, start.Total.Epochs, want.Total.Epochs)
		}
	}
}

// TestTurnedRates: false-positive rates are turned no further than they may go.
func TestTurnedRates(t *testing.T) {
	t.Parallel()
	for _, v := range []struct {
		low, high, factor float64
		can               bool
	}{{0.1, 0.4, 2, true}, {0.1, 0.5, 2, true}, {0.1, 0.6, 2, false}, {0.1, 0.4, 0.5, true}, {0.25, 0.5, 0.5, false}, {0.3, 0.5, 0.5, false}} {
		c, can := turned(Candidate{Solver: "mb-pauc", Low: v.low, High: v.high}, "rates", v.factor)
		if can != v.can || c.Low != v.low || c.High != v.high*v.factor {
			t.Errorf("%v to %v times %v: %v to %v, %v", v.low, v.high, v.factor, c.Low, c.High, can)
		}
	}
}

// Choose works on odd rows: the first lambdas are all too low, or nothing can be learnt, or
// numbers have all sizes.
func TestChooseOnOddRows(t *testing.T) {
	odd := map[string]func(y, noise float64) []float64{
		"constant":  func(_, _ float64) []float64 { return []float64{1, 1} },
		"separable": func(y, noise float64) []float64 { return []float64{2*y + noise} },
		"huge":      func(y, noise float64) []float64 { return []float64{1e150 * noise, y + 2*noise} },
		"mixed":     func(y, noise float64) []float64 { return []float64{1e8 * noise, 1e-8 * (y + 2*noise)} },
		"tiny":      func(y, noise float64) []float64 { return []float64{1e-150 * (y + 2*noise)} },
	}
	for name, row := range odd {
		random := rand.New(rand.NewPCG(5, 5))
		b := sparse.NewBuilder(sparse.BuilderOptions{})
		p := &erm.Problem{Loss: loss.Logistic{}}
		for i := range 40 {
			y := float64(1 - 2*(i%2))
			x := row(y, random.Float64())
			if err := b.AddRow([]int{0, 1}[:len(x)], x); err != nil {
				t.Fatal(err)
			}
			p.Y = append(p.Y, y)
		}
		var err error
		if p.X, err = b.Build(); err != nil {
			t.Fatal(err)
		}
		for _, wanted := range []string{"auc", "logloss"} {
			c, err := Choose(context.Background(), p, Wanted{For: wanted, Folds: 2}, solvers.Settings{})
			if err != nil || c.Result == nil || len(c.Tried) > 70 {
				t.Errorf("%s, %s: %d tried, %v", name, wanted, len(c.Tried), err)
			}
		}
	}
}
